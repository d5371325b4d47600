// Methods that return a publisher, in terms of functions, so that it runs where Combine is missing.
// `Intercepted+Combine.swift` has the types of Combine.

import Dispatch

/// What a publisher sends to a subscriber.
enum PublishedEvent<Output, Failure: Error> {
  case value(Output)
  /// The end, with an error or without.
  case end(Failure?)
}

/// Subscribes to a publisher, and returns what cancels the subscription.
typealias EventSource<Output, Failure: Error> = (
  _ receive: @escaping @Sendable (PublishedEvent<Output, Failure>) -> Void
) -> @Sendable () -> Void

extension Intercepted {
  /// Subscribes to a publisher of the base through the interceptors.
  ///
  /// Each subscription is a call, up to its first event. Where no interceptor concerns it, the base's events go straight
  /// to the subscriber. Otherwise a task passes them on, as a stream, on the main queue if the subscription begins there.
  ///
  /// - Parameters:
  ///   - failure: Converts a fault to the error of the publisher; `nil` if it cannot fail, so that it ends early.
  ///   - call: Calls the base's method, which returns a publisher.
  ///   - source: Subscribes to it.
  ///   - receive: Takes the events, one after another.
  /// - Returns: What cancels the subscription.
  func subscribe<each Argument: Sendable, Publisher, Output, Failure: Error>(
    _ operation: Operation, _ arguments: repeat each Argument,
    whenFailing effect: FailedCallEffect = .ofFault,
    timeout: Duration = .seconds(30), stallingAs silence: Fault? = nil,
    failure: (@Sendable (Fault) -> Failure)?,
    call: @escaping @Sendable (Base, repeat each Argument) -> Publisher,
    source: @escaping @Sendable (Publisher) -> EventSource<Output, Failure>,
    receive: @escaping @Sendable (PublishedEvent<Output, Failure>) -> Void
  ) -> @Sendable () -> Void {
    let passage = chain.enter(
      CallCore(
        operation: operation.core, arguments: (repeat each arguments),
        interaction: silence == nil ? .stream : .webSocket,
        form: failure == nil ? .unfailingPublisher : .publisher))
    let given = chain.given(passage.detour, repeat each arguments)
    let queue = chain.callbackQueue
    guard let detour = passage.detour, !detour.isLoggedOnly else {
      let isLogged = Locked(false)
      let log = { @Sendable [chain] (error: (any Error)?) in
        let isFirst = isLogged.withLock { isLogged in
          defer { isLogged = true }
          return !isLogged
        }
        guard isFirst else { return }
        if let error { chain.end(passage, error) } else { chain.end(passage) }
      }
      let cancel = source(call(base, repeat each given))({ event in
        if case .end(let error) = event { log(error) } else { log(nil) }
        guard let queue else { return receive(event) }
        let event = Handed(value: event)
        queue.async { receive(event.value) }
      })
      return {
        cancel()
        log(CancellationError())
      }
    }
    // Whatever the caller does next reaches the subscription: what holds the call holds its first event instead.
    let isFirst = detour.immediateFault?.callsBase(effect) != false
    let first = Locked(
      isFirst ? chain.calling(passage) { BaseSubscription(to: source(call(base, repeat each given))) } : nil)
    let made = { @Sendable () -> BaseSubscription<Output, Failure> in
      first.take() ?? BaseSubscription(to: source(call(self.base, repeat each given)))
    }
    let anyFailure: @Sendable (Fault) -> any Error = { fault in
      if let failure { failure(fault) } else { fault }
    }
    let realisation = StreamRealisation(chain.time, timeout, silence, anyFailure)
    let isCancelled = Locked(false)
    let task = Self.start(onMainActor: MainQueue.isCurrent, of: chain.outerAction(of: detour)) {
      [chain] (_: isolated (any Actor)?) in
      chain.continues(detour)
      var end: Failure?
      do {
        let events = try await self.stream(passage, effect, realisation, anyFailure) {
          _ async throws(any Error) in
          let subscription = made()
          try await chain.waitForEvent(of: detour, subscription.first)
          return subscription.events
        }
        var iterator = events.makeAsyncIterator()
        while let event = try await iterator.next() {
          if isCancelled.withLock(\.self) { return }
          await Self.call(on: queue) { receive(.value(event.value)) }
        }
      } catch {
        end = failure.map { Self.error(error, $0) }
      }
      if isCancelled.withLock(\.self) { return }
      let last = end
      await Self.call(on: queue) { receive(.end(last)) }
    }
    return {
      isCancelled.withLock { $0 = true }
      task.cancel()
    }
  }
}

/// A subscription to a publisher of the base, whose events are kept until they are read.
private final class BaseSubscription<Output, Failure: Error>: Sendable {
  let events: AsyncThrowingStream<Handed<Output>, any Error>
  /// Sent at the first event, with the error if it is a failure.
  let first = Signal<Failure?>()

  init(to source: EventSource<Output, Failure>) {
    let (events, continuation) = AsyncThrowingStream<Handed<Output>, any Error>.makeStream()
    self.events = events
    let cancel = source { [first] event in
      switch event {
      case .value(let value):
        continuation.yield(Handed(value: value))
        first.send(nil)
      case .end(let error):
        continuation.finish(throwing: error)
        first.send(error)
      }
    }
    continuation.onTermination = { _ in cancel() }
  }
}

/// Passes events on as a subscriber requests them.
///
/// Events arrive one after another, and are received one after another; a subscriber may request more while it receives
/// one.
final class DemandedEvents<Output, Failure: Error>: Sendable {
  private struct State: Sendable {
    /// The number of values that are still requested.
    var demand = 0
    var events: [Handed<PublishedEvent<Output, Failure>>] = []
    var hasBegun = false
    var isDelivering = false
    var isOver = false
    var cancel: (@Sendable () -> Void)?

    mutating func request(_ count: Int) {
      let (sum, overflows) = demand.addingReportingOverflow(count)
      demand = overflows ? .max : sum
    }
  }

  private let state = Locked(State())
  private let subscribe:
    @Sendable (@escaping @Sendable (PublishedEvent<Output, Failure>) -> Void) -> @Sendable () -> Void
  private let receive: @Sendable (PublishedEvent<Output, Failure>) -> Int

  /// - Parameters:
  ///   - subscribe: Begins a subscription, at the first request.
  ///   - receive: Takes an event, and returns how many more values are requested; `Int.max` for all.
  init(
    _ subscribe:
      @escaping @Sendable (@escaping @Sendable (PublishedEvent<Output, Failure>) -> Void)
      -> @Sendable () -> Void, receive: @escaping @Sendable (PublishedEvent<Output, Failure>) -> Int
  ) {
    self.subscribe = subscribe
    self.receive = receive
  }

  /// Requests values; `Int.max` for all.
  func request(_ count: Int) {
    let begins = state.withLock { state in
      state.request(count)
      defer { state.hasBegun = state.hasBegun || state.demand > 0 }
      return !state.hasBegun && !state.isOver && state.demand > 0
    }
    if begins { begin() }
    deliver()
  }

  private func begin() {
    let cancel = subscribe { self.take($0) }
    let isOver = state.withLock { state in
      if !state.isOver { state.cancel = cancel }
      return state.isOver
    }
    if isOver { cancel() }
  }

  /// Ends the subscription: nothing is received from then on.
  func cancel() {
    let cancel = state.withLock { state in
      defer { (state.events, state.cancel, state.isOver) = ([], nil, true) }
      return state.cancel
    }
    cancel?()
  }

  private func take(_ event: PublishedEvent<Output, Failure>) {
    let event = Handed(value: event)
    state.withLock { if !$0.isOver { $0.events.append(event) } }
    deliver()
  }

  private func deliver() {
    while let next = next() {
      let count = receive(next.value)
      state.withLock { state in
        state.request(count)
        state.isDelivering = false
      }
    }
  }

  /// The event that may be delivered now; others wait until it has been received.
  private func next() -> Handed<PublishedEvent<Output, Failure>>? {
    state.withLock { state in
      guard !state.isDelivering, let next = state.events.first else { return nil }
      switch next.value {
      case .value where state.demand == 0: return nil
      case .value: if state.demand != .max { state.demand -= 1 }
      case .end: (state.isOver, state.cancel) = (true, nil)
      }
      state.events.removeFirst()
      state.isDelivering = true
      return next
    }
  }
}
