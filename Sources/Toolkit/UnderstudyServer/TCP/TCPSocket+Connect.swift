import Foundation
import Understudy

extension TCPSocket {
  /// Connects to a host, trying its addresses in the system's order.
  ///
  /// - Parameters:
  ///   - host: A name or an address, without brackets.
  ///   - port: The port.
  ///   - loop: The event loop of the connection.
  /// - Throws: `.hostNotFound`, the error of the last address, or `.cancelled`.
  package static func connect(
    to host: String, port: UInt16, on loop: EventLoop
  ) async throws(SocketError) -> TCPSocket {
    var failure = SocketError(.hostNotFound, "The host \"\(host)\" has no address.")
    for address in try await addresses(of: host, port: port) {
      do throws(SocketError) {
        return try await connect(to: address, on: loop)
      } catch {
        if error.code == .cancelled { throw error }
        failure = error
      }
    }
    throw failure
  }

  /// Connects to a socket in the file system.
  package static func connect(toFile path: String, on loop: EventLoop) async throws(SocketError) -> TCPSocket
  {
    guard let address = SocketAddress.file(path) else {
      throw SocketError(.system(ENAMETOOLONG), "The path \(path) is too long for a socket.")
    }
    return try await connect(to: address, on: loop)
  }

  /// Creates a connection to a program that is to be started.
  ///
  /// - Returns: This side, and the descriptor of the program's side, which blocks and which the caller must close.
  package static func pair(on loop: EventLoop) throws(SocketError) -> (own: TCPSocket, other: CInt) {
    let (own, other) = try Descriptor.pair()
    do throws(SocketError) {
      return (try TCPSocket(own, on: loop), other.number)
    } catch {
      other.release()
      throw error
    }
  }

  private static func connect(
    to address: SocketAddress, on loop: EventLoop
  ) async throws(SocketError) -> TCPSocket {
    let descriptor = try Descriptor(family: address.family)
    do throws(SocketError) {
      try descriptor.connect(to: address)
    } catch {
      descriptor.release()
      throw error
    }
    let socket = try TCPSocket(descriptor, on: loop, isConnecting: true)
    do throws(SocketError) {
      try await socket.wait(for: .writing)
      if let error = socket.state.withLock({ $0.descriptor?.connectionError(address) }) { throw error }
      return socket
    } catch {
      socket.abort()
      throw error
    }
  }

  /// Returns whether a host, in any spelling, is this machine by its loopback interface.
  ///
  /// - Parameter host: A name or an address, without brackets.
  package static func isLoopback(_ host: String) async -> Bool {
    let addresses = try? await addresses(of: host, port: 0)
    return addresses?.contains(where: \.isLoopback) ?? false
  }

  /// Resolves a name on a thread that the system may block for any duration.
  private static func addresses(of host: String, port: UInt16) async throws(SocketError) -> [SocketAddress] {
    let answer = Locked<Answer>(.pending)
    DispatchQueue.global().async {
      let found = lookUp(host, port: port)
      answer.withLock { $0.arrive(found) }?.resume()
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        answer.withLock { $0.put(waiter, isCancelled: Task.isCancelled) }?.resume()
      }
    } onCancel: {
      answer.withLock { $0.giveUp() }?.resume()
    }
    guard case .arrived(let addresses) = answer.withLock({ $0 }) else {
      throw SocketError(.cancelled, "The task was cancelled.")
    }
    return addresses
  }

  private enum Answer: Sendable {
    case pending
    case awaited(Waiter)
    case arrived([SocketAddress])
    case givenUp

    mutating func arrive(_ addresses: [SocketAddress]) -> Waiter? {
      switch self {
      case .pending:
        self = .arrived(addresses)
        return nil
      case .awaited(let waiter):
        self = .arrived(addresses)
        return waiter
      case .arrived, .givenUp:
        return nil
      }
    }

    /// - Returns: The waiter to resume immediately.
    mutating func put(_ waiter: Waiter, isCancelled: Bool) -> Waiter? {
      guard case .pending = self, !isCancelled else { return waiter }
      self = .awaited(waiter)
      return nil
    }

    mutating func giveUp() -> Waiter? {
      guard case .awaited(let waiter) = self else { return nil }
      self = .givenUp
      return waiter
    }
  }

  private static func lookUp(_ host: String, port: UInt16) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Descriptor.stream
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = list
    while let entry = next {
      if let address = SocketAddress(entry.pointee.ai_addr, length: entry.pointee.ai_addrlen) {
        addresses.append(address)
      }
      next = entry.pointee.ai_next
    }
    return addresses
  }
}
