import UnderstudyHTTP

extension ReplayedConversation {
  /// Plays the server to a client.
  ///
  /// A client that sends what is not the next of the recording is told so by a close frame with 1008 (RFC 6455 §7.4.1).
  ///
  /// - Throws: What breaks the connection off as the recorded one broke.
  func serve(_ socket: any WebSocketConnection) async throws {
    // Not a part of this task: cancelling it would break the connection before it can end as recorded. It ends with the
    // connection.
    let listening = Task { await listen(to: socket) }
    if let error = await play(to: socket) { throw error }
    await listening.value
  }

  /// - Returns: What to break the connection with, once it is due.
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
          // The recorded client was the one to leave.
          return nil
        case .end(.failed(let error)):
          return error.code == .timedOut ? ConnectionBreak.silence : error
        }
      }
    } catch {
      // The client was told why, or has gone.
      return nil
    }
  }

  private func listen(to socket: any WebSocketConnection) async {
    do {
      while let message = try await socket.receive() {
        do throws(TransportError) {
          try hear(message)
        } catch  where error.code == .invalidRequest {
          await socket.close(WebSocketClosure(.policyViolation, "The recording has another message next."))
        } catch {
          // It came behind the end.
        }
      }
      _ = leave(socket.closure ?? WebSocketClosure(.noStatus))
    } catch {
      breakOff()
    }
  }
}
