#if canImport(Darwin)
  import Foundation

  extension URLSessionTransport: WebSocketTransport {
    /// Opens a WebSocket and returns once the server has agreed to it.
    ///
    /// `URLSessionWebSocketTask` carries it, over `ws` and `wss`. It delivers nothing more after this side's own close
    /// frame, and reports a server that does not speak WebSocket as it can. On Linux, where URLSession opens no WebSockets,
    /// `UnderstudyServer` adds this conformance with sockets of its own.
    ///
    /// - Throws: As ``WebSocketTransport/connect(to:)``.
    public func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
      let request = try request.forWebSocket()
      if Task.isCancelled {
        throw TransportError(.cancelled, "The request was cancelled before it was sent.")
      }
      return try await URLSessionWebSocket.open(request, in: session)
    }
  }
#endif
