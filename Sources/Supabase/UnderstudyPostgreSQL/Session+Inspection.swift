/// A condition over the rows of one table.
package struct RowCondition: Sendable {
  fileprivate let condition: Bound
}

extension Session {
  /// Binds what writes the rows of all tables, before the first of many sessions needs it.
  package func bindTables() throws(PostgreSQLError) {
    for name in state.catalogue.tables.keys { _ = try writer(for: name) }
  }

  /// Whether the role may read a row of a table.
  ///
  /// A policy that fails hides the row.
  package func sees(_ row: Row, of name: QualifiedName) -> Bool {
    do throws(PostgreSQLError) {
      guard let table = state.catalogue.tables[name] else { return false }
      let binder = binder()
      try binder.checkSchema(name)
      try binder.require(.select, on: table)
      guard let policy = try binder.policy(table, .select) else { return true }
      let frame = rowFrame()
      frame.rows[0] = row
      return try policy.evaluate(frame) == .boolean(true)
    } catch {
      return false
    }
  }

  /// Refuses a table that the role must not read.
  package func checkReadable(_ name: QualifiedName) throws(PostgreSQLError) {
    let table = try state.catalogue.table(name, path)
    let binder = binder()
    try binder.checkSchema(table.name)
    try binder.require(.select, on: table)
    _ = try binder.policy(table, .select)
  }

  /// A condition over the columns of a table.
  package func condition(
    _ expression: SQLExpression, on name: QualifiedName
  ) throws(PostgreSQLError) -> RowCondition {
    let table = try state.catalogue.table(name, path)
    let binder = binder()
    return RowCondition(condition: try binder.condition(expression, binder.scope(of: table), "WHERE"))
  }

  package func satisfies(_ row: Row, _ condition: RowCondition) -> Bool {
    let frame = rowFrame()
    frame.rows[0] = row
    return (try? condition.condition.evaluate(frame)) == .boolean(true)
  }

  /// A value as `to_json` writes it.
  package func json(_ value: Value, as type: BoundType) throws(PostgreSQLError) -> [UInt8] {
    var writer = JSONWriter()
    try writer.write(value, as: type, self)
    return writer.bytes
  }
}
