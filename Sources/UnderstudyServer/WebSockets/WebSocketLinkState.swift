import UnderstudyHTTP

/// How far a WebSocket has come, and who waits for a pong.
struct WebSocketLinkState: Sendable {
  typealias Ping = CheckedContinuation<Void, any Error>

  /// The close frame that came first.
  private(set) var closure: WebSocketClosure?
  /// Whether this side sends nothing more, or nothing after what ends it.
  private(set) var hasSaidGoodbye = false
  /// Whether what ends it has been written.
  var isGoodbyeWritten = false
  /// Whether the peer's close frame has come.
  private(set) var hasHeardGoodbye = false
  /// Whether the peer has ended its side of the connection.
  var hasPeerEnded = false
  /// Whether nothing more can be read, because a rule was broken, by either side.
  private(set) var hasFailed = false
  /// Whether nothing that comes is answered, as a fault.
  var isSilent = false
  private(set) var isOver = false
  private var deadline: Task<Void, any Error>?
  private var pings: [(number: UInt64, continuation: Ping)] = []
  private var pingCount: UInt64 = 0

  /// Whether the connection ended, but not as the rules have it.
  var wasLost: Bool { isOver && !hasHeardGoodbye && !hasFailed }

  /// - Returns: Whether the close frame is to be sent.
  mutating func sayGoodbye(_ closure: WebSocketClosure) -> Bool {
    guard !hasSaidGoodbye, !isOver else { return false }
    hasSaidGoodbye = true
    self.closure = self.closure ?? closure
    return true
  }

  /// Ends what this side sends without a close frame.
  mutating func sayNothing() -> Bool {
    guard !hasSaidGoodbye, !isOver else { return false }
    hasSaidGoodbye = true
    hasFailed = true
    return true
  }

  /// - Returns: Whether it is to be answered, and who will get no pong any more.
  mutating func hearGoodbye(_ closure: WebSocketClosure) -> (answers: Bool, pings: [Ping]) {
    hasHeardGoodbye = true
    return (sayGoodbye(closure), takePings())
  }

  /// The peer has broken a rule.
  ///
  /// - Returns: Whether it is to be told, and who will get no pong any more.
  mutating func fail(_ closure: WebSocketClosure) -> (answers: Bool, pings: [Ping]) {
    hasFailed = true
    return (sayGoodbye(closure), takePings())
  }

  /// - Returns: Whether there is still something to end.
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

  /// A pong answers every ping up to its own (RFC 6455 §5.5.3); one that nobody asked for answers none.
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

  mutating func end() -> (deadline: Task<Void, any Error>?, pings: [Ping], error: TransportError) {
    isOver = true
    defer { deadline = nil }
    return (deadline, takePings(), closure == nil ? .webSocketLost : .webSocketClosed)
  }
}
