/// Reports of a sweep that do not belong together.
public struct SweepMergeError: Error, Sendable, CustomStringConvertible {
  /// One line: what does not fit, and what to do.
  public let description: String
}

extension SweepReport {
  /// Joins the reports of shards, wherever they were run, into one; all shards together are the sweep in one piece.
  ///
  /// - Returns: One report, with ``missingShards`` if not all were there.
  /// - Throws: `SweepMergeError` if they are not of one sweep, or a shard is there twice.
  public static func merging(_ reports: [SweepReport]) throws(SweepMergeError) -> SweepReport {
    guard var merged = reports.first else {
      throw SweepMergeError(description: "There is no report to merge; name the files of all shards.")
    }
    for report in reports.dropFirst() { try merged.add(report) }
    if merged.missingShards.isEmpty { merged.shards = [.whole] }
    return merged
  }

  private mutating func add(_ other: SweepReport) throws(SweepMergeError) {
    let prefix = "The reports of \(scenario) cannot be merged"
    func check(_ what: String, _ one: String, _ two: String) throws(SweepMergeError) {
      guard one != two else { return }
      throw SweepMergeError(
        description: "\(prefix): \(what) is \(one) in one and \(two) in another. Sweep all shards alike.")
    }
    guard scenario == other.scenario else {
      throw SweepMergeError(
        description: "Reports of two scenarios, \(scenario) and \(other.scenario), are not of one sweep.")
    }
    try check("the seed", "\(seed)", "\(other.seed)")
    try check(
      "the limit of pairs", pairLimit.map { "\($0)" } ?? "all", other.pairLimit.map { "\($0)" } ?? "all")
    try check(
      "the number of shards", "\(shards.first?.count ?? 0)", "\(other.shards.first?.count ?? 0)")
    if let twice = other.shards.first(where: shards.contains) {
      throw SweepMergeError(
        description: "\(prefix): shard \(twice) is there twice. Name each shard's file once.")
    }
    guard statement == other.statement, points == other.points, pairCount == other.pairCount else {
      throw SweepMergeError(
        description: """
          \(prefix): they were made by different versions of the scenario. Sweep all shards with the same build.
          """)
    }
    shards = (shards + other.shards).sorted { $0.number < $1.number }
    invariants = Set(invariants + other.invariants).sorted()
    counts.withoutFault += other.counts.withoutFault
    counts.single += other.counts.single
    counts.pair += other.counts.pair
    runs = (runs + other.runs).sorted { $0.number < $1.number }
    violations = Violation.joined(violations + other.violations)
  }
}

extension SweepReport.Violation {
  /// Violations of one invariant at the same calls become one, with the first schedule.
  static func joined(_ violations: [Self]) -> [Self] {
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
