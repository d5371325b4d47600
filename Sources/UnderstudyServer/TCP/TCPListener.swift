import Understudy

/// Listens on 127.0.0.1 for an ``EventLoop``, and hands over each connection.
package final class TCPListener: Sendable {
  fileprivate struct State: Sendable {
    var descriptor: Descriptor?
    var token: UInt64?
    /// Given up to accept a connection when there are no descriptors left, so that its client can be told.
    var spare: Descriptor?
    /// Somebody waits who could not even be told.
    var mustRetry = false
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
    do throws(SocketError) {
      try state.withLock { state throws(SocketError) in
        guard let descriptor = state.descriptor else {
          throw SocketError(.closed, "The listener has been closed.")
        }
        state.accept = accept
        // Under the lock, so that nobody closes the descriptor meanwhile and its number becomes another's.
        state.token = try loop.watch(descriptor.number, self)
      }
    } catch {
      close()
      throw error
    }
  }

  /// Accepts whoever has waited because there were no descriptors left; called when one may be free again.
  package func retry() {
    if state.withLock({ $0.mustRetry }) { handle(.readable) }
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
      state.mustRetry = false
      while true {
        do throws(SocketError) {
          return try Descriptor(acceptingFrom: listener)
        } catch {
          // No descriptors left: the client is reset, rather than left waiting for somebody else to go.
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
  /// Resets the next client, in place of the spare descriptor.
  ///
  /// - Returns: Whether there was one.
  fileprivate mutating func refuseNext(from listener: Descriptor) -> Bool {
    spare?.release()
    defer { spare = .spare() }
    do throws(SocketError) {
      guard let refused = try Descriptor(acceptingFrom: listener) else { return false }
      refused.reset()
      return true
    } catch {
      // Somebody else in this process was faster to take what was given up.
      mustRetry = true
      return false
    }
  }
}
