public import Foundation

/// A service for conversations with the guide, whose answers are streamed (seed 001, example 2).
///
/// `Contract.conversationService` in `SharedServicesContracts` specifies the required behaviour. Every method throws
/// `.authentication(.notSignedIn)` without a session, `.network(.unauthorized)` if the session has ended and cannot be
/// refreshed, other `.network` errors, and `.cancelled`.
public protocol ConversationService: Sendable {
  /// Starts a conversation about a child of the user.
  ///
  /// A client that chooses the id can repeat a call whose answer was lost: a conversation that is already stored, with
  /// the same id and child, is returned.
  ///
  /// - Parameters:
  ///   - childID: The child's id.
  ///   - id: The conversation's id; `nil` leaves it to the service.
  /// - Throws: `.network(.notFound)` if the user has no such child; `.network(.conflict)` if another conversation has the
  ///   id.
  func startConversation(childID: UUID, id: UUID?) async throws(AppError) -> Conversation

  /// Returns the messages of a conversation, oldest first; an empty list if it is missing or belongs to another user.
  func history(conversationID: UUID) async throws(AppError) -> [Message]

  /// Sends a message, which may be empty, and streams the answer.
  ///
  /// The chunks arrive in order, while they are written. The chunk with `isDone` completes the answer, and the stream
  /// ends after it, whatever follows on the wire. A stream that ends before that chunk delivers the received chunks and
  /// then throws `.network(.connectionLost)`. A stream that stalls throws `.network(.timeout)`, and invalid data throws
  /// `.network(.unreadableAnswer)`. Every error of the stream is an `AppError`. A consumer that stops reading closes
  /// the stream at its source, and a slow consumer applies back pressure to it.
  ///
  /// The user's message is stored once the call returns, the answer once it is complete.
  ///
  /// A client that chooses the message's id can repeat a call whose answer was lost or broke off: a message that is
  /// already stored, with the same id and text, is not stored again. If its answer is stored, the stream delivers that;
  /// otherwise the guide writes an answer.
  ///
  /// - Parameters:
  ///   - conversationID: The conversation's id.
  ///   - messageID: The message's id; `nil` leaves it to the service.
  ///   - message: The text.
  ///   - childContext: Information for the guide about the child.
  /// - Throws: `.network(.notFound)` if the conversation does not exist or belongs to another user;
  ///   `.network(.conflict)` if another message has the id.
  func sendMessageStream(
    conversationID: UUID, messageID: UUID?, message: String, childContext: ChildContext
  ) async throws(AppError) -> AsyncThrowingStream<MessageChunk, any Error>
}

extension ConversationService {
  /// Starts a conversation whose id the service chooses.
  public func startConversation(childID: UUID) async throws(AppError) -> Conversation {
    try await startConversation(childID: childID, id: nil)
  }

  /// Sends a message whose id the service chooses, and streams the answer.
  public func sendMessageStream(
    conversationID: UUID, message: String, childContext: ChildContext
  ) async throws(AppError) -> AsyncThrowingStream<MessageChunk, any Error> {
    try await sendMessageStream(
      conversationID: conversationID, messageID: nil, message: message, childContext: childContext)
  }
}
