import UnderstudyConsole

@testable import UnderstudyGeneration

/// The output of a run of `generate`.
struct CommandRun {
  let status: Int32
  let output: [String]
  let errors: [String]

  /// Runs `tool generate`, and reports errors as the tool does.
  init(_ words: [String]) {
    let written = WrittenText()
    do {
      status = try GenerateCommand(program: "tool").run(words, console: written.console)
    } catch {
      written.console.writeError("tool: \(error)")
      status = 2
    }
    (output, errors) = (written.output, written.errors)
  }

  /// A run for protocols of the stored symbol graph.
  static func shop(_ words: String...) -> CommandRun {
    CommandRun(["--symbol-graph", Modules.graphs] + words)
  }

  /// A run for protocols of Depot.
  static func depot(_ words: String...) -> CommandRun {
    CommandRun(["--symbol-graph", Modules.depot] + words)
  }
}
