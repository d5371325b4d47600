/// A row of a table, as it was when it was read.
public struct DatabaseRow: Sendable {
  let layout: RowLayout
  /// One value for each column, in the order of the columns.
  var values: [DatabaseValue]

  /// The names of the columns, in the order of the table.
  public var columns: [String] { layout.columns.map(\.name) }

  /// The value of a column; `NULL` where the table has no such column.
  public subscript(column: String) -> DatabaseValue {
    layout.positions[column].map { values[$0] } ?? .null
  }
}

extension DatabaseRow: Equatable {
  /// Equal when the same columns hold the same values.
  public static func == (one: DatabaseRow, other: DatabaseRow) -> Bool {
    one.values == other.values && one.columns == other.columns
  }
}
