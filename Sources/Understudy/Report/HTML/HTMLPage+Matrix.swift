extension HTMLPage {
  /// One row of a matrix: what it is about, what more there is to say, and a mark for each column.
  struct MatrixRow {
    /// The class of the row, by which it can be filtered: `passed`, `skipped` or `failed`.
    let kind: String
    /// The words of the marks, such as `passed`; `nil` where nothing was tried.
    let marks: [String?]
    /// What is clicked.
    let title: (inout Markup) -> Void
    /// What is shown then.
    let more: (inout Markup) -> Void
  }

  /// A table with a row for each promise or fault, and a column for each place where it was tried.
  ///
  /// - Parameter columns: The names, and in a few characters how many of the rows hold there.
  func matrix(
    _ title: String, columns: [(name: String, note: String)], rows: [(anchor: String, row: MatrixRow)],
    into markup: inout Markup
  ) {
    markup.element(
      "table",
      ["class": columns.count > 6 ? "matrix many" : "matrix", "style": "--columns:\(columns.count)"]
    ) { markup in
      markup.element("thead") { markup in
        markup.element("tr") { markup in
          markup.element("th", ["scope": "col"], title)
          for column in columns {
            markup.element("th", ["scope": "col"]) { markup in
              markup.element("span") { markup in
                markup.write(column.name)
                markup.element("small", column.note)
              }
            }
          }
        }
      }
      markup.element("tbody") { markup in
        for (anchor, row) in rows {
          markup.element("tr", ["class": row.kind]) { markup in
            markup.element("th", ["scope": "row"]) { markup in
              markup.element("details", ["open": row.kind == "failed" ? "" : nil]) { markup in
                markup.element("summary", row.title)
                // The place within, so that a link to it opens it.
                markup.element("div", ["class": "more", "id": anchor], row.more)
              }
            }
            for mark in row.marks {
              markup.element("td", ["class": mark]) { markup in
                if let mark { markup.element("a", ["href": "#" + anchor], mark) }
              }
            }
          }
        }
      }
    }
  }

  /// Commands to copy, each on a line.
  func commands(_ commands: [String], into markup: inout Markup) {
    guard !commands.isEmpty else { return }
    markup.element("p", ["class": "again"]) { markup in
      markup.write("Again: ")
      for (index, command) in commands.enumerated() {
        if index > 0 { markup.write(" or, in the tests: ") }
        markup.element("code", command)
      }
    }
  }
}
