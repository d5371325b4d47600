import Foundation
import PackagePlugin

/// What `generate` is told within a package, whose build can be asked for symbol graphs.
struct GenerationRequest {
  private let arguments: [String]
  private let package: Package

  init(_ arguments: [String], in package: Package) {
    self.arguments = arguments
    self.package = package
  }

  /// The words for the generator: those that were given, the module where there is but one, and its symbol graphs.
  func words(from packageManager: PackageManager) throws -> [String] {
    let isComplete = ["--symbol-graph", "--modules", "--help", "-h"].contains { option in
      arguments.contains { $0 == option || $0.hasPrefix("\(option)=") }
    }
    guard !isComplete else { return arguments }
    var words = arguments
    var modules = values(of: "--module", in: arguments) + modulesOfFiles
    if modules.isEmpty, arguments.contains(where: { $0.hasPrefix("--protocol") }), let only = onlyModule {
      modules = [only]
      words += ["--module", only]
    }
    // The generator would build a module without a symbol graph, and wait for this command to release the package.
    if let module = modules.first(where: { name in !sources.contains { $0.moduleName == name } }) {
      throw GenerationRequestError(
        description:
          "\(module) is no target of \(package.displayName): give its symbol graph with --symbol-graph.")
    }
    for target in targets(modules) {
      let graph = try packageManager.getSymbolGraph(
        for: target,
        options: .init(minimumAccessLevel: .internal, includeSynthesized: false, includeSPI: true))
      words += ["--symbol-graph", graph.directoryURL.path(percentEncoded: false)]
    }
    return words
  }

  private var sources: [any SourceModuleTarget] {
    package.targets.compactMap { $0 as? SwiftSourceModuleTarget }
  }

  /// The targets of modules, and those of the package that they need, whose protocols theirs may refine.
  private func targets(_ modules: [String]) -> [any SourceModuleTarget] {
    let wanted = sources.filter { modules.contains($0.moduleName) }
    let names = Set(wanted.flatMap { [$0] + $0.recursiveTargetDependencies }.map(\.name))
    return sources.filter { names.contains($0.name) }
  }

  /// The module of the package that has neither tests nor doubles, if there is one only.
  private var onlyModule: String? {
    let candidates = sources.filter { target in
      target.kind == .generic
        && !target.recursiveTargetDependencies.contains { $0.name == "Understudy" }
    }
    return candidates.count == 1 ? candidates[0].moduleName : nil
  }

  /// The modules that the first lines of generated files name.
  private var modulesOfFiles: [String] {
    arguments.filter { $0.hasSuffix(".swift") }.flatMap { path in
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      let line = text.prefix { !$0.isNewline }
      return values(of: "--module", in: line.split(separator: " ").map(String.init))
    }
  }

  private func values(of option: String, in words: [String]) -> [String] {
    words.indices.compactMap { index in
      let word = words[index]
      if word.hasPrefix("\(option)=") { return String(word.dropFirst(option.count + 1)) }
      return word == option && index + 1 < words.count ? words[index + 1] : nil
    }
  }
}
