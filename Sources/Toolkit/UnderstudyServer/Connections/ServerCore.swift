import Foundation
import Understudy
import UnderstudyHTTP

/// A server independent of its handler type: its listener, its connections and their deadlines.
final class ServerCore: Sendable {
  private struct State: Sendable {
    var listener: TCPListener?
    var connections: [ObjectIdentifier: Connection] = [:]
    var isClosing = false
    /// The number of plan changes that are not applied yet.
    var adaptations = 0
    /// The task that checks the deadlines.
    var sweeper: Task<Void, Never>?
    /// The continuation of the sweeper while there are no deadlines.
    var idleSweeper: CheckedContinuation<Void, Never>?
    /// The continuations that wait for the last connection to end.
    var closers: [CheckedContinuation<Void, Never>] = []
  }

  let handler: any WireResponder
  let plans: ServerPlans
  let limits: ServerLimits
  let time: Time
  let watch: StopWatch
  let observer: ServerObserver?
  /// The tunnels of a forward proxy; `nil` for other servers.
  let tunnels: (any TunnelProvider)?
  /// The memory for unfinished WebSocket messages.
  let unfinishedMessages: ByteBudget
  let port: UInt16
  let loop: EventLoop
  private let reservation: PortReservation
  private let state: Locked<State>

  /// The authority in URLs of this server.
  var authority: String { "127.0.0.1:\(port)" }

  init<Handler: HTTPHandler>(
    _ handler: Intercepted<Handler>, plans: [FaultPlanCore], port: UInt16, limits: ServerLimits, time: Time,
    observer: ServerObserver?, tunnels: (any TunnelProvider)? = nil
  ) throws(SocketError) {
    self.plans = ServerPlans(plans)
    self.limits = limits
    self.time = time
    self.observer = observer
    self.tunnels = tunnels
    unfinishedMessages = ByteBudget(limits.unfinishedMessageBytes)
    watch = StopWatch(time)
    let responder = WireHandler(handler, self.plans)
    self.handler =
      if let observer {
        ObservedResponder(responder, observer: observer, watch: watch)
      } else {
        responder
      }
    loop = try EventLoop.start(named: "MockServer")
    do throws(SocketError) {
      reservation = try PortReservation(port: port)
      self.port = reservation.port
      state = Locked(State())
      try listen()
    } catch {
      loop.stop()
      throw error
    }
    self.plans.observe { [weak self] in self?.plansChanged() }
    // Applies changes between the first check and the registration of the observer.
    plansChanged()
    let sweeper = loop.task { [self] in await sweep() }
    state.withLock { $0.sweeper = sweeper }
  }

  // MARK: - Listening

  /// Starts listening, unless a plan refuses connections.
  private func listen() throws(SocketError) {
    guard !plans.refuseConnections, state.withLock({ $0.listener == nil && !$0.isClosing }) else { return }
    let listener = try TCPListener(port: port, on: loop)
    let isTaken = state.withLock { state in
      guard !state.isClosing, state.listener == nil else { return false }
      state.listener = listener
      return true
    }
    guard isTaken else { return listener.close() }
    let place = tunnels == nil ? RequestPlace.server(authority: authority) : .proxy
    try listener.start { [self] in accept($0, place) }
  }

  /// Applies the current plans, one caller at a time; repeats if they change meanwhile.
  private func plansChanged() {
    let isFirst = state.withLock { state in
      defer { state.adaptations += 1 }
      return state.adaptations == 0
    }
    guard isFirst else { return }
    var seen = 1
    repeat {
      adapt()
      seen = state.withLock { state in
        state.adaptations -= seen
        return state.adaptations
      }
    } while seen > 0
  }

  private func adapt() {
    plans.look()
    if plans.refuseConnections {
      let listener = state.withLock { state in
        defer { state.listener = nil }
        return state.listener
      }
      listener?.close()
      for connection in connections { connection.finish() }
    } else {
      // No other process can listen on a reserved port. Without file descriptors, clients are still refused.
      try? listen()
      if plans.endConnections {
        for connection in connections where connection.isReused { connection.finish() }
      }
    }
  }

  // MARK: - Connections

  /// Serves a connection; resets it if the server is closing.
  @discardableResult func accept(_ socket: TCPSocket, _ place: RequestPlace) -> Connection {
    let connection = Connection(socket, of: self, place)
    let (isTaken, idleSweeper) = state.withLock { state in
      if state.isClosing { return (false, nil as CheckedContinuation<Void, Never>?) }
      state.connections[ObjectIdentifier(connection)] = connection
      defer { state.idleSweeper = nil }
      return (true, state.idleSweeper)
    }
    guard isTaken else {
      socket.abort()
      return connection
    }
    idleSweeper?.resume()
    let task = loop.task { [self] in
      await connection.run()
      remove(connection)
    }
    connection.adopt(task)
    return connection
  }

  private func remove(_ connection: Connection) {
    let (isLast, listener) = state.withLock { state in
      state.connections[ObjectIdentifier(connection)] = nil
      return (state.isClosing && state.connections.isEmpty, state.listener)
    }
    listener?.retry()
    if isLast { end() }
  }

  private var connections: [Connection] { state.withLock { Array($0.connections.values) } }

  /// The state of each connection.
  var statuses: [ConnectionStatus] { connections.map(\.status) }

  // MARK: - Deadlines

  /// Checks all deadlines whenever the earliest may have passed.
  ///
  /// A deadline that is set meanwhile is at least the shortest limit away, so it does not need to wake the sweeper. That
  /// of a whole body may be closer, and is checked at most that much later.
  private func sweep() async {
    let shortest = [
      limits.headTime, limits.bodyTime, limits.wholeBodyTime, limits.idleTime, limits.writeTime, .seconds(2),
    ].min()
    while !Task.isCancelled {
      let now = watch.elapsed
      let connections = connections
      if connections.isEmpty {
        await waitForConnection()
        continue
      }
      let next = connections.compactMap { $0.expire(at: now) }.min()
      let pause = min(next.map { $0 - now } ?? .seconds(2), max(shortest ?? .zero, .milliseconds(1)))
      // An immediate clock must not skip this sleep: these deadlines are limits, not expected delays.
      try? await time.sleep(inBackgroundFor: pause)
    }
  }

  private func waitForConnection() async {
    await withCheckedContinuation { continuation in
      let mustLook = state.withLock { state in
        if state.isClosing || !state.connections.isEmpty { return true }
        state.idleSweeper = continuation
        return false
      }
      if mustLook { continuation.resume() }
    }
  }

  // MARK: - Closing

  /// Stops accepting connections, and returns once every connection has ended.
  ///
  /// Exchanges in progress have a grace period, after which they are aborted.
  func close(grace: Duration) async {
    stopAccepting()
    for connection in connections { connection.finish() }
    if grace <= .zero { cut() }
    let cutter = Task {
      try await self.time.sleep(inBackgroundFor: grace)
      self.cut()
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.connections.isEmpty { return true }
          state.closers.append(continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      self.cut()
    }
    cutter.cancel()
    await loop.join()
  }

  /// Stops accepting connections, and aborts all connections.
  func cut() {
    stopAccepting()
    for connection in connections { connection.cut() }
  }

  private func stopAccepting() {
    plans.stopObserving()
    let (listener, sweeper, idleSweeper, isEmpty) = state.withLock { state in
      let parts = (
        state.listener, state.sweeper, state.idleSweeper, !state.isClosing && state.connections.isEmpty
      )
      state.isClosing = true
      state.listener = nil
      state.sweeper = nil
      state.idleSweeper = nil
      return parts
    }
    listener?.close()
    sweeper?.cancel()
    idleSweeper?.resume()
    if isEmpty { end() }
  }

  /// Ends the event loop after the last connection.
  private func end() {
    let closers = state.withLock { state in
      defer { state.closers = [] }
      return state.closers
    }
    for closer in closers { closer.resume() }
    loop.stop()
  }
}
