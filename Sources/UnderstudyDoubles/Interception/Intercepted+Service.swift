// How an adopter's service is intercepted.

extension Intercepted {
  /// Makes a call of a service through the interceptors.
  ///
  /// The conformance of ``Intercepted`` to a service protocol calls this once in each asynchronous method. The
  /// method runs on the caller's executor, whatever the isolation of the protocol.
  ///
  /// - Parameters:
  ///   - operation: What the method is called in rules, logs and gates.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - failure: The error of the domain that a fault becomes; see ``Fault/symptom-swift.property``. It is also
  ///     asked for ``Fault/cancelled``, when the task is cancelled while an interceptor holds the call.
  ///   - call: Makes the call.
  /// - Returns: What the call returned.
  /// - Throws: What the call throws, or what `failure` makes of the fault. In a method with plain `throws`, a
  ///   cancelled wait throws `CancellationError` and `failure` is not asked.
  @inlinable @inline(__always) nonisolated(nonsending) public func intercept<each Argument: Sendable, Result, Failure: Error>(
    _ operation: Operation, _ arguments: repeat each Argument, failure: (Fault) -> Failure,
    call: nonisolated(nonsending) (Base) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    if chain.isEmpty { return try await call(base) }
    let core = CallCore(site: operation.site, arguments: (repeat each arguments))
    let tickets = chain.begin(core)
    do throws(Failure) {
      var position = 0
      let verdict = chain.advance(core, from: &position)
      let result: Result
      if case .forward = verdict {
        result = try await call(base)
      } else if let fault = await chain.wait(verdict, core, from: position) {
        result = try await meet(fault, failure, call)
      } else {
        result = try await call(base)
      }
      chain.end(tickets, .returned)
      return result
    } catch {
      chain.end(tickets, .failed(error))
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
    let tickets = chain.begin(CallCore(site: operation.site, arguments: (repeat each arguments)))
    do throws(Failure) {
      let result = try call(base)
      chain.end(tickets, .returned)
      return result
    } catch {
      chain.end(tickets, .failed(error))
      throw error
    }
  }

  /// Realises a fault at the seam of a service.
  @usableFromInline nonisolated(nonsending) func meet<Result, Failure: Error>(
    _ fault: Fault, _ failure: (Fault) -> Failure,
    _ call: nonisolated(nonsending) (Base) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    switch fault.reach {
    case .passes:
      return try await call(base)
    case .before:
      break
    case .after:
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
