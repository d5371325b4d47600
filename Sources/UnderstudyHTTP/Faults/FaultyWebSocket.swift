import Foundation
import Understudy

/// A client's connection with a fault among the messages that it receives.
final class FaultyWebSocket: WebSocketConnection {
  /// The underlying connection, until the fault has ended it.
  private final class Link: Sendable {
    struct State: Sendable {
      /// The last reference to the connection; releasing it breaks the connection.
      var base: (any WebSocketConnection)?
      var closure: WebSocketClosure?
      var isSilent = false
    }

    let state: Locked<State>

    init(_ base: any WebSocketConnection) {
      state = Locked(State(base: base))
    }

    func end(_ closure: WebSocketClosure? = nil) {
      // Released outside of the lock, because the end of a connection may call back into this one.
      let base = state.withLock { state in
        defer { state.base = nil }
        state.closure = closure ?? state.base?.closure
        return state.base
      }
      _ = base
    }

    func open() throws -> any WebSocketConnection {
      guard let base = state.withLock({ $0.base }) else { throw FaultyWebSocket.lost }
      return base
    }
  }

  let subprotocol: String?
  private let link: Link
  private let messages: FaultyStream<WebSocketMessage>
  private let time: Time

  static let lost = TransportError(.connectionLost, "The WebSocket broke without a close frame.")

  init(
    _ base: any WebSocketConnection, _ effect: StreamEffect, of token: FaultToken?, on time: Time
  ) {
    let link = Link(base)
    subprotocol = base.subprotocol
    self.link = link
    self.time = time
    messages = FaultyStream(
      { try await link.open().receive() }, effect, of: token,
      .init(
        isEvent: { _ in true },
        cut: {
          switch effect {
          case .end: link.end(WebSocketClosure(.normalClosure))
          case .close(let code, _): link.end(WebSocketClosure(.init(rawValue: code)))
          case .stall:
            link.state.withLock { $0.isSilent = true }
            try await time.stall()
          case .badFrame:
            link.end()
            throw TransportError(.unreadableResponse, "The received bytes are not a WebSocket frame.")
          default:
            link.end()
            throw Self.lost
          }
        },
        corrupted: { $0.corrupted }, unterminated: { $0 }))
  }

  var closure: WebSocketClosure? {
    let (closure, base) = link.state.withLock { ($0.closure, $0.base) }
    return closure ?? base?.closure
  }

  func send(_ message: WebSocketMessage) async throws(TransportError) {
    try await wrapping { try await self.link.open().send(message) }
  }

  func receive() async throws(TransportError) -> WebSocketMessage? {
    try await wrapping { try await self.messages.next() }
  }

  func ping() async throws(TransportError) {
    try await wrapping {
      let base = try self.link.open()
      if self.link.state.withLock({ $0.isSilent }) { try await self.time.stall() }
      try await base.ping()
    }
  }

  func close(_ closure: WebSocketClosure) async {
    await link.state.withLock { $0.base }?.close(closure)
  }

  private func wrapping<Result: Sendable>(
    _ operation: @Sendable () async throws -> Result
  ) async throws(TransportError) -> Result {
    do { return try await operation() } catch { throw TransportError(wrapping: error) }
  }
}

extension WebSocketMessage {
  /// A message of the same kind that is not valid JSON.
  var corrupted: WebSocketMessage {
    let unfinished = #"{"unfinished": ["#
    return switch self {
    case .text: .text(unfinished)
    case .binary: .binary(Data(unfinished.utf8))
    }
  }
}
