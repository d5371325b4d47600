import UnderstudyHTTP

extension RowChange {
  /// The `data` of an event `postgres_changes` (`realtime.apply_rls`).
  ///
  /// Of the row before, and of one that is gone, only the primary key is known: that is all that PostgreSQL writes
  /// down of it by default (`REPLICA IDENTITY`), and where there are policies Realtime tells no more.
  ///
  /// - Parameter selected: The columns that are told besides the primary key; `nil` for all.
  func data(selecting selected: [String]?) -> JSONValue {
    let key = table.primaryKey
    let isTold = { (name: String) in selected?.contains(name) ?? true || key.contains(name) }
    var members: [JSONValue.Member] = [
      .init("schema", .string("public")), .init("table", .string(table.name)),
      .init("type", .string(change.kind)), .init("commit_timestamp", .string(moment.textInMilliseconds)),
    ]
    let columns = table.columns.filter { isTold($0.name) }.map { column in
      JSONValue.object([
        .init("name", .string(column.name)), .init("type", .string(column.type.typeName)),
      ])
    }
    members.append(.init("columns", .array(columns)))
    switch change {
    case .insert(let row): members.append(.init("record", row.json(isTold)))
    case .update(let row):
      members.append(.init("record", row.json(isTold)))
      members.append(.init("old_record", (old ?? row).json(key.contains)))
    case .delete(let row): members.append(.init("old_record", row.json(key.contains)))
    }
    let isKeyless = key.isEmpty && change.kind != "DELETE"
    members.append(
      .init(
        "errors", isKeyless ? .array([.string("Error 400: Bad Request, no primary key")]) : .null))
    return .object(members)
  }
}

extension DatabaseRow {
  fileprivate func json(_ isTold: (String) -> Bool) -> JSONValue {
    .object(columns.filter(isTold).map { .init($0, self[$0].json) }).normalized()
  }
}

extension Timestamp {
  /// As `to_char` with `YYYY-MM-DD"T"HH24:MI:SS.MS"Z"` prints it.
  fileprivate var textInMilliseconds: String {
    let text = text(separator: "T", offset: "")
    let parts = text.split(separator: ".", maxSplits: 1)
    let fraction = parts.count > 1 ? parts[1].prefix(3) : ""
    return (parts.first ?? "") + "." + fraction + String(repeating: "0", count: 3 - fraction.count) + "Z"
  }
}

extension ColumnType {
  /// The name in the catalogue (`pg_type.typname`).
  fileprivate var typeName: String {
    switch self {
    case .uuid: "uuid"
    case .text: "text"
    case .integer: "int4"
    case .double: "float8"
    case .boolean: "bool"
    case .date: "date"
    case .timestamp: "timestamptz"
    case .textArray: "_text"
    case .json: "jsonb"
    }
  }
}
