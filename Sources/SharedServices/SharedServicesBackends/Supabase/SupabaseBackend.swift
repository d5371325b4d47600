public import Foundation
public import SharedServicesDoubles
public import Understudy
public import UnderstudySupabase

/// The Supabase project of the app: its tables, its accounts, and the function `send-message`.
///
/// The live services use it in the same process, or over a socket:
///
/// ```swift
/// let backend = SupabaseBackend(seed: 7)
/// let id = try backend.addUser(email: "pat@example.com", password: "secret1")
/// let transport = InProcessTransport(to: backend.emulator)
/// ```
///
/// Its rules are those of `schema.sql`, and no double shares them.
public struct SupabaseBackend: Sendable {
  /// The tables, empty except for the users.
  public let database: InMemoryDatabase
  /// The accounts and their sessions, with conditions for tests.
  public let authServer: AuthServer
  /// The project over HTTP.
  public let emulator: SupabaseEmulator
  /// The clock for dates and for the expiry of tokens.
  package let time: Time

  /// Creates a project without accounts.
  ///
  /// - Parameters:
  ///   - seed: The seed of identifiers and tokens.
  ///   - time: The clock for dates and for the expiry of tokens.
  ///   - tokenLifetime: How long an access token is valid.
  ///   - replyWriter: The writer of the guide's answers.
  ///   - functions: The edge functions, by their names; one named `send-message` replaces the default one.
  public init(
    seed: UInt64 = 0, time: Time = .system, tokenLifetime: Duration = .seconds(3600),
    replyWriter: ReplyWriter = .standard, functions: [String: SupabaseEmulator.EdgeFunction] = [:]
  ) {
    self.init(
      on: .sharedServices, seed: seed, time: time, tokenLifetime: tokenLifetime, replyWriter: replyWriter,
      functions: functions)
  }

  /// Creates a project with another schema, which has the columns of `DatabaseSchema.sharedServices`.
  package init(
    on schema: DatabaseSchema, seed: UInt64 = 0, time: Time = .system,
    tokenLifetime: Duration = .seconds(3600), replyWriter: ReplyWriter = .standard,
    functions: [String: SupabaseEmulator.EdgeFunction] = [:]
  ) {
    self.time = time
    database = InMemoryDatabase(schema, seed: seed, time: time)
    authServer = AuthServer(database: database, seed: seed, time: time, tokenLifetime: tokenLifetime)
    let sendMessage = SendMessageFunction(turn: ConversationTurn(database: database, writer: replyWriter))
    var all = functions
    if all["send-message"] == nil { all["send-message"] = { sendMessage.respond(to: $0, as: $1) } }
    // Far fewer than a new project's thousand, so that tests of several pages need few rows.
    emulator = SupabaseEmulator(
      database: database, auth: authServer, maximumRows: 20, functions: all)
  }

  /// Creates an account and returns its id.
  ///
  /// - Parameters:
  ///   - id: The id; `nil` generates one.
  ///   - email: The address.
  ///   - password: The password.
  /// - Throws: 23505 if the id or the address has an account.
  @discardableResult
  public func addUser(id: UUID? = nil, email: String, password: String) throws(PostgRESTError) -> UUID {
    try authServer.addUser(id: id, email: email, password: password)
  }
}

extension DatabaseSchema {
  /// The tables of the shared services: children, conversations, messages and child memory.
  ///
  /// Read from `schema.sql`. A user sees and writes only what is their own.
  package static let sharedServices: DatabaseSchema = schema(sharedServicesSQL)

  /// The SQL of the tables, as PostgreSQL takes it.
  package static let sharedServicesSQL: String = {
    // Not embedded in code, which Xcode does not do for several architectures at once (SwiftPM #6969).
    guard let file = Bundle.module.url(forResource: "schema", withExtension: "sql"),
      let sql = try? String(contentsOf: file, encoding: .utf8)
    else { preconditionFailure("The resources of SharedServicesBackends lack schema.sql.") }
    return sql
  }()

  /// The tables with a change of their SQL, for a backend that lacks a constraint or a policy.
  ///
  /// - Precondition: The SQL contains `sql`, and is valid with `other` in its place.
  package static func sharedServices(replacing sql: String, with other: String) -> DatabaseSchema {
    precondition(sharedServicesSQL.contains(sql), "schema.sql does not contain the part to replace: \(sql)")
    return schema(sharedServicesSQL.replacingOccurrences(of: sql, with: other))
  }

  private static func schema(_ sql: String) -> DatabaseSchema {
    do throws(SQLError) {
      return try DatabaseSchema(sql: sql)
    } catch {
      preconditionFailure("schema.sql is invalid: \(error)")
    }
  }
}
