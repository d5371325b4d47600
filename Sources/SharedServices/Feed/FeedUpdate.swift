/// An update that a chat receives while it follows a session.
public enum FeedUpdate: Sendable, Hashable {
  /// The stream is established: every earlier message has been delivered.
  case connected
  /// The connection is lost, and a new one is being established.
  case reconnecting
  /// An event of the stream.
  case event(StreamEvent)
  /// An answer, by its id, of which parts were delivered and which will not be completed.
  case abandoned(String)
  /// Messages from the history that the stream could not deliver; they follow the messages delivered before.
  case missed([PaginatedMessage])
  /// All whole messages, which replace the messages delivered before.
  case reset([PaginatedMessage])
}
