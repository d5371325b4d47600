public import SharedServices
public import Understudy

// Conditions of streamed answers that the contract of the conversations uses.

extension Condition where Fixture == Child {
  /// The user has a child.
  ///
  /// The fixture is the child.
  public static var child: Self { Condition("the user has a child") }
}

extension Condition where Fixture == ForeignConversation {
  /// Another user has a conversation with messages.
  ///
  /// The fixture is the conversation.
  public static var conversationOfAnotherUser: Self { Condition("there is a conversation of another user") }
}

extension Condition where Fixture == [Citation] {
  /// Answers cite sources.
  ///
  /// The fixture holds all sources of an answer, in order.
  public static var answerNamesSources: Self { Condition("the answer names its sources") }
}

extension Condition where Fixture == Void {
  /// The chunk that marks an answer as done has no text.
  public static var lastChunkIsEmpty: Self { Condition("the last chunk is empty") }

  /// The chunk that marks an answer as done has the end of the text and all sources.
  public static var lastChunkIsFull: Self { Condition("the last chunk has text and sources") }

  /// An answer arrives in the smallest possible pieces: over HTTP in single bytes, which split characters and events;
  /// elsewhere in Unicode scalars.
  public static var piecesAreSmallest: Self { Condition("the answer arrives in the smallest pieces") }

  /// More events follow the event that marks the answer as done.
  public static var answerGoesOn: Self { Condition("the stream goes on after the answer is done") }
}

extension Condition where Fixture == BrokenStream {
  /// The connection breaks in the middle of an answer.
  public static var streamDrops: Self { Condition("the stream drops") }

  /// The connection breaks after the response has begun, before the first chunk of an answer.
  package static var streamDropsAtOnce: Self { Condition("the stream drops before its first chunk") }

  /// The stream stalls in the middle of an answer.
  public static var streamStalls: Self { Condition("the stream stalls") }

  /// The stream contains invalid data in the middle of an answer.
  public static var streamIsCorrupt: Self { Condition("the stream is corrupt") }

  /// The stream ends without an error in the middle of an answer, before a chunk marks it as done.
  public static var streamEndsEarly: Self { Condition("the stream ends early") }
}

extension Condition where Fixture == HeldStream {
  /// An answer pauses in the middle until the fixture resumes it.
  public static var streamIsHeld: Self { Condition("the stream is held") }
}

extension Condition where Fixture == WatchedStream {
  /// The source of an answer is observable.
  ///
  /// The answer has at least sixteen chunks.
  public static var upstreamIsWatched: Self { Condition("the upstream is watched") }
}

/// A conversation that belongs to another user.
public struct ForeignConversation: Sendable {
  /// The conversation, as its owner receives it.
  public let conversation: Conversation
  /// Reads the messages of the conversation as its owner.
  public let history: @Sendable () async throws -> [Message]

  /// Creates a conversation of another user.
  public init(conversation: Conversation, history: @escaping @Sendable () async throws -> [Message]) {
    self.conversation = conversation
    self.history = history
  }

  /// Starts a conversation about a child and sends a message in it.
  package static func held(by service: some ConversationService, about child: Child) async throws -> Self {
    let conversation = try await service.startConversation(childID: child.id)
    let answer = try await service.sendMessageStream(
      conversationID: conversation.id, message: "Mine", childContext: ChildContext(child))
    for try await _ in answer {}
    return ForeignConversation(conversation: conversation) {
      try await service.history(conversationID: conversation.id)
    }
  }
}

/// A failure in the middle of every answer.
public struct BrokenStream: Sendable, Hashable {
  /// The number of chunks that are delivered first, none of them done.
  public let chunks: Int

  /// Creates a stream that breaks after a number of chunks.
  public init(afterChunks chunks: Int) {
    self.chunks = chunks
  }
}

/// An answer that pauses in the middle.
public struct HeldStream: Sendable {
  /// The number of chunks that are delivered first, none of them done.
  public let chunks: Int
  /// Returns once the source has been asked for the chunk that it holds back.
  public let isReached: @Sendable () async -> Void

  /// Creates an answer that pauses after a number of chunks.
  public init(afterChunks chunks: Int, isReached: @escaping @Sendable () async -> Void) {
    self.chunks = chunks
    self.isReached = isReached
  }
}

/// The source of an answer, as its backend observes it.
public struct WatchedStream: Sendable {
  /// The number of chunks that the source may be ahead of the consumer, because of buffers between them.
  public let lead: Int
  /// Returns the number of chunks that were taken from the source.
  public let taken: @Sendable () async -> Int
  /// Returns whether the source has been closed.
  ///
  /// It waits where closing is asynchronous.
  public let isClosed: @Sendable () async -> Bool

  /// Creates an observable source.
  public init(
    lead: Int, taken: @escaping @Sendable () async -> Int, isClosed: @escaping @Sendable () async -> Bool
  ) {
    self.lead = lead
    self.taken = taken
    self.isClosed = isClosed
  }
}
