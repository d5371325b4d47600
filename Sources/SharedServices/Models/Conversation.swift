public import Foundation

/// A conversation with the guide about one child.
public struct Conversation: Sendable, Hashable, Identifiable {
  /// What the service calls it.
  public let id: UUID
  /// Whose conversation it is.
  public let userID: UUID
  /// The child that it is about.
  public let childID: UUID
  /// When it was started.
  public let createdAt: Date

  /// A conversation with all that the service knows of it.
  public init(id: UUID, userID: UUID, childID: UUID, createdAt: Date) {
    self.id = id
    self.userID = userID
    self.childID = childID
    self.createdAt = createdAt
  }
}
