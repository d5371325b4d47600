#if canImport(Darwin)
  public import os
#else
  public import Synchronization
#endif

// Public although the package alone uses it, because only what is public is specialized in other modules: `package`
// code that is inlinable is not, and its lock costs several times as much.

/// A value behind a lock, for state that synchronous code on any task may read or change.
///
/// Both platforms' locks are `Sendable` by their own proof, so this type needs none: `Mutex` asks for
/// macOS 15, and `OSAllocatedUnfairLock` stands in for it on the older systems that the package supports.
public final class Locked<State: Sendable>: Sendable {
  #if canImport(Darwin)
    @usableFromInline let lock: OSAllocatedUnfairLock<State>
  #else
    @usableFromInline let lock: Mutex<State>
  #endif

  /// Puts a state behind a lock.
  @inlinable public init(_ state: State) {
    #if canImport(Darwin)
      lock = OSAllocatedUnfairLock(initialState: state)
    #else
      lock = Mutex(state)
    #endif
  }

  /// Runs `body` alone with the state.
  ///
  /// `body` must not call back into the same lock.
  @inlinable @inline(__always) public func withLock<Result: Sendable, Failure: Error>(
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
