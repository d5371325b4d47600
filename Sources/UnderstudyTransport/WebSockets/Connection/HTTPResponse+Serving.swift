package import UnderstudySockets

extension HTTPResponse {
  /// Serves the WebSocket that this response agrees to, over the connection whose last bytes were its head.
  ///
  /// Returns once the session has ended and the connection is closed: after the close handshake, or at most
  /// `settings.closingTime` after this side's close frame. Cancelling the task breaks the connection off and cancels
  /// the session.
  ///
  /// - Parameters:
  ///   - stream: Belongs to the WebSocket from now on, which closes it.
  ///   - bytes: What was read from it behind the request's head.
  package func serveWebSocket(
    on stream: any ByteStream, after bytes: [UInt8] = [], _ settings: WebSocketSettings = WebSocketSettings()
  ) async {
    guard let session = webSocketSession else { return await stream.close() }
    let link = WebSocketLink(.server, over: stream, settings)
    let subprotocol = fields["Sec-WebSocket-Protocol"]
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await link.serve(session, subprotocol) }
      // After a goodbye the session still gets what came before it; a peer that has gone wants nothing more.
      if await link.run(after: bytes) { group.cancelAll() }
    }
  }
}

extension WebSocketLink {
  fileprivate func serve(_ session: WebSocketSession, _ subprotocol: String?) async {
    let socket = StreamWebSocket(self, subprotocol: subprotocol)
    do {
      try await session(socket)
      await socket.close()
    } catch let wanted as ConnectionBreak {
      await end(as: wanted)
    } catch let error as TransportError where error.code == .unreadableResponse {
      await end(as: .malformedChunk)
    } catch is TransportError {
      // Also what the socket itself threw; if a close frame is under way then, it arrives.
    } catch is CancellationError {
    } catch {
      await socket.close(WebSocketClosure(.internalError))
    }
    // Somebody else may still hold the socket.
    abandon()
  }
}
