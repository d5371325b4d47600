import Foundation

/// The system calls on the descriptor of a TCP socket; its owner must close it.
///
/// Every socket is non-blocking, is closed on exec, and never raises SIGPIPE.
struct Descriptor: Sendable {
  private(set) var number: CInt

  /// Creates an unconnected socket.
  init(family: CInt) throws(SocketError) {
    number = socket(family, Self.stream | Self.closedOnExec, 0)
    guard number >= 0 else { throw .system("create a socket") }
    setUp()
  }

  /// Creates two connected sockets, of which the second blocks, for another program.
  static func pair() throws(SocketError) -> (Descriptor, Descriptor) {
    var numbers: [CInt] = [-1, -1]
    guard socketpair(AF_UNIX, Self.stream | Self.closedOnExec, 0, &numbers) == 0 else {
      throw .system("create a pair of sockets")
    }
    _ = fcntl(numbers[1], F_SETFD, FD_CLOEXEC)
    let own = Descriptor(number: numbers[0])
    own.setUp()
    return (own, Descriptor(number: numbers[1]))
  }

  /// Opens a placeholder descriptor, to be released when no other descriptors are available.
  static func spare() -> Descriptor? {
    let number = open("/dev/null", O_RDONLY | O_CLOEXEC)
    return number >= 0 ? Descriptor(number: number) : nil
  }

  private init(number: CInt) {
    self.number = number
  }

  /// - Returns: Whether a write to the socket can never raise SIGPIPE.
  @discardableResult private func setUp() -> Bool {
    _ = fcntl(number, F_SETFL, O_NONBLOCK)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    // Small writes are sent immediately, without waiting for earlier ones to be acknowledged.
    set(TCP_NODELAY, at: CInt(IPPROTO_TCP), CInt(1))
    return suppressSIGPIPE()
  }

  /// - Returns: Whether the system accepted the option.
  @discardableResult
  func set<Value: BitwiseCopyable>(_ option: CInt, at level: CInt, _ value: Value) -> Bool {
    var value = value
    return setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Value>.size)) == 0
  }

  // MARK: - Connecting

  /// Listens on an address.
  ///
  /// - Returns: The port, which the system selects if the address has none.
  func listen(at address: SocketAddress) throws(SocketError) -> UInt16 {
    let port = try bind(to: address)
    guard startListening(number, 4_096) == 0 else { throw .system("listen on \(address)") }
    return port
  }

  /// Binds to an address without listening.
  ///
  /// - Returns: The port, which the system selects if the address has none.
  func bind(to address: SocketAddress) throws(SocketError) -> UInt16 {
    // Allows reuse of a port whose connections just ended, and listening on a reserved port.
    set(SO_REUSEADDR, at: SOL_SOCKET, CInt(1))
    guard address.withPointer({ startBinding(number, $0, $1) }) == 0 else {
      throw .system("listen on \(address)")
    }
    return try SocketAddress.port(of: self)
  }

  /// Accepts the next connection; `nil` if no connection is pending.
  init?(acceptingFrom listener: Descriptor) throws(SocketError) {
    while true {
      // Glibc's accept4, which would set the flags at once, is not imported.
      let accepted = accept(listener.number, nil, nil)
      if accepted >= 0 {
        number = accepted
        if setUp() { return }
        // It was reset before it was accepted, and can no longer be kept from raising SIGPIPE.
        release()
        continue
      }
      switch errno {
      // ECONNABORTED and EPROTO: the client disconnected before it was accepted.
      case EINTR, ECONNABORTED, EPROTO: continue
      case EAGAIN, EWOULDBLOCK: return nil
      default: throw .system("accept a connection")
      }
    }
  }

  /// Starts to connect; the socket becomes writable when the attempt completes.
  func connect(to address: SocketAddress) throws(SocketError) {
    guard address.withPointer({ startConnecting(number, $0, $1) }) == 0 || errno == EINPROGRESS else {
      throw .system("connect to \(address)")
    }
  }

  /// The error of a connection attempt; `nil` if it succeeded.
  func connectionError(_ address: SocketAddress) -> SocketError? {
    var error: CInt = 0
    var size = socklen_t(MemoryLayout<CInt>.size)
    guard getsockopt(number, SOL_SOCKET, SO_ERROR, &error, &size) == 0 else {
      return .system("connect to \(address)")
    }
    return error == 0 ? nil : .system("connect to \(address)", error)
  }

  // MARK: - Bytes

  /// The result of one attempt to receive or send.
  enum Attempt: Sendable {
    case done(Int)
    /// The peer has closed its side.
    case end
    /// The operation must be retried once the socket is ready.
    case wouldBlock
    case failed(SocketError)
  }

  func receive(into buffer: UnsafeMutableRawBufferPointer) -> Attempt {
    while true {
      let count = recv(number, buffer.baseAddress, buffer.count, 0)
      if count > 0 { return .done(count) }
      if count == 0 { return .end }
      switch errno {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK: return .wouldBlock
      default: return .failed(.system("read from the connection"))
      }
    }
  }

  func transmit(_ buffer: UnsafeRawBufferPointer) -> Attempt {
    while true {
      let count = send(number, buffer.baseAddress, buffer.count, Self.sendFlags)
      if count >= 0 { return .done(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK: return .wouldBlock
      default: return .failed(.system("write to the connection"))
      }
    }
  }

  // MARK: - Closing

  /// Stops listening, even if a copy of the descriptor is open in a program that is being started.
  func endListening() {
    _ = shutdown(number, CInt(SHUT_RDWR))
    release()
  }

  /// Closes the sending side.
  func endWriting() {
    _ = shutdown(number, CInt(SHUT_WR))
  }

  func release() {
    _ = close(number)
  }

  /// Closes the descriptor and resets the connection.
  func reset() {
    set(SO_LINGER, at: SOL_SOCKET, linger(l_onoff: 1, l_linger: 0))
    release()
  }
}

// Wrappers of the system calls that the methods shadow.

private func startBinding(
  _ descriptor: CInt, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
) -> CInt {
  bind(descriptor, address, length)
}

private func startListening(_ descriptor: CInt, _ backlog: CInt) -> CInt {
  listen(descriptor, backlog)
}

private func startConnecting(
  _ descriptor: CInt, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
) -> CInt {
  connect(descriptor, address, length)
}
