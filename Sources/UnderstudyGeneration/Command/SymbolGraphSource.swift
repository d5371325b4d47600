import Foundation

/// Where symbol graphs come from: files, or modules that the compiler has built.
struct SymbolGraphSource {
  let options: GenerationOptions

  /// The symbols of modules, and of those whose protocols theirs refine.
  ///
  /// - Parameter modules: Their names; what the files of the options hold, where there are any.
  func index(of modules: [String]) throws(GenerationError) -> SymbolIndex {
    if !options.symbolGraphs.isEmpty {
      var graphs: [SymbolGraph] = []
      for path in options.symbolGraphs {
        for file in try files(at: path) { graphs.append(try read(file)) }
      }
      return SymbolIndex(graphs)
    }
    guard !modules.isEmpty else {
      throw GenerationError("generate needs to know where the protocol is: --module, or --symbol-graph.")
    }
    let compiled = try compiledModules(for: modules)
    var graphs: [SymbolGraph] = []
    var known: Set<String> = []
    var wanted = modules
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

  private func files(at path: String) throws(GenerationError) -> [URL] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw GenerationError("--symbol-graph takes a file or a folder, and \(path) is not there.")
    }
    guard isFolder.boolValue else { return [URL(filePath: path)] }
    // A file with an "@" holds what a module adds to types of another.
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
      .filter { $0.hasSuffix(".symbols.json") && !$0.contains("@") }.sorted()
    guard !names.isEmpty else {
      throw GenerationError("There is no symbol graph (*.symbols.json) in \(path).")
    }
    return names.map { URL(filePath: path).appending(path: $0) }
  }

  private func read(_ file: URL) throws(GenerationError) -> SymbolGraph {
    do {
      return try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file))
    } catch {
      throw GenerationError(
        "\(file.path(percentEncoded: false)) is no symbol graph that can be read: \(error)")
    }
  }

  // MARK: - Compiled modules

  /// The folder of the compiled modules, made first where the options name none.
  private func compiledModules(for modules: [String]) throws(GenerationError) -> String {
    if let folder = options.modules { return folder }
    // These targets alone: what is written from them may not compile yet.
    for module in modules { try ChildProcess(["swift", "build", "--target", module]).run() }
    let path = try swift(["build", "--show-bin-path"]).trimmed
    return "\(path)/Modules"
  }

  private func extract(_ module: String, from folder: String) throws(GenerationError) -> SymbolGraph {
    guard FileManager.default.fileExists(atPath: "\(folder)/\(module).swiftmodule") else {
      throw GenerationError("There is no compiled module \(module) in \(folder). Is it the name of a target?")
    }
    let output = FileManager.default.temporaryDirectory.appending(path: "symbol-graph-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: output) }
    do {
      try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    } catch {
      throw GenerationError(
        "\(output.path(percentEncoded: false)) cannot be made: \(error.localizedDescription)")
    }
    var words = [
      "symbolgraph-extract", "-module-name", module, "-I", folder, "-minimum-access-level", "internal",
      "-skip-synthesized-members", "-include-spi-symbols", "-target", try target(),
      "-output-dir", output.path(percentEncoded: false),
    ]
    #if canImport(Darwin)
      words += ["-sdk", try ChildProcess(["xcrun", "--show-sdk-path"]).output().trimmed]
    #endif
    _ = try swift(words)
    return try read(output.appending(path: "\(module).symbols.json"))
  }

  private func target() throws(GenerationError) -> String {
    struct Information: Decodable {
      struct Target: Decodable { let triple: String }
      let target: Target
    }
    let text = try swift(["-print-target-info"])
    guard let information = try? JSONDecoder().decode(Information.self, from: Data(text.utf8)) else {
      throw GenerationError("swift -print-target-info does not say for what it compiles: \(text)")
    }
    return information.target.triple
  }

  private func swift(_ words: [String]) throws(GenerationError) -> String {
    try ChildProcess(["swift"] + words).output()
  }
}
