import UnderstudyText

/// The outcome of a run of a ``Scenario``.
package struct ScenarioOutcome: Sendable {
  /// The faults and the interruptions, and their calls.
  package let schedule: FaultSchedule
  /// The screens, in the order in which the scenario watches them.
  let screens: [ScreenRecord]
  /// The states that the screens showed, in order.
  package var timeline: [String] { screens.flatMap { $0.steps.map(\.state.text) } }
  /// The violated invariants, with the first violation of each.
  package internal(set) var violations: [InvariantViolation]
  /// The calls that were made, in order.
  package var points: [FaultPoint] { seen.map(\.point) }
  /// Whether the run would pass whatever the scenario does, because no invariant was checked.
  package var isUnchecked: Bool { violations.isEmpty && invariants.isEmpty }

  /// The names of the invariants that were checked.
  package let invariants: Set<String>
  /// Those of them that checked only the first state of a screen.
  let unusedInvariants: Set<String>
  /// The interruptions of the scenario, in the order in which they were declared.
  let interruptions: [Interruption]
  let seen: [SeenPoint]
  /// The operations of calls that no fault can reach.
  let unfailing: Set<String>
  /// The entries of the schedule that had no effect.
  let unmet: [UnmetEntry]
  /// How the first fault made its call fail; `nil` if it did not.
  let failure: CallFailure?

  /// Whether an invariant was checked after the first fault had made its call fail.
  let hasCheckedFailure: Bool

  /// Whether the run did not end.
  var isStuck: Bool { violations.contains { $0.invariant == Scenario.stuck } }

  /// An interruption of the scenario.
  struct Interruption: Sendable {
    let name: String
    /// Whether it was started in the run.
    let wasStarted: Bool
    /// Whether it made a call or changed a watched state.
    let hadEffect: Bool
  }
}

extension Scenario {
  /// Runs the scenario once and returns its outcome.
  ///
  /// A call of the schedule that is never made, or on which its fault has no effect, is a violation of `unmet`, because
  /// the schedule then tests nothing.
  ///
  /// - Parameters:
  ///   - schedule: The faults to inject and their calls.
  ///   - seed: The source of all randomness.
  ///   - stallLimit: How long the process may be idle before the run is abandoned as `stuck`; see ``StallMonitor``.
  /// - Throws: `CancellationError` when the task is cancelled.
  package func outcome(
    under schedule: FaultSchedule = [], seed: UInt64 = 0, stallLimit: Duration = StallMonitor.idleLimit
  ) async throws -> ScenarioOutcome {
    var outcome = try await run(
      under: schedule, seed: seed, stallLimit: stallLimit, open: OpenActions(), known: KnownStates())
    outcome.violations += outcome.unmet.map { unmet in
      let (entry, call) = (unmet.entry, "Call \(unmet.entry.point.call) of \(unmet.entry.point.operation)")
      if let reason = unmet.reason {
        return InvariantViolation(
          invariant: Self.unmet,
          message: "\(call) was made, but \(entry.disturbance) had no effect: \(reason).")
      }
      return InvariantViolation(
        invariant: Self.unmet,
        message:
          "\(call) was not made, so \(Self.loss(of: entry))."
          + Self.hint(for: entry.point, among: outcome.seen))
    }
    return outcome
  }

  private static func loss(of entry: FaultSchedule.Entry) -> String {
    switch entry.disturbance {
    case .fault: "its fault was not injected"
    case .interruption: "it was not interrupted"
    case .late: "its answer was not late"
    }
  }

  /// What to write in place of a call that was not made, as a sentence after a space.
  private static func hint(for point: FaultPoint, among seen: [SeenPoint]) -> String {
    if point.call < 1 { return " Calls are numbered from 1." }
    let count = seen.count { $0.point.operation == point.operation }
    if count > 0 { return " It was called \(Words.count(count, "time"))." }
    let operations = Set(seen.map(\.point.operation)).sorted()
    guard let nearest = operations.nearest(to: point.operation) else {
      return " The scenario made no call: make its services with run.intercepted(_:as:)."
    }
    let wildcard = point.operation.contains("*") ? " An operation has no wildcard." : ""
    return "\(wildcard) Nearest: \(nearest). All: \(Words.list(operations, atMost: 10))."
  }

  /// Runs the scenario once.
  ///
  /// - Parameters:
  ///   - open: What earlier runs have found out about tasks that do not end.
  ///   - known: The states that earlier runs have shown.
  func run(
    under schedule: FaultSchedule, seed: UInt64, stallLimit: Duration, open: OpenActions, known: KnownStates
  ) async throws -> ScenarioOutcome {
    TrapSignals.handle()
    let entry = RunsInProgress.shared.begin(textOfRun(under: schedule, seed: seed))
    defer { RunsInProgress.shared.end(entry) }
    let run = ScenarioRun(schedule, seed: seed, open: open, known: known)
    let end = Signal<InvariantViolation?>()
    let watch = StallMonitor.current.watch(
      for: max(stallLimit, StallMonitor.trialLimit), idle: stallLimit, isCharged: true,
      progress: { [record = run.record] in record.changes.all }
    ) { [place] stall in
      end.send(
        InvariantViolation(
          invariant: Self.stuck,
          message: """
            The scenario did not end: \(stall) (\(place), \(run.record.step)). \(run.record.hint(for: stall)) \
            \(StallMonitor.remedy)
            """))
    }
    defer { watch.end() }
    let witness = FaultWitness()
    GlobalExecutor.beginRun()
    defer { GlobalExecutor.endRun() }
    let task = MainTaskExecutor.task(in: run.record) { [body, place] in
      do {
        // Its doubles are made for every schedule, and a fault changes which calls follow.
        try await TestIssue.$isSuspended.withValue(true) {
          try await FaultWitness.$current.withValue(witness) { try await watch.run { try await body(run) } }
        }
        // Not at the end of an abandoned run, which goes on because it is cancelled.
        run.hasEnded = !Task.isCancelled && run.schedule.entries.isEmpty
        end.send(nil)
      } catch {
        end.send(
          InvariantViolation(
            invariant: Self.throwing, message: "\(error) (\(place), \(run.record.step))"))
      }
    }
    defer { task.cancel() }
    do {
      let violation = try await end.value()
      let unimplemented = witness.unimplemented.map {
        InvariantViolation(invariant: Self.unimplemented, message: "\($0) (\(place))")
      }
      return await run.outcome(with: (violation.map { [$0] } ?? []) + unimplemented)
    } catch {
      await run.release()
      throw error
    }
  }
}

extension ScenarioRun {
  fileprivate func outcome(with others: [InvariantViolation]) -> ScenarioOutcome {
    noteBrokenStates()
    let violations = violations + others
    defer { release() }
    return ScenarioOutcome(
      schedule: schedule, screens: recorder.records, violations: violations,
      invariants: invariants, unusedInvariants: unusedInvariants, interruptions: declaredInterruptions,
      seen: record.points, unfailing: record.unfailing, unmet: record.unmet,
      failure: record.failureOfFault, hasCheckedFailure: hasCheckedFailure)
  }
}

/// A call that failed, or whose stream failed.
public struct FailedCall: Sendable, CustomStringConvertible {
  /// The call.
  package let point: FaultPoint
  /// The fault of the schedule; `nil` if the base itself failed.
  public let fault: Fault?
  /// The thrown error.
  public let error: any Error
  /// The base's name in the scenario and the operation, such as `children.createChild`.
  public var operation: String { point.operation }
  /// Whether the task of the caller was cancelled.
  let isOfCancelledTask: Bool
  /// Whether the app had cancelled the subscription, so that it received nothing.
  var isUnheard = false
  /// Whether the base was called although the fault would have prevented it.
  let hasReachedBase: Bool
  /// The action that made the call.
  let action: ObjectIdentifier?
  /// Whether an interruption has been started in the run.
  var isInterrupted = false

  /// Whether the call was cancelled, by a fault or with its task.
  ///
  /// An app shows no error for it.
  public var isCancellation: Bool {
    fault == .cancelled || error is CancellationError || isUnheard || (isOfCancelledTask && fault == nil)
  }

  /// Whether the app still wants the result: the call was not cancelled, and nothing interrupted the run.
  ///
  /// An interruption may replace the call by a newer one, or leave the screen. An app need not show the failure then.
  public var isWanted: Bool { !isCancellation && !isInterrupted }

  /// Whether the base may have done its work: its answer was lost or invalid, but a write may have happened.
  public var mayHaveWorked: Bool { fault?.reachesBase == true || hasReachedBase }

  /// The call and the thrown error.
  public var description: String { "\(point) threw \(error)" }
}

extension Sequence<FailedCall> {
  /// Whether a screen that shows a failure, or shows none, is right after these calls.
  ///
  /// It must show the failure of a call whose result is wanted (``FailedCall/isWanted``), and none if no call failed other
  /// than by a cancellation. Between the two, both are right: it depends on the order of a failure and an interruption
  /// which of them the screen shows last.
  ///
  /// ```swift
  /// let failures = await run.failures { await run.act { await model.load() } }
  /// run.expect("errors.shown", failures.match(isShown: model.message != nil), "the message is \(model.message ?? "missing")")
  /// ```
  public func match(isShown: Bool) -> Bool {
    isShown ? contains { !$0.isCancellation } : !contains(where: \.isWanted)
  }
}
