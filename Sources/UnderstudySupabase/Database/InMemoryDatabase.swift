public import Understudy
import UnderstudyHTTP
import Foundation

/// Tables in memory that keep their constraints and policies and refuse what PostgreSQL would, in its words.
///
/// Statements are atomic: one that is refused changes nothing, however many rows it is about. They run one at
/// a time and never wait for anything. The same seed, times and statements give the same rows.
///
/// ```swift
/// let database = InMemoryDatabase([todos])
/// try database.insert(["owner": .uuid(id), "title": "Milk"], into: "todos", as: .user(id))
/// let rows = try database.select(from: "todos", where: .equals("title", "Milk"), as: .user(id))
/// ```
///
/// Two statements that write `now()` never write the same: where the injected time stands still, the later
/// one is a microsecond later, so that "the newest first" has one answer.
///
/// The table `auth.users` is there without being declared; an ``AuthServer`` writes it, and foreign keys can
/// refer to it. An update or a delete reads what it changes, so a row is meant only if it may be selected,
/// too. As PostgreSQL does, a refusal shows no values of a table with row-level security to a role that it
/// binds.
public final class InMemoryDatabase: Sendable {
  private let state: Locked<DatabaseState>
  /// What it held at first.
  private let empty: DatabaseState
  private let time: Time
  /// The tables that were declared, and `auth.users`.
  public let tables: [Table]

  /// A database with empty tables.
  ///
  /// - Parameters:
  ///   - seed: What the generated identifiers come from.
  ///   - time: What `now()` and today are taken from.
  public init(_ tables: [Table], seed: UInt64 = 0, time: Time = .system) {
    self.tables = [.users] + tables
    self.time = time
    empty = DatabaseState(tables: self.tables, seed: seed)
    state = Locked(empty)
  }

  /// A database with the tables of another, which are empty; their policies and constraints need not be bound again.
  package init(emptiedFrom other: InMemoryDatabase, seed: UInt64, time: Time) {
    tables = other.tables
    self.time = time
    var empty = other.empty
    empty.generator = SeededGenerator(seed: seed)
    self.empty = empty
    state = Locked(empty)
  }

  /// Looks at the tables, or at what belongs to them, alone.
  func withState<Result: Sendable, Failure: Error>(
    _ body: (inout DatabaseState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try state.withLock(body)
  }

  /// Runs a statement alone, and takes everything back that it did if `body` throws.
  func perform<Result: Sendable>(
    _ kind: StatementKind, on table: String, as role: DatabaseRole, returnsRows: Bool = true,
    _ body: (inout DatabaseState, _ table: Int, StatementContext) throws(PostgRESTError) -> Result
  ) throws(PostgRESTError) -> Result {
    guard let now = Timestamp(time.now) else {
      throw PostgRESTError(code: "22008", message: "timestamp out of range", details: "The injected time is.")
    }
    return try state.withLock { (state) throws(PostgRESTError) -> Result in
      do throws(PostgRESTError) {
        if let refusal = state.refusal, refusal.concerns(kind, on: table) { throw refusal.error }
        let context = StatementContext(role: role, now: state.moment(at: now), returnsRows: returnsRows)
        let place = try state.place(of: table)
        if let mistake = state.tables[place].mistake { throw mistake }
        let result = try body(&state, place, context)
        state.commit(now, context)
        return result
      } catch {
        state.rollBack()
        throw error
      }
    }
  }

  /// Refuses the statements that match until ``acceptStatements()``, through every door to this database.
  ///
  /// - Parameters:
  ///   - error: Such as `.statementTimeout` or `.databaseUnavailable`.
  ///   - kind: Only this kind of statement; an upsert is an insert.
  ///   - table: Only statements on this table.
  public func refuseStatements(
    with error: PostgRESTError, kind: StatementKind? = nil, on table: String? = nil
  ) {
    state.withLock { $0.refusal = StatementRefusal(error: error, kind: kind, table: table) }
  }

  /// Takes back ``refuseStatements(with:kind:on:)``.
  public func acceptStatements() {
    state.withLock { $0.refusal = nil }
  }
}

extension Table {
  /// The users of the auth server, as far as other tables refer to them.
  ///
  /// As in Supabase, nobody but the backend has a right to it, so that even a policy that asks it is refused.
  static let users = Table(
    "auth.users", columns: [Column("id", .uuid), Column("email", .text)], primaryKey: ["id"],
    keys: [
      UniqueKey(name: "users_pkey", columns: ["id"]), UniqueKey(name: "users_email_key", columns: ["email"]),
    ], checks: [], foreignKeys: [], policies: [], isPrivate: true)
}
