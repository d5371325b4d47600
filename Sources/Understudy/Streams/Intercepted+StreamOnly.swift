import UnderstudyPrimitives
import UnderstudyTransport

// Methods that cannot throw and return a stream that can: a call that fails does so in its stream.

extension Intercepted {
  /// Makes a call of a service that cannot fail, and whose stream can, through the interceptors.
  ///
  /// It is as ``interceptStream(_:_:whenFailing:timeout:stallingAs:failure:call:)``, but where that throws, this returns
  /// a stream that fails at once.
  ///
  /// - Parameters:
  ///   - operation: What the method is called in rules, logs and gates.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - timeout: How long a stalled stream is silent, on the injected `Time`, before it fails.
  ///   - silence: The fault that a stalled stream fails with, where it is not a time-out.
  ///   - streamFailure: The error of the domain that a fault becomes. A stream that is cancelled while an interceptor
  ///     holds the call throws `CancellationError`.
  ///   - call: Makes the call.
  /// - Returns: The base's stream, or one that goes wrong.
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
  /// A fault that keeps a call from the base does so here too, unless something holds the call before: the base has been
  /// asked by then, so that a subscription begins with the call.
  ///
  /// - Parameters:
  ///   - operation: What the method is called in rules, logs and gates.
  ///   - arguments: The method's arguments, for logs and conditions.
  ///   - timeout: How long a stalled stream is silent, on the injected `Time`, before it fails.
  ///   - silence: The fault that a stalled stream fails with, where it is not a time-out.
  ///   - streamFailure: The error of the domain that a fault becomes. A stream that is cancelled while an interceptor
  ///     holds it throws `CancellationError`.
  ///   - call: Makes the call.
  /// - Returns: The base's stream, or one that goes wrong.
  public func interceptStream<each Argument: Sendable, Element: Sendable>(
    _ operation: Operation, _ arguments: repeat each Argument, timeout: Duration = .seconds(30),
    stallingAs silence: Fault? = nil, streamFailure: @escaping @Sendable (Fault) -> any Error,
    call: (Base) -> AsyncThrowingStream<Element, any Error>
  ) -> AsyncThrowingStream<Element, any Error> {
    let passage = chain.enter(CallCore(site: operation.site, arguments: (repeat each arguments)))
    defer { chain.end(passage) }
    guard let detour = passage.detour else { return call(base) }
    if case .fault(let fault) = detour.verdict, !fault.reachesBase {
      let error = fault == .cancelled ? CancellationError() : streamFailure(fault)
      return AsyncThrowingStream { $0.finish(throwing: error) }
    }
    let stream = call(base)
    if case .forward = detour.verdict { return stream }
    let chain = chain
    return AsyncThrowingStream(
      opening: {
        guard let fault = await chain.wait(detour) else { return stream }
        if fault == .cancelled { throw CancellationError() }
        if let effect = fault.streamEffect {
          return self.meeting(fault, effect, timeout, silence, streamFailure, stream)
        }
        if case .passes = fault.reach { return stream }
        throw streamFailure(fault)
      })
  }
}

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
  /// A stream that is asked for when its first element is.
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
      // Iterators are not `Sendable`, but all those of one stream take from the same place.
      var iterator = stream.makeAsyncIterator()
      return try await iterator.next()
    })
  }
}
