import Foundation

/// A value behind a lock.
///
/// It is unchecked because `NSLock` does not carry its state: `state` is accessed only between `lock()` and `unlock()`.
final class Guarded<State: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var state: State

  init(_ state: State) {
    self.state = state
  }

  /// Runs `body` with exclusive access to the state; `body` must not acquire the same lock.
  func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&state)
  }
}
