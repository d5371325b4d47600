import Foundation
import SharedServices
import SharedServicesInMemory
import UnderstudyBackend
import UnderstudyDoubles
import UnderstudyTransport

/// An emulator about which the documents' conditions can be brought about.
struct DocumentedBackend {
  static let user = UUID(uuidString: "a0000000-0000-4000-8000-000000000001") ?? UUID()
  static let other = UUID(uuidString: "b0000000-0000-4000-8000-000000000002") ?? UUID()
  static let child = UUID(uuidString: "c0000000-0000-4000-8000-000000000001") ?? UUID()
  static let childOfOther = UUID(uuidString: "c0000000-0000-4000-8000-000000000002") ?? UUID()
  static let conversation = UUID(uuidString: "d0000000-0000-4000-8000-000000000001") ?? UUID()
  static let conversationOfOther = UUID(uuidString: "d0000000-0000-4000-8000-000000000002") ?? UUID()

  /// The guide's answer in the documents, whatever is asked.
  static let answer = [
    MessageChunk(text: "Sleep "),
    MessageChunk(
      text: "hélps.", sources: [Citation(title: "Rest", url: URL(string: "https://example.com/rest"))]),
    MessageChunk(text: "", isDone: true),
  ]

  private(set) var emulator: SupabaseEmulator
  /// What goes wrong between the emulator and its client.
  let faults = FaultPlan<SupabaseEmulator>()
  private let services: InMemorySharedServices
  private var session: AuthSession?

  init(time: Time) throws {
    services = InMemorySharedServices(
      seed: 1, time: time, replyWriter: ReplyWriter { _, _, _ in Reply(Self.answer) })
    emulator = services.emulator
  }

  /// What stands for the names in braces.
  var values: [String: String] {
    [
      "key": emulator.apiKey, "token": session?.accessToken ?? "",
      "refresh token": session?.refreshToken ?? "",
    ]
  }

  /// - Returns: Whether the condition is known.
  mutating func bringAbout(_ condition: String) throws -> Bool {
    switch condition {
    case "there is an account":
      try services.addUser(id: Self.user, email: "pat@example.com", password: "correct horse")
    case "signed in":
      try services.addUser(id: Self.user, email: "pat@example.com", password: "correct horse")
      session = try services.authServer.signIn(email: "pat@example.com", password: "correct horse")
    case "there is another user":
      try services.addUser(id: Self.other, email: "kim@example.com", password: "battery staple")
    case "the account is closed": services.authServer.setBanned(true, user: Self.user)
    case "there were too many requests": services.authServer.limitRequests(1, retryAfter: .seconds(30))
    case "the session has ended": services.authServer.endSessions(of: Self.user)
    case "the token has expired": services.authServer.expireAccessTokens(of: Self.user)
    case "a child is stored": try store(Self.child, of: Self.user)
    case "another user's child is stored": try store(Self.childOfOther, of: Self.other)
    case "the database does not keep up": services.database.refuseStatements(with: .statementTimeout)
    case "the pool is exhausted": services.database.refuseStatements(with: .poolTimeout)
    default: return try bringAboutInConversation(condition)
    }
    return true
  }

  private mutating func bringAboutInConversation(_ condition: String) throws -> Bool {
    switch condition {
    case "a conversation is started": try start(Self.conversation, about: Self.child, of: Self.user)
    case "a question was answered": try exchangeMessages(in: Self.conversation)
    case "another user's conversation is held":
      try start(Self.conversationOfOther, about: Self.childOfOther, of: Self.other)
      try exchangeMessages(in: Self.conversationOfOther)
    case "the function is not deployed": emulator.functions["send-message"] = nil
    case "the connection breaks after two events": spoilAnswers(.dropStream(afterEvents: 2))
    case "the stream ends after two events": spoilAnswers(.endStream(afterEvents: 2))
    case "the stream falls silent after two events": spoilAnswers(.stallStream(afterEvents: 2))
    case "the second event is not readable": spoilAnswers(.corruptEvent(2))
    default: return false
    }
    return true
  }

  private func spoilAnswers(_ fault: Fault) {
    faults.add(.on(.post("/functions/v1/send-message"), fault))
  }

  private func store(_ child: UUID, of user: UUID) throws {
    try services.database.insert(
      [
        "id": .uuid(child), "user_id": .uuid(user), "name": "Robin", "age": 8, "birthday": "2016-02-29",
        "goals": .textArray(["sleep"]), "topics": .textArray(["school"]), "temperament": "spirited",
        "temperament_talkative": 7, "temperament_sensitivity": 3, "temperament_accountability": 5,
      ], into: "children", as: .service)
  }

  private func start(_ conversation: UUID, about child: UUID, of user: UUID) throws {
    try services.database.insert(
      ["id": .uuid(conversation), "user_id": .uuid(user), "child_id": .uuid(child)], into: "conversations",
      as: .service)
  }

  private func exchangeMessages(in conversation: UUID) throws {
    let source = JSONValue.object([
      .init("title", .string("Rest")), .init("url", .string("https://example.com/rest")),
    ])
    try services.database.insert(
      ["conversation_id": .uuid(conversation), "role": "user", "content": "Why?"], into: "messages",
      as: .service)
    try services.database.insert(
      [
        "conversation_id": .uuid(conversation), "role": "assistant", "content": "Sleep hélps.",
        "sources": .json(.array([source])),
      ], into: "messages", as: .service)
  }
}
