/// What is said in a session, while it is said (seed 000).
///
/// What every implementation must do is `Contract.messageStream` in `SharedServicesContracts`.
public protocol MessageStreamService: Sendable {
  /// What happens in a session behind a message, as it happens.
  ///
  /// Each message is told once, in the order in which they became whole, which is that of the history. An answer may
  /// come in deltas first, and then whole, always with its id; where it has come whole, none of its deltas follows. When
  /// the connection breaks, the stream says so, connects again, and goes on where it was: what was missed is told
  /// before ``FeedUpdate/connected``. Where the stream does not reach back so far, the messages come from the history
  /// (``FeedUpdate/missed(_:)``); where the session knows nothing of what was told, all of them do
  /// (``FeedUpdate/reset(_:)``). What carries no message, such as the state of the assistant, is told to whoever is
  /// connected, and not told again.
  ///
  /// - Parameters:
  ///   - sessionID: The session.
  ///   - messageID: The last message that the caller has, as from the history; `nil` is the beginning.
  /// - Returns: A stream that does not end by itself, and begins with what was missed. Its errors are `AppError`s, and
  ///   it has one when it gives up, or when the server refuses to go on. Nobody is told anything after it.
  /// - Throws: `.network(.notFound)` if there is no such session, other `.network` failures, and `.cancelled`: the first
  ///   connection is not tried again.
  func updates(
    of sessionID: String, after messageID: String?
  ) async throws(AppError) -> AsyncThrowingStream<FeedUpdate, any Error>
}
