import Foundation
import Understudy
import UnderstudyHTTP

/// A client connection: reads requests, passes them to the responder, and sends the responses in order.
///
/// One task does all of this, on the server's event loop where tasks support executor preferences. The task only waits
/// for the socket, so it ends when the socket is closed. It is cancelled to notify a handler that its client has
/// disconnected.
final class Connection: Sendable {
  private struct State: Sendable {
    var stage = Stage.idle
    /// The start and the deadline of the stage, on the server's stopwatch.
    var since: Duration
    var deadline: Duration?
    /// The request being answered.
    var request: (method: HTTP.Method, url: URL)?
    /// Whether the client exceeded the time limit of the stage.
    var hasExpired = false
    /// Whether the server accepts no further requests.
    var isClosing = false
    /// Whether the client has closed its side or disconnected.
    var hasPeerLeft = false
    /// The number of requests received.
    var requests = 0
    /// The WebSocket service after an upgrade.
    var service: WebSocketService?
    var task: Task<Void, Never>?
    var isCancelled = false
  }

  let server: ServerCore
  let socket: TCPSocket
  private let place: RequestPlace
  private let state: Locked<State>

  init(_ socket: TCPSocket, of server: ServerCore, _ place: RequestPlace) {
    self.socket = socket
    self.server = server
    self.place = place
    let now = server.watch.elapsed
    state = Locked(State(since: now, deadline: now + server.limits.idleTime))
    socket.onHangUp { [weak self] in self?.peerLeft() }
  }

  // MARK: - Task

  // The following functions are `nonisolated(nonsending)` to stay on their caller's executor. Otherwise each call looks
  // up the task's executor twice, although it is already there. This took 5% of the time of a small request.

  /// Serves the client until the client or the server ends the connection.
  nonisolated(nonsending) func run() async {
    var parser = RequestParser(limits: server.limits, place)
    var output = ResponseBuffer()
    do {
      while let (head, body) = try await nextRequest(&parser, &output) {
        // The client retries on a new connection, where it reports the failure that follows.
        if isReused, server.plans.endConnections { break }
        if head.method == .connect, let tunnels = server.tunnels {
          guard try await openTunnel(to: head.url, tunnels, &parser) else { break }
          continue
        }
        guard try await answer(head, body, &parser, &output) else { break }
        // Yields, because neither reading nor sending suspends while pipelined requests are buffered.
        if parser.hasUnread { await Task.yield() }
      }
      await socket.close()
    } catch let refusal as RequestRefusal {
      await refuse(refusal, &output)
    } catch {
      // The socket failed or was closed by another task.
      socket.abort()
    }
  }

  /// Reads the next request; `nil` if there are no more.
  private nonisolated(nonsending) func nextRequest(
    _ parser: inout RequestParser, _ output: inout ResponseBuffer
  ) async throws -> (RequestHead, Data?)? {
    var head: RequestHead?
    while true {
      switch try parser.next() {
      case .head(let read):
        head = read
        // Not for a client that did not wait (RFC 9110 §10.1.1).
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

  /// The next bytes; `nil` at the end of the connection.
  nonisolated(nonsending) func receive(at stage: Stage) async throws -> [UInt8]? {
    while true {
      switch try socket.receive() {
      case .bytes(let bytes):
        await letOthersRun(after: bytes)
        return bytes
      case .end: return nil
      case .nothing:
        guard enter(stage) else {
          if stage == .idle { return nil }
          throw timeout(at: stage)
        }
        await socket.waitUntilReadable()
      }
    }
  }

  private func timeout(at stage: Stage) -> RequestRefusal {
    let limits = server.limits
    if stage == .head {
      return RequestRefusal(408, "The head of the request took longer than \(limits.headTime).")
    }
    let concernsWholeBody = state.withLock { $0.deadline == $0.since + limits.wholeBodyTime }
    return concernsWholeBody
      ? RequestRefusal(408, "The body of the request took longer than \(limits.wholeBodyTime).")
      : RequestRefusal(408, "The body of the request paused for longer than \(limits.bodyTime).")
  }

  /// Sends the end of a response when no further request has been received.
  ///
  /// The connection becomes idle before the client can know that the response is complete. From then on, closing it
  /// takes effect before the client reuses it.
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

  /// Sends all bytes, and waits while the client reads slowly.
  nonisolated(nonsending) func send(_ bytes: [UInt8], from start: Int = 0) async throws {
    var position = start
    // One call of `socket.send`: the optimizer of Swift 6.3.1 crashes on a second one after the suspension.
    while true {
      position = try socket.send(bytes, from: position)
      if position >= bytes.count { return }
      guard enter(.sending) else { throw SocketError(.timedOut, "The client does not read the response.") }
      await socket.waitUntilWritable()
    }
  }

  /// Responds to a request that does not reach the handler, and closes the connection.
  private nonisolated(nonsending) func refuse(
    _ refusal: RequestRefusal, _ output: inout ResponseBuffer
  ) async {
    server.observer?.refusal(refusal.status, refusal.reason)
    do {
      output.begin()
      output.writeRefusal(refusal, date: server.time.now)
      try await send(output.bytes)
      return await farewell()
    } catch {}
    socket.abort()
  }

  /// Ends the sending side, and closes the connection when the client has closed its own.
  ///
  /// Closing while the client still sends would reset the connection, and the client might lose the response
  /// (RFC 9112 §9.6).
  nonisolated(nonsending) func farewell() async {
    do {
      socket.endWriting()
      while enter(.farewell) {
        switch try socket.receive() {
        case .bytes(let bytes): await letOthersRun(after: bytes)
        case .end: return await socket.close()
        case .nothing: await socket.waitUntilReadable()
        }
      }
      if isClosing { return await socket.close() }
    } catch {}
    socket.abort()
  }

  /// Yields to the other connections, because reading never suspends while a client sends continuously.
  private nonisolated(nonsending) func letOthersRun(after bytes: [UInt8]) async {
    if bytes.count >= 16 << 10 { await Task.yield() }
  }

  // MARK: - Stage

  /// Enters a stage.
  ///
  /// - Returns: Whether the connection may continue.
  @discardableResult func enter(
    _ stage: Stage, _ request: (method: HTTP.Method, url: URL)? = nil
  ) -> Bool {
    let now = server.watch.elapsed
    let (mayGoOn, orphan) = state.withLock { state -> (Bool, Task<Void, Never>?) in
      // A server that closes waits neither for a request nor for the end of a client that has its response.
      if state.isClosing && (stage == .idle || stage == .farewell) { return (false, nil) }
      if state.hasExpired {
        if stage == state.stage { return (false, nil) }
        // The limit of the previous stage was exceeded, not the limit of this one.
        state.hasExpired = false
      }
      // For a head and for a farewell, the limit applies to the whole stage, not to the time between two bytes.
      if stage == state.stage, stage == .head || stage == .farewell { return (true, nil) }
      // For a body, one limit applies to the whole stage, and one to the time between two bytes.
      if stage != .body || stage != state.stage { state.since = now }
      state.stage = stage
      state.deadline = stage.limit(server.limits).map { now + $0 }
      if stage == .body, let deadline = state.deadline {
        state.deadline = min(deadline, state.since + server.limits.wholeBodyTime)
      }
      if let request {
        state.request = request
        state.requests += 1
      }
      if stage == .idle { state.request = nil }
      // The client disconnected while its request was read, before there was a handler to cancel.
      guard stage == .answer, state.hasPeerLeft, !state.isCancelled else { return (true, nil) }
      state.isCancelled = true
      return (true, state.task)
    }
    orphan?.cancel()
    return mayGoOn
  }

  /// Switches to another protocol.
  ///
  /// - Returns: Whether ``finish()`` was called before; the caller must then start the closing handshake.
  func upgrade(to service: WebSocketService) -> Bool {
    enter(.upgraded)
    return state.withLock { state in
      state.service = service
      return state.isClosing
    }
  }

  /// Whether the server accepts no further requests.
  var isClosing: Bool { state.withLock { $0.isClosing } }

  /// Whether an earlier request was received on this connection.
  var isReused: Bool { state.withLock { $0.requests > 0 } }

  /// Aborts the connection if its stage has exceeded its limit.
  ///
  /// - Returns: The deadline of the stage; `nil` if it has none.
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

  /// Closes the connection after the response in progress, or immediately if no response is in progress.
  func finish() {
    let (stage, service) = state.withLock { state in
      state.isClosing = true
      return (state.stage, state.service)
    }
    switch stage {
    case .idle:
      // Closed immediately, so that a client that checks the connection before reusing it finds it closed.
      socket.endWriting()
      socket.nudgeReader()
    case .silence, .farewell: socket.abort()
    case .upgraded: if let service { Task { await service.goAway() } }
    case .head, .body, .answer, .sending: break
    }
  }

  /// Aborts the connection and cancels the handler.
  func cut() {
    socket.abort()
    cancel(if: { _ in true })
  }

  // MARK: - Handler

  /// Stores the task that runs the connection, to cancel it.
  func adopt(_ task: Task<Void, Never>) {
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  private func peerLeft() {
    state.withLock { $0.hasPeerLeft = true }
    // A WebSocket detects this itself, because it still has to read the messages before the end.
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

  /// The state of the connection, for diagnostics.
  var status: ConnectionStatus {
    let now = server.watch.elapsed
    return state.withLock { state in
      ConnectionStatus(
        stage: state.stage, method: state.request?.method, url: state.request?.url,
        duration: now - state.since)
    }
  }
}

/// The stage of a connection.
enum Stage: Sendable, Hashable {
  /// Waiting for a request.
  case idle
  /// Reading the head of a request.
  case head
  /// Reading the body of a request.
  case body
  /// Waiting for the handler's response.
  case answer
  /// Waiting for a client that reads the response slowly.
  case sending
  /// Kept silent by a fault until the client disconnects.
  case silence
  /// Waiting until the client has read the last response.
  case farewell
  /// Using another protocol.
  case upgraded

  /// The time limit of the stage; `nil` if it has none.
  func limit(_ limits: ServerLimits) -> Duration? {
    switch self {
    case .idle: limits.idleTime
    case .head: limits.headTime
    case .body: limits.bodyTime
    case .sending: limits.writeTime
    case .farewell: .seconds(2)
    case .answer, .silence, .upgraded: nil
    }
  }
}

/// A stopwatch that measures the time since it was created.
struct StopWatch: Sendable {
  private let read: @Sendable () -> Duration

  init(_ time: Time) {
    self.init(time.clock)
  }

  private init(_ clock: some Clock<Duration>) {
    let start = clock.now
    read = { start.duration(to: clock.now) }
  }

  var elapsed: Duration { read() }
}
