/// A service that streams the messages of a session as they are written (seed 000).
///
/// `Contract.messageStream` in `SharedServicesContracts` specifies the required behaviour.
public protocol MessageStreamService: Sendable {
  /// Streams the updates of a session after a message.
  ///
  /// Each message is delivered once, in the order in which the messages were completed, which is the order of the
  /// history. An answer may arrive as deltas and then as a whole, always with the same id; no delta follows the whole.
  /// When the connection breaks, the stream reports it, reconnects and resumes: the missed messages are delivered
  /// before ``FeedUpdate/connected``. If the stream does not reach back far enough, the messages come from the history
  /// (``FeedUpdate/missed(_:)``). If the session does not know the delivered messages, or the history their position,
  /// all messages come from the history (``FeedUpdate/reset(_:)``). Updates without a message, such as the state of the
  /// assistant, are delivered only to connected clients and are not repeated. Heartbeats are not delivered.
  ///
  /// - Parameters:
  ///   - sessionID: The session's id.
  ///   - messageID: The last message that the caller has, as from the history; `nil` is the beginning.
  /// - Returns: A stream that begins with the missed messages and does not end by itself. It fails with an `AppError`
  ///   if it gives up reconnecting, or if the server refuses to continue. No update follows the error.
  /// - Throws: `.network(.notFound)` if the session does not exist, other `.network` errors, and `.cancelled`. The
  ///   first connection is not retried.
  func updates(
    of sessionID: String, after messageID: String?
  ) async throws(AppError) -> AsyncThrowingStream<FeedUpdate, any Error>
}
