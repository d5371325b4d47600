// How an adopter's service is intercepted.

/// What a call that is given a fault does at the base of an ``Intercepted`` service.
///
/// A fault says whether a server does its work. A method may know better what happens on the caller's own side: signing
/// out ends the session on the device although the server cannot be reached, and signing in whose answer is lost starts
/// none. A call that is cancelled while it is held never reaches the base.
public enum FailedCallEffect: Sendable, Hashable {
  /// What the fault says: see ``Fault/reachesBase``.
  case ofFault
  /// The base is called, and then the call fails.
  case whole
  /// The base is not called.
  case none
}

extension Intercepted {
  /// Makes a call of a service through the interceptors.
  ///
  /// The conformance of ``Intercepted`` to a service protocol calls this once in each asynchronous method. The
  /// method runs on the caller's executor, whatever the isolation of the protocol.
  ///
  /// - Parameters:
  ///   - operation: The method's name in rules, logs and gates.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - effect: What a call that fails does at the base, where that is not for the fault to say.
  ///   - failure: The error of the domain that a fault becomes; see ``Fault/symptom-swift.property``. It is also
  ///     given ``Fault/cancelled``, when the task is cancelled while an interceptor holds the call.
  ///   - call: Makes the call.
  /// - Returns: What the call returned.
  /// - Throws: What the call throws, or what `failure` makes of the fault. In a method with plain `throws`, a
  ///   cancelled wait throws `CancellationError` and `failure` is not called.
  @inlinable @inline(__always)
  nonisolated(nonsending) public func intercept<each Argument: Sendable, Result, Failure: Error>(
    _ operation: Operation, _ arguments: repeat each Argument,
    whenFailing effect: FailedCallEffect = .ofFault, failure: (Fault) -> Failure,
    call: nonisolated(nonsending) (Base) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let passage =
      chain.isEmpty
      ? InterceptorChain.Passage(ticket: 0, detour: nil)
      : chain.enter(CallCore(site: operation.site, arguments: (repeat each arguments)))
    if passage.detour != nil { return try await complete(passage, effect, failure, call) }
    do throws(Failure) {
      let result = try await call(base)
      chain.end(passage)
      return result
    } catch {
      chain.end(passage, error)
      throw error
    }
  }

  /// Makes a call of a service that cannot fail through the interceptors.
  ///
  /// It is logged, and waits where a gate or a latency holds it. A fault has no error to become, so the call goes on to
  /// the base; so it does when the task is cancelled while an interceptor holds the call.
  ///
  /// - Parameters:
  ///   - operation: The method's name in rules, logs and gates.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - call: Makes the call.
  /// - Returns: What the call returned.
  nonisolated(nonsending) public func intercept<each Argument: Sendable, Result>(
    _ operation: Operation, _ arguments: repeat each Argument,
    call: nonisolated(nonsending) (Base) async -> Result
  ) async -> Result {
    let passage = chain.enter(CallCore(site: operation.site, arguments: (repeat each arguments)))
    var result: Result?
    if let detour = passage.detour, chain.isOpen {
      do {
        result = try await chain.run(detour) { _ in
          let answer = await call(base)
          result = answer
          return answer
        }
      } catch {
        // The caller gets what the base returned, if an interceptor threw after it.
      }
    } else {
      _ = await chain.wait(passage.detour)
    }
    let answer = if let result { result } else { await call(base) }
    chain.end(passage)
    return answer
  }

  /// Makes a call that does not go straight to the base: apart, so that the frame of those that do stays small.
  @usableFromInline nonisolated(nonsending) func complete<Result, Failure: Error>(
    _ passage: InterceptorChain.Passage, _ effect: FailedCallEffect, _ failure: (Fault) -> Failure,
    _ call: nonisolated(nonsending) (Base) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    do throws(Failure) {
      let result: Result
      if chain.isOpen, let detour = passage.detour {
        result = try await openly(detour, effect, failure, call)
      } else if let fault = await chain.wait(passage.detour) {
        result = try await meet(fault, effect, failure, call)
      } else {
        result = try await call(base)
      }
      chain.end(passage)
      return result
    } catch {
      chain.end(passage, error)
      throw error
    }
  }

  /// Makes a call through interceptors of an adopter's own, and gives what they throw the type of the method's errors.
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

  /// What an interceptor of an adopter's own threw, as an error of the method.
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

  /// Makes a synchronous call of a service: it is logged, and nothing else.
  ///
  /// A synchronous requirement can neither wait nor, where it does not throw, fail; so plans, gates and latencies
  /// leave it unchanged.
  ///
  /// - Parameters:
  ///   - operation: The method's name in logs.
  ///   - arguments: The method's arguments.
  ///   - call: Makes the call.
  /// - Returns: What the call returned.
  /// - Throws: What the call throws.
  @inlinable public func forward<each Argument: Sendable, Result, Failure: Error>(
    _ operation: Operation, _ arguments: repeat each Argument, call: (Base) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let passage = chain.record(CallCore(site: operation.site, arguments: (repeat each arguments)))
    do throws(Failure) {
      let result = try call(base)
      chain.end(passage)
      return result
    } catch {
      chain.end(passage, error)
      throw error
    }
  }

  /// Realises a fault at a service.
  nonisolated(nonsending) func meet<Result, Failure: Error>(
    _ fault: Fault, _ effect: FailedCallEffect, _ failure: (Fault) -> Failure,
    _ call: nonisolated(nonsending) (Base) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    switch (fault.reach, effect) {
    case (.passes, _):
      // What a plan or a gate delays has waited already; what an interceptor of an adopter's own throws has not.
      if let delay = fault.delay {
        do { try await chain.time.sleep(for: delay) } catch {
          return try await meet(.cancelled, effect, failure, call)
        }
      }
      return try await call(base)
    case _ where fault == .cancelled:
      break
    case (_, .none), (.before, .ofFault):
      break
    case (_, .whole), (.after, .ofFault):
      do throws(Failure) {
        _ = try await call(base)
      } catch {
        // A call that was cancelled throws its own error; any other answer is lost.
        if Task.isCancelled { throw error }
      }
    }
    // The cast holds only where `Failure` is `any Error`, or `CancellationError` itself.
    if fault == .cancelled, let cancellation = CancellationError() as? Failure { throw cancellation }
    throw failure(fault)
  }
}
