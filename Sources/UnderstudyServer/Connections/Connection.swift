import Foundation
import Understudy
import UnderstudyHTTP

/// One client's connection: reads its requests, has them answered, and sends the answers in the same order.
///
/// One task does all of it, on the server's event loop where tasks can choose. It waits for the socket alone, so it
/// ends when the socket is closed; the task is cancelled to tell a handler that its client has left.
final class Connection: Sendable {
  private struct State: Sendable {
    var stage = Stage.idle
    /// When the stage began, and when it is over, by the server's watch.
    var since: Duration
    var deadline: Duration?
    /// What is being answered.
    var request: (method: HTTP.Method, url: URL)?
    /// The client took longer than the stage may last.
    var hasExpired = false
    /// The server wants no more requests.
    var isClosing = false
    /// The client has ended its side, or is gone.
    var hasPeerLeft = false
    /// How many requests it has brought.
    var requests = 0
    /// What it speaks in place of HTTP.
    var service: WebSocketService?
    var task: Task<Void, Never>?
    var isCancelled = false
  }

  let server: ServerCore
  let socket: TCPSocket
  private let state: Locked<State>

  init(_ socket: TCPSocket, of server: ServerCore) {
    self.socket = socket
    self.server = server
    let now = server.watch.elapsed
    state = Locked(State(since: now, deadline: now + server.limits.idleTime))
    socket.onHangUp { [weak self] in self?.peerLeft() }
  }

  // MARK: - The task

  // What follows stays with its caller by `nonisolated(nonsending)`: else each call looks up the task's executor twice,
  // to find that it is there already, which took a twentieth of the time of a small request.

  /// Serves the client until one of both has enough.
  nonisolated(nonsending) func run() async {
    var parser = RequestParser(limits: server.limits, authority: server.authority)
    var output = ResponseBuffer()
    do {
      while let (head, body) = try await nextRequest(&parser, &output) {
        // The client sends it again, on a connection on which it will believe in whatever then happens.
        if isReused, server.plans.endConnections { break }
        guard try await answer(head, body, &parser, &output) else { break }
      }
      await socket.close()
    } catch let refusal as RequestRefusal {
      await refuse(refusal, &output)
    } catch {
      // The socket has failed, or was closed from outside.
      socket.abort()
    }
  }

  /// Reads a request, or finds that no more comes.
  private nonisolated(nonsending) func nextRequest(
    _ parser: inout RequestParser, _ output: inout ResponseBuffer
  ) async throws -> (RequestHead, Data?)? {
    var head: RequestHead?
    while true {
      switch try parser.next() {
      case .head(let read):
        head = read
        // Not to a client that has not waited (RFC 9110 §10.1.1).
        if read.expectsContinue, read.framing != .none, !parser.hasUnread {
          try await send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
      case .body(let body):
        if let head { return (head, body) }
      case nil:
        let stage: Stage = parser.isBetweenRequests ? .idle : parser.isInBody ? .body : .head
        guard let bytes = try await receive(at: stage) else { return nil }
        parser.append(bytes)
      }
    }
  }

  /// The next bytes, or `nil` at the end of the connection.
  private nonisolated(nonsending) func receive(at stage: Stage) async throws -> [UInt8]? {
    while true {
      switch try socket.receive() {
      case .bytes(let bytes):
        await letOthersRun(after: bytes)
        return bytes
      case .end: return nil
      case .nothing:
        guard enter(stage) else {
          if stage == .idle { return nil }
          let what = stage == .head ? "The head of the request took" : "The body of the request paused for"
          throw RequestRefusal(408, "\(what) longer than \(stage.limit(server.limits) ?? .zero).")
        }
        await socket.waitUntilReadable()
      }
    }
  }

  /// Sends the end of an answer behind which nothing has been asked yet.
  ///
  /// It is idle before the client can know that the answer is complete: whoever ends it from then on, ends it before
  /// the client uses it again.
  nonisolated(nonsending) func sendEnd(_ bytes: [UInt8]) async throws {
    let now = server.watch.elapsed
    let position = try state.withLock { state in
      let position = try socket.send(bytes)
      if position == bytes.count {
        state.stage = .idle
        state.since = now
        state.deadline = Stage.idle.limit(server.limits).map { now + $0 }
        state.request = nil
      }
      return position
    }
    if position < bytes.count { try await send(bytes, from: position) }
  }

  /// Sends all of it, however long the client takes to read.
  nonisolated(nonsending) func send(_ bytes: [UInt8], from start: Int = 0) async throws {
    var position = try socket.send(bytes, from: start)
    while position < bytes.count {
      guard enter(.sending) else { throw SocketError(.timedOut, "The client did not read the answer.") }
      await socket.waitUntilWritable()
      position = try socket.send(bytes, from: position)
    }
  }

  /// Answers a request that the handler does not see, and parts.
  private nonisolated(nonsending) func refuse(
    _ refusal: RequestRefusal, _ output: inout ResponseBuffer
  ) async {
    server.observer?.refusal(refusal.status, refusal.reason)
    do {
      output.begin()
      output.writeRefusal(refusal, date: server.time.now)
      try await send(output.bytes)
      // If it closed while the client still sends, the client would be reset and might lose the answer
      // (RFC 9112 §9.6).
      socket.endWriting()
      while enter(.farewell) {
        switch try socket.receive() {
        case .bytes(let bytes): await letOthersRun(after: bytes)
        case .end: return await socket.close()
        case .nothing: await socket.waitUntilReadable()
        }
      }
    } catch {}
    socket.abort()
  }

  /// Gives way to the other connections: a client that sends without a pause never makes this one wait.
  private nonisolated(nonsending) func letOthersRun(after bytes: [UInt8]) async {
    if bytes.count >= 16 << 10 { await Task.yield() }
  }

  // MARK: - Its stage

  /// Notes what it is about from now on.
  ///
  /// - Returns: Whether it may go on.
  @discardableResult func enter(
    _ stage: Stage, _ request: (method: HTTP.Method, url: URL)? = nil
  ) -> Bool {
    let now = server.watch.elapsed
    let (mayGoOn, orphan) = state.withLock { state -> (Bool, Task<Void, Never>?) in
      if state.isClosing && stage == .idle { return (false, nil) }
      if state.hasExpired {
        if stage == state.stage { return (false, nil) }
        // It was late with what came before, not with this.
        state.hasExpired = false
      }
      // A head, and a farewell, have their time as a whole, and not from one byte to the next.
      if stage == state.stage, stage == .head || stage == .farewell { return (true, nil) }
      state.stage = stage
      state.since = now
      state.deadline = stage.limit(server.limits).map { now + $0 }
      if let request {
        state.request = request
        state.requests += 1
      }
      if stage == .idle { state.request = nil }
      // It left while its request was still being read, when there was no handler to be told.
      guard stage == .answer, state.hasPeerLeft, !state.isCancelled else { return (true, nil) }
      state.isCancelled = true
      return (true, state.task)
    }
    orphan?.cancel()
    return mayGoOn
  }

  /// Speaks another protocol from now on.
  ///
  /// - Returns: Whether the server is closing, so that ``finish()`` will not say goodbye.
  func upgrade(to service: WebSocketService) -> Bool {
    enter(.upgraded)
    return state.withLock { state in
      state.service = service
      return state.isClosing
    }
  }

  /// Whether the server wants no further request.
  var isClosing: Bool { state.withLock { $0.isClosing } }

  /// Whether it has brought a request before.
  var isReused: Bool { state.withLock { $0.requests > 0 } }

  /// Ends it if its stage has lasted too long.
  ///
  /// - Returns: When it will have, if ever.
  func expire(at now: Duration) -> Duration? {
    let (deadline, stage) = state.withLock { state -> (Duration?, Stage?) in
      guard let deadline = state.deadline, !state.hasExpired else { return (nil, nil) }
      guard deadline <= now else { return (deadline, nil) }
      state.hasExpired = true
      return (nil, state.stage)
    }
    switch stage {
    case .idle, .head, .body: socket.nudgeReader()
    case .sending, .farewell: socket.abort()
    case .answer, .silence, .upgraded, nil: break
    }
    return deadline
  }

  /// Lets it end with the answer that is under way, or at once if there is none.
  func finish() {
    let (stage, service) = state.withLock { state in
      state.isClosing = true
      return (state.stage, state.service)
    }
    switch stage {
    case .idle:
      // At once, so that a client that looks before it uses the connection again finds it closed.
      socket.endWriting()
      socket.nudgeReader()
    case .silence, .farewell: socket.abort()
    case .upgraded: if let service { Task { await service.goAway() } }
    case .head, .body, .answer, .sending: break
    }
  }

  /// Breaks it off, and cancels whatever makes an answer.
  func cut() {
    socket.abort()
    cancel(if: { _ in true })
  }

  // MARK: - Its handler

  /// Takes the task that runs it, to cancel it.
  func adopt(_ task: Task<Void, Never>) {
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  private func peerLeft() {
    state.withLock { $0.hasPeerLeft = true }
    // A WebSocket finds out by itself: what came before the end is still to be read.
    cancel { $0 == .answer || $0 == .sending || $0 == .silence }
  }

  private func cancel(if isConcerned: (Stage) -> Bool) {
    let task = state.withLock { state -> Task<Void, Never>? in
      guard isConcerned(state.stage) else { return nil }
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }

  /// What it is about, for people.
  var status: ConnectionStatus {
    let now = server.watch.elapsed
    return state.withLock { state in
      ConnectionStatus(
        stage: state.stage, method: state.request?.method, url: state.request?.url,
        duration: now - state.since)
    }
  }
}
