public import SharedServices
public import Understudy

// The circumstances that the contracts of the message feed ask for.

extension Condition where Fixture == StoredSession {
  /// There is a session of twelve messages; with the messages.
  public static var storedSession: Self { Condition("there is a session of twelve messages") }

  /// There is a session in which nothing was said.
  public static var emptySession: Self { Condition("there is an empty session") }
}

extension Condition where Fixture == FeedSpeaker {
  /// There is a session, and somebody speaks in it; with what they can do.
  public static var speaker: Self { Condition("somebody speaks in a session") }
}

extension Condition where Fixture == FollowerCount {
  /// Who follows the session is counted.
  public static var followersAreCounted: Self { Condition("those who follow a session are counted") }
}

extension Condition where Fixture == Void {
  /// The cursors of the session that there are have expired.
  public static var cursorsExpire: Self { Condition("the cursors expire") }

  /// Whoever follows the session is told nothing, and notices that when it is over.
  public static var connectionIsLost: Self { Condition("the connections of the session are lost") }

  /// The stream forgets what was said so far; the history has it still.
  public static var streamForgets: Self { Condition("the stream forgets what was said") }

  /// Every message of the session gets another id.
  public static var messagesAreRenumbered: Self { Condition("the messages get other ids") }

  /// The answers that are being written will never be whole.
  public static var answersAreAbandoned: Self { Condition("unfinished answers are abandoned") }

  /// No connection to the stream is accepted.
  public static var connectionsAreRefused: Self { Condition("connections are refused") }

  /// The next two connections to the stream are refused.
  public static var twoConnectionsAreRefused: Self { Condition("two connections are refused") }
}

extension Condition where Fixture == BrokenSubscription {
  /// The next connection breaks after some frames.
  public static var nextConnectionDrops: Self { Condition("the next connection drops") }

  /// The server closes the next connection after some frames, and says so.
  public static var nextConnectionIsClosed: Self { Condition("the next connection is closed") }

  /// A frame of the next connection, the one after those, is spoiled.
  public static var nextConnectionIsCorrupt: Self { Condition("the next connection is corrupt") }
}

/// A session, and what was said in it.
public struct StoredSession: Sendable, Hashable, Codable {
  /// What it is called.
  public let id: String
  /// What was said, the oldest first.
  public let messages: [PaginatedMessage]

  /// A session.
  public init(id: String, messages: [PaginatedMessage]) {
    self.id = id
    self.messages = messages
  }
}

/// Somebody who speaks in a session.
public struct FeedSpeaker: Sendable {
  /// The session.
  public let sessionID: String
  /// Says something whole, and gives its id.
  public let say: @Sendable (StreamContent) -> String
  /// Begins an answer, and gives its id.
  public let begin: @Sendable () -> String
  /// Writes on an answer.
  public let write: @Sendable (_ text: String, _ messageID: String) -> Void
  /// Makes an answer whole.
  public let finish: @Sendable (_ messageID: String) -> Void
  /// Tells those who follow something that is not stored.
  public let announce: @Sendable (StreamEvent) -> Void
  /// What was said, as the history has it.
  public let messages: @Sendable () -> [PaginatedMessage]

  /// Somebody, by what they can do.
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

/// How many follow a session.
public struct FollowerCount: Sendable {
  private let count: @Sendable (Int) async -> Int

  /// - Parameter count: How many there are; may wait until they are as many as expected.
  public init(_ count: @escaping @Sendable (_ expected: Int) async -> Int) {
    self.count = count
  }

  /// How many there are; may wait until they are as many as expected.
  public func callAsFunction(_ expected: Int) async -> Int { await count(expected) }
}
