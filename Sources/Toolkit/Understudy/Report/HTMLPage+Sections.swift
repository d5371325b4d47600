import UnderstudyText

// MARK: - Contracts

extension HTMLPage {
  mutating func contracts() -> Markup {
    var markup = Markup()
    markup.literal(
      """
      <p class="lead">What every implementation of a service must do, clause by clause. A clause that cannot be tested on an \
      implementation is skipped, with the reason.</p>
      """)
    for section in report.contracts { card(section, into: &markup) }
    return markup
  }

  private mutating func card(_ section: ContractReport, into markup: inout Markup) {
    let implementations = section.implementations
    let rows = section.clauses.map { clause in
      let anchor = nextAnchor()
      for name in implementations {
        guard let status = clause.status(on: name), status.isFailure else { continue }
        failures.append(
          (anchor, "\(name) \(status == .flaky ? "does not always keep" : "breaks") \(clause.id)"))
      }
      return (anchor, row(clause, of: section.name, on: implementations))
    }
    let columns = implementations.map { name in
      let statuses = section.clauses.compactMap { $0.status(on: name) }
      return (name, "\(statuses.count { $0 == .passed }) of \(statuses.count)")
    }
    let hasFailed = rows.contains { $0.1.kind == "failed" }
    markup.element("section", ["class": "card"]) { markup in
      markup.element("h3", ["class": hasFailed ? "bad" : nil]) { markup in
        markup.write(section.name)
        markup.element("small", Words.count(section.clauses.count, "clause"))
      }
      matrix("Clause", columns: columns, rows: rows, into: &markup)
    }
  }

  private func row(
    _ clause: ContractReport.Row, of contract: String, on implementations: [String]
  ) -> MatrixRow {
    let statuses = implementations.map { clause.status(on: $0) }
    let hasFailed = statuses.contains { $0?.isFailure == true }
    let kind = hasFailed ? "failed" : statuses.contains(.skipped) ? "skipped" : "passed"
    return MatrixRow(kind: kind, marks: statuses.map { $0?.rawValue }) { markup in
      markup.element("span", ["class": "words"], clause.statement)
      markup.element("code", clause.id)
    } more: { markup in
      markup.element("p", ["class": "place"]) { markup in
        if !clause.fileID.isEmpty { markup.element("code", "\(clause.fileID):\(clause.line)") }
      }
      for group in clause.groups { outcome(group, of: clause, into: &markup) }
      let seeds = clause.outcomes.map(\.seed)
      let seed = clause.outcomes.first { $0.outcome.name == "failed" }?.seed ?? seeds.first ?? 0
      commands(rerun.commands(forClause: clause.id, of: contract, seed: seed), into: &markup)
    }
  }

  /// Writes an outcome with its implementations.
  private func outcome(
    _ group: (outcome: Outcome, cells: [ContractReport.Cell]), of clause: ContractReport.Row,
    into markup: inout Markup
  ) {
    let isFlaky = group.cells.contains { clause.status(on: $0.implementation) == .flaky }
    guard group.outcome != .passed || isFlaky else { return }
    let names = group.cells.map { cell in
      cell.implementation
        + (clause.status(on: cell.implementation) == .flaky ? " in a run with seed \(cell.seed)" : "")
    }
    markup.element("div", ["class": "outcome \(isFlaky ? "flaky" : group.outcome.name)"]) { markup in
      markup.element("p") { markup in
        markup.element("strong", names.joined(separator: ", "))
        markup.write(" \(group.outcome.name)" + (group.outcome.reason.map { ": \($0)" } ?? ""))
      }
      if !group.outcome.violations.isEmpty {
        markup.element("ul") { markup in
          for violation in group.outcome.violations {
            markup.element("li") { markup in
              markup.write(violation.message)
              if !violation.fileID.isEmpty {
                markup.write(" ")
                markup.element("code", "\(violation.fileID):\(violation.line)")
              }
            }
          }
        }
      }
    }
  }
}

extension ContractReport.Row {
  /// The cells grouped by outcome: implementations with equal outcomes are listed together.
  fileprivate var groups: [(outcome: Outcome, cells: [ContractReport.Cell])] {
    outcomes.reduce(into: []) { groups, cell in
      if let index = groups.firstIndex(where: { $0.outcome == cell.outcome }) {
        groups[index].cells.append(cell)
      } else {
        groups.append((cell.outcome, [cell]))
      }
    }
  }
}

// MARK: - Agreements

extension HTMLPage {
  mutating func agreements() -> Markup {
    var markup = Markup()
    markup.literal(
      """
      <p class="lead">What each fault looks like at each injection point: a double of the service throws it, a transport or a backend \
      injects it, or it happens on a socket. Some faults cannot happen everywhere.</p>
      """)
    for agreement in report.agreements { card(agreement, into: &markup) }
    return markup
  }

  private mutating func card(_ agreement: AgreementReport, into markup: inout Markup) {
    let rows = agreement.rows.map { row in
      let anchor = nextAnchor()
      for injectionPoint in agreement.injectionPoints {
        guard row.status(at: injectionPoint)?.isFailure == true else { continue }
        failures.append(
          (anchor, "\(agreement.name): \(row.fault) at the \(injectionPoint) is not as expected"))
      }
      return (anchor, self.row(row, of: agreement))
    }
    let columns = agreement.injectionPoints.map { injectionPoint in
      let statuses = agreement.rows.compactMap { $0.status(at: injectionPoint) }.filter { $0 != .impossible }
      return (injectionPoint, "\(statuses.count { $0 == .agrees }) of \(statuses.count)")
    }
    let anchor = nextAnchor()
    if !agreement.missing.isEmpty {
      let faults = Words.count(agreement.missing.count, "fault")
      failures.append((anchor, "\(agreement.name) was not tested with \(faults) of the catalogue"))
    }
    let isBad = agreement.disagreements > 0 || !agreement.missing.isEmpty
    markup.element("section", ["class": "card", "id": anchor]) { markup in
      markup.element("h3", ["class": isBad ? "bad" : nil]) { markup in
        markup.write(agreement.name)
        markup.element(
          "small",
          "\(Words.count(agreement.rows.count, "fault")) in \(Words.count(agreement.places, "place"))")
      }
      if !agreement.missing.isEmpty {
        markup.element(
          "p", ["class": "outcome failed"],
          "Not tested: \(agreement.missing.joined(separator: ", ")).")
      }
      matrix("Fault, and what is expected", columns: columns, rows: rows, into: &markup)
    }
  }

  private func row(_ row: AgreementReport.Row, of agreement: AgreementReport) -> MatrixRow {
    MatrixRow(
      kind: row.disagrees ? "failed" : "passed",
      marks: agreement.injectionPoints.map { row.status(at: $0)?.rawValue }
    ) { markup in
      markup.element("span", ["class": "words"], row.fault)
      markup.element("span", ["class": "under"], row.expected)
    } more: { markup in
      for cell in row.cells where row.status(at: cell.injectionPoint)?.isFailure == true {
        markup.element("div", ["class": "outcome failed"]) { markup in
          markup.element("p") { markup in
            markup.element("strong", cell.injectionPoint)
            markup.write(row.status(at: cell.injectionPoint) == .flaky ? " in one run: " : ": ")
            markup.write(cell.words)
          }
        }
      }
      let impossible = row.cells.filter { row.status(at: $0.injectionPoint) == .impossible }.map(
        \.injectionPoint)
      if !impossible.isEmpty {
        markup.element("p", ["class": "place"], "Cannot happen at the \(impossible.joined(separator: ", ")).")
      }
      commands(rerun.commands(forFaultsOf: agreement.name), into: &markup)
    }
  }
}

// MARK: - Sweeps

extension HTMLPage {
  mutating func sweeps() -> Markup {
    var markup = Markup()
    markup.literal(
      """
      <p class="lead">Scenarios, run under every fault at every call that they make, under pairs of them, and with \
      interruptions. A map shows every state of the screen, and what led to it.</p>
      """)
    for sweep in report.sweeps { card(sweep, into: &markup) }
    return markup
  }

  private mutating func card(_ sweep: SweepReport, into markup: inout Markup) {
    var maps = Markup()
    for (number, screen) in sweep.screens.enumerated() {
      self.maps(of: screen, number: number + 1, of: sweep, into: &maps)
    }
    let anchors = sweep.violations.map { violation in
      let anchor = nextAnchor()
      failures.append(
        (anchor, "\(sweep.scenario): \(violation.invariant) does not hold under \(violation.schedule)"))
      return anchor
    }
    let missing = report.isShard ? nil : sweep.missing
    let kind = !sweep.isClean ? "failed" : missing == nil ? "passed" : "skipped"
    markup.element("section", ["class": "card sweep \(kind)"]) { markup in
      markup.element("h3", ["class": sweep.isClean && missing == nil ? nil : "bad"]) { markup in
        markup.write(sweep.scenario)
        markup.element("small", Words.count(sweep.counts.total, "schedule"))
      }
      markup.element("p", sweep.statement)
      markup.element("p", ["class": "place"], sweep.extent)
      let broken = Set(sweep.violations.map(\.invariant))
      let kept = sweep.invariants.filter { !broken.contains($0) }
      if !kept.isEmpty {
        markup.element("ul", ["class": "kept"]) { markup in
          for invariant in kept { markup.element("li", invariant) }
        }
      }
      if let missing { markup.element("p", ["class": "outcome failed"], missing) }
      for (anchor, violation) in zip(anchors, sweep.violations) {
        self.violation(violation, of: sweep, at: anchor, into: &markup)
      }
      markup.append(maps)
    }
  }

  private func violation(
    _ violation: SweepReport.Violation, of sweep: SweepReport, at anchor: String,
    into markup: inout Markup
  ) {
    markup.element("section", ["class": "outcome failed", "id": anchor]) { markup in
      markup.element("h4") { markup in
        markup.element("code", violation.invariant)
        markup.write(" does not hold")
      }
      markup.element("p", violation.message)
      markup.element("p") { markup in
        markup.write("under ")
        for (index, entry) in violation.schedule.entries.enumerated() {
          if index > 0 { markup.write(" and ") }
          markup.element("code", "\(entry)")
        }
        if violation.schedule.entries.isEmpty { markup.write("no fault") }
      }
      if !violation.others.isEmpty {
        markup.element("details") { markup in
          markup.element(
            "summary",
            "also under \(Words.count(violation.others.count, "schedule")) with other faults at the same calls"
          )
          markup.element("ul") { markup in
            for other in violation.others { markup.element("li") { $0.element("code", "\(other)") } }
          }
        }
      }
      timeline(violation.timeline, of: sweep, into: &markup)
      markup.element("pre") { $0.element("code", sweep.swift(for: violation)) }
      commands(rerun.commands(for: violation, of: sweep), into: &markup)
    }
  }
}

// MARK: - Mutants

extension HTMLPage {
  mutating func mutants() -> Markup {
    var markup = Markup()
    markup.literal(
      """
      <p class="lead">How strong the contracts are. A mutant is an implementation with one mistake; a clause that no \
      mutant breaks might hold for anything.</p>
      """)
    for matrix in report.mutants { card(matrix, into: &markup) }
    for derived in report.derived { card(derived, into: &markup) }
    return markup
  }

  private mutating func card(_ derived: DerivedMutantReport, into markup: inout Markup) {
    let anchor = nextAnchor()
    if !derived.failures.isEmpty {
      failures.append(
        (
          anchor,
          "The mutants derived from \(derived.implementation) under \(derived.contract): \(Words.count(derived.failures.count, "failure"))"
        ))
    }
    markup.element("section", ["class": "card", "id": anchor]) { markup in
      markup.element("h3", ["class": derived.failures.isEmpty ? nil : "bad"]) { markup in
        markup.write(derived.contract)
        markup.element("small", derived.counts)
      }
      if !derived.failures.isEmpty {
        markup.element("ul", ["class": "outcome failed"]) { markup in
          for failure in derived.failures { markup.element("li", failure) }
        }
      }
      if !derived.untried.isEmpty {
        markup.element("details", ["class": "timelines"]) { markup in
          markup.element("summary", "Not tried: \(derived.untried.count)")
          markup.element("ul") { markup in
            for gap in derived.untried { markup.element("li", gap) }
          }
        }
      }
      if !derived.equivalents.isEmpty {
        markup.element("details", ["class": "timelines"]) { markup in
          markup.element("summary", "Not wrong: \(derived.equivalents.count)")
          markup.element("dl", ["class": "mistakes"]) { markup in
            for mutant in derived.equivalents {
              markup.element("dt") { $0.element("code", mutant.name) }
              markup.element("dd", mutant.reason)
            }
          }
        }
      }
    }
  }

  private mutating func card(_ matrix: KillMatrix, into markup: inout Markup) {
    let anchor = nextAnchor()
    if !matrix.failures.isEmpty {
      let count = Words.count(matrix.failures.count, "failure")
      failures.append((anchor, "The mutants of \(matrix.contract): \(count)"))
    }
    let mistakes = Dictionary(matrix.mutants.map { ($0.name, $0.mistake) }) { first, _ in first }
    markup.element("section", ["class": "card", "id": anchor]) { markup in
      markup.element("h3", ["class": matrix.failures.isEmpty ? nil : "bad"]) { markup in
        markup.write(matrix.contract)
        markup.element(
          "small", "\(matrix.killers) of \(Words.count(matrix.clauses.count, "clause")) kill a mutant")
      }
      if !matrix.failures.isEmpty {
        markup.element("ul", ["class": "outcome failed"]) { markup in
          for failure in matrix.failures { markup.element("li", failure) }
        }
      }
      markup.element("table", ["class": "kills"]) { markup in
        markup.literal(
          "<thead><tr><th scope=\"col\">Clause</th><th scope=\"col\">Mutants that it kills</th></tr></thead>")
        markup.element("tbody") { markup in
          for clause in matrix.clauses { row(clause, mistakes, into: &markup) }
        }
      }
      markup.element("details", ["class": "timelines"]) { markup in
        markup.element(
          "summary", "What is wrong with each of the \(Words.count(matrix.mutants.count, "mutant"))")
        markup.element("dl", ["class": "mistakes"]) { markup in
          for mutant in matrix.mutants {
            markup.element("dt") { $0.element("code", mutant.name) }
            markup.element("dd", mutant.mistake)
          }
        }
      }
    }
  }

  private func row(
    _ clause: KillMatrix.ClauseRow, _ mistakes: [String: String], into markup: inout Markup
  ) {
    markup.element("tr", ["class": clause.kills.isEmpty ? "failed" : "passed"]) { markup in
      markup.element("th", ["scope": "row"]) { markup in
        markup.element("details") { markup in
          markup.element("summary") { markup in
            markup.element("span", ["class": "words"], clause.statement)
            markup.element("code", clause.id)
          }
          markup.element("ul", ["class": "more"]) { markup in
            for cell in clause.cells {
              markup.element("li") { markup in
                markup.element("code", cell.mutant)
                markup.write(" " + cell.words)
              }
            }
          }
        }
      }
      markup.element("td") { markup in
        for mutant in clause.kills {
          markup.element("span", ["class": "chip", "title": mistakes[mutant]], mutant)
          markup.write(" ")
        }
        if clause.kills.isEmpty { markup.write("none") }
      }
    }
  }
}

extension KillMatrix.Cell {
  /// The result, as the end of a sentence.
  var words: String {
    switch status {
    case .killed: "is killed: \(message)"
    case .alsoKilled: "is killed too, though it does not name the clause: \(message)"
    case .killedForAnotherReason: "fails for another reason than “\(expected ?? "")”: \(message)"
    case .accident: "ends in an accident: \(message)"
    case .survived: "survives"
    case .skipped: "cannot be tested: \(message)"
    case .baseFails: "proves nothing, because the implementation that it is made of fails too: \(message)"
    }
  }
}
