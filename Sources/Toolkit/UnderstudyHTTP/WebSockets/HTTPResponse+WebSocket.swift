extension HTTP.Response {
  /// A response that accepts a WebSocket handshake, and serves the connection.
  ///
  /// ```swift
  /// struct Echo: HTTPHandler {
  ///   func respond(to request: HTTP.Request) async throws -> HTTP.Response {
  ///     .webSocket { socket in
  ///       while let message = try await socket.receive() { try await socket.send(message) }
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// The transport or the server answers an invalid handshake (RFC 6455 §4.2.1) with 426 or 400.
  ///
  /// - Parameters:
  ///   - subprotocol: One of those that the request offers in `Sec-WebSocket-Protocol`.
  ///   - session: Runs while the connection is open, and is cancelled when the client breaks it. After a close frame
  ///     from the client it continues, to receive the messages before it and then `nil`.
  public static func webSocket(
    subprotocol: String? = nil, _ session: @escaping @Sendable (any WebSocketConnection) async throws -> Void
  ) -> HTTP.Response {
    var response = HTTP.Response(status: 101)
    response.fields["Sec-WebSocket-Protocol"] = subprotocol
    response.webSocketSession = session
    return response
  }
}
