#if canImport(Darwin)
  public import os
#else
  public import Synchronization
#endif

// Public although only the package uses it: only public code is specialized in other modules. Inlinable `package` code
// is not, and its lock costs several times as much.

/// A value behind a lock, for state that synchronous code on any task reads or changes.
///
/// Both platforms' locks are `Sendable`, so this type needs no unchecked conformance. `Mutex` requires macOS 15; on
/// older supported systems `OSAllocatedUnfairLock` is used.
public final class Locked<State: Sendable>: Sendable {
  #if canImport(Darwin)
    @usableFromInline let lock: OSAllocatedUnfairLock<State>
  #else
    @usableFromInline let lock: Mutex<State>
  #endif

  /// Creates a lock with an initial state.
  @inlinable public init(_ state: State) {
    #if canImport(Darwin)
      lock = OSAllocatedUnfairLock(initialState: state)
    #else
      lock = Mutex(state)
    #endif
  }

  /// Runs `body` with exclusive access to the state.
  ///
  /// `body` must not acquire the same lock.
  @inlinable @inline(__always) public func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    #if canImport(Darwin)
      // `withLockUnchecked` rethrows an untyped error; the result carries the typed one.
      let result: Swift.Result<Result, Failure> = lock.withLockUnchecked { state in
        do throws(Failure) { return .success(try body(&state)) } catch { return .failure(error) }
      }
      return try result.get()
    #else
      return try lock.withLock { (state) throws(Failure) -> Result in try body(&state) }
    #endif
  }
}
