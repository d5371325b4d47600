import Foundation
import Understudy
import UnderstudyConsole

@testable import UnderstudyCommand

/// The output of a command, and its exit status.
struct CommandResult {
  let status: Int32
  let output: String
  let error: String
  /// The progress lines, in order.
  let progress: [String]

  /// Runs the arguments in a line; each `%` is replaced by one of the files, in order.
  ///
  /// It is 2026-01-04T00:00:00Z.
  init(
    _ line: String, of tool: CommandLineTool = CommandLineTool("tool"), files: TemporaryFile...,
    width: Int? = nil,
    time: TestClock = TestClock(startingAt: Date(timeIntervalSince1970: 1_767_484_800))
  ) async {
    var tool = tool
    tool.environment.time = time.time
    let (output, error, progress) = (Locked(""), Locked(""), Locked<[String]>([]))
    let console = Console(
      write: { text in output.withLock { $0 += text + "\n" } },
      writeError: { text in error.withLock { $0 += text + "\n" } }, width: width,
      progress: { line in progress.withLock { $0.append(line) } })
    var rest = files[...]
    let words = line.split(separator: " ").map { word in
      word == "%" ? rest.popFirst()?.path ?? "%" : String(word)
    }
    status = await tool.run(words, console: console)
    (self.output, self.error) = (output.withLock { $0 }, error.withLock { $0 })
    self.progress = progress.withLock { $0 }
  }

  /// The lines of standard output, with `recording.har` for the path of a temporary file.
  var lines: [String] {
    output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map { String($0).replacing(#/\S*\/recording\.har/#, with: "recording.har") }
  }
}
