
extension HTMLPage {
  mutating func mutants() -> Markup {
    var markup = Markup()
    markup.literal(
      """
      <p class="lead">How strong the contracts are. A mutant is an implementation with one mistake; a clause that no \
      mutant breaks might hold for anything.</p>
      """)
    for matrix in report.mutants { card(matrix, into: &markup) }
    return markup
  }

  private mutating func card(_ matrix: KillMatrix, into markup: inout Markup) {
    let anchor = nextAnchor()
    if !matrix.flaws.isEmpty {
      let flaws = Words.count(matrix.flaws.count, "thing is", "things are")
      failures.append((anchor, "\(matrix.contract) is not proved strong: \(flaws) missing"))
    }
    let mistakes = Dictionary(matrix.mutants.map { ($0.name, $0.mistake) }) { first, _ in first }
    markup.element("section", ["class": "card", "id": anchor]) { markup in
      markup.element("h3", ["class": matrix.flaws.isEmpty ? nil : "bad"]) { markup in
        markup.write(matrix.contract)
        markup.element(
          "small", "\(matrix.killers) of \(Words.count(matrix.clauses.count, "clause")) kill a mutant")
      }
      if !matrix.flaws.isEmpty {
        markup.element("ul", ["class": "outcome failed"]) { markup in
          for flaw in matrix.flaws { markup.element("li", flaw) }
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
                markup.write(" " + cell.verdict.words)
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

extension KillMatrix.Verdict {
  /// What happened, as the rest of a sentence.
  var words: String {
    switch self {
    case .killed(let found): "is killed: \(found)"
    case .alsoKilled(let found): "is killed too, though it does not say so: \(found)"
    case .killedForAnotherReason(let expected, let found):
      "fails for another reason than “\(expected)”: \(found)"
    case .accident(let found): "ends in an accident: \(found)"
    case .survived: "survives"
    case .skipped(let reason): "cannot be tried: \(reason)"
    case .baseFails(let found): "shows nothing, for what it is made of fails too: \(found)"
    }
  }
}
