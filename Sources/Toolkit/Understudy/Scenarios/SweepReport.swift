import UnderstudyText

/// The result of a sweep of one scenario, or of a shard of it.
package struct SweepReport: Sendable, Hashable, Codable {
  /// The scenario's name.
  package var scenario: String
  /// The user's actions, in a sentence.
  package var statement: String
  /// The source of all randomness.
  package var seed: UInt64
  /// The requested number of pairs; `nil` for all.
  package var pairLimit: Int?
  /// The total number of pairs.
  package var pairCount: Int
  /// The number of pairs that were run in this part.
  package var pairRuns: Int
  /// The requested number of random combinations.
  package var combinationLimit: Int
  /// The number of runs of this part with interruptions.
  package var interruptedRuns: Int
  /// The number of runs of this part with random combinations of faults and interruptions.
  package var combinedRuns: Int
  /// The shards that were run, in order; a complete sweep is its only shard.
  package var shards: [SweepShard]
  /// The calls at which faults were injected, in alphabetical order.
  package var points: [Point]
  /// The operations of calls that no fault can make fail, in alphabetical order.
  package var unfailing: [String] = []
  /// What the interruptions of the scenario did in this part, in alphabetical order.
  package var interruptions: [Interruption] = []
  /// The invariants that were checked, in alphabetical order.
  package var invariants: [String]
  /// Those that checked only the first state of a screen in every run of this part.
  package var unusedInvariants: [String] = []
  /// Those that were checked in runs with an interruption.
  package var interruptedInvariants: [String] = []
  /// The runs of this part without a fault and with one, by number.
  package var runs: [Run]
  /// What the runs of this part showed, a map for each screen that the scenario watches.
  package var screens: [Screen] = []
  /// The failures with the smallest schedules that cause them, by number.
  package var violations: [Violation]
  /// The schedules of this part that were left out because runs were stuck or trapped; `nil` if all were tried.
  package var untried: Untried? = nil

  /// The numbers of schedules that were left out.
  package struct Untried: Sendable, Hashable, Codable {
    /// Schedules with one fault.
    package var faults = 0
    /// Schedules with two faults.
    package var pairs = 0
    /// Whether there are pairs that were not counted, because they depend on faults that were left out.
    package var hasUncountedPairs = false
    /// Schedules with an interruption or a late answer.
    package var interruptions = 0
    /// Random combinations.
    package var combinations = 0
    /// Whether some were left out because of a trap.
    package var isAfterTrap: Bool? = nil

    /// The sum of the parts of a sweep.
    static func + (one: Self, other: Self) -> Self {
      Self(
        faults: one.faults + other.faults, pairs: one.pairs + other.pairs,
        hasUncountedPairs: one.hasUncountedPairs || other.hasUncountedPairs,
        interruptions: one.interruptions + other.interruptions,
        combinations: one.combinations + other.combinations,
        isAfterTrap: one.isAfterTrap ?? other.isAfterTrap)
    }

    fileprivate var words: String {
      let counts = [
        (faults, "fault"), (pairs, "pair"), (interruptions, "interruption"), (combinations, "combination"),
      ]
      let words = counts.filter { $0.0 > 0 }.map { Words.count($0.0, $0.1) }
      return (words + (hasUncountedPairs ? ["all pairs"] : [])).joined(separator: ", ")
    }
  }

  /// A call at which faults were injected.
  package struct Point: Sendable, Hashable, Codable {
    /// The call.
    package let point: FaultPoint
    /// The kind of exchange: `call`, `stream` or `WebSocket`; or `timer`.
    package let interaction: String
    /// The number of single faults that were injected; 0 if the call is made only after another fault.
    package let faults: Int
    /// The number of events that its stream delivered; `nil` for a call.
    package var events: Int? = nil
    /// Whether an action of `ScenarioRun.act` makes the call.
    package var isOfAction = false

    /// The ``interaction`` of a timer, at which only interruptions are tried.
    static let timer = "timer"
  }

  /// An interruption of the scenario.
  package struct Interruption: Sendable, Hashable, Codable {
    /// Its name.
    package let name: String
    /// Whether it made a call, changed a watched state, or changed what followed, in any run.
    package let hasEffect: Bool

    /// One for each name, in alphabetical order.
    static func joined(_ all: [Interruption]) -> [Interruption] {
      Dictionary(all.map { ($0.name, $0.hasEffect) }, uniquingKeysWith: { $0 || $1 })
        .map { Interruption(name: $0, hasEffect: $1) }.sorted { $0.name < $1.name }
    }
  }

  /// The number of events at which faults were injected.
  var events: Int { points.reduce(0) { $0 + min($1.events ?? 0, SingleFaults.eventLimit) } }

  /// The numbers of calls, events, timers, faults and interruptions that the sweep covered, in words.
  package var coverage: String {
    let words = [
      Words.count(counts.single + 2 * counts.pair, "injected fault"),
      Words.count(counts.interrupted, "interruption"), Words.count(counts.combined, "combination"),
    ]
    return ([pointWords(withoutEvents: true)] + words).joined(separator: ", ") + gap
  }

  /// The numbers of calls, events and timers, in words.
  ///
  /// - Parameter withoutEvents: Whether to say that there are no events.
  func pointWords(withoutEvents: Bool) -> String {
    let timers = points.count { $0.interaction == Point.timer }
    var words = [Words.count(points.count - timers, "call")]
    if events > 0 || withoutEvents { words.append(Words.count(events, "event")) }
    if timers > 0 { words.append(Words.count(timers, "timer")) }
    return words.joined(separator: ", ")
  }

  /// What the sweep did not try, in words after semicolons.
  var gap: String {
    var gaps: [String] = []
    if let untried {
      let reason =
        untried.isAfterTrap == true
        ? "left out after a trap" : "stopped after \(Scenario.stuckLimit) stuck runs"
      gaps.append("\(reason), not tried: \(untried.words)")
    }
    if !unfailing.isEmpty {
      gaps.append("never failed: \(Words.list(unfailing.map { "\($0) (cannot fail)" }, atMost: 20))")
    }
    let hasActions = points.contains(where: \.isOfAction)
    if !hasActions, points.contains(where: { $0.interaction != Point.timer }) {
      // URLSession sends a request in a task of its own, which belongs to no action.
      gaps.append(
        "no action was cancelled: run actions with run.act(_:), over a service and not over a URLSession")
    }
    for point in points {
      guard let events = point.events else { continue }
      if events == 0 { gaps.append("the stream of \(point.point) delivered no event") }
      if events > SingleFaults.eventLimit {
        gaps.append(
          "of the \(events) events of \(point.point), only the first \(SingleFaults.eventLimit) were disturbed"
        )
      }
    }
    if !idle.isEmpty { gaps.append("interruptions that changed nothing: \(Words.list(idle, atMost: 20))") }
    let undisturbed = Set(invariants).subtracting(interruptedInvariants).sorted()
    if untried == nil, !interruptions.isEmpty || hasActions, !undisturbed.isEmpty {
      gaps.append("not checked in runs with an interruption: \(Words.list(undisturbed, atMost: 20))")
    }
    return gaps.map { "; \($0)" }.joined()
  }

  /// The interruptions that changed nothing in any run.
  ///
  /// A screen that refuses a second tap during each call is right, and nothing distinguishes that tap from one that does
  /// not reach the screen, so this does not fail.
  private var idle: [String] { interruptions.filter { !$0.hasEffect }.map(\.name) }

  /// The number of schedules that were run.
  package struct Counts: Sendable, Hashable {
    /// The number without a fault: 1, or 0 if it is in another shard.
    package let withoutFault: Int
    /// The number with one fault.
    package let single: Int
    /// The number with two faults.
    package let pair: Int
    /// The number with an interruption.
    package var interrupted = 0
    /// The number with a random combination of faults and interruptions.
    package var combined = 0

    /// The total number.
    package var total: Int { withoutFault + single + pair + interrupted + combined }
  }

  /// A screen in all runs.
  package struct Screen: Sendable, Hashable, Codable {
    /// What users see when nothing goes wrong, step by step, and at each step what they see when something does.
    package var story: ScreenMap
    /// The same without steps: a card for each kind of state.
    package var overview: ScreenMap

    /// The maps of the same screens in several parts of a sweep.
    static func merged(_ one: [Screen], _ other: [Screen]) -> [Screen] {
      (0..<max(one.count, other.count)).map { place in
        let parts = [one, other].compactMap { place < $0.count ? $0[place] : nil }
        return Screen(
          story: ScreenMapBuilder.merged(parts.map(\.story), isOverview: false),
          overview: ScreenMapBuilder.merged(parts.map(\.overview), isOverview: true))
      }
    }
  }

  /// One run of the scenario.
  package struct Run: Sendable, Hashable, Codable {
    /// The number of its schedule in the sweep, from 0.
    package let number: Int
    /// The faults, at most one.
    package let schedule: FaultSchedule
    /// The states that the screen showed, in order.
    package let timeline: [String]
    /// The violated invariants, in the order of the checks.
    package let violated: [String]
  }

  /// A violation of an invariant under a smallest schedule.
  package struct Violation: Sendable, Hashable, Codable {
    /// The name of the invariant.
    package let invariant: String
    /// The actual state.
    package let message: String
    /// The number of the schedule in the sweep, from 0.
    package let number: Int
    /// The faults, none of which can be removed.
    package let schedule: FaultSchedule
    /// The other schedules with faults at the same calls that violate the invariant, by number.
    package internal(set) var others: [FaultSchedule]
    /// The numbers of `others`, in the same order.
    package internal(set) var otherNumbers: [Int]
    /// The states that the screen showed, in order.
    package let timeline: [String]
  }

  /// Whether every invariant held under every schedule.
  package var isClean: Bool { violations.isEmpty }

  /// What a sweep that passes did not try, in a line, and what to do, in another one; `nil` if it tried all that it
  /// could, or fails.
  package var notice: String? {
    guard isClean, !gap.isEmpty else { return nil }
    let advice = """
      An interruption that changed nothing made no call, and no watched state or other call changed. If the screen \
      should ignore it, such as a second tap, this is right. If it should change the screen, watch what it changes with \
      run.watch(_:_:), or remove it.
      """
    return "\(scenario): every invariant holds. Covered: \(coverage)" + (idle.isEmpty ? "" : "\n\(advice)")
  }

  /// The calls at which other schedules break the invariant of a violation, and what occurs there, in a line; `nil` if
  /// no other schedule does.
  ///
  /// - Parameter first: The first violation of its invariant.
  package func others(than first: Violation) -> String? {
    let calls = violations.filter { $0.invariant == first.invariant }.compactMap { violation in
      violation == first
        ? Self.words(violation.others, of: violation, "other ")
        : Self.words([violation.schedule] + violation.others, of: violation, "")
    }
    guard !calls.isEmpty else { return nil }
    let most = 6
    let rest = calls.count > most ? " and \(Words.count(calls.count - most, "more call"))" : ""
    return calls.prefix(most).joined(separator: ", ") + rest
  }

  /// The call or calls of schedules, and what occurs there: one name, or the numbers of what they have.
  private static func words(_ schedules: [FaultSchedule], of violation: Violation, _ adjective: String)
    -> String?
  {
    guard let first = schedules.first else { return nil }
    var points: [FaultPoint] = []
    for entry in violation.schedule.entries where !points.contains(entry.point) { points.append(entry.point) }
    let calls = points.map(\.description).joined(separator: " with ")
    if schedules.count == 1, first.entries.count == 1 { return "\(calls) (\(first.entries[0].name))" }
    let entries = schedules.filter { $0.entries.count == 1 }.flatMap(\.entries)
    let late = entries.count { $0.disturbance == .late }
    let faults = entries.count { $0.fault != nil }
    let counts = [
      (faults, "fault"), (entries.count - faults - late, "interruption"), (late, "late answer"),
      (schedules.count - entries.count, "combination"),
    ]
    let words = counts.filter { $0.0 > 0 }.map { Words.count($0.0, adjective + $0.1) }
    return "\(calls) (\(words.joined(separator: ", ")))"
  }

  /// The number of schedules that were run in this part.
  package var counts: Counts {
    let withoutFault = runs.count { $0.schedule.entries.isEmpty }
    return Counts(
      withoutFault: withoutFault, single: runs.count - withoutFault, pair: pairRuns,
      interrupted: interruptedRuns, combined: combinedRuns)
  }

  /// The missing shards.
  package var missingShards: [SweepShard] {
    guard let count = shards.first?.count else { return [] }
    let present = Set(shards.map(\.number))
    return (1...count).filter { !present.contains($0) }.compactMap { SweepShard($0, of: count) }
  }

  /// A line of Swift for a test that reproduces a violation.
  package func swift(for violation: Violation) -> String {
    violation.isOfSweep
      ? Scenario.swift(scenario, pairLimit: pairLimit, combinationLimit: combinationLimit)
      : Scenario.swift(scenario, under: violation.schedule, seed: seed)
  }

  /// The command-line arguments that run the schedule of a violation.
  package func command(for violation: Violation) -> String {
    violation.isOfSweep
      ? Scenario.command(scenario, pairLimit: pairLimit, combinationLimit: combinationLimit, seed: seed)
      : Scenario.command(scenario, under: violation.schedule, seed: seed)
  }
}

extension SweepReport {
  /// The maximum number of pairs in a report, so that the numbers of many reports can be added.
  private static let mostPairs = Int(clamping: Int64(1) << 40)

  /// Decodes a report, which another machine may have written.
  ///
  /// - Throws: `DecodingError` if members are missing or inconsistent.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    scenario = try container.decode(String.self, forKey: .scenario)
    statement = try container.decode(String.self, forKey: .statement)
    seed = try container.decode(UInt64.self, forKey: .seed)
    pairLimit = try container.decodeIfPresent(Int.self, forKey: .pairLimit)
    pairCount = try container.decode(Int.self, forKey: .pairCount)
    pairRuns = try container.decode(Int.self, forKey: .pairRuns)
    combinationLimit = try container.decode(Int.self, forKey: .combinationLimit)
    interruptedRuns = try container.decode(Int.self, forKey: .interruptedRuns)
    combinedRuns = try container.decode(Int.self, forKey: .combinedRuns)
    shards = try container.decode([SweepShard].self, forKey: .shards)
    points = try container.decode([Point].self, forKey: .points)
    unfailing = try container.decodeIfPresent([String].self, forKey: .unfailing) ?? []
    interruptions = try container.decode([Interruption].self, forKey: .interruptions)
    invariants = try container.decode([String].self, forKey: .invariants)
    unusedInvariants = try container.decodeIfPresent([String].self, forKey: .unusedInvariants) ?? []
    interruptedInvariants = try container.decode([String].self, forKey: .interruptedInvariants)
    runs = try container.decode([Run].self, forKey: .runs)
    screens = try container.decodeIfPresent([Screen].self, forKey: .screens) ?? []
    violations = try container.decode([Violation].self, forKey: .violations)
    untried = try container.decodeIfPresent(Untried.self, forKey: .untried)

    func require(_ holds: Bool, _ key: CodingKeys, _ message: String) throws {
      guard holds else {
        throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: message)
      }
    }
    try require(
      Set(shards.map(\.count)).count == 1 && Set(shards.map(\.number)).count == shards.count, .shards,
      "expected different shards of one sweep, found \(shards.isEmpty ? "none" : "\(shards)")")
    try require(
      screens.allSatisfy { $0.story.isValid && $0.overview.isValid }, .screens,
      "expected cards with states, arrows between them, and counts from 0 to \(Self.mostPairs)")
    try require(
      0...Self.mostPairs ~= pairCount, .pairCount, "expected 0 to \(Self.mostPairs), found \(pairCount)")
    for (key, count) in [
      (CodingKeys.combinationLimit, combinationLimit), (.interruptedRuns, interruptedRuns),
      (.combinedRuns, combinedRuns), (.untried, untried?.faults ?? 0), (.untried, untried?.pairs ?? 0),
      (.untried, untried?.interruptions ?? 0), (.untried, untried?.combinations ?? 0),
    ] {
      try require(0...Self.mostPairs ~= count, key, "expected 0 to \(Self.mostPairs), found \(count)")
    }
    try require(0...pairCount ~= pairRuns, .pairRuns, "expected 0 to \(pairCount), found \(pairRuns)")
  }
}

extension SweepReport.Violation {
  /// Whether it is one of the sweep as a whole, which the run of its schedule does not show.
  package var isOfSweep: Bool { [Scenario.uncovered, Scenario.unchecked].contains(invariant) }

  /// Creates a violation of the sweep as a whole, which would pass whatever the service does.
  init(ofSweep invariant: String, _ message: String, timeline: [String] = []) {
    self.init(
      invariant: invariant, message: message, number: 0, schedule: [], others: [], otherNumbers: [],
      timeline: timeline)
  }

  /// Creates a violation for invariants that checked only the first state of a screen in every run of a sweep; `nil`
  /// without one.
  init?(ofUnused invariants: some Collection<String>) {
    if invariants.isEmpty { return nil }
    self.init(
      ofSweep: Scenario.unchecked,
      """
      run.always checked only the first state of its screen in every run: \
      \(Words.list(invariants.sorted(), atMost: 20)). The screen did not change after that. Pass it the screen \
      that the scenario uses, before the first action, or remove it.
      """)
  }

  /// Merges violations of one invariant at the same calls, keeping the first schedule.
  package static func joined(_ violations: [Self]) -> [Self] {
    struct Key: Hashable {
      let invariant: String
      let points: [FaultPoint]
    }
    let groups = Dictionary(grouping: violations) { violation in
      Key(invariant: violation.invariant, points: violation.schedule.entries.map(\.point))
    }
    return groups.values.compactMap { group -> Self? in
      guard var first = group.min(by: { $0.number < $1.number }) else { return nil }
      var others: [(number: Int, schedule: FaultSchedule)] = []
      for violation in group {
        others.append((violation.number, violation.schedule))
        others += zip(violation.otherNumbers, violation.others).map { ($0, $1) }
      }
      others = others.filter { $0.number != first.number }.sorted { $0.number < $1.number }
      // Random combinations can repeat a schedule.
      var known: Set<FaultSchedule> = [first.schedule]
      others = others.filter { known.insert($0.schedule).inserted }
      (first.otherNumbers, first.others) = (others.map(\.number), others.map(\.schedule))
      return first
    }.sorted { ($0.number, $0.invariant) < ($1.number, $1.invariant) }
  }
}

/// The options of a sweep.
package struct SweepOptions: Sendable, Hashable {
  /// The seed of all randomness: the sample of pairs, and the random values of the scenario.
  package var seed: UInt64
  /// The number of pairs of faults to sample; `nil` for all pairs.
  package var pairLimit: Int?
  /// The number of random combinations of up to three faults and interruptions.
  package var combinationLimit: Int
  /// The part of the schedules to run.
  package var shard: SweepShard
  /// How long the process may be idle before a run is abandoned as `Scenario.stuck`.
  package var stallLimit: Duration
  /// The schedules that are known to end the process, of any scenario.
  package var traps: [SweepTrap] = []

  /// Creates options; a negative limit is 0.
  package init(
    seed: UInt64 = 0, pairLimit: Int? = 500, combinationLimit: Int = 100, shard: SweepShard = .whole,
    stallLimit: Duration = StallMonitor.idleLimit
  ) {
    self.seed = seed
    self.pairLimit = pairLimit.map { max(0, $0) }
    self.combinationLimit = max(0, combinationLimit)
    self.shard = shard
    self.stallLimit = stallLimit
  }
}

/// The progress of a sweep.
package struct SweepProgress: Sendable, Hashable {
  /// A part of a sweep, by what its schedules have.
  package enum Stage: String, Sendable {
    case plain, faults, pairs, interruptions, combinations
  }

  /// The current part.
  package let stage: Stage
  /// The number of schedules of this kind that have been run.
  package let done: Int
  /// The total number of schedules of this kind.
  package let total: Int
  /// The current schedule; `nil` for a combination, which grows while it runs.
  package let schedule: FaultSchedule?
  /// The schedules whose runs were stuck so far.
  package let stuck: [FaultSchedule]

  /// A line about a stuck run that is later than a number of others; `nil` if no other was.
  package func notice(of scenario: Scenario, after known: Int) -> String? {
    guard stuck.count > known, let schedule = stuck.last else { return nil }
    return "\(scenario) is stuck under \(schedule). The sweep goes on, and stops at the next stuck run."
  }
}

/// A part of the schedules of a sweep: every nth schedule, so that each part has all kinds.
package struct SweepShard: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The number of the part, starting at one.
  package let number: Int
  /// The total number of parts.
  package let count: Int

  /// The part that contains all schedules.
  package static let whole: SweepShard = SweepShard(unchecked: 1, of: 1)

  /// A larger number is a mistake, and a report lists each missing part.
  private static let mostParts = 10_000

  /// Creates a part; `nil` if the number is not between one and the count, or the count exceeds 10,000.
  package init?(_ number: Int, of count: Int) {
    guard 1...Self.mostParts ~= count, 1...count ~= number else { return nil }
    self.init(unchecked: number, of: count)
  }

  /// Decodes a part.
  ///
  /// - Throws: `DecodingError` if the number is not between one and the count.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let number = try values.decode(Int.self, forKey: .number)
    let count = try values.decode(Int.self, forKey: .count)
    guard let shard = SweepShard(number, of: count) else {
      throw DecodingError.dataCorruptedError(
        forKey: .number, in: values, debugDescription: "shard \(number)/\(count) does not exist")
    }
    self = shard
  }

  private enum CodingKeys: String, CodingKey {
    case number, count
  }

  /// Creates a part from text: `2/8`.
  package init?(typed text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1] else { return nil }
    self.init(number, of: count)
  }

  private init(unchecked number: Int, of count: Int) {
    self.number = number
    self.count = count
  }

  /// Whether the part contains the schedule with this number.
  func contains(_ schedule: Int) -> Bool { schedule % count == number - 1 }

  /// The part as text: `2/8`.
  package var description: String { "\(number)/\(count)" }
}
