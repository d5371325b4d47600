package import Foundation
import SharedServices
import SharedServicesDoubles
import Understudy
import UnderstudyHTTP
import UnderstudySupabase

/// One project in memory, from its beginning on, with the rows of the exchange documents.
package struct DocumentedProject: Sendable {
  package static let user = id("a0000000-0000-4000-8000-000000000001")
  package static let child = id("c0000000-0000-4000-8000-000000000001")
  static let otherUser = id("b0000000-0000-4000-8000-000000000002")
  static let otherChild = id("c0000000-0000-4000-8000-000000000002")
  static let conversation = id("d0000000-0000-4000-8000-000000000001")
  static let otherConversation = id("d0000000-0000-4000-8000-000000000002")

  private static func id(_ text: String) -> UUID { UUID(uuidString: text) ?? UUID() }

  private static let session = "s1"

  /// The guide's answer in the documents, whatever is asked.
  private static let answer = [
    MessageChunk(text: "Sleep "),
    MessageChunk(
      text: "hélps.", sources: [Citation(title: "Rest", url: URL(string: "https://example.com/rest"))]),
    MessageChunk(text: "", isDone: true),
  ]

  private(set) var handler: Intercepted<SupabaseEmulator>
  /// What goes wrong between the emulator and its client.
  let faults = FaultPlan<SupabaseEmulator>()
  /// What a caller needs to know.
  private(set) var values: [String: String]
  /// The forum of the documents, which is always there.
  let forum = InMemoryForum.documented
  /// The message feed, which is a server of its own.
  let feed: MessageFeedServer
  private let services: InMemorySharedServices
  private let time: Time

  init(hasAccount: Bool, seed: UInt64, time: Time) {
    self.time = time
    feed = MessageFeedServer(seed: seed, time: time)
    services = InMemorySharedServices(
      seed: seed, time: time, replyWriter: ReplyWriter { _, _, _ in Reply(Self.answer) })
    values = ["key": services.emulator.apiKey, "service key": services.emulator.serviceKey]
    // Breaking a connection and falling silent is nothing that the dialect does: a fault of the plan does it.
    handler = Intercepted(services.emulator, by: .faults(faults), time: time)
    // In a new project nothing can refuse it.
    if hasAccount { try? makeAccount() }
  }

  mutating func bringAbout(_ condition: DocumentedCondition) throws {
    switch condition {
    case .account: try makeAccount()
    case .signedIn:
      try makeAccount()
      let session = try services.authServer.signIn(email: "pat@example.com", password: "correct horse")
      values["token"] = session.accessToken
      values["refresh token"] = session.refreshToken
    case .anotherUser:
      values["other user"] = try addUser(Self.otherUser, "kim@example.com", password: "battery staple")
    case .accountIsClosed: services.authServer.setBanned(true, user: Self.user)
    case .tooManyRequests: services.authServer.limitRequests(1, retryAfter: .seconds(30))
    case .sessionEnded: services.authServer.endSessions(of: Self.user)
    case .tokenExpired: services.authServer.expireAccessTokens(of: Self.user)
    case .child: values["child"] = try store(Self.child, of: Self.user)
    case .childOfAnotherUser: values["other child"] = try store(Self.otherChild, of: Self.otherUser)
    case .conversation:
      values["conversation"] = try start(Self.conversation, about: Self.child, of: Self.user)
    case .answeredQuestion: try exchangeMessages(in: Self.conversation)
    case .conversationOfAnotherUser:
      values["other conversation"] = try start(
        Self.otherConversation, about: Self.otherChild, of: Self.otherUser)
      try exchangeMessages(in: Self.otherConversation)
    case .databaseIsSlow: services.database.refuseStatements(with: .statementTimeout)
    case .poolIsExhausted: services.database.refuseStatements(with: .poolTimeout)
    case .functionIsMissing:
      var emulator = handler.base
      emulator.functions["send-message"] = nil
      handler = Intercepted(emulator, by: .faults(faults), time: time)
    case .streamBreaks: spoilAnswers(.dropStream(afterEvents: 2))
    case .streamEndsEarly: spoilAnswers(.endStream(afterEvents: 2))
    case .streamFallsSilent: spoilAnswers(.stallStream(afterEvents: 2))
    case .eventIsUnreadable: spoilAnswers(.corruptEvent(2))
    case .readerIsBanned: forum.refuseRequests(with: .banned)
    case .forumIsDown: forum.refuseRequests(with: .databaseDown)
    case .session: holdSession()
    case .cursorsExpired: feed.expireCursors(of: Self.session)
    }
  }

  private func spoilAnswers(_ fault: Fault) {
    faults.add(.on(.post("/functions/v1/send-message"), fault))
  }

  // MARK: - Rows

  private mutating func makeAccount() throws {
    values["email"] = "pat@example.com"
    values["password"] = "correct horse"
    values["user"] = try addUser(Self.user, "pat@example.com", password: "correct horse")
  }

  private func addUser(_ id: UUID, _ email: String, password: String) throws -> String {
    if try !isStored("auth.users", id) { try services.addUser(id: id, email: email, password: password) }
    return id.uuidString.lowercased()
  }

  private func isStored(_ table: String, _ id: UUID) throws -> Bool {
    try !services.database.select(from: table, where: .equals("id", .uuid(id)), as: .service).isEmpty
  }

  /// Stores a row unless there is one with its id, and returns the id.
  private func store(_ row: [String: ColumnValue], _ id: UUID, in table: String) throws -> String {
    if try !isStored(table, id) {
      try services.database.insert(
        row.merging(["id": .uuid(id)]) { _, new in new }, into: table, as: .service)
    }
    return id.uuidString.lowercased()
  }

  private func store(_ child: UUID, of user: UUID) throws -> String {
    try store(
      [
        "user_id": .uuid(user), "name": "Robin", "age": 8, "birthday": "2016-02-29",
        "goals": .textArray(["sleep"]), "topics": .textArray(["school"]), "temperament": "spirited",
        "temperament_talkative": 7, "temperament_sensitivity": 3, "temperament_accountability": 5,
      ], child, in: "children")
  }

  private func start(_ conversation: UUID, about child: UUID, of user: UUID) throws -> String {
    try store(["user_id": .uuid(user), "child_id": .uuid(child)], conversation, in: "conversations")
  }

  private mutating func holdSession() {
    values["session"] = Self.session
    guard feed.messages(of: Self.session).isEmpty else { return }
    feed.open(Self.session)
    let contents: [StreamContent] = [
      .user("Why?"), .toolUse(id: "t1", name: "search", input: "{}", inputDescription: "Look it up"),
      .assistant("Sleep hélps."),
    ]
    for (index, content) in contents.enumerated() {
      feed.say(
        StreamedMessage(
          id: "f0000000-0000-4000-8000-00000000000\(index + 1)", timestamp: "2026-01-03T12:00:00.000Z",
          content: content), in: Self.session)
    }
  }

  private func exchangeMessages(in conversation: UUID) throws {
    // Two conversations, two messages each; those of one moment stand in the order of their ids.
    let number = conversation == Self.conversation ? 1 : 3
    let source = JSONValue.object([
      .init("title", .string("Rest")), .init("url", .string("https://example.com/rest")),
    ])
    let messages: [[String: ColumnValue]] = [
      ["role": "user", "content": "Why?"],
      ["role": "assistant", "content": "Sleep hélps.", "sources": .json(.array([source]))],
    ]
    for (offset, message) in messages.enumerated() {
      _ = try store(
        message.merging(["conversation_id": .uuid(conversation)]) { _, new in new },
        Self.id("e0000000-0000-4000-8000-00000000000\(number + offset)"), in: "messages")
    }
  }
}
