import Foundation

/// What one trial of a clause runs in: its time, its seed, and the conditions that can be brought about in it.
///
/// An implementation is made in it, and says in one line each how it brings conditions about:
///
/// ```swift
/// static var inMemory: Self {
///   .double("in-memory", InMemoryTodoService()) { todos, trial in
///     trial.on(.nameIsTaken) { try await todos.base.add("Taken").title }
///     trial.on(.sessionExpired, failing: todos, with: .unauthorized)
///     return todos
///   }
/// }
/// ```
///
/// Of two lines for the same condition the later one counts. A clause that asks for a condition without a line is
/// skipped, and the report says so.
public final class TrialEnvironment: Sendable {
  /// The name of the contract.
  public let contract: String
  /// The identifier of the clause.
  public let clause: String
  /// What everything random in the trial comes from; another one for each clause.
  public let seed: UInt64
  /// The clock that the trial runs on: a wait passes at once.
  public let clock: TestClock

  private struct State: Sendable {
    var handlers: [String: ConditionHandler] = [:]
    var endings: [@Sendable (Outcome) async throws -> Void] = []
    /// The plan and the gate of each base, by the identity of its `Intercepted`.
    var injections: [ObjectIdentifier: any Sendable] = [:]
  }

  private let state = Locked(State())
  /// Keeps fixtures, or has kept them; `nil` where a trial is neither recorded nor replayed.
  package let fixtures: (any FixtureStore)?

  package init(
    contract: String, clause: String, seed: UInt64, clock: TestClock = TestClock(.immediate),
    fixtures: (any FixtureStore)? = nil
  ) {
    self.contract = contract
    self.clause = clause
    self.seed = seed
    self.clock = clock
    self.fixtures = fixtures
  }

  /// The date and the clock, to inject.
  public var time: Time { clock.time }

  // MARK: - Conditions

  /// Brings a condition about.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - end: Undoes it, for a clause that wants it for a while only.
  ///   - begin: Makes the condition hold, and returns what a clause has to know of it.
  public func on<Fixture: Sendable>(
    _ condition: Condition<Fixture>, until end: @escaping @Sendable () async -> Void = {},
    _ begin: @escaping @Sendable () async throws -> Fixture
  ) {
    handle(condition, .begin { (try await begin(), end) })
  }

  /// Makes calls of a base fail while a condition holds.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - base: What ``intercept(_:by:loggedIn:)`` returned.
  ///   - operation: Which calls fail (default: all).
  ///   - fault: What the calls fail with.
  public func on<Base: Sendable>(
    _ condition: Condition<Void>, failing base: Intercepted<Base>,
    at operation: Intercepted<Base>.Operation = .any, with fault: Fault
  ) {
    on(condition, failing: base, [.on(operation, fault)]) {}
  }

  /// Makes calls of a base fail while a condition holds.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - base: What ``intercept(_:by:loggedIn:)`` returned.
  ///   - rules: Which calls fail, and with what.
  ///   - fixture: What a clause has to know of the condition.
  public func on<Base: Sendable, Fixture: Sendable>(
    _ condition: Condition<Fixture>, failing base: Intercepted<Base>, _ rules: [FaultPlan<Base>.Rule],
    _ fixture: @escaping @Sendable () async throws -> Fixture
  ) {
    let plan = injection(of: base).plan
    handle(
      condition,
      .begin {
        // A condition may be asked for again while it holds; each end removes what its own beginning added.
        let value = try await fixture()
        let added = rules.map { plan.add($0) }
        return (value, { for id in added { plan.remove(id) } })
      })
  }

  /// Says why a condition cannot be brought about; clauses that ask for it are skipped with the reason.
  ///
  /// - Parameter reason: Such as `a recording has no server whose sessions could be counted`.
  public func unavailable<Fixture: Sendable>(_ condition: Condition<Fixture>, because reason: String) {
    handle(condition, .unavailable(reason))
  }

  private func handle<Fixture: Sendable>(_ condition: Condition<Fixture>, _ handler: ConditionHandler) {
    state.withLock { $0.handlers[condition.name] = handler }
  }

  // MARK: - Calls

  /// Puts interceptors before a base, so that conditions can make its calls fail or hold them.
  ///
  /// - Parameters:
  ///   - base: A service, a transport or a handler.
  ///   - others: Further interceptors, which come after those of the conditions.
  ///   - log: Logs every call.
  public func intercept<Base: Sendable>(
    _ base: Base, by others: [Interceptor<Base>] = [], loggedIn log: CallLog<Base>? = nil
  ) -> Intercepted<Base> {
    let injection = Injection<Base>(FaultPlan(), Gate(), others)
    injection.gate.open()
    let intercepted = Intercepted(
      base, by: (log.map { [.log($0)] } ?? []) + injection.interceptors, time: time)
    state.withLock { $0.injections[ObjectIdentifier(intercepted)] = injection }
    return intercepted
  }

  /// The interceptors of a base, for a server that puts them before it itself.
  ///
  /// - Returns: What conditions refer to the base by, and its interceptors.
  package func interceptors<Base: Sendable>(
    before base: Base, by others: [Interceptor<Base>] = []
  ) -> (intercepted: Intercepted<Base>, interceptors: [Interceptor<Base>]) {
    let intercepted = intercept(base, by: others)
    return (intercepted, injection(of: intercepted).interceptors)
  }

  /// Brings about the conditions of every service that asks a server: network failures, ``Condition/serverFails``,
  /// ``Condition/tooManyRequests`` and ``Condition/callsAreHeld``.
  ///
  /// - Parameters:
  ///   - base: What ``intercept(_:by:loggedIn:)`` returned.
  ///   - operations: The calls that ask a server; all by default.
  public func bringAboutFailures<Base: Sendable>(
    of base: Intercepted<Base>, in operations: [Intercepted<Base>.Operation] = [.any]
  ) {
    let failures: [(Condition<Void>, Fault)] = [
      (.doesNotAnswer, .timeout), (.offline, .offline), (.connectionBreaks, .connectionLost),
      (.answerIsLost, .emptyReply), (.answerIsUnreadable, .unreadableAnswer), (.serverFails, .serverError),
    ]
    for (condition, fault) in failures { on(condition, failing: base, operations.map { .on($0, fault) }) {} }
    let delay = Duration.seconds(30)
    on(.tooManyRequests, failing: base, operations.map { .on($0, .rateLimited(retryAfter: delay)) }) { delay }
    holdCalls(of: base)
  }

  /// Brings about ``Condition/callsAreHeld`` alone, for a base that asks no server.
  public func holdCalls<Base: Sendable>(of base: Intercepted<Base>) {
    let gate = injection(of: base).gate
    on(.callsAreHeld, until: { gate.open() }) {
      gate.close()
      let arrived = Locked(0)
      return HeldCalls(
        arrival: { count in
          while arrived.withLock({ $0 }) < count, (try? await gate.next()) != nil {
            arrived.withLock { $0 += 1 }
          }
        }, release: { gate.open() })
    }
  }

  /// Injects the failures of a base behind another one, such as a recorder's behind what it sends requests through.
  ///
  /// Calls are still held before the base itself.
  ///
  /// - Parameters:
  ///   - base: What conditions refer to; what ``intercept(_:by:loggedIn:)`` returned.
  ///   - inner: What the base calls, with the same arguments; what ``intercept(_:by:loggedIn:)`` returned.
  package func injectFailures<Base: Sendable, Inner: Sendable>(
    of base: Intercepted<Base>, behind inner: Intercepted<Inner>
  ) {
    let injection = Injection(
      FaultPlan<Base>(core: injection(of: inner).plan.core), injection(of: base).gate)
    state.withLock { $0.injections[ObjectIdentifier(base)] = injection }
  }

  private final class Injection<Base: Sendable>: Sendable {
    let plan: FaultPlan<Base>
    let gate: Gate<Base>
    private let others: [Interceptor<Base>]

    init(
      _ plan: FaultPlan<Base> = FaultPlan(), _ gate: Gate<Base> = Gate(), _ others: [Interceptor<Base>] = []
    ) {
      self.plan = plan
      self.gate = gate
      self.others = others
    }

    var interceptors: [Interceptor<Base>] { [.faults(plan), .gate(gate)] + others }
  }

  private func injection<Base: Sendable>(of base: Intercepted<Base>) -> Injection<Base> {
    let known = state.withLock { $0.injections[ObjectIdentifier(base)] } as? Injection<Base>
    guard let known else {
      preconditionFailure(
        "\(Intercepted<Base>.self) was not made by this trial. Make it with trial.intercept(base).")
    }
    return known
  }

  // MARK: - What a recording keeps

  /// A value that the implementation itself needs before its clause begins, such as an account to sign in with.
  ///
  /// Where the trial is recorded, it is kept with the fixtures; a replay has the recorded one.
  ///
  /// - Parameters:
  ///   - name: Its name in the recording.
  ///   - make: Makes it where the trial is not a replay.
  package func kept<Value: Codable & Sendable>(
    _ name: String, _ make: @Sendable () async throws -> Value
  ) async throws -> Value {
    let condition = Condition<Value>(name)
    if let value = try fixtures?.fixture(of: condition, in: self) { return value }
    let value = try await make()
    fixtures?.note(condition, value)
    return value
  }

  // MARK: - The end

  /// Does something when the trial has ended, last added first; what it throws fails the trial.
  public func atEnd(_ body: @escaping @Sendable (_ outcome: Outcome) async throws -> Void) {
    state.withLock { $0.endings.append(body) }
  }

  /// - Throws: The first error, once all have run.
  func end(_ outcome: Outcome) async throws {
    var first: (any Error)?
    for body in state.withLock({ $0.endings }).reversed() {
      do { try await body(outcome) } catch { first = first ?? error }
    }
    if let first { throw first }
  }

  // MARK: - A clause's side

  /// Makes a condition hold.
  ///
  /// - Returns: The fixture, and what ends the condition.
  func begin<Fixture: Sendable>(
    _ condition: Condition<Fixture>, for implementation: String
  ) async throws -> (Fixture, @Sendable () async -> Void) {
    switch state.withLock({ $0.handlers[condition.name] }) {
    case .unavailable(let reason):
      fixtures?.noteUnavailable(condition)
      throw TrialEnd.skip("\(condition): \(reason)")
    case .begin(let begin):
      let (fixture, end): (any Sendable, @Sendable () async -> Void)
      do {
        (fixture, end) = try await begin()
      } catch {
        throw TrialEnd.failedCondition("The condition \"\(condition)\" could not be brought about: \(error)")
      }
      guard let fixture = fixture as? Fixture else {
        await end()
        throw TrialEnd.failedCondition(
          """
          The condition "\(condition)" has a fixture of type \(Fixture.self), but \(implementation) returned one of type \
          \(type(of: fixture)). Use the same Condition value in both places.
          """)
      }
      fixtures?.note(condition, fixture)
      return (fixture, end)
    case nil:
      do {
        if let fixture = try fixtures?.fixture(of: condition, in: self) { return (fixture, {}) }
      } catch {
        throw TrialEnd.failedCondition("The condition \"\(condition)\" cannot be replayed: \(error)")
      }
      fixtures?.noteUnavailable(condition)
      throw TrialEnd.skip("\(implementation) has no way to bring about: \(condition)")
    }
  }
}

/// How one condition is brought about, or why it cannot.
private enum ConditionHandler: Sendable {
  case begin(@Sendable () async throws -> (any Sendable, @Sendable () async -> Void))
  case unavailable(String)
}

/// Keeps the fixtures of a trial that is recorded, or has those of one that was.
package protocol FixtureStore: Sendable {
  /// A condition was brought about.
  func note<Fixture: Sendable>(_ condition: Condition<Fixture>, _ fixture: Fixture)
  /// A condition was asked for and could not be brought about.
  func noteUnavailable<Fixture: Sendable>(_ condition: Condition<Fixture>)
  /// The fixture that was kept next of a condition; `nil` if the condition could not be brought about then.
  func fixture<Fixture: Sendable>(
    of condition: Condition<Fixture>, in environment: TrialEnvironment
  ) throws -> Fixture?
}
