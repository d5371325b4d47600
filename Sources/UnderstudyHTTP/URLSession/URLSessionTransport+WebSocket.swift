#if canImport(Darwin)
  import Foundation

  extension URLSessionTransport: WebSocketTransport {
    /// Opens a WebSocket, and returns when the server has accepted the handshake.
    ///
    /// It uses `URLSessionWebSocketTask` with `ws` or `wss`, which delivers no messages after this side's own close
    /// frame, and whose errors for a server without WebSocket support vary. On Linux, where URLSession does not open
    /// WebSockets, `UnderstudyServer` provides this conformance with its own sockets.
    ///
    /// - Throws: The same errors as ``WebSocketTransport/connect(to:)``.
    public func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
      let request = try request.forWebSocket()
      if Task.isCancelled {
        throw TransportError(.cancelled, "The request was cancelled before it was sent.")
      }
      return try await URLSessionWebSocket.open(request, in: session)
    }
  }
#endif
