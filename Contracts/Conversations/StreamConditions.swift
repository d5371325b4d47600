public import SharedServices
public import Understudy

// The circumstances of a streamed answer that the contract of the conversations asks for.

extension Condition where Fixture == Child {
  /// The user has a child; with the child.
  public static var child: Self { Condition("the user has a child") }
}

extension Condition where Fixture == ForeignConversation {
  /// There is a conversation of another user, in which something was said; with the conversation.
  public static var conversationOfAnotherUser: Self { Condition("there is a conversation of another user") }
}

extension Condition where Fixture == [Citation] {
  /// Answers name what they rest on; with all that an answer names, in order.
  public static var answerNamesSources: Self { Condition("the answer names its sources") }
}

extension Condition where Fixture == Void {
  /// The chunk that says that an answer is done has no text.
  public static var lastChunkIsEmpty: Self { Condition("the last chunk is empty") }

  /// An answer arrives in the smallest pieces that there are: over HTTP in bytes, so that neither a character nor an
  /// event is whole; where there are no bytes, in scalars.
  public static var piecesAreSmallest: Self { Condition("the answer arrives in the smallest pieces") }

  /// More events follow the one that says that the answer is done.
  public static var answerGoesOn: Self { Condition("the stream goes on after the answer is done") }
}

extension Condition where Fixture == BrokenStream {
  /// The connection breaks in the middle of an answer.
  public static var streamDrops: Self { Condition("the stream drops") }

  /// Nothing more comes in the middle of an answer.
  public static var streamStalls: Self { Condition("the stream stalls") }

  /// What comes in the middle of an answer is not what the service speaks.
  public static var streamIsCorrupt: Self { Condition("the stream is corrupt") }

  /// The stream ends well in the middle of an answer, before a chunk said that it is done.
  public static var streamEndsEarly: Self { Condition("the stream ends early") }
}

extension Condition where Fixture == HeldStream {
  /// An answer waits in the middle, for as long as somebody wants it.
  public static var streamIsHeld: Self { Condition("the stream is held") }
}

extension Condition where Fixture == WatchedStream {
  /// What becomes of an answer at its source can be seen; the answer has at least sixteen chunks.
  public static var upstreamIsWatched: Self { Condition("the upstream is watched") }
}

/// A conversation that belongs to another user.
public struct ForeignConversation: Sendable {
  /// The conversation, as its owner sees it.
  public let conversation: Conversation
  /// Reads what was said in it, with the owner's eyes.
  public let history: @Sendable () async throws -> [Message]

  /// A conversation of another user, and a way to read it.
  public init(conversation: Conversation, history: @escaping @Sendable () async throws -> [Message]) {
    self.conversation = conversation
    self.history = history
  }

  /// Starts a conversation about a child and says something in it.
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

/// Something that goes wrong in the middle of every answer.
public struct BrokenStream: Sendable, Hashable {
  /// How many chunks come before, none of them done.
  public let chunks: Int

  /// A stream that breaks after so many chunks.
  public init(afterChunks chunks: Int) {
    self.chunks = chunks
  }
}

/// An answer that waits in the middle.
public struct HeldStream: Sendable {
  /// How many chunks come before, none of them done.
  public let chunks: Int
  /// Returns once the source has been asked for the chunk that it holds.
  public let isReached: @Sendable () async -> Void

  /// An answer that waits after so many chunks.
  public init(afterChunks chunks: Int, isReached: @escaping @Sendable () async -> Void) {
    self.chunks = chunks
    self.isReached = isReached
  }
}

/// The source of one answer, as its backend sees it.
public struct WatchedStream: Sendable {
  /// How many chunks the source may be ahead of the consumer, for they wait in buffers on the way.
  public let lead: Int
  /// How many chunks have been taken from the source.
  public let taken: @Sendable () async -> Int
  /// Whether the source has been closed; where closing takes a while, waited for.
  public let isClosed: @Sendable () async -> Bool

  /// A source that is watched.
  public init(
    lead: Int, taken: @escaping @Sendable () async -> Int, isClosed: @escaping @Sendable () async -> Bool
  ) {
    self.lead = lead
    self.taken = taken
    self.isClosed = isClosed
  }
}
