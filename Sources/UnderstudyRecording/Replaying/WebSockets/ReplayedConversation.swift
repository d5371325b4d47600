import Understudy
import UnderstudyHTTP

/// A recorded WebSocket that is played again, from either side: it hears what the client sends, and says what the
/// server said.
final class ReplayedConversation: Sendable {
  /// What the server does next.
  enum Event: Sendable {
    case message(WebSocketMessage)
    case end(HTTPArchive.WebSocketEnd.Cause)
  }

  private enum Phase: Sendable {
    case open
    /// The client has said goodbye.
    case left(WebSocketClosure)
    /// The end was reached.
    case over(TransportError)
    case broken

    /// What the client is told that does something.
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
    /// How many cues were given, and lines said.
    var heard = 0
    var said = 0
    var isListening = false
    /// Who waits for the client.
    var waiter: CheckedContinuation<Void, Never>?

    mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
      defer { waiter = nil }
      return waiter
    }

    /// - Returns: Whether it can be said still.
    mutating func say() -> Bool {
      if case .broken = phase { return false }
      said += 1
      return true
    }

    /// - Returns: Whether nothing has happened that comes before the end.
    mutating func end(_ cause: HTTPArchive.WebSocketEnd.Cause) -> Bool {
      switch phase {
      case .broken: return false
      case .left, .over: return true
      case .open:
        switch cause {
        case .closed: phase = .over(.webSocketClosed)
        case .failed: phase = .over(.webSocketLost)
        // The client may still be told that it sends more than was recorded.
        case .unfinished: break
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

  /// Says why a message is not the next one; `nil` if it is, and then it counts as sent.
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

  // MARK: The client

  /// Takes a message of the client.
  ///
  /// - Throws: `.invalidRequest` for one that is not the next of the recording, which breaks the connection;
  ///   `.connectionLost` on one that is over.
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

  /// Takes a ping of the client.
  ///
  /// - Throws: `.connectionLost` on a connection that is over.
  func answerPing() throws(TransportError) {
    if let error = state.withLock({ $0.phase.error }) { throw error }
  }

  /// Takes the goodbye of the client.
  ///
  /// - Returns: Whether it was open until now.
  func leave(_ closure: WebSocketClosure) -> Bool {
    change { state in
      guard case .open = state.phase else { return false }
      state.phase = .left(closure)
      return true
    }
  }

  /// Nothing more is heard or said.
  func breakOff() {
    change { $0.phase = .broken }
  }

  // MARK: The server

  /// What the server does next, once the client has sent what was sent before it.
  ///
  /// After the client's goodbye it is the end as soon as a message would wait for one that was not sent. The end comes
  /// again each time.
  ///
  /// - Throws: `.cancelled`, which breaks the connection; `.connectionLost` on one that is broken.
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
        self.breakOff()
      }
    } catch {
      if Task.isCancelled { throw TransportError(.cancelled, "The task was cancelled.", cause: error) }
      throw TransportError(wrapping: error)
    }
  }

  private func awaitNext() async throws -> Event {
    while true {
      switch state.withLock({ situation($0) }) {
      case .line(let line):
        try await pauses?.pass(line.pause, within: nil)
        // The client may have broken it off in the meantime.
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

  /// Returns once the client has done something that may matter.
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
