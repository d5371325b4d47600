import Understudy

/// What a command that goes on for ever waits for.
final class StopLatch: Sendable {
  private struct State: Sendable {
    var count = 0
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

  /// Ends the wait.
  ///
  /// - Returns: How often it was called, with this time.
  @discardableResult func stop() -> Int {
    let (count, waiter) = state.withLock { state in
      state.count += 1
      defer { state.waiter = nil }
      return (state.count, state.waiter)
    }
    waiter?.resume()
    return count
  }

  /// Returns once ``stop()`` was called; one task may wait.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.count > 0 { return true }
        state.waiter = continuation
        return false
      }
      if isOver { continuation.resume() }
    }
  }
}
