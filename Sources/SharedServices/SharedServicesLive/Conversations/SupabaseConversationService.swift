public import Foundation
public import SharedServices
import UnderstudyTransport

/// A service that stores conversations in the tables `conversations` and `messages`, and requests answers from the
/// function `send-message`.
public struct SupabaseConversationService: ConversationService {
  private let client: SupabaseClient

  /// Creates a service for the client's user.
  public init(_ client: SupabaseClient) {
    self.client = client
  }

  /// Inserts a row (`POST /rest/v1/conversations`).
  ///
  /// The row belongs to the user, so a policy violation concerns the child: it is missing, or belongs to another user.
  /// After a conflict the row with the id is selected, because an earlier request may have stored it.
  public func startConversation(childID: UUID, id: UUID?) async throws(AppError) -> Conversation {
    do throws(AppError) {
      return try await insert(childID: childID, id: id)
    } catch .network(.conflict) {
      guard let id, let stored = try await conversation(id: id), stored.childID == childID else {
        throw .network(.conflict)
      }
      return stored
    }
  }

  private func conversation(id: UUID) async throws(AppError) -> Conversation? {
    let call = SupabaseCall(
      method: .get, path: "rest/v1/conversations",
      query: [Self.allColumns, URLQueryItem(name: "id", value: "eq.\(id.uuidString.lowercased())")])
    return try await client.rows(ConversationRow.self, of: call).first?.conversation
  }

  private func insert(childID: UUID, id: UUID?) async throws(AppError) -> Conversation {
    let values = NewConversation(
      id: id, userID: try await client.sessions.current().userID, childID: childID)
    let call = SupabaseCall(
      method: .post, path: "rest/v1/conversations", query: [Self.allColumns],
      fields: ["Accept": SupabaseCall.singleObject, "Prefer": "return=representation"],
      body: .json(of: values))
    let answer = try await client.send(call) { refusal in
      refusal.code == "42501" && refusal.message.contains("\"conversations\"")
        ? .network(.notFound) : AppError(refusal)
    }
    return try answer.decoded(ConversationRow.self).conversation
  }

  /// Selects the messages of a conversation, oldest first; rows with the same date are ordered by id.
  public func history(conversationID: UUID) async throws(AppError) -> [Message] {
    let call = SupabaseCall(
      method: .get, path: "rest/v1/messages",
      query: [
        Self.allColumns,
        URLQueryItem(name: "conversation_id", value: "eq.\(conversationID.uuidString.lowercased())"),
        URLQueryItem(name: "order", value: "created_at.asc,id.asc"),
      ])
    return try await client.rows(MessageRow.self, of: call).map(\.message)
  }

  /// Calls the function `send-message`, which responds with server-sent events.
  ///
  /// The request is sent once, or twice if the first one was refused with a 401, because after any other failure the
  /// message may have been stored; a caller that chose the message's id can repeat the call. A consumer whose task is cancelled while it waits receives `.cancelled`; one that
  /// was cancelled before reads the end, as from every `AsyncThrowingStream`: check `isDone`.
  public func sendMessageStream(
    conversationID: UUID, messageID: UUID?, message: String, childContext: ChildContext
  ) async throws(AppError) -> AsyncThrowingStream<MessageChunk, any Error> {
    let call = SupabaseCall(
      method: .post, path: "functions/v1/send-message", fields: ["Accept": "text/event-stream"],
      body: .json(
        of: NewMessage(
          conversationID: conversationID, messageID: messageID, message: message, context: childContext)))
    let response = try await client.callFunction(call)
    guard response.status == 200, response.isEventStream else { throw .network(.unreadableAnswer) }
    let chunks = MessageChunkReader(response.body)
    return AsyncThrowingStream { try await chunks.next() }
  }

  private static let allColumns = URLQueryItem(name: "select", value: "*")
}

extension HTTP.Response {
  /// Whether the content type is that of server-sent events, with any parameters.
  fileprivate var isEventStream: Bool {
    let type = fields["Content-Type"]?.prefix { $0 != ";" } ?? ""
    return type.trimmingCharacters(in: .whitespaces).lowercased() == "text/event-stream"
  }
}
