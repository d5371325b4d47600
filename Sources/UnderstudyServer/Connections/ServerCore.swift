import Foundation
import Understudy
import UnderstudyHTTP

/// A server whatever its handler: its listener, its connections, and their deadlines.
final class ServerCore: Sendable {
  private struct State: Sendable {
    var listener: TCPListener?
    var connections: [ObjectIdentifier: Connection] = [:]
    var isClosing = false
    /// How many changes of the plans have not been carried out.
    var adaptations = 0
    /// The task that looks at the deadlines.
    var sweeper: Task<Void, Never>?
    /// The sweeper, while there is nothing to look at.
    var idleSweeper: CheckedContinuation<Void, Never>?
    /// Who waits until the last connection is over.
    var closers: [CheckedContinuation<Void, Never>] = []
  }

  let handler: any WireResponder
  let plans: ServerPlans
  let limits: ServerLimits
  let time: Time
  let watch: StopWatch
  let observer: ServerObserver?
  let port: UInt16
  private let loop: EventLoop
  private let reservation: PortReservation
  private let state: Locked<State>

  /// What stands for the host in a URL of this server.
  var authority: String { "127.0.0.1:\(port)" }

  init<Handler: HTTPHandler>(
    _ handler: Intercepted<Handler>, plans: [FaultPlanCore], port: UInt16, limits: ServerLimits, time: Time,
    observer: ServerObserver?
  ) throws(SocketError) {
    self.plans = ServerPlans(plans)
    self.limits = limits
    self.time = time
    self.observer = observer
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
    // What changed between the first look and the observation.
    plansChanged()
    let sweeper = loop.task { [self] in await sweep() }
    state.withLock { $0.sweeper = sweeper }
  }

  // MARK: - Listening

  /// Listens, unless a plan says that nothing is to.
  private func listen() throws(SocketError) {
    guard !plans.refuseConnections, state.withLock({ $0.listener == nil && !$0.isClosing }) else { return }
    let listener = try TCPListener(port: port, on: loop)
    let isTaken = state.withLock { state in
      guard !state.isClosing, state.listener == nil else { return false }
      state.listener = listener
      return true
    }
    guard isTaken else { return listener.close() }
    try listener.start { [self] in accept($0) }
  }

  /// Does what the plans now say; one caller after another, and for a change meanwhile once more.
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
      // Where the port is reserved nobody else can listen there; without descriptors clients stay refused.
      try? listen()
      if plans.endConnections {
        for connection in connections where connection.isReused { connection.finish() }
      }
    }
  }

  // MARK: - Connections

  private func accept(_ socket: TCPSocket) {
    let connection = Connection(socket, of: self)
    let (isTaken, idleSweeper) = state.withLock { state in
      if state.isClosing { return (false, nil as CheckedContinuation<Void, Never>?) }
      state.connections[ObjectIdentifier(connection)] = connection
      defer { state.idleSweeper = nil }
      return (true, state.idleSweeper)
    }
    guard isTaken else { return socket.abort() }
    idleSweeper?.resume()
    let task = loop.task { [self] in
      await connection.run()
      remove(connection)
    }
    connection.adopt(task)
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

  /// What each connection is about.
  var statuses: [ConnectionStatus] { connections.map(\.status) }

  // MARK: - Deadlines

  /// Looks at all deadlines whenever the first of them may have come.
  ///
  /// A deadline that is set meanwhile is at least the shortest limit away, so nobody has to tell it.
  private func sweep() async {
    let shortest = [limits.headTime, limits.bodyTime, limits.idleTime, limits.writeTime, .seconds(2)].min()
    while !Task.isCancelled {
      let now = watch.elapsed
      let connections = connections
      if connections.isEmpty {
        await waitForConnection()
        continue
      }
      let next = connections.compactMap { $0.expire(at: now) }.min()
      let pause = min(next.map { $0 - now } ?? .seconds(2), max(shortest ?? .zero, .milliseconds(1)))
      // A time that jumps does not jump for this: nobody wants these deadlines to come.
      try? await SleepPurpose.$current.withValue(.deadline) { try await time.sleep(for: pause) }
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

  // MARK: - The end

  /// Accepts no more, and returns once every connection is over.
  ///
  /// Exchanges under way have a time of grace, and are then cut off.
  func close(grace: Duration) async {
    stopAccepting()
    for connection in connections { connection.finish() }
    if grace <= .zero { cut() }
    let cutter = Task {
      try await SleepPurpose.$current.withValue(.deadline) { try await self.time.sleep(for: grace) }
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

  /// Accepts no more, and cuts every connection off.
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

  /// Ends the loop, as there is nothing left to serve.
  private func end() {
    let closers = state.withLock { state in
      defer { state.closers = [] }
      return state.closers
    }
    for closer in closers { closer.resume() }
    loop.stop()
  }
}
