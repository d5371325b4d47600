
/// What a trial puts before a service, a transport or a handler, and the conditions that it brings about there.
///
/// ```swift
/// let injector = Injector<InMemoryTodoService>(time: time)
/// return Stage(injector.intercept(InMemoryTodoService()), provisions: injector.failures)
/// ```
public struct Injector<Base: Sendable>: Sendable {
  private let plan = FaultPlan<Base>()
  private let gate = Gate<Base>()
  private let time: Time
  /// What failures are injected into.
  public let operations: [Intercepted<Base>.Operation]

  /// An injector for the calls of these operations: those that ask a server.
  ///
  /// - Parameters:
  ///   - time: What silence passes on.
  ///   - operations: All unless said otherwise.
  public init(time: ManualTime, into operations: [Intercepted<Base>.Operation] = [.any]) {
    self.time = time.time
    self.operations = operations
    gate.open()
  }

  /// Puts it before a base.
  ///
  /// - Parameters:
  ///   - base: What does the work.
  ///   - log: Where every call is written down.
  public func intercept(_ base: Base, loggedIn log: CallLog<Base>? = nil) -> Intercepted<Base> {
    Intercepted(base, by: (log.map { [.log($0)] } ?? []) + interceptors, time: time)
  }

  /// What it puts before a base.
  public var interceptors: [Interceptor<Base>] { [.faults(plan), .gate(gate)] }

  /// A condition in which every call meets a fault.
  public func provision(_ condition: Condition<Void>, _ fault: Fault) -> Provision {
    provision(condition, operations.map { .on($0, fault) }) {}
  }

  /// A condition in which calls meet faults, with what comes with it.
  public func provision<Fixture: Sendable>(
    _ condition: Condition<Fixture>, _ rules: [FaultPlan<Base>.Rule],
    _ fixture: @escaping @Sendable () async throws -> Fixture
  ) -> Provision {
    // A condition may be asked for again while it holds; each end takes what one beginning added.
    let active = Locked<[[FaultPlan<Base>.RuleID]]>([])
    return .bringing(
      about: condition,
      endingWith: { [plan] in
        for id in active.withLock({ $0.popLast() }) ?? [] { plan.remove(id) }
      },
      by: { [plan] in
        let value = try await fixture()
        let added = rules.map { plan.add($0) }
        active.withLock { $0.append(added) }
        return value
      })
  }

  /// Everything that an injector can bring about by itself.
  public var failures: [Provision] {
    failuresOnTheWay + [provision(.serverFails, .serverError), tooManyRequests, callsAreHeld]
  }

  /// What happens on the way to every server.
  public var failuresOnTheWay: [Provision] {
    [
      provision(.doesNotAnswer, .timeout),
      provision(.offline, .offline),
      provision(.connectionBreaks, .connectionReset),
      provision(.answerIsLost, .emptyReply),
      provision(.answerIsUnreadable, .malformedJSON),
    ]
  }

  /// Too many requests, with the delay that the answer names.
  public var tooManyRequests: Provision {
    let delay = Duration.seconds(30)
    return provision(.tooManyRequests, operations.map { .on($0, .rateLimited(retryAfter: delay)) }) { delay }
  }

  /// Calls wait before the base until the clause lets them go.
  public var callsAreHeld: Provision {
    .bringing(
      about: .callsAreHeld, endingWith: { [gate] in gate.open() },
      by: { [gate] in
        gate.close()
        let arrived = Locked(0)
        return HeldCalls(
          arrival: { count in
            while arrived.withLock({ $0 }) < count, (try? await gate.next()) != nil {
              arrived.withLock { $0 += 1 }
            }
          }, release: { gate.open() })
      })
  }
}
