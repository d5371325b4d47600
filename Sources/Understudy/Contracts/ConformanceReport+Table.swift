
extension ConformanceReport {
  /// The matrix as text: a line for each clause, a column for each implementation, then what needs words.
  public var table: String {
    var lines: [String] = []
    for section in contracts {
      lines += [section.table, ""]
    }
    let summary = summary
    lines.append(
      "\(summary.passed) passed, \(summary.failed) failed, \(summary.skipped) skipped (seed \(seed))")
    return lines.joined(separator: "\n")
  }
}

extension ConformanceReport.Section {
  /// The matrix of one contract as text.
  package var table: String {
    let implementations = implementations
    let width = clauses.map(\.id.count).max() ?? 0
    var lines = [
      padded(name, width + 4) + implementations.joined(separator: "  ")
    ]
    var notes: [String] = []
    var group = ""
    for row in clauses {
      let marks = implementations.map { padded(row.verdict(on: $0)?.mark ?? "", $0.count) }
      lines.append("  " + padded(row.id, width + 2) + marks.joined(separator: "  ") + "  " + row.statement)
      for cell in row.outcomes {
        notes += cell.notes(on: row, isFlaky: row.verdict(on: cell.implementation) == .flaky, &group)
      }
    }
    return (lines.map(\.visible) + notes.map(\.visibleLines)).joined(separator: "\n")
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension ConformanceReport.Cell {
  /// What cannot be said with a mark; the clause's sentence comes once, before the first.
  fileprivate func notes(
    on row: ConformanceReport.Row, isFlaky: Bool, _ last: inout String
  ) -> [String] {
    var sentences =
      switch outcome {
      case .passed: [String]()
      case .failed(let violations): violations.map { "    ✗ \(implementation): \($0)" }
      case .skipped(let reason): ["    – \(implementation): skipped, \(reason)"]
      }
    if isFlaky {
      sentences.insert("    ≠ \(implementation): \(outcome.name) in a run with seed \(seed)", at: 0)
    }
    guard !sentences.isEmpty else { return [] }
    defer { last = row.id }
    return (last == row.id ? [] : ["", "  \(row.id): \(row.statement)"]) + sentences
  }
}

extension ConformanceReport.Verdict {
  fileprivate var mark: String {
    switch self {
    case .passed: "✓"
    case .failed: "✗"
    case .flaky: "≠"
    case .skipped: "–"
    }
  }
}
