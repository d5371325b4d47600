public import Foundation
public import SharedServices
public import UnderstudyDoubles

extension Intercepted.Operation where Base: ConversationService {
  /// ``ConversationService/startConversation(childID:)``.
  public static var startConversation: Self { Self("startConversation") }
  /// ``ConversationService/history(conversationID:)``.
  public static var history: Self { Self("history") }
  /// ``ConversationService/sendMessageStream(conversationID:message:childContext:)``.
  public static var sendMessageStream: Self { Self("sendMessageStream") }
}

extension Intercepted: ConversationService where Base: ConversationService {
  /// Starts a conversation through the interceptors.
  public func startConversation(childID: UUID) async throws(AppError) -> Conversation {
    try await intercept(.startConversation, childID, failure: AppError.init) { base throws(AppError) in
      try await base.startConversation(childID: childID)
    }
  }

  /// Fetches what was said through the interceptors.
  public func history(conversationID: UUID) async throws(AppError) -> [Message] {
    try await intercept(.history, conversationID, failure: AppError.init) { base throws(AppError) in
      try await base.history(conversationID: conversationID)
    }
  }

  /// Says something through the interceptors, which see the call, and each chunk of the stream that it returns.
  public func sendMessageStream(
    conversationID: UUID, message: String, childContext: ChildContext
  ) async throws(AppError) -> AsyncThrowingStream<MessageChunk, any Error> {
    try await interceptStream(
      .sendMessageStream, conversationID, message, childContext, failure: AppError.init
    ) { base throws(AppError) in
      try await base.sendMessageStream(
        conversationID: conversationID, message: message, childContext: childContext)
    }
  }
}
