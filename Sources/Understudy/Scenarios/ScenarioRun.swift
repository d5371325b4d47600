import Observation

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
    time = TestClock(.immediate).time
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
  package func intercepted<Base: Sendable>(_ base: Base, as name: String, at injectionPoint: InjectionPoint)
    -> Intercepted<Base>
  {
    Intercepted(
      base, by: Interceptor(core: .scheduled(ScheduledBase(name, at: injectionPoint, in: record))), time: time
    )
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

  /// Waits until a condition is met.
  ///
  /// The condition is evaluated at once, and again whenever
  /// - an observable property that it has read changes on the main actor,
  /// - a call of an ``intercepted(_:as:)`` base begins or ends,
  /// - a reader of such a base's stream receives an event or waits for the next one, or
  /// - a job of the run that is bound to no actor begins or ends.
  ///
  /// What changes otherwise must be awaited by its own means, such as the value of a task. A run in which the condition
  /// is never met is ``Scenario/stuck``.
  ///
  /// - Parameter isMet: The condition.
  /// - Returns: Whether it is met; `false` when the run is cancelled.
  @discardableResult public func wait(until isMet: () -> Bool) async -> Bool {
    while true {
      let changes = record.changes
      let isMet = withObservationTracking(isMet) { [record] in record.noteChange() }
      if isMet || Task.isCancelled { return isMet }
      await record.change(after: changes)
      // Observation announces a property before it is written, and whoever has made a call goes on after it.
      await MainTaskExecutor.runReadyJobs()
    }
  }

  /// Waits until a reader of a stream waits for an event that has not been sent, and no call is under way, or until a
  /// condition is met.
  ///
  /// Every event that was sent before has been received then, however busy the machine is. This is exact for what the
  /// run knows of: calls and streams of ``intercepted(_:as:)`` bases, and structured tasks of the run. It does not cover
  /// a task that was started with `Task {}`, does not read a stream and is between two calls, for which there is
  /// ``awaitingTasks(_:)``, nor a base that passes events on by a task of its own.
  ///
  /// - Parameter isMet: A condition that is met when there will be no reader, for instance that a screen shows a
  ///   failure; evaluated as by ``wait(until:)``.
  public func waitForReader(orUntil isMet: () -> Bool) async {
    await waitUntilLasting({ record.isWaitingForEvent }, or: isMet)
  }

  /// Runs `body`, then waits until every task has ended that was started meanwhile, except detached ones.
  public func awaitingTasks<Failure: Error>(
    _ body: () async throws(Failure) -> Void
  ) async throws(Failure) {
    try await BegunTasks.wait(for: body)
  }

  /// Runs `body` while streams deliver nothing, then delivers the events that were sent meanwhile one after another,
  /// each when no call is under way and every reader of a stream waits.
  ///
  /// Where a screen also shows what comes by itself, its calls then come in the same order each time. As for what is
  /// known of, see ``waitForReader(orUntil:)``.
  public func holdingEvents<Failure: Error>(
    _ body: () async throws(Failure) -> Void
  ) async throws(Failure) {
    record.holdEvents(true)
    do throws(Failure) {
      try await body()
    } catch {
      await deliverEvents()
      throw error
    }
    await deliverEvents()
  }

  private func deliverEvents() async {
    repeat { await waitUntilLasting({ record.isQuiet }) } while record.tellEvent()
    record.holdEvents(false)
  }

  /// Waits until something is true and stays true while every job runs that is ready on the main queue, or until a
  /// condition is met.
  private func waitUntilLasting(_ isTrue: () -> Bool, or isMet: () -> Bool = { false }) async {
    while await wait(until: { isMet() || isTrue() }), !isMet() {
      let changes = record.changes
      await MainTaskExecutor.runReadyJobs()
      if record.changes == changes { return }
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
