extension ConformanceReport {
  /// The matrix as text: a line for each clause, a column for each implementation, then what needs words.
  public var table: String {
    var lines: [String] = []
    for section in contracts {
      lines += section.table + [""]
    }
    let summary = summary
    lines.append(
      "\(summary.passed) passed, \(summary.failed) failed, \(summary.skipped) skipped (seed \(seed))")
    return lines.joined(separator: "\n")
  }
}

extension ConformanceReport.Section {
  fileprivate var table: [String] {
    let implementations = clauses.first?.outcomes.map(\.implementation) ?? []
    let width = clauses.map(\.id.count).max() ?? 0
    var lines = [
      padded(name, width + 4) + implementations.joined(separator: "  ")
    ]
    var notes: [String] = []
    var group = ""
    for row in clauses {
      let marks = row.outcomes.map { padded($0.outcome.mark, $0.implementation.count) }
      lines.append("  " + padded(row.id, width + 2) + marks.joined(separator: "  ") + "  " + row.statement)
      for cell in row.outcomes {
        notes += cell.notes(on: row, &group)
      }
    }
    return lines + notes
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension ConformanceReport.Cell {
  /// What cannot be said with a mark; the clause's sentence comes once, before the first.
  fileprivate func notes(on row: ConformanceReport.Row, _ last: inout String) -> [String] {
    let sentences =
      switch outcome {
      case .passed: [String]()
      case .failed(let violations): violations.map { "    ✗ \(implementation): \($0)" }
      case .skipped(let reason): ["    – \(implementation): skipped, \(reason)"]
      }
    guard !sentences.isEmpty else { return [] }
    defer { last = row.id }
    return (last == row.id ? [] : ["", "  \(row.id): \(row.statement)"]) + sentences
  }
}

extension Outcome {
  fileprivate var mark: String {
    switch self {
    case .passed: "✓"
    case .failed: "✗"
    case .skipped: "–"
    }
  }
}
