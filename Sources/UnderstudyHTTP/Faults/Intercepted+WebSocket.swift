public import UnderstudyTransport

extension Intercepted: WebSocketTransport where Base: WebSocketTransport {
  /// Opens a WebSocket through the interceptors, which see the handshake as a GET.
  ///
  /// A fault of a call makes the handshake fail; one of a stream or of a WebSocket happens to the messages that the
  /// connection brings.
  public func connect(to request: HTTPRequest) async throws(TransportError) -> any WebSocketConnection {
    let passage = chain.enter(CallCore(site: Site(request), arguments: request, interaction: .webSocket))
    do {
      let connection: any WebSocketConnection
      if let fault = await chain.wait(passage.detour) {
        connection = try await fault.connect(to: request, on: chain.time) {
          try await base.connect(to: request)
        }
      } else {
        connection = try await base.connect(to: request)
      }
      chain.end(passage)
      return connection
    } catch {
      chain.end(passage, error)
      throw TransportError(wrapping: error)
    }
  }
}

extension Intercepted.Operation where Base: WebSocketTransport {
  /// The handshakes at a path; a segment `*` stands for any one segment.
  public static func connect(_ path: String) -> Self { Self(.get, path: path) }
}
