import Foundation
import PackagePlugin

/// `swift package understudy <command> …`: runs the tool in the folder of the package.
@main struct UnderstudyPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    let folder = context.package.directoryURL.path(percentEncoded: false)
    guard FileManager.default.changeCurrentDirectoryPath(folder) else {
      return Diagnostics.error("Cannot change to the folder \(folder).")
    }
    guard arguments.first == "generate" else { return try run(arguments, context) }
    let request = GenerationRequest(Array(arguments.dropFirst()), in: context.package)
    let words: [String]
    do {
      words = try request.words(from: packageManager)
    } catch let error as GenerationRequestError {
      return Diagnostics.error(error.description)
    }
    try run(["generate"] + words, context)
  }

  /// Replaces this process, so that stopping the plugin also stops the tool, unlike a child process.
  private func run(_ arguments: [String], _ context: PluginContext) throws {
    let tool = try context.tool(named: "understudy-tool").url.path(percentEncoded: false)
    var words = ([tool] + arguments).map { strdup($0) } + [nil]
    execv(tool, &words)
    Diagnostics.error("\(tool) cannot be run: \(String(cString: strerror(errno)))")
  }
}

/// The arguments of `generate` in a package, whose build makes the symbol graphs.
///
/// A plugin cannot link the library that parses the options, so it only searches for options that name modules.
struct GenerationRequest {
  private let arguments: [String]
  private let package: Package

  init(_ arguments: [String], in package: Package) {
    self.arguments = arguments
    self.package = package
  }

  /// The arguments with the module, if the package has only one, and with the symbol graphs.
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
    // The tool would build a module without a symbol graph, and wait for this command to release the package.
    if let module = modules.first(where: { name in !sources.contains { $0.moduleName == name } }) {
      throw GenerationRequestError(
        description:
          "\(module) is not a target of \(package.displayName). Pass its symbol graph with --symbol-graph.")
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

  /// Returns the targets of modules, and their dependencies in the package, whose protocols they may refine.
  private func targets(_ modules: [String]) -> [any SourceModuleTarget] {
    let wanted = sources.filter { modules.contains($0.moduleName) }
    let names = Set(wanted.flatMap { [$0] + $0.recursiveTargetDependencies }.map(\.name))
    return sources.filter { names.contains($0.name) }
  }

  /// The only module of the package, apart from tests and doubles; `nil` unless there is exactly one.
  private var onlyModule: String? {
    let candidates = sources.filter { target in
      target.kind == .generic
        && !target.recursiveTargetDependencies.contains { $0.name == "Understudy" }
    }
    return candidates.count == 1 ? candidates[0].moduleName : nil
  }

  /// The modules in the first lines of generated files.
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

/// The reason why the symbol graphs are missing, in one line.
struct GenerationRequestError: Error, CustomStringConvertible {
  let description: String
}
