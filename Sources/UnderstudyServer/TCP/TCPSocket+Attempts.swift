import Understudy

// What `ByteStream` is made of, for a server that tries before it waits, and whose waits end with the connection and
// not with a task.

extension TCPSocket {
  /// What there is to read.
  package enum Received: Sendable {
    case bytes([UInt8])
    /// The peer has ended its side.
    case end
    /// Nothing yet.
    case nothing
  }

  /// Reads what has come, without waiting.
  package func receive() throws(SocketError) -> Received {
    try state.withLock { state throws(SocketError) in try state.receive(by: loop) }
  }

  /// Returns when there may be something to read, or the connection is closed.
  package nonisolated(nonsending) func waitUntilReadable() async {
    await suspend(.reading) { false }
  }

  /// Hands the kernel as much as it takes without waiting.
  ///
  /// - Parameter position: The first byte that has not been sent.
  /// - Returns: The same for the next call.
  package func send(_ bytes: [UInt8], from position: Int = 0) throws(SocketError) -> Int {
    try state.withLock { state throws(SocketError) in try state.send(bytes, from: position) }
  }

  /// Returns when there may be room for more, or the connection is closed.
  package nonisolated(nonsending) func waitUntilWritable() async {
    await suspend(.writing) { false }
  }

  /// Makes whoever waits for something to read look again, now or at the next wait.
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
        // Less than there was room for is all there is, and what comes next is an event. But the end is none if it
        // has been told already.
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
