public import Foundation

/// A response: the head, and a body that arrives chunk by chunk.
public struct HTTPResponse: Sendable {
  /// The status code (RFC 9110 §15), 100 to 599.
  public var status: Int
  /// The header fields.
  public var fields: HTTPFields
  /// The body, which may still be on its way.
  public var body: HTTPBody
  /// What follows an agreement to open a WebSocket.
  package var webSocketSession: WebSocketSession?

  /// A response with these parts.
  public init(status: Int, fields: HTTPFields = [:], body: HTTPBody = .empty) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// Whether the status says success (RFC 9110 §15.3).
  public var isSuccess: Bool { (200..<300).contains(status) }
}

extension HTTPResponse {
  /// A response whose body is in memory, with its `Content-Type`.
  public init(status: Int, fields: HTTPFields = [:], body: Data, contentType: String) {
    self.init(status: status, fields: fields, body: HTTPBody(body))
    self.fields["Content-Type"] = contentType
  }
}
