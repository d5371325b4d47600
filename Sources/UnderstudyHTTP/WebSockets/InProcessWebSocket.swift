import Understudy

/// One end of a WebSocket in memory.
final class InProcessWebSocket: WebSocketConnection {
  /// What both ends know: how it was closed, once it is over.
  private struct Fate: Sendable {
    var isOver = false
    var closure: WebSocketClosure?
    /// Whether the server answers nothing, as a fault.
    var isSilent = false
  }

  let subprotocol: String?
  private let outgoing: WebSocketLane
  private let incoming: WebSocketLane
  private let fate: Locked<Fate>
  /// Called when this end breaks off.
  private let onBreak: @Sendable () -> Void

  private init(
    _ subprotocol: String?, _ outgoing: WebSocketLane, _ incoming: WebSocketLane, _ fate: Locked<Fate>,
    onBreak: @escaping @Sendable () -> Void
  ) {
    self.subprotocol = subprotocol
    self.outgoing = outgoing
    self.incoming = incoming
    self.fate = fate
    self.onBreak = onBreak
  }

  deinit {
    breakOff()
  }

  /// Opens a WebSocket whose server side is a session.
  static func open(subprotocol: String?, _ session: @escaping WebSocketSession) -> InProcessWebSocket {
    let (up, down, fate) = (WebSocketLane(), WebSocketLane(), Locked(Fate()))
    let serving = Task {
      let server = InProcessWebSocket(subprotocol, down, up, fate, onBreak: {})
      do {
        try await session(server)
        await server.close()
      } catch let wanted as ConnectionBreak {
        await server.end(as: wanted)
      } catch let error as TransportError {
        if error.code == .unreadableResponse { await server.end(as: .malformedChunk) }
      } catch is CancellationError {
      } catch {
        await server.close(WebSocketClosure(.internalError))
      }
      server.breakOff()
    }
    return InProcessWebSocket(subprotocol, up, down, fate, onBreak: { serving.cancel() })
  }

  var closure: WebSocketClosure? { fate.withLock { $0.closure } }

  func send(_ message: WebSocketMessage) async throws(TransportError) {
    try await whileOpen {
      let limit = WebSocketParser.Limits().message
      if message.size > limit {
        self.violate(.tooBig(limit))
      } else {
        try await self.outgoing.send(message)
      }
    }
  }

  func receive() async throws(TransportError) -> WebSocketMessage? {
    try await whileOpen { try await self.incoming.receive() }
  }

  func ping() async throws(TransportError) {
    try await whileOpen { try await self.outgoing.ping() }
  }

  /// Runs an operation that breaks the connection off when its task is cancelled.
  private func whileOpen<Result: Sendable>(
    _ operation: @Sendable () async throws -> Result
  ) async throws(TransportError) -> Result {
    if Task.isCancelled { breakOff() }
    return try await Self.cancelling({ self.breakOffSoon() }, operation)
  }

  func close(_ closure: WebSocketClosure) async {
    guard decide(closure.asSent) else { return }
    outgoing.finish(.closed)
    // The peer's answer: nothing comes after what it has sent so far.
    if !fate.withLock({ $0.isSilent }) { incoming.finish(.closed) }
  }

  /// - Returns: Whether it was open until now.
  private func decide(_ closure: WebSocketClosure?) -> Bool {
    fate.withLock { fate in
      guard !fate.isOver else { return false }
      fate.isOver = true
      fate.closure = closure
      return true
    }
  }

  private func breakOff() {
    let isNews = decide(nil) || fate.withLock { $0.isSilent }
    outgoing.finish(.failed(.webSocketLost))
    incoming.finish(.failed(.webSocketLost))
    if isNews { onBreak() }
  }

  /// Breaks off in a task of its own.
  ///
  /// The runtime holds a lock of the task that is cancelled meanwhile, and to wake or to cancel the other end's task takes
  /// that one's. Where both ends are cancelled at once, each would wait for the other for ever.
  private func breakOffSoon() {
    Task { self.breakOff() }
  }

  /// What follows when this end has sent what breaks a rule: the peer says so, and closes.
  private func violate(_ violation: WebSocketViolation) {
    guard decide(WebSocketClosure(violation.code, violation.message)) else { return }
    outgoing.finish(.failed(violation.error))
    incoming.finish(.closed)
  }

  /// Does what the server does to a connection that it is to break.
  private func end(as wanted: ConnectionBreak) async {
    switch wanted {
    case .reset, .close: breakOff()
    case .silence:
      fate.withLock { $0.isSilent = true }
      // Until the client leaves, which cancels the task.
      for await _ in AsyncStream<Never>.makeStream().stream {}
    case .truncatedChunk: await receiveAsClient([0x82, 16])
    case .malformedChunk: await receiveAsClient([0xFF, 0])
    case .bytes(let bytes): await receiveAsClient(Array(bytes))
    }
  }

  /// Gives the client what its parser makes of the bytes.
  private func receiveAsClient(_ bytes: [UInt8]) async {
    var parser = WebSocketParser(.client)
    for event in parser.consume(bytes) {
      switch event {
      case .message(let message): try? await outgoing.send(message)
      case .ping, .pong: break
      case .close(let closure): await close(closure)
      case .violation(let violation): violate(violation)
      }
    }
    breakOff()
  }
}
