/// The result of a sweep of one scenario, or of a shard of it.
public struct SweepReport: Sendable, Hashable, Codable {
  /// The scenario's name.
  public package(set) var scenario: String
  /// What happens in the scenario, in a sentence.
  public package(set) var statement: String
  /// The source of everything random.
  public package(set) var seed: UInt64
  /// The requested number of pairs; `nil` is all.
  public package(set) var pairLimit: Int?
  /// How many pairs there are.
  public package(set) var pairCount: Int
  /// How many pairs were run, of those that are this part's.
  public package(set) var pairRuns: Int
  /// The shards that were run, in order; a sweep in one piece is its only shard.
  public package(set) var shards: [SweepShard]
  /// The calls at which faults were injected, in alphabetical order.
  public package(set) var points: [Point]
  /// The invariants that were checked, in alphabetical order.
  public package(set) var invariants: [String]
  /// The run without a fault and each run with one, as far as they are this part's, by their numbers.
  public package(set) var runs: [Run]
  /// The failures, with the smallest schedules that cause them, by their numbers.
  public package(set) var violations: [Violation]

  /// A call at which faults were injected.
  public struct Point: Sendable, Hashable, Codable {
    /// The call.
    public let point: FaultPoint
    /// What the caller receives: `call`, `stream` or `WebSocket`.
    public let interaction: String
    /// How many faults were injected there alone; none where the call is made only after another fault.
    public let faults: Int
  }

  /// How many schedules were run.
  public struct Counts: Sendable, Hashable {
    /// Without a fault: one, or none where it is in another shard.
    public let withoutFault: Int
    /// With one fault.
    public let single: Int
    /// With two.
    public let pair: Int

    /// All of them.
    public var total: Int { withoutFault + single + pair }
  }

  /// One run of the scenario.
  public struct Run: Sendable, Hashable, Codable {
    /// The number of its schedule in the sweep, from 0.
    public let number: Int
    /// The faults; one at most.
    public let schedule: FaultSchedule
    /// What the screen showed, in order.
    public let timeline: [String]
    /// The invariants that were violated, in the order in which they were checked.
    public let violated: [String]
  }

  /// An invariant that does not hold under some faults.
  public struct Violation: Sendable, Hashable, Codable {
    /// The name of the invariant.
    public let invariant: String
    /// What was found instead.
    public let message: String
    /// The number of the schedule in the sweep, from 0.
    public let number: Int
    /// The faults, none of which can be left out.
    public let schedule: FaultSchedule
    /// The schedules with other faults at the same calls that violate it too, by their numbers.
    public internal(set) var others: [FaultSchedule]
    /// The numbers of ``others``, in the same order.
    public internal(set) var otherNumbers: [Int]
    /// What the screen showed, in order.
    public let timeline: [String]
  }

  /// Whether every invariant held under every schedule.
  public var isClean: Bool { violations.isEmpty }

  /// How many schedules were run, of those that are this part's.
  public var counts: Counts {
    let withoutFault = runs.count { $0.schedule.entries.isEmpty }
    return Counts(withoutFault: withoutFault, single: runs.count - withoutFault, pair: pairRuns)
  }

  /// The missing shards.
  public var missingShards: [SweepShard] {
    guard let count = shards.first?.count else { return [] }
    let present = Set(shards.map(\.number))
    return (1...count).filter { !present.contains($0) }.compactMap { SweepShard($0, of: count) }
  }

  /// A line of Swift for a test that fails as the sweep did.
  public func swift(for violation: Violation) -> String {
    Scenario.swift(scenario, under: violation.schedule, seed: seed)
  }

  /// The arguments of the command-line tool that run the schedule of a violation.
  public func command(for violation: Violation) -> String {
    Scenario.command(scenario, under: violation.schedule, seed: seed)
  }
}

extension SweepReport {
  /// The most pairs that a report can hold, so that the numbers of many reports can be added.
  private static let mostPairs = 1 << 40

  /// Reads a report, which another machine may have written.
  ///
  /// - Throws: `DecodingError` if members are missing, or contradict one another.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    scenario = try container.decode(String.self, forKey: .scenario)
    statement = try container.decode(String.self, forKey: .statement)
    seed = try container.decode(UInt64.self, forKey: .seed)
    pairLimit = try container.decodeIfPresent(Int.self, forKey: .pairLimit)
    pairCount = try container.decode(Int.self, forKey: .pairCount)
    pairRuns = try container.decode(Int.self, forKey: .pairRuns)
    shards = try container.decode([SweepShard].self, forKey: .shards)
    points = try container.decode([Point].self, forKey: .points)
    invariants = try container.decode([String].self, forKey: .invariants)
    runs = try container.decode([Run].self, forKey: .runs)
    violations = try container.decode([Violation].self, forKey: .violations)

    func require(_ holds: Bool, _ key: CodingKeys, _ message: String) throws {
      guard holds else {
        throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: message)
      }
    }
    try require(
      Set(shards.map(\.count)).count == 1 && Set(shards.map(\.number)).count == shards.count, .shards,
      "expected different shards of one sweep, found \(shards.isEmpty ? "none" : "\(shards)")")
    try require(
      0...Self.mostPairs ~= pairCount, .pairCount, "expected 0 to \(Self.mostPairs), found \(pairCount)")
    try require(0...pairCount ~= pairRuns, .pairRuns, "expected 0 to \(pairCount), found \(pairRuns)")
  }
}

extension SweepReport.Violation {
  /// Violations of one invariant at the same calls become one, with the first schedule.
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
      let others = group.flatMap { violation in
        [(violation.number, violation.schedule)] + Array(zip(violation.otherNumbers, violation.others))
      }.filter { $0.0 != first.number }.sorted { $0.0 < $1.0 }
      first.otherNumbers = others.map(\.0)
      first.others = others.map(\.1)
      return first
    }.sorted { ($0.number, $0.invariant) < ($1.number, $1.invariant) }
  }
}
