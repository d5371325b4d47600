
extension Report {
  /// What several runs found, in whatever order they are given.
  ///
  /// The shards of a sweep are joined at last, so that one that is given twice is known as the same: of shards that are
  /// joined nobody knows any more what each of them found.
  ///
  /// - Throws: As ``merge(_:)``.
  public static func merging(_ reports: [Report]) throws(ReportError) -> Report {
    var merged = Report()
    var sweeps: [SweepReport] = []
    for var report in reports {
      for sweep in report.sweeps where !sweeps.contains(sweep) { sweeps.append(sweep) }
      report.sweeps = []
      try merged.merge(report)
    }
    for sweep in sweeps { try merged.merge(sweep) }
    return merged
  }

  /// Adds what another run found, of other parts or of the same.
  ///
  /// The same outcome twice is one. Where an implementation fared differently, both outcomes stay, and it counts as
  /// flaky: see ``ConformanceReport/Verdict``.
  ///
  /// - Throws: ``ReportError`` if the reports do not belong together, such as those of two versions of a clause.
  public mutating func merge(_ other: Report) throws(ReportError) {
    for section in other.contracts {
      let index = contracts.firstIndex { $0.name == section.name } ?? contracts.endIndex
      if index == contracts.endIndex { contracts.append(.init(name: section.name, clauses: [])) }
      for row in section.clauses { try contracts[index].merge(row) }
    }
    for agreement in other.agreements {
      let index = agreements.firstIndex { $0.name == agreement.name } ?? agreements.endIndex
      if index == agreements.endIndex {
        agreements.append(
          .init(name: agreement.name, seams: agreement.seams, rows: [], missing: agreement.missing))
      }
      try agreements[index].merge(agreement)
    }
    var known: [SweepReport] = []
    for sweep in other.sweeps where !known.contains(sweep) {
      known.append(sweep)
      try merge(sweep)
    }
    for matrix in other.mutants where !mutants.contains(matrix) {
      guard !mutants.contains(where: { $0.contract == matrix.contract }) else {
        throw ReportError(
          "There are two different reports of the mutants of \(matrix.contract). Give one of them.")
      }
      mutants.append(matrix)
    }
    gaps += other.gaps.filter { !gaps.contains($0) }
  }

  private mutating func merge(_ sweep: SweepReport) throws(ReportError) {
    guard !sweeps.contains(sweep) else { return }
    // With another seed, or another sample of the pairs, it is another sweep.
    let index = sweeps.firstIndex {
      $0.scenario == sweep.scenario && $0.seed == sweep.seed && $0.pairLimit == sweep.pairLimit
    }
    guard let index else {
      sweeps.append(sweep)
      return
    }
    do {
      sweeps[index] = try SweepReport.merging([sweeps[index], sweep])
    } catch {
      throw ReportError(error.description)
    }
  }
}

extension ConformanceReport.Section {
  fileprivate mutating func merge(_ row: ConformanceReport.Row) throws(ReportError) {
    let index = clauses.firstIndex { $0.id == row.id } ?? clauses.endIndex
    if index == clauses.endIndex {
      clauses.append(
        .init(
          id: row.id, statement: row.statement, level: row.level, fileID: row.fileID, line: row.line,
          outcomes: []))
    }
    guard clauses[index].statement == row.statement, clauses[index].level == row.level else {
      throw ReportError(
        """
        The clause \(row.id) promises “\(clauses[index].statement)” in one report and “\(row.statement)” in another. \
        Join reports of one version.
        """)
    }
    for cell in row.outcomes {
      let isKnown = clauses[index].outcomes.contains {
        $0.implementation == cell.implementation && $0.outcome == cell.outcome
      }
      if !isKnown { clauses[index].outcomes.append(cell) }
    }
  }
}
