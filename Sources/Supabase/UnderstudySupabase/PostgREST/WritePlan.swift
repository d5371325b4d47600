import UnderstudyPostgreSQL

/// Writes the rows of a body as the source of `INSERT` and `UPDATE` (`SqlFragment.hs`, `fromJsonBodyF`).
struct BodyRows {
  /// The name of the rows in the statement.
  static let alias = "pgrst_body"

  /// The columns that the request names, in order.
  let columns: [Column]
  let json: String
  let isObject: Bool
  /// Whether a missing value is the column's default (`missing=default`).
  let usesDefaults: Bool

  /// - Throws: PGRST204 for a column that the table does not have.
  init(_ body: RequestBody, for table: Table, usesDefaults: Bool) throws(PostgRESTError) {
    guard case .json(let json, let names, let isObject) = body else { throw .unusableBody() }
    var columns: [Column] = []
    for name in Set(names).sorted() {
      guard let column = table.columns.first(where: { $0.name == name }) else {
        throw .columnNotInCache(name, table: table.name.name)
      }
      columns.append(column)
    }
    self.columns = columns
    self.json = json
    self.isObject = isObject
    self.usesDefaults = usesDefaults
  }

  /// The rows as an entry of `FROM`.
  var from: [TableReference] {
    Self.rows(
      of: json, isObject: isObject, columns: columns.map { ($0.name, TypeName($0.type)) },
      defaults: usesDefaults
        ? columns.compactMap { column in column.defaultValue.map { (column.name, $0) } } : nil)
  }

  /// The rows of a document.
  ///
  /// - Parameter defaults: The values of missing members; nil for null.
  static func rows(
    of json: String, isObject: Bool, columns: [(name: String, type: TypeName)],
    defaults: [(name: String, value: SQLExpression)]?
  ) -> [TableReference] {
    let definitions = columns.map { TableFunction.ColumnDefinition($0.name, $0.type) }
    func function(_ name: String, _ argument: SQLExpression, definitions: [TableFunction.ColumnDefinition])
      -> TableReference
    {
      .function(
        TableFunction(
          [Call(QualifiedName(name), [Call.Argument(argument)])], alias: TableAlias(alias),
          definitions: definitions),
        isLateral: true)
    }
    guard !columns.isEmpty else {
      // One row for an empty object, and a row for each empty object of an array.
      if isObject { return [.query(Query(.values([[.number("1")]])), TableAlias(alias), isLateral: false)] }
      return [function("json_array_elements", SQLExpression.string(json).cast(to: "json"), definitions: [])]
    }
    guard let defaults else {
      let document = SQLExpression.string(json).cast(to: "json")
      return [function(isObject ? "json_to_record" : "json_to_recordset", document, definitions: definitions)]
    }
    let document = SQLExpression.string(json).cast(to: "jsonb")
    let filled = SQLExpression.call(
      "jsonb_build_object", defaults.flatMap { [.string($0.name), $0.value] }, orderedBy: [])
    if isObject {
      return [function("jsonb_to_record", .infix("||", filled, document), definitions: definitions)]
    }
    let element = TableFunction(
      [Call(QualifiedName("jsonb_array_elements"), [Call.Argument(document)])],
      alias: TableAlias("pgrst_element", columns: ["value"]))
    return [
      .function(element, isLateral: false),
      function(
        "jsonb_to_record", .infix("||", filled, .name(["pgrst_element", "value"])), definitions: definitions),
    ]
  }

  func value(_ column: String) -> SQLExpression { .column(Self.alias, column) }
}

/// Counts the rows that an upsert inserts, instead of updating them, in a setting (`addConfigPgrstInserted`).
enum InsertedCount {
  private static let setting = "pgrst.inserted"

  /// Adds or removes one for each row.
  ///
  /// It is always true.
  static func counting(up: Bool) -> SQLExpression {
    do {
      return try Script.expression(
        """
        set_config('\(setting)', (coalesce(nullif(current_setting('\(setting)', true), '')::int, 0) \(up ? "+" : "-") 1)::text,
          true) <> '\(up ? "0" : "-1")'
        """)
    } catch {
      preconditionFailure("The expression that counts is valid: \(error)")
    }
  }

  static func value(_ session: Session) -> Int { session.setting(setting).flatMap { Int($0) } ?? 0 }
}
