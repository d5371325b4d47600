import Understudy

// The building blocks of `ByteStream`, for a server that tries before it waits, and whose waits end with the connection
// instead of the task.

extension TCPSocket {
  /// The result of a read.
  package enum Received: Sendable {
    case bytes([UInt8])
    /// The peer has closed its side.
    case end
    /// No data is available yet.
    case nothing
  }

  /// Reads available bytes without waiting.
  package func receive() throws(SocketError) -> Received {
    try state.withLock { state throws(SocketError) in try state.receive(by: loop) }
  }

  /// Returns when there may be data to read, or when the connection is closed.
  package nonisolated(nonsending) func waitUntilReadable() async {
    await suspend(.reading) { false }
  }

  /// Passes bytes to the kernel until it accepts no more, without waiting.
  ///
  /// - Parameter position: The index of the first unsent byte.
  /// - Returns: The index of the first unsent byte after the call.
  package func send(_ bytes: [UInt8], from position: Int = 0) throws(SocketError) -> Int {
    try state.withLock { state throws(SocketError) in try state.send(bytes, from: position) }
  }

  /// Returns when there may be space to write, or when the connection is closed.
  package nonisolated(nonsending) func waitUntilWritable() async {
    await suspend(.writing) { false }
  }

  /// Makes a reader that waits try again, now or at its next wait.
  package func nudgeReader() {
    handle(.readable)
  }
}

extension TCPSocket.State {
  private static let closed = SocketError(.closed, "This side has closed the connection.")

  fileprivate mutating func receive(by loop: EventLoop) throws(SocketError) -> TCPSocket.Received {
    guard let descriptor else { throw Self.closed }
    guard mayRead else { return .nothing }
    return try loop.scratch.withLock { scratch throws(SocketError) in
      switch scratch.withUnsafeMutableBytes({ descriptor.receive(into: $0) }) {
      case .done(let count):
        // A short read means that no more data is available, and later data raises an event. But the end of the stream
        // raises no further event if it was reported already.
        mayRead = count == scratch.count || hasPeerEnded || hasFailed
        return .bytes(Array(scratch[..<count]))
      case .end:
        return .end
      case .wouldBlock:
        mayRead = false
        return .nothing
      case .failed(let error):
        throw error
      }
    }
  }

  fileprivate mutating func send(_ bytes: [UInt8], from start: Int) throws(SocketError) -> Int {
    var position = start
    while position < bytes.count {
      guard let descriptor else { throw Self.closed }
      guard mayWrite else { break }
      let attempt = bytes.withUnsafeBytes { buffer in
        descriptor.transmit(UnsafeRawBufferPointer(rebasing: buffer[position...]))
      }
      switch attempt {
      case .done(let count): position += count
      case .wouldBlock, .end: mayWrite = false
      case .failed(let error): throw error
      }
    }
    return position
  }
}
