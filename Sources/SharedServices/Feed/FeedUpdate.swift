/// What a chat is told while it follows a session.
public enum FeedUpdate: Sendable, Hashable {
  /// The stream is in force: whatever came before it has been told.
  case connected
  /// The connection is lost, and another is being made.
  case reconnecting
  /// Something happens.
  case event(StreamEvent)
  /// An answer of which pieces were told will not become whole; with its id.
  case abandoned(String)
  /// What the stream could not tell, from the history; it follows what was told before.
  case missed([PaginatedMessage])
  /// All the messages that are whole, in place of those that were told before.
  case reset([PaginatedMessage])
}
