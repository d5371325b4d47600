import Understudy
import UnderstudyHTTP

/// A WebSocket over a byte stream: what reads and writes, and the rules of how it ends (RFC 6455 §7).
///
/// One task reads and one writes, so that a ping is answered and a goodbye noticed while nobody receives; only
/// messages that nobody receives hold the reader up, and with it the peer.
final class WebSocketLink: Sendable {
  private let role: WebSocketRole
  private let stream: any ByteStream
  private let settings: WebSocketSettings
  private let inbox = WebSocketLane()
  private let outbox = WebSocketOutbox()
  private let state = Locked(WebSocketLinkState())

  init(_ role: WebSocketRole, over stream: any ByteStream, _ settings: WebSocketSettings) {
    self.role = role
    self.stream = stream
    self.settings = settings
  }

  // MARK: What its owner wants

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
        let payload = try state.withLock { state throws(TransportError) in try state.addPing(pong) }
        outbox.post(bytes(WebSocketFrame(.ping, payload)))
      } catch {
        pong.resume(throwing: error)
      }
    }
  }

  /// Sends a close frame and returns once it is on its way, also in a task that was cancelled.
  func close(_ closure: WebSocketClosure) async {
    guard state.withLock({ $0.sayGoodbye(closure.asSent) }) else { return }
    limitClosing()
    // If it cannot be sent, everybody has been told.
    try? await outbox.send(bytes(WebSocketFrame(.close, closure.payload)), isLast: true)
  }

  /// Nobody wants it any more: it breaks off, unless a close frame is under way, which is given its time.
  func abandon() {
    guard state.withLock({ $0.hasSaidGoodbye || $0.isSilent }) else { return breakOff() }
    inbox.finish(.failed(.webSocketLost))
  }

  /// Ends it without a close frame.
  func breakOff() {
    guard end(unless: { $0.isOver }) else { return }
    stream.abort()
  }

  /// Breaks it as an `HTTPHandler` demands it.
  func end(as wanted: ConnectionBreak) async {
    switch wanted {
    case .reset: breakOff()
    case .close: await endWithout(closeFrame: [])
    case .silence:
      state.withLock { $0.isSilent = true }
      inbox.finish(.failed(.webSocketLost))
    case .bytes(let bytes): await endWithout(closeFrame: Array(bytes))
    // What is to a WebSocket as such chunks are to a body: half a frame, and one that nobody can read.
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
  /// - Parameter bytes: What came with the handshake.
  /// - Returns: Whether the peer left without a goodbye, or was made to.
  func run(after bytes: [UInt8]) async -> Bool {
    await withTaskCancellationHandler {
      await withDiscardingTaskGroup { group in
        group.addTask { await self.write() }
        await self.read(after: bytes)
      }
    } onCancel: {
      breakOff()
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
    var events = parser.consume(bytes)
    do {
      while true {
        for event in events where !state.withLock({ $0.isSilent }) { await take(event) }
        if role == .server, state.withLock({ $0.hasHeardGoodbye && !$0.hasFailed }) { return }
        guard let bytes = try await stream.read() else { break }
        // A peer that sends without a pause, such as pings, may not keep all others of this executor waiting.
        if bytes.count >= 16 << 10 { await Task.yield() }
        events = parser.consume(bytes)
      }
    } catch {
      return breakOff()
    }
    // The peer has ended its side. Only where all has been said that is no loss; what this side says last may still be
    // on its way, and whoever writes it closes the connection then.
    let isWell = state.withLock { state in
      state.hasPeerEnded = true
      return (state.hasHeardGoodbye || state.hasFailed) && state.hasSaidGoodbye
    }
    guard isWell else { return breakOff() }
    await endIfDone()
  }

  private func take(_ event: WebSocketParser.Event) async {
    switch event {
    case .message(let message):
      // Where nobody will receive it, it is dropped.
      try? await inbox.send(message)
    case .ping(let payload): outbox.answer(with: bytes(WebSocketFrame(.pong, payload)))
    case .pong(let payload):
      for ping in state.withLock({ $0.takePings(answeredBy: payload) }) { ping.resume() }
    case .close(let closure):
      let (answers, pings) = state.withLock { $0.hearGoodbye(closure) }
      // The answer holds the same code (RFC 6455 §5.5.1).
      if answers { answer(with: WebSocketClosure(closure.code)) }
      inbox.finish(.closed)
      for ping in pings { ping.resume(throwing: TransportError.webSocketClosed) }
      if !answers { await endIfDone() }
    case .violation(let violation):
      let closure = WebSocketClosure(violation.code, violation.message)
      let (answers, pings) = state.withLock { $0.fail(closure) }
      if answers { answer(with: closure) }
      inbox.finish(.failed(violation.error))
      for ping in pings { ping.resume(throwing: TransportError.webSocketLost) }
      if !answers { await endIfDone() }
    }
  }

  /// Answers what ends the connection, before anybody is told of it, who might then send something more.
  private func answer(with closure: WebSocketClosure) {
    limitClosing()
    outbox.post(bytes(WebSocketFrame(.close, closure.payload)), isLast: true)
  }

  private func bytes(_ frame: WebSocketFrame) -> [UInt8] {
    frame.bytes(maskedWith: role == .client ? settings.random() : nil)
  }

  // MARK: Ending

  /// Once all has been said and heard, the server closes the connection and the client waits for that
  /// (RFC 6455 §7.1.1).
  ///
  /// Where a rule was broken, what has been said must still arrive: if this side closed while the peer sends, the peer
  /// would be reset.
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

  /// Gives the peer its time to say goodbye too, and to close the connection.
  private func limitClosing() {
    let deadline = Task { [settings, weak self] in
      try await settings.time.sleep(inBackgroundFor: settings.closingTime)
      self?.breakOff()
    }
    if !state.withLock({ $0.setDeadline(deadline) }) { deadline.cancel() }
  }

  /// Tells everybody that the connection is over.
  ///
  /// - Returns: Whether it was not before.
  private func end(unless isNotDue: (WebSocketLinkState) -> Bool) -> Bool {
    let ended = state.withLock { state in isNotDue(state) ? nil : state.end() }
    guard let ended else { return false }
    ended.deadline?.cancel()
    inbox.finish(.failed(.webSocketLost))
    outbox.finish(ended.error)
    for ping in ended.pings { ping.resume(throwing: ended.error) }
    return true
  }
}
