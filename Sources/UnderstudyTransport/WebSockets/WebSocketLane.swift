import UnderstudyPrimitives

/// One direction of a WebSocket in memory: what was sent and has not been received.
///
/// It bears sixteen messages; whoever sends one more waits.
final class WebSocketLane: Sendable {
  enum Item: Sendable {
    case message(WebSocketMessage)
    case ping(CheckedContinuation<Void, any Error>)
  }

  enum End: Sendable {
    case closed(WebSocketClosure)
    case broken(TransportError)
  }

  private typealias Receiver = CheckedContinuation<WebSocketMessage?, any Error>
  private typealias Sender = CheckedContinuation<Void, any Error>

  private struct State: Sendable {
    var items: [Item] = []
    var end: End?
    var receiver: Receiver?
    var senders: [(message: WebSocketMessage, sender: Sender)] = []
  }

  static let capacity = 16
  static let lost = TransportError(.connectionLost, "The WebSocket broke without a close frame.")
  private static let closed = TransportError(.connectionLost, "The WebSocket is closed.")

  private let state = Locked(State())

  /// The close frame that was sent in this direction, if any.
  var closure: WebSocketClosure? {
    state.withLock { if case .closed(let closure) = $0.end { closure } else { nil } }
  }

  func send(_ message: WebSocketMessage) async throws {
    try await withCheckedThrowingContinuation { (sender: Sender) in
      let (result, receiver) = state.withLock { state -> (Result<Void, any Error>?, Receiver?) in
        if let end = state.end { return (.failure(Self.error(after: end)), nil) }
        if let receiver = state.receiver {
          state.receiver = nil
          return (.success(()), receiver)
        }
        guard state.items.count < Self.capacity else {
          state.senders.append((message, sender))
          return (nil, nil)
        }
        state.items.append(.message(message))
        return (.success(()), nil)
      }
      receiver?.resume(returning: message)
      if let result { sender.resume(with: result) }
    }
  }

  /// Returns once the other side has come to it.
  func ping() async throws {
    try await withCheckedThrowingContinuation { (pong: Sender) in
      let result: Result<Void, any Error>? = state.withLock { state in
        if let end = state.end { return .failure(Self.error(after: end)) }
        if state.receiver != nil { return .success(()) }
        state.items.append(.ping(pong))
        return nil
      }
      if let result { pong.resume(with: result) }
    }
  }

  /// The next message, or `nil` after a close frame.
  func receive() async throws -> WebSocketMessage? {
    try await withCheckedThrowingContinuation { (receiver: Receiver) in
      var pongs: [Sender] = []
      var sender: Sender?
      let result: Result<WebSocketMessage?, any Error>? = state.withLock { state in
        while !state.items.isEmpty {
          switch state.items.removeFirst() {
          case .ping(let pong): pongs.append(pong)
          case .message(let message):
            if !state.senders.isEmpty {
              let next = state.senders.removeFirst()
              state.items.append(.message(next.message))
              sender = next.sender
            }
            return .success(message)
          }
        }
        switch state.end {
        case .closed: return .success(nil)
        case .broken(let error): return .failure(error)
        case nil:
          guard state.receiver == nil else {
            return .failure(TransportError(.unknown, "Two tasks receive from one WebSocket."))
          }
          state.receiver = receiver
          return nil
        }
      }
      for pong in pongs { pong.resume() }
      sender?.resume()
      if let result { receiver.resume(with: result) }
    }
  }

  /// Ends the lane for whoever sends.
  ///
  /// What was sent before can still be received. The first end counts.
  func finish(_ end: End) {
    let (receiver, waiting) = state.withLock { state -> (Receiver?, [Sender]) in
      guard state.end == nil else { return (nil, []) }
      state.end = end
      defer {
        state.receiver = nil
        state.senders = []
      }
      var waiting = state.senders.map(\.sender)
      if case .broken = end {
        // Nobody will come to them any more.
        state.items.removeAll { item in
          guard case .ping(let pong) = item else { return false }
          waiting.append(pong)
          return true
        }
      }
      return (state.receiver, waiting)
    }
    for sender in waiting { sender.resume(throwing: Self.error(after: end)) }
    switch end {
    case .closed: receiver?.resume(returning: nil)
    case .broken(let error): receiver?.resume(throwing: error)
    }
  }

  private static func error(after end: End) -> TransportError {
    switch end {
    case .closed: closed
    case .broken: lost
    }
  }
}
