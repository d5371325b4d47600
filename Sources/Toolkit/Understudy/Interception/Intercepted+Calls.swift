// The interception of an adopter's service.

/// Whether a failing call of an ``Intercepted`` service still calls the base.
///
/// A fault defines whether a server does its work, but only the method knows the effect on the caller's side. Signing
/// out ends the session on the device even if the server cannot be reached. Signing in starts no session if the answer
/// is lost. A call that is cancelled while it is held never reaches the base.
public enum FailedCallEffect: Sendable, Hashable {
  /// The effect defined by the fault; see `Fault.reachesBase`.
  case ofFault
  /// The base is called, and then the call fails.
  case whole
  /// The base is not called.
  case none
}

extension Intercepted {
  /// Makes a service call through the interceptors.
  ///
  /// The conformance of ``Intercepted`` to a service protocol calls this once in each asynchronous method. The method
  /// runs on the caller's executor, whatever the isolation of the protocol.
  ///
  /// - Parameters:
  ///   - operation: The method's name in rules, logs and gates.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - effect: Whether a failing call still calls the base (default: as the fault defines).
  ///   - failure: Converts a fault to an error of the domain; see ``Fault/symptom-swift.property``. It also receives
  ///     ``Fault/cancelled``, when the task is cancelled while an interceptor holds the call.
  ///   - call: Makes the call of the base with the arguments it receives, which are changed only by
  ///     `Contract.survivors(of:through:equivalents:seed:)`.
  /// - Returns: The result of the call.
  /// - Throws: The error of the call, or the result of `failure` for the fault. In a method with untyped `throws`, a
  ///   cancelled wait throws `CancellationError` and `failure` is not called.
  @inlinable @inline(__always)
  nonisolated(nonsending) public func intercept<each Argument: Sendable, Result, Failure: Error>(
    _ operation: Operation, _ arguments: repeat each Argument,
    whenFailing effect: FailedCallEffect = .ofFault, failure: (Fault) -> Failure,
    call: nonisolated(nonsending) (Base, repeat each Argument) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let passage =
      chain.isEmpty
      ? InterceptorChain.Passage(ticket: 0, detour: nil)
      : chain.enter(CallCore(operation: operation.core, arguments: (repeat each arguments)))
    if let detour = passage.detour {
      let given = chain.given(detour, repeat each arguments)
      return try await complete(passage, effect, failure) { base throws(Failure) in
        try await call(base, repeat each given)
      }
    }
    do throws(Failure) {
      let result = try await call(base, repeat each arguments)
      chain.end(passage)
      return result
    } catch {
      chain.end(passage, error)
      throw error
    }
  }

  /// Makes a call of a non-throwing service method through the interceptors.
  ///
  /// The call is logged, and waits where a gate or a latency holds it. A fault cannot be converted to an error, so the
  /// call continues to the base, and the fault is an issue of a test. The call also continues when the task is
  /// cancelled while an interceptor holds it.
  ///
  /// - Parameters:
  ///   - operation: The method's name in rules, logs and gates.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - call: Makes the call.
  /// - Returns: The result of the call.
  nonisolated(nonsending) public func intercept<each Argument: Sendable, Result>(
    _ operation: Operation, _ arguments: repeat each Argument,
    call: nonisolated(nonsending) (Base, repeat each Argument) async -> Result
  ) async -> Result {
    let passage = chain.enter(
      CallCore(operation: operation.core, arguments: (repeat each arguments), form: .unfailing))
    let given = chain.given(passage.detour, repeat each arguments)
    let answer = await pass(passage) { await call($0, repeat each given) }
    chain.end(passage)
    return answer
  }

  /// Takes a call that cannot fail through the interceptors.
  nonisolated(nonsending) func pass<Result>(
    _ passage: InterceptorChain.Passage, _ call: nonisolated(nonsending) (Base) async -> Result
  ) async -> Result {
    await chain.calling(passage) {
      var result: Result?
      if let detour = passage.detour, chain.isOpen {
        do {
          result = try await chain.run(detour) { fault in
            fault?.noteObstacle(Self.obstacle(of: detour))
            let answer = await call(base)
            result = answer
            return answer
          }
        } catch {
          // If an interceptor threw after the base returned, the caller receives the base's result.
          if result == nil, let fault = error as? Fault { fault.noteObstacle(Self.obstacle(of: detour)) }
        }
      } else {
        await chain.wait(passage.detour)?.noteObstacle(Self.obstacle(of: passage.detour))
      }
      return if let result { result } else { await call(base) }
    }
  }

  /// Why no fault has an effect on a method that cannot fail.
  private static func obstacle(of detour: InterceptorChain.Detour?) -> String {
    guard let call = detour?.call else { return "" }
    let (cannot, remedy) =
      call.form.isCallback
      ? ("pass an error to its completion handler", "let the completion handler take an error")
      : ("throw", "make the method throw")
    return
      "\(call.operation) cannot \(cannot), so its call goes on to the base; \(remedy), or hold its call with a gate"
  }

  /// Completes a call that does not go straight to the base.
  ///
  /// It is a separate function so that the frame of the others stays small.
  @usableFromInline nonisolated(nonsending) func complete<Result, Failure: Error>(
    _ passage: InterceptorChain.Passage, _ effect: FailedCallEffect, _ failure: (Fault) -> Failure,
    _ call: nonisolated(nonsending) (Base) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    do throws(Failure) {
      let result = try await pass(passage, effect, failure, call)
      chain.end(passage)
      return result
    } catch {
      chain.end(passage, error)
      throw error
    }
  }

  /// Takes a call that does not go straight to the base through the interceptors.
  nonisolated(nonsending) func pass<Result, Failure: Error>(
    _ passage: InterceptorChain.Passage, _ effect: FailedCallEffect, _ failure: (Fault) -> Failure,
    _ call: nonisolated(nonsending) (Base) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await chain.calling(passage) { () async throws(Failure) -> Result in
      if chain.isOpen, let detour = passage.detour {
        return try await openly(detour, effect, failure, call)
      }
      if let fault = await chain.wait(passage.detour) {
        return try await meet(fault, effect, failure, call)
      }
      let result = try await call(base)
      chain.checkKind(of: result, passage)
      return result
    }
  }

  /// Makes a call through custom interceptors, and converts their errors to the error type of the method.
  private nonisolated(nonsending) func openly<Result, Failure: Error>(
    _ detour: InterceptorChain.Detour, _ effect: FailedCallEffect, _ failure: (Fault) -> Failure,
    _ call: nonisolated(nonsending) (Base) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    var hasReachedBase = false
    do {
      return try await chain.run(detour) { fault in
        guard let fault else {
          hasReachedBase = true
          return try await call(base)
        }
        return try await meet(fault, effect, failure) { base throws(Failure) in
          hasReachedBase = true
          return try await call(base)
        }
      }
    } catch let fault as Fault where !hasReachedBase {
      return try await meet(fault, effect, failure, call)
    } catch {
      throw Self.error(error, failure)
    }
  }

  /// The error of a custom interceptor, as an error of the method.
  static func error<Failure: Error>(_ error: any Error, _ failure: (Fault) -> Failure) -> Failure {
    switch error {
    case let fault as Fault: failure(fault)
    case let error as Failure: error
    case is CancellationError: failure(.cancelled)
    default:
      failure(
        Fault(
          .unimplemented(
            "An interceptor threw \(error), which is not a \(Failure.self). Throw a \(Failure.self) or a Fault."
          )))
    }
  }

  /// Makes a synchronous service call that throws through the interceptors.
  ///
  /// The call is logged, and receives faults. It cannot wait, so gates, latencies and custom interceptors leave it
  /// unchanged.
  ///
  /// ```swift
  /// func save(_ note: Note) throws(NotesError) {
  ///   try interceptSynchronously(.save, note, failure: NotesError.init) { base, note throws(NotesError) in try base.save(note) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - operation: The method's name in rules and logs.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - effect: Whether a failing call still calls the base (default: as the fault defines).
  ///   - failure: Converts a fault to an error of the domain.
  ///   - call: Makes the call of the base with the arguments it receives, which are changed only by
  ///     `Contract.survivors(of:through:equivalents:seed:)`.
  /// - Returns: The result of the call.
  /// - Throws: The error of the call, or the result of `failure` for the fault.
  @inlinable public func interceptSynchronously<each Argument: Sendable, Result, Failure: Error>(
    _ operation: Operation, _ arguments: repeat each Argument,
    whenFailing effect: FailedCallEffect = .ofFault, failure: (Fault) -> Failure,
    call: (Base, repeat each Argument) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (passage, fault) = chain.enterSynchronously(
      CallCore(operation: operation.core, arguments: (repeat each arguments), form: .synchronous))
    let given = chain.given(passage.detour, repeat each arguments)
    do throws(Failure) {
      let result: Result
      if let fault {
        result = try meet(fault, effect, failure) { () throws(Failure) in try call(base, repeat each given) }
      } else {
        result = try call(base, repeat each given)
      }
      chain.end(passage)
      return result
    } catch {
      chain.end(passage, error)
      throw error
    }
  }

  /// Makes a synchronous service call that cannot fail, which is only logged.
  ///
  /// Plans, gates and latencies leave it unchanged, and a sweep names it as one that was never failed.
  ///
  /// - Parameters:
  ///   - operation: The method's name in logs.
  ///   - arguments: The method's arguments.
  ///   - call: Makes the call.
  /// - Returns: The result of the call.
  /// - Throws: The error of the call.
  @inlinable public func forward<each Argument: Sendable, Result, Failure: Error>(
    _ operation: Operation, _ arguments: repeat each Argument,
    call: (Base, repeat each Argument) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let passage = chain.record(CallCore(operation: operation.core, arguments: (repeat each arguments)))
    do throws(Failure) {
      let result = try call(base, repeat each arguments)
      chain.end(passage)
      return result
    } catch {
      chain.end(passage, error)
      throw error
    }
  }

  /// Applies a fault to a synchronous service call.
  @usableFromInline func meet<Result, Failure: Error>(
    _ fault: Fault, _ effect: FailedCallEffect, _ failure: (Fault) -> Failure,
    _ call: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if case .passes = fault.reach {
      fault.noteObstacle(
        fault.obstacleAtService
          ?? "the call is synchronous, so it cannot wait; use a fault that makes it fail")
      return try call()
    }
    if fault.callsBase(effect) { _ = try? call() }
    fault.noteEffect()
    throw failure(fault.untraced)
  }

  /// Applies a fault to a service call.
  nonisolated(nonsending) func meet<Result, Failure: Error>(
    _ fault: Fault, _ effect: FailedCallEffect, _ failure: (Fault) -> Failure,
    _ call: nonisolated(nonsending) (Base) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    if case .passes = fault.reach {
      // A delay from a plan or a gate has already elapsed; that of a fault thrown by a custom interceptor has not.
      if let delay = fault.delay {
        do { try await chain.time.sleep(for: delay) } catch {
          return try await meet(.cancelled, effect, failure, call)
        }
      } else if let obstacle = fault.obstacleAtService {
        fault.noteObstacle(obstacle)
      }
      return try await call(base)
    }
    if fault.callsBase(effect) {
      do throws(Failure) {
        let answer = try await call(base)
        if case .stream = fault.effect, answer is any AsyncSequence {
          TestIssue.currentReporter?.record(
            """
            \(fault) failed a call that returns a stream, instead of the stream: the call is intercepted as one without.
            Use interceptStream for it.
            """, at: nil)
        }
      } catch {
        // A cancelled call throws its own error; any other answer is lost.
        if Task.isCancelled { throw error }
      }
    }
    fault.noteEffect()
    // The cast succeeds only if `Failure` is `any Error` or `CancellationError`.
    if fault == .cancelled, let cancellation = CancellationError() as? Failure { throw cancellation }
    throw failure(fault.untraced)
  }
}

extension Fault {
  /// Whether a call with the fault still calls the base.
  func callsBase(_ effect: FailedCallEffect) -> Bool {
    if case .passes = reach { return true }
    if self == .cancelled { return false }
    return switch effect {
    case .ofFault: reach != .before
    case .whole: true
    case .none: false
    }
  }
}
