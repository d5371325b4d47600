extension HTTP {
  /// An event of a `text/event-stream` (WHATWG HTML §9.2).
  public struct ServerSentEvent: Sendable, Hashable {
    /// The type of the event (default: `message`).
    public let type: String
    /// The lines of its data, joined by line feeds.
    public let data: String
    /// The last identifier in the stream, in this event or an earlier one; empty if there has been no identifier.
    public let id: String
    /// The last reconnection time in the stream; `nil` if there has been no such field.
    public let retry: Duration?

    /// Creates an event.
    public init(type: String = "message", data: String, id: String = "", retry: Duration? = nil) {
      self.type = type
      self.data = data
      self.id = id
      self.retry = retry
    }
  }
}
