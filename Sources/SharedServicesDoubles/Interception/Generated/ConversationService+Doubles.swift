// Written by: understudy generate --module SharedServices --protocol ConversationService --write intercepted --output Sources/SharedServicesDoubles/Interception/Generated/ConversationService+Doubles.swift
// Change the command, not what follows; what must be written by hand is named with --omit.
// swift-format-ignore-file
// swiftlint:disable all

public import Foundation
public import SharedServices
public import Understudy

extension Intercepted.Operation where Base: ConversationService {
  /// ``ConversationService/startConversation(childID:)``.
  public static var startConversation: Self { Self("startConversation") }
  /// ``ConversationService/history(conversationID:)``.
  public static var history: Self { Self("history") }
  /// ``ConversationService/sendMessageStream(conversationID:message:childContext:)``.
  public static var sendMessageStream: Self { Self("sendMessageStream") }
}

extension Intercepted: ConversationService where Base: ConversationService {
  /// ``ConversationService/startConversation(childID:)``, through the interceptors.
  public func startConversation(childID: UUID) async throws(AppError) -> Conversation {
    try await intercept(.startConversation, childID, failure: { AppError($0) }) { base throws(AppError) in
      try await base.startConversation(childID: childID)
    }
  }

  /// ``ConversationService/history(conversationID:)``, through the interceptors.
  public func history(conversationID: UUID) async throws(AppError) -> [Message] {
    try await intercept(.history, conversationID, failure: { AppError($0) }) { base throws(AppError) in
      try await base.history(conversationID: conversationID)
    }
  }

  /// ``ConversationService/sendMessageStream(conversationID:message:childContext:)``, through the
  /// interceptors, which see the call and each element.
  public func sendMessageStream(
    conversationID: UUID, message: String, childContext: ChildContext
  ) async throws(AppError) -> AsyncThrowingStream<MessageChunk, any Error> {
    try await interceptStream(
      .sendMessageStream, conversationID, message, childContext, failure: { AppError($0) }
    ) { base throws(AppError) in
      try await base.sendMessageStream(
        conversationID: conversationID, message: message, childContext: childContext
      )
    }
  }
}
