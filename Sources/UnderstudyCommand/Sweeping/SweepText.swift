import UnderstudyDoubles

/// Reports of sweeps as text for a terminal.
struct SweepText {
  /// The name of the program, for the commands that are shown.
  let tool: String

  func table(of reports: [SweepReport]) -> String {
    let total = reports.reduce(0) { $0 + $1.counts.total }
    let violations = reports.reduce(0) { $0 + $1.violations.count }
    let sum =
      "\(Words.count(total, "schedule")) of \(Words.count(reports.count, "scenario")); "
      + (violations == 0 ? "every invariant holds." : "\(Words.count(violations, "violation")).")
    return (reports.map(section) + [sum]).joined(separator: "\n\n")
  }

  private func section(_ report: SweepReport) -> String {
    var lines = ["\(report.scenario): \(report.statement)", "  " + extent(report)]
    let broken = Dictionary(grouping: report.violations, by: \.invariant)
    lines += report.invariants.filter { broken[$0] == nil }.map { "  ✓ \($0)" }
    lines += report.violations.flatMap(lines(of:))
    return lines.joined(separator: "\n")
  }

  /// How much was tried.
  private func extent(_ report: SweepReport) -> String {
    let counts = report.counts
    var words =
      "\(Words.count(report.points.count, "call")), seed \(report.seed): "
      + "\(counts.withoutFault) without a fault, \(counts.single) with one, "
      + "\(counts.pair) of \(report.pairCount) with two"
    if report.shards != [.whole] {
      words += "; shard \(report.shards.map(\.description).joined(separator: ", "))"
    }
    return words
  }

  private func lines(of violation: SweepReport.Violation) -> [String] {
    var lines = [
      "  ✗ \(violation.invariant): \(violation.message.visible)", "      under \(violation.schedule)",
    ]
    if !violation.others.isEmpty {
      let others = violation.others.map(\.description)
      lines.append("      and under \(Words.list(others))")
    }
    if !violation.timeline.isEmpty { lines.append("    " + Self.shown(violation.timeline)) }
    return lines + ["      \(violation.swift)", "      \(tool) \(violation.command)"]
  }

  /// What the screens showed, in a line.
  static func shown(_ timeline: [String]) -> String {
    "  shown: " + (timeline.isEmpty ? "nothing" : timeline.map(\.visible).joined(separator: " → "))
  }
}
