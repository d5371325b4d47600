import Understudy

/// A writer of lines in order that does not block their senders.
///
/// Pending lines are written at once, so that lines do not mix and a slow terminal does not block a busy server.
/// Beyond a limit, pending lines are dropped, and a line reports their number.
final class LineWriter: Sendable {
  fileprivate struct State: Sendable {
    var lines: [String] = []
    var omitted = 0
    var isOver = false
    var isAwaited: CheckedContinuation<Void, Never>?
  }

  private static let limit = 100_000
  private let state = Locked(State())

  /// Adds a line, which ``run(writing:)`` will write.
  func write(_ line: String) {
    state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.lines.count < Self.limit { state.lines.append(line) } else { state.omitted += 1 }
      return state.takeWaiter()
    }?.resume()
  }

  /// Lets ``run(writing:)`` return once all lines are written.
  func end() {
    state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.isOver = true
      return state.takeWaiter()
    }?.resume()
  }

  /// Writes lines until the end.
  ///
  /// - Throws: The error of `write`, after which no more lines are written.
  func run(writing write: (String) throws(CommandError) -> Void) async throws(CommandError) {
    while true {
      await waitForLines()
      let (lines, omitted, isOver) = state.withLock { state in
        defer { (state.lines, state.omitted) = ([], 0) }
        return (state.lines, state.omitted, state.isOver)
      }
      let note =
        omitted == 0
        ? [] : ["… and \(Words.count(omitted, "more line")), dropped because the output is too slow"]
      if !lines.isEmpty { try write((lines + note).joined(separator: "\n")) }
      if isOver, lines.isEmpty { return }
    }
  }

  private func waitForLines() async {
    await withCheckedContinuation { continuation in
      let isDue = state.withLock { state in
        if state.isOver || !state.lines.isEmpty { return true }
        state.isAwaited = continuation
        return false
      }
      if isDue { continuation.resume() }
    }
  }
}

extension LineWriter.State {
  fileprivate mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
    defer { isAwaited = nil }
    return isAwaited
  }
}
