import UnderstudyHTTP

/// A replay whose WebSockets stay open, and tell nothing more, where the recorded client left them.
///
/// A clause is over before its client says goodbye, so its recording has no end of the last connections.
struct StandingTransport<Base: HTTPTransport & WebSocketTransport>: HTTPTransport, WebSocketTransport {
  let base: Base

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    try await base.send(request)
  }

  func connect(to request: HTTPRequest) async throws(TransportError) -> any WebSocketConnection {
    StandingConnection(base: try await base.connect(to: request))
  }
}

private struct StandingConnection: WebSocketConnection {
  let base: any WebSocketConnection

  var subprotocol: String? { base.subprotocol }
  var closure: WebSocketClosure? { base.closure }

  func send(_ message: WebSocketMessage) async throws(TransportError) { try await base.send(message) }

  func receive() async throws(TransportError) -> WebSocketMessage? {
    do throws(TransportError) {
      return try await base.receive()
    } catch {
      // A replay says so where the recording has no end.
      guard error.code == .unknown else { throw error }
      let (silence, continuation) = AsyncStream<Never>.makeStream()
      for await _ in silence {}
      withExtendedLifetime(continuation) {}
      throw TransportError(.cancelled, "The task was cancelled.")
    }
  }

  func ping() async throws(TransportError) { try await base.ping() }
  func close(_ closure: WebSocketClosure) async { await base.close(closure) }
}
