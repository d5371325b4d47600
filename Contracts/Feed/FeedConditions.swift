public import SharedServices
public import Understudy

// Conditions that the contracts of the message feed use.

extension Condition where Fixture == StoredSession {
  /// A session has twelve messages.
  ///
  /// The fixture holds the messages.
  public static var storedSession: Self { Condition("there is a session of twelve messages") }

  /// A second session, whose id differs from the first one's only in case, has twelve other messages.
  ///
  /// The fixture holds the messages.
  package static var anotherStoredSession: Self { Condition("there is another session of twelve messages") }

  /// A session has 250 messages, with every field of a page.
  ///
  /// The ids of each two differ only in case. The fixture holds the messages.
  package static var longSession: Self { Condition("there is a session of 250 messages") }

  /// A session has messages of several roles, some of which are stored without content.
  ///
  /// The fixture holds the messages.
  package static var sessionWithoutContent: Self {
    Condition("there is a session of messages without content")
  }

  /// A session has no messages.
  public static var emptySession: Self { Condition("there is an empty session") }
}

extension Condition where Fixture == FeedSpeaker {
  /// A session exists, and the fixture adds messages to it.
  public static var speaker: Self { Condition("a session receives messages") }

  /// A second session exists, whose id differs from the first one's only in case, and the fixture adds messages to it.
  package static var anotherSpeaker: Self { Condition("another session receives messages") }
}

extension Condition where Fixture == FollowerCount {
  /// The number of a session's followers is observable.
  public static var followersAreCounted: Self { Condition("the followers of a session are counted") }
}

extension Condition where Fixture == Void {
  /// The existing cursors of the session have expired.
  public static var cursorsExpire: Self { Condition("the cursors expire") }

  /// The connections of a session's followers are lost: they receive nothing until the condition ends, and then notice
  /// it.
  public static var connectionIsLost: Self { Condition("the connections of the session are lost") }

  /// The stream discards all past events; the history keeps the messages.
  public static var streamForgets: Self { Condition("the stream discards its events") }

  /// Every message of the session gets a new id.
  public static var messagesAreRenumbered: Self { Condition("the messages get new ids") }

  /// The answers that are being written are never completed.
  public static var answersAreAbandoned: Self { Condition("unfinished answers are abandoned") }

  /// Every connection to the stream is refused.
  public static var connectionsAreRefused: Self { Condition("connections are refused") }

  /// The next two connections to the stream are refused.
  public static var twoConnectionsAreRefused: Self { Condition("two connections are refused") }
}

extension Condition where Fixture == BrokenSubscription {
  /// The next connection breaks after some frames.
  public static var nextConnectionDrops: Self { Condition("the next connection drops") }

  /// The server closes the next connection after some frames, with a close frame.
  public static var nextConnectionIsClosed: Self { Condition("the next connection is closed") }

  /// A frame of the next connection, after some valid ones, is invalid.
  public static var nextConnectionIsCorrupt: Self { Condition("the next connection is corrupt") }
}

/// A session and its messages.
public struct StoredSession: Sendable, Hashable, Codable {
  /// The session's id.
  public let id: String
  /// The messages, oldest first.
  public let messages: [PaginatedMessage]

  /// Creates a session.
  public init(id: String, messages: [PaginatedMessage]) {
    self.id = id
    self.messages = messages
  }
}

/// Functions that add messages to a session.
public struct FeedSpeaker: Sendable {
  /// The session's id.
  public let sessionID: String
  /// Adds a whole message and returns its id.
  public let say: @Sendable (StreamContent) -> String
  /// Begins an answer and returns its id.
  public let begin: @Sendable () -> String
  /// Appends text to an answer.
  public let write: @Sendable (_ text: String, _ messageID: String) -> Void
  /// Completes an answer.
  public let finish: @Sendable (_ messageID: String) -> Void
  /// Sends an event that is not stored to the session's followers.
  public let announce: @Sendable (StreamEvent) -> Void
  /// Returns the messages, as the history has them.
  public let messages: @Sendable () -> [PaginatedMessage]

  /// Creates a speaker from its functions.
  public init(
    sessionID: String, say: @escaping @Sendable (StreamContent) -> String,
    begin: @escaping @Sendable () -> String, write: @escaping @Sendable (String, String) -> Void,
    finish: @escaping @Sendable (String) -> Void, announce: @escaping @Sendable (StreamEvent) -> Void,
    messages: @escaping @Sendable () -> [PaginatedMessage]
  ) {
    self.sessionID = sessionID
    self.say = say
    self.begin = begin
    self.write = write
    self.finish = finish
    self.announce = announce
    self.messages = messages
  }
}

/// The number of a session's followers.
public struct FollowerCount: Sendable {
  private let count: @Sendable (Int) async -> Int

  /// - Parameter count: Returns the number of followers. It may wait until the number is the expected one.
  public init(_ count: @escaping @Sendable (_ expected: Int) async -> Int) {
    self.count = count
  }

  /// Returns the number of followers.
  ///
  /// It may wait until the number is the expected one.
  public func callAsFunction(_ expected: Int) async -> Int { await count(expected) }
}
