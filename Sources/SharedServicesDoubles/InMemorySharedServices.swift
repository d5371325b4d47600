public import Foundation
public import Understudy
import UnderstudyHTTP
public import UnderstudySupabase
public import SharedServices

/// A backend in memory, used through the shared services or over HTTP.
///
/// The services and live clients of ``emulator`` share one state:
///
/// ```swift
/// let services = InMemorySharedServices(seed: 7)
/// let id = try services.addUser(email: "pat@example.com", password: "secret1")
/// let transport = InProcessTransport(to: services.emulator)
/// ```
public struct InMemorySharedServices: Sendable {
  /// The tables, empty except for the users.
  public let database: InMemoryDatabase
  /// The accounts and their sessions, with conditions for tests.
  public let authServer: AuthServer
  /// The backend over HTTP.
  public let emulator: SupabaseEmulator
  /// Signing in and out on a device, initially signed out.
  public let auth: InMemoryAuthService
  /// The children of the user who is signed in with ``auth``.
  public let children: InMemoryChildrenService
  /// The conversations of the user who is signed in with ``auth``.
  public let conversations: InMemoryConversationService
  /// The changes of the children of the user who is signed in with ``auth``.
  public let realtime: InMemoryRealtimeService

  /// A backend without accounts.
  ///
  /// - Parameters:
  ///   - seed: The seed of identifiers and tokens.
  ///   - time: The clock for dates and for the expiry of tokens.
  ///   - tokenLifetime: How long an access token is valid.
  ///   - replyWriter: The writer of the guide's answers.
  ///   - functions: The edge functions of the emulator, by their names; one named `send-message` replaces the
  ///     default one.
  public init(
    seed: UInt64 = 0, time: Time = .system, tokenLifetime: Duration = .seconds(3600),
    replyWriter: ReplyWriter = .standard, functions: [String: SupabaseEmulator.EdgeFunction] = [:]
  ) {
    self.init(
      over: InMemoryDatabase(.sharedServices, seed: seed, time: time), seed: seed, time: time,
      tokenLifetime: tokenLifetime, replyWriter: replyWriter, functions: functions)
  }

  /// A backend with another schema, which has the columns of `DatabaseSchema.sharedServices`.
  package init(
    on schema: DatabaseSchema, seed: UInt64, time: Time, tokenLifetime: Duration, replyWriter: ReplyWriter
  ) {
    self.init(
      over: InMemoryDatabase(schema, seed: seed, time: time), seed: seed, time: time,
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
  ///
  /// - Precondition: The time is within the years 1 to 9999.
  public static func signedIn(
    seed: UInt64 = 0, time: Time = .system, replyWriter: ReplyWriter = .standard
  ) -> InMemorySharedServices {
    let services = InMemorySharedServices(seed: seed, time: time, replyWriter: replyWriter)
    do {
      try services.addUser(
        id: InMemoryChildrenService.sampleUserID, email: "pat@example.com", password: "password")
      try services.auth.signInNow(email: "pat@example.com", password: "password")
    } catch {
      preconditionFailure("A new backend accepts its first user in the years 1 to 9999: \(error)")
    }
    return services
  }

  /// A new backend for previews: a user is signed in, with children and a conversation about the first of them.
  ///
  /// ```swift
  /// #Preview {
  ///   RootView().environment(AuthViewModel(service: InMemorySharedServices.preview.auth))
  /// }
  /// ```
  ///
  /// The children and the conversation are ``sampleChildren`` and ``sampleConversation``.
  public static var preview: InMemorySharedServices {
    let services = signedIn()
    do {
      try services.storeSamples()
    } catch {
      preconditionFailure("A new backend accepts the samples: \(error)")
    }
    return services
  }

  /// The children of the sample user, newest first.
  public var sampleChildren: [Child] {
    let rows = try? database.select(
      from: "children", where: .equals("user_id", .uuid(InMemoryChildrenService.sampleUserID)),
      orderedBy: [.descending("created_at")])
    return (rows ?? []).compactMap(ChildRow.child)
  }

  /// The first conversation of the sample user.
  public var sampleConversation: Conversation? {
    let rows = try? database.select(
      from: "conversations", where: .equals("user_id", .uuid(InMemoryChildrenService.sampleUserID)),
      orderedBy: [.ascending("created_at")])
    return rows?.first.flatMap(ConversationRow.conversation)
  }

  private func storeSamples() throws(PostgRESTError) {
    let user = DatabaseRole.user(InMemoryChildrenService.sampleUserID)
    let children: [(name: String, age: Int, goals: [String], topics: [String], temperament: Temperament)] = [
      ("Robin", 8, ["sleep"], ["bedtime"], .sensitive), ("Kim", 12, [], ["school"], .spirited),
      ("Alex", 6, ["listen"], [], .easygoing),
    ]
    for child in children {
      guard let birthday = CalendarDate(year: 2025 - child.age, month: 1, day: 15) else { continue }
      var values = ChildRow.values(
        name: child.name, age: child.age, birthday: birthday, goals: child.goals, topics: child.topics,
        temperament: child.temperament, talkativeness: 5, sensitivity: 5, accountability: 5)
      values["user_id"] = .uuid(InMemoryChildrenService.sampleUserID)
      try database.insert(values, into: "children", as: user)
    }
    guard let child = sampleChildren.first else { return }
    let conversation = try database.insert(
      ["user_id": .uuid(child.userID), "child_id": .uuid(child.id)], into: "conversations", as: user)
    for (role, content) in [
      ("user", "How do we make bedtime easier?"),
      ("assistant", "Begin with something small, at the same time every evening."),
    ] {
      try database.insert(
        ["conversation_id": conversation["id"], "role": .text(role), "content": .text(content)],
        into: "messages", as: user)
    }
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
  package static var sharedServicesSQL: String {
    String(decoding: PackageResources.schema_sql, as: UTF8.self)
  }

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

extension AppError {
  /// The app's error for a refusal of the database.
  init(_ error: PostgRESTError) {
    self.init(
      Refusal(status: error.status(isAuthenticated: true), code: error.code, message: error.message))
  }

  /// The app's error for a refusal of the auth server.
  init(_ error: AuthAPIError) {
    self.init(
      Refusal(status: error.status, code: error.code, message: error.message, retryAfter: error.retryAfter))
  }

  /// Throws `.cancelled` in a cancelled task, before anything has changed.
  static func checkCancellation() throws(AppError) {
    if Task.isCancelled { throw .cancelled }
  }
}
