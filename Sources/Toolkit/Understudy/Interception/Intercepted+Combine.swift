#if canImport(Combine)
  public import Combine

  extension Intercepted {
    /// Makes a service call that returns a publisher through the interceptors.
    ///
    /// Each subscription is a call, and calls the method of the base. Where no interceptor concerns it, events go straight to
    /// the subscriber. Otherwise a task passes them on: on the main queue if the subscription begins there, or else on
    /// another thread. ``Interceptor/callbacks(on:)`` chooses another queue.
    ///
    /// - A fault of a call ends the subscription with a failure. One before the base does not call the method, unless an
    ///   interceptor holds the subscription first.
    /// - A fault of a stream applies to the values.
    /// - A gate or a latency holds the first event, and not the subscription of the base.
    /// - In a scenario's run, the call ends at the first event. A publisher that ends after at most one value is treated as
    ///   a call, and any other as a stream.
    ///
    /// ```swift
    /// func items() -> AnyPublisher<[Item], ShopError> {
    ///   interceptPublisher(.items, failure: { ShopError($0) }) { base in base.items() }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - operation: The method's name in rules, logs and gates.
    ///   - arguments: The method's arguments, for logs and conditions.
    ///   - effect: Whether a failing call still calls the base (default: as the fault defines).
    ///   - timeout: How long a stalled publisher is silent, on the injected `Time`, before it fails.
    ///   - silence: The fault with which a stalled publisher fails (default: a timeout).
    ///   - failure: Converts a fault to the error of the publisher.
    ///   - call: Makes the call of the base with the arguments it receives, which are changed only by
    ///     `Contract.survivors(of:through:equivalents:seed:)`.
    /// - Returns: A publisher of the base's events.
    public func interceptPublisher<each Argument: Sendable, Events: Publisher & SendableMetatype>(
      _ operation: Operation, _ arguments: repeat each Argument,
      whenFailing effect: FailedCallEffect = .ofFault, timeout: Duration = .seconds(30),
      stallingAs silence: Fault? = nil, failure: @escaping @Sendable (Fault) -> Events.Failure,
      call: @escaping @Sendable (Base, repeat each Argument) -> Events
    ) -> AnyPublisher<Events.Output, Events.Failure> {
      InterceptedPublisher { receive in
        self.subscribe(
          operation, repeat each arguments, whenFailing: effect, timeout: timeout, stallingAs: silence,
          failure: failure, call: call, source: { $0.events }, receive: receive)
      }.eraseToAnyPublisher()
    }

    /// Makes a service call that returns a publisher without failures through the interceptors.
    ///
    /// It behaves as ``interceptPublisher(_:_:whenFailing:timeout:stallingAs:failure:call:)``, but where another publisher
    /// would fail, this one ends, and a scenario's run counts the failure. A publisher of one value only waits.
    ///
    /// - Parameters:
    ///   - operation: The method's name in rules, logs and gates.
    ///   - arguments: The method's arguments, for logs and conditions.
    ///   - timeout: How long a stalled publisher is silent, on the injected `Time`, before it ends.
    ///   - call: Makes the call of the base.
    /// - Returns: A publisher of the base's events.
    public func interceptPublisher<each Argument: Sendable, Events: Publisher & SendableMetatype>(
      _ operation: Operation, _ arguments: repeat each Argument, timeout: Duration = .seconds(30),
      call: @escaping @Sendable (Base, repeat each Argument) -> Events
    ) -> AnyPublisher<Events.Output, Never> where Events.Failure == Never {
      InterceptedPublisher { receive in
        self.subscribe(
          operation, repeat each arguments, timeout: timeout, failure: nil, call: call, source: { $0.events },
          receive: receive)
      }.eraseToAnyPublisher()
    }
  }

  extension Publisher {
    /// The events of a subscription.
    fileprivate var events: EventSource<Output, Failure> {
      { receive in
        let subscription = self.sink(
          receiveCompletion: { completion in
            switch completion {
            case .finished: receive(.end(nil))
            case .failure(let error): receive(.end(error))
            }
          }, receiveValue: { receive(.value($0)) })
        // Handing it over is safe, because a subscription may be cancelled on any thread.
        let handed = Handed(value: subscription)
        return { handed.value.cancel() }
      }
    }
  }

  private struct InterceptedPublisher<Output, Failure: Error>: Publisher {
    let subscribe:
      @Sendable (@escaping @Sendable (PublishedEvent<Output, Failure>) -> Void) -> @Sendable () -> Void

    func receive<Receiver: Subscriber>(subscriber: Receiver)
    where Receiver.Input == Output, Receiver.Failure == Failure {
      // Handing it over is safe, because it receives one event after another.
      let receive = Handed { (event: PublishedEvent<Output, Failure>) -> Int in
        switch event {
        case .value(let value): return subscriber.receive(value).count
        case .end(let error):
          subscriber.receive(completion: error.map { .failure($0) } ?? .finished)
          return 0
        }
      }
      let events = DemandedEvents<Output, Failure>(subscribe) { receive.value($0) }
      subscriber.receive(subscription: InterceptedSubscription(events))
    }
  }

  private final class InterceptedSubscription<Output, Failure: Error>: Subscription {
    private let events: DemandedEvents<Output, Failure>

    init(_ events: DemandedEvents<Output, Failure>) { self.events = events }

    func request(_ demand: Subscribers.Demand) { events.request(demand.count) }

    func cancel() { events.cancel() }
  }

  extension Subscribers.Demand {
    /// The number of values; `Int.max` for all.
    fileprivate var count: Int { max ?? .max }
  }
#endif
