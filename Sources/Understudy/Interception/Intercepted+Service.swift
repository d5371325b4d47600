// How an adopter's service is intercepted.

/// What a call that meets a fault does at the base of an ``Intercepted`` service.
///
/// A fault knows whether a server does its work. A method may know better what becomes of the caller's own side:
/// signing out ends the session on the device although the server cannot be told, and signing in whose answer is
/// lost starts none. A call that is cancelled while it is held never reaches the base.
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
  ///   - operation: What the method is called in rules, logs and gates.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - effect: What a call that fails does at the base, where that is not for the fault to say.
  ///   - failure: The error of the domain that a fault becomes; see ``Fault/symptom-swift.property``. It is also
  ///     asked for ``Fault/cancelled``, when the task is cancelled while an interceptor holds the call.
  ///   - call: Makes the call.
  /// - Returns: What the call returned.
  /// - Throws: What the call throws, or what `failure` makes of the fault. In a method with plain `throws`, a
  ///   cancelled wait throws `CancellationError` and `failure` is not asked.
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
  /// It is logged, and waits where a gate or a latency holds it. A fault has nothing that it could become, so the call
  /// goes on to the base; so it does when the task is cancelled while an interceptor holds the call.
  ///
  /// - Parameters:
  ///   - operation: What the method is called in rules, logs and gates.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - call: Makes the call.
  /// - Returns: What the call returned.
  nonisolated(nonsending) public func intercept<each Argument: Sendable, Result>(
    _ operation: Operation, _ arguments: repeat each Argument,
    call: nonisolated(nonsending) (Base) async -> Result
  ) async -> Result {
    let passage = chain.enter(CallCore(site: operation.site, arguments: (repeat each arguments)))
    _ = await chain.wait(passage.detour)
    let result = await call(base)
    chain.end(passage)
    return result
  }

  /// Makes a call that does not go straight to the base: apart, so that the frame of those that do stays small.
  @usableFromInline nonisolated(nonsending) func complete<Result, Failure: Error>(
    _ passage: InterceptorChain.Passage, _ effect: FailedCallEffect, _ failure: (Fault) -> Failure,
    _ call: nonisolated(nonsending) (Base) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    do throws(Failure) {
      let result: Result
      if let fault = await chain.wait(passage.detour) {
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

  /// Makes a synchronous call of a service: it is logged, and nothing else.
  ///
  /// A synchronous requirement can neither wait nor, where it does not throw, fail; so plans, gates and latencies
  /// leave it alone.
  ///
  /// - Parameters:
  ///   - operation: What the method is called in logs.
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

  /// Realises a fault at the seam of a service.
  nonisolated(nonsending) func meet<Result, Failure: Error>(
    _ fault: Fault, _ effect: FailedCallEffect, _ failure: (Fault) -> Failure,
    _ call: nonisolated(nonsending) (Base) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    switch (fault.reach, effect) {
    case (.passes, _):
      return try await call(base)
    case _ where fault == .cancelled:
      break
    case (_, .none), (.before, .ofFault):
      break
    case (_, .whole), (.after, .ofFault):
      do throws(Failure) {
        _ = try await call(base)
      } catch {
        // A call that was cancelled says so; any other answer is lost.
        if Task.isCancelled { throw error }
      }
    }
    // The cast holds only where `Failure` is `any Error`, or `CancellationError` itself.
    if fault == .cancelled, let cancellation = CancellationError() as? Failure { throw cancellation }
    throw failure(fault)
  }
}
