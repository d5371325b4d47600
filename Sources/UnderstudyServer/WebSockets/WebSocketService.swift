package import UnderstudyHTTP

/// The server's side of a WebSocket that a handler has agreed to: its session, and the connection under it.
package struct WebSocketService: Sendable {
  private let session: WebSocketSession
  private let subprotocol: String?
  private let link: WebSocketLink

  /// A service over the connection whose last bytes were the head of the response; `nil` if that opens no WebSocket.
  ///
  /// - Parameter stream: Belongs to the WebSocket from now on, which closes it.
  package init?(
    _ response: HTTP.Response, on stream: any ByteStream, _ settings: WebSocketSettings = WebSocketSettings()
  ) {
    guard let session = response.webSocketSession else { return nil }
    self.session = session
    subprotocol = response.fields["Sec-WebSocket-Protocol"]
    link = WebSocketLink(.server, over: stream, settings)
  }

  /// Returns once the session has ended and the connection is over.
  ///
  /// That is after the close handshake, or at most `settings.closingTime` after this side's close frame. Cancelling
  /// the task breaks the connection off and cancels the session.
  ///
  /// - Parameter bytes: What was read from the stream behind the request's head.
  package func run(after bytes: [UInt8] = []) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await serve() }
      // After a goodbye the session still gets what came before it; a peer that has gone wants nothing more.
      if await link.run(after: bytes) { group.cancelAll() }
    }
  }

  /// Says goodbye because the server goes down; the session is not asked.
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
      // Also what the socket itself threw; if a close frame is under way then, it arrives.
      if error.code == .unreadableResponse { await link.end(as: .malformedChunk) }
    } catch is CancellationError {
    } catch {
      await socket.close(WebSocketClosure(.internalError))
    }
    // Somebody else may still hold the socket.
    link.abandon()
  }
}
