import Understudy

/// The unreceived messages for one side of a WebSocket.
///
/// It holds up to sixteen messages or one mebibyte; the sender of a further message waits.
package final class WebSocketInbox: Sendable {
  /// How the messages end.
  package enum End: Sendable {
    /// With a close frame.
    case closed
    /// Without a close frame; the receiver throws the error.
    case failed(TransportError)

    var forSenders: TransportError {
      switch self {
      case .closed: .webSocketClosed
      case .failed: .webSocketLost
      }
    }
  }

  private typealias Receiver = CheckedContinuation<WebSocketMessage?, any Error>
  private typealias Sender = CheckedContinuation<Void, any Error>

  private struct State: Sendable {
    var messages: [WebSocketMessage] = []
    var size = 0
    var end: End?
    var receiver: Receiver?
    /// The senders that wait for room, in order; a ping has no message.
    var senders: [(message: WebSocketMessage?, sender: Sender)] = []

    /// A single message always fits, whatever its size.
    func hasRoom(for message: WebSocketMessage) -> Bool {
      messages.isEmpty
        || messages.count < WebSocketInbox.capacity && size + message.size <= WebSocketInbox.mostBytes
    }

    mutating func append(_ message: WebSocketMessage) {
      messages.append(message)
      size += message.size
    }

    /// Adds the messages of waiting senders for which there is room now.
    mutating func admit() -> [Sender] {
      var admitted: [Sender] = []
      while let (message, sender) = senders.first, message.map(hasRoom) ?? true {
        senders.removeFirst()
        admitted.append(sender)
        if let message { append(message) }
      }
      return admitted
    }
  }

  package static let capacity = 16
  package static let mostBytes = 1 << 20

  private let state = Locked(State())

  package init() {}

  /// Adds a message; returns when there is room for it.
  package func send(_ message: WebSocketMessage) async throws {
    try await withCheckedThrowingContinuation { (sender: Sender) in
      let (result, receiver) = state.withLock { state -> (Result<Void, any Error>?, Receiver?) in
        if let end = state.end { return (.failure(end.forSenders), nil) }
        if let receiver = state.receiver {
          state.receiver = nil
          return (.success(()), receiver)
        }
        guard state.senders.isEmpty, state.hasRoom(for: message) else {
          state.senders.append((message, sender))
          return (nil, nil)
        }
        state.append(message)
        return (.success(()), nil)
      }
      receiver?.resume(returning: message)
      if let result { sender.resume(with: result) }
    }
  }

  /// Returns when there is room for every message that was added before.
  package func ping() async throws {
    try await withCheckedThrowingContinuation { (sender: Sender) in
      let result: Result<Void, any Error>? = state.withLock { state in
        if let end = state.end { return .failure(end.forSenders) }
        guard !state.senders.isEmpty else { return .success(()) }
        state.senders.append((nil, sender))
        return nil
      }
      if let result { sender.resume(with: result) }
    }
  }

  /// The next message, or `nil` after a close frame.
  package func receive() async throws -> WebSocketMessage? {
    try await withCheckedThrowingContinuation { (receiver: Receiver) in
      var admitted: [Sender] = []
      let result: Result<WebSocketMessage?, any Error>? = state.withLock { state in
        if !state.messages.isEmpty {
          let message = state.messages.removeFirst()
          state.size -= message.size
          admitted = state.admit()
          return .success(message)
        }
        switch state.end {
        case .closed: return .success(nil)
        case .failed(let error): return .failure(error)
        case nil:
          guard state.receiver == nil else {
            return .failure(TransportError(.unknown, "Two tasks receive from one WebSocket."))
          }
          state.receiver = receiver
          return nil
        }
      }
      for sender in admitted { sender.resume() }
      if let result { receiver.resume(with: result) }
    }
  }

  /// Rejects further messages; those in the buffer, and those of waiting senders, can still be received.
  ///
  /// The first end is kept, but after a failed one senders no longer wait for room.
  package func finish(_ end: End) {
    let (receiver, senders) = state.withLock { state -> (Receiver?, [Sender]) in
      var turnedAway: [Sender] = []
      if case .failed = end {
        turnedAway = state.senders.map(\.sender)
        state.senders = []
      }
      guard state.end == nil else { return (nil, turnedAway) }
      state.end = end
      defer { state.receiver = nil }
      return (state.receiver, turnedAway)
    }
    for sender in senders { sender.resume(throwing: end.forSenders) }
    switch end {
    case .closed: receiver?.resume(returning: nil)
    case .failed(let error): receiver?.resume(throwing: error)
    }
  }
}

extension WebSocketMessage {
  /// The size of the payload in bytes.
  package var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    }
  }
}
