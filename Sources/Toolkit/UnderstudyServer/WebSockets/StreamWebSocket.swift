import Understudy
package import UnderstudyHTTP

/// One side of a WebSocket over a byte stream.
package final class StreamWebSocket: WebSocketConnection {
  package let subprotocol: String?
  private let link: WebSocketLink

  init(_ link: WebSocketLink, subprotocol: String?) {
    self.link = link
    self.subprotocol = subprotocol
  }

  deinit {
    link.abandon()
  }

  package var closure: WebSocketClosure? { link.closure }

  package func send(_ message: WebSocketMessage) async throws(TransportError) {
    try await Self.cancelling({ self.link.breakOff() }) { try await self.link.send(message) }
  }

  package func receive() async throws(TransportError) -> WebSocketMessage? {
    try await Self.cancelling({ self.link.breakOff() }) { try await self.link.receive() }
  }

  package func ping() async throws(TransportError) {
    try await Self.cancelling({ self.link.breakOff() }) { try await self.link.ping() }
  }

  package func close(_ closure: WebSocketClosure) async {
    await link.close(closure)
  }
}

extension StreamWebSocket {
  /// Opens a WebSocket as the client over a newly connected stream.
  ///
  /// The WebSocket takes ownership of the stream, and aborts it if the handshake fails. The request's timeout limits
  /// the handshake.
  ///
  /// - Parameter request: A request with an `http`, `https`, `ws` or `wss` URL.
  /// - Throws: As ``WebSocketTransport/connect(to:)``.
  package static func open(
    _ request: HTTP.Request, over stream: any ByteStream, _ settings: WebSocketSettings = WebSocketSettings()
  ) async throws(TransportError) -> StreamWebSocket {
    do {
      let key = WebSocketKey(settings.random)
      let request = try request.asWebSocketHandshake(key: key)
      let head = try request.head()
      let (answer, rest) = try await settings.time.withTimeout(request.timeout) {
        try await stream.write(head)
        return try await HTTPResponseHead.read(from: stream)
      }
      try request.checkAgreement(answer.status, answer.fields, key: key)
      let link = WebSocketLink(.client, over: stream, settings)
      // The task ends with the connection, which ends with the last reference to the socket.
      Task { await link.run(after: rest) }
      return StreamWebSocket(link, subprotocol: answer.fields["Sec-WebSocket-Protocol"])
    } catch {
      stream.abort()
      if Task.isCancelled { throw TransportError(.cancelled, "The task was cancelled.", cause: error) }
      throw TransportError(ofStream: error)
    }
  }
}
