// Methods that return a stream. Each spelling is converted to one kind of stream, so that faults, logs, gates and
// sweeps treat them alike.

extension Intercepted {
  /// Makes a service call that returns a stream through the interceptors.
  ///
  /// The call passes the interceptors like any other, and may be given a fault of a call. It is logged as returned when
  /// the stream is available. A fault of a stream then applies to its elements. A fault that truncates an HTTP body
  /// applies before the first element. The stream is pulled: no element is requested before its reader requests it,
  /// except one more if a fault requires it. A reader that stops or is cancelled closes the base's stream.
  ///
  /// ```swift
  /// func answer(_ text: String) async throws(TodoError) -> AsyncThrowingStream<Chunk, any Error> {
  ///   try await interceptStream(.answer, text, failure: TodoError.init) { base, text throws(TodoError) in
  ///     try await base.answer(text)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - operation: The method's name in rules, logs and gates.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - effect: Whether a failing call still calls the base (default: as the fault defines).
  ///   - timeout: How long a stalled stream is silent, on the injected `Time`, before it fails.
  ///   - silence: The fault with which a stalled stream fails (default: a timeout). A connection with heartbeats is
  ///     lost: `dropStream(afterEvents:)`.
  ///   - failure: Converts a fault to an error of the domain, thrown by the call or by the stream. It also receives
  ///     ``Fault/cancelled``, when the task is cancelled while an interceptor holds the call or a fault stalls the
  ///     stream.
  ///   - call: Makes the call of the base with the arguments it receives, which are changed only by
  ///     `Contract.survivors(of:through:equivalents:seed:)`.
  /// - Returns: The base's stream, or one that fails.
  /// - Throws: The error of the call, or the result of `failure` for the fault; see
  ///   ``intercept(_:_:whenFailing:failure:call:)``.
  nonisolated(nonsending) public func interceptStream<
    each Argument: Sendable, Element: Sendable, Failure: Error
  >(
    _ operation: Operation, _ arguments: repeat each Argument,
    whenFailing effect: FailedCallEffect = .ofFault, timeout: Duration = .seconds(30),
    stallingAs silence: Fault? = nil, failure: @escaping @Sendable (Fault) -> Failure,
    call:
      nonisolated(nonsending) (Base, repeat each Argument) async throws(Failure)
      -> AsyncThrowingStream<Element, any Error>
  ) async throws(Failure) -> AsyncThrowingStream<Element, any Error> {
    let (passage, given) = enter(operation, repeat each arguments, stallingAs: silence)
    return try await stream(
      passage, effect, StreamRealisation(chain.time, timeout, silence, failure), failure
    ) { base throws(Failure) in
      try await call(base, repeat each given)
    }
  }

  /// Enters the call of a stream.
  ///
  /// - Returns: The passage, and the arguments that the base receives.
  private func enter<each Argument: Sendable>(
    _ operation: Operation, _ arguments: repeat each Argument, stallingAs silence: Fault? = nil
  ) -> (passage: InterceptorChain.Passage, given: (repeat each Argument)) {
    // A stream with heartbeats is a connection.
    let interaction: Fault.Interaction = silence == nil ? .stream : .webSocket
    let passage = chain.enter(
      CallCore(operation: operation.core, arguments: (repeat each arguments), interaction: interaction))
    return (passage, chain.given(passage.detour, repeat each arguments))
  }

  /// Takes the call of a stream through the interceptors.
  nonisolated(nonsending) func stream<Element: Sendable, Failure: Error>(
    _ passage: InterceptorChain.Passage, _ effect: FailedCallEffect,
    _ realisation: StreamRealisation<Failure>, _ failure: @escaping @Sendable (Fault) -> Failure,
    _ call: nonisolated(nonsending) (Base) async throws(Failure) -> AsyncThrowingStream<Element, any Error>
  ) async throws(Failure) -> AsyncThrowingStream<Element, any Error> {
    do throws(Failure) {
      let stream = try await chain.calling(passage) {
        () async throws(Failure) -> AsyncThrowingStream<Element, any Error> in
        if chain.isOpen, let detour = passage.detour {
          return try await openly(detour, effect, realisation, failure, call)
        }
        guard let fault = await chain.wait(passage.detour) else { return try await call(base) }
        guard let streamEffect = fault.streamEffect else {
          return try await meet(fault, effect, failure, call)
        }
        return realisation.realise(fault, streamEffect, in: try await call(base))
      }
      chain.end(passage)
      return chain.watched(stream, passage)
    } catch {
      chain.end(passage, error)
      throw error
    }
  }

  /// Makes a call through custom interceptors, and converts their errors to the error type of the method.
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

  /// Makes a call of a non-throwing service method that returns a throwing stream through the interceptors.
  ///
  /// It behaves as ``interceptStream(_:_:whenFailing:timeout:stallingAs:failure:call:)``, but returns a stream that
  /// fails at once instead of throwing an error.
  ///
  /// - Parameters:
  ///   - operation: The method's name in rules, logs and gates.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - timeout: How long a stalled stream is silent, on the injected `Time`, before it fails.
  ///   - silence: The fault with which a stalled stream fails (default: a timeout).
  ///   - streamFailure: Converts a fault to an error of the domain. A stream that is cancelled while an interceptor
  ///     holds the call throws `CancellationError`.
  ///   - call: Makes the call.
  /// - Returns: The base's stream, or one that fails.
  nonisolated(nonsending) public func interceptStream<each Argument: Sendable, Element: Sendable>(
    _ operation: Operation, _ arguments: repeat each Argument, timeout: Duration = .seconds(30),
    stallingAs silence: Fault? = nil, streamFailure: @escaping @Sendable (Fault) -> any Error,
    call:
      nonisolated(nonsending) (Base, repeat each Argument) async -> AsyncThrowingStream<Element, any Error>
  ) async -> AsyncThrowingStream<Element, any Error> {
    let (passage, given) = enter(operation, repeat each arguments, stallingAs: silence)
    do {
      return try await stream(
        passage, .ofFault, StreamRealisation(chain.time, timeout, silence, streamFailure), streamFailure
      ) { base throws(any Error) in
        await call(base, repeat each given)
      }
    } catch {
      return AsyncThrowingStream { $0.finish(throwing: error) }
    }
  }

  /// Makes a synchronous service call that returns a throwing stream through the interceptors.
  ///
  /// The call returns at once. An interceptor that holds the call holds the first element instead, and one that fails
  /// it fails the stream. The base is called at once, so that a subscription begins with the call. A fault before the
  /// base prevents this, unless an interceptor holds the call first.
  ///
  /// - Parameters:
  ///   - operation: The method's name in rules, logs and gates.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - timeout: How long a stalled stream is silent, on the injected `Time`, before it fails.
  ///   - silence: The fault with which a stalled stream fails (default: a timeout).
  ///   - streamFailure: Converts a fault to an error of the domain. A stream that is cancelled while an interceptor
  ///     holds it throws `CancellationError`.
  ///   - call: Makes the call.
  /// - Returns: The base's stream, or one that fails.
  public func interceptStream<each Argument: Sendable, Element: Sendable>(
    _ operation: Operation, _ arguments: repeat each Argument, timeout: Duration = .seconds(30),
    stallingAs silence: Fault? = nil, streamFailure: @escaping @Sendable (Fault) -> any Error,
    call: (Base, repeat each Argument) -> AsyncThrowingStream<Element, any Error>
  ) -> AsyncThrowingStream<Element, any Error> {
    let (passage, given) = enter(operation, repeat each arguments, stallingAs: silence)
    return stream(passage, StreamRealisation(chain.time, timeout, silence, streamFailure), streamFailure) {
      call($0, repeat each given)
    }
  }

  private func stream<Element: Sendable>(
    _ passage: InterceptorChain.Passage, _ realisation: StreamRealisation<any Error>,
    _ streamFailure: @escaping @Sendable (Fault) -> any Error,
    _ call: (Base) -> AsyncThrowingStream<Element, any Error>
  ) -> AsyncThrowingStream<Element, any Error> {
    guard let detour = passage.detour else {
      chain.end(passage)
      return call(base)
    }
    // The fault of a call takes effect where the stream is read, too.
    detour.immediateFault?.token?.note(.stream)
    if let fault = detour.immediateFault, !fault.reachesBase {
      let error: any Error = fault == .cancelled ? CancellationError() : streamFailure(fault.untraced)
      chain.end(passage, error)
      return AsyncThrowingStream(unfolding: {
        fault.noteEffect()
        throw error
      })
    }
    let stream = call(base)
    chain.end(passage)
    if detour.isForward { return chain.watched(stream, passage) }
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

  /// Makes a synchronous service call that returns a non-throwing stream through the interceptors.
  ///
  /// A fault cannot be converted to an error. Where another stream would fail, this one ends, and a scenario's run
  /// counts the failure.
  ///
  /// - Parameters:
  ///   - operation: The method's name in rules, logs and gates.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - timeout: How long a stalled stream is silent, on the injected `Time`, before it ends.
  ///   - call: Makes the call.
  /// - Returns: The base's stream, or one that ends early.
  public func interceptStream<each Argument: Sendable, Element: Sendable>(
    _ operation: Operation, _ arguments: repeat each Argument, timeout: Duration = .seconds(30),
    call: (Base, repeat each Argument) -> AsyncStream<Element>
  ) -> AsyncStream<Element> {
    let (passage, given) = enter(operation, repeat each arguments)
    return AsyncStream(
      endingWhereItFails: stream(passage, StreamRealisation(chain.time, timeout, nil, { $0 }), { $0 }) {
        AsyncThrowingStream(neverFailing: call($0, repeat each given))
      })
  }

  /// Makes an asynchronous service call that returns a non-throwing stream through the interceptors.
  ///
  /// A fault cannot be converted to an error. Where another stream would fail, this one ends, and a scenario's run
  /// counts the failure.
  ///
  /// - Parameters:
  ///   - operation: The method's name in rules, logs and gates.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - timeout: How long a stalled stream is silent, on the injected `Time`, before it ends.
  ///   - call: Makes the call.
  /// - Returns: The base's stream, or one that ends early.
  nonisolated(nonsending) public func interceptStream<each Argument: Sendable, Element: Sendable>(
    _ operation: Operation, _ arguments: repeat each Argument, timeout: Duration = .seconds(30),
    call: nonisolated(nonsending) (Base, repeat each Argument) async -> AsyncStream<Element>
  ) async -> AsyncStream<Element> {
    let (passage, given) = enter(operation, repeat each arguments)
    do {
      return AsyncStream(
        endingWhereItFails: try await stream(
          passage, .ofFault, StreamRealisation(chain.time, timeout, nil, { $0 }), { $0 }
        ) { base throws(any Error) in
          AsyncThrowingStream(neverFailing: await call(base, repeat each given))
        })
    } catch {
      return AsyncStream { $0.finish() }
    }
  }

  /// Makes a throwing service call that returns a non-throwing stream through the interceptors.
  ///
  /// A fault of a call is thrown. A fault of a stream ends the stream, and a scenario's run counts the failure.
  ///
  /// - Parameters:
  ///   - operation: The method's name in rules, logs and gates.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - effect: Whether a failing call still calls the base (default: as the fault defines).
  ///   - timeout: How long a stalled stream is silent, on the injected `Time`, before it ends.
  ///   - failure: Converts a fault to an error of the domain.
  ///   - call: Makes the call.
  /// - Returns: The base's stream, or one that ends early.
  /// - Throws: The error of the call, or the result of `failure` for the fault.
  nonisolated(nonsending) public func interceptStream<
    each Argument: Sendable, Element: Sendable, Failure: Error
  >(
    _ operation: Operation, _ arguments: repeat each Argument,
    whenFailing effect: FailedCallEffect = .ofFault, timeout: Duration = .seconds(30),
    failure: @escaping @Sendable (Fault) -> Failure,
    call: nonisolated(nonsending) (Base, repeat each Argument) async throws(Failure) -> AsyncStream<Element>
  ) async throws(Failure) -> AsyncStream<Element> {
    let (passage, given) = enter(operation, repeat each arguments)
    return AsyncStream(
      endingWhereItFails: try await stream(
        passage, effect, StreamRealisation(chain.time, timeout, nil, failure), failure
      ) { base throws(Failure) in
        AsyncThrowingStream(neverFailing: try await call(base, repeat each given))
      })
  }
}

// MARK: - Stream faults

/// Applies a fault to the elements of a service's stream.
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

  /// Applies a fault to a stream whose call has already returned.
  func opened<Element: Sendable>(
    _ stream: AsyncThrowingStream<Element, any Error>, given fault: Fault?
  ) throws -> AsyncThrowingStream<Element, any Error> {
    guard let fault else { return stream }
    if let effect = fault.streamEffect { return realise(fault, effect, in: stream) }
    if case .passes = fault.reach {
      if let obstacle = fault.obstacleAtService { fault.noteObstacle(obstacle) }
      return stream
    }
    fault.noteEffect()
    if fault == .cancelled { throw CancellationError() }
    throw failure(fault.untraced)
  }

  /// A stream with a fault among its elements.
  func realise<Element: Sendable>(
    _ fault: Fault, _ effect: StreamEffect, in stream: AsyncThrowingStream<Element, any Error>
  ) -> AsyncThrowingStream<Element, any Error> {
    if effect == .splitCharacters {
      if let obstacle = fault.obstacleAtService { fault.noteObstacle(obstacle) }
      return stream
    }
    let token = fault.token
    let fault = fault.untraced
    let realisation = FaultyStream<Element>.Realisation(
      isEvent: { _ in true },
      cut: {
        if case .stall = effect {
          // Nothing is learnt by waiting for a real timeout, and a test that does so passes minutes later.
          if time.isSystem, let reporter = TestIssue.currentReporter {
            reporter.record(
              """
              \(fault) would wait for \(timeout) of real time: the Intercepted has the system's clock.
              Inject a clock, for instance Intercepted(base, by: …, time: TestClock(.immediate).time).
              """, at: nil)
            throw failure(silence ?? fault)
          }
          do { try await time.sleep(for: timeout) } catch {
            // The cast succeeds only if `Failure` is `any Error` or `CancellationError`.
            if let cancellation = CancellationError() as? Failure { throw cancellation }
            throw failure(.cancelled)
          }
          // A fault that silently truncates an HTTP answer applies before the stream, and is a timeout.
          if case .stream = fault.effect { throw failure(silence ?? fault) }
        }
        throw failure(fault)
      },
      corrupted: { _ in throw failure(fault) },
      unterminated: { _ in throw failure(fault) })
    let faulty = FaultyStream(stream.pull, effect, of: token, realisation)
    return AsyncThrowingStream(unfolding: { try await faulty.next() })
  }
}

extension Fault {
  /// The effect of the fault on the elements of a service's stream, if any.
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
  /// Iterators are not `Sendable`, but all iterators of a stream share its buffer.
  var pull: @Sendable () async throws -> Element? {
    {
      var iterator = self.makeAsyncIterator()
      return try await iterator.next()
    }
  }

  /// Creates a stream that is opened when its first element is requested.
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

  /// The same stream with faults converted to errors of the domain.
  fileprivate func mappingFaults(by failure: @escaping @Sendable (Fault) -> some Error) -> Self {
    let pull = pull
    return Self(unfolding: {
      do { return try await pull() } catch let fault as Fault { throw failure(fault) }
    })
  }

  /// Creates a stream of the elements of a non-throwing stream.
  fileprivate init(neverFailing stream: AsyncStream<Element>) {
    self.init(unfolding: {
      // Iterators are not `Sendable`, but all iterators of a stream share its buffer.
      var iterator = stream.makeAsyncIterator()
      return await iterator.next()
    })
  }

  /// Creates a stream of the elements of a sequence.
  ///
  /// The sequence is read by a separate task, which requests an element only when a reader of the stream does, and ends
  /// with the stream. ``Intercepted`` uses it for methods that return `some` or `any AsyncSequence`.
  public init<Elements: AsyncSequence>(pulling elements: sending Elements)
  where Elements.Element == Element {
    let source = PulledSequence<Element>()
    source.read(elements)
    self.init(unfolding: { try await source.next() })
  }
}

extension AsyncStream where Element: Sendable {
  /// Creates a stream that ends where a throwing stream fails.
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

  /// Creates a stream of the elements of a sequence, up to its end or its failure.
  public init<Elements: AsyncSequence>(pulling elements: sending Elements)
  where Elements.Element == Element {
    self.init(endingWhereItFails: AsyncThrowingStream<Element, any Error>(pulling: elements))
  }
}

/// Reads a sequence in a single task, one element per request, because an iterator must stay in its task.
private final class PulledSequence<Element: Sendable>: Sendable {
  /// A request for one element, which is answered by the signal.
  private typealias Request = Signal<Result<Element?, any Error>>

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

  func read<Elements: AsyncSequence>(_ elements: sending Elements) where Elements.Element == Element {
    let requests = requests
    var iterator = elements.makeAsyncIterator()
    // Handing it over is safe, because only the task calls it, and nothing else has the iterator or the sequence.
    let next = Handed { () async throws -> Element? in try await iterator.next() }
    let reader = Task {
      for await answer in requests {
        do { answer.send(.success(try await next.value())) } catch { answer.send(.failure(error)) }
      }
    }
    task.withLock { $0 = reader }
  }

  func next() async throws -> Element? {
    let answer = Request()
    sender.yield(answer)
    do {
      return try await answer.value().get()
    } catch is CancellationError where Task.isCancelled {
      task.withLock { $0 }?.cancel()
      // Like a stream of the standard library, which ends where its reader is cancelled.
      return nil
    }
  }
}
