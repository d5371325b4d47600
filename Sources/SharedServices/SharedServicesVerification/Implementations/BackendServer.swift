import Foundation
import SharedServices
import SharedServicesBackends
import SharedServicesContracts
import SharedServicesDoubles
import SharedServicesLive
import Understudy
import UnderstudyHTTP
import UnderstudySupabase

/// What a trial does to the server of the services, besides using them: the state of the doubles, or the emulator.
protocol BackendServer: Sendable {
  func addUser(id: UUID?, email: String, password: String) throws -> UUID
  func setBanned(_ isBanned: Bool, user: UUID)
  func endSessions(of user: UUID)
  func expireTokens(of user: UUID)
  func limitRequests(_ count: Int, retryAfter delay: Duration?)
  var exchangeCount: Int { get }
  func sessionCount(of user: UUID) -> Int

  /// Creates a device on which a user is signed in.
  func device(of account: Account) async throws -> BackendDevice

  /// Makes the statements on a table, or on all tables, fail, or succeed again.
  func failCalls(_ fails: Bool, on table: String?)
  func breakSubscriptions()
  var subscriptionCount: Int { get }
  /// Waits until the number of subscriptions is `count`, if it takes a while.
  func waitForSubscriptions(_ count: Int) async

  func remember(_ memory: JSONValue, about child: UUID) throws
  func storedConversations() throws -> [StoredConversations.Entry]
  func removeChildren(of user: UUID) throws
  /// Stores messages as they are, except for their ids.
  func add(_ messages: [Message], to conversation: UUID) throws
}

extension BackendServer {
  func addAccount(_ email: String, password: String) throws -> Account {
    Account(email: email, password: password, userID: try addUser(id: nil, email: email, password: password))
  }
}

/// A device of a user beside that of the service under test.
struct BackendDevice: Sendable {
  let auth: any AuthService
  let children: any ChildrenService
  let conversations: any ConversationService
}

// MARK: - The doubles

extension InMemorySharedServices: BackendServer {
  func setBanned(_ isBanned: Bool, user: UUID) { backend.setBanned(isBanned, user: user) }
  func endSessions(of user: UUID) { backend.endSessions(of: user) }
  func expireTokens(of user: UUID) { backend.expireTokens(of: user) }
  func limitRequests(_ count: Int, retryAfter delay: Duration?) {
    backend.limitRequests(count, retryAfter: delay)
  }
  var exchangeCount: Int { backend.exchangeCount }
  func sessionCount(of user: UUID) -> Int { backend.sessionCount(of: user) }

  func device(of account: Account) async throws -> BackendDevice {
    let device = onAnotherDevice()
    _ = try await device.auth.signIn(account)
    return BackendDevice(auth: device.auth, children: device.children, conversations: device.conversations)
  }

  func failCalls(_ fails: Bool, on table: String?) { backend.failCalls(fails) }
  func breakSubscriptions() { backend.breakSubscriptions() }
  var subscriptionCount: Int { backend.subscriptionCount }
  func waitForSubscriptions(_ count: Int) async {}

  func remember(_ memory: JSONValue, about child: UUID) { backend.remember(memory.compactText, about: child) }
  func storedConversations() -> [StoredConversations.Entry] {
    backend.conversations.map { .init(conversation: $0.conversation, messages: $0.messages) }
  }
  func removeChildren(of user: UUID) { backend.removeChildren(of: user) }
  func add(_ messages: [Message], to conversation: UUID) { backend.add(messages, to: conversation) }
}

// MARK: - The emulator

extension SupabaseBackend: BackendServer {
  func setBanned(_ isBanned: Bool, user: UUID) { authServer.setBanned(isBanned, user: user) }
  func endSessions(of user: UUID) { authServer.endSessions(of: user) }
  func expireTokens(of user: UUID) { authServer.expireAccessTokens(of: user) }
  func limitRequests(_ count: Int, retryAfter delay: Duration?) {
    authServer.limitRequests(count, retryAfter: delay)
  }
  var exchangeCount: Int { authServer.exchangeCount }
  func sessionCount(of user: UUID) -> Int { authServer.sessionCount(of: user) }

  func device(of account: Account) async throws -> BackendDevice {
    let client = SupabaseClient(
      .nowhere(apiKey: emulator.apiKey), over: InProcessTransport(to: emulator, time: time),
      clock: time.clock, now: time.date)
    let auth = SupabaseAuthService(client)
    _ = try await auth.signIn(account)
    return BackendDevice(
      auth: auth, children: DatabaseChildrenService(self, as: account.userID),
      conversations: SupabaseConversationService(client))
  }

  func failCalls(_ fails: Bool, on table: String?) {
    if fails {
      database.refuseStatements(with: .statementTimeout, on: table)
    } else {
      database.acceptStatements()
    }
  }
  func breakSubscriptions() {
    database.breakChangeFeeds(with: TransportError(.connectionLost, "The subscription was broken."))
  }
  var subscriptionCount: Int { database.changeFeedCount }
  func waitForSubscriptions(_ count: Int) async { await database.waitForChangeFeeds(count) }

  func remember(_ memory: JSONValue, about child: UUID) throws {
    try database.delete(from: "child_memory", where: .equals("child_id", .uuid(child)))
    try database.insert(["child_id": .uuid(child), "content": .json(memory)], into: "child_memory")
  }

  func storedConversations() throws -> [StoredConversations.Entry] {
    let messages = try database.select(from: "messages").compactMap(MessageRow.message)
    return try database.select(from: "conversations").compactMap(ConversationRow.conversation)
      .map { conversation in
        StoredConversations.Entry(
          conversation: conversation, messages: messages.filter { $0.conversationID == conversation.id })
      }
  }

  func removeChildren(of user: UUID) throws {
    try database.delete(from: "children", where: .equals("user_id", .uuid(user)))
  }

  func add(_ messages: [Message], to conversation: UUID) throws {
    try database.insert(
      messages.map { message in
        [
          "conversation_id": .uuid(conversation),
          "role": .text(message.role.rawValue), "sources": MessageRow.value(of: message.sources),
          "content": .text(message.content), "created_at": .timestamp(message.createdAt),
        ]
      }, into: "messages")
  }
}

extension SupabaseConfiguration {
  /// A project that is not on the network (RFC 6761 §6.4).
  static func nowhere(apiKey: String) -> SupabaseConfiguration {
    guard let url = URL(string: "http://emulator.invalid") else {
      preconditionFailure("The address of the emulator is not a URL.")
    }
    return SupabaseConfiguration(projectURL: url, apiKey: apiKey)
  }
}
