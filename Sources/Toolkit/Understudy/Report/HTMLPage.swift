import UnderstudyText

extension UnderstudyReport {
  /// The report as one self-contained page of HTML.
  ///
  /// It is readable without scripts, on a narrow screen, and in light and dark mode.
  ///
  /// - Parameter tool: The command-line tool with the contracts and scenarios, for the commands that reproduce a
  ///   failure; `nil` if only tests have them.
  package func html(tool: String? = nil) -> String {
    var page = HTMLPage(report: self, rerun: RerunCommands(tool: tool))
    return page.document(title: tool ?? "understudy")
  }
}

/// A builder of the HTML page.
struct HTMLPage {
  let report: UnderstudyReport
  let rerun: RerunCommands
  /// The failures in page order, each with its anchor.
  var failures: [(anchor: String, words: String)] = []
  private var anchors = 0

  init(report: UnderstudyReport, rerun: RerunCommands) {
    self.report = report
    self.rerun = rerun
  }

  /// A unique anchor.
  mutating func nextAnchor() -> String {
    anchors += 1
    return "i\(anchors)"
  }

  mutating func document(title: String) -> String {
    // Written before the head, which lists the failures.
    var parts: [(id: String, name: String, body: Markup)] = []
    if !report.contracts.isEmpty { parts.append(("contracts", "Contracts", contracts())) }
    if !report.agreements.isEmpty { parts.append(("faults", "Faults", agreements())) }
    if !report.sweeps.isEmpty { parts.append(("sweeps", "Sweeps", sweeps())) }
    if !report.mutants.isEmpty || !report.derived.isEmpty {
      parts.append(("mutants", "Mutants", mutants()))
    }

    var markup = Markup()
    markup.literal("<!DOCTYPE html>\n")
    markup.element("html", ["lang": "en"]) { markup in
      markup.element("head") { markup in
        markup.literal(
          """
          <meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">\
          <meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
          """)
        markup.element("title", "\(title): \(headline)")
        markup.element("style") { $0.literal(Stylesheet.text) }
      }
      markup.element("body") { markup in
        header(title: title, into: &markup)
        navigation(parts.map { ($0.id, $0.name) }, into: &markup)
        markup.element("main") { markup in
          failureList(into: &markup)
          for part in parts {
            markup.element("section", ["id": part.id, "class": "part"]) { markup in
              markup.element("h2", part.name)
              markup.append(part.body)
              markup.literal("<p class=\"nothing\">No matching rows.</p>")
            }
          }
        }
        markup.element("script") { $0.literal(Script.text) }
      }
    }
    return markup.text + "\n"
  }

  // MARK: - Head

  private var headline: String {
    let failures = report.summary.failures
    if report.isEmpty, failures == 0 { return "Nothing was tested." }
    switch failures {
    case 0: return "No failures."
    case 1: return "1 failure."
    default: return "\(Words.grouped(failures)) failures."
    }
  }

  private func header(title: String, into markup: inout Markup) {
    let summary = report.summary
    markup.element("header") { markup in
      markup.element("p", ["class": "kicker"], title)
      markup.element("h1", ["class": summary.failures == 0 ? "good" : "bad"], headline)
      markup.element("dl", ["class": "figures"]) { markup in
        func figure(_ number: Int, _ name: String, _ kind: String? = nil) {
          markup.element("div", ["class": number > 0 ? kind : nil]) { markup in
            markup.element("dt", name)
            markup.element("dd", Words.grouped(number))
          }
        }
        if !report.contracts.isEmpty {
          figure(summary.passed, "passed")
          figure(summary.failed, "failed", "bad")
          figure(summary.skipped, "skipped")
        }
        if !report.agreements.isEmpty {
          figure(summary.faults, "injected faults")
          figure(summary.disagreements, "not as expected", "bad")
        }
        if !report.sweeps.isEmpty {
          figure(summary.schedules, "schedules")
          figure(summary.violations, "violations", "bad")
        }
        if !report.mutants.isEmpty || !report.derived.isEmpty {
          figure(summary.mutants, "mutants")
          figure(summary.mutantFailures, "mutant failures", "bad")
        }
        if summary.gaps > 0 { figure(summary.gaps, "missing", "bad") }
      }
    }
  }

  private func navigation(_ parts: [(id: String, name: String)], into markup: inout Markup) {
    markup.element("nav", ["aria-label": "Parts of the report"]) { markup in
      markup.element("ul") { markup in
        for part in parts {
          markup.element("li") { $0.element("a", ["href": "#" + part.id], part.name) }
        }
      }
      markup.literal(
        """
        <fieldset><legend>Show</legend>\
        <label><input type="radio" name="show" id="show-all" checked><span>all</span></label>\
        <label><input type="radio" name="show" id="show-open"><span>not passed</span></label>\
        <label><input type="radio" name="show" id="show-failed"><span>failed</span></label></fieldset>\
        <label class="find" hidden><span>Find</span><input type="search" id="find" placeholder="Find…" autocomplete="off"></label>
        """)
    }
  }

  private func failureList(into markup: inout Markup) {
    let gaps = report.gaps + report.missing
    guard !failures.isEmpty || !gaps.isEmpty else { return }
    let most = 40
    markup.element("section", ["class": "failures"]) { markup in
      markup.element("h2", "Failures")
      markup.element("ul") { markup in
        for gap in gaps { markup.element("li", gap) }
        for failure in failures.prefix(most) {
          markup.element("li") { $0.element("a", ["href": "#" + failure.anchor], failure.words) }
        }
        if failures.count > most {
          markup.element("li", "and \(failures.count - most) more; choose “failed” above to show them")
        }
      }
    }
  }
}

// MARK: - Section content

extension HTMLPage {
  /// One row of a matrix: a title, details, and a mark for each column.
  struct MatrixRow {
    /// The CSS class of the row, for filtering: `passed`, `skipped` or `failed`.
    let kind: String
    /// The words of the marks, such as `passed`; `nil` for an untested column.
    let marks: [String?]
    /// The content that is always visible.
    let title: (inout Markup) -> Void
    /// The content that is visible after a click.
    let more: (inout Markup) -> Void
  }

  /// A table with a row for each clause or fault, and a column for each implementation or injection point.
  ///
  /// - Parameter columns: The names, each with the number of passing rows.
  func matrix(
    _ title: String, columns: [(name: String, note: String)], rows: [(anchor: String, row: MatrixRow)],
    into markup: inout Markup
  ) {
    markup.element(
      "table",
      ["class": columns.count > 6 ? "matrix many" : "matrix", "style": "--columns:\(columns.count)"]
    ) { markup in
      markup.element("thead") { markup in
        markup.element("tr") { markup in
          markup.element("th", ["scope": "col"], title)
          for column in columns {
            markup.element("th", ["scope": "col"]) { markup in
              markup.element("span") { markup in
                markup.write(column.name)
                markup.element("small", column.note)
              }
            }
          }
        }
      }
      markup.element("tbody") { markup in
        for (anchor, row) in rows {
          markup.element("tr", ["class": row.kind]) { markup in
            markup.element("th", ["scope": "row"]) { markup in
              markup.element("details", ["open": row.kind == "failed" ? "" : nil]) { markup in
                markup.element("summary", row.title)
                // The anchor is inside the details, so that a link to it opens them.
                markup.element("div", ["class": "more", "id": anchor], row.more)
              }
            }
            for mark in row.marks {
              markup.element("td", ["class": mark]) { markup in
                if let mark { markup.element("a", ["href": "#" + anchor], mark) }
              }
            }
          }
        }
      }
    }
  }

  /// Writes commands to copy, one on each line.
  func commands(_ commands: [String], into markup: inout Markup) {
    guard !commands.isEmpty else { return }
    markup.element("p", ["class": "rerun"]) { markup in
      markup.write("Rerun: ")
      for (index, command) in commands.enumerated() {
        if index > 0 { markup.write(" or, in the tests: ") }
        markup.element("code", command)
      }
    }
  }
}
