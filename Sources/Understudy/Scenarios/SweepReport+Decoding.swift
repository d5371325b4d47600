extension SweepReport {
  /// The most schedules that a report can tell of, so that those of many reports can be added up.
  private static let limit = 1 << 40

  private enum Key: String, CodingKey {
    case scenario, statement, seed, pairLimit, pairCount, shards, points, invariants, counts, runs, violations
  }

  /// Reads a report that may come from elsewhere.
  ///
  /// The lines that run a violation again are not taken from it but made anew of the scenario, the schedule and the seed,
  /// because people paste them.
  ///
  /// - Throws: `DecodingError` if members are missing, or contradict one another.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    scenario = try container.decode(String.self, forKey: .scenario)
    statement = try container.decode(String.self, forKey: .statement)
    seed = try container.decode(UInt64.self, forKey: .seed)
    pairLimit = try container.decodeIfPresent(Int.self, forKey: .pairLimit)
    pairCount = try container.decode(Int.self, forKey: .pairCount)
    shards = try container.decode([SweepShard].self, forKey: .shards)
    points = try container.decode([Point].self, forKey: .points)
    invariants = try container.decode([String].self, forKey: .invariants)
    counts = try container.decode(Counts.self, forKey: .counts)
    runs = try container.decode([Run].self, forKey: .runs)
    violations = try container.decode([Violation].self, forKey: .violations)
    for index in violations.indices {
      let schedule = violations[index].schedule
      violations[index].swift = Scenario.swift(scenario, under: schedule, seed: seed)
      violations[index].command = Scenario.command(scenario, under: schedule, seed: seed)
    }

    func require(_ holds: Bool, _ key: Key, _ what: String) throws {
      guard holds else {
        throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: what)
      }
    }
    let isOneSplit = Set(shards.map(\.count)).count == 1 && Set(shards.map(\.number)).count == shards.count
    try require(
      isOneSplit, .shards, "A sweep has one shard or several of one number of shards, each once.")
    try require(
      0...Self.limit ~= pairCount && 0...pairCount ~= counts.pair, .counts,
      "Between none and all of the pairs are run, and there are at most \(Self.limit).")
    // Each is at most the number of runs, so the sum cannot overflow.
    let isCounted =
      0...runs.count ~= counts.withoutFault && 0...runs.count ~= counts.single
      && counts.withoutFault + counts.single == runs.count
    try require(
      isCounted, .counts, "As many schedules with one fault and without are counted as there are runs.")
  }
}
