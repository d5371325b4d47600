public import Foundation
public import Understudy
import UnderstudyHTTP

/// A database in memory with constraints and policies, whose errors have the codes and messages of PostgreSQL.
///
/// Statements are atomic: a refused statement changes nothing. They run one at a time and never wait. The same seed,
/// times and statements produce the same rows.
///
/// ```swift
/// let database = InMemoryDatabase(try DatabaseSchema(sql: migration))
/// try database.insert(rows: [Todo(owner: id, title: "Milk")], into: "todos", as: .user(id))
/// let todos = try database.rows(of: Todo.self, in: "todos", as: .user(id))
/// ```
///
/// Two statements that write `now()` never write the same value: if the injected time has not advanced, the later
/// one is a microsecond later, so that sorting by time is unambiguous.
///
/// The table `auth.users` is predefined. An ``AuthServer`` writes it, and foreign keys can refer to it. So are
/// `storage.buckets` and `storage.objects`, to which a schema can add policies.
///
/// An update or a delete reads the affected rows, so it affects a row only if the role may also select it. As in
/// PostgreSQL, an error of a table with row-level security contains no values for a role that the policies restrict.
public final class InMemoryDatabase: Sendable {
  private let state: Locked<DatabaseState>
  /// The initial state.
  private let empty: DatabaseState
  private let time: Time
  /// The broadcasts of the project, which every emulator over the database shares.
  let broadcasts = RealtimeBroadcasts()
  /// The bytes of the objects of Storage.
  let files = StoredFiles()
  /// The declared tables, `auth.users`, and those of Storage.
  package let tables: [DatabaseTable]

  /// Creates a database with empty tables.
  ///
  /// - Parameters:
  ///   - schema: The tables.
  ///   - seed: The seed of generated identifiers.
  ///   - time: The clock for `now()` and the current date.
  public convenience init(_ schema: DatabaseSchema, seed: UInt64 = 0, time: Time = .system) {
    self.init(schema.tablesOfStorage + schema.tables, seed: seed, time: time)
  }

  package init(_ tables: [DatabaseTable], seed: UInt64 = 0, time: Time = .system) {
    // A schema has them with its policies.
    let hasStorage = tables.contains { $0.name == StorageEndpoint.objects }
    self.tables = [.users] + (hasStorage ? [] : DatabaseTable.ofStorage) + tables
    self.time = time
    empty = DatabaseState(tables: self.tables, seed: seed)
    state = Locked(empty)
  }

  /// Creates a database with the tables of another one, but empty, without binding policies and constraints again.
  package init(emptiedFrom other: InMemoryDatabase, seed: UInt64, time: Time) {
    tables = other.tables
    self.time = time
    var empty = other.empty
    empty.generator = SeededGenerator(seed: seed)
    self.empty = empty
    state = Locked(empty)
  }

  /// The current time.
  var now: Date { time.now }

  /// Reads or changes the state under the lock.
  func withState<Result: Sendable, Failure: Error>(
    _ body: (inout DatabaseState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try state.withLock(body)
  }

  /// Runs a statement under the lock, and rolls it back if `body` throws.
  ///
  /// - Parameter keepsChanges: Whether the changes are committed; otherwise they are only tried.
  func perform<Result: Sendable>(
    _ kind: StatementKind, on table: String, as role: DatabaseRole, returnsRows: Bool = true,
    keepsChanges: Bool = true,
    _ body: (inout DatabaseState, _ table: Int, StatementContext) throws(PostgRESTError) -> Result
  ) throws(PostgRESTError) -> Result {
    guard let now = Timestamp(time.now) else {
      throw PostgRESTError(
        code: "22008", message: "timestamp out of range",
        details: "The injected time is outside the years 1 to 9999.")
    }
    return try state.withLock { (state) throws(PostgRESTError) -> Result in
      do throws(PostgRESTError) {
        if let refusal = state.refusal, refusal.concerns(kind, on: table) { throw refusal.error }
        let context = StatementContext(role: role, now: state.moment(at: now), returnsRows: returnsRows)
        let place = try state.place(of: table)
        if let failure = state.tables[place].definitionError { throw failure }
        let result = try body(&state, place, context)
        if keepsChanges { state.commit(now, context) } else { state.rollBack() }
        return result
      } catch {
        state.rollBack()
        throw error
      }
    }
  }

  /// Refuses matching statements until `acceptStatements()`, whether they come from Swift or over HTTP.
  ///
  /// - Parameters:
  ///   - error: The error, such as `.statementTimeout` or `.databaseUnavailable`.
  ///   - kind: The affected kind of statement; an upsert is an insert.
  ///   - table: The affected table.
  package func refuseStatements(
    with error: PostgRESTError, kind: StatementKind? = nil, on table: String? = nil
  ) {
    state.withLock { $0.refusal = StatementRefusal(error: error, kind: kind, table: table) }
  }

  /// Ends `refuseStatements(with:kind:on:)`.
  package func acceptStatements() {
    state.withLock { $0.refusal = nil }
  }
}

extension DatabaseTable {
  /// The tables of Storage without policies.
  static let ofStorage: [DatabaseTable] = SchemaReader.draftsOfStorage.map(\.table)

  /// The users of the auth server, with the columns to which other tables can refer.
  ///
  /// As in Supabase, only the service role may read it, so that even a policy that queries it is refused.
  static let users = DatabaseTable(
    "auth.users",
    columns: [DatabaseColumn("id", .uuid), DatabaseColumn("email", .text, isNullable: true)],
    primaryKey: ["id"],
    keys: [
      UniqueKey(name: "users_pkey", columns: ["id"]), UniqueKey(name: "users_email_key", columns: ["email"]),
    ], checks: [], foreignKeys: [], policies: [], isPrivate: true)
}

extension InMemoryDatabase {
  /// Inserts all rows or no rows.
  ///
  /// - Parameters:
  ///   - rows: The rows, each encoded as a JSON object whose members are columns. A column without a member has its
  ///     default. Dates are encoded as ISO 8601.
  ///   - table: The name of the table.
  ///   - role: The role of the statement. The policies of the table apply to all roles except `.service`.
  /// - Throws: `EncodingError`, or ``PostgRESTError`` for a row that the table refuses.
  public func insert(rows: [some Encodable], into table: String, as role: DatabaseRole = .service) throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    let encoded = try rows.map { try encoder.encode($0) }
    try perform(.insert, on: table, as: role) { (state, table, context) throws(PostgRESTError) in
      let layout = state.tables[table].table.layout
      var values: [NewValues] = []
      for row in encoded {
        values += try RequestRows(parsing: row, for: layout, usesDefaultsForMissing: true).rows
      }
      _ = try state.insert(values, into: table, onConflict: nil, context)
    }
  }

  /// Returns the rows of a table, in the order of their insertion.
  ///
  /// - Parameters:
  ///   - type: The type of a row, decoded from a JSON object whose members are all columns. Dates are decoded from ISO
  ///     8601, with or without fractions of a second.
  ///   - table: The name of the table.
  ///   - role: The role of the statement. The policies of the table apply to all roles except `.service`.
  /// - Throws: `DecodingError`, or ``PostgRESTError``.
  public func rows<Row: Decodable>(
    of type: Row.Type = Row.self, in table: String, as role: DatabaseRole = .service
  ) throws -> [Row] {
    let json = try perform(.select, on: table, as: role) { (state, table, context) throws(PostgRESTError) in
      try RowWriter(nil, for: state.tables[table].table.layout)
        .array(try state.select(Query(), from: table, context).rows)
    }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let text = try decoder.singleValueContainer().decode(String.self)
      guard let timestamp = try? Timestamp(text) else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "\(text) is not a date and a time."))
      }
      return timestamp.date
    }
    return try decoder.decode([Row].self, from: json)
  }

  /// Inserts a row and returns the stored row.
  ///
  /// - Throws: 42703, 42501, 23502, 23514, 23505, 23503, or class 22 for a value that is invalid for its
  ///   column's type.
  @discardableResult
  package func insert(
    _ row: [String: ColumnValue], into table: String, as role: DatabaseRole = .service
  ) throws(PostgRESTError) -> DatabaseRow {
    let rows = try insert([row], into: table, as: role)
    guard let row = rows.first else { throw .notSingular(rows: 0) }
    return row
  }

  /// Inserts all rows or no rows, and returns the stored rows.
  ///
  /// - Throws: The errors of inserting one row.
  @discardableResult
  package func insert(
    _ rows: [[String: ColumnValue]], into table: String, as role: DatabaseRole = .service
  ) throws(PostgRESTError) -> [DatabaseRow] {
    try insert(rows, into: table, onConflict: nil, as: role)
  }

  /// Inserts rows, or updates the existing rows with the same key.
  ///
  /// - Parameters:
  ///   - columns: The columns of the primary key, or of another unique set.
  ///   - merges: Whether an existing row is updated with the values; otherwise it is unchanged and not returned.
  /// - Throws: The errors of an insert, 42P10 and 21000.
  @discardableResult
  package func upsert(
    _ rows: [[String: ColumnValue]], into table: String, onConflict columns: [String], merges: Bool = true,
    as role: DatabaseRole = .service
  ) throws(PostgRESTError) -> [DatabaseRow] {
    try insert(rows, into: table, onConflict: ConflictResolution(columns: columns, merges: merges), as: role)
  }

  /// Returns the rows that the role may see and the filter matches.
  ///
  /// - Parameter orderings: Rows that are equal in all of them are in the order of their insertion.
  /// - Throws: 42703, or class 22 for a value in the filter.
  package func select(
    from table: String, where filter: DatabaseFilter = .all, orderedBy orderings: [DatabaseOrdering] = [],
    limit: Int? = nil,
    offset: Int = 0, as role: DatabaseRole = .service
  ) throws(PostgRESTError) -> [DatabaseRow] {
    let query = Query(filter: filter, orderings: orderings, limit: limit, offset: offset)
    return try perform(.select, on: table, as: role) { (state, table, context) throws(PostgRESTError) in
      try state.select(query, from: table, context).rows
    }
  }

  /// Updates the rows that the role may change and the filter matches, and returns the stored rows.
  ///
  /// - Throws: The errors of an insert.
  @discardableResult
  package func update(
    _ table: String, set values: [String: ColumnValue], where filter: DatabaseFilter,
    as role: DatabaseRole = .service
  ) throws(PostgRESTError) -> [DatabaseRow] {
    try perform(.update, on: table, as: role) { (state, table, context) throws(PostgRESTError) in
      let values = try state.values(from: values, for: table)
      let filter = try RowFilter(filter, for: state.tables[table].table.layout)
      let slots = try state.update(table, set: values, where: filter, context)
      return slots.compactMap { state.row($0, of: table) }
    }
  }

  /// Deletes the rows that the role may delete and the filter matches, and returns them.
  ///
  /// - Throws: 23503 if another row refers to one of them and its foreign key has no action; 42703.
  @discardableResult
  package func delete(
    from table: String, where filter: DatabaseFilter, as role: DatabaseRole = .service
  ) throws(PostgRESTError) -> [DatabaseRow] {
    try perform(.delete, on: table, as: role) { (state, table, context) throws(PostgRESTError) in
      let filter = try RowFilter(filter, for: state.tables[table].table.layout)
      return try state.delete(from: table, where: filter, context)
    }
  }

  private func insert(
    _ rows: [[String: ColumnValue]], into table: String, onConflict resolution: ConflictResolution?,
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

/// The role that a statement runs as.
public enum DatabaseRole: Sendable, Hashable {
  /// The backend itself (`service_role`): row-level security does not apply.
  case service
  /// A client without a session (`anon`).
  case anonymous
  /// A signed-in user (`authenticated`), whose id is `auth.uid()`.
  case user(UUID)

  /// Whether the role has its own token.
  package var isAuthenticated: Bool { self != .anonymous }
}

/// The kind of a statement.
package enum StatementKind: String, Sendable, Hashable, CaseIterable {
  /// Reads rows.
  case select
  /// Adds rows; also for an upsert.
  case insert
  /// Changes rows.
  case update
  /// Removes rows.
  case delete
}

/// The statements that the database currently refuses.
struct StatementRefusal {
  let error: PostgRESTError
  let kind: StatementKind?
  let table: String?

  func concerns(_ kind: StatementKind, on table: String) -> Bool {
    (self.kind ?? kind) == kind && (self.table ?? table) == table
  }
}
