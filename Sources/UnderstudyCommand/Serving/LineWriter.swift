import Understudy

/// Writes lines in the order in which they come, without holding up whoever has something to say.
///
/// What has come together is written at once, so that lines do not mix and a busy server is not held up by a slow
/// terminal. Beyond a limit, lines that nobody has read are left out, and a line says how many.
final class LineWriter: Sendable {
  fileprivate struct State: Sendable {
    var lines: [String] = []
    var omitted = 0
    var isOver = false
    var isAwaited: CheckedContinuation<Void, Never>?
  }

  private static let limit = 100_000
  private let state = Locked(State())

  /// Says a line, which ``run(writing:)`` will write.
  func write(_ line: String) {
    state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.lines.count < Self.limit { state.lines.append(line) } else { state.omitted += 1 }
      return state.takeWaiter()
    }?.resume()
  }

  /// Lets ``run(writing:)`` return once everything is written.
  func end() {
    state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.isOver = true
      return state.takeWaiter()
    }?.resume()
  }

  /// Writes what is said until the end.
  ///
  /// - Throws: What `write` throws; nothing is written from then on.
  func run(writing write: (String) throws(CommandError) -> Void) async throws(CommandError) {
    while true {
      await waitForLines()
      let (lines, omitted, isOver) = state.withLock { state in
        defer { (state.lines, state.omitted) = ([], 0) }
        return (state.lines, state.omitted, state.isOver)
      }
      let note = omitted == 0 ? [] : ["… and \(omitted) line(s) more, which came faster than they are read"]
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
