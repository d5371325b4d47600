/// Rows of text in columns.
package struct TextTable {
  package enum Alignment: Sendable {
    case left
    case right
  }

  private let columns: [(title: String, alignment: Alignment)]
  private var rows: [[String]] = []

  /// Creates a table.
  ///
  /// The last column is not padded; without titles the table has no header.
  package init(_ columns: (title: String, alignment: Alignment)...) {
    self.columns = columns
  }

  /// Creates a table without a header.
  package init(_ alignments: Alignment...) {
    columns = alignments.map { ("", $0) }
  }

  /// Adds a row with a cell for each column.
  package mutating func append(_ cells: String...) {
    append(cells)
  }

  /// Adds a row with a cell for each column.
  package mutating func append(_ cells: [String]) {
    rows.append(cells.map(\.visible))
  }

  /// The lines, starting with the titles; an empty column is omitted.
  ///
  /// - Parameter width: The width at which lines are truncated; `nil` for no limit.
  package func lines(width: Int? = nil) -> [String] {
    let shown = columns.indices.filter { column in
      rows.isEmpty || rows.contains { !$0[column].isEmpty }
    }
    let titles = columns.map(\.title)
    let table = (titles.allSatisfy(\.isEmpty) ? [] : [titles]) + rows
    let widths = columns.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    return table.map { row in
      let cells = shown.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        return columns[column].alignment == .right ? padding + row[column] : row[column] + padding
      }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line.cut(to: width)
    }
  }
}

extension String {
  /// The text, truncated with an ellipsis if it exceeds a width.
  package func cut(to width: Int?) -> String {
    guard let width, count > width else { return self }
    return prefix(max(0, width - 1)) + "…"
  }
}
