extension ReverseProxy {
  /// Opens a WebSocket at the upstream, and accepts the client's handshake if the upstream accepts.
  func openWebSocket(_ forwarded: HTTP.Request, for request: HTTP.Request) async throws -> HTTP.Response {
    guard let transport = transport as? any WebSocketTransport else {
      return .text(
        "The transport of this proxy, \(type(of: transport)), does not support WebSockets.", status: 501)
    }
    let upstream: any WebSocketConnection
    do {
      upstream = try await transport.connect(to: forwarded)
    } catch {
      guard let refusal = error.cause as? WebSocketRefusal, refusal.status >= 200 else { throw error }
      var fields = passedBack(refusal.fields, from: forwarded, to: request)
      // The body is no longer available.
      for name in ["Content-Length", "Content-Encoding"] { fields[name] = nil }
      return HTTP.Response(status: refusal.status, fields: fields)
    }
    return .webSocket(subprotocol: upstream.subprotocol) { client in
      try await Self.join(client, upstream)
    }
  }

  /// Forwards the messages of both sides until both have sent a close frame.
  ///
  /// - Throws: The error of the side that failed. The other side is cancelled, and receives no close frame.
  private static func join(
    _ client: any WebSocketConnection, _ upstream: any WebSocketConnection
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await pass(from: client, to: upstream) }
      group.addTask { try await pass(from: upstream, to: client) }
      // The first error cancels the other direction.
      for try await _ in group {}
    }
  }

  /// Forwards messages one after another, and then the close frame.
  private static func pass(
    from source: any WebSocketConnection, to target: any WebSocketConnection
  ) async throws {
    while let message = try await source.receive() {
      do {
        try await target.send(message)
      } catch {
        // After a close frame the target no longer receives messages; the source's close frame is still awaited.
        guard target.closure != nil, error.code == .connectionLost else { throw error }
      }
    }
    if let closure = source.closure { await target.close(closure) }
  }
}
