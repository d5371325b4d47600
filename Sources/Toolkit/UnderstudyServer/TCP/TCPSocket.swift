import Understudy

/// A TCP connection on an `EventLoop`.
///
/// It stays open, and the event loop retains it, until it is closed or aborted. All calls on the descriptor are made
/// under the lock and never block, so no thread uses a descriptor number that the system has reassigned meanwhile.
package final class TCPSocket: Sendable {
  typealias Waiter = CheckedContinuation<Void, Never>

  struct State: Sendable {
    /// The descriptor; `nil` once it is closed.
    var descriptor: Descriptor?
    var token: UInt64?
    // Whether the next attempt may succeed. Events are only raised for changes, so the initial value is `true`.
    var mayRead = true
    var mayWrite = true
    /// Whether the peer has closed its side.
    var hasPeerEnded = false
    /// Whether this side has ended its direction.
    var hasEndedWriting = false
    /// Whether the connection was reset or failed.
    var hasFailed = false
    var reader: Waiter?
    var writer: Waiter?
    /// The callback for a peer that disconnects, independent of reads.
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

  /// Takes ownership of a descriptor, or closes it on failure.
  ///
  /// - Parameter isConnecting: Whether the socket becomes writable only once it is connected.
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

  /// Returns when the next attempt may succeed.
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

  /// - Parameter isOver: Called under the lock; returns whether waiting is unnecessary.
  nonisolated(nonsending) func suspend(_ direction: Direction, unless isOver: () -> Bool) async {
    await withCheckedContinuation { waiter in
      let displaced = state.withLock { state -> Waiter? in
        // A task is always cancelled before its cancellation handler takes the waiter.
        if isOver() { return waiter }
        return state.put(waiter, direction)
      }
      displaced?.resume()
    }
  }

  /// Calls an action once when the peer disconnects or this side is closed.
  ///
  /// A peer that closed its side earlier, and may still be reading, has not disconnected; a peer that reset the
  /// connection has.
  package func onHangUp(_ action: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if state.descriptor == nil || state.hasFailed { return true }
      state.hangUp.action = action
      return false
    }
    if isOver { action() }
  }

  /// Returns when the peer has closed its side, or when this side is closed; for one task at a time.
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
  /// - Returns: The waiter to resume immediately, if waiting is unnecessary.
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
      let fails = readiness.contains(.failed) || readiness.contains(.sendingEnded) && !state.hasEndedWriting
      if fails { state.hasFailed = true }
      let hangsUp = fails || readiness.contains(.ended) && !state.hasPeerEnded
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
