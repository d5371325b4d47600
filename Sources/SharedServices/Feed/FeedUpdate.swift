/// What a chat is told while it follows a session.
public enum FeedUpdate: Sendable, Hashable {
  /// The stream is in force: whatever came before it has been told.
  case connected
  /// The connection is lost, and another is being made.
  case reconnecting
  /// Something happens.
  case event(StreamEvent)
  /// What the stream could not tell, from the history; it follows what was told before.
  case missed([PaginatedMessage])
  /// All the messages that there are, in place of whatever was told before.
  case reset([PaginatedMessage])
}
