/// A value that one task sends once and another waits for; the wait can be cancelled.
package final class Signal<Value: Sendable>: Sendable {
  private enum State {
    case empty
    case waiting(CheckedContinuation<Value, any Error>)
    case sent(Result<Value, any Error>)
    case over
  }

  private let state = Locked(State.empty)

  package init() {}

  /// Sends the value; later values are ignored.
  ///
  /// A caller that holds a lock uses ``settle(with:)``.
  ///
  /// - Returns: Whether this was the first value, and the wait was not cancelled.
  @discardableResult package func send(_ value: Value) -> Bool {
    guard let resumption = settle(with: value) else { return false }
    resumption()
    return true
  }

  /// What is left to do for a value that a signal has accepted.
  struct Resumption: Sendable {
    fileprivate let continuation: CheckedContinuation<Value, any Error>?
    fileprivate let value: Value

    /// Resumes the task that waits for the value, if one already does; this must be called once.
    func callAsFunction() { continuation?.resume(returning: value) }
  }

  /// Sends the value, but does not resume the task that waits for it.
  ///
  /// A caller that decides under a lock of its own where a value goes calls the result after that lock. Resuming
  /// a task runs its executor, which may be the adopter's, and may wait for a cancellation of the task that is under way.
  ///
  /// - Returns: What resumes the task; `nil` if this was not the first value, or the wait was cancelled.
  func settle(with value: Value) -> Resumption? {
    state.withLock { state in
      switch state {
      case .empty:
        state = .sent(.success(value))
        return Resumption(continuation: nil, value: value)
      case .waiting(let continuation):
        state = .over
        return Resumption(continuation: continuation, value: value)
      case .sent, .over:
        return nil
      }
    }
  }

  /// Sends an error in place of the value, unless a value was sent.
  func fail(_ error: any Error) {
    let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
      switch state {
      case .empty:
        state = .sent(.failure(error))
        return nil
      case .waiting(let continuation):
        state = .over
        return continuation
      case .sent, .over:
        return nil
      }
    }
    continuation?.resume(throwing: error)
  }

  /// Takes the value if it has been sent, without waiting.
  func take() -> Value? {
    state.withLock { state in
      guard case .sent(.success(let value)) = state else { return nil }
      state = .over
      return value
    }
  }

  /// Waits for the value.
  ///
  /// This may be called once; a second call throws `CancellationError`.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first.
  package nonisolated(nonsending) func value() async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Value, any Error>? = state.withLock { state in
          switch state {
          case .empty:
            state = .waiting(continuation)
            return nil
          case .sent(let result):
            state = .over
            return result
          case .waiting, .over:
            return .failure(CancellationError())
          }
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
        defer { state = .over }
        if case .waiting(let continuation) = state { return continuation }
        return nil
      }
      continuation?.resume(throwing: CancellationError())
    }
  }
}

/// The tasks that wait for a count to reach a number.
package struct CountWatchers: Sendable {
  private var waiting: [(count: Int, wake: AsyncStream<Never>.Continuation)] = []

  package init() {}

  /// Returns a stream that ends when the count reaches the number, possibly at once.
  package mutating func add(for count: Int, now: Int) -> AsyncStream<Never> {
    let (stream, wake) = AsyncStream<Never>.makeStream()
    if count == now { wake.finish() } else { waiting.append((count, wake)) }
    return stream
  }

  /// Ends the streams that wait for this count.
  package mutating func update(_ count: Int) {
    for waiter in waiting where waiter.count == count { waiter.wake.finish() }
    waiting.removeAll { $0.count == count }
  }
}
