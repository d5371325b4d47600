public import Foundation

/// A conversation with the guide about one child.
public struct Conversation: Sendable, Hashable, Identifiable {
  /// The id that the service assigned.
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
