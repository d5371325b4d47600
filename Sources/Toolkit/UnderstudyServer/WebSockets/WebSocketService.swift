package import UnderstudyHTTP

/// The server's side of a WebSocket that a handler has accepted: its session and its connection.
package struct WebSocketService: Sendable {
  private let session: WebSocketSession
  private let subprotocol: String?
  private let link: WebSocketLink

  /// Creates a service over a connection after the head of the response; `nil` if the response opens no WebSocket.
  ///
  /// - Parameter stream: The stream, which the WebSocket owns and closes.
  package init?(
    _ response: HTTP.Response, on stream: any ByteStream, _ settings: WebSocketSettings = WebSocketSettings()
  ) {
    guard let session = response.webSocketSession else { return nil }
    self.session = session
    subprotocol = response.fields["Sec-WebSocket-Protocol"]
    link = WebSocketLink(.server, over: stream, settings)
  }

  /// Returns once the session and the connection have ended.
  ///
  /// That is after the closing handshake, or at most `settings.closingTime` after this side's close frame. Cancelling
  /// the task aborts the connection and cancels the session.
  ///
  /// - Parameter bytes: The bytes received after the request's head.
  package func run(after bytes: [UInt8] = []) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await serve() }
      // After a close frame, the session still receives earlier messages. A disconnected peer expects no more.
      if await link.run(after: bytes) { group.cancelAll() }
    }
  }

  /// Sends a close frame because the server shuts down, without involving the session.
  package func goAway() async {
    await link.close(WebSocketClosure(.goingAway))
  }

  private func serve() async {
    let socket = StreamWebSocket(link, subprotocol: subprotocol)
    do {
      try await session(socket)
      await socket.close()
    } catch let wanted as ConnectionBreak {
      await link.end(as: wanted)
    } catch let error as TransportError {
      // Includes errors of the socket itself. A close frame that is in progress still arrives.
      if error.code == .unreadableResponse { await link.end(as: .malformedChunk) }
    } catch is CancellationError {
    } catch {
      await socket.close(WebSocketClosure(.internalError))
    }
    // The socket may have other references.
    link.abandon()
  }
}
