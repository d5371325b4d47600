#if canImport(Darwin)
  public import os
#elseif UNDERSTUDY_THREAD_SANITIZER
  import Foundation
#else
  public import Synchronization
#endif

// Public although only the package uses it: only public code is specialized in other modules. Inlinable `package` code
// is not, and its lock costs several times as much.

/// A value behind a lock, for state that synchronous code on any task reads or changes.
///
/// Both platforms' locks are `Sendable`, so this type needs no unchecked conformance. `Mutex` requires macOS 15; on
/// older supported systems `OSAllocatedUnfairLock` is used.
///
/// On Linux, `Mutex` is a futex that the thread sanitizer does not know, so it reports each access to the state as a
/// race. For such a run, Package.swift defines `UNDERSTUDY_THREAD_SANITIZER`, with which the lock is one of pthread.
public final class Locked<State: Sendable>: Sendable {
  #if canImport(Darwin)
    @usableFromInline let lock: OSAllocatedUnfairLock<State>
  #elseif UNDERSTUDY_THREAD_SANITIZER
    @usableFromInline let lock: SanitizedLock<State>
  #else
    @usableFromInline let lock: Mutex<State>
  #endif

  /// Creates a lock with an initial state.
  @inlinable public init(_ state: State) {
    #if canImport(Darwin)
      lock = OSAllocatedUnfairLock(initialState: state)
    #elseif UNDERSTUDY_THREAD_SANITIZER
      lock = SanitizedLock(state)
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

#if UNDERSTUDY_THREAD_SANITIZER && !canImport(Darwin)
  /// The lock for runs under the thread sanitizer.
  ///
  /// It is unchecked because `NSLock` does not carry its state: `state` is only accessed between `lock()` and `unlock()`.
  @usableFromInline final class SanitizedLock<State: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var state: State

    @usableFromInline init(_ state: State) {
      self.state = state
    }

    @usableFromInline func withLock<Result, Failure: Error>(
      _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      lock.lock()
      defer { lock.unlock() }
      return try body(&state)
    }
  }
#endif
