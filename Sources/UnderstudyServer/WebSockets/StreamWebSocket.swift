import Understudy
package import UnderstudyHTTP

/// One end of a WebSocket over a byte stream.
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
  /// Opens a WebSocket as the client, over a stream that has just been connected.
  ///
  /// The stream belongs to the WebSocket from now on, and is broken off if none comes of it. The request's time-out
  /// bounds the handshake.
  ///
  /// - Parameter request: For an `http` or `https` URL, or the same with `ws` and `wss`.
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
      // It ends with the connection, which ends with the last reference to the socket.
      Task { await link.run(after: rest) }
      return StreamWebSocket(link, subprotocol: answer.fields["Sec-WebSocket-Protocol"])
    } catch {
      stream.abort()
      if Task.isCancelled { throw TransportError(.cancelled, "The task was cancelled.", cause: error) }
      throw TransportError(ofStream: error)
    }
  }
}
