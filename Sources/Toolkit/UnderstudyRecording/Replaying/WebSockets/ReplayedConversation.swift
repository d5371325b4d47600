import Understudy
import UnderstudyHTTP

/// A replay of a recorded WebSocket for either side: it checks the client's messages and produces the server's.
final class ReplayedConversation: Sendable {
  /// The next action of the server.
  enum Event: Sendable {
    case message(WebSocketMessage)
    case end(HTTPArchive.WebSocketEnd.Cause)
  }

  private enum Phase: Sendable {
    case open
    /// The client has sent a close frame.
    case left(WebSocketClosure)
    /// The recording has ended.
    case over(TransportError)
    case broken

    /// The error of the client's further actions.
    var error: TransportError? {
      switch self {
      case .open: nil
      case .left: .webSocketClosed
      case .over(let error): error
      case .broken: .webSocketLost
      }
    }
  }

  private struct State: Sendable {
    var phase = Phase.open
    /// The number of the client's messages received.
    var heard = 0
    var said = 0
    var isListening = false
    /// The continuation that waits for the client.
    var waiter: CheckedContinuation<Void, Never>?

    mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
      defer { waiter = nil }
      return waiter
    }

    /// - Returns: Whether the message can still be sent.
    mutating func say() -> Bool {
      if case .broken = phase { return false }
      said += 1
      return true
    }

    /// - Returns: Whether the connection was not aborted before the end.
    mutating func end(_ cause: HTTPArchive.WebSocketEnd.Cause) -> Bool {
      switch phase {
      case .broken: return false
      case .left, .over: return true
      case .open:
        switch cause {
        case .closed: phase = .over(.webSocketClosed)
        case .failed: phase = .over(.webSocketLost)
        // The client may still send a message that was not recorded, and receive the error.
        case .unfinished, .cutOff: break
        }
        return true
      }
    }
  }

  private enum Situation {
    case line(WebSocketScript.Line)
    case end(HTTPArchive.WebSocketEnd.Cause)
    case waiting, broken
  }

  /// A function that compares a message with the next recorded one, and returns the error, or `nil` for a match, which
  /// counts as sent.
  typealias Judge =
    @Sendable (WebSocketMessage, _ next: WebSocketScript.Cue?, _ heard: Int) -> TransportError?

  private let script: WebSocketScript
  private let pauses: Time?
  private let judge: Judge
  private let state = Locked(State())

  init(_ script: WebSocketScript, pauses: Time?, judge: @escaping Judge) {
    self.script = script
    self.pauses = pauses
    self.judge = judge
  }

  // MARK: Client

  /// Receives a message of the client.
  ///
  /// - Throws: `.invalidRequest` if it is not the next recorded message, which aborts the connection; `.connectionLost`
  ///   if the connection has ended.
  func hear(_ message: WebSocketMessage) throws(TransportError) {
    let (result, waiter) = state.withLock {
      state -> (Result<Void, TransportError>, CheckedContinuation<Void, Never>?) in
      if let error = state.phase.error { return (.failure(error), nil) }
      let cue = state.heard < script.cues.count ? script.cues[state.heard] : nil
      if let mismatch = judge(message, cue, state.heard) {
        state.phase = .broken
        return (.failure(mismatch), state.takeWaiter())
      }
      state.heard += 1
      return (.success(()), state.takeWaiter())
    }
    waiter?.resume()
    try result.get()
  }

  /// Receives a ping of the client.
  ///
  /// - Throws: `.connectionLost` if the connection has ended.
  func answerPing() throws(TransportError) {
    if let error = state.withLock({ $0.phase.error }) { throw error }
  }

  /// Receives the close frame of the client.
  ///
  /// - Returns: Whether the connection was open.
  func leave(_ closure: WebSocketClosure) -> Bool {
    change { state in
      guard case .open = state.phase else { return false }
      state.phase = .left(closure)
      return true
    }
  }

  /// Aborts the connection.
  func breakOff() {
    change { $0.phase = .broken }
  }

  // MARK: Server

  /// Waits until the client has sent all messages recorded before the next action of the server, and returns that
  /// action.
  ///
  /// After the client's close frame, the result is the end as soon as a message requires one that was not sent. Later
  /// calls return the end again.
  ///
  /// - Throws: `.cancelled`, which aborts the connection; `.connectionLost` if the connection was aborted.
  func next() async throws(TransportError) -> Event {
    let isFirst = state.withLock { state in
      defer { state.isListening = true }
      return !state.isListening
    }
    guard isFirst else { throw TransportError(.unknown, "Two tasks receive from one WebSocket.") }
    defer { state.withLock { $0.isListening = false } }
    do {
      return try await withTaskCancellationHandler {
        try await self.awaitNext()
      } onCancel: {
        // In a separate task for the reason given at `WebSocketConnection.cancelling(_:_:)`.
        Task { self.breakOff() }
      }
    } catch {
      guard Task.isCancelled else { throw TransportError(wrapping: error) }
      // The task of the handler may not have begun, and the next call must find the connection aborted.
      breakOff()
      throw TransportError(.cancelled, "The task was cancelled.", cause: error)
    }
  }

  private func awaitNext() async throws -> Event {
    while true {
      switch state.withLock({ situation($0) }) {
      case .line(let line):
        try await pauses?.pass(line.pause, within: nil)
        // The client may have aborted the connection meanwhile.
        guard change({ $0.say() }) else { continue }
        return .message(line.message)
      case .end(let cause):
        if state.withLock({ $0.phase.error == nil }) { try await pauses?.pass(script.lastPause, within: nil) }
        guard change({ $0.end(cause) }) else { continue }
        return .end(cause)
      case .waiting:
        await awaitClient()
      case .broken:
        throw TransportError.webSocketLost
      }
    }
  }

  private func situation(_ state: State) -> Situation {
    if case .broken = state.phase { return .broken }
    if state.said < script.lines.count, state.heard >= script.lines[state.said].cues {
      return .line(script.lines[state.said])
    }
    switch state.phase {
    case .left(let closure): return .end(.closed(by: .client, closure))
    case .over: return .end(script.ending)
    case .open, .broken: break
    }
    guard state.said == script.lines.count, state.heard >= script.cues.count else { return .waiting }
    if case .closed(by: .client, _) = script.ending { return .waiting }
    return .end(script.ending)
  }

  /// Returns after an action of the client that may be relevant.
  private func awaitClient() async {
    await withCheckedContinuation { waiter in
      let isWaiting = state.withLock { state in
        guard case .waiting = situation(state) else { return false }
        state.waiter = waiter
        return true
      }
      if !isWaiting { waiter.resume() }
    }
  }

  @discardableResult private func change<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
    let (result, waiter) = state.withLock { state in (change(&state), state.takeWaiter()) }
    waiter?.resume()
    return result
  }
}

extension ReplayedConversation {
  /// Plays the server's side to a client.
  ///
  /// A client whose message differs from the next recorded one receives a close frame with code 1008 (RFC 6455 §7.4.1).
  ///
  /// - Throws: The error that aborts the connection as recorded.
  func serve(_ socket: any WebSocketConnection) async throws {
    // An unstructured task, because cancellation would abort the connection before its recorded end. It ends with the
    // connection.
    let listening = Task { await listen(to: socket) }
    if let error = await play(to: socket) { throw error }
    await listening.value
  }

  /// - Returns: The error with which to abort the connection, once it is due.
  private func play(to socket: any WebSocketConnection) async -> (any Error)? {
    do {
      while true {
        switch try await next() {
        case .message(let message):
          try await socket.send(message)
        case .end(.closed(by: .server, let closure)):
          await socket.close(closure)
          return nil
        case .end(.closed), .end(.unfinished):
          // The recorded client disconnected first.
          return nil
        case .end(.cutOff(let limit)):
          return TransportError.cutOff("WebSocket of entry \(script.entry)", at: limit)
        case .end(.failed(let error)):
          return error.code == .timedOut ? ConnectionBreak.silence : error
        }
      }
    } catch {
      // The client received the reason, or has disconnected.
      return nil
    }
  }

  private func listen(to socket: any WebSocketConnection) async {
    do {
      while let message = try await socket.receive() {
        do throws(TransportError) {
          try hear(message)
        } catch  where error.code == .invalidRequest {
          await socket.close(WebSocketClosure(.policyViolation, "The message is not the next recorded one."))
        } catch {
          // The message arrived after the end.
        }
      }
      _ = leave(socket.closure ?? WebSocketClosure(.noStatus))
    } catch {
      breakOff()
    }
  }
}
