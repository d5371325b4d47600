#if canImport(Darwin)
  package import os
#else
  package import Synchronization
#endif

/// A value behind a lock, for state that synchronous code on any task may read or change.
///
/// Both platforms' locks are `Sendable` by their own proof, so this type needs none: `Mutex` asks for
/// macOS 15, and `OSAllocatedUnfairLock` stands in for it on the older systems that the package supports.
package final class Locked<State: Sendable>: Sendable {
  #if canImport(Darwin)
    @usableFromInline let lock: OSAllocatedUnfairLock<State>
  #else
    @usableFromInline let lock: Mutex<State>
  #endif

  package init(_ state: State) {
    #if canImport(Darwin)
      lock = OSAllocatedUnfairLock(initialState: state)
    #else
      lock = Mutex(state)
    #endif
  }

  // Inlinable, because the state's type is known to the caller only, and unspecialized code costs several times as much.

  /// Runs `body` alone with the state.
  ///
  /// `body` must not call back into the same lock.
  @inlinable @inline(__always) package func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    #if canImport(Darwin)
      // `withLockUnchecked` rethrows untyped; the result carries the typed error across.
      let result: Swift.Result<Result, Failure> = lock.withLockUnchecked { state in
        do throws(Failure) { return .success(try body(&state)) } catch { return .failure(error) }
      }
      return try result.get()
    #else
      return try lock.withLock { (state) throws(Failure) -> Result in try body(&state) }
    #endif
  }
}
