import Foundation

/// A value behind a lock, for state that synchronous code on any task reads or changes.
///
/// It is unchecked because `NSLock` does not carry its state: `state` is accessed only between `lock()` and `unlock()`.
package final class Guarded<State: Sendable>: @unchecked Sendable {
  // `Mutex` requires macOS 15.
  private let lock = NSLock()
  private var state: State

  package init(_ state: State) {
    self.state = state
  }

  /// Runs `body` with exclusive access to the state; `body` must not acquire the same lock.
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&state)
  }
}
