import Understudy
import UnderstudyConsole

/// What a command has written, in pieces of one or more whole lines.
final class WrittenText: Sendable {
  private let pieces = Locked<(output: [String], errors: [String])>(([], []))

  var console: Console {
    Console(
      write: { text in self.pieces.withLock { $0.output.append(text) } },
      writeError: { text in self.pieces.withLock { $0.errors.append(text) } })
  }

  var output: [String] { pieces.withLock { $0.output } }
  var errors: [String] { pieces.withLock { $0.errors } }
}
