import Foundation
import TestSupport

@testable import UnderstudyGeneration

/// The folders of this package and of its build.
enum Modules {
  /// The folder of the compiled modules, beside the resources of the tests.
  static var folder: String {
    Bundle.module.bundleURL.deletingLastPathComponent().appending(path: "Modules").path(percentEncoded: false)
  }

  /// The stored symbol graphs.
  static var graphs: String {
    Bundle.module.bundleURL.appending(path: "SymbolGraphs").path(percentEncoded: false)
  }

  /// The folder with the symbol graphs of the fixtures, which the compiler writes once for all tests.
  static var fixtures: String {
    get throws { try writtenFixtures.get() }
  }

  private static let writtenFixtures = Result<String, any Error> {
    let output = Bundle.module.bundleURL.deletingLastPathComponent().appending(path: "FixtureGraphs")
    try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    for module in ["GenerationFixtures", "GenerationFixturesBase"] {
      try SymbolGraphSource.writeGraph(of: module, from: folder, to: output)
    }
    return output.path(percentEncoded: false)
  }

  /// The folder with the symbol graph of Depot.
  static var depot: String { graphs + "/Depot" }

  /// The folder with the symbol graphs of Bazaar, and of the module with its errors.
  static var bazaar: String { graphs + "/Bazaar" }

  /// The folder with the symbol graph of Treaty.
  static var treaty: String { graphs + "/Treaty" }

  /// The files in a folder of the sources.
  static func files(in path: String) throws -> [String] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../" + path)
      .standardizedFileURL
    return try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted()
      .map { folder.appending(path: $0).path(percentEncoded: false) }
  }
}
