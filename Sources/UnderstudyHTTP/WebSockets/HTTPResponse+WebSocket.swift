/// What a server does with a WebSocket once it is open.
///
/// When it returns, the connection is closed with 1000 unless it has been. When it throws a `TransportError`, the
/// connection breaks without a close frame (with `.unreadableResponse`, after what is no frame), and so it does when the
/// session is cancelled; any other error closes it with 1011.
public typealias WebSocketSession = @Sendable (any WebSocketConnection) async throws -> Void

extension HTTP.Response {
  /// Agrees to open a WebSocket, and serves it.
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
  /// A client that did not ask for one as it must (RFC 6455 §4.2.1) is answered 426 or 400 by the transport or the
  /// server.
  ///
  /// - Parameters:
  ///   - subprotocol: One of those that the request offers in `Sec-WebSocket-Protocol`.
  ///   - session: Runs while the connection is open, and is cancelled when the client breaks it off. After a
  ///     client's goodbye it goes on, to receive what came before and then `nil`.
  public static func webSocket(
    subprotocol: String? = nil, _ session: @escaping WebSocketSession
  ) -> HTTP.Response {
    var response = HTTP.Response(status: 101)
    response.fields["Sec-WebSocket-Protocol"] = subprotocol
    response.webSocketSession = session
    return response
  }
}
