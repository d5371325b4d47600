import Foundation

/// A file that `adopt` writes.
struct AdoptedFile {
  let path: String
  let text: String
  /// What it holds, in a few words.
  let purpose: String

  var exists: Bool { FileManager.default.fileExists(atPath: path) }
}

/// The head of a Swift file.
struct ImportList {
  /// The modules with the access level of their imports.
  private var levels: [String: String] = [:]

  mutating func add(_ modules: some Sequence<String>, _ level: String = "") {
    for module in modules { levels[module] = level }
  }

  /// Adds modules that the list does not have.
  mutating func addMissing(_ modules: [String]) {
    add(modules.filter { levels[$0] == nil })
  }

  /// Writes the imports, and an empty line.
  func write(to source: inout SourceText) {
    let network = "FoundationNetworking"
    let names = levels.keys.filter { $0 != network }.sorted {
      ($0, levels[$0] ?? "") < ($1, levels[$1] ?? "")
    }
    let testable = names.filter { levels[$0] == "@testable " }
    for name in names where !testable.contains(name) { source.line("\(levels[name] ?? "")import \(name)") }
    if let level = levels[network] {
      source.line()
      source.line("#if canImport(\(network))")
      source.nested { $0.line("\(level)import \(network)") }
      source.line("#endif")
    }
    if !testable.isEmpty, testable.count < levels.count { source.line() }
    for name in testable { source.line("@testable import \(name)") }
    source.line()
  }
}
