public import Foundation

/// A message of a conversation.
public struct Message: Sendable, Hashable, Identifiable, Codable {
  /// The author of a message.
  public enum Role: String, Sendable, Hashable, CaseIterable, Codable {
    /// The parent.
    case user
    /// The guide.
    case assistant
    /// The service, addressing the guide.
    case system
  }

  /// The id that the client or the service chose.
  public let id: UUID
  /// The id of the message's conversation.
  public let conversationID: UUID
  /// The author.
  public let role: Role
  /// The text.
  public var content: String
  /// The sources of an answer; may be empty.
  ///
  /// Seed 001 has an optional, which would have two values for an answer without sources.
  public var sources: [Citation]
  /// The time of the message.
  public let createdAt: Date

  /// Creates a message with all its values.
  public init(
    id: UUID, conversationID: UUID, role: Role, content: String, sources: [Citation] = [], createdAt: Date
  ) {
    self.id = id
    self.conversationID = conversationID
    self.role = role
    self.content = content
    self.sources = sources
    self.createdAt = createdAt
  }
}

/// A source of an answer.
public struct Citation: Sendable, Hashable, Codable {
  /// The title to display.
  public let title: String
  /// The address of the source, if it has one.
  public let url: URL?

  /// Creates a source.
  public init(title: String, url: URL? = nil) {
    self.title = title
    self.url = url
  }
}

/// A part of a streamed answer (seed 001, `MessageChunk`).
public struct MessageChunk: Sendable, Hashable, Codable {
  /// The text that follows the previous chunk; may be empty.
  public let text: String
  /// The sources of the answer, if this chunk contains them.
  public let sources: [Citation]?
  /// Whether this chunk completes the answer.
  public let isDone: Bool

  /// Creates a part of an answer.
  public init(text: String, sources: [Citation]? = nil, isDone: Bool = false) {
    self.text = text
    self.sources = sources
    self.isDone = isDone
  }
}

/// Information for the guide about the child of a conversation.
public struct ChildContext: Sendable, Hashable, Codable {
  /// The age in years.
  public let age: Int
  /// The child's temperament.
  public let temperament: Temperament
  /// The parent's goals.
  public let goals: [String]
  /// The topics that the parent wants to discuss.
  public let topics: [String]

  /// Creates a context.
  public init(age: Int, temperament: Temperament, goals: [String], topics: [String]) {
    self.age = age
    self.temperament = temperament
    self.goals = goals
    self.topics = topics
  }

  /// Creates a context from a stored child.
  public init(_ child: Child) {
    self.init(age: child.age, temperament: child.temperament, goals: child.goals, topics: child.topics)
  }
}

/// A conversation with the guide about one child.
public struct Conversation: Sendable, Hashable, Identifiable, Codable {
  /// The id that the client or the service chose.
  public let id: UUID
  /// The id of the user to whom the conversation belongs.
  public let userID: UUID
  /// The id of the child that it is about.
  public let childID: UUID
  /// The time at which it was started.
  public let createdAt: Date

  /// Creates a conversation with all values of the service.
  public init(id: UUID, userID: UUID, childID: UUID, createdAt: Date) {
    self.id = id
    self.userID = userID
    self.childID = childID
    self.createdAt = createdAt
  }
}
