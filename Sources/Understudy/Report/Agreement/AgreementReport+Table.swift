
extension AgreementReport {
  /// The matrix as text: a line for each fault, a column for each seam, and below a fault what else was seen.
  public var table: String {
    var table = TextTable(titles: ["fault"] + seams + ["expected"])
    for row in rows {
      table.append([row.fault] + seams.map { row.verdict(at: $0)?.mark ?? " " } + [row.expected])
    }
    var lines = table.lines().map { "  " + $0 }
    lines =
      [name.visible] + (lines.isEmpty ? [] : [lines.removeFirst()])
      + zip(rows, lines).flatMap { row, line in
        [line]
          + row.cells.filter { row.verdict(at: $0.seam)?.isFailure == true }.map {
            "      \($0.seam): \($0.words)".visible
          }
      }
    return lines.joined(separator: "\n")
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
