public import Foundation

/// Conversations with the guide, whose answers are streamed (seed 001, example 2).
///
/// What every implementation must do is `Contract.conversationService` in `SharedServicesContracts`. Every method
/// throws `.authentication(.notSignedIn)` without a session, `.network(.unauthorized)` when the session is over and
/// cannot be refreshed, other `.network` failures, and `.cancelled`.
public protocol ConversationService: Sendable {
  /// Starts a conversation about a child of the user.
  ///
  /// - Throws: `.network(.notFound)` if the user has no such child.
  func startConversation(childID: UUID) async throws(AppError) -> Conversation

  /// What was said in a conversation, the oldest first; empty for one that is not there or not the user's.
  func history(conversationID: UUID) async throws(AppError) -> [Message]

  /// Says something, and streams the answer.
  ///
  /// The chunks come in order, as they are written. The answer is complete with the chunk that says so
  /// (`isDone`), and the stream ends after it, whatever else may follow on the wire. Until then it is not: a stream
  /// that ends early delivers what had come and then throws `.network(.connectionLost)`, never success; one that
  /// falls silent throws `.network(.timeout)`; one that cannot be read `.network(.unreadableAnswer)`. Every error
  /// of the stream is an `AppError`. A consumer that leaves closes the stream at its source, and a slow one holds
  /// it back.
  ///
  /// What the user said is stored once the call returns, the answer once it is complete.
  ///
  /// - Throws: `.network(.notFound)` if there is no such conversation, or it is not the user's.
  func sendMessageStream(
    conversationID: UUID, message: String, childContext: ChildContext
  ) async throws(AppError) -> AsyncThrowingStream<MessageChunk, any Error>
}
