import Understudy

/// Rows of text in columns.
struct TextTable {
  enum Alignment {
    case left
    case right
  }

  private let columns: [(title: String, alignment: Alignment)]
  private var rows: [[String]] = []

  /// A table of these columns, of which the last is as long as its text.
  init(_ columns: (title: String, alignment: Alignment)...) {
    self.columns = columns
  }

  /// Adds a row, a cell for each column.
  mutating func append(_ cells: String...) {
    rows.append(cells.map(\.visible))
  }

  /// The lines, the titles first; a column in which nothing stands is left out.
  ///
  /// - Parameter width: Where lines are cut; `nil` cuts none.
  func lines(width: Int?) -> [String] {
    let shown = columns.indices.filter { column in rows.contains { !$0[column].isEmpty } }
    let table = [columns.map(\.title)] + rows
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
  /// The beginning, if it is longer than a line may be.
  func cut(to width: Int?) -> String {
    guard let width, count > width else { return self }
    return prefix(max(0, width - 1)) + "…"
  }
}
