public import Foundation

extension HTTP {
  /// A response: the head, and a body that arrives chunk by chunk.
  public struct Response: Sendable {
    /// The status code (RFC 9110 §15), 100 to 599.
    public var status: Int
    /// The header fields.
    public var fields: HTTP.Fields
    /// The body, which may still be on its way.
    public var body: HTTP.Body
    /// How the body is divided into events, for faults in its stream; `nil` where `Content-Type` names the framing, or the
    /// body is not a stream of events. It is not sent.
    public var eventFraming: EventFraming?
    /// What follows an agreement to open a WebSocket.
    package var webSocketSession: WebSocketSession?

    /// A response with these parts.
    public init(status: Int, fields: HTTP.Fields = [:], body: HTTP.Body = .empty) {
      self.status = status
      self.fields = fields
      self.body = body
    }

    /// Whether the status says success (RFC 9110 §15.3).
    public var isSuccess: Bool { (200..<300).contains(status) }
  }
}

extension HTTP.Response {
  /// A response whose body is in memory, with its `Content-Type`.
  public init(status: Int, fields: HTTP.Fields = [:], body: Data, contentType: String) {
    self.init(status: status, fields: fields, body: HTTP.Body(body))
    self.fields["Content-Type"] = contentType
  }
}
