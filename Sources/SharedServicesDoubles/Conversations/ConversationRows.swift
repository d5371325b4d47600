import Foundation
import SharedServices
import UnderstudyHTTP
import UnderstudySupabase

/// A conversation as a row of the table `conversations`.
enum ConversationRow {
  /// `nil` if the table is not that of the shared services.
  static func conversation(_ row: DatabaseRow) -> Conversation? {
    guard let id = row["id"].uuidValue, let userID = row["user_id"].uuidValue,
      let childID = row["child_id"].uuidValue, let createdAt = row["created_at"].timestampValue
    else { return nil }
    return Conversation(id: id, userID: userID, childID: childID, createdAt: createdAt)
  }
}

/// A message as a row of the table `messages`.
enum MessageRow {
  /// `nil` if the table is not that of the shared services.
  static func message(_ row: DatabaseRow) -> Message? {
    guard let id = row["id"].uuidValue, let conversationID = row["conversation_id"].uuidValue,
      let role = row["role"].textValue.flatMap(Message.Role.init), let content = row["content"].textValue,
      let sources = sources(in: row["sources"]), let createdAt = row["created_at"].timestampValue
    else { return nil }
    return Message(
      id: id, conversationID: conversationID, role: role, content: content, sources: sources,
      createdAt: createdAt)
  }

  /// `NULL` for no sources, else an array of `{"title", "url"}`.
  static func value(of sources: [Citation]) -> DatabaseValue {
    if sources.isEmpty { return .null }
    return .json(
      .array(
        sources.map { source in
          .object(
            [.init("title", .string(source.title))]
              + (source.url.map { [.init("url", .string($0.absoluteString))] } ?? []))
        }))
  }

  private static func sources(in value: DatabaseValue) -> [Citation]? {
    if value.isNull { return [] }
    guard case .json(.array(let elements)) = value else { return nil }
    let sources = elements.compactMap { element in
      element["title"]?.stringValue.map { title in
        Citation(title: title, url: element["url"]?.stringValue.flatMap(URL.init(string:)))
      }
    }
    return sources.count == elements.count ? sources : nil
  }
}

extension InMemoryDatabase {
  /// The messages of a conversation that a role sees, the oldest first.
  func history(of conversationID: UUID, as role: DatabaseRole) throws(PostgRESTError) -> [Message] {
    try select(
      from: "messages", where: .equals("conversation_id", .uuid(conversationID)),
      orderedBy: [Ordering("created_at")], as: role
    ).compactMap(MessageRow.message)
  }
}
