import Foundation
import UnderstudyConsole
import UnderstudyText

/// A source of symbol graphs, which reads files or extracts them from compiled modules.
struct SymbolGraphSource {
  let options: GenerationOptions
  /// The command, for errors.
  let command: String

  /// Returns the symbols of modules, and of the modules whose protocols they refine.
  ///
  /// - Parameters:
  ///   - modules: Their names, unless the options have symbol graphs.
  ///   - others: Modules that were built with them, if compiled.
  func index(of modules: [String], beside others: [String] = []) throws(CommandError) -> SymbolIndex {
    if !options.symbolGraphs.isEmpty {
      var graphs: [SymbolGraph] = []
      for path in options.symbolGraphs {
        for file in try files(at: path) { graphs.append(try read(file)) }
      }
      return SymbolIndex(graphs)
    }
    guard !modules.isEmpty else {
      throw CommandError(
        "\(command.split(separator: " ").last ?? "") requires --module or --symbol-graph. See \(command) --help."
      )
    }
    let compiled = try compiledModules(for: modules)
    var graphs: [SymbolGraph] = []
    var known: Set<String> = []
    var wanted =
      modules + others.filter { FileManager.default.fileExists(atPath: "\(compiled)/\($0).swiftmodule") }
    while let module = wanted.popLast() {
      guard known.insert(module).inserted else { continue }
      let graph = try extract(module, from: compiled)
      graphs.append(graph)
      let protocols = Set(
        graph.symbols.filter { $0.kind.identifier == "swift.protocol" }.map(\.identifier.precise))
      wanted += graph.relationships.filter { $0.kind == "conformsTo" && protocols.contains($0.source) }
        .compactMap { MangledName($0.target).module }
        .filter { FileManager.default.fileExists(atPath: "\(compiled)/\($0).swiftmodule") }
    }
    return SymbolIndex(graphs)
  }

  // MARK: - Files

  private func files(at path: String) throws(CommandError) -> [URL] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw CommandError("--symbol-graph: file not found: \(path).")
    }
    guard isFolder.boolValue else { return [URL(filePath: path)] }
    // A file with an "@" has the extensions of types of other modules.
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
      .filter { $0.hasSuffix(".symbols.json") && !$0.contains("@") }.sorted()
    guard !names.isEmpty else {
      throw CommandError("--symbol-graph: no *.symbols.json found in \(path).")
    }
    return names.map { URL(filePath: path).appending(path: $0) }
  }

  private func read(_ file: URL) throws(CommandError) -> SymbolGraph {
    do {
      return try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file))
    } catch {
      throw CommandError(
        "\(file.path(percentEncoded: false)) is not a valid symbol graph: \(error)")
    }
  }

  // MARK: - Compiled modules

  /// Returns the folder of the compiled modules, which are built unless the options specify it.
  private func compiledModules(for modules: [String]) throws(CommandError) -> String {
    if let folder = options.modules { return folder }
    // Only these targets: targets with generated files may not compile yet.
    for module in modules { try ChildProcess(["swift", "build", "--target", module]).run() }
    let path = try Self.swift(["build", "--show-bin-path"]).trimmed
    return "\(path)/Modules"
  }

  private func extract(_ module: String, from folder: String) throws(CommandError) -> SymbolGraph {
    guard FileManager.default.fileExists(atPath: "\(folder)/\(module).swiftmodule") else {
      throw CommandError("Compiled module \(module) not found in \(folder). Is it the name of a target?")
    }
    let output = FileManager.default.temporaryDirectory.appending(path: "symbol-graph-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: output) }
    do {
      try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    } catch {
      throw CommandError(
        "\(output.path(percentEncoded: false)) cannot be created: \(error.localizedDescription)")
    }
    try Self.writeGraph(of: module, from: folder, to: output)
    return try read(output.appending(path: "\(module).symbols.json"))
  }

  /// Writes the symbol graph of a compiled module into a folder.
  static func writeGraph(of module: String, from folder: String, to output: URL) throws(CommandError) {
    let words = [
      "symbolgraph-extract", "-module-name", module, "-I", folder, "-minimum-access-level", "internal",
      "-skip-synthesized-members", "-include-spi-symbols", "-target", try target(),
      "-output-dir", output.path(percentEncoded: false),
    ]
    _ = try swift(words + sdkOptions())
  }

  private static func target() throws(CommandError) -> String {
    struct Information: Decodable {
      struct Target: Decodable { let triple: String }
      let target: Target
    }
    let text = try swift(["-print-target-info"])
    guard let information = try? JSONDecoder().decode(Information.self, from: Data(text.utf8)) else {
      throw CommandError("The output of swift -print-target-info is missing the target: \(text)")
    }
    return information.target.triple
  }

  private static func swift(_ words: [String]) throws(CommandError) -> String {
    try ChildProcess(["swift"] + words).output()
  }
}
