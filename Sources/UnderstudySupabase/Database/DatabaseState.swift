import Understudy
import UnderstudyHTTP

/// Everything that a database holds, with what the statement under way has changed.
///
/// A statement writes in place and remembers what was there before, so that a refusal can take all of it
/// back.
struct DatabaseState {
  private(set) var tables: [TableStorage]
  private let places: [String: Int]
  var generator: SeededGenerator
  var refusal: StatementRefusal?
  var feeds = ChangeFeeds()
  /// Whether the statement under way has written `now()`.
  var hasWrittenNow = false
  /// The injected time of the last statement that wrote `now()`, and what it wrote.
  private var lastWritten: (time: Timestamp, moment: Timestamp)?
  /// What was in each place that the statement under way has written, in the order of its writes.
  private(set) var undo: [(table: Int, slot: Int, values: [DatabaseValue]?)] = []

  init(tables: [Table], seed: UInt64) {
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

  /// Writes a row and returns its place; without one it is a new row.
  ///
  /// - Throws: 23505 if another row has a key of it.
  @discardableResult
  mutating func put(
    _ values: [DatabaseValue], at slot: Int? = nil, in table: Int, _ context: StatementContext
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

  /// Takes a row out.
  mutating func remove(_ slot: Int, from table: Int) {
    undo.append((table, slot, tables[table].replace(slot, with: nil)))
  }

  /// What `now()` is at a time: a little later than the time, if that has been written already.
  func moment(at time: Timestamp) -> Timestamp {
    guard let lastWritten, time.microseconds >= lastWritten.time.microseconds else { return time }
    return max(time, lastWritten.moment.next)
  }

  /// Keeps what the statement has done.
  mutating func commit(_ time: Timestamp, _ context: StatementContext) {
    if hasWrittenNow { lastWritten = (time, context.now) }
    tellChanges(at: context.now)
    finish()
  }

  /// Takes back what the statement has done.
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

/// For whom and when a statement runs.
struct StatementContext {
  let role: DatabaseRole
  let now: Timestamp
  /// Whether the rows that it writes are read back, which asks for the right to see them.
  let returnsRows: Bool

  /// Whether policies stand between the role and the table.
  ///
  /// They also hide the values in a refusal's details
  /// (`ExecBuildSlotValueDescription`, `BuildIndexValueDescription`, `ri_ReportViolation`).
  func isRestricted(in table: Table) -> Bool {
    role != .service && table.policies != nil
  }
}
