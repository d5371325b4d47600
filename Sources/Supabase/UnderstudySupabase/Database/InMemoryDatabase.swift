public import Foundation
public import Understudy
import UnderstudyHTTP
package import UnderstudyPostgreSQL

/// A database in memory that runs the SQL of a project: its constraints, functions, triggers and policies, with the codes
/// and messages of PostgreSQL.
///
/// Statements are atomic: a refused statement changes nothing. Those that write run one at a time; those that read see
/// the rows of one moment and never wait for a writer. The same seed, times and statements produce the same rows.
///
/// ```swift
/// let database = InMemoryDatabase(try DatabaseSchema(sql: migration))
/// try database.insert(rows: [Todo(owner: id, title: "Milk")], into: "todos", as: .user(id))
/// let todos = try database.rows(of: Todo.self, in: "todos", as: .user(id))
/// ```
///
/// Two statements that write `now()` never write the same value: if the injected time has not advanced, the later one is a
/// microsecond later, so that sorting by time is unambiguous.
///
/// The schemas `auth` and `storage` are predefined. An ``AuthServer`` writes `auth.users`, and foreign keys and triggers
/// can refer to it; `storage.buckets` and `storage.objects` can have policies.
public final class InMemoryDatabase: Sendable {
  /// What the last statement left.
  private struct Committed: Sendable {
    var state: State
    var generator: SeededGenerator
    /// The last `now()` of a statement that wrote.
    var moment: Int64
    var refusal: StatementRefusal?
    var feeds = ChangeFeeds()
  }

  private let committed: Locked<Committed>
  /// Held by the statement that writes.
  ///
  /// The state is not used. It has a size, because the thread sanitizer takes an access to a state without one for one
  /// to the object around it.
  private let writing = Locked(false)
  private let time: Time
  private let plans: (any StatementPlanStore)?
  private let collation: Collation
  /// The topics of Realtime, which every emulator over the database shares.
  let topics = RealtimeTopics()
  /// The bytes of the objects of Storage.
  let files = StoredFiles()

  /// Creates a database with the rows that the schema inserts.
  ///
  /// - Parameters:
  ///   - schema: The tables.
  ///   - seed: The seed of generated identifiers.
  ///   - time: The clock for `now()` and the current date, also of the rows that the schema inserts.
  ///   - textOrder: The order of texts.
  public convenience init(
    _ schema: DatabaseSchema, seed: UInt64 = 0, time: Time = .system, textOrder: TextOrder = .english
  ) {
    let state = Self.moment(time).map(schema.state(at:)) ?? schema.state
    self.init(state, plans: schema.plans, seed: seed, time: time, textOrder: textOrder)
  }

  package init(
    _ state: State, plans: (any StatementPlanStore)? = nil, seed: UInt64, time: Time,
    textOrder: TextOrder = .english
  ) {
    self.time = time
    self.plans = plans
    collation =
      switch textOrder {
      case .english: .unicode
      case .codePoints: .codePoints
      }
    committed = Locked(Committed(state: state, generator: SeededGenerator(seed: seed), moment: .min))
  }

  /// The current time.
  var now: Date { time.now }

  /// The definitions of now.
  var catalogue: Catalogue { committed.withLock { $0.state.catalogue } }

  /// The next generated identifier.
  ///
  /// It waits for the statement that writes, which would commit the numbers of its own copy of the generator.
  func nextUUIDString() -> String {
    writing.withLock { _ in committed.withLock { $0.generator.nextUUIDString() } }
  }

  // MARK: - Statements

  /// What a statement does to the rows.
  package enum Access: Sendable {
    /// Its changes, if a function makes any, are forgotten.
    case read
    case write
    /// It is only tried: its changes are forgotten.
    case trial
  }

  /// Runs statements as one transaction, and rolls them back if `body` throws.
  ///
  /// - Parameters:
  ///   - role: The role whose privileges and policies apply.
  ///   - settings: Further settings, such as `request.headers`.
  ///   - subject: The kind of statement and the table, for injected refusals.
  package func transaction<Result: Sendable>(
    as role: DatabaseRole, _ access: Access, settings: [String: String] = [:],
    subject: (kind: StatementKind, table: String)? = nil,
    _ body: (Session) throws(PostgRESTError) -> Result
  ) throws(PostgRESTError) -> Result {
    let now = try postgreSQLTime()
    guard access != .read else {
      let (state, moment, refusal, generator) = committed.withLock {
        ($0.state, $0.moment, $0.refusal, $0.generator)
      }
      if let subject, let refusal, refusal.concerns(subject.kind, on: subject.table) { throw refusal.error }
      let numbers = Locked(generator)
      let session = session(state, role, settings, at: max(now, moment), numbers)
      return try body(session)
    }
    return try writing.withLock { (_) throws(PostgRESTError) -> Result in
      let (state, moment, refusal, generator) = committed.withLock {
        ($0.state, $0.moment, $0.refusal, $0.generator)
      }
      if let subject, let refusal, refusal.concerns(subject.kind, on: subject.table) { throw refusal.error }
      let numbers = Locked(generator)
      let own = now > moment ? now : moment + 1
      let session = session(state, role, settings, at: own, numbers)
      let result: Result
      do throws(PostgRESTError) { result = try body(session) } catch {
        keepNumbers(of: session)
        throw error
      }
      guard access == .write else {
        keepNumbers(of: session)
        return result
      }
      let changes = session.takeChanges()
      committed.withLock { committed in
        committed.state = session.state
        committed.generator = numbers.withLock { $0 }
        if !changes.isEmpty, session.hasReadTime { committed.moment = own }
        if !changes.isEmpty {
          committed.feeds.send(changes, before: state, after: session.state, at: own) { role, state in
            self.session(state, role, [:], at: own, Locked(SeededGenerator(seed: 0)))
          }
          topics.send(changes, after: session.state)
        }
      }
      return result
    }
  }

  private func keepNumbers(of session: Session) {
    let undone = session.state
    committed.withLock { $0.state.keepNumbers(of: undone) }
  }

  private func session(
    _ state: State, _ role: DatabaseRole, _ settings: [String: String], at moment: Int64,
    _ numbers: Locked<SeededGenerator>
  ) -> Session {
    let environment = SessionEnvironment(
      now: { moment }, random: { numbers.withLock { $0.next() } }, collation: collation, plans: plans)
    let claims = role.isNamedByTest ? Self.claims(of: role, state) ?? role.claims : role.claims
    let session = Session(
      state, role: role.name, settings: ["request.jwt.claims": claims].merging(settings) { $1 },
      environment: environment)
    for (name, value) in state.catalogue.settings where settings[name] == nil {
      session.set(name, to: value, isLocal: false)
    }
    return session
  }

  /// The claims that a token of a user of `auth.users` has, without those of its session; nil for another role.
  private static func claims(of role: DatabaseRole, _ state: State) -> String? {
    let users = QualifiedName(schema: "auth", "users")
    guard let id = role.userID, let key = UniqueIdentifier(parsing: id.uuidString),
      let row = state.row(of: users, where: "id", is: .uuid(key))
    else { return nil }
    func text(_ column: String) -> JSONValue {
      if case .text(let text)? = row[column] { .string(text) } else { .string("") }
    }
    func document(_ column: String) -> JSONValue {
      guard case .jsonb(let document)? = row[column],
        let parsed = try? JSONValue(parsing: Data(document.text.utf8))
      else { return .object([]) }
      return parsed
    }
    return JSONValue.object([
      .init("app_metadata", document("raw_app_meta_data")), .init("aud", .string("authenticated")),
      .init("email", text("email")), .init("is_anonymous", .boolean(row["is_anonymous"] == .boolean(true))),
      .init("phone", text("phone")), .init("role", .string("authenticated")),
      .init("sub", .string(id.uuidString.lowercased())),
      .init("user_metadata", document("raw_user_meta_data")),
    ]).compactText
  }

  /// The injected time in microseconds since 2000.
  private func postgreSQLTime() throws(PostgRESTError) -> Int64 {
    guard let moment = Self.moment(time) else {
      throw PostgRESTError(
        code: "22008", message: "timestamp out of range",
        details: "The injected time is outside the years 1 to 9999.")
    }
    return moment
  }

  private static func moment(_ time: Time) -> Int64? {
    Timestamp(time.now).map { $0.microseconds - Timestamp.from1970To2000 }
  }

  // MARK: - Feeds and refusals

  /// Reads or changes the subscriptions to changes.
  func withFeeds<Result: Sendable>(_ body: (inout ChangeFeeds) -> Result) -> Result {
    committed.withLock { body(&$0.feeds) }
  }

  /// The refusal that currently concerns a statement.
  func refusal(of kind: StatementKind, on table: String) -> PostgRESTError? {
    committed.withLock { $0.refusal }.flatMap { $0.concerns(kind, on: table) ? $0.error : nil }
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
    committed.withLock { $0.refusal = StatementRefusal(error: error, kind: kind, table: table) }
  }

  /// Ends `refuseStatements(with:kind:on:)`.
  package func acceptStatements() {
    committed.withLock { $0.refusal = nil }
  }
}

/// The order of texts in a database.
public enum TextOrder: Sendable, Hashable {
  /// By letters, then accents, then case, as in a new Supabase project (ICU's `en-US`).
  case english
  /// By code points, as in older projects (`C.UTF-8`): capital letters come first.
  case codePoints
}

/// The role that a statement runs as.
///
/// A role of a token also has its claims, which policies read (`auth.jwt()`). Two tokens of one user are equal roles.
public struct DatabaseRole: Sendable, Hashable, CustomStringConvertible {
  private enum Kind: String, Sendable {
    case service, anonymous, user
  }

  private let kind: Kind
  /// The signed-in user, whose id is `auth.uid()`; `nil` for a role without one.
  public let userID: UUID?
  /// The claims of the token as JSON.
  let claims: String
  /// Whether there is no token, so that the claims are those that every token of the role has.
  let isNamedByTest: Bool

  /// - Parameter claims: The claims of a token; `nil` for those that every token of the role has.
  private init(_ kind: Kind, userID: UUID? = nil, claims: String? = nil) {
    self.kind = kind
    self.userID = userID
    isNamedByTest = claims == nil
    self.claims =
      claims
      ?? (userID.map { id in
        #"{"aud":"authenticated","role":"authenticated","sub":"\#(id.uuidString.lowercased())"}"#
      } ?? #"{"role":"\#(kind == .service ? "service_role" : "anon")"}"#)
  }

  /// The backend itself (`service_role`): row-level security does not apply.
  public static let service = Self(.service)
  /// A client without a session (`anon`).
  public static let anonymous = Self(.anonymous)
  /// A signed-in user (`authenticated`), whose id is `auth.uid()`.
  ///
  /// Of a user in `auth.users`, `auth.jwt()` also has the address, the phone number and the metadata, as in a token of
  /// the user. It has no claims of a session, such as `aal` and `session_id`.
  public static func user(_ id: UUID) -> Self { Self(.user, userID: id) }

  /// The role that a token grants; `nil` for one that no project has.
  init?(_ token: AccessToken) {
    switch token.role {
    case "anon": self.init(.anonymous, claims: token.claims)
    case "service_role": self.init(.service, claims: token.claims)
    case "authenticated":
      guard let id = token.userID else { return nil }
      self.init(.user, userID: id, claims: token.claims)
    default: return nil
    }
  }

  /// Whether the role has its own token.
  package var isAuthenticated: Bool { kind != .anonymous }

  /// The name of the role in PostgreSQL.
  var name: String {
    switch kind {
    case .service: "service_role"
    case .anonymous: "anon"
    case .user: "authenticated"
    }
  }

  /// `service`, `anonymous`, or `user` and the id.
  public var description: String {
    userID.map { "\(kind) \($0.uuidString.lowercased())" } ?? kind.rawValue
  }

  /// Whether both are the same kind of role, of the same user.
  public static func == (left: Self, right: Self) -> Bool {
    left.kind == right.kind && left.userID == right.userID
  }

  /// Hashes what is compared.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(userID)
  }
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
struct StatementRefusal: Sendable {
  let error: PostgRESTError
  let kind: StatementKind?
  let table: String?

  func concerns(_ kind: StatementKind, on table: String) -> Bool {
    (self.kind ?? kind) == kind && (self.table ?? table) == table
  }
}

extension PostgRESTError {
  /// The error as PostgREST passes it on.
  package init(_ error: PostgreSQLError) {
    self.init(code: error.code, message: error.message, details: error.detail, hint: error.hint)
  }
}

extension Session {
  /// Refuses a table that the role must not read, or whose policies cannot be evaluated.
  func checkSelection(from table: QualifiedName) throws(PostgRESTError) {
    do throws(PostgreSQLError) {
      try checkReadable(table)
    } catch {
      throw PostgRESTError(error)
    }
  }

  /// Runs a statement, and throws its error as PostgREST reports it.
  @discardableResult package func result(of statement: DataStatement) throws(PostgRESTError)
    -> StatementResult
  {
    do throws(PostgreSQLError) {
      return try run(.data(statement))
    } catch {
      throw PostgRESTError(error)
    }
  }
}
