/// A type that opens WebSockets: the interface between a service and a server that sends messages on its own.
public protocol WebSocketTransport: HTTPErrorStyling {
  /// Opens a WebSocket, and returns when the server has accepted the handshake (RFC 6455 §4).
  ///
  /// - Parameter request: A GET to an absolute `ws`, `wss`, `http` or `https` URL; the fields of the handshake are
  ///   added to its own. `Sec-WebSocket-Protocol` offers subprotocols. Its timeout limits the handshake.
  /// - Throws: `TransportError`; for `.webSocketRefused` the cause is a ``WebSocketRefusal`` with the server's answer.
  func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection
}

/// The answer of a server that did not accept a WebSocket handshake.
public struct WebSocketRefusal: Error, Sendable {
  /// The status code.
  public var status: Int
  /// The header fields.
  public var fields: HTTP.Fields

  /// Creates a refusal.
  package init(status: Int, fields: HTTP.Fields = [:]) {
    self.status = status
    self.fields = fields
  }
}
