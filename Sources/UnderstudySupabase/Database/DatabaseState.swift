import Understudy
import UnderstudyHTTP

/// The contents of a database, with the changes of the current statement.
///
/// A statement writes in place and keeps the previous rows, so that a refused one can be rolled
/// back.
struct DatabaseState {
  private(set) var tables: [TableStorage]
  private let places: [String: Int]
  var generator: SeededGenerator
  var refusal: StatementRefusal?
  var feeds = ChangeFeeds()
  /// Whether the current statement has written `now()`.
  var hasWrittenNow = false
  /// The injected time of the last statement that wrote `now()`, and the written value.
  private var lastWritten: (time: Timestamp, moment: Timestamp)?
  /// The previous content of each slot that the current statement has written, in the order of its writes.
  private(set) var undo: [(table: Int, slot: Int, values: [ColumnValue]?)] = []

  init(tables: [DatabaseTable], seed: UInt64) {
    let catalog = ExpressionBinder.catalog(of: tables)
    self.tables = tables.map { TableStorage($0, in: catalog) }
    places = catalog.mapValues(\.place)
    generator = SeededGenerator(seed: seed)
  }

  /// - Throws: 42P01.
  func place(of table: String) throws(PostgRESTError) -> Int {
    guard let place = places[table] else {
      throw PostgRESTError(code: "42P01", message: "relation \"\(table)\" does not exist")
    }
    return place
  }

  /// Writes a row and returns its slot; without a slot it is a new row.
  ///
  /// - Throws: 23505 if another row has one of its keys.
  @discardableResult
  mutating func put(
    _ values: [ColumnValue], at slot: Int? = nil, in table: Int, _ context: StatementContext
  ) throws(PostgRESTError) -> Int {
    for index in tables[table].indexes {
      guard let key = index.key(of: values), let other = index[key], other != slot else { continue }
      let hides = context.isRestricted(in: tables[table].table)
      let error = PostgRESTError.duplicateKey(
        constraint: index.name, columns: index.columnNames.map(SQLKeywords.quoted),
        values: index.columns.map { values[$0].text })
      throw hides ? PostgRESTError(code: error.code, message: error.message) : error
    }
    let slot = slot ?? tables[table].slots.count
    undo.append((table, slot, tables[table].replace(slot, with: values)))
    return slot
  }

  /// Removes a row.
  mutating func remove(_ slot: Int, from table: Int) {
    undo.append((table, slot, tables[table].replace(slot, with: nil)))
  }

  /// Returns the value of `now()` at a time: one microsecond after the last value, if that was already written.
  func moment(at time: Timestamp) -> Timestamp {
    guard let lastWritten, time.microseconds >= lastWritten.time.microseconds else { return time }
    return max(time, lastWritten.moment.next)
  }

  /// Commits the changes of the statement.
  mutating func commit(_ time: Timestamp, _ context: StatementContext) {
    if hasWrittenNow { lastWritten = (time, context.now) }
    sendChanges(at: context.now)
    finish()
  }

  /// Undoes the changes of the statement.
  mutating func rollBack() {
    for change in undo.reversed() { _ = tables[change.table].replace(change.slot, with: change.values) }
    finish()
  }

  private mutating func finish() {
    for table in Set(undo.map(\.table)) { tables[table].compact() }
    undo = []
    hasWrittenNow = false
  }

  func row(_ slot: Int, of table: Int) -> DatabaseRow? {
    tables[table].slots[slot].map { DatabaseRow(layout: tables[table].table.layout, values: $0) }
  }
}

/// The role and the time of a statement.
struct StatementContext {
  let role: DatabaseRole
  let now: Timestamp
  /// Whether the written rows are returned, which requires the right to see them.
  let returnsRows: Bool

  /// Returns whether policies restrict the role's access to the table.
  ///
  /// They also hide the values in a refusal's details
  /// (`ExecBuildSlotValueDescription`, `BuildIndexValueDescription`, `ri_ReportViolation`).
  func isRestricted(in table: DatabaseTable) -> Bool {
    role != .service && table.policies != nil
  }
}

/// The rows of one table and its unique indexes.
struct TableStorage {
  let table: DatabaseTable
  /// The conditions on each row, in the order in which they are checked.
  let checks: [(name: String, condition: BoundExpression)]
  /// The policies; `nil` without row-level security.
  let policies: [BoundPolicy]?
  /// The error of an invalid constraint or policy, such as one on a missing column; every statement fails with it.
  let definitionError: PostgRESTError?
  /// The rows in the order of their insertion; `nil` where one was removed.
  private(set) var slots: [[ColumnValue]?] = []
  private(set) var indexes: [UniqueIndex]
  private var removed = 0

  init(_ table: DatabaseTable, in catalog: ExpressionBinder.Catalog) {
    self.table = table
    indexes = table.keys.map { UniqueIndex(name: $0.name, $0.columns, table) }
    var checks: [(name: String, condition: BoundExpression)] = []
    var policies: [BoundPolicy] = []
    var failure = (table.keys.flatMap(\.columns) + table.foreignKeys.flatMap(\.columns))
      .first { table.layout.positions[$0] == nil }.map {
        PostgRESTError.unknownTarget($0, table: table.relation)
      }
    do throws(ExpressionError) {
      let binder = ExpressionBinder(table, in: catalog)
      for check in table.checks {
        guard let name = check.name else { preconditionFailure("A table names every check.") }
        checks.append((name, try binder.condition(check.expression, in: "CHECK")))
      }
      for policy in table.policies ?? [] { policies.append(try BoundPolicy(policy, binder)) }
    } catch {
      failure =
        failure
        ?? PostgRESTError(
          code: error.error.code, message: error.error.message,
          details: "In a check or a policy of the table \"\(table.relation)\".", hint: error.advice)
    }
    self.checks = checks
    self.policies = table.policies == nil ? nil : policies
    definitionError = failure
  }

  /// Replaces the row in a slot, or removes it, and returns the previous one.
  mutating func replace(_ slot: Int, with values: [ColumnValue]?) -> [ColumnValue]? {
    if slot == slots.count {
      slots.append(nil)
      removed += 1
    }
    let old = slots[slot]
    slots[slot] = values
    removed += (values == nil ? 1 : 0) - (old == nil ? 1 : 0)
    for place in indexes.indices { indexes[place].replace(old, by: values, at: slot) }
    return old
  }

  /// Frees the slots of removed rows once most slots are empty.
  mutating func compact() {
    guard removed > 64, removed > slots.count / 2 else { return }
    let rows = slots.compactMap { $0 }
    slots = []
    removed = 0
    for place in indexes.indices { indexes[place].removeAll() }
    for row in rows { _ = replace(slots.count, with: row) }
  }

  /// Returns the position in `indexes` of the index on exactly these columns, in any order.
  func index(on columns: [String]) -> Int? {
    let places = Set(columns.compactMap { table.layout.positions[$0] })
    return indexes.firstIndex { places.count == columns.count && Set($0.columns) == places }
  }

  /// Returns the slot of the row with a key in these columns, in their order, with a lookup in an index if one exists.
  func slot(of key: IndexKey, in columns: [String]) -> Int? {
    if let index = indexes.first(where: { $0.columnNames == columns }) { return index[key] }
    let places = columns.compactMap { table.layout.positions[$0] }
    return slots.indices.first { slot in
      slots[slot].map { row in IndexKey(places.map { row[$0] }) == key } ?? false
    }
  }

  /// Returns the slots of the rows that could have these values: at most one if a unique index covers them.
  func candidates(requiring required: [Int: ColumnValue]) -> [Int] {
    if !required.isEmpty {
      for index in indexes where index.columns.allSatisfy({ required[$0] != nil }) {
        let key = IndexKey(index.columns.compactMap { required[$0] })
        return key.flatMap { index[$0] }.map { [$0] } ?? []
      }
    }
    return slots.indices.filter { slots[$0] != nil }
  }
}

/// The slots of rows by their keys.
struct UniqueIndex {
  let name: String
  let columns: [Int]
  let columnNames: [String]
  private var places: [IndexKey: Int] = [:]

  init(name: String, _ columnNames: [String], _ table: DatabaseTable) {
    self.name = name
    self.columnNames = columnNames
    columns = columnNames.compactMap { table.layout.positions[$0] }
  }

  subscript(key: IndexKey) -> Int? { places[key] }

  /// Returns the key of a row; `nil` if a part of it is `NULL`, which equals nothing.
  func key(of row: [ColumnValue]) -> IndexKey? {
    IndexKey(columns.map { row[$0] })
  }

  mutating func replace(_ old: [ColumnValue]?, by new: [ColumnValue]?, at slot: Int) {
    let (oldKey, newKey) = (old.flatMap(key), new.flatMap(key))
    guard oldKey != newKey else { return }
    if let oldKey { places[oldKey] = nil }
    if let newKey { places[newKey] = slot }
  }

  mutating func removeAll() {
    places = [:]
  }
}

/// The values of a lookup.
///
/// Texts are compared by their bytes, as in PostgreSQL; Swift's `String` treats two spellings of "é" as
/// one. NaN is a value like any other, and equals itself (PostgreSQL, "Numeric Types").
struct IndexKey: Hashable {
  private enum Part: Hashable {
    case value(ColumnValue)
    case bytes([UInt8])
    case notANumber
  }

  private let parts: [Part]

  /// Creates a key; `nil` if one of the values is `NULL`.
  init?(_ values: [ColumnValue]) {
    guard !values.contains(.null) else { return nil }
    parts = values.map { value in
      if case .text(let text) = value, !text.utf8.allSatisfy({ $0 < 0x80 }) {
        return .bytes(Array(text.utf8))
      }
      if case .double(let number) = value, number.isNaN { return .notANumber }
      return .value(value)
    }
  }
}

/// A row of a table at the time at which it was read.
package struct DatabaseRow: Sendable {
  let layout: RowLayout
  /// One value for each column, in the order of the columns.
  var values: [ColumnValue]

  /// The names of the columns, in the order of the table.
  package var columns: [String] { layout.columns.map(\.name) }

  /// The value of a column; `NULL` if the table has no such column.
  package subscript(column: String) -> ColumnValue {
    layout.positions[column].map { values[$0] } ?? .null
  }
}

extension DatabaseRow: Equatable {
  /// Returns whether the same columns have the same values.
  package static func == (one: DatabaseRow, other: DatabaseRow) -> Bool {
    one.values == other.values && one.columns == other.columns
  }
}
