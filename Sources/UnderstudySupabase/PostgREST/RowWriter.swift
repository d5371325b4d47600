import Foundation
import UnderstudyHTTP

/// Writes rows as the JSON that PostgREST sends, with the columns that the request selects.
struct RowWriter {
  private let columns: [(label: String, place: Int)]

  /// - Throws: 42703.
  init(_ selected: [QueryParameters.Selected]?, for layout: RowLayout) throws(PostgRESTError) {
    var columns: [(name: String, place: Int)] = []
    func addAll() { columns += layout.columns.enumerated().map { ($1.name, $0) } }
    if let selected {
      for item in selected {
        if item.column == "*" {
          addAll()
        } else {
          columns.append((item.name, try layout.column(item.column).0))
        }
      }
    } else {
      addAll()
    }
    self.columns = columns.map { column in
      var label = ""
      JSONValue.quote(column.name, into: &label)
      return (label + ":", column.place)
    }
  }

  /// The rows as an array: `json_agg` puts a comma, a space, a line feed and a space between two.
  func array(_ rows: [DatabaseRow]) -> Data {
    var text = "["
    for (index, row) in rows.enumerated() {
      if index > 0 { text += ", \n " }
      write(row, to: &text)
    }
    return Data((text + "]").utf8)
  }

  /// One row as an object.
  func object(_ row: DatabaseRow) -> Data {
    var text = ""
    write(row, to: &text)
    return Data(text.utf8)
  }

  private func write(_ row: DatabaseRow, to text: inout String) {
    text += "{"
    for (index, column) in columns.enumerated() {
      if index > 0 { text += "," }
      text += column.label
      if case .textArray(let elements) = row.values[column.place] {
        // `to_json` of an array, unlike a `jsonb`, has no space after a comma.
        text += "["
        for (index, element) in elements.enumerated() {
          if index > 0 { text += "," }
          (element.map(JSONValue.string) ?? .null).write(to: &text)
        }
        text += "]"
      } else {
        row.values[column.place].json.write(to: &text)
      }
    }
    text += "}"
  }
}
