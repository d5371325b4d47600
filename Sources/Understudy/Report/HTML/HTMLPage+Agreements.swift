
extension HTMLPage {
  mutating func agreements() -> Markup {
    var markup = Markup()
    markup.literal(
      """
      <p class="lead">What is seen of each fault, wherever it is put in: a double of the service throws it, a transport \
      or a backend injects it, or it happens on a socket. Some faults cannot happen everywhere.</p>
      """)
    for agreement in report.agreements { card(agreement, into: &markup) }
    return markup
  }

  private mutating func card(_ agreement: AgreementReport, into markup: inout Markup) {
    let rows = agreement.rows.map { row in
      let anchor = nextAnchor()
      for seam in agreement.seams {
        guard row.verdict(at: seam)?.isFailure == true else { continue }
        failures.append((anchor, "\(agreement.name): \(row.fault) at the \(seam) is not seen as expected"))
      }
      return (anchor, self.row(row, of: agreement))
    }
    let columns = agreement.seams.map { seam in
      let verdicts = agreement.rows.compactMap { $0.verdict(at: seam) }.filter { $0 != .impossible }
      return (seam, "\(verdicts.count { $0 == .agrees }) of \(verdicts.count)")
    }
    let anchor = nextAnchor()
    if !agreement.missing.isEmpty {
      let faults = Words.count(agreement.missing.count, "fault")
      failures.append((anchor, "\(agreement.name) was not tried with \(faults) of the catalogue"))
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
          "Not tried of the catalogue: \(agreement.missing.joined(separator: ", ")).")
      }
      matrix("Fault, and what is to be seen of it", columns: columns, rows: rows, into: &markup)
    }
  }

  private func row(_ row: AgreementReport.Row, of agreement: AgreementReport) -> MatrixRow {
    MatrixRow(
      kind: row.disagrees ? "failed" : "passed", marks: agreement.seams.map { row.verdict(at: $0)?.rawValue }
    ) { markup in
      markup.element("span", ["class": "words"], row.fault)
      markup.element("span", ["class": "under"], row.expected)
    } more: { markup in
      for cell in row.cells where row.verdict(at: cell.seam)?.isFailure == true {
        markup.element("div", ["class": "outcome failed"]) { markup in
          markup.element("p") { markup in
            markup.element("strong", cell.seam)
            markup.write(row.verdict(at: cell.seam) == .flaky ? " in one run: " : ": ")
            markup.write(cell.words)
          }
        }
      }
      let impossible = row.cells.filter { row.verdict(at: $0.seam) == .impossible }.map(\.seam)
      if !impossible.isEmpty {
        markup.element("p", ["class": "place"], "Cannot happen at the \(impossible.joined(separator: ", ")).")
      }
      commands(again.commands(forFaultsOf: agreement.name), into: &markup)
    }
  }
}
