/// A message of the server about a session's stream, by its type.
public enum ControlMessage: Sendable, Hashable {
  /// `connected`: the stream is open.
  case connected
  /// `history`.
  case history
  /// `session_event`.
  case sessionEvent
  /// `queued`: the user's message waits for its turn.
  case queued
  /// `queue_cleared`.
  case queueCleared
  /// `reconnect_complete`: the messages after a given one, or after the beginning, have been sent again.
  case reconnectComplete(missedCount: Int, fromMessageID: String?)
  /// `cursor_evicted`: the stream no longer reaches back to this message; the history does.
  case cursorEvicted(lastMessageID: String?)
  /// `cursor_invalid`: the message is unknown, so all messages that the app has may be wrong.
  case cursorInvalid(lastMessageID: String?)
  /// `error`.
  case error(StreamFailure)
  /// `model_changed`.
  case modelChanged
  /// `permission_mode_changed`.
  case permissionModeChanged
  /// `stopped`: the assistant has stopped, because of the user, its end, an error or a time-out.
  case stopped(reason: String)
  /// `ping`: the server checks whether the client responds.
  case ping
  /// `pong`: the server's response to a heartbeat, with its time in ISO 8601.
  case pong(serverTime: String?)
  /// `interrupted`.
  case interrupted
  /// An unknown type.
  case unknown(type: String)
}

/// A failure at the server of a stream.
public struct StreamFailure: Sendable, Hashable {
  /// A code for programs.
  public var code: String
  /// A description for developers.
  public var message: String
  /// Whether the stream continues.
  public var isRecoverable: Bool
  /// The delay before another attempt that the server asks for, if one may succeed.
  public var retryAfter: Duration?

  /// Creates a failure.
  public init(code: String, message: String, isRecoverable: Bool, retryAfter: Duration? = nil) {
    self.code = code
    self.message = message
    self.isRecoverable = isRecoverable
    self.retryAfter = retryAfter
  }
}
