import Foundation

extension InProcessTransport: WebSocketTransport {
  /// Opens a WebSocket to the handler, without a socket: messages are handed over as they are.
  ///
  /// The handler sees the fields of a handshake (RFC 6455 §4.1) with a key that is always the same.
  public func connect(to request: HTTPRequest) async throws(TransportError) -> any WebSocketConnection {
    let request = try request.asWebSocketHandshake(key: "dGhlIHNhbXBsZSBub25jZQ==")
    let response = try await send(request)
    guard let session = response.webSocketSession, response.status == 101 else {
      throw .refusingWebSocket(response.status, response.fields)
    }
    let chosen = response.fields["Sec-WebSocket-Protocol"]
    try request.checkSubprotocol(chosen)
    return InProcessWebSocket.open(subprotocol: chosen, session)
  }
}
