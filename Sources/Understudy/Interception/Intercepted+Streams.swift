// Methods that return a stream, in every spelling. Each comes down to one stream of the same kind, so that faults, logs,
// gates and sweeps treat them alike.

extension Intercepted {
  /// Makes a call of a service that returns a stream through the interceptors.
  ///
  /// The call passes them like any other, and a fault of a call is given to it; it is logged as returned once there is a
  /// stream. A fault of a stream then acts on its elements, as does one that cuts an HTTP body, which at a service
  /// comes before the first. The stream is pulled: no element is requested before its reader requests it, except the one
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
  ///   - operation: The method's name in rules, logs and gates.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - effect: What a call that fails does at the base, where that is not for the fault to say.
  ///   - timeout: How long a stalled stream is silent, on the injected `Time`, before it fails.
  ///   - silence: The fault that a stalled stream fails with, where it is not a time-out; a connection that is watched
  ///     by heartbeats is lost, `abortWebSocket(afterMessages:)`.
  ///   - failure: The error of the domain that a fault becomes, whether the call throws it or the stream. It is also
  ///     given ``Fault/cancelled``, when the task is cancelled while an interceptor holds the call or a fault
  ///     stalls the stream.
  ///   - call: Makes the call.
  /// - Returns: The base's stream, or one that fails.
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
    let realisation = StreamRealisation(chain.time, timeout, silence, failure)
    do throws(Failure) {
      let stream: AsyncThrowingStream<Element, any Error>
      if chain.isOpen, let detour = passage.detour {
        stream = try await openly(detour, effect, realisation, failure, call)
      } else if let fault = await chain.wait(passage.detour) {
        if let streamEffect = fault.streamEffect {
          stream = realisation.realise(fault, streamEffect, in: try await call(base))
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

  /// Makes a call through interceptors of an adopter's own, and gives what they throw the type of the method's errors.
  private nonisolated(nonsending) func openly<Element: Sendable, Failure: Error>(
    _ detour: InterceptorChain.Detour, _ effect: FailedCallEffect, _ realisation: StreamRealisation<Failure>,
    _ failure: @escaping @Sendable (Fault) -> Failure,
    _ call: nonisolated(nonsending) (Base) async throws(Failure) -> AsyncThrowingStream<Element, any Error>
  ) async throws(Failure) -> AsyncThrowingStream<Element, any Error> {
    var hasReachedBase = false
    do {
      return try await chain.runStream(detour) { fault in
        guard let fault else {
          hasReachedBase = true
          return try await call(base)
        }
        if let streamEffect = fault.streamEffect {
          hasReachedBase = true
          return realisation.realise(fault, streamEffect, in: try await call(base))
        }
        return try await meet(fault, effect, failure) { base throws(Failure) in
          hasReachedBase = true
          return try await call(base)
        }
      }.mappingFaults(by: failure)
    } catch let fault as Fault where !hasReachedBase {
      if let streamEffect = fault.streamEffect {
        return realisation.realise(fault, streamEffect, in: try await call(base))
      }
      return try await meet(fault, effect, failure, call)
    } catch {
      throw Self.error(error, failure)
    }
  }

  /// Makes a call of a service that cannot fail, and whose stream can, through the interceptors.
  ///
  /// It is as ``interceptStream(_:_:whenFailing:timeout:stallingAs:failure:call:)``, but where that throws, this returns
  /// a stream that fails at once.
  ///
  /// - Parameters:
  ///   - operation: The method's name in rules, logs and gates.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - timeout: How long a stalled stream is silent, on the injected `Time`, before it fails.
  ///   - silence: The fault that a stalled stream fails with, where it is not a time-out.
  ///   - streamFailure: The error of the domain that a fault becomes. A stream that is cancelled while an interceptor
  ///     holds the call throws `CancellationError`.
  ///   - call: Makes the call.
  /// - Returns: The base's stream, or one that fails.
  nonisolated(nonsending) public func interceptStream<each Argument: Sendable, Element: Sendable>(
    _ operation: Operation, _ arguments: repeat each Argument, timeout: Duration = .seconds(30),
    stallingAs silence: Fault? = nil, streamFailure: @escaping @Sendable (Fault) -> any Error,
    call: nonisolated(nonsending) (Base) async -> AsyncThrowingStream<Element, any Error>
  ) async -> AsyncThrowingStream<Element, any Error> {
    do {
      return try await interceptStream(
        operation, repeat each arguments, timeout: timeout, stallingAs: silence, failure: streamFailure
      ) { base throws(any Error) in
        await call(base)
      }
    } catch {
      return AsyncThrowingStream { $0.finish(throwing: error) }
    }
  }

  /// Makes a synchronous call of a service whose stream can fail through the interceptors.
  ///
  /// The call returns at once, so what would hold it holds its first element, and what would fail it fails the stream.
  /// A fault that keeps a call from the base does so here too, unless an interceptor holds the call before: the base has
  /// been called by then, so that a subscription begins with the call.
  ///
  /// - Parameters:
  ///   - operation: The method's name in rules, logs and gates.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - timeout: How long a stalled stream is silent, on the injected `Time`, before it fails.
  ///   - silence: The fault that a stalled stream fails with, where it is not a time-out.
  ///   - streamFailure: The error of the domain that a fault becomes. A stream that is cancelled while an interceptor
  ///     holds it throws `CancellationError`.
  ///   - call: Makes the call.
  /// - Returns: The base's stream, or one that fails.
  public func interceptStream<each Argument: Sendable, Element: Sendable>(
    _ operation: Operation, _ arguments: repeat each Argument, timeout: Duration = .seconds(30),
    stallingAs silence: Fault? = nil, streamFailure: @escaping @Sendable (Fault) -> any Error,
    call: (Base) -> AsyncThrowingStream<Element, any Error>
  ) -> AsyncThrowingStream<Element, any Error> {
    let interaction: Fault.Interaction = silence == nil ? .stream : .webSocket
    let passage = chain.enter(
      CallCore(site: operation.site, arguments: (repeat each arguments), interaction: interaction))
    guard let detour = passage.detour else {
      chain.end(passage)
      return call(base)
    }
    if let fault = detour.immediateFault, !fault.reachesBase {
      let error: any Error = fault == .cancelled ? CancellationError() : streamFailure(fault)
      chain.end(passage, error)
      return AsyncThrowingStream { $0.finish(throwing: error) }
    }
    let stream = call(base)
    chain.end(passage)
    if detour.isForward { return chain.watched(stream, passage) }
    let realisation = StreamRealisation(chain.time, timeout, silence, streamFailure)
    let chain = chain
    return chain.watched(
      AsyncThrowingStream(
        opening: {
          guard chain.isOpen else {
            return try realisation.opened(stream, given: await chain.wait(detour))
          }
          do {
            return try await chain.runStream(detour) { fault in
              try realisation.opened(stream, given: fault)
            }.mappingFaults(by: streamFailure)
          } catch let fault as Fault {
            return try realisation.opened(stream, given: fault)
          }
        }), passage)
  }

  /// Makes a call of a service whose stream cannot fail through the interceptors.
  ///
  /// A fault has no error to become: where another stream would fail, this one ends, and a scenario's run counts the
  /// failure.
  ///
  /// - Parameters:
  ///   - operation: The method's name in rules, logs and gates.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - timeout: How long a stalled stream is silent, on the injected `Time`, before it ends.
  ///   - call: Makes the call.
  /// - Returns: The base's stream, or one that ends early.
  public func interceptStream<each Argument: Sendable, Element: Sendable>(
    _ operation: Operation, _ arguments: repeat each Argument, timeout: Duration = .seconds(30),
    call: (Base) -> AsyncStream<Element>
  ) -> AsyncStream<Element> {
    AsyncStream(
      endingWhereItFails: interceptStream(
        operation, repeat each arguments, timeout: timeout, streamFailure: { $0 },
        call: { AsyncThrowingStream(neverFailing: call($0)) }))
  }

  /// Makes an asynchronous call of a service whose stream cannot fail through the interceptors.
  ///
  /// A fault has no error to become: where another stream would fail, this one ends, and a scenario's run counts the
  /// failure.
  ///
  /// - Parameters:
  ///   - operation: The method's name in rules, logs and gates.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - timeout: How long a stalled stream is silent, on the injected `Time`, before it ends.
  ///   - call: Makes the call.
  /// - Returns: The base's stream, or one that ends early.
  nonisolated(nonsending) public func interceptStream<each Argument: Sendable, Element: Sendable>(
    _ operation: Operation, _ arguments: repeat each Argument, timeout: Duration = .seconds(30),
    call: nonisolated(nonsending) (Base) async -> AsyncStream<Element>
  ) async -> AsyncStream<Element> {
    AsyncStream(
      endingWhereItFails: await interceptStream(
        operation, repeat each arguments, timeout: timeout, streamFailure: { $0 },
        call: { AsyncThrowingStream(neverFailing: await call($0)) }))
  }

  /// Makes a call of a service whose stream cannot fail, although the call can, through the interceptors.
  ///
  /// A fault of a call is thrown; one of a stream ends the stream, and a scenario's run counts the failure.
  ///
  /// - Parameters:
  ///   - operation: The method's name in rules, logs and gates.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - effect: What a call that fails does at the base, where that is not for the fault to say.
  ///   - timeout: How long a stalled stream is silent, on the injected `Time`, before it ends.
  ///   - failure: The error of the domain that a fault becomes.
  ///   - call: Makes the call.
  /// - Returns: The base's stream, or one that ends early.
  /// - Throws: What the call throws, or what `failure` makes of the fault.
  nonisolated(nonsending) public func interceptStream<
    each Argument: Sendable, Element: Sendable, Failure: Error
  >(
    _ operation: Operation, _ arguments: repeat each Argument,
    whenFailing effect: FailedCallEffect = .ofFault, timeout: Duration = .seconds(30),
    failure: @escaping @Sendable (Fault) -> Failure,
    call: nonisolated(nonsending) (Base) async throws(Failure) -> AsyncStream<Element>
  ) async throws(Failure) -> AsyncStream<Element> {
    AsyncStream(
      endingWhereItFails: try await interceptStream(
        operation, repeat each arguments, whenFailing: effect, timeout: timeout, failure: failure
      ) { base throws(Failure) in
        AsyncThrowingStream(neverFailing: try await call(base))
      })
  }
}

// MARK: - A fault in a stream

/// How a service realises a fault among the elements of a stream.
struct StreamRealisation<Failure: Error>: Sendable {
  private let time: Time
  private let timeout: Duration
  private let silence: Fault?
  private let failure: @Sendable (Fault) -> Failure

  init(
    _ time: Time, _ timeout: Duration, _ silence: Fault?, _ failure: @escaping @Sendable (Fault) -> Failure
  ) {
    self.time = time
    self.timeout = timeout
    self.silence = silence
    self.failure = failure
  }

  /// A stream whose call has returned already, given a fault.
  func opened<Element: Sendable>(
    _ stream: AsyncThrowingStream<Element, any Error>, given fault: Fault?
  ) throws -> AsyncThrowingStream<Element, any Error> {
    guard let fault else { return stream }
    if fault == .cancelled { throw CancellationError() }
    if let effect = fault.streamEffect { return realise(fault, effect, in: stream) }
    if case .passes = fault.reach { return stream }
    throw failure(fault)
  }

  /// A stream with a fault among its elements.
  func realise<Element: Sendable>(
    _ fault: Fault, _ effect: StreamEffect, in stream: AsyncThrowingStream<Element, any Error>
  ) -> AsyncThrowingStream<Element, any Error> {
    if effect == .splitCharacters { return stream }
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
    let faulty = FaultyStream(stream.pull, effect, realisation)
    return AsyncThrowingStream(unfolding: { try await faulty.next() })
  }
}

extension Fault {
  /// What the fault does to the elements of a service's stream, if anything.
  package var streamEffect: StreamEffect? {
    switch effect {
    case .stream(let effect): effect
    case .cut(_, .silence): .stall(after: 0)
    case .cut: .drop(after: 0)
    case .spoiled(.chunk), .spoiled(.gzip): .corrupt(1)
    default: nil
    }
  }
}

// MARK: - Conversions

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
  /// The next element.
  ///
  /// Iterators are not `Sendable`, but all those of one stream take from the same place.
  fileprivate var pull: @Sendable () async throws -> Element? {
    {
      var iterator = self.makeAsyncIterator()
      return try await iterator.next()
    }
  }

  /// A stream that is opened when its first element is requested.
  fileprivate init(opening open: @escaping @Sendable () async throws -> Self) {
    let opened = Locked<Self?>(nil)
    self.init(unfolding: {
      let stream: Self
      if let known = opened.withLock({ $0 }) {
        stream = known
      } else {
        stream = try await open()
        opened.withLock { $0 = stream }
      }
      return try await stream.pull()
    })
  }

  /// The same stream, whose faults are errors of the domain.
  fileprivate func mappingFaults(by failure: @escaping @Sendable (Fault) -> some Error) -> Self {
    let pull = pull
    return Self(unfolding: {
      do { return try await pull() } catch let fault as Fault { throw failure(fault) }
    })
  }

  /// A stream of the elements of one that cannot fail.
  fileprivate init(neverFailing stream: AsyncStream<Element>) {
    self.init(unfolding: {
      // Iterators are not `Sendable`, but all those of one stream take from the same place.
      var iterator = stream.makeAsyncIterator()
      return await iterator.next()
    })
  }

  /// A stream of the elements of any sequence.
  ///
  /// The sequence is read by a task of its own, which requests an element only when a reader of the stream does, and ends
  /// with it. ``Intercepted`` uses it for methods that return `some` or `any AsyncSequence`.
  public init<Elements: AsyncSequence & Sendable>(pulling elements: Elements)
  where Elements.Element == Element {
    let source = PulledSequence<Element>()
    source.read(elements)
    self.init(unfolding: { try await source.next() })
  }
}

extension AsyncStream where Element: Sendable {
  /// A stream that ends where another one fails.
  fileprivate init(endingWhereItFails stream: AsyncThrowingStream<Element, any Error>) {
    let hasEnded = Locked(false)
    self.init(unfolding: {
      if hasEnded.withLock({ $0 }) { return nil }
      do { return try await stream.pull() } catch {
        hasEnded.withLock { $0 = true }
        return nil
      }
    })
  }

  /// A stream of the elements of any sequence, up to its end or its failure.
  public init<Elements: AsyncSequence & Sendable>(pulling elements: Elements)
  where Elements.Element == Element {
    self.init(endingWhereItFails: AsyncThrowingStream<Element, any Error>(pulling: elements))
  }
}

/// Reads a sequence in one task, element by element as they are requested: an iterator stays in its task.
private final class PulledSequence<Element: Sendable>: Sendable {
  private enum Request: Sendable {
    case element(Signal<Result<Element?, any Error>>)
  }

  private let requests: AsyncStream<Request>
  private let sender: AsyncStream<Request>.Continuation
  private let task = Locked<Task<Void, Never>?>(nil)

  init() {
    (requests, sender) = AsyncStream.makeStream()
  }

  deinit {
    sender.finish()
    task.withLock { $0 }?.cancel()
  }

  func read<Elements: AsyncSequence & Sendable>(_ elements: Elements) where Elements.Element == Element {
    let requests = requests
    let reader = Task {
      var iterator = elements.makeAsyncIterator()
      for await case .element(let answer) in requests {
        do { answer.send(.success(try await iterator.next())) } catch { answer.send(.failure(error)) }
      }
    }
    task.withLock { $0 = reader }
  }

  func next() async throws -> Element? {
    let answer = Signal<Result<Element?, any Error>>()
    sender.yield(.element(answer))
    do {
      return try await answer.value().get()
    } catch is CancellationError where Task.isCancelled {
      task.withLock { $0 }?.cancel()
      // As a stream of the standard library, which ends where its reader is cancelled.
      return nil
    }
  }
}
