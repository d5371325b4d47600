/// What a server does with a WebSocket once it is open.
///
/// When it returns, the connection is closed with 1000 unless it has been. When it throws a `TransportError`, the
/// connection breaks without a close frame, with one of `.unreadableResponse` after what is no frame; any other error
/// closes it with 1011.
public typealias WebSocketSession = @Sendable (any WebSocketConnection) async throws -> Void

extension HTTPResponse {
  /// Agrees to open a WebSocket, and serves it.
  ///
  /// ```swift
  /// struct Echo: HTTPHandler {
  ///   func respond(to request: HTTPRequest) async throws -> HTTPResponse {
  ///     .webSocket { socket in
  ///       while let message = try await socket.receive() { try await socket.send(message) }
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// A client that did not ask for one (RFC 6455 §4.2.1) is answered 426 by the transport or the server.
  ///
  /// - Parameters:
  ///   - subprotocol: One of those that the request offers in `Sec-WebSocket-Protocol`.
  ///   - session: Runs while the connection is open, and is cancelled when the client breaks it off.
  public static func webSocket(
    subprotocol: String? = nil, _ session: @escaping WebSocketSession
  ) -> HTTPResponse {
    var response = HTTPResponse(status: 101)
    response.fields["Sec-WebSocket-Protocol"] = subprotocol
    response.webSocketSession = session
    return response
  }
}
