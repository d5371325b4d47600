extension HTTP {
  /// One event of a `text/event-stream` (WHATWG HTML §9.2).
  public struct ServerSentEvent: Sendable, Hashable {
    /// What kind of event it is; `message` unless the stream says otherwise.
    public let type: String
    /// The lines of its data, joined by line feeds.
    public let data: String
    /// The last identifier that the stream has named, in this event or an earlier one; empty for none.
    public let id: String
    /// The reconnection time that the stream has named last; `nil` until it names one.
    public let retry: Duration?

    /// An event.
    public init(type: String = "message", data: String, id: String = "", retry: Duration? = nil) {
      self.type = type
      self.data = data
      self.id = id
      self.retry = retry
    }
  }
}
