import UnderstudyPrimitives

/// Listens on 127.0.0.1 for an ``EventLoop``, and hands over each connection.
package final class TCPListener: Sendable {
  private struct State: Sendable {
    var descriptor: Descriptor?
    var token: UInt64?
    /// Given up to accept a connection when there are no descriptors left, so that its client can be told.
    var spare: Descriptor?
    var accept: (@Sendable (TCPSocket) -> Void)?
  }

  /// What it listens at.
  package let port: UInt16
  private let loop: EventLoop
  private let state: Locked<State>

  /// Listens until it is closed; connections wait until ``start(_:)``.
  ///
  /// - Parameters:
  ///   - port: Zero is any that is free.
  ///   - loop: Where its connections live.
  package init(port: UInt16, on loop: EventLoop) throws(SocketError) {
    let address = SocketAddress.loopback(port: port)
    let descriptor = try Descriptor(family: address.family)
    do throws(SocketError) {
      self.port = try descriptor.listen(at: address)
    } catch {
      descriptor.release()
      throw error
    }
    self.loop = loop
    state = Locked(State(descriptor: descriptor, spare: .spare()))
  }

  /// Begins to accept.
  ///
  /// - Parameter accept: Called on the loop's thread with each connection.
  package func start(_ accept: @escaping @Sendable (TCPSocket) -> Void) throws(SocketError) {
    let descriptor = state.withLock { state in
      state.accept = accept
      return state.descriptor
    }
    guard let descriptor else { throw SocketError(.closed, "The listener has been closed.") }
    let token = try loop.watch(descriptor.number, self)
    state.withLock { $0.token = token }
  }

  /// Accepts no more; whoever has not been accepted is reset.
  package func close() {
    let token = state.withLock { state -> UInt64? in
      guard let descriptor = state.descriptor else { return nil }
      descriptor.release()
      state.spare?.release()
      state.descriptor = nil
      state.spare = nil
      state.accept = nil
      return state.token
    }
    if let token { loop.unwatch(token) }
  }
}

extension TCPListener: ReadinessObserver {
  func handle(_ readiness: Readiness) {
    while let descriptor = next() {
      guard let socket = try? TCPSocket(descriptor, on: loop) else { continue }
      if let accept = state.withLock({ $0.accept }) { accept(socket) } else { socket.abort() }
    }
  }

  private func next() -> Descriptor? {
    state.withLock { state in
      guard let listener = state.descriptor else { return nil }
      while true {
        do throws(SocketError) {
          return try Descriptor(acceptingFrom: listener)
        } catch {
          // No descriptors left: the client is reset, rather than left in a queue that nobody may ever come back to.
          guard let spare = state.spare else { return nil }
          spare.release()
          let refused = try? Descriptor(acceptingFrom: listener)
          refused?.reset()
          state.spare = .spare()
          if refused == nil { return nil }
        }
      }
    }
  }

  func loopEnds() {
    close()
  }
}
