
extension AgreementReport {
  /// The matrix as text: a line for each fault, a column for each seam, and below a fault what else was seen.
  public var table: String {
    let width = max(5, rows.map(\.fault.count).max() ?? 0)
    var lines = [name, "  " + padded("fault", width) + "  " + seams.joined(separator: "  ") + "  expected"]
    for row in rows {
      let marks = seams.map { padded(row.verdict(at: $0)?.mark ?? "", $0.count) }
      lines.append(
        "  " + padded(row.fault, width) + "  " + marks.joined(separator: "  ") + "  " + row.expected)
      for cell in row.cells where row.verdict(at: cell.seam)?.isFailure == true {
        lines.append("      \(cell.seam): \(cell.words)")
      }
    }
    return lines.map(\.visible).joined(separator: "\n")
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension AgreementReport.Verdict {
  fileprivate var mark: String {
    switch self {
    case .agrees: "✓"
    case .differs: "✗"
    case .flaky: "≠"
    case .impossible: "·"
    }
  }
}
