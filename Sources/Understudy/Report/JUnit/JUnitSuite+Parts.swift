
extension JUnitSuite {
  init(_ section: ConformanceReport.Section, _ again: Again) {
    self.init(name: section.name)
    for clause in section.clauses {
      for implementation in clause.implementations {
        let cells = clause.outcomes.filter { $0.implementation == implementation }
        var item = Case(
          group: "\(section.name).\(implementation)", name: clause.id,
          place: clause.fileID.isEmpty ? nil : (clause.fileID, clause.line))
        switch clause.verdict(on: implementation) {
        case .skipped: item.ending = .skipped(cells.compactMap(\.outcome.reason).joined(separator: " "))
        case .failed, .flaky:
          let seed = cells.first { $0.outcome.name == "failed" }?.seed ?? 0
          let isFlaky = clause.verdict(on: implementation) == .flaky
          let runs = isFlaky ? cells.map { "It \($0.outcome.name) in a run with seed \($0.seed)." } : []
          let violations = cells.flatMap(\.outcome.violations).map(\.description)
          let commands = again.commands(for: clause.id, of: section.name, seed: seed).map { "Again: \($0)" }
          item.ending = .failed(
            clause.statement, (runs + violations + commands).joined(separator: "\n"))
        case .passed, nil: break
        }
        cases.append(item)
      }
    }
  }

  init(_ agreement: AgreementReport, _ again: Again) {
    self.init(name: "faults of \(agreement.name)")
    let commands = again.commands(forFaultsOf: agreement.name).map { "Again: \($0)" }
    for row in agreement.rows {
      for seam in agreement.seams {
        var item = Case(group: "faults.\(agreement.name).\(seam)", name: row.fault)
        switch row.verdict(at: seam) {
        case nil: continue
        case .agrees: break
        case .impossible: item.ending = .skipped("The fault cannot happen there.")
        case .differs, .flaky:
          let seen = row.cells.filter { $0.seam == seam }.map(\.words)
          item.ending = .failed(
            "Expected \(row.expected), and saw \(seen.joined(separator: "; in another run "))",
            commands.joined(separator: "\n"))
        }
        cases.append(item)
      }
    }
    for fault in agreement.missing {
      cases.append(
        Case(
          group: "faults.\(agreement.name)", name: fault,
          ending: .failed("The table has no row for this fault of the catalogue.", "")))
    }
  }

  init(_ sweep: SweepReport, _ again: Again) {
    self.init(name: "sweep of \(sweep.scenario)")
    let found = sweep.violations.map(\.invariant).filter { !sweep.invariants.contains($0) }
    for invariant in sweep.invariants + Set(found).sorted() {
      let violations = sweep.violations.filter { $0.invariant == invariant }
      var item = Case(group: "sweep.\(sweep.scenario)", name: invariant)
      if let first = violations.first {
        let texts = violations.map { violation in
          ([violation.message, "under \(violation.schedule)", violation.swift]
            + again.commands(behindTool: violation.command).map { "Again: \($0)" }).joined(separator: "\n")
        }
        item.ending = .failed("\(first.message) under \(first.schedule)", texts.joined(separator: "\n\n"))
      }
      cases.append(item)
    }
  }

  init(_ matrix: KillMatrix) {
    self.init(name: "mutants of \(matrix.contract)")
    for clause in matrix.clauses {
      var item = Case(group: "mutants.\(matrix.contract)", name: clause.id)
      if clause.kills.isEmpty {
        let verdicts = clause.cells.map { "\($0.mutant) \($0.verdict.words)" }
        item.ending = .failed("No mutant is killed by this clause.", verdicts.joined(separator: "\n"))
      }
      cases.append(item)
    }
    if !matrix.flaws.isEmpty {
      cases.append(
        Case(
          group: "mutants.\(matrix.contract)", name: "the contract is strong",
          ending: .failed(
            "\(Words.count(matrix.flaws.count, "thing")) missing", matrix.flaws.joined(separator: "\n"))))
    }
  }

  init(gaps: [String]) {
    self.init(name: "report")
    cases = gaps.map { Case(group: "report", name: "is whole", ending: .failed($0, "")) }
  }
}
