import Foundation
import Understudy

@testable import UnderstudyCommand

/// The output of a run of the command.
struct CommandRun {
  let status: Int32
  let output: [String]
  let errors: [String]

  /// Runs `tool generate`, and reports errors as the tool does.
  init(_ words: [String]) {
    let (output, errors) = (Locked<[String]>([]), Locked<[String]>([]))
    let console = Console(
      write: { line in output.withLock { $0.append(line) } },
      writeError: { line in errors.withLock { $0.append(line) } })
    do {
      status = try GenerateCommand(tool: CommandLineTool("tool")).run(words, console: console)
    } catch {
      console.writeError("tool: \(error)")
      status = 2
    }
    (self.output, self.errors) = (output.withLock { $0 }, errors.withLock { $0 })
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
