import Understudy
import UnderstudyHTTP

/// A WebSocket over a byte stream: its reader, its writer and its closing handshake (RFC 6455 §7).
///
/// One task reads and one writes, so that pings are answered and close frames are handled without a receiver. Only
/// messages that are not received block the reader, and apply back pressure to the peer.
final class WebSocketLink: Sendable {
  private let role: WebSocketRole
  private let stream: any ByteStream
  private let settings: WebSocketSettings
  private let inbox = WebSocketInbox()
  private let outbox = WebSocketOutbox()
  private let state = Locked(WebSocketLinkState())

  init(_ role: WebSocketRole, over stream: any ByteStream, _ settings: WebSocketSettings) {
    self.role = role
    self.stream = stream
    self.settings = settings
  }

  // MARK: Owner

  var closure: WebSocketClosure? { state.withLock { $0.closure } }

  func send(_ message: WebSocketMessage) async throws {
    try await outbox.send(bytes(WebSocketFrame(message)))
  }

  func receive() async throws -> WebSocketMessage? {
    try await inbox.receive()
  }

  func ping() async throws {
    try await withCheckedThrowingContinuation { (pong: CheckedContinuation<Void, any Error>) in
      do {
        // A pong answers the pings before its own, so pings are sent in the order of their numbers.
        try state.withLock { state throws(TransportError) in
          outbox.post(bytes(WebSocketFrame(.ping, try state.addPing(pong))))
        }
      } catch {
        pong.resume(throwing: error)
      }
    }
  }

  /// Sends a close frame and returns once it is sent, also in a cancelled task.
  func close(_ closure: WebSocketClosure) async {
    guard state.withLock({ $0.sayGoodbye(closure.asSent) }) else { return }
    limitClosing()
    // If it cannot be sent, all waiters have received the error already.
    try? await outbox.send(bytes(WebSocketFrame(.close, closure.payload)), isLast: true)
  }

  /// Called when the owner releases it: aborts the connection, unless a closing handshake is in progress within its
  /// time limit.
  func abandon() {
    guard state.withLock({ $0.hasSaidGoodbye || $0.isSilent }) else { return breakOff() }
    inbox.finish(.failed(.webSocketLost))
  }

  /// Ends the connection without a close frame.
  func breakOff() {
    guard end(unless: { $0.isOver }) else { return }
    stream.abort()
  }

  /// Aborts the connection as an `HTTPHandler` requests.
  func end(as wanted: ConnectionBreak) async {
    switch wanted {
    case .reset: breakOff()
    case .close: await endWithout(closeFrame: [])
    case .silence:
      state.withLock { $0.isSilent = true }
      inbox.finish(.failed(.webSocketLost))
    case .bytes(let bytes): await endWithout(closeFrame: Array(bytes))
    // The WebSocket equivalents of malformed chunks: half a frame, and an invalid frame.
    case .truncatedChunk: await endWithout(closeFrame: [0x82, 16])
    case .malformedChunk: await endWithout(closeFrame: [0xFF, 0])
    }
  }

  private func endWithout(closeFrame bytes: [UInt8]) async {
    guard state.withLock({ $0.sayNothing() }) else { return }
    limitClosing()
    inbox.finish(.failed(.webSocketLost))
    try? await outbox.send(bytes, isLast: true)
  }

  // MARK: Reading and writing

  /// Reads and writes until the connection has ended.
  ///
  /// - Parameter bytes: The bytes received after the handshake.
  /// - Returns: Whether the peer disconnected without a close frame, or was disconnected.
  func run(after bytes: [UInt8]) async -> Bool {
    await withTaskCancellationHandler {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await self.write() }
        await self.read(after: bytes)
      }
    } onCancel: {
      // In a separate task for the reason given at `WebSocketConnection.cancelling(_:_:)`.
      Task { breakOff() }
    }
    return state.withLock { $0.wasLost }
  }

  private func write() async {
    while let batch = await outbox.next() {
      do {
        if !batch.bytes.isEmpty { try await stream.write(batch.bytes) }
      } catch {
        breakOff()
        for sender in batch.senders { sender.resume(throwing: TransportError.webSocketLost) }
        return
      }
      for sender in batch.senders { sender.resume() }
      if batch.isLast {
        state.withLock { $0.isGoodbyeWritten = true }
        return await endIfDone()
      }
    }
  }

  private func read(after bytes: [UInt8]) async {
    var parser = WebSocketParser(role, limits: settings.limits)
    let share = settings.unfinishedMessages.map { ByteBudget.Share(of: $0) }
    var events = consume(bytes, &parser, share)
    do {
      while true {
        for event in events where !state.withLock({ $0.isSilent }) { await take(event) }
        if role == .server, state.withLock({ $0.hasHeardGoodbye && !$0.hasFailed }) { return }
        guard let bytes = try await stream.read() else { break }
        // Yields, so that a peer that sends continuously, such as pings, does not starve the executor's other tasks.
        if bytes.count >= 16 << 10 { await Task.yield() }
        events = consume(bytes, &parser, share)
      }
    } catch {
      return breakOff()
    }
    // The peer has closed its side, which is a clean end only after both close frames. This side's last frame may still
    // be in progress; its writer then closes the connection.
    let isWell = state.withLock { state in
      state.hasPeerEnded = true
      return (state.hasHeardGoodbye || state.hasFailed) && state.hasSaidGoodbye
    }
    guard isWell else { return breakOff() }
    await endIfDone()
  }

  /// Parses bytes, and refuses the message that begins in them if the connections hold too many bytes together.
  private func consume(
    _ bytes: [UInt8], _ parser: inout WebSocketParser, _ share: ByteBudget.Share?
  ) -> [WebSocketParser.Event] {
    let events = parser.consume(bytes)
    guard let share, !share.hold(parser.heldByteCount), let budget = settings.unfinishedMessages else {
      return events
    }
    parser.stop()
    return events + [.violation(.tooManyUnfinishedMessages(budget.limit))]
  }

  private func take(_ event: WebSocketParser.Event) async {
    switch event {
    case .message(let message):
      // Dropped if it can no longer be received.
      try? await inbox.send(message)
    case .ping(let payload): outbox.answer(with: bytes(WebSocketFrame(.pong, payload)))
    case .pong(let payload):
      for ping in state.withLock({ $0.takePings(answeredBy: payload) }) { ping.resume() }
    case .close(let closure):
      let (answers, pings) = state.withLock { $0.hearGoodbye(closure) }
      // The response carries the same code (RFC 6455 §5.5.1).
      if answers { answer(with: WebSocketClosure(closure.code)) }
      inbox.finish(.closed)
      for ping in pings { ping.resume(throwing: TransportError.webSocketClosed) }
      if !answers { await endIfDone() }
    case .violation(let violation):
      let (closure, pings) = state.withLock { $0.fail(violation) }
      if let closure { answer(with: closure) }
      inbox.finish(.failed(violation.error))
      for ping in pings { ping.resume(throwing: TransportError.webSocketLost) }
      if closure == nil { await endIfDone() }
    }
  }

  /// Sends the final close frame before waiters are resumed, because they might send more.
  private func answer(with closure: WebSocketClosure) {
    limitClosing()
    outbox.post(bytes(WebSocketFrame(.close, closure.payload)), isLast: true)
  }

  private func bytes(_ frame: WebSocketFrame) -> [UInt8] {
    frame.bytes(maskedWith: role == .client ? settings.random() : nil)
  }

  // MARK: Closing

  /// Closes the connection after both close frames: the server closes it, and the client waits for that
  /// (RFC 6455 §7.1.1).
  ///
  /// After a protocol error, the close frame must still arrive: if this side closed while the peer sends, the
  /// connection would be reset.
  private func endIfDone() async {
    let (isWritten, hasFailed, isDue) = state.withLock { state in
      (
        state.isGoodbyeWritten, state.hasFailed && !state.hasPeerEnded,
        state.hasPeerEnded || state.hasHeardGoodbye && role == .server
      )
    }
    guard isWritten else { return }
    if hasFailed { return stream.endWriting() }
    guard isDue, end(unless: { $0.isOver }) else { return }
    await stream.close()
  }

  /// Limits the time for the peer to send its close frame and close the connection.
  private func limitClosing() {
    let deadline = Task { [settings, weak self] in
      try await settings.time.sleep(inBackgroundFor: settings.closingTime)
      self?.breakOff()
    }
    if !state.withLock({ $0.setDeadline(deadline) }) { deadline.cancel() }
  }

  /// Notifies all waiters that the connection has ended.
  ///
  /// - Returns: Whether this call ended it.
  private func end(unless isNotDue: (WebSocketLinkState) -> Bool) -> Bool {
    let ended = state.withLock { state in isNotDue(state) ? nil : state.end() }
    guard let ended else { return false }
    ended.deadline?.cancel()
    inbox.finish(ended.inbox)
    outbox.finish(ended.error)
    for ping in ended.pings { ping.resume(throwing: ended.error) }
    return true
  }
}
