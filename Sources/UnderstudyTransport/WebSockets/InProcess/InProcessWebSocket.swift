import UnderstudyPrimitives

/// One end of a WebSocket in memory.
final class InProcessWebSocket: WebSocketConnection {
  let subprotocol: String?
  private let outgoing: WebSocketLane
  private let incoming: WebSocketLane
  /// Called when this end goes or breaks off.
  private let onBreak: @Sendable () -> Void

  private init(
    _ subprotocol: String?, _ outgoing: WebSocketLane, _ incoming: WebSocketLane,
    onBreak: @escaping @Sendable () -> Void
  ) {
    self.subprotocol = subprotocol
    self.outgoing = outgoing
    self.incoming = incoming
    self.onBreak = onBreak
  }

  deinit {
    breakOff()
  }

  /// Opens a WebSocket whose server side is a session.
  static func open(subprotocol: String?, _ session: @escaping WebSocketSession) -> InProcessWebSocket {
    let (up, down) = (WebSocketLane(), WebSocketLane())
    let server = InProcessWebSocket(subprotocol, down, up, onBreak: {})
    let serving = Task {
      do {
        try await session(server)
        await server.close()
      } catch let error as TransportError {
        server.breakOff(with: error.code == .unreadableResponse ? error : WebSocketLane.lost)
      } catch is CancellationError {
        server.breakOff()
      } catch {
        await server.close(WebSocketClosure(.internalError))
      }
    }
    return InProcessWebSocket(subprotocol, up, down, onBreak: { serving.cancel() })
  }

  // What the peer says counts only once it has been received, as on a socket; a lane knows it earlier.
  private let received = Locked<WebSocketClosure?>(nil)

  var closure: WebSocketClosure? {
    received.withLock { $0 } ?? outgoing.closure
  }

  func send(_ message: WebSocketMessage) async throws(TransportError) {
    try await breakingOffIfCancelled { try await self.outgoing.send(message) }
  }

  func receive() async throws(TransportError) -> WebSocketMessage? {
    try await breakingOffIfCancelled {
      if let message = try await self.incoming.receive() { return message }
      if let closure = self.incoming.closure {
        if self.outgoing.closure == nil { self.received.withLock { $0 = closure } }
        // A close frame is answered with the same code (RFC 6455 §5.5.1).
        self.outgoing.finish(.closed(WebSocketClosure(closure.code)))
      }
      return nil
    }
  }

  func ping() async throws(TransportError) {
    try await breakingOffIfCancelled { try await self.outgoing.ping() }
  }

  func close(_ closure: WebSocketClosure) async {
    outgoing.finish(.closed(closure))
  }

  /// - Parameter error: What the other end meets.
  private func breakOff(with error: TransportError = WebSocketLane.lost) {
    outgoing.finish(.broken(error))
    incoming.finish(.broken(WebSocketLane.lost))
    onBreak()
  }

  private func breakingOffIfCancelled<Result: Sendable>(
    _ operation: @Sendable () async throws -> Result
  ) async throws(TransportError) -> Result {
    do {
      return try await withTaskCancellationHandler {
        try await operation()
      } onCancel: {
        self.breakOff()
      }
    } catch {
      if Task.isCancelled { throw TransportError(.cancelled, "The task was cancelled.", cause: error) }
      throw TransportError(wrapping: error)
    }
  }
}
