/// A table as far as the statements have made it.
struct TableDraft {
  let name: String
  /// The statement that creates it, by its first token.
  let start: Int
  var columns: [ColumnDraft] = []
  var primaryKey: [String] = []
  var keys: [KeyDraft] = []
  var checks: [Check] = []
  var foreignKeys: [ForeignKeyDraft] = []
  var policies: [Policy] = []
  var triggers: [String] = []
  var isSecured = false
  /// How many of the constraints have been tried and have their names.
  var finished = (keys: 0, checks: 0, foreignKeys: 0)

  struct ColumnDraft {
    let name: String
    let type: ColumnType
    var isNullable = true
    var defaultValue: Column.Default?
    var isSetOnUpdate = false
  }

  /// Columns that are unique; the name comes when all of the statement is known.
  struct KeyDraft {
    var name: String?
    let columns: [String]
    let isPrimary: Bool
    let location: SQLLocation
  }

  struct ForeignKeyDraft {
    var name: String?
    let columns: [String]
    let table: String
    /// Empty for the primary key there.
    var referencedColumns: [String]
    let onDelete: ForeignKey.Action
    let location: SQLLocation
  }

  /// What a constraint of a table begins with.
  static let constraintWords = ["constraint", "primary", "unique", "check", "foreign", "exclude"]

  /// The name without the schema.
  var relation: String { name.split(separator: ".").last.map(String.init) ?? name }

  func column(_ name: String) -> Int? { columns.firstIndex { $0.name == name } }

  /// The table that it is now.
  var table: Table {
    Table(
      name,
      columns: columns.map { column in
        Column(
          column.name, column.type, isNullable: column.isNullable && !primaryKey.contains(column.name),
          default: column.defaultValue, isSetOnUpdate: column.isSetOnUpdate)
      }, primaryKey: primaryKey,
      keys: keys.map { UniqueKey(name: $0.name ?? "", columns: $0.columns) }, checks: checks,
      foreignKeys: foreignKeys.map { key in
        ForeignKey(
          key.columns, to: key.table, key.referencedColumns, onDelete: key.onDelete, name: key.name)
      }, policies: isSecured ? policies : nil)
  }
}
