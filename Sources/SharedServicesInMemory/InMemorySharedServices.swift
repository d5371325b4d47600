public import Foundation
public import UnderstudyBackend
public import UnderstudyTransport
import SharedServices
import SharedServicesExchanges

/// One backend in memory with two doors: the shared services, and HTTP.
///
/// What a service stores, a live client sees that is pointed at ``emulator``, and the other way round:
///
/// ```swift
/// let services = InMemorySharedServices(seed: 7)
/// let id = try services.addUser(email: "pat@example.com", password: "secret1")
/// let transport = InProcessTransport(to: services.emulator)
/// ```
public struct InMemorySharedServices: Sendable {
  /// The tables, empty but for the users.
  public let database: InMemoryDatabase
  /// The accounts and their sessions, and what a test can do to them.
  public let authServer: AuthServer
  /// The HTTP door.
  public let emulator: SupabaseEmulator
  /// Signing in and out, on a device where nobody is signed in.
  public let auth: InMemoryAuthService
  /// The children of the user who is signed in with ``auth``.
  public let children: InMemoryChildrenService
  /// The conversations of the user who is signed in with ``auth``.
  public let conversations: InMemoryConversationService
  /// The changes of the children of the user who is signed in with ``auth``.
  public let realtime: InMemoryRealtimeService

  /// What every backend begins as.
  private static let tables = InMemoryDatabase(.sharedServices)

  /// A backend without accounts.
  ///
  /// - Parameters:
  ///   - seed: What identifiers and tokens come from.
  ///   - time: What dates and the expiry of tokens go by.
  ///   - tokenLifetime: How long an access token holds.
  ///   - replyWriter: What writes the guide's answers.
  ///   - functions: The edge functions of the HTTP door, by their names; one of the name `send-message` takes the
  ///     place of the one that is there.
  public init(
    seed: UInt64 = 0, time: Time = .system, tokenLifetime: Duration = .seconds(3600),
    replyWriter: ReplyWriter = .standard, functions: [String: SupabaseEmulator.EdgeFunction] = [:]
  ) {
    self.init(
      over: InMemoryDatabase(emptiedFrom: Self.tables, seed: seed, time: time), seed: seed, time: time,
      tokenLifetime: tokenLifetime, replyWriter: replyWriter, functions: functions)
  }

  /// A backend with tables of its own, which have the columns of `[DatabaseTable].sharedServices`.
  package init(
    on tables: [DatabaseTable], seed: UInt64, time: Time, tokenLifetime: Duration, replyWriter: ReplyWriter
  ) {
    self.init(
      over: InMemoryDatabase(tables, seed: seed, time: time), seed: seed, time: time,
      tokenLifetime: tokenLifetime, replyWriter: replyWriter, functions: [:])
  }

  private init(
    over database: InMemoryDatabase, seed: UInt64, time: Time, tokenLifetime: Duration,
    replyWriter: ReplyWriter, functions: [String: SupabaseEmulator.EdgeFunction]
  ) {
    self.database = database
    authServer = AuthServer(database: database, seed: seed, time: time, tokenLifetime: tokenLifetime)
    let sendMessage = SendMessageFunction(exchange: Exchange(database: database, writer: replyWriter))
    var all = functions
    if all["send-message"] == nil { all["send-message"] = { sendMessage.respond(to: $0, as: $1) } }
    emulator = SupabaseEmulator(database: database, auth: authServer, functions: all)
    auth = InMemoryAuthService(server: authServer)
    children = InMemoryChildrenService(database: database, auth: auth)
    conversations = InMemoryConversationService(
      database: database, auth: auth, writer: replyWriter, time: time)
    realtime = InMemoryRealtimeService(database: database, auth: auth)
  }

  /// A backend where `pat@example.com`, whose id is `InMemoryChildrenService.sampleUserID`, is signed in.
  public static func signedIn(
    seed: UInt64 = 0, time: Time = .system, replyWriter: ReplyWriter = .standard
  ) -> InMemorySharedServices {
    let services = InMemorySharedServices(seed: seed, time: time, replyWriter: replyWriter)
    // On a new backend neither can be refused, unless the time is beyond the calendar's end.
    _ = try? services.addUser(
      id: InMemoryChildrenService.sampleUserID, email: "pat@example.com", password: "password")
    _ = try? services.auth.signInNow(email: "pat@example.com", password: "password")
    return services
  }

  /// Makes an account and returns its id.
  ///
  /// - Parameter id: `nil` generates one.
  /// - Throws: 23505 if the id or the address has an account.
  @discardableResult
  public func addUser(id: UUID? = nil, email: String, password: String) throws(PostgRESTError) -> UUID {
    try authServer.addUser(id: id, email: email, password: password)
  }
}

extension [DatabaseTable] {
  /// The tables of the shared services: children, conversations, messages and child memory.
  ///
  /// Read from `Contracts/schema.sql`, the constraints under the names that PostgreSQL gives them. A user sees and
  /// writes only what is their own.
  public static let sharedServices: [DatabaseTable] = {
    // The file is part of this package, and a test reads it: there is nobody here to tell of a mistake in it.
    tables(String(decoding: ExchangeDocuments.tables, as: UTF8.self))
  }()

  /// The same after a change of their SQL, for a backend that lacks a constraint or a policy.
  ///
  /// - Returns: No tables if the changed SQL is not understood.
  package static func sharedServices(replacing sql: String, with other: String) -> [DatabaseTable] {
    tables(
      String(decoding: ExchangeDocuments.tables, as: UTF8.self).replacingOccurrences(of: sql, with: other))
  }

  private static func tables(_ sql: String) -> [DatabaseTable] {
    (try? DatabaseSchema(sql: sql))?.tables ?? []
  }
}

extension AppError {
  /// What a refusal of the database means to the app.
  init(_ error: PostgRESTError) {
    self.init(
      Refusal(status: error.status(isAuthenticated: true), code: error.code, message: error.message))
  }

  /// What a refusal of the auth server means to the app.
  init(_ error: AuthAPIError) {
    self.init(
      Refusal(status: error.status, code: error.code, message: error.message, retryAfter: error.retryAfter))
  }

  /// Throws `.cancelled` in a cancelled task, before anything has changed.
  static func checkCancellation() throws(AppError) {
    if Task.isCancelled { throw .cancelled }
  }
}
