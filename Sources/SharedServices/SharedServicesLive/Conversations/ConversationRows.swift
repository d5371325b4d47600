import Foundation
import SharedServices

/// A row of the table `conversations`, as PostgREST writes it.
struct ConversationRow: Decodable {
  let conversation: Conversation

  private enum Column: String, CodingKey {
    case id
    case userID = "user_id"
    case childID = "child_id"
    case createdAt = "created_at"
  }

  init(from decoder: any Decoder) throws {
    let row = try decoder.container(keyedBy: Column.self)
    conversation = Conversation(
      id: try row.decode(UUID.self, forKey: .id), userID: try row.decode(UUID.self, forKey: .userID),
      childID: try row.decode(UUID.self, forKey: .childID),
      createdAt: try row.decode(Timestamp.self, forKey: .createdAt).date)
  }
}

/// The values of a conversation that a client writes.
struct NewConversation: Encodable {
  /// The conversation's id; `nil` omits the column.
  let id: UUID?
  let userID: UUID
  let childID: UUID

  private enum Column: String, CodingKey {
    case id
    case userID = "user_id"
    case childID = "child_id"
  }

  func encode(to encoder: any Encoder) throws {
    var row = encoder.container(keyedBy: Column.self)
    // Lower case, as PostgreSQL prints UUIDs.
    try row.encodeIfPresent(id?.uuidString.lowercased(), forKey: .id)
    try row.encode(userID.uuidString.lowercased(), forKey: .userID)
    try row.encode(childID.uuidString.lowercased(), forKey: .childID)
  }
}

/// A row of the table `messages`, as PostgREST writes it.
struct MessageRow: Decodable {
  let message: Message

  private enum Column: String, CodingKey {
    case id
    case conversationID = "conversation_id"
    case role, content, sources
    case createdAt = "created_at"
  }

  init(from decoder: any Decoder) throws {
    let row = try decoder.container(keyedBy: Column.self)
    message = Message(
      id: try row.decode(UUID.self, forKey: .id),
      conversationID: try row.decode(UUID.self, forKey: .conversationID),
      role: try row.decode(Message.Role.self, forKey: .role),
      content: try row.decode(String.self, forKey: .content),
      sources: try row.decodeIfPresent([Citation].self, forKey: .sources) ?? [],
      createdAt: try row.decode(Timestamp.self, forKey: .createdAt).date)
  }
}

/// The body of a request to the function `send-message` (seed 001, `SendMessageRequest`).
struct NewMessage: Encodable {
  struct Context: Encodable {
    let age: Int
    let temperament: Temperament
    let goals: [String]
    let topics: [String]
  }

  let conversationId: String
  /// The message's id; `nil` omits it.
  let messageId: String?
  let message: String
  let childContext: Context

  init(conversationID: UUID, messageID: UUID?, message: String, context: ChildContext) {
    conversationId = conversationID.uuidString.lowercased()
    messageId = messageID?.uuidString.lowercased()
    self.message = message
    childContext = Context(
      age: context.age, temperament: context.temperament, goals: context.goals, topics: context.topics)
  }
}
