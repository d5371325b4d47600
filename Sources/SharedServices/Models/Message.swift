public import Foundation

/// What was said once in a conversation.
public struct Message: Sendable, Hashable, Identifiable {
  /// Who can say something.
  public enum Role: String, Sendable, Hashable, CaseIterable, Codable {
    /// The parent.
    case user
    /// The guide.
    case assistant
    /// The service, to the guide.
    case system
  }

  /// What the service, or until it has answered the app, calls it.
  public let id: UUID
  /// The conversation in which it was said.
  public let conversationID: UUID
  /// Who said it.
  public let role: Role
  /// What was said.
  public var content: String
  /// What an answer rests on; empty where nothing is named.
  public var sources: [Citation]
  /// When it was said.
  public let createdAt: Date

  /// A message with all that is known of it.
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

/// A source that an answer rests on.
public struct Citation: Sendable, Hashable, Codable {
  /// The title that is shown.
  public let title: String
  /// Where it can be read, if anywhere.
  public let url: URL?

  /// A source.
  public init(title: String, url: URL? = nil) {
    self.title = title
    self.url = url
  }
}

/// A piece of an answer that is streamed (seed 001, `MessageChunk`).
public struct MessageChunk: Sendable, Hashable {
  /// The text that follows what came before; may be empty.
  public let text: String
  /// What the answer rests on, where this chunk names it.
  public let sources: [Citation]?
  /// Whether the answer is complete with this chunk.
  public let isDone: Bool

  /// A piece of an answer.
  public init(text: String, sources: [Citation]? = nil, isDone: Bool = false) {
    self.text = text
    self.sources = sources
    self.isDone = isDone
  }
}

/// What the guide is told of the child that a conversation is about.
public struct ChildContext: Sendable, Hashable {
  /// In years.
  public let age: Int
  /// How the child meets the world.
  public let temperament: Temperament
  /// What the parent hopes for.
  public let goals: [String]
  /// What the parent wants to talk about.
  public let topics: [String]

  /// What the guide is told.
  public init(age: Int, temperament: Temperament, goals: [String], topics: [String]) {
    self.age = age
    self.temperament = temperament
    self.goals = goals
    self.topics = topics
  }

  /// What a child's record says.
  public init(_ child: Child) {
    self.init(age: child.age, temperament: child.temperament, goals: child.goals, topics: child.topics)
  }
}
