import UnderstudyContracts
import UnderstudyDoubles

extension Report {
  /// Adds what another run found, of other parts or of the same.
  ///
  /// The same outcome twice is one. Where an implementation fared differently, both outcomes stay, and it counts as
  /// flaky: see ``ConformanceReport/Verdict``.
  ///
  /// - Throws: ``ReportError`` if the reports do not belong together, such as those of two versions of a clause.
  public mutating func merge(_ other: Report) throws(ReportError) {
    for section in other.contracts {
      if let index = contracts.firstIndex(where: { $0.name == section.name }) {
        for row in section.clauses { try contracts[index].merge(row) }
      } else {
        contracts.append(section)
      }
    }
    for agreement in other.agreements {
      if let index = agreements.firstIndex(where: { $0.name == agreement.name }) {
        try agreements[index].merge(agreement)
      } else {
        agreements.append(agreement)
      }
    }
    for sweep in other.sweeps { try merge(sweep) }
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
    guard let index = clauses.firstIndex(where: { $0.id == row.id }) else {
      clauses.append(row)
      return
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
