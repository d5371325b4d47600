
extension HTMLPage {
  mutating func contracts() -> Markup {
    var markup = Markup()
    markup.literal(
      """
      <p class="lead">What every implementation of a service must do, clause by clause. A clause that an implementation \
      cannot be tried under is skipped, with the reason.</p>
      """)
    for section in report.contracts { card(section, into: &markup) }
    return markup
  }

  private mutating func card(_ section: ConformanceReport.Section, into markup: inout Markup) {
    let implementations = section.implementations
    let rows = section.clauses.map { clause in
      let anchor = nextAnchor()
      for name in implementations {
        guard let verdict = clause.verdict(on: name), verdict.isFailure else { continue }
        failures.append(
          (anchor, "\(name) \(verdict == .flaky ? "does not always keep" : "breaks") \(clause.id)"))
      }
      return (anchor, row(clause, of: section.name, on: implementations))
    }
    let columns = implementations.map { name in
      let verdicts = section.clauses.compactMap { $0.verdict(on: name) }
      return (name, "\(verdicts.count { $0 == .passed }) of \(verdicts.count)")
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
    _ clause: ConformanceReport.Row, of contract: String, on implementations: [String]
  ) -> MatrixRow {
    let verdicts = implementations.map { clause.verdict(on: $0) }
    let kind =
      if verdicts.contains(where: { $0?.isFailure == true }) { "failed" } else if verdicts.contains(.skipped)
      {
        "skipped"
      } else { "passed" }
    return MatrixRow(kind: kind, marks: verdicts.map { $0?.rawValue }) { markup in
      markup.element("span", ["class": "words"], clause.statement)
      markup.element("code", clause.id)
    } more: { markup in
      markup.element("p", ["class": "place"]) { markup in
        markup.write(
          clause.level == .required ? "Every implementation owes it." : "An implementation may do without.")
        if !clause.fileID.isEmpty { markup.element("code", "\(clause.fileID):\(clause.line)") }
      }
      for group in clause.groups { outcome(group, of: clause, into: &markup) }
      let seeds = clause.outcomes.map(\.seed)
      let seed = clause.outcomes.first { $0.outcome.name == "failed" }?.seed ?? seeds.first ?? 0
      commands(again.commands(for: clause.id, of: contract, seed: seed), into: &markup)
    }
  }

  /// What implementations that fared alike have to say.
  private func outcome(
    _ group: (outcome: Outcome, cells: [ConformanceReport.Cell]), of clause: ConformanceReport.Row,
    into markup: inout Markup
  ) {
    let isFlaky = group.cells.contains { clause.verdict(on: $0.implementation) == .flaky }
    guard group.outcome != .passed || isFlaky else { return }
    let names = group.cells.map { cell in
      cell.implementation
        + (clause.verdict(on: cell.implementation) == .flaky ? " in a run with seed \(cell.seed)" : "")
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

extension ConformanceReport.Row {
  /// The cells by their outcomes, so that what is true of several implementations is said once.
  fileprivate var groups: [(outcome: Outcome, cells: [ConformanceReport.Cell])] {
    outcomes.reduce(into: []) { groups, cell in
      if let index = groups.firstIndex(where: { $0.outcome == cell.outcome }) {
        groups[index].cells.append(cell)
      } else {
        groups.append((cell.outcome, [cell]))
      }
    }
  }
}
