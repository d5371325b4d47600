public import Foundation

extension HTTP {
  /// An HTTP response: the head, and a body that arrives chunk by chunk.
  public struct Response: Sendable {
    /// The status code (RFC 9110 §15), 100 to 599.
    public var status: Int
    /// The header fields.
    public var fields: HTTP.Fields
    /// The body, which may still be arriving.
    public var body: HTTP.Body
    /// How the body is divided into events, for faults in its stream.
    ///
    /// It is `nil` if `Content-Type` names the framing, or if the body is not a stream of events. It is not sent.
    public var eventFraming: EventFraming?
    /// The reason phrase (RFC 9112 §4); `nil` for that of the status.
    package var reason: String?
    /// The trailers, which a server sends after a body in chunks; `nil` without trailers.
    package var trailers: Trailers?
    /// What follows an accepted WebSocket handshake.
    package var webSocketSession: WebSocketSession?

    /// Creates a response.
    public init(status: Int, fields: HTTP.Fields = [:], body: HTTP.Body = .empty) {
      self.status = status
      self.fields = fields
      self.body = body
    }

    /// Whether the status is successful (RFC 9110 §15.3).
    public var isSuccess: Bool { (200..<300).contains(status) }
  }
}

extension HTTP.Response {
  /// Creates a response with a body in memory and its `Content-Type`.
  public init(status: Int, fields: HTTP.Fields = [:], body: Data, contentType: String) {
    self.init(status: status, fields: fields, body: HTTP.Body(body))
    self.fields["Content-Type"] = contentType
  }
}

extension HTTP.Response {
  /// Creates a response with a value as its JSON body.
  ///
  /// - Parameters:
  ///   - value: The value to encode.
  ///   - status: The status code.
  ///   - encoder: The encoder.
  /// - Throws: The error of the encoder.
  public static func json(
    _ value: some Encodable, status: Int = 200, encoder: JSONEncoder? = nil
  ) throws -> HTTP.Response {
    let sorting = JSONEncoder()
    sorting.outputFormatting = .sortedKeys
    return HTTP.Response(
      status: status, body: try (encoder ?? sorting).encode(value), contentType: "application/json")
  }
}
