package import Foundation
public import SharedServices
public import Understudy

extension Contract where Subject == any ConversationService {
  /// The contract of every ``/SharedServices/ConversationService`` implementation.
  public static var conversationService: Self {
    Contract("conversations") {
      Clause.startingConversations
      Clause.readingHistory
      Clause.sending
      Clause.streaming
      Clause.upstream
      Clause.breaking
      Clause.conversationRefusals
      Clause.conversationEffects
      Clause.conversationSession
      Clause.conversationFailures
      Clause.conversationCancellation
    }
  }
}

extension Trial where Subject == any ConversationService {
  /// Starts a conversation about a child of the signed-in user.
  package func started() async throws -> Talk {
    _ = try await given(.signedIn)
    let child = try await given(.child)
    return Talk(child: child, conversation: try await subject.startConversation(childID: child.id))
  }

  /// Sends a message and returns the stream of the answer.
  package func send(
    _ message: String, under id: UUID? = nil, in talk: Talk
  ) async throws(AppError) -> AsyncThrowingStream<MessageChunk, any Error> {
    try await subject.sendMessageStream(
      conversationID: talk.conversation.id, messageID: id, message: message,
      childContext: ChildContext(talk.child))
  }

  /// Sends a message and reads the answer until the stream ends or fails.
  package func answer(to message: String, in talk: Talk) async throws(AppError) -> Reading {
    await Reading(of: try await send(message, in: talk))
  }

  /// Returns the messages of a conversation.
  package func history(of talk: Talk) async throws(AppError) -> [Message] {
    try await subject.history(conversationID: talk.conversation.id)
  }
}

/// A conversation and the child that it is about.
package struct Talk: Sendable {
  package let child: Child
  package let conversation: Conversation
}

/// The elements of a stream that was read to its end, and how it ended.
package struct Reading: Sendable {
  package private(set) var chunks: [MessageChunk] = []
  /// The error that the stream ended with; `nil` for a successful end.
  package private(set) var error: (any Error)?

  package init(of stream: AsyncThrowingStream<MessageChunk, any Error>) async {
    do {
      for try await chunk in stream { chunks.append(chunk) }
    } catch {
      self.error = error
    }
  }

  package var text: String { chunks.map(\.text).joined() }
}

extension Trial {
  /// Expects a stream to end without an error, with its last chunk as the only one that is done.
  package func expectComplete(_ reading: Reading, fileID: String = #fileID, line: Int = #line) {
    expect(
      reading.error == nil, "Expected the stream to end well, but it threw \(reading.error as Any).",
      fileID: fileID, line: line)
    expect(
      reading.chunks.lastIndex { $0.isDone } == reading.chunks.count - 1
        && reading.chunks.count { $0.isDone } == 1,
      "Expected the last chunk alone to be done, found \(reading.chunks.map(\.isDone)).", fileID: fileID,
      line: line)
  }

  /// Expects a stream to deliver a number of chunks, none of them done, and then to throw.
  package func expect(
    _ reading: Reading, brokenAfter count: Int, with expected: AppError, fileID: String = #fileID,
    line: Int = #line
  ) {
    expect(
      reading.chunks.count, equals: count, "the number of chunks before the break", fileID: fileID,
      line: line)
    expect(
      !reading.chunks.contains { $0.isDone }, "Expected no chunk to be done.", fileID: fileID, line: line)
    expect(
      (reading.error as? AppError) == expected,
      "Expected the stream to throw \(expected), but it \(reading.end).", fileID: fileID, line: line)
  }
}

extension Reading {
  fileprivate var end: String { error.map { "threw \($0)" } ?? "ended as if all were well" }
}

extension ServiceCall where Service == any ConversationService {
  /// One call of each kind, on an existing conversation.
  static func all(in talk: Talk) -> [ServiceCall] {
    [
      ServiceCall(name: "startConversation") {
        _ = try await $0.startConversation(childID: talk.child.id)
      },
      ServiceCall(name: "history") { _ = try await $0.history(conversationID: talk.conversation.id) },
      ServiceCall(name: "sendMessageStream") {
        // The stream is not read: the call itself throws what fails before the first event.
        _ = try await $0.sendMessageStream(
          conversationID: talk.conversation.id, message: "Hello", childContext: ChildContext(talk.child))
      },
    ]
  }
}
