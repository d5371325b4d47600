import Foundation
import UnderstudyText

/// The environment of one trial: its time, its seed and its condition handlers.
///
/// An implementation is created in it and registers a handler for each condition that it supports:
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
/// A later handler for the same condition replaces an earlier one. A clause that requests a condition without a handler
/// is skipped, and the report gives the reason.
public final class TrialEnvironment: Sendable {
  /// The name of the contract.
  package let contract: String
  /// The identifier of the clause.
  package let clause: String
  /// The source of all randomness in the trial; different for each clause.
  public let seed: UInt64
  /// The clock of the trial, on which a wait returns at once.
  public let clock: TestClock

  private struct State: Sendable {
    var handlers: [ConditionKey: ConditionHandler] = [:]
    /// Makes the handler of a condition of a fault that has no other.
    var failing: (@Sendable (_ name: String, Fault) -> ConditionHandler)?
    var endings: [@Sendable (Outcome) async throws -> Void] = []
    var explanations: [@Sendable () -> [String]] = []
    /// The plan and the gate of each base, by the identity of its `Intercepted`.
    var injections: [ObjectIdentifier: any Sendable] = [:]
    /// Each condition that was set up by faults or a gate, with why it had no effect; `nil` if it had one.
    var effects: [@Sendable () -> String?] = []
    /// The calls of each base, for the message about a trial that stalls.
    var logs: [CallLogCore] = []
  }

  private let state = Locked(State())
  /// Stores or replays fixtures; `nil` where a trial is neither recorded nor replayed.
  package let fixtures: (any FixtureStore)?

  /// The first interceptor of every base, which makes it wrong or notes what it does; `nil` in an ordinary trial.
  private let mutation: MutationInterceptor?

  package init(
    contract: String, clause: String, seed: UInt64, clock: TestClock = TestClock(.immediate),
    fixtures: (any FixtureStore)? = nil, mutation: MutationInterceptor? = nil
  ) {
    self.contract = contract
    self.clause = clause
    self.seed = seed
    self.clock = clock
    self.fixtures = fixtures
    self.mutation = mutation
  }

  /// The date and the clock to inject.
  public var time: Time { clock.time }

  /// Ends the trial of a derived mutant, which a violation has shown to be wrong.
  func noteViolation() { mutation?.noteViolation() }

  /// Notes the calls of the trial for a report on what no clause calls.
  func noteCalls() {
    guard let mutation, !mutation.isMutant else { return }
    let calls = state.withLock(\.logs).flatMap(\.records).map(\.call.operation)
    mutation.noteCalls(Set(calls.compactMap { if case .name(let name) = $0 { name } else { nil } }))
  }

  /// Runs what follows a clause, which the cancellation of a mutant's trial does not concern.
  func afterClause(_ end: @escaping @Sendable () async throws -> Void) async throws {
    guard let mutation, mutation.isMutant else { return try await end() }
    try await Task { try await end() }.value
  }

  // MARK: - Conditions

  /// Registers a handler that sets up a condition.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - end: Ends the condition, for a clause that needs it only for a while.
  ///   - begin: Sets up the condition and returns its fixture.
  public func on<Fixture: Sendable>(
    _ condition: Condition<Fixture>, until end: @escaping @Sendable () async -> Void = {},
    _ begin: @escaping @Sendable () async throws -> Fixture
  ) {
    handle(condition, .begin { (try await begin(), end) })
  }

  /// Registers a condition under which calls of a base fail with one fault.
  ///
  /// A clause that requests the condition and makes no such call fails, because it tests nothing.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - base: The value returned by ``intercept(_:by:)``.
  ///   - operation: The calls that fail (default: all).
  ///   - fault: The fault that is injected into the calls.
  public func on<Base: Sendable>(
    _ condition: Condition<Void>, failing base: Intercepted<Base>,
    at operation: Intercepted<Base>.Operation = .any, with fault: Fault
  ) {
    on(condition, failing: base, [.on(operation, fault)]) {}
  }

  /// Registers a condition under which some calls of a base fail.
  ///
  /// A clause that requests the condition and makes none of these calls fails, because it tests nothing. A rule that is
  /// optional allows it.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - base: The value returned by ``intercept(_:by:)``.
  ///   - rules: The calls that fail, and their faults.
  ///   - fixture: Makes the fixture of the condition.
  public func on<Base: Sendable, Fixture: Sendable>(
    _ condition: Condition<Fixture>, failing base: Intercepted<Base>, _ rules: [FaultPlan<Base>.Rule],
    _ fixture: @escaping @Sendable () async throws -> Fixture
  ) {
    handle(condition, handler(of: condition, failing: base, rules, fixture))
  }

  private func handler<Base: Sendable, Fixture: Sendable>(
    of condition: Condition<Fixture>, failing base: Intercepted<Base>, _ rules: [FaultPlan<Base>.Rule],
    _ fixture: @escaping @Sendable () async throws -> Fixture
  ) -> ConditionHandler {
    let plan = injection(of: base).plan
    return .begin {
      // A condition may be requested again while it holds; each end removes only its own rules.
      let value = try await fixture()
      let added = rules.map { plan.add($0) }
      self.requireEffect(of: condition, by: added.map(\.number), in: plan.core)
      return (value, { for id in added { plan.remove(id) } })
    }
  }

  private func requireEffect<Fixture>(
    of condition: Condition<Fixture>, by rules: [Int], in plan: FaultPlanCore
  ) {
    if rules.isEmpty { return }
    requireEffect {
      if plan.hasFired(anyOf: rules) { return nil }
      return """
        The condition "\(condition)" had no effect, so the clause checks nothing under it:
        \(plan.reasons(of: rules).map { "  \($0)" }.joined(separator: "\n"))
        """
    }
  }

  /// Fails the trial if a condition had no effect.
  ///
  /// - Parameter reason: Returns why it had none; `nil` if it had one.
  private func requireEffect(_ reason: @escaping @Sendable () -> String?) {
    state.withLock { $0.effects.append(reason) }
  }

  /// Why conditions of the clause had no effect, with the calls that were made; `nil` if all had one.
  var idleConditions: String? {
    let (effects, logs) = state.withLock { ($0.effects, $0.logs) }
    let idle = effects.compactMap { $0() }
    guard !idle.isEmpty else { return nil }
    let calls = logs.flatMap(\.records).map { "\($0.call)" }
    return """
      \(idle.joined(separator: "\n"))
      Calls: \(calls.isEmpty ? "none" : Words.list(calls, atMost: 5)).
      While the condition holds, make a call that it can change, and read its stream if there is one; or remove the \
      condition. A rule of trial.on(_:failing:_:_:) may be .optional.
      """
  }

  /// Registers why a condition is unsupported.
  ///
  /// Clauses that request it are skipped with this reason.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - reason: The reason, such as `a recording has no server whose sessions could be counted`.
  public func unavailable<Fixture: Sendable>(_ condition: Condition<Fixture>, because reason: String) {
    handle(condition, .unavailable(reason))
  }

  private func handle<Fixture: Sendable>(_ condition: Condition<Fixture>, _ handler: ConditionHandler) {
    state.withLock { $0.handlers[condition.key] = handler }
  }

  // MARK: - Calls

  /// Wraps a base in interceptors, so that conditions can make its calls fail or hold them.
  ///
  /// - Parameters:
  ///   - base: A service, a transport or a handler.
  ///   - others: Further interceptors, which follow those of the conditions.
  public func intercept<Base: Sendable>(
    _ base: Base, by others: [Interceptor<Base>] = []
  ) -> Intercepted<Base> {
    let log = CallLog<Base>()
    // A clause need not request a condition that the base has.
    let injection = TestIssue.$isSuspended.withValue(true) {
      Injection<Base>(FaultPlan(), Gate(), [.log(log)] + others)
    }
    injection.gate.open()
    let logs = injection.interceptors.flatMap(\.cores).compactMap {
      if case .log(let log) = $0 { log } else { nil }
    }
    mutation?.noteClauseTask()
    let first =
      mutation.map { [Interceptor<Base>(core: .custom(MutatedBase(mutation: $0, logs: logs)))] } ?? []
    let intercepted = Intercepted(base, by: first + injection.interceptors, time: time)
    state.withLock { state in
      state.injections[ObjectIdentifier(intercepted)] = injection
      state.logs.append(log.core)
    }
    return intercepted
  }

  /// Whether a base of ``intercept(_:by:)`` was called; `nil` if nothing was intercepted.
  var hasInterceptedCalls: Bool? {
    let logs = state.withLock(\.logs)
    return logs.isEmpty ? nil : logs.contains { !$0.records.isEmpty }
  }

  /// A number that changes when a call of the trial begins or ends, or its clock advances.
  var progress: Int {
    var hasher = Hasher()
    hasher.combine(clock.elapsed)
    for log in state.withLock(\.logs) {
      hasher.combine(log.records.count)
      hasher.combine(log.records.count(where: \.isUnderWay))
    }
    return hasher.finalize()
  }

  /// The calls that have not returned and the sleepers, one line each, for the message about a trial that stalls.
  var pending: String {
    let records = state.withLock(\.logs).flatMap(\.records)
    var lines = records.filter(\.isUnderWay).map { "\($0.call) has not returned" }
    if clock.sleeperCount > 0 {
      lines.append("\(clock.sleeperCount) of its tasks sleep on trial.clock")
    }
    if lines.isEmpty {
      lines.append(
        records.last.map { "all its calls have returned, the last was \($0.call); it may wait for a stream" }
          ?? "it called no method of trial.intercept(…)")
    }
    return "The trial waits: \(lines.joined(separator: "; "))."
  }

  /// The interceptors of a base, for a server that applies them itself.
  ///
  /// - Returns: A value by which conditions refer to the base, and its interceptors.
  package func interceptors<Base: Sendable>(
    before base: Base, by others: [Interceptor<Base>] = []
  ) -> (intercepted: Intercepted<Base>, interceptors: [Interceptor<Base>]) {
    let intercepted = intercept(base, by: others)
    return (intercepted, injection(of: intercepted).interceptors)
  }

  /// Registers the conditions of every service with a server: ``Condition/callsFail(with:)``, those named after one
  /// fault, such as ``Condition/serverFails``, and ``Condition/tooManyRequests``.
  ///
  /// They replace earlier handlers of these conditions.
  ///
  /// - Parameters:
  ///   - base: The value returned by ``intercept(_:by:)``.
  ///   - operations: The calls that reach a server (default: all).
  public func setUpFailures<Base: Sendable>(
    of base: Intercepted<Base>, in operations: [Intercepted<Base>.Operation] = [.any]
  ) {
    state.withLock { state in
      state.handlers = state.handlers.filter { if case .name = $0.key { true } else { false } }
      state.failing = { name, fault in
        let condition = Condition<Void>(name, fault: fault, member: "")
        return self.handler(of: condition, failing: base, operations.map { .on($0, fault) }) {}
      }
    }
    let delay = Duration.seconds(30)
    on(.tooManyRequests, failing: base, operations.map { .on($0, .rateLimited(retryAfter: delay)) }) { delay }
    holdCalls(of: base)
  }

  /// Registers only ``Condition/callsAreHeld``, for a base without a server.
  package func holdCalls<Base: Sendable>(of base: Intercepted<Base>) {
    let gate = injection(of: base).gate
    on(.callsAreHeld, until: { gate.open() }) {
      gate.close()
      let before = gate.core.heldCount
      self.requireEffect {
        gate.core.heldCount > before
          ? nil : "The condition \"\(Condition.callsAreHeld)\" had no effect: no call was held."
      }
      let arrived = Locked(0)
      return CallHold(
        calls: { count in
          while arrived.withLock({ $0 }) < count, (try? await gate.next()) != nil {
            arrived.withLock { $0 += 1 }
          }
        }, release: { gate.open() })
    }
  }

  /// Injects the failures of a base behind it, such as those of a recorder into the transport that it records.
  ///
  /// Calls are still held before the base itself.
  ///
  /// - Parameters:
  ///   - base: The value that conditions refer to, returned by ``intercept(_:by:)``.
  ///   - inner: The base that it calls with the same arguments, returned by ``intercept(_:by:)``.
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

    init(_ plan: FaultPlan<Base>, _ gate: Gate<Base>, _ others: [Interceptor<Base>] = []) {
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

  // MARK: - Recorded values

  /// A value that the implementation needs before its clause begins, such as an account to sign in with.
  ///
  /// When the trial is recorded, the value is stored with the fixtures; a replay returns the recorded value.
  ///
  /// - Parameters:
  ///   - name: Its name in the recording.
  ///   - make: Makes the value when the trial is not a replay.
  public func kept<Value: Codable & Sendable>(
    _ name: String, _ make: @Sendable () async throws -> Value
  ) async throws -> Value {
    let condition = Condition<Value>(name)
    if let value = try fixtures?.fixture(of: condition, in: self) { return value }
    let value = try await make()
    fixtures?.note(condition, value)
    return value
  }

  // MARK: - Teardown

  /// Registers a teardown closure.
  ///
  /// Closures run in reverse order of registration; an error that one throws fails the trial.
  public func atEnd(_ body: @escaping @Sendable () async throws -> Void) {
    atEnd { _ in try await body() }
  }

  /// Registers a teardown closure that receives the outcome of the trial.
  package func atEnd(_ body: @escaping @Sendable (_ outcome: Outcome) async throws -> Void) {
    state.withLock { $0.endings.append(body) }
  }

  /// Registers a function that returns the causes of a failure, such as requests without a recorded response.
  package func explainFailures(_ messages: @escaping @Sendable () -> [String]) {
    state.withLock { $0.explanations.append(messages) }
  }

  /// Returns an outcome whose violations follow their causes, because the service may have mapped the error.
  func explained(_ outcome: Outcome, at fileID: String, _ line: Int) -> Outcome {
    guard case .failed(let violations) = outcome else { return outcome }
    var causes: [String] = []
    for message in state.withLock({ $0.explanations }).flatMap({ $0() }) where !causes.contains(message) {
      causes.append(message)
    }
    return .failed(causes.map { Violation($0, fileID: fileID, line: line, isAccident: true) } + violations)
  }

  /// Runs the teardown closures, and releases them and the condition handlers.
  ///
  /// Both usually retain the trial, which would otherwise retain itself, and with it servers and their descriptors.
  ///
  /// - Throws: The first error, after all teardown closures have run.
  func end(_ outcome: Outcome) async throws {
    var first: (any Error)?
    for body in state.withLock({ $0.endings }).reversed() {
      do { try await body(outcome) } catch { first = first ?? error }
    }
    // Released outside of the lock, because a deinitializer may use the trial.
    let released = state.withLock { state in
      defer {
        (state.handlers, state.endings, state.explanations, state.effects) = ([:], [], [], [])
        state.failing = nil
      }
      return (state.handlers, state.endings, state.explanations, state.effects, state.failing)
    }
    withExtendedLifetime(released) {}
    if let first { throw first }
  }

  // MARK: - Use by a clause

  private func handler<Fixture>(of condition: Condition<Fixture>) -> ConditionHandler? {
    let (own, failing) = state.withLock { ($0.handlers[condition.key], $0.failing) }
    if let own { return own }
    return condition.fault.flatMap { failing?(condition.name, $0) }
  }

  /// Sets up a condition.
  ///
  /// - Returns: The fixture, and a closure that ends the condition.
  func begin<Fixture: Sendable>(
    _ condition: Condition<Fixture>, for implementation: String
  ) async throws -> (Fixture, @Sendable () async -> Void) {
    switch handler(of: condition) {
    case .unavailable(let reason):
      fixtures?.noteUnavailable(condition)
      throw TrialEnd.skip("\(condition): \(reason)")
    case .begin(let begin):
      let (fixture, end): (any Sendable, @Sendable () async -> Void)
      do {
        (fixture, end) = try await begin()
      } catch {
        throw TrialEnd.failedCondition("The condition \"\(condition)\" could not be set up: \(error)")
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
      throw TrialEnd.skip("\(implementation) cannot set up the condition: \(condition)")
    }
  }
}

/// A handler that sets up a condition, or the reason why it is unsupported.
private enum ConditionHandler: Sendable {
  case begin(@Sendable () async throws -> (any Sendable, @Sendable () async -> Void))
  case unavailable(String)
}

/// Stores the fixtures of a recorded trial, or returns those of an earlier one.
package protocol FixtureStore: Sendable {
  /// Stores the fixture of a condition that was set up.
  func note<Fixture: Sendable>(_ condition: Condition<Fixture>, _ fixture: Fixture)
  /// Stores that a requested condition is unsupported.
  func noteUnavailable<Fixture: Sendable>(_ condition: Condition<Fixture>)
  /// The next stored fixture of a condition; `nil` if the condition was unsupported when it was recorded.
  func fixture<Fixture: Sendable>(
    of condition: Condition<Fixture>, in environment: TrialEnvironment
  ) throws -> Fixture?
}
