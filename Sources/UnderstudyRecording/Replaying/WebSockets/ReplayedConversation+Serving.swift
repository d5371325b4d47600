import UnderstudyHTTP

extension ReplayedConversation {
  /// Plays the server's side to a client.
  ///
  /// A client whose message differs from the next recorded one receives a close frame with code 1008 (RFC 6455 §7.4.1).
  ///
  /// - Throws: The error that aborts the connection as recorded.
  func serve(_ socket: any WebSocketConnection) async throws {
    // An unstructured task, because cancellation would abort the connection before its recorded end. It ends with the
    // connection.
    let listening = Task { await listen(to: socket) }
    if let error = await play(to: socket) { throw error }
    await listening.value
  }

  /// - Returns: The error with which to abort the connection, once it is due.
  private func play(to socket: any WebSocketConnection) async -> (any Error)? {
    do {
      while true {
        switch try await next() {
        case .message(let message):
          try await socket.send(message)
        case .end(.closed(by: .server, let closure)):
          await socket.close(closure)
          return nil
        case .end(.closed), .end(.unfinished):
          // The recorded client disconnected first.
          return nil
        case .end(.failed(let error)):
          return error.code == .timedOut ? ConnectionBreak.silence : error
        }
      }
    } catch {
      // The client received the reason, or has disconnected.
      return nil
    }
  }

  private func listen(to socket: any WebSocketConnection) async {
    do {
      while let message = try await socket.receive() {
        do throws(TransportError) {
          try hear(message)
        } catch  where error.code == .invalidRequest {
          await socket.close(WebSocketClosure(.policyViolation, "The message is not the next recorded one."))
        } catch {
          // The message arrived after the end.
        }
      }
      _ = leave(socket.closure ?? WebSocketClosure(.noStatus))
    } catch {
      breakOff()
    }
  }
}
