/// What a sweep of one scenario found: a value that can be stored, drawn, and joined with those of other shards.
public struct SweepReport: Sendable, Hashable, Codable {
  /// The scenario's name.
  public var scenario: String
  /// What happens in the scenario, in a sentence.
  public var statement: String
  /// What everything random came from.
  public var seed: UInt64
  /// How many of the pairs were to be tried; `nil` is all.
  public var pairLimit: Int?
  /// How many pairs there are.
  public var pairCount: Int
  /// Which parts of the sweep this is, in order; a sweep in one piece is its only part.
  public var shards: [SweepShard]
  /// The calls at which faults were put in, each time it ran without a fault and with one; in the order of the alphabet.
  public var points: [Point]
  /// The invariants that were looked at, in the order of the alphabet.
  public var invariants: [String]
  /// How many schedules were run, of those that are this part's.
  public var counts: Counts
  /// The run without a fault and each run with one, as far as they are this part's, by their numbers.
  public var runs: [Run]
  /// What went wrong, with the smallest schedules under which it does, by their numbers.
  public var violations: [Violation]

  /// A call at which faults were put in.
  public struct Point: Sendable, Hashable, Codable {
    /// The call.
    public var point: FaultPoint
    /// What the caller gets: `call`, `stream` or `WebSocket`.
    public var interaction: String
    /// How many faults were put in there alone; none where the call is made only after another fault.
    public var faults: Int
  }

  /// How many schedules were run.
  public struct Counts: Sendable, Hashable, Codable {
    /// Without a fault: one, or none where it is another shard's.
    public var withoutFault = 0
    /// With one fault.
    public var single = 0
    /// With two.
    public var pair = 0

    /// All of them.
    public var total: Int { withoutFault + single + pair }
  }

  /// One run of the scenario.
  public struct Run: Sendable, Hashable, Codable {
    /// The number of its schedule in the sweep, from 0.
    public var number: Int
    /// The faults; one at most.
    public var schedule: FaultSchedule
    /// What the screen showed, in order.
    public var timeline: [String]
    /// The invariants that were violated, in the order in which that was found.
    public var violated: [String]
  }

  /// An invariant that does not hold under some faults.
  public struct Violation: Sendable, Hashable, Codable {
    /// The name of the invariant.
    public var invariant: String
    /// What was found in its place.
    public var message: String
    /// The number of the schedule in the sweep, from 0.
    public var number: Int
    /// The faults: none of them can be left out.
    public var schedule: FaultSchedule
    /// The schedules with other faults at the same calls under which it does not hold either, by their numbers.
    public var others: [FaultSchedule]
    /// The numbers of ``others``, in the same order.
    public var otherNumbers: [Int]
    /// What the screen showed, in order.
    public var timeline: [String]
    /// A line of Swift for a test, which fails as the sweep did.
    public var swift: String
    /// What to say behind the name of the tool to run this schedule again.
    public var command: String
  }

  /// Whether every invariant held under every schedule.
  public var isClean: Bool { violations.isEmpty }

  /// The shards that are missing, of those that there are.
  public var missingShards: [SweepShard] {
    guard let count = shards.first?.count else { return [] }
    let present = Set(shards.map(\.number))
    return (1...count).filter { !present.contains($0) }.compactMap { SweepShard($0, of: count) }
  }
}
