
extension HTMLPage {
  mutating func sweeps() -> Markup {
    var markup = Markup()
    markup.literal(
      """
      <p class="lead">Scenarios, run under every fault at every call that they make, and under pairs of them. A line \
      shows the states of the screen in order; what looks the same under several faults is drawn once.</p>
      """)
    for sweep in report.sweeps { card(sweep, into: &markup) }
    return markup
  }

  private mutating func card(_ sweep: SweepReport, into markup: inout Markup) {
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
        self.violation(violation, at: anchor, colours: sweep.colours, into: &markup)
      }
      timelines(of: sweep, into: &markup)
    }
  }

  private func violation(
    _ violation: SweepReport.Violation, at anchor: String, colours: TimelinePicture.Colours,
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
        if violation.schedule.entries.isEmpty { markup.write("no fault at all") }
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
      TimelinePicture(violation.timeline, colours).draw(into: &markup)
      markup.element("pre") { $0.element("code", violation.swift) }
      commands(again.commands(behindTool: violation.command), into: &markup)
    }
  }

  private func timelines(of sweep: SweepReport, into markup: inout Markup) {
    let lanes = sweep.lanes
    guard !lanes.isEmpty else { return }
    markup.element("details", ["class": "timelines", "open": ""]) { markup in
      markup.element("summary") { markup in
        markup.write("Timelines")
        markup.element("small", "\(lanes.count) different, of \(Words.count(sweep.runs.count, "run"))")
      }
      markup.element("ol", ["class": "lanes"]) { markup in
        for lane in lanes {
          markup.element("li", ["class": lane.violated.isEmpty ? nil : "bad"]) { markup in
            markup.element("details") { markup in
              markup.element("summary") { markup in
                markup.element("span", ["class": "label"], lane.label)
                if !lane.violated.isEmpty {
                  markup.element("strong", lane.violated.joined(separator: ", "))
                }
                TimelinePicture(lane.timeline, sweep.colours).draw(into: &markup)
              }
              markup.element("div", ["class": "more"]) { markup in
                markup.element("ol") { markup in
                  for state in lane.timeline { markup.element("li", state) }
                }
                markup.element("p", ["class": "place"], lane.faults)
              }
            }
          }
        }
      }
    }
  }
}

extension SweepReport {
  fileprivate var colours: TimelinePicture.Colours {
    TimelinePicture.Colours(of: runs.map(\.timeline) + violations.map(\.timeline))
  }

  fileprivate var lanes: [Lane] {
    runs.reduce(into: []) { lanes, run in
      if let index = lanes.firstIndex(where: { $0.timeline == run.timeline && $0.violated == run.violated }) {
        lanes[index].runs.append(run)
      } else {
        lanes.append(Lane(timeline: run.timeline, violated: run.violated, runs: [run]))
      }
    }
  }

  /// Runs in which the screen showed the same.
  fileprivate struct Lane {
    let timeline: [String]
    let violated: [String]
    var runs: [Run]

    /// The first few faults, and how many more there are.
    var label: String { Words.list(names) }

    /// All of them.
    var faults: String { names.joined(separator: "; ") }

    private var names: [String] { runs.map { "\($0.schedule)" } }
  }
}
