
extension Report {
  /// The report as one page of HTML, which needs nothing else: no network, no fonts, no other file.
  ///
  /// It is readable without scripts, on a narrow screen, and in light and dark.
  ///
  /// - Parameter tool: The program that has the contracts, agreements and scenarios, for the commands that run
  ///   something again; `nil` where only tests have them.
  public func html(tool: String? = nil) -> String {
    var page = HTMLPage(report: self, again: Again(tool: tool))
    return page.document(title: tool ?? "understudy")
  }
}

/// A page of HTML that is being written.
struct HTMLPage {
  let report: Report
  let again: Again
  /// What needs a look, in the order of the page, each with where it stands.
  var failures: [(anchor: String, words: String)] = []
  private var anchors = 0

  init(report: Report, again: Again) {
    self.report = report
    self.again = again
  }

  /// A name within the page that nothing else has.
  mutating func nextAnchor() -> String {
    anchors += 1
    return "i\(anchors)"
  }

  mutating func document(title: String) -> String {
    // Before the head, which lists what needs a look.
    var parts: [(id: String, name: String, body: Markup)] = []
    if !report.contracts.isEmpty { parts.append(("contracts", "Contracts", contracts())) }
    if !report.agreements.isEmpty { parts.append(("faults", "Faults", agreements())) }
    if !report.sweeps.isEmpty { parts.append(("sweeps", "Sweeps", sweeps())) }
    if !report.mutants.isEmpty { parts.append(("mutants", "Mutants", mutants())) }

    var markup = Markup()
    markup.literal("<!DOCTYPE html>\n")
    markup.element("html", ["lang": "en"]) { markup in
      markup.element("head") { markup in
        markup.literal(
          """
          <meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">\
          <meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
          """)
        markup.element("title", "\(title): \(verdict)")
        markup.element("style") { $0.literal(Stylesheet.text) }
      }
      markup.element("body") { markup in
        header(title: title, into: &markup)
        navigation(parts.map { ($0.id, $0.name) }, into: &markup)
        markup.element("main") { markup in
          needsALook(into: &markup)
          for part in parts {
            markup.element("section", ["id": part.id, "class": "part"]) { markup in
              markup.element("h2", part.name)
              markup.append(part.body)
              markup.literal("<p class=\"nothing\">Nothing here is of that kind.</p>")
            }
          }
        }
        markup.element("script") { $0.literal(Script.text) }
      }
    }
    return markup.text + "\n"
  }

  // MARK: - Head

  private var verdict: String {
    let failures = report.summary.failures
    if report.isEmpty, failures == 0 { return "Nothing was tried." }
    switch failures {
    case 0: return "Everything that was tried holds."
    case 1: return "One thing needs a look."
    default: return "\(Words.grouped(failures)) things need a look."
    }
  }

  private func header(title: String, into markup: inout Markup) {
    let summary = report.summary
    markup.element("header") { markup in
      markup.element("p", ["class": "kicker"], title)
      markup.element("h1", ["class": summary.failures == 0 ? "good" : "bad"], verdict)
      markup.element("dl", ["class": "figures"]) { markup in
        func figure(_ number: Int, _ name: String, _ kind: String? = nil) {
          markup.element("div", ["class": number > 0 ? kind : nil]) { markup in
            markup.element("dt", name)
            markup.element("dd", Words.grouped(number))
          }
        }
        if !report.contracts.isEmpty {
          figure(summary.passed, "promises kept")
          figure(summary.failed, "broken", "bad")
          figure(summary.skipped, "not tried")
        }
        if !report.agreements.isEmpty {
          figure(summary.faults, "faults put in")
          figure(summary.disagreements, "seen otherwise", "bad")
        }
        if !report.sweeps.isEmpty {
          figure(summary.schedules, "schedules swept")
          figure(summary.violations, "violations", "bad")
        }
        if !report.mutants.isEmpty {
          figure(summary.mutants, "mutants")
          figure(summary.flaws, "not noticed", "bad")
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
        <label><input type="radio" name="show" id="show-open"><span>not kept</span></label>\
        <label><input type="radio" name="show" id="show-failed"><span>failed</span></label></fieldset>\
        <label class="find" hidden><span>Find</span><input type="search" id="find" placeholder="Find…" autocomplete="off"></label>
        """)
    }
  }

  private func needsALook(into markup: inout Markup) {
    let gaps = report.gaps + report.missing
    guard !failures.isEmpty || !gaps.isEmpty else { return }
    let most = 40
    markup.element("section", ["class": "look"]) { markup in
      markup.element("h2", "What needs a look")
      markup.element("ul") { markup in
        for gap in gaps { markup.element("li", gap) }
        for failure in failures.prefix(most) {
          markup.element("li") { $0.element("a", ["href": "#" + failure.anchor], failure.words) }
        }
        if failures.count > most {
          markup.element("li", "and \(failures.count - most) more, which “failed” above shows alone")
        }
      }
    }
  }
}

extension SweepReport {
  /// Which shards are missing, in a sentence.
  var missing: String? {
    guard !missingShards.isEmpty else { return nil }
    return "Of the sweep of \(scenario), \(Words.list(missingShards.map { "\($0)" })) is missing."
  }
}
