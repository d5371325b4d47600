import Dispatch
import Foundation
import Understudy

/// The signals that stop a command.
enum StopSignals {
  /// Calls a function for each SIGINT and SIGTERM while an operation runs, instead of ending the process.
  ///
  /// - Returns: The result of `operation`.
  static func handled<Result>(
    by function: @escaping @Sendable () -> Void, during operation: () async -> Result
  ) async -> Result {
    let queue = DispatchQueue(label: "stop signals")
    let sources = [SIGINT, SIGTERM].map { number in
      // Before the source is activated: on Linux it then replaces this action, and on Apple platforms it receives
      // ignored signals too.
      let action = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler(handler: function)
      source.activate()
      return (number, source, action)
    }
    defer {
      for (number, source, action) in sources {
        source.cancel()
        signal(number, action)
      }
    }
    return await operation()
  }
}

/// A latch that holds a command until it is stopped.
final class StopLatch: Sendable {
  private struct State: Sendable {
    var count = 0
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

  /// Ends the wait.
  ///
  /// - Returns: The number of calls, including this one.
  @discardableResult func stop() -> Int {
    let (count, waiter) = state.withLock { state in
      state.count += 1
      defer { state.waiter = nil }
      return (state.count, state.waiter)
    }
    waiter?.resume()
    return count
  }

  /// Returns after a call of `stop()`; one task may wait.
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
