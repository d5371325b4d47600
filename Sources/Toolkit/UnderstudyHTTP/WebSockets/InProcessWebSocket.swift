import Understudy

/// One end of a WebSocket in memory.
final class InProcessWebSocket: WebSocketConnection {
  /// The shared state of both ends: how the connection was closed, once it has ended.
  private struct Fate: Sendable {
    var isOver = false
    var closure: WebSocketClosure?
    /// Whether the server has become silent because of a fault.
    var isSilent = false
    /// How the messages of each inbox end, decided with the closure, because either end may deliver it.
    var ends: [ObjectIdentifier: WebSocketInbox.End] = [:]
  }

  let subprotocol: String?
  private let outgoing: WebSocketInbox
  private let incoming: WebSocketInbox
  private let fate: Locked<Fate>
  /// Called when this end breaks the connection.
  private let onBreak: @Sendable () -> Void

  private init(
    _ subprotocol: String?, _ outgoing: WebSocketInbox, _ incoming: WebSocketInbox, _ fate: Locked<Fate>,
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
    let (up, down, fate) = (WebSocketInbox(), WebSocketInbox(), Locked(Fate()))
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

  /// Runs an operation that breaks the connection when its task is cancelled.
  private func whileOpen<Result: Sendable>(
    _ operation: @Sendable () async throws -> Result
  ) async throws(TransportError) -> Result {
    try await Self.cancelling({ self.breakOff() }, operation)
  }

  func close(_ closure: WebSocketClosure) async {
    // The peer's close frame follows at once: no messages follow those that it has already sent.
    _ = end(closure.asSent, outgoing: .closed, incoming: .closed)
  }

  /// Decides how the connection has ended, unless that is decided, and delivers the decision.
  ///
  /// - Returns: Whether the connection was open until now.
  private func end(
    _ closure: WebSocketClosure?, outgoing sent: WebSocketInbox.End, incoming received: WebSocketInbox.End
  ) -> Bool {
    let (isNews, ends) = fate.withLock { fate in
      let isNews = !fate.isOver
      if isNews {
        fate.isOver = true
        fate.closure = closure
        fate.ends[ObjectIdentifier(outgoing)] = sent
        // A silent server does not answer a close frame.
        if !fate.isSilent || closure == nil { fate.ends[ObjectIdentifier(incoming)] = received }
      }
      return (isNews, fate.ends)
    }
    // The peer's messages are refused before it learns of the end, so that none that it then sends is accepted.
    for inbox in [incoming, outgoing] {
      if let end = ends[ObjectIdentifier(inbox)] { inbox.finish(end) }
    }
    return isNews
  }

  private func breakOff() {
    let lost = WebSocketInbox.End.failed(.webSocketLost)
    let isNews = end(nil, outgoing: lost, incoming: lost) || fate.withLock { $0.isSilent }
    // No message is received any more, whatever was decided.
    outgoing.finish(lost)
    incoming.finish(lost)
    if isNews { onBreak() }
  }

  /// Handles a protocol violation by this end: the peer reports it, and closes the connection.
  private func violate(_ violation: WebSocketViolation) {
    _ = end(
      WebSocketClosure(violation.code, violation.message), outgoing: .failed(violation.error),
      incoming: .closed)
  }

  /// Performs the server's action for a connection that it must break.
  private func end(as wanted: ConnectionBreak) async {
    switch wanted {
    case .reset, .close: breakOff()
    case .silence:
      fate.withLock { $0.isSilent = true }
      // Until the client disconnects, which cancels the task.
      for await _ in AsyncStream<Never>.makeStream().stream {}
    case .truncatedChunk: await receiveAsClient([0x82, 16])
    case .malformedChunk: await receiveAsClient([0xFF, 0])
    case .bytes(let bytes): await receiveAsClient(Array(bytes))
    }
  }

  /// Passes the bytes through the client's parser, and delivers the result.
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
