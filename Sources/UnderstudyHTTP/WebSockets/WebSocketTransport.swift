/// Opens WebSockets: the injectionPoint between a service and a server that speaks first.
public protocol WebSocketTransport: HTTPErrorStyling {
  /// Opens a WebSocket and returns once the server has agreed to it (RFC 6455 §4).
  ///
  /// - Parameter request: A GET to an absolute `ws`, `wss`, `http` or `https` URL; the fields of the handshake are
  ///   added to its own. `Sec-WebSocket-Protocol` offers subprotocols. Its time-out bounds the handshake.
  /// - Throws: `TransportError`; one with `.webSocketRefused` has a ``WebSocketRefusal`` as its cause, which tells
  ///   what the server answered instead.
  func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection
}

/// What a server answered in place of a WebSocket.
public struct WebSocketRefusal: Error, Sendable {
  /// The status of the answer.
  public var status: Int
  /// The header fields of the answer.
  public var fields: HTTP.Fields

  /// An answer.
  public init(status: Int, fields: HTTP.Fields = [:]) {
    self.status = status
    self.fields = fields
  }
}
