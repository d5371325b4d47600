/// Rows of text in columns.
package struct TextTable {
  package enum Alignment: Sendable {
    case left
    case right
  }

  private let columns: [(title: String, alignment: Alignment)]
  private var rows: [[String]] = []

  /// A table with these columns, of which the last is not padded; without titles it has no head.
  package init(_ columns: (title: String, alignment: Alignment)...) {
    self.columns = columns
  }

  /// A table without a head.
  package init(_ alignments: Alignment...) {
    columns = alignments.map { ("", $0) }
  }

  /// A table with these columns, all aligned to the left.
  package init(titles: [String]) {
    columns = titles.map { ($0.visible, .left) }
  }

  /// Adds a row, a cell for each column.
  package mutating func append(_ cells: String...) {
    append(cells)
  }

  /// Adds a row, a cell for each column.
  package mutating func append(_ cells: [String]) {
    rows.append(cells.map(\.visible))
  }

  /// The lines, the titles first; an empty column is left out.
  ///
  /// - Parameter width: Where lines are cut; `nil` cuts none.
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
  /// The text, or its beginning and an ellipsis where it exceeds a width.
  package func cut(to width: Int?) -> String {
    guard let width, count > width else { return self }
    return prefix(max(0, width - 1)) + "…"
  }
}
