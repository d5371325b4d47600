
/// One run of a ``Scenario``, under one schedule of faults.
@MainActor public final class ScenarioRun {
  /// What everything random is to come from: the same in every run of a sweep.
  public nonisolated let seed: UInt64
  /// What everything that waits is to run on: time that jumps, so that time-outs cost none.
  public nonisolated let time: Time
  /// Which calls meet which fault.
  public nonisolated var schedule: FaultSchedule { record.schedule }

  nonisolated let record: RunRecord
  private(set) var violations: [InvariantViolation] = []
  private(set) var invariants: Set<String> = []
  private var timelines: [@MainActor () -> [String]] = []

  nonisolated init(_ schedule: FaultSchedule, seed: UInt64) {
    self.seed = seed
    time = ManualTime(.jumping).time
    record = RunRecord(schedule, seed: seed)
  }

  /// A base whose calls are points of the sweep: they are written down, and meet what the schedule says.
  ///
  /// - Parameters:
  ///   - base: A service, a transport or a handler.
  ///   - name: What points call it; each base of a scenario has its own.
  public func intercepted<Base: Sendable>(_ base: Base, as name: String) -> Intercepted<Base> {
    intercepted(base, as: name, at: .service)
  }

  /// The same for a base at any injection point.
  package func intercepted<Base: Sendable>(_ base: Base, as name: String, at seam: Seam) -> Intercepted<Base> {
    Intercepted(
      base, by: Interceptor(core: .scheduled(ScheduledBase(name, at: seam, in: record))), time: time)
  }

  /// Watches what a subject shows, for the report.
  ///
  /// - Parameters:
  ///   - subject: What is watched.
  ///   - state: The state as a value, whose description stands in the report.
  @discardableResult public func watch<Subject: AnyObject, State: Equatable & Sendable>(
    _ subject: Subject, _ state: @escaping @MainActor (Subject) -> State
  ) -> StateTimeline<Subject, State> {
    let timeline = StateTimeline(of: subject, state)
    timelines.append { timeline.states.map { "\($0)" } }
    return timeline
  }

  /// Says what must be true now.
  ///
  /// - Parameters:
  ///   - invariant: Its name, such as `loading.ends`; the same wherever the same is expected.
  ///   - holds: Whether it is true.
  ///   - message: What is there in its place. Only the first of an invariant is reported.
  public func expect(_ invariant: String, _ holds: Bool, _ message: @autoclosure () -> String) {
    invariants.insert(invariant)
    if holds || violations.contains(where: { $0.invariant == invariant }) { return }
    violations.append(InvariantViolation(invariant: invariant, message: message()))
  }

  /// The calls that have failed until now, in the order in which they did, whether by a fault or by themselves.
  public var failures: [FailedCall] { record.failures }

  /// Does something, and tells which calls failed meanwhile, or whose streams did.
  public func failures<Failure: Error>(
    during body: () async throws(Failure) -> Void
  ) async throws(Failure) -> [FailedCall] {
    let before = record.failures.count
    try await body()
    return Array(record.failures.dropFirst(before))
  }

  /// Does something during which calls are left alone: they are no points, and meet nothing.
  ///
  /// For instance the reload after which a screen must show what the store holds, whatever failed before.
  public func withoutFaults<Failure: Error>(
    _ body: () async throws(Failure) -> Void
  ) async throws(Failure) {
    record.pause(true)
    defer { record.pause(false) }
    try await body()
  }

  /// Lets everybody else go on until something is true.
  ///
  /// - Parameters:
  ///   - turns: How many turns they get; without an end unless said otherwise, so that a run in which it never comes
  ///     true is ``Scenario/stuck``.
  ///   - isMet: What is waited for.
  /// - Returns: Whether it is true.
  @discardableResult public func wait(turns: Int = .max, until isMet: () -> Bool) async -> Bool {
    var rest = turns
    while !isMet() {
      if rest <= 0 || Task.isCancelled { return false }
      rest -= 1
      // By way of the global executor, so that also those have a turn who are not on the main actor.
      await Task.detached {}.value
    }
    return true
  }

  /// Lets everybody else go on until whoever reads a stream waits for an event that nobody has sent, and no call is under
  /// way, or until something is true.
  ///
  /// However fast the machine is, every event that was sent before has been told then.
  ///
  /// - Parameter isMet: What is true when there will be no reader, for instance that a screen has shown a failure.
  public func waitForReader(orUntil isMet: () -> Bool) async {
    await waitUntilLasting({ record.isWaitingForEvent }, or: isMet)
  }

  /// Does something, and waits until every task has ended that was begun meanwhile, other than a detached one.
  public func awaitingTasks<Failure: Error>(
    _ body: () async throws(Failure) -> Void
  ) async throws(Failure) {
    try await BegunTasks.wait(for: body) { hasEnded in await wait(until: hasEnded) }
  }

  /// Does something while streams bring nothing, and then lets what they have brought be told, one event after another,
  /// each once all is quiet: no call is under way, and whoever reads a stream waits for an event.
  ///
  /// Where a screen also shows what comes by itself, its calls then come in the same order each time.
  public func holdingEvents<Failure: Error>(
    _ body: () async throws(Failure) -> Void
  ) async throws(Failure) {
    record.holdEvents(true)
    do throws(Failure) {
      try await body()
    } catch {
      await tellEvents()
      throw error
    }
    await tellEvents()
  }

  private func tellEvents() async {
    repeat { await waitUntilLasting({ record.isQuiet }) } while record.tellEvent()
    record.holdEvents(false)
  }

  /// Lets everybody else go on until something has been true for thirty turns, in which whatever is on its way on the
  /// main queue has come to where it is known of, or until something else is true.
  private func waitUntilLasting(_ isTrue: () -> Bool, or isMet: () -> Bool = { false }) async {
    var turns = 0
    await wait {
      turns = isTrue() ? turns + 1 : 0
      return turns > 30 || isMet()
    }
  }

  /// What the screens showed until now.
  var timeline: [String] { timelines.flatMap { $0() } }
}

/// An invariant that did not hold in a run.
public struct InvariantViolation: Sendable, Hashable, CustomStringConvertible {
  /// The name of the invariant.
  public let invariant: String
  /// What was found in its place.
  public let message: String

  /// The name and what was found.
  public var description: String { "\(invariant): \(message)" }
}
