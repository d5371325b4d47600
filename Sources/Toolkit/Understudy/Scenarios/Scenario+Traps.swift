/// A schedule under which the process of a run ended.
package struct SweepTrap: Sendable, Hashable, Codable {
  /// The scenario's name.
  package let scenario: String
  /// The faults and the interruptions, and their calls.
  package let schedule: FaultSchedule
  /// How the process ended.
  package let message: String

  /// Creates a trap.
  package init(scenario: String, schedule: FaultSchedule, message: String) {
    (self.scenario, self.schedule, self.message) = (scenario, schedule, message)
  }

  /// Whether a schedule disturbs the calls of this one as well.
  ///
  /// It would most likely end the process again, at the cost of another one, and the report names calls, too.
  fileprivate func isPart(of other: FaultSchedule) -> Bool {
    schedule.entries.allSatisfy { entry in
      other.entries.contains { $0.point == entry.point && ($0.fault == nil) == (entry.fault == nil) }
    }
  }
}

extension SweepTrap {
  /// Finds the scenario and the schedule of a run in progress in its text.
  ///
  /// - Returns: `nil` if the text is of another scenario, or not whole.
  package init?(_ run: String, of scenarios: [Scenario], message: String) {
    let line = run.prefix { !$0.isNewline }
    for scenario in scenarios where line.hasPrefix(scenario.beginningOfRun) {
      guard let schedule = try? FaultSchedule(typed: line.dropFirst(scenario.beginningOfRun.count)) else {
        continue
      }
      self.init(scenario: scenario.name, schedule: schedule, message: message)
      return
    }
    return nil
  }
}

extension Scenario {
  /// The number of traps after which a sweep stops, because each costs the runs before it a second time.
  package static let trapLimit = 5

  fileprivate var beginningOfRun: String { "  \(name) under " }

  /// What is written if the process ends in a run, in whole lines.
  func textOfRun(under schedule: FaultSchedule, seed: UInt64) -> String {
    """
    \(beginningOfRun)\(schedule)
      To reproduce in a test: \(Self.swift(name, under: schedule, seed: seed))

    """
  }

  /// The outcome of a run that is known to end the process, whatever it would have checked.
  func outcome(of trap: SweepTrap) -> ScenarioOutcome {
    ScenarioOutcome(
      schedule: trap.schedule, screens: [],
      violations: [InvariantViolation(invariant: Self.trapping, message: "\(trap.message) (\(place))")],
      invariants: [], unusedInvariants: [], interruptions: [], seen: [], unfailing: [], unmet: [],
      failure: .trap,
      hasCheckedFailure: true)
  }
}

/// The traps that a sweep has come to.
struct SweepTraps {
  private let known: [FaultSchedule: SweepTrap]
  private var met: [SweepTrap] = []

  init(_ known: [SweepTrap], of scenario: Scenario) {
    self.known = Dictionary(
      known.filter { $0.scenario == scenario.name }.map { ($0.schedule, $0) },
      uniquingKeysWith: { one, _ in one })
  }

  var isEmpty: Bool { met.isEmpty }

  /// Whether the sweep stops.
  var areTooMany: Bool { met.count >= Scenario.trapLimit }

  /// Whether to leave out a schedule, because a part of it has ended the process.
  func leaveOut(_ schedule: FaultSchedule) -> Bool { met.contains { $0.isPart(of: schedule) } }

  /// The trap of a schedule, which the sweep has now come to.
  mutating func take(_ schedule: FaultSchedule) -> SweepTrap? {
    guard let trap = known[schedule] else { return nil }
    if !met.contains(trap) { met.append(trap) }
    return trap
  }
}
