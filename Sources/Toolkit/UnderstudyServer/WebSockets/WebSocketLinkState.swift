import UnderstudyHTTP

/// The state of the closing handshake of a WebSocket, and the pings that wait for a pong.
struct WebSocketLinkState: Sendable {
  typealias Ping = CheckedContinuation<Void, any Error>

  /// The first close frame.
  private(set) var closure: WebSocketClosure?
  /// Whether this side has started to close; it sends nothing after its last frame.
  private(set) var hasSaidGoodbye = false
  /// Whether the last frame of this side was written.
  var isGoodbyeWritten = false
  /// Whether the peer's close frame was received.
  private(set) var hasHeardGoodbye = false
  /// Whether the peer has closed its side of the connection.
  var hasPeerEnded = false
  /// Whether nothing more can be read, because either side violated the protocol.
  private(set) var hasFailed = false
  /// Whether received frames are not answered, because of a fault.
  var isSilent = false
  private(set) var isOver = false
  /// How the received messages end, as soon as a close frame or a protocol error decides it.
  ///
  /// The connection may end before the receiver is notified.
  private(set) var inboxEnd: WebSocketInbox.End?
  private var deadline: Task<Void, any Error>?
  private var pings: [(number: UInt64, continuation: Ping)] = []
  private var pingCount: UInt64 = 0

  /// Whether the connection ended without a closing handshake.
  var wasLost: Bool { isOver && !hasHeardGoodbye && !hasFailed }

  /// - Returns: Whether to send the close frame.
  mutating func sayGoodbye(_ closure: WebSocketClosure) -> Bool {
    guard !hasSaidGoodbye, !isOver else { return false }
    hasSaidGoodbye = true
    self.closure = self.closure ?? closure
    return true
  }

  /// Ends the sending side without a close frame.
  mutating func sayNothing() -> Bool {
    guard !hasSaidGoodbye, !isOver else { return false }
    hasSaidGoodbye = true
    hasFailed = true
    return true
  }

  /// - Returns: Whether to respond, and the pings that will not receive a pong.
  mutating func hearGoodbye(_ closure: WebSocketClosure) -> (answers: Bool, pings: [Ping]) {
    hasHeardGoodbye = true
    inboxEnd = inboxEnd ?? .closed
    return (sayGoodbye(closure), takePings())
  }

  /// Handles a protocol error of the peer.
  ///
  /// - Returns: The close frame to send, if any, and the pings that will not receive a pong.
  mutating func fail(_ violation: WebSocketViolation) -> (answers: WebSocketClosure?, pings: [Ping]) {
    hasFailed = true
    inboxEnd = inboxEnd ?? .failed(violation.error)
    let closure = WebSocketClosure(violation.code, violation.message)
    return (sayGoodbye(closure) ? closure : nil, takePings())
  }

  /// - Returns: Whether the connection is still open.
  mutating func setDeadline(_ deadline: Task<Void, any Error>) -> Bool {
    guard !isOver else { return false }
    self.deadline = deadline
    return true
  }

  /// - Returns: The payload of the ping.
  mutating func addPing(_ continuation: Ping) throws(TransportError) -> [UInt8] {
    guard !isOver else { throw closure == nil ? .webSocketLost : .webSocketClosed }
    guard !hasSaidGoodbye else { throw .webSocketClosed }
    pingCount += 1
    pings.append((pingCount, continuation))
    return (0..<8).map { UInt8(truncatingIfNeeded: pingCount >> UInt64(56 - 8 * $0)) }
  }

  /// A pong answers every ping up to its own (RFC 6455 §5.5.3); an unsolicited pong answers none.
  mutating func takePings(answeredBy payload: [UInt8]) -> [Ping] {
    let number = payload.reduce(0) { $0 << 8 | UInt64($1) }
    guard payload.count == 8, let index = pings.firstIndex(where: { $0.number == number }) else { return [] }
    defer { pings.removeFirst(index + 1) }
    return pings.prefix(index + 1).map(\.continuation)
  }

  private mutating func takePings() -> [Ping] {
    defer { pings = [] }
    return pings.map(\.continuation)
  }

  /// - Returns: How the received messages end, the error for senders and pings, and what is left to end.
  mutating func end() -> (
    inbox: WebSocketInbox.End, error: TransportError, deadline: Task<Void, any Error>?, pings: [Ping]
  ) {
    isOver = true
    defer { deadline = nil }
    return (
      inboxEnd ?? .failed(.webSocketLost), closure == nil ? .webSocketLost : .webSocketClosed, deadline,
      takePings()
    )
  }
}
