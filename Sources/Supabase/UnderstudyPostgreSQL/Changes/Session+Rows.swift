/// What a statement demands of the rows that it writes, beyond the constraints of the table.
struct RowPolicy: Sendable {
  /// Conditions that a new row must satisfy, with the name of a restrictive policy.
  var checks: [(condition: Bound, name: String?)] = []
  /// Conditions of views with `WITH CHECK OPTION`.
  var viewChecks: [(condition: Bound, view: String)] = []

  func test(_ row: Row, _ table: Table, _ frame: Frame) throws(PostgreSQLError) {
    frame.rows[0] = row
    for (condition, name) in checks where try condition.evaluate(frame) != .boolean(true) {
      throw PostgreSQLError(
        "42501",
        "new row violates row-level security policy\(name.map { " \"\($0)\"" } ?? "") for table \"\(table.name.name)\""
      )
    }
  }
}

extension RowPolicy {
  /// Tests a row that was written (execMain.c, ExecWithCheckOptions).
  func testViews(
    _ row: Row, _ writer: TableWriter, _ frame: Frame, _ session: Session
  ) throws(PostgreSQLError) {
    guard !viewChecks.isEmpty else { return }
    frame.rows[0] = row
    for (condition, view) in viewChecks where try condition.evaluate(frame) != .boolean(true) {
      throw PostgreSQLError(
        "44000", "new row violates check option for view \"\(view)\"",
        detail: try writer.failingRow(row, session))
    }
  }
}

extension Session {
  /// A frame for expressions over one row of a table.
  ///
  /// One is made for a statement, not for each row: it keeps the rows of that moment, so that the first change after
  /// it copies what it changes.
  func rowFrame() -> Frame { Frame(relations: 1, parent: nil, execution: Execution(self)) }

  func change<Result>(_ table: QualifiedName, _ body: (inout TableData) -> Result) -> Result {
    body(&state.data[table, default: TableData()])
  }

  /// What the triggers before it make of a new row, with the generated columns; nil if they skip it.
  func prepareInsert(_ row: Row, _ writer: TableWriter, _ frame: Frame) throws(PostgreSQLError) -> Row? {
    guard var row = try fireBefore(.insert, writer, old: nil, new: row) else { return nil }
    try writer.generate(&row, frame)
    return row
  }

  /// Writes a row whose triggers ran and whose conflicts were looked for.
  func write(_ row: Row, _ writer: TableWriter, _ frame: Frame) throws(PostgreSQLError) {
    try writer.insert(row, frame, self)
    note(RowChange(table: writer.table.name, old: nil, new: row))
  }

  /// Replaces a row, and returns the new one; nil if a trigger skips it.
  @discardableResult func updateRow(
    _ place: Heap.Place, _ old: Row, to new: Row, _ writer: TableWriter, assigned: Set<Int>,
    policy: RowPolicy? = nil, _ frame: Frame
  ) throws(PostgreSQLError) -> Row? {
    guard var row = try fireBefore(.update(of: []), writer, old: old, new: new, assigned: assigned) else {
      return nil
    }
    // A trigger may have changed or removed the row.
    guard state.data[writer.table.name]?.heap[place] != nil else { return nil }
    try writer.generate(&row, frame)
    try policy?.test(row, writer.table, frame)
    try writer.check(row, frame, self)
    for key in writer.keys {
      if try writer.conflict(key, row, frame, except: place, self) != nil {
        throw try writer.duplicate(key, row, frame, self)
      }
    }
    try writer.remove(place, old, frame, self)
    try writer.insert(row, frame, self)
    note(RowChange(table: writer.table.name, old: old, new: row, assigned: assigned))
    try policy?.testViews(row, writer, frame, self)
    return row
  }

  /// Removes a row.
  ///
  /// Returns whether it did: a trigger may skip it.
  @discardableResult func deleteRow(
    _ place: Heap.Place, _ row: Row, _ writer: TableWriter, _ frame: Frame
  ) throws(PostgreSQLError) -> Bool {
    guard try fireBefore(.delete, writer, old: row, new: nil) != nil else { return false }
    guard state.data[writer.table.name]?.heap[place] != nil else { return false }
    try writer.remove(place, row, frame, self)
    note(RowChange(table: writer.table.name, old: row, new: nil))
    return true
  }

  private func note(_ change: RowChange) {
    pending.append(change)
    observe(change)
  }

  /// Runs what waits for the end of a statement: foreign keys and `AFTER` triggers, for one change after the other.
  func settle(from first: Int) throws(PostgreSQLError) {
    var index = first
    while index < pending.count {
      let change = pending[index]
      index += 1
      let writer = try writer(for: change.table)
      try checkReferences(change, writer)
      try followReferences(change, writer)
      try fireAfter(change, writer)
    }
    pending.removeSubrange(first...)
  }

  /// The default of a column, as a value.
  func defaultValue(of column: Int, _ table: Table) throws(PostgreSQLError) -> Value {
    let binder = binder()
    return try binder.defaultValue(of: column, table).evaluate(rowFrame())
  }
}

extension Binder {
  /// What a column gets if a statement gives it nothing.
  func defaultValue(of column: Int, _ table: Table) throws(PostgreSQLError) -> Bound {
    let described = table.columns[column]
    if let sequence = described.sequence, described.defaultValue == nil {
      let value = Bound(BoundType(.bigint), uses: Bound.Uses(isVolatile: true)) {
        frame throws(PostgreSQLError) in
        .integer(try frame.execution.session.nextIdentity(of: sequence))
      }
      return try coerce(value, to: described.type, modifier: described.modifier, .assignment)
    }
    var expression = described.defaultValue
    if expression == nil, case .domain(let name) = described.type {
      expression = catalogue.domains[name]?.defaultValue
    }
    guard let expression else { return try coerce(.null, to: described.type, modifier: described.modifier) }
    return try coerce(
      bind(expression, Scope(parent: nil)), to: described.type, modifier: described.modifier, .assignment)
  }
}
