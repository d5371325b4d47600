import UnderstudyText

/// The accumulated results of a sweep: the run without a fault first, then those with one, then pairs.
struct SweepResults {
  private let scenario: Scenario
  private let options: SweepOptions
  private var plain: ScenarioOutcome?
  /// The invariants that are violated under one fault.
  private var violated: [FaultSchedule.Entry: Set<String>] = [:]
  /// The numbers of single faults whose runs made the call.
  private var faultCounts: [FaultPoint: Int] = [:]
  /// Whether an invariant was checked in a run after a single fault had made its call fail.
  private var hasCheckedFailure = false
  private var points: [FaultPoint: SeenPoint] = [:]
  private var unfailing: Set<String> = []
  private var invariants: Set<String> = []
  /// The invariants that checked only the first state of a screen in some runs, and those that checked more in others.
  private var (unused, used): (Set<String>, Set<String>) = ([], [])
  /// Whether a fault other than a delay had an effect on its call.
  private var hasEffect = false
  /// Why a fault had none.
  private var obstacle: String?
  private var pairRuns = 0
  private var interruptedRuns = 0
  private var combinedRuns = 0
  /// Whether each interruption of the scenario that was started had an effect.
  private var interruptions: [String: Bool] = [:]
  /// The invariants that were checked in runs with an interruption.
  private var interruptedInvariants: Set<String> = []
  private var runs: [SweepReport.Run] = []
  private var screens: [(story: ScreenMapBuilder, overview: ScreenMapBuilder)] = []
  private var violations: [SweepReport.Violation] = []
  /// The calls under each single fault, and how the fault made its call fail, in the order of the runs.
  private(set) var singles: [(seen: [SeenPoint], failure: CallFailure?)] = []
  /// The total number of pairs.
  var pairCount = 0
  /// The schedules that were left out because runs were stuck or trapped.
  var untried = SweepReport.Untried()
  private var next = 0

  init(_ scenario: Scenario, _ options: SweepOptions) {
    self.scenario = scenario
    self.options = options
  }

  /// Adds the run without a fault, or the next run with one.
  mutating func take(_ outcome: ScenarioOutcome) {
    let number = next
    next += 1
    noteUse(of: outcome)
    for seen in outcome.seen where points[seen.point] == nil { points[seen.point] = seen }
    if let entry = outcome.schedule.entries.first {
      violated[entry] = Set(outcome.violations.map(\.invariant))
      if entry.fault?.symptom != .delayed, outcome.unmet.isEmpty { hasEffect = true }
      obstacle = obstacle ?? outcome.unmet.lazy.compactMap(\.reason).first
      let isMade = !outcome.unmet.contains { $0.reason == nil }
      faultCounts[entry.point, default: 0] += isMade ? 1 : 0
      hasCheckedFailure = hasCheckedFailure || outcome.hasCheckedFailure
      singles.append((outcome.seen, outcome.failure))
    } else {
      plain = outcome
      screens = outcome.screens.map {
        (ScreenMapBuilder(along: $0, isOverview: false), ScreenMapBuilder(along: $0, isOverview: true))
      }
    }
    guard options.shard.contains(number) else { return }
    runs.append(
      SweepReport.Run(
        number: number, schedule: outcome.schedule, timeline: outcome.timeline,
        violated: outcome.violations.map(\.invariant)))
    note(outcome, number)
  }

  /// Counts the next schedule with one fault, which is left out because of a trap.
  mutating func leaveOutFault() {
    if options.shard.contains(next) { untried.faults += 1 }
    next += 1
    singles.append(([], .trap))
  }

  /// Adds a run with two faults.
  mutating func take(_ outcome: ScenarioOutcome, number: Int) {
    pairRuns += 1
    noteUse(of: outcome)
    note(outcome, number)
  }

  /// Adds a run with an interruption or a late answer, or with both.
  mutating func take(interrupted outcome: ScenarioOutcome, number: Int) {
    if outcome.unmet.isEmpty { interruptedRuns += 1 }
    noteInterruptions(of: outcome)
    noteUse(of: outcome)
    if let entry = outcome.schedule.entries.first, outcome.schedule.entries.count == 1 {
      violated[entry] = Set(outcome.violations.map(\.invariant))
    }
    note(outcome, number, isCounted: outcome.unmet.isEmpty)
  }

  /// Adds the runs of a random combination.
  mutating func take(combination runs: [ScenarioOutcome], number: Int) {
    combinedRuns += runs.count { $0.unmet.isEmpty }
    for outcome in runs {
      noteInterruptions(of: outcome)
      noteUse(of: outcome)
      if outcome.unmet.isEmpty { addToMaps(outcome, number, isCounted: true, broken: []) }
    }
  }

  private mutating func noteUse(of outcome: ScenarioOutcome) {
    unfailing.formUnion(outcome.unfailing)
    unfailing.formUnion(outcome.seen.lazy.filter { $0.form.isUnfailing }.map(\.point.operation))
    unused.formUnion(outcome.unusedInvariants)
    used.formUnion(outcome.invariants.subtracting(outcome.unusedInvariants))
  }

  /// Whether a run with an entry alone is to be compared with the run without one, timelines included: the entry is an
  /// interruption of the scenario that no run so far shows to change anything.
  private func isUnproved(_ entry: FaultSchedule.Entry) -> Bool {
    guard case .interruption(let name, _) = entry.disturbance else { return false }
    return interruptions[name] != true && plain?.interruptions.contains { $0.name == name } == true
  }

  private mutating func noteInterruptions(of outcome: ScenarioOutcome) {
    let entries = outcome.schedule.entries
    let isInterrupted = entries.contains { entry in
      if case .interruption = entry.disturbance { true } else { false }
    }
    if isInterrupted, outcome.unmet.isEmpty { interruptedInvariants.formUnion(outcome.invariants) }
    let isDifferent =
      entries.count == 1 && isUnproved(entries[0])
      && (outcome.seen != plain?.seen || outcome.timeline != plain?.timeline)
    for interruption in outcome.interruptions where interruption.wasStarted {
      let hasEffect = interruption.hadEffect || isDifferent
      interruptions[interruption.name] = interruptions[interruption.name] == true || hasEffect
    }
  }

  /// Adds the violations of a run.
  ///
  /// - Parameter isCounted: Whether the run counts for the maps of the screens.
  mutating func note(_ outcome: ScenarioOutcome, _ number: Int, isCounted: Bool = true) {
    invariants.formUnion(outcome.invariants)
    let broken = outcome.violations.filter { isMinimal(outcome.schedule, $0.invariant) }
    if isCounted || !broken.isEmpty { addToMaps(outcome, number, isCounted: isCounted, broken: broken) }
    for violation in broken {
      violations.append(
        SweepReport.Violation(
          invariant: violation.invariant, message: violation.message, number: number,
          schedule: outcome.schedule, others: [], otherNumbers: [], timeline: outcome.timeline))
    }
  }

  private mutating func addToMaps(
    _ outcome: ScenarioOutcome, _ number: Int, isCounted: Bool, broken: [InvariantViolation]
  ) {
    for (index, screen) in outcome.screens.enumerated() where index < screens.count {
      // A run that does not end, or throws, breaks its invariant in the last state.
      let violations = broken.filter { ($0.place?.screen ?? 0) == index }.map { violation in
        (violation.invariant, violation.place?.step ?? screen.steps.count - 1)
      }
      screens[index].story.add(
        screen, of: outcome.schedule, number: number, isCounted: isCounted, violations: violations)
      screens[index].overview.add(
        screen, of: outcome.schedule, number: number, isCounted: isCounted, violations: violations)
    }
  }

  /// Whether the invariant holds under each fault alone.
  private func isMinimal(_ schedule: FaultSchedule, _ invariant: String) -> Bool {
    if schedule.entries.isEmpty { return true }
    if plain?.violations.contains(where: { $0.invariant == invariant }) == true { return false }
    return schedule.entries.count == 1
      || schedule.entries.allSatisfy { violated[$0]?.contains(invariant) != true }
  }

  /// The violations of a sweep that would pass whatever the service does.
  private var vacuities: [SweepReport.Violation] {
    func violation(_ invariant: String, _ message: String) -> [SweepReport.Violation] {
      [SweepReport.Violation(ofSweep: invariant, message, timeline: plain?.timeline ?? [])]
    }
    guard options.shard.contains(0), violations.isEmpty else { return [] }
    let calls = points.filter { $0.value.interaction != nil }.keys.sorted()
    let canFail = points.values.contains { $0.interaction != nil && !$0.form.isUnfailing }
    // Calls that cannot fail are still interrupted, and late.
    let isInterrupted = plain?.interruptions.isEmpty == false || points.values.contains { $0.action == "" }
    if !canFail, !isInterrupted, !unfailing.isEmpty {
      return violation(
        Scenario.uncovered,
        """
        No call of the scenario can fail, so no fault was tried (\(scenario.place)). The calls are \
        \(Words.list(unfailing.sorted(), atMost: 20)). A fault reaches a method that throws, that returns a stream or a \
        Result, or that calls a completion handler with an error; see the article Callbacks.
        """)
    }
    if calls.isEmpty {
      return violation(
        Scenario.uncovered,
        """
        The scenario made no call into which a fault can be injected (\(scenario.place)). Make its services with \
        run.intercepted(_:as:), and use them outside of run.withoutFaults.
        """)
    }
    if canFail, !hasEffect {
      return violation(
        Scenario.uncovered,
        """
        No fault had an effect on a call of the scenario (\(scenario.place))\(obstacle.map { ": \($0)" } ?? ""). Use a \
        service whose calls can fail.
        """)
    }
    if let lost = calls.first(where: { faultCounts[$0] == 0 }) {
      return violation(
        Scenario.uncovered,
        """
        \(lost) was made in the run without a fault, but in none of the runs that tried to break it \
        (\(scenario.place)). Is data left over from earlier runs, as in a store that is made only once? Make all that the \
        scenario uses in its closure.
        """)
    }
    // Another part of the sweep may make the check that this one lacks.
    if invariants.isEmpty, options.shard == .whole {
      return violation(
        Scenario.unchecked,
        "The scenario checked no invariant under any schedule (\(scenario.place)). Check one with \(Scenario.waysToCheck)."
      )
    }
    // The same holds for a run in which a screen changes.
    if options.shard == .whole, let violation = SweepReport.Violation(ofUnused: unused.subtracting(used)) {
      return [violation]
    }
    let failingRuns = singles.count { $0.failure != nil }
    guard !invariants.isEmpty, failingRuns > 0, !hasCheckedFailure else { return [] }
    return violation(
      Scenario.unchecked,
      """
      \(Words.count(failingRuns, "fault")) made a call fail, but no invariant was checked after that in any run \
      (\(scenario.place)). Does the scenario return where a call fails, or check only a success? Check what the screen \
      shows then, with \(Scenario.waysToCheck).
      """)
  }

  var report: SweepReport {
    SweepReport(
      scenario: scenario.name, statement: scenario.statement, seed: options.seed,
      pairLimit: options.pairLimit, pairCount: pairCount, pairRuns: pairRuns,
      combinationLimit: options.combinationLimit, interruptedRuns: interruptedRuns,
      combinedRuns: combinedRuns, shards: [options.shard],
      points: points.values.sorted { $0.point < $1.point }.map { seen in
        SweepReport.Point(
          point: seen.point, interaction: seen.interaction.map { "\($0)" } ?? SweepReport.Point.timer,
          faults: faultCounts[seen.point] ?? 0,
          events: [nil, .call].contains(seen.interaction) ? nil : seen.events, isOfAction: seen.action == "")
      },
      unfailing: unfailing.sorted(),
      interruptions: interruptions.sorted { $0.key < $1.key }.map {
        SweepReport.Interruption(name: $0.key, hasEffect: $0.value)
      },
      invariants: invariants.sorted(), unusedInvariants: unused.subtracting(used).sorted(),
      interruptedInvariants: interruptedInvariants.sorted(), runs: runs,
      screens: screens.map { SweepReport.Screen(story: $0.story.result, overview: $0.overview.result) },
      violations: SweepReport.Violation.joined(violations + vacuities),
      untried: untried == SweepReport.Untried() ? nil : untried)
  }
}
