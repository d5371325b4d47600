import Foundation
import UnderstudyConsole

/// A named group of rows.
struct Benchmark: Sendable {
  /// The name on the command line.
  let name: String
  /// What is compared, in one line.
  let summary: String
  /// Measures the rows.
  private let rows: @Sendable (Extent) async throws -> [Row]

  init(
    _ name: String, _ summary: String, _ rows: @escaping @Sendable (_ extent: Extent) async throws -> [Row]
  ) {
    self.name = name
    self.summary = summary
    self.rows = rows
  }

  /// Measures the rows; one that says what is missing if a program is.
  func measure(_ extent: Extent) async throws -> [Row] {
    var measured: [Row] = []
    switch try await ifInstalled({ try await rows(extent) }) {
    case .success(let rows): measured.add(rows, of: name)
    case .failure(let missing): measured.add([Row("all", skipped: missing)], of: name)
    }
    if let row = measured.first(where: { !$0.isValid }) {
      throw CommandError("\(name): the figures of \"\(row.name)\" are not positive: \(row.figures)")
    }
    return measured
  }
}

/// How much a benchmark measures.
struct Extent: Sendable {
  /// Whether only big differences have to be found, in a few seconds.
  var isShort = false
  /// The number of rounds, instead of the benchmark's.
  var chosenRounds: Int?

  /// One of two sizes.
  func size(_ whole: Int, short: Int) -> Int { isShort ? short : whole }

  /// Measures rows several times.
  ///
  /// - Parameters:
  ///   - count: The number of rounds.
  ///   - short: The number in short form.
  ///   - round: Measures each subject and its peer once.
  func rounds(
    _ count: Int, short: Int = 3, _ round: () async throws -> [Row]
  ) async throws -> [Row] {
    var rows: [Row] = []
    for _ in 0..<(chosenRounds ?? size(count, short: short)) { rows.add(try await round(), of: "") }
    return rows
  }
}

/// Runs a closure with a folder that exists meanwhile.
func withTemporaryFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appending(path: "understudy-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder)
}
