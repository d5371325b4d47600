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

/// A handler's session with a fault among the messages that it sends.
struct FaultyWebSocketSession: Sendable {
  private let session: WebSocketSession
  private let fault: Fault
  private let effect: StreamEffect
  private let injectionPoint: InjectionPoint
  private let time: Time

  /// - Parameters:
  ///   - injectionPoint: The injection point. On the wire, the connection is broken by a `ConnectionBreak`, which the
  ///     server carries out.
  ///   - time: The clock of silence.
  init(
    _ session: @escaping WebSocketSession, _ fault: Fault, _ effect: StreamEffect,
    at injectionPoint: InjectionPoint,
    on time: Time
  ) {
    self.session = session
    self.fault = fault
    self.effect = effect
    self.injectionPoint = injectionPoint
    self.time = time
  }

  /// Serves until the session ends, or the fault ends the connection.
  @Sendable func serve(_ socket: any WebSocketConnection) async throws {
    let end = Signal<Result<Void, any Error>>()
    fault.token?.note(.stream)
    let sender = FaultySender(
      socket, effect, of: fault.token, on: time, breakingOff: { end.send(.failure(error)) })
    // Not awaited after the connection has been broken: what it waits for ends with the connection. Cancelling it
    // earlier would end the connection in another way than the fault defines.
    let serving = Task { [session] in
      do {
        try await session(sender)
        await sender.flush()
        sender.noteEnd()
        end.send(.success(()))
      } catch {
        end.send(.failure(error))
      }
    }
    try await withTaskCancellationHandler {
      try await end.value().get()
    } onCancel: {
      serving.cancel()
    }
  }

  /// The error that breaks the connection.
  private var error: any Error {
    switch (effect, injectionPoint) {
    case (.badFrame, .wire):
      // A reserved opcode with reserved bits (RFC 6455 §5.2).
      ConnectionBreak.bytes(Data([0xFF, 0x00]))
    case (.badFrame, _): TransportError(.unreadableResponse, "The received bytes are not a WebSocket frame.")
    case (.abort, .wire): ConnectionBreak.reset
    case (_, .wire): ConnectionBreak.close
    case (_, _): FaultyWebSocket.lost
    }
  }
}

/// A server's connection with a fault among the messages that it sends.
private final class FaultySender: WebSocketConnection {
  private struct State: Sendable {
    var count = 0
    var held: WebSocketMessage?
    var isCut = false
  }

  /// The action for a message.
  private enum Step: Sendable {
    case send([WebSocketMessage])
    case cut
    case nothing
  }

  private let base: any WebSocketConnection
  private let effect: StreamEffect
  private let token: FaultToken?
  private let time: Time
  private let breakOff: @Sendable () -> Void
  private let state = Locked(State())

  init(
    _ base: any WebSocketConnection, _ effect: StreamEffect, of token: FaultToken?, on time: Time,
    breakingOff breakOff: @escaping @Sendable () -> Void
  ) {
    self.base = base
    self.effect = effect
    self.token = token
    self.time = time
    self.breakOff = breakOff
  }

  var subprotocol: String? { base.subprotocol }
  var closure: WebSocketClosure? { base.closure }

  func send(_ message: WebSocketMessage) async throws(TransportError) {
    switch step(message) {
    case .send(let messages): for message in messages { try await base.send(message) }
    case .cut: try await cut()
    case .nothing: break
    }
  }

  func receive() async throws(TransportError) -> WebSocketMessage? { try await base.receive() }
  func ping() async throws(TransportError) { try await base.ping() }

  func close(_ closure: WebSocketClosure) async {
    await flush()
    await base.close(closure)
  }

  /// Sends a message that was held for a next one, when no next one arrives.
  func flush() async {
    let held = state.withLock { state in
      defer { state.held = nil }
      return state.held
    }
    if let held { try? await base.send(held) }
  }

  /// Notes that the session sends nothing more.
  func noteEnd() {
    token?.note(.end(after: state.withLock(\.count)))
  }

  private func step(_ message: WebSocketMessage) -> Step {
    state.withLock { state in
      if state.isCut { return .cut }
      state.count += 1
      token?.note(.event(state.count))
      let held = state.held
      state.held = nil
      switch effect {
      case .drop(let count), .end(let count), .stall(let count), .close(_, let count), .abort(let count),
        .badFrame(let count):
        if state.count <= count { return .send([message]) }
        state.isCut = true
        token?.note(.effect)
        return .cut
      case .corrupt(state.count):
        token?.note(.effect)
        return .send([message.corrupted])
      case .duplicate(state.count):
        token?.note(.effect)
        return .send([message, message])
      case .reorder(state.count):
        state.held = message
        return .nothing
      case .reorder, .corrupt, .duplicate, .unterminated, .splitCharacters:
        if held != nil { token?.note(.effect) }
        return .send([message] + (held.map { [$0] } ?? []))
      }
    }
  }

  private func cut() async throws(TransportError) {
    switch effect {
    case .end: await base.close(WebSocketClosure(.normalClosure))
    case .close(let code, _): await base.close(WebSocketClosure(.init(rawValue: code)))
    case .stall:
      // As if the client did not read, until it disconnects.
      do { try await time.stall() } catch { throw TransportError(wrapping: error) }
    default: breakOff()
    }
    throw TransportError(.connectionLost, "The connection was ended by a fault.")
  }
}
