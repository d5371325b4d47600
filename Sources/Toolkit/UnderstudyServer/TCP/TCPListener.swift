import Understudy

/// A listener on 127.0.0.1 that passes its connections to an `EventLoop`.
package final class TCPListener: Sendable {
  fileprivate struct State: Sendable {
    var descriptor: Descriptor?
    var token: UInt64?
    /// Released to accept a connection when no descriptors are available, so that its client can be reset.
    var spare: Descriptor?
    /// Whether a client is waiting that could not be reset.
    var mustRetry = false
    var accept: (@Sendable (TCPSocket) -> Void)?
  }

  /// The port on which it listens.
  package let port: UInt16
  private let loop: EventLoop
  private let state: Locked<State>

  /// Listens until it is closed; connections wait until ``start(_:)``.
  ///
  /// - Parameters:
  ///   - port: The port; zero selects a free port.
  ///   - loop: The event loop of its connections.
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

  /// Starts to accept connections.
  ///
  /// - Parameter accept: Called on the event loop's thread with each connection.
  package func start(_ accept: @escaping @Sendable (TCPSocket) -> Void) throws(SocketError) {
    do throws(SocketError) {
      try state.withLock { state throws(SocketError) in
        guard let descriptor = state.descriptor else {
          throw SocketError(.closed, "The listener has been closed.")
        }
        state.accept = accept
        // Under the lock, so that the descriptor is not closed and its number reused meanwhile.
        state.token = try loop.watch(descriptor.number, self)
      }
    } catch {
      close()
      throw error
    }
  }

  /// Accepts the clients that waited because no descriptors were available; called when one may have become available.
  package func retry() {
    if state.withLock({ $0.mustRetry }) { handle(.readable) }
  }

  /// Stops accepting; clients that are not accepted yet are reset.
  package func close() {
    let token = state.withLock { state -> UInt64? in
      guard let descriptor = state.descriptor else { return nil }
      descriptor.endListening()
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
      state.mustRetry = false
      while true {
        do throws(SocketError) {
          return try Descriptor(acceptingFrom: listener)
        } catch {
          // No descriptors are available: the client is reset instead of waiting for another one to disconnect.
          guard state.refuseNext(from: listener) else { return nil }
        }
      }
    }
  }

  func loopEnds() {
    close()
  }
}

extension TCPListener.State {
  /// Resets the next client, using the spare descriptor.
  ///
  /// - Returns: Whether a client was pending.
  fileprivate mutating func refuseNext(from listener: Descriptor) -> Bool {
    spare?.release()
    defer { spare = .spare() }
    do throws(SocketError) {
      guard let refused = try Descriptor(acceptingFrom: listener) else { return false }
      refused.reset()
      return true
    } catch {
      // Another thread of this process took the released descriptor first.
      mustRetry = true
      return false
    }
  }
}
