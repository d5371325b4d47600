import Foundation
import UnderstudyGeneration

/// What a run of the command wrote.
struct CommandRun {
  let status: Int32
  private(set) var output: [String] = []
  private(set) var errors: [String] = []

  init(_ words: [String]) {
    var (output, errors): ([String], [String]) = ([], [])
    status = GenerateCommand("tool generate").run(
      words, write: { output.append($0) }, writeError: { errors.append($0) })
    (self.output, self.errors) = (output, errors)
  }

  /// A run for protocols of the symbol graph that is kept for tests.
  static func shop(_ words: String...) -> CommandRun {
    CommandRun(["--symbol-graph", Modules.graphs] + words)
  }

  /// A run for protocols of Depot.
  static func depot(_ words: String...) -> CommandRun {
    CommandRun(["--symbol-graph", Modules.depot] + words)
  }
}
