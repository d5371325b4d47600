import UnderstudyTransport

extension Intercepted {
  /// Makes a call of a service that returns a stream through the interceptors.
  ///
  /// The call passes them like any other, and a fault of a call meets it; it is logged as returned once there is a
  /// stream. A fault of a stream then acts on its elements, as does one that cuts an HTTP body, which at a service
  /// comes before the first. The stream is pulled: no element is asked for before its reader asks, except the one
  /// more that a fault has to know. A reader that leaves or is cancelled closes the base's stream.
  ///
  /// ```swift
  /// func answer(_ text: String) async throws(TodoError) -> AsyncThrowingStream<Chunk, any Error> {
  ///   try await interceptStream(.answer, text, failure: TodoError.init) { base throws(TodoError) in
  ///     try await base.answer(text)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - operation: What the method is called in rules, logs and gates.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - effect: What a call that fails does at the base, where that is not for the fault to say.
  ///   - timeout: How long a stalled stream is silent, on the injected `Time`, before it fails.
  ///   - silence: The fault that a stalled stream fails with, where it is not a time-out; a connection that is watched
  ///     by heartbeats is lost, ``Fault/abortWebSocket(afterMessages:)``.
  ///   - failure: The error of the domain that a fault becomes, whether the call throws it or the stream. It is also
  ///     asked for ``Fault/cancelled``, when the task is cancelled while an interceptor holds the call or a fault
  ///     stalls the stream.
  ///   - call: Makes the call.
  /// - Returns: The base's stream, or one that goes wrong.
  /// - Throws: What the call throws, or what `failure` makes of the fault; see ``intercept(_:_:whenFailing:failure:call:)``.
  nonisolated(nonsending) public func interceptStream<
    each Argument: Sendable, Element: Sendable, Failure: Error
  >(
    _ operation: Operation, _ arguments: repeat each Argument,
    whenFailing effect: FailedCallEffect = .ofFault, timeout: Duration = .seconds(30),
    stallingAs silence: Fault? = nil, failure: @escaping @Sendable (Fault) -> Failure,
    call: nonisolated(nonsending) (Base) async throws(Failure) -> AsyncThrowingStream<Element, any Error>
  ) async throws(Failure) -> AsyncThrowingStream<Element, any Error> {
    // What fails by its heartbeats is a connection.
    let interaction: Fault.Interaction = silence == nil ? .stream : .webSocket
    let passage = chain.enter(
      CallCore(site: operation.site, arguments: (repeat each arguments), interaction: interaction))
    do throws(Failure) {
      let stream: AsyncThrowingStream<Element, any Error>
      if let fault = await chain.wait(passage.detour) {
        if let streamEffect = fault.streamEffect {
          stream = meeting(fault, streamEffect, timeout, silence, failure, try await call(base))
        } else {
          stream = try await meet(fault, effect, failure, call)
        }
      } else {
        stream = try await call(base)
      }
      chain.end(passage)
      return chain.watched(stream, passage)
    } catch {
      chain.end(passage, error)
      throw error
    }
  }

  /// A stream with a fault among its elements.
  func meeting<Element: Sendable, Failure: Error>(
    _ fault: Fault, _ effect: StreamEffect, _ timeout: Duration, _ silence: Fault?,
    _ failure: @escaping @Sendable (Fault) -> Failure, _ stream: AsyncThrowingStream<Element, any Error>
  ) -> AsyncThrowingStream<Element, any Error> {
    if effect == .splitCharacters { return stream }
    let time = chain.time
    let realisation = FaultyStream<Element>.Realisation(
      isEvent: { _ in true },
      cut: {
        if case .stall = effect {
          do { try await time.sleep(for: timeout) } catch {
            // The cast holds only where `Failure` is `any Error`, or `CancellationError` itself.
            if let cancellation = CancellationError() as? Failure { throw cancellation }
            throw failure(.cancelled)
          }
          // One that cuts an answer of HTTP off silently comes before the stream, and is a time-out.
          if case .stream = fault.effect { throw failure(silence ?? fault) }
        }
        throw failure(fault)
      },
      corrupted: { _ in throw failure(fault) },
      unterminated: { _ in throw failure(fault) })
    // Iterators are not `Sendable`, but all those of one stream take from the same place.
    let faulty = FaultyStream(
      {
        var iterator = stream.makeAsyncIterator()
        return try await iterator.next()
      }, effect, realisation)
    return AsyncThrowingStream(unfolding: { try await faulty.next() })
  }
}

extension Fault {
  /// What the fault does to the elements of a service's stream, if anything.
  var streamEffect: StreamEffect? {
    switch effect {
    case .stream(let effect): effect
    case .cut(_, .silence): .stall(after: 0)
    case .cut: .drop(after: 0)
    case .spoiled(.chunk), .spoiled(.gzip): .corrupt(1)
    default: nil
    }
  }
}
