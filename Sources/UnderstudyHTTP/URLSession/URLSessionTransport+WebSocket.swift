import Foundation

extension URLSessionTransport: WebSocketTransport {
  /// Opens a WebSocket and returns once the server has agreed to it.
  ///
  /// - On Apple's platforms `URLSessionWebSocketTask` carries it, over `ws` and `wss`. It delivers nothing more after
  ///   this side's own goodbye, and reports a server that speaks something else than WebSockets as it can.
  /// - On Linux URLSession opens no WebSockets, so a socket of the package's own does, over `ws` alone: for `wss` it
  ///   would need TLS. There the session's proxy and cookies do not count.
  ///
  /// - Throws: As ``WebSocketTransport/connect(to:)``; `.invalidRequest` for `wss` on Linux.
  public func connect(to request: HTTPRequest) async throws(TransportError) -> any WebSocketConnection {
    let request = try request.forWebSocket()
    if Task.isCancelled { throw TransportError(.cancelled, "The request was cancelled before it was sent.") }
    #if canImport(Darwin)
      return try await URLSessionWebSocket.open(request, in: session)
    #else
      return try await sockets.open(request)
    #endif
  }
}
