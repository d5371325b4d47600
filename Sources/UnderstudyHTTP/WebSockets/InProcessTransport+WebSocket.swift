extension InProcessTransport: WebSocketTransport {
  /// Opens a WebSocket to the handler without a socket: messages are passed unencoded.
  ///
  /// The handler receives the fields of a handshake (RFC 6455 §4.1) with a constant key.
  public func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
    let key = WebSocketKey { 0 }
    let request = try request.asWebSocketHandshake(key: key)
    let response = try await send(request)
    try request.checkAgreement(response.status, response.fields, key: key)
    guard let session = response.webSocketSession else {
      throw TransportError(.unreadableResponse, "The handler answered 101 without opening a WebSocket.")
    }
    return InProcessWebSocket.open(subprotocol: response.fields["Sec-WebSocket-Protocol"], session)
  }
}
