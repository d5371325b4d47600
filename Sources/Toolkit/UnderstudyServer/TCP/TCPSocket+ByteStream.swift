import Understudy

extension TCPSocket: ByteStream {
  package func read() async throws(SocketError) -> [UInt8]? {
    try checkCancellation()
    while true {
      switch try receive() {
      case .bytes(let bytes): return bytes
      case .end: return nil
      case .nothing: try await wait(for: .reading)
      }
    }
  }

  package func write(_ bytes: [UInt8]) async throws(SocketError) {
    try checkCancellation()
    var position = 0
    while true {
      position = try send(bytes, from: position)
      if position == bytes.count { return }
      try await wait(for: .writing)
    }
  }

  package func endWriting() {
    state.withLock { state in
      state.hasEndedWriting = true
      state.descriptor?.endWriting()
    }
  }

  package func close() async {
    close { descriptor in
      descriptor.endWriting()
      // Closing a socket with unread bytes resets the connection and loses the written bytes.
      self.loop.scratch.withLock { scratch in
        scratch.withUnsafeMutableBytes { buffer in
          for _ in 0..<64 {
            guard case .done = descriptor.receive(into: buffer) else { break }
          }
        }
      }
      descriptor.release()
    }
  }

  package func abort() {
    close { $0.reset() }
  }

  private func close(_ end: (Descriptor) -> Void) {
    let (token, reader, writer, hangUp) = state.withLock { state -> (UInt64?, Waiter?, Waiter?, HangUp) in
      guard let descriptor = state.descriptor else { return (nil, nil, nil, HangUp()) }
      end(descriptor)
      state.descriptor = nil
      defer { state.hangUp = HangUp() }
      return (state.token, state.takeWaiter(.reading), state.takeWaiter(.writing), state.hangUp)
    }
    if let token { loop.unwatch(token) }
    reader?.resume()
    writer?.resume()
    hangUp.tell()
  }
}

/// A bidirectional stream of bytes over a connection.
///
/// At most one task reads and one writes at a time. Cancelling the task that reads or writes ends the call immediately
/// with `.cancelled`.
package protocol ByteStream: Sendable {
  /// Reads the next bytes, which are never empty; returns `nil` once the peer has closed its side.
  func read() async throws(SocketError) -> [UInt8]?

  /// Writes bytes and returns once the kernel has accepted them, so that a slow reader applies back pressure.
  func write(_ bytes: [UInt8]) async throws(SocketError)

  /// Closes the sending side; reading continues.
  func endWriting()

  /// Closes both sides after pending writes.
  func close() async

  /// Aborts the connection with a reset.
  func abort()
}
