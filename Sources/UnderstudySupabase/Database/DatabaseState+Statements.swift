import Foundation
import Understudy
import UnderstudyHTTP

/// A row to write: a value for each column, `nil` for a column that the statement does not name.
typealias NewValues = [ColumnValue?]

/// The behaviour of an insert if a row with the same key exists.
struct ConflictResolution {
  let columns: [String]
  /// Whether the existing row is updated; otherwise the new one is ignored.
  let merges: Bool
  /// Whether the statement names each column, even if a row has no value for it; `nil` for the columns with a value.
  var named: [Bool]? = nil

  /// Returns the new values of the existing row (`SET column = EXCLUDED.column` for each named column).
  func update(from row: NewValues, excluded: [ColumnValue]) -> NewValues {
    guard let named else { return row }
    return zip(named, excluded).map { isNamed, value in isNamed ? .some(value) : .none }
  }
}

extension DatabaseState {
  /// Reads named values as the columns' types.
  ///
  /// - Throws: 42703, or the error of a value that is invalid for the type.
  func values(
    from named: [String: ColumnValue], for table: Int
  ) throws(PostgRESTError) -> NewValues {
    let layout = tables[table].table.layout
    if let unknown = named.keys.filter({ layout.positions[$0] == nil }).min() {
      throw .unknownTarget(unknown, table: layout.relation)
    }
    var values: NewValues = []
    for column in layout.columns {
      if let value = named[column.name] {
        values.append(try column.type.value(from: value, column: column.name))
      } else {
        values.append(nil)
      }
    }
    return values
  }

  /// Inserts rows and returns the slots of the inserted and of the updated ones, in order.
  mutating func insert(
    _ rows: [NewValues], into table: Int, onConflict resolution: ConflictResolution?,
    _ context: StatementContext
  ) throws(PostgRESTError) -> (slots: [Int], inserted: Int) {
    let arbiter = resolution.map { tables[table].index(on: $0.columns) }
    if case .some(nil) = arbiter { throw .unmatchedConflictTarget }
    // The lookup of a row with the same key also reads.
    let isRead = context.returnsRows || resolution != nil
    var kinds: Set<StatementKind> = isRead ? [.insert, .select] : [.insert]
    if resolution?.merges == true { kinds.insert(.update) }
    try checkAccess(to: table, for: kinds, context)
    var slots: [Int] = []
    var inserted = 0
    var before: [Int: [ColumnValue]] = [:]
    for row in rows {
      let new = DatabaseRow(
        layout: tables[table].table.layout, values: try withDefaults(row, of: table, context))
      try checkPolicies(new, of: table, for: .insert, isRead: isRead, context)
      try checkConstraints(new, of: table, context)
      if let resolution, let slot = self.slot(of: new, by: arbiter ?? nil, in: table) {
        guard resolution.merges else { continue }
        guard !slots.contains(slot) else { throw .repeatedConflict }
        if let old = self.row(slot, of: table) {
          guard try isVisible(old, of: table, to: [.update, .select], context) else {
            throw .refusedByUsing(table: tables[table].table.relation)
          }
          before[slot] = old.values
        }
        try change(
          slot, of: table, to: resolution.update(from: row, excluded: new.values), isRead: true, context)
        slots.append(slot)
      } else {
        slots.append(try put(new.values, in: table, context))
        inserted += 1
      }
    }
    try settle(slots, of: table, before: before, context)
    return (slots, inserted)
  }

  /// Updates the rows that a filter matches and returns their slots.
  mutating func update(
    _ table: Int, set values: NewValues, where filter: RowFilter, _ context: StatementContext
  ) throws(PostgRESTError) -> [Int] {
    let isRead = context.returnsRows || filter.readsColumns
    let slots = try slots(of: table, where: filter, for: isRead ? [.update, .select] : [.update], context)
    var before: [Int: [ColumnValue]] = [:]
    for slot in slots {
      before[slot] = tables[table].slots[slot]
      try change(slot, of: table, to: values, isRead: isRead, context)
    }
    try settle(slots, of: table, before: before, context)
    return slots
  }

  /// Deletes the rows that a filter matches and returns them.
  mutating func delete(
    from table: Int, where filter: RowFilter, _ context: StatementContext
  ) throws(PostgRESTError) -> [DatabaseRow] {
    let isRead = context.returnsRows || filter.readsColumns
    let slots = try slots(of: table, where: filter, for: isRead ? [.delete, .select] : [.delete], context)
    let rows = slots.compactMap { row($0, of: table) }
    for slot in slots { remove(slot, from: table) }
    try followReferences(to: rows.map(\.values), of: table, isDeletion: true, context)
    return rows
  }

  /// Returns the slot of the existing row with the key of a new one.
  private func slot(of row: DatabaseRow, by arbiter: Int?, in table: Int) -> Int? {
    guard let arbiter else { return nil }
    let index = tables[table].indexes[arbiter]
    return index.key(of: row.values).flatMap { index[$0] }
  }

  mutating func change(
    _ slot: Int, of table: Int, to values: NewValues, isRead: Bool, _ context: StatementContext
  ) throws(PostgRESTError) {
    guard var row = row(slot, of: table) else { return }
    for (place, column) in row.layout.columns.enumerated() {
      if let value = values[place] { row.values[place] = value }
      if column.isSetOnUpdate {
        row.values[place] = .timestamp(context.now.date)
        hasWrittenNow = true
      }
    }
    try checkPolicies(row, of: table, for: .update, isRead: isRead, context)
    try checkConstraints(row, of: table, context)
    try put(row.values, at: slot, in: table, context)
  }

  /// - Throws: Class 22 or 42804 for a default that is invalid for its column's type.
  mutating func withDefaults(
    _ row: NewValues, of table: Int, _ context: StatementContext
  ) throws(PostgRESTError) -> [ColumnValue] {
    var values: [ColumnValue] = []
    for (value, column) in zip(row, tables[table].table.columns) {
      if let value { values.append(value) } else { values.append(try defaultValue(of: column, context)) }
    }
    return values
  }

  private mutating func defaultValue(
    of column: DatabaseColumn, _ context: StatementContext
  ) throws(PostgRESTError) -> ColumnValue {
    switch column.defaultValue {
    case nil: return .null
    case .value(let value): return try column.type.value(from: value, column: column.name)
    case .now:
      hasWrittenNow = true
      return .timestamp(context.now.date)
    case .userID: if case .user(let id) = context.role { return .uuid(id) } else { return .null }
    case .generatedUUID: return .uuid(generator.nextUUID())
    }
  }

  /// - Throws: 23502 for the first column that is `NULL` and must not be, 23514 for the first check by name.
  func checkConstraints(
    _ row: DatabaseRow, of table: Int, _ context: StatementContext
  ) throws(PostgRESTError) {
    let declared = tables[table].table
    func shown() -> [String]? { context.isRestricted(in: declared) ? nil : row.values.map(\.text) }
    for (column, value) in zip(declared.columns, row.values) where value.isNull {
      if !column.isNullable || declared.primaryKey.contains(column.name) {
        throw .nullValue(column: column.name, table: declared.relation, row: shown())
      }
    }
    for check in tables[table].checks where try truth(of: check.condition, [row.values], context) == false {
      throw .violatedCheck(check.name, table: declared.relation, row: shown())
    }
  }
}

extension DatabaseState {
  /// Returns the slots of the rows that a role may see and a filter matches, in the order of insertion.
  ///
  /// - Throws: The errors of `checkAccess(to:for:_:)`, and the errors of evaluating a policy.
  func slots(
    of table: Int, where filter: RowFilter, for kinds: Set<StatementKind>, _ context: StatementContext
  ) throws(PostgRESTError) -> [Int] {
    try checkAccess(to: table, for: kinds, context)
    var slots: [Int] = []
    for slot in tables[table].candidates(requiring: filter.requiredValues) {
      guard let row = row(slot, of: table), try filter.holds(for: row.values) == true else { continue }
      if try isVisible(row, of: table, to: kinds, context) { slots.append(slot) }
    }
    return slots
  }

  /// Returns the rows of a query and their number before the limit.
  func select(_ query: Query, from table: Int, _ context: StatementContext) throws(PostgRESTError)
    -> Selection
  {
    let layout = tables[table].table.layout
    let filter = try RowFilter(query.filter, for: layout)
    var keys: [DatabaseOrdering.Key] = []
    for ordering in query.orderings { keys.append((try layout.column(ordering.column).0, ordering)) }
    let found = try slots(of: table, where: filter, for: [.select], context)
    let rows = DatabaseOrdering.sorted(found.compactMap { row($0, of: table) }, by: keys)
    let kept = rows.dropFirst(max(0, query.offset)).prefix(max(0, query.limit ?? .max))
    return Selection(rows: Array(kept), total: rows.count)
  }
}

/// The parameters of a select.
struct Query {
  var filter = DatabaseFilter.all
  var orderings: [DatabaseOrdering] = []
  var limit: Int?
  var offset = 0
}

/// The rows of a select and their number before its limit and offset.
struct Selection {
  let rows: [DatabaseRow]
  let total: Int
}

extension DatabaseOrdering {
  /// A resolved ordering: the index of its column in a row.
  typealias Key = (place: Int, ordering: DatabaseOrdering)

  /// Returns rows in an order; rows that are equal in all keys keep theirs.
  static func sorted(_ rows: [DatabaseRow], by keys: [Key]) -> [DatabaseRow] {
    if keys.isEmpty { return rows }
    return rows.enumerated().sorted { one, other in
      for (place, ordering) in keys {
        let order = ordering.order(one.element.values[place], other.element.values[place])
        if order != .same { return order == .before }
      }
      return one.offset < other.offset
    }.map(\.element)
  }

  private func order(_ one: ColumnValue, _ other: ColumnValue) -> ColumnValue.Order {
    switch (one.isNull, other.isNull) {
    case (true, true): .same
    case (true, false): placesNullsFirst ? .before : .after
    case (false, true): placesNullsFirst ? .after : .before
    case (false, false):
      (isAscending ? one.order(comparedTo: other) : one.order(comparedTo: other)?.reversed) ?? .same
    }
  }
}
