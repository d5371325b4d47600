
extension SweepReport {
  /// What was tried, which invariants hold, and for each that does not the smallest schedules, as text.
  func table(tool: String?) -> String {
    var lines = ["\(scenario): \(statement)", "  " + extent]
    let broken = Set(violations.map(\.invariant))
    lines += invariants.filter { !broken.contains($0) }.map { "  ✓ \($0)" }
    lines += violations.flatMap { $0.lines(tool: tool) }
    return lines.map(\.visible).joined(separator: "\n")
  }

  /// How much was tried.
  var extent: String {
    var words =
      "\(Words.count(points.count, "call")), seed \(seed): \(counts.withoutFault) without a fault, "
      + "\(counts.single) with one, \(counts.pair) of \(pairCount) with two"
    if shards != [.whole] { words += "; shard \(shards.map(\.description).joined(separator: ", "))" }
    return words
  }

  /// What the screens showed, in a line.
  package static func shown(_ timeline: [String]) -> String {
    "  shown: " + (timeline.isEmpty ? "nothing" : timeline.map(\.visible).joined(separator: " → "))
  }
}

extension SweepReport.Violation {
  fileprivate func lines(tool: String?) -> [String] {
    var lines = ["  ✗ \(invariant): \(message)", "      under \(schedule)"]
    if !others.isEmpty { lines.append("      and under \(Words.list(others.map(\.description)))") }
    if !timeline.isEmpty { lines.append("    " + SweepReport.shown(timeline)) }
    return lines + ["      \(swift)"] + (tool.map { ["      \($0) \(command)"] } ?? [])
  }
}
