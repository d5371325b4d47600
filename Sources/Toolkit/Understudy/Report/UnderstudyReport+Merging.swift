extension UnderstudyReport {
  /// Merges the results of several runs.
  ///
  /// The result does not depend on the order of the reports.
  ///
  /// Equal outcomes are merged. If the outcomes of an implementation differ, both are kept, and it counts as flaky; see
  /// `ContractReport.Status`. The shards of a sweep are merged into one sweep.
  ///
  /// - Throws: `ReportError` if the reports cannot be merged, such as those of two versions of a clause.
  package init(merging reports: [UnderstudyReport]) throws(ReportError) {
    self.init()
    var sweeps: [SweepReport] = []
    for report in reports {
      for contract in report.contracts { try add(contract) }
      for agreement in report.agreements { try add(agreement) }
      for matrix in report.mutants { try add(matrix) }
      for report in report.derived { try add(report) }
      // Sweeps are merged last: a merged sweep no longer shows whether a shard is part of it.
      for sweep in report.sweeps where !sweeps.contains(sweep) { sweeps.append(sweep) }
      gaps += report.gaps.filter { !gaps.contains($0) }
    }
    // A sweep with another seed, or with other samples, is a different sweep.
    while let first = sweeps.first {
      let isShardOfIt = { (other: SweepReport) in
        other.scenario == first.scenario && other.seed == first.seed && other.pairLimit == first.pairLimit
          && other.combinationLimit == first.combinationLimit
      }
      self.sweeps.append(try SweepReport(merging: sweeps.filter(isShardOfIt)))
      sweeps.removeAll(where: isShardOfIt)
    }
    sort()
  }

  private mutating func add(_ contract: ContractReport) throws(ReportError) {
    let index = contracts.firstIndex { $0.name == contract.name } ?? contracts.endIndex
    if index == contracts.endIndex { contracts.append(.init(name: contract.name, clauses: [])) }
    for row in contract.clauses { try contracts[index].add(row) }
  }

  private mutating func add(_ agreement: AgreementReport) throws(ReportError) {
    let index = agreements.firstIndex { $0.name == agreement.name } ?? agreements.endIndex
    if index == agreements.endIndex {
      agreements.append(
        .init(
          name: agreement.name, injectionPoints: agreement.injectionPoints, rows: [],
          missing: agreement.missing))
    }
    try agreements[index].add(agreement)
  }

  private mutating func add(_ matrix: KillMatrix) throws(ReportError) {
    guard !mutants.contains(matrix) else { return }
    guard !mutants.contains(where: { $0.contract == matrix.contract }) else {
      throw ReportError("Two reports of the mutants of \(matrix.contract) differ. Pass one of them.")
    }
    mutants.append(matrix)
  }

  private mutating func add(_ report: DerivedMutantReport) throws(ReportError) {
    guard !derived.contains(report) else { return }
    for place in derived.indices where derived[place].add(shard: report) { return }
    guard
      !derived.contains(where: {
        ($0.contract, $0.implementation) == (report.contract, report.implementation)
      })
    else {
      throw ReportError(
        """
        Two reports of the mutants that were derived from \(report.implementation) under \(report.contract) differ. \
        Pass one of them.
        """)
    }
    derived.append(report)
  }

  private mutating func sort() {
    contracts.sort { $0.name < $1.name }
    for index in contracts.indices { contracts[index].sort() }
    agreements.sort { $0.name < $1.name }
    for index in agreements.indices { agreements[index].sort() }
    sweeps.sort {
      ($0.scenario, $0.seed, $0.pairLimit ?? .max, $0.combinationLimit)
        < ($1.scenario, $1.seed, $1.pairLimit ?? .max, $1.combinationLimit)
    }
    mutants.sort { $0.contract < $1.contract }
    derived.sort { ($0.contract, $0.implementation) < ($1.contract, $1.implementation) }
  }
}

extension ContractReport {
  fileprivate mutating func add(_ row: Row) throws(ReportError) {
    let index = clauses.firstIndex { $0.id == row.id } ?? clauses.endIndex
    if index == clauses.endIndex {
      clauses.append(
        .init(
          id: row.id, statement: row.statement, fileID: row.fileID, line: row.line,
          outcomes: []))
    }
    guard clauses[index].statement == row.statement else {
      throw ReportError(
        """
        The clause \(row.id) is “\(clauses[index].statement)” in one report and “\(row.statement)” in another. Merge \
        reports of one version.
        """)
    }
    for cell in row.outcomes {
      let known = clauses[index].outcomes.firstIndex {
        $0.implementation == cell.implementation && $0.outcome == cell.outcome
      }
      // Of equal outcomes, the one with the smallest seed is kept, independent of their order.
      if let known {
        if cell.seed < clauses[index].outcomes[known].seed { clauses[index].outcomes[known] = cell }
      } else {
        clauses[index].outcomes.append(cell)
      }
    }
  }

  fileprivate mutating func sort() {
    clauses.sort { ($0.fileID, $0.line, $0.id) < ($1.fileID, $1.line, $1.id) }
    for index in clauses.indices {
      clauses[index].outcomes.sort { one, other in
        let first = (one.implementation, one.seed, one.outcome.name)
        let second = (other.implementation, other.seed, other.outcome.name)
        return first == second ? "\(one.outcome)" < "\(other.outcome)" : first < second
      }
    }
  }
}

extension AgreementReport {
  fileprivate mutating func add(_ other: AgreementReport) throws(ReportError) {
    guard injectionPoints == other.injectionPoints, missing == other.missing else {
      throw ReportError(
        "Two reports of the faults of \(name) are of different catalogues. Merge reports of one version.")
    }
    for row in other.rows {
      let index = rows.firstIndex { $0.fault == row.fault } ?? rows.endIndex
      if index == rows.endIndex { rows.append(.init(fault: row.fault, expected: row.expected, cells: [])) }
      guard rows[index].expected == row.expected else {
        throw ReportError(
          """
          For \(name) under \(row.fault), “\(rows[index].expected)” is expected in one report and “\(row.expected)” in \
          another. Merge reports of one version.
          """)
      }
      for cell in row.cells where !rows[index].cells.contains(cell) { rows[index].cells.append(cell) }
    }
  }

  /// Sorts the cells by injection point.
  ///
  /// The rows keep the order of the catalogue, which all reports share.
  fileprivate mutating func sort() {
    for index in rows.indices {
      rows[index].cells.sort { one, other in
        let places = [one, other].map { cell in
          injectionPoints.firstIndex(of: cell.injectionPoint) ?? injectionPoints.endIndex
        }
        return (places[0], one.status.rawValue, one.found ?? "")
          < (places[1], other.status.rawValue, other.found ?? "")
      }
    }
  }
}

extension SweepReport {
  /// Merges the shards of a sweep from any machines; all shards together equal the complete sweep.
  ///
  /// If shards are missing, the result lists them in `missingShards`.
  ///
  /// - Throws: `ReportError` if the shards belong to different sweeps, or a shard is passed twice.
  package init(merging reports: [SweepReport]) throws(ReportError) {
    guard var merged = reports.first else {
      throw ReportError("No report to merge. Pass the files of all shards.")
    }
    for report in reports.dropFirst() { try merged.add(report) }
    if merged.missingShards.isEmpty {
      merged.shards = [.whole]
      // A single shard cannot know this of the others.
      if merged.violations.isEmpty, merged.invariants.isEmpty {
        let message =
          "The scenario checked no invariant under any schedule. Check one with \(Scenario.waysToCheck)."
        merged.violations = [Violation(ofSweep: Scenario.unchecked, message)]
      } else if merged.violations.isEmpty {
        merged.violations = Violation(ofUnused: merged.unusedInvariants).map { [$0] } ?? []
      }
    }
    self = merged
  }

  private mutating func add(_ other: SweepReport) throws(ReportError) {
    let prefix = "The sweeps of \(scenario) cannot be merged"
    func check(_ what: String, _ one: String, _ two: String) throws(ReportError) {
      guard one != two else { return }
      throw ReportError("\(prefix): \(what) is \(one) in one and \(two) in another. Sweep all shards alike.")
    }
    try check("the scenario", scenario, other.scenario)
    try check("the seed", "\(seed)", "\(other.seed)")
    try check(
      "the limit of pairs", pairLimit.map { "\($0)" } ?? "all", other.pairLimit.map { "\($0)" } ?? "all")
    try check("the number of combinations", "\(combinationLimit)", "\(other.combinationLimit)")
    try check(
      "the number of shards", "\(shards.first?.count ?? 0)", "\(other.shards.first?.count ?? 0)")
    if let twice = other.shards.first(where: shards.contains) {
      throw ReportError("\(prefix): two different reports have shard \(twice). Pass each shard once.")
    }
    guard statement == other.statement, points == other.points, pairCount == other.pairCount else {
      throw ReportError(
        "\(prefix): they are of different versions of the scenario. Sweep all shards with the same build.")
    }
    shards = (shards + other.shards).sorted { $0.number < $1.number }
    unfailing = Set(unfailing + other.unfailing).sorted()
    interruptions = Interruption.joined(interruptions + other.interruptions)
    invariants = Set(invariants + other.invariants).sorted()
    unusedInvariants.removeAll { !other.unusedInvariants.contains($0) }
    interruptedInvariants = Set(interruptedInvariants + other.interruptedInvariants).sorted()
    pairRuns += other.pairRuns
    interruptedRuns += other.interruptedRuns
    combinedRuns += other.combinedRuns
    runs = (runs + other.runs).sorted { $0.number < $1.number }
    screens = Screen.merged(screens, other.screens)
    violations = Violation.joined(violations + other.violations)
    untried = untried.map { $0 + (other.untried ?? Untried()) } ?? other.untried
  }
}
