extension ReverseProxy {
  /// Opens a WebSocket at the upstream, and agrees to the client's if the upstream has.
  func openWebSocket(_ forwarded: HTTP.Request, for request: HTTP.Request) async throws -> HTTP.Response {
    guard let transport = transport as? any WebSocketTransport else {
      return .text("The transport of this proxy, \(type(of: transport)), opens no WebSockets.", status: 501)
    }
    let upstream: any WebSocketConnection
    do {
      upstream = try await transport.connect(to: forwarded)
    } catch {
      guard let refusal = error.cause as? WebSocketRefusal, refusal.status >= 200 else { throw error }
      var fields = passedBack(refusal.fields, from: forwarded, to: request)
      // Nobody has the body any more.
      for name in ["Content-Length", "Content-Encoding"] { fields[name] = nil }
      return HTTP.Response(status: refusal.status, fields: fields)
    }
    return .webSocket(subprotocol: upstream.subprotocol) { client in
      try await Self.join(client, upstream)
    }
  }

  /// Passes on what either side says until both have said goodbye.
  ///
  /// - Throws: What one side broke with; the other is broken off by cancellation, and does not see a goodbye either.
  private static func join(
    _ client: any WebSocketConnection, _ upstream: any WebSocketConnection
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await pass(from: client, to: upstream) }
      group.addTask { try await pass(from: upstream, to: client) }
      // At the first that throws, the other is cancelled.
      for try await _ in group {}
    }
  }

  /// Passes on messages, each when the one before it is on its way, and then the goodbye.
  private static func pass(
    from source: any WebSocketConnection, to target: any WebSocketConnection
  ) async throws {
    while let message = try await source.receive() {
      do {
        try await target.send(message)
      } catch {
        // After its goodbye, what was under way is not for it any more; the goodbye of the source still counts.
        guard target.closure != nil, error.code == .connectionLost else { throw error }
      }
    }
    if let closure = source.closure { await target.close(closure) }
  }
}
