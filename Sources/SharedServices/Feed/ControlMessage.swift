/// What a server says of a session's stream itself, by its type.
public enum ControlMessage: Sendable, Hashable {
  /// `connected`: the stream is open.
  case connected
  /// `history`.
  case history
  /// `session_event`.
  case sessionEvent
  /// `queued`: what the user said waits for its turn.
  case queued
  /// `queue_cleared`.
  case queueCleared
  /// `reconnect_complete`: what came after a message, which is named unless it was the beginning, has been told again.
  case reconnectComplete(missedCount: Int, fromMessageID: String?)
  /// `cursor_evicted`: the stream does not reach back to this message any more, but the history does.
  case cursorEvicted(lastMessageID: String?)
  /// `cursor_invalid`: there is no such message, so that what the app has may all be wrong.
  case cursorInvalid(lastMessageID: String?)
  /// `error`.
  case error(StreamFailure)
  /// `model_changed`.
  case modelChanged
  /// `permission_mode_changed`.
  case permissionModeChanged
  /// `stopped`: the assistant has stopped, because of the user, at its end, or because of an error or a time-out.
  case stopped(reason: String)
  /// `ping`: the server wants to know whether somebody is there.
  case ping
  /// `pong`: the server is there; with its time in ISO 8601.
  case pong(serverTime: String?)
  /// `interrupted`.
  case interrupted
  /// A type that nobody has heard of.
  case unknown(type: String)
}

/// What went wrong at the server of a stream.
public struct StreamFailure: Sendable, Hashable {
  /// The kind of failure, for a program.
  public var code: String
  /// What happened, for a developer.
  public var message: String
  /// Whether the stream goes on all the same.
  public var isRecoverable: Bool
  /// How long the server asks to be left alone, if another try may succeed.
  public var retryAfter: Duration?

  /// A failure.
  public init(code: String, message: String, isRecoverable: Bool, retryAfter: Duration? = nil) {
    self.code = code
    self.message = message
    self.isRecoverable = isRecoverable
    self.retryAfter = retryAfter
  }
}
