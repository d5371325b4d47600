import UnderstudyHTTP

extension InMemoryDatabase {
  /// Inserts a row and returns it as it is stored.
  ///
  /// - Throws: 42703, 42501, 23502, 23514, 23505, 23503, or class 22 for a value that its column does not
  ///   take.
  @discardableResult
  public func insert(
    _ row: [String: DatabaseValue], into table: String, as role: DatabaseRole = .service
  ) throws(PostgRESTError) -> DatabaseRow {
    let rows = try insert([row], into: table, as: role)
    guard let row = rows.first else { throw .notSingular(rows: 0) }
    return row
  }

  /// Inserts all of several rows, or none, and returns them as they are stored.
  ///
  /// - Throws: As for one row.
  @discardableResult
  public func insert(
    _ rows: [[String: DatabaseValue]], into table: String, as role: DatabaseRole = .service
  ) throws(PostgRESTError) -> [DatabaseRow] {
    try insert(rows, into: table, onConflict: nil, as: role)
  }

  /// Inserts rows, and changes those in their stead whose key is there already.
  ///
  /// - Parameters:
  ///   - columns: The columns of the primary key or of another set that is unique.
  ///   - merges: Whether a row that is there takes the values given; else it stays, and is not returned.
  /// - Throws: As for an insert; also 42P10 and 21000.
  @discardableResult
  public func upsert(
    _ rows: [[String: DatabaseValue]], into table: String, onConflict columns: [String], merges: Bool = true,
    as role: DatabaseRole = .service
  ) throws(PostgRESTError) -> [DatabaseRow] {
    try insert(rows, into: table, onConflict: ConflictResolution(columns: columns, merges: merges), as: role)
  }

  /// The rows that the role sees and the filter means.
  ///
  /// - Parameter orderings: By these; rows that are equal in them, or all if there are none, as they came.
  /// - Throws: 42703, or class 22 for a value in the filter.
  public func select(
    from table: String, where filter: Filter = .all, orderedBy orderings: [Ordering] = [], limit: Int? = nil,
    offset: Int = 0, as role: DatabaseRole = .service
  ) throws(PostgRESTError) -> [DatabaseRow] {
    let query = Query(filter: filter, orderings: orderings, limit: limit, offset: offset)
    return try perform(.select, on: table, as: role) { (state, table, context) throws(PostgRESTError) in
      try state.select(query, from: table, context).rows
    }
  }

  /// Changes the rows that the role may change and the filter means, and returns them as they are stored.
  ///
  /// - Throws: As for an insert.
  @discardableResult
  public func update(
    _ table: String, set values: [String: DatabaseValue], where filter: Filter,
    as role: DatabaseRole = .service
  ) throws(PostgRESTError) -> [DatabaseRow] {
    try perform(.update, on: table, as: role) { (state, table, context) throws(PostgRESTError) in
      let values = try state.values(from: values, for: table)
      let filter = try RowFilter(filter, for: state.tables[table].table.layout)
      let slots = try state.update(table, set: values, where: filter, context)
      return slots.compactMap { state.row($0, of: table) }
    }
  }

  /// Removes the rows that the role may delete and the filter means, and returns them.
  ///
  /// - Throws: 23503 if another row refers to one of them and its foreign key has no action; 42703.
  @discardableResult
  public func delete(
    from table: String, where filter: Filter, as role: DatabaseRole = .service
  ) throws(PostgRESTError) -> [DatabaseRow] {
    try perform(.delete, on: table, as: role) { (state, table, context) throws(PostgRESTError) in
      let filter = try RowFilter(filter, for: state.tables[table].table.layout)
      return try state.delete(from: table, where: filter, context)
    }
  }

  private func insert(
    _ rows: [[String: DatabaseValue]], into table: String, onConflict resolution: ConflictResolution?,
    as role: DatabaseRole
  ) throws(PostgRESTError) -> [DatabaseRow] {
    try perform(.insert, on: table, as: role) { (state, table, context) throws(PostgRESTError) in
      var values: [NewValues] = []
      for row in rows { values.append(try state.values(from: row, for: table)) }
      let result = try state.insert(values, into: table, onConflict: resolution, context)
      return result.slots.compactMap { state.row($0, of: table) }
    }
  }
}
