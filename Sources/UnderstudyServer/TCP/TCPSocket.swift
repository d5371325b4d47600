import Understudy

/// A TCP connection on an ``EventLoop``.
///
/// It stays open, and the loop holds it, until it is closed or broken off. All calls on the descriptor are made
/// under the lock and never wait, so nobody can use a number that the system has given to somebody else meanwhile.
package final class TCPSocket: Sendable {
  typealias Waiter = CheckedContinuation<Void, Never>

  struct State: Sendable {
    /// `nil` once it is closed.
    var descriptor: Descriptor?
    var token: UInt64?
    // Whether the next try may succeed. Events come only when this changes, so it starts and errs on the safe side.
    var mayRead = true
    var mayWrite = true
    /// The peer has ended its side.
    var hasPeerEnded = false
    /// The connection has been reset, or failed.
    var hasFailed = false
    var reader: Waiter?
    var writer: Waiter?
    /// Who wants to know when the peer leaves, without reading.
    var hangUp = HangUp()
  }

  struct HangUp: Sendable {
    var action: (@Sendable () -> Void)?
    var waiter: Waiter?

    func tell() {
      action?()
      waiter?.resume()
    }
  }

  let loop: EventLoop
  let state: Locked<State>

  /// Takes over a descriptor, or closes it if that fails.
  ///
  /// - Parameter isConnecting: Whether the socket is writable only once it is connected.
  init(_ descriptor: Descriptor, on loop: EventLoop, isConnecting: Bool = false) throws(SocketError) {
    self.loop = loop
    state = Locked(State(descriptor: descriptor, mayRead: !isConnecting, mayWrite: !isConnecting))
    do throws(SocketError) {
      let token = try loop.watch(descriptor.number, self)
      state.withLock { $0.token = token }
    } catch {
      state.withLock { $0.descriptor = nil }
      descriptor.release()
      throw error
    }
  }

  // MARK: - Waiting

  enum Direction: Sendable {
    case reading
    case writing
  }

  /// Returns when the next try may succeed.
  ///
  /// - Throws: `.cancelled` when the task is cancelled first.
  func wait(for direction: Direction) async throws(SocketError) {
    await withTaskCancellationHandler {
      await suspend(direction) { Task.isCancelled }
    } onCancel: {
      state.withLock { $0.takeWaiter(direction) }?.resume()
    }
    try checkCancellation()
  }

  func checkCancellation() throws(SocketError) {
    if Task.isCancelled { throw SocketError(.cancelled, "The task was cancelled.") }
  }

  /// - Parameter isOver: Asked under the lock whether there is no need to wait.
  nonisolated(nonsending) func suspend(_ direction: Direction, unless isOver: () -> Bool) async {
    await withCheckedContinuation { waiter in
      let displaced = state.withLock { state -> Waiter? in
        // Whoever cancels a task does so before it comes for the waiter.
        if isOver() { return waiter }
        return state.put(waiter, direction)
      }
      displaced?.resume()
    }
  }

  /// Calls once when the peer leaves, or this side is closed.
  ///
  /// A peer that has ended its side before, and may still be reading, has not left; one that was reset has.
  package func onHangUp(_ action: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if state.descriptor == nil || state.hasFailed { return true }
      state.hangUp.action = action
      return false
    }
    if isOver { action() }
  }

  /// Returns when the peer has ended its side, or this side is closed; for one task at a time.
  package func waitForHangUp() async {
    await withCheckedContinuation { waiter in
      let isOver = state.withLock { state in
        if state.descriptor == nil || state.hasFailed || state.hasPeerEnded { return true }
        state.hangUp.waiter = waiter
        return false
      }
      if isOver { waiter.resume() }
    }
  }
}

extension TCPSocket.State {
  /// Stores a waiter.
  ///
  /// - Returns: Whom to resume at once: the waiter, if there is nothing to wait for.
  mutating func put(_ waiter: TCPSocket.Waiter, _ direction: TCPSocket.Direction) -> TCPSocket.Waiter? {
    if descriptor == nil { return waiter }
    switch direction {
    case .reading:
      if mayRead { return waiter }
      defer { reader = waiter }
      return reader
    case .writing:
      if mayWrite { return waiter }
      defer { writer = waiter }
      return writer
    }
  }

  mutating func takeWaiter(_ direction: TCPSocket.Direction) -> TCPSocket.Waiter? {
    switch direction {
    case .reading:
      defer { reader = nil }
      return reader
    case .writing:
      defer { writer = nil }
      return writer
    }
  }
}

extension TCPSocket: ReadinessObserver {
  func handle(_ readiness: Readiness) {
    let (reader, writer, hangUp) = state.withLock { state -> (Waiter?, Waiter?, HangUp) in
      guard state.descriptor != nil else { return (nil, nil, HangUp()) }
      if readiness.contains(.readable) { state.mayRead = true }
      if readiness.contains(.writable) { state.mayWrite = true }
      if readiness.contains(.failed) { state.hasFailed = true }
      let hangsUp = readiness.contains(.failed) || readiness.contains(.ended) && !state.hasPeerEnded
      if readiness.contains(.ended) { state.hasPeerEnded = true }
      defer { if hangsUp { state.hangUp = HangUp() } }
      return (
        state.mayRead ? state.takeWaiter(.reading) : nil, state.mayWrite ? state.takeWaiter(.writing) : nil,
        hangsUp ? state.hangUp : HangUp()
      )
    }
    reader?.resume()
    writer?.resume()
    hangUp.tell()
  }

  func loopEnds() {
    abort()
  }
}
