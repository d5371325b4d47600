import Foundation
import PackagePlugin

/// `swift package understudy <command> …`: runs the command in the folder of the package.
@main struct UnderstudyPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    let folder = context.package.directoryURL.path(percentEncoded: false)
    guard FileManager.default.changeCurrentDirectoryPath(folder) else {
      return Diagnostics.error("Cannot change to the folder \(folder).")
    }
    do {
      let rest = Array(arguments.dropFirst())
      switch arguments.first {
      case "adopt":
        let words = try AdoptionRequest(rest, in: context).words(from: packageManager)
        run(try context.tool(named: "understudy-doubles").url, ["adopt"] + words, as: arguments)
      case "generate":
        let words = try GenerationRequest(rest, in: context.package).words(from: packageManager)
        run(try context.tool(named: "understudy-doubles").url, ["generate"] + words, as: arguments)
      default: run(try programOfOtherCommands(), arguments, as: arguments)
      }
    } catch let error as RequestError {
      Diagnostics.error(error.description)
    }
  }

  /// Builds the program with all commands.
  ///
  /// The plugin does not depend on it, because SwiftPM builds the dependencies before each command: the doubles would
  /// wait for servers and recordings.
  private func programOfOtherCommands() throws -> URL {
    let result = try packageManager.build(
      .product("understudy"), parameters: .init(configuration: .inherit, echoLogs: true))
    guard result.succeeded, let program = result.builtArtifacts.first(where: { $0.kind == .executable })
    else {
      throw RequestError(description: "The program understudy cannot be built.")
    }
    return program.url
  }

  /// Replaces this process, so that stopping the plugin also stops the program, unlike a child process.
  ///
  /// - Parameter own: The arguments of the plugin, which a message of the program repeats.
  private func run(_ program: URL, _ arguments: [String], as own: [String]) {
    let path = program.path(percentEncoded: false)
    setenv("UNDERSTUDY_PLUGIN_ARGUMENTS", own.joined(separator: "\n"), 1)
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    execv(path, &words)
    Diagnostics.error("\(path) cannot be run: \(String(cString: strerror(errno)))")
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
      throw RequestError(
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

/// The arguments of `adopt` in a package.
///
/// The tool cannot ask the package manager, which waits for this command, so it receives the description of the targets.
struct AdoptionRequest {
  private let arguments: [String]
  private let context: PluginContext

  init(_ arguments: [String], in context: PluginContext) {
    self.arguments = arguments
    self.context = context
  }

  /// A target, as `swift package describe --type json` prints it.
  private struct Description: Encodable {
    struct Target: Encodable {
      let name: String
      let c99name: String
      let type: String
      let path: String
      let sources: [String]
      let target_dependencies: [String]
      let product_dependencies: [String]
    }

    let targets: [Target]
  }

  /// The arguments with the description, and with the symbol graphs of the module that declares the protocol.
  func words(from packageManager: PackageManager) throws -> [String] {
    guard !arguments.contains("--help"), !arguments.contains("-h") else { return arguments }
    let file = context.pluginWorkDirectoryURL.appending(path: "targets.json")
    try JSONEncoder().encode(Description(targets: targets.map(description))).write(to: file)
    var words = arguments + ["--package-description", file.path(percentEncoded: false)]
    if let manifest { words += ["--package-manifest", manifest] }
    let isChosen = arguments.contains { $0 == "--module" || $0.hasPrefix("--module=") }
    if !isChosen, let module = module { words += ["--module", module] }
    let request = GenerationRequest(words, in: context.package)
    return isChosen || module != nil ? try request.words(from: packageManager) : words
  }

  private var targets: [any SourceModuleTarget] {
    context.package.targets.compactMap { $0 as? SwiftSourceModuleTarget }
  }

  /// A file with the settings of the targets, which a plugin cannot read; `nil` if the manifest cannot be evaluated here.
  ///
  /// The package is locked by this command, and a sandbox cannot contain another one.
  private var manifest: String? {
    let file = context.pluginWorkDirectoryURL.appending(path: "manifest.json")
    guard FileManager.default.createFile(atPath: file.path(percentEncoded: false), contents: nil),
      let output = try? FileHandle(forWritingTo: file)
    else { return nil }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["swift", "package", "--ignore-lock", "--disable-sandbox", "dump-package"]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    process.waitUntilExit()
    return process.terminationStatus == 0 ? file.path(percentEncoded: false) : nil
  }

  /// The only module in whose sources the text declares a protocol, or else a structure, with the name of an argument.
  ///
  /// The tool reads the text in the same way, and says what is wrong if there is no such module or more than one.
  private var module: String? {
    let names = arguments.filter { !$0.hasPrefix("-") }.compactMap { $0.split(separator: ".").last }
    func declaring(_ keyword: String) -> [any SourceModuleTarget] {
      targets.filter { target in
        target.kind != .test
          && target.sourceFiles.contains { file in
            let text = (try? String(contentsOf: file.url, encoding: .utf8)) ?? ""
            // Not in a comment, such as the first line of a generated file.
            return text.matches(of: #/(?m)^[^\/\n]*\b(protocol|struct)\s+([A-Za-z_][A-Za-z0-9_]*)/#)
              .contains { $0.output.1 == keyword && names.contains($0.output.2) }
          }
      }
    }
    let protocols = declaring("protocol")
    let found = protocols.isEmpty ? declaring("struct") : protocols
    return found.count == 1 ? found[0].moduleName : nil
  }

  private func description(_ target: any SourceModuleTarget) -> Description.Target {
    let folder = target.directoryURL.path(percentEncoded: false)
    let package = context.package.directoryURL.path(percentEncoded: false)
    func path(_ path: String, in folder: String) -> String {
      String(path.dropFirst(path.hasPrefix(folder) ? folder.count : 0).drop { $0 == "/" })
    }
    var targets: [String] = []
    var products: [String] = []
    for dependency in target.dependencies {
      switch dependency {
      case .target(let target): targets.append(target.name)
      case .product(let product): products.append(product.name)
      @unknown default: break
      }
    }
    return Description.Target(
      name: target.name, c99name: target.moduleName,
      type: target.kind == .test ? "test" : target.kind == .generic ? "library" : "executable",
      path: String(path(folder, in: package).reversed().drop { $0 == "/" }.reversed()),
      sources: target.sourceFiles.map { path($0.url.path(percentEncoded: false), in: folder) },
      target_dependencies: targets, product_dependencies: products)
  }
}

/// The reason why a command cannot run, in one line.
struct RequestError: Error, CustomStringConvertible {
  let description: String
}
