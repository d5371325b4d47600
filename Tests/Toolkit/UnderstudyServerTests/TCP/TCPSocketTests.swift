import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyTesting
@testable import UnderstudyServer

/// Two ends of a connection on separate event loops, as between two processes.
private final class Pair: Sendable {
  let loops: [EventLoop]
  let client: TCPSocket
  let server: TCPSocket
  let listener: TCPListener

  private init(_ loops: [EventLoop], _ client: TCPSocket, _ server: TCPSocket, _ listener: TCPListener) {
    self.loops = loops
    self.client = client
    self.server = server
    self.listener = listener
  }

  deinit {
    listener.close()
    for loop in loops { loop.stop() }
  }

  static func connected() async throws -> Pair {
    let loops = [try EventLoop.start(named: "client"), try EventLoop.start(named: "server")]
    let listener = try TCPListener(port: 0, on: loops[1])
    let (accepted, continuation) = AsyncStream.makeStream(of: TCPSocket.self)
    try listener.start { continuation.yield($0) }
    let client = try await TCPSocket.connect(to: "localhost", port: listener.port, on: loops[0])
    var iterator = accepted.makeAsyncIterator()
    let server = try #require(await iterator.next())
    return Pair(loops, client, server, listener)
  }
}

/// The code of the failure that an operation ends with; `nil` if it succeeds.
private func failure(_ operation: () async throws -> Void) async -> SocketError.Code? {
  do {
    try await operation()
    return nil
  } catch {
    return (error as? SocketError)?.code
  }
}

@Suite(.stallLimit()) struct TCPSocketTests {
  @Test func carriesBytesBothWaysUntilBothSidesHaveEnded() async throws {
    let pair = try await Pair.connected()
    try await pair.client.write(Array("ping".utf8))
    #expect(try await pair.server.read() == Array("ping".utf8))
    try await pair.server.write(Array("pong".utf8))
    #expect(try await pair.client.read() == Array("pong".utf8))
    pair.client.endWriting()
    #expect(try await pair.server.read() == nil)
    // The other direction is still open.
    try await pair.server.write(Array("bye".utf8))
    await pair.server.close()
    #expect(try await pair.client.read() == Array("bye".utf8))
    #expect(try await pair.client.read() == nil)
  }

  /// More bytes than the buffers of the kernel hold, so that the writer repeatedly waits for the reader.
  @Test func appliesBackPressureWithoutLosingBytes() async throws {
    let pair = try await Pair.connected()
    var marked = [UInt8](repeating: 0, count: 12 << 20)
    for block in 0..<marked.count / 4_096 {
      marked[block * 4_096] = UInt8(truncatingIfNeeded: block)
      marked[block * 4_096 + 1] = UInt8(truncatingIfNeeded: block >> 8)
    }
    let bytes = marked
    let writing = Task {
      try await pair.server.write(bytes)
      await pair.server.close()
    }
    var received: [UInt8] = []
    while let more = try await pair.client.read() { received += more }
    try await writing.value
    #expect(received == bytes)
  }

  /// A program that is being started has copies of all descriptors until it replaces them.
  @Test func noClientConnectsToAClosedListenerWhoseDescriptorWasCopied() throws {
    let listener = try Descriptor(family: AF_INET)
    let port = try listener.listen(at: .loopback(port: 0))
    let copy = dup(listener.number)
    defer { close(copy) }
    listener.endListening()
    let client = try Descriptor(family: AF_INET)
    defer { client.release() }
    // Refused at once, or when the attempt completes.
    let refusal = #expect(throws: SocketError.self) {
      try client.connect(to: .loopback(port: port))
      var attempt = pollfd(fd: client.number, events: Int16(POLLOUT), revents: 0)
      poll(&attempt, 1, -1)
      if let error = client.connectionError(.loopback(port: port)) { throw error }
    }
    #expect(refusal?.code == .connectionRefused)
  }

  /// A program that another test starts would keep the connection open.
  @Test func noProgramInheritsASocket() throws {
    let listener = try Descriptor(family: AF_INET)
    defer { listener.release() }
    #expect(fcntl(listener.number, F_GETFD) & FD_CLOEXEC != 0)
    #expect(fcntl(listener.number, F_GETFL) & O_NONBLOCK != 0)
  }

  @Test func aResetIsReported() async throws {
    let pair = try await Pair.connected()
    pair.server.abort()
    #expect(await failure { _ = try await pair.client.read() } == .connectionReset)
  }

  @Test func anUnreadByteDoesNotTurnACloseIntoAReset() async throws {
    let pair = try await Pair.connected()
    try await pair.client.write([1, 2, 3])
    #expect(try await pair.server.read() == [1, 2, 3])
    try await pair.client.write([4])
    try await pair.server.write([5])
    #expect(try await pair.client.read() == [5])
    await pair.server.close()
    #expect(try await pair.client.read() == nil)
  }

  @Test func cancellingTheTaskEndsAReadAtOnce() async throws {
    let pair = try await Pair.connected()
    let reading = Task { try await pair.client.read() }
    reading.cancel()
    #expect(await failure { _ = try await reading.value } == .cancelled)
    // The connection is unaffected.
    try await pair.server.write([7])
    #expect(try await pair.client.read() == [7])
  }

  @Test func cancellingTheTaskEndsAWriteAtOnce() async throws {
    let pair = try await Pair.connected()
    let writing = Task {
      while true { try await pair.client.write([UInt8](repeating: 0, count: 1 << 20)) }
    }
    // The first bytes show that the writer has begun. Without further reads, it has to wait.
    _ = try await pair.server.read()
    writing.cancel()
    #expect(await failure { try await writing.value } == .cancelled)
  }

  @Test func closingThisSideEndsItsRead() async throws {
    let pair = try await Pair.connected()
    let reading = Task { try await pair.client.read() }
    pair.client.abort()
    #expect(await failure { _ = try await reading.value } == .closed)
  }

  @Test func aDisconnectedPeerIsDetectedWithoutReading() async throws {
    let pair = try await Pair.connected()
    try await pair.client.write([1])
    await pair.client.close()
    await pair.server.waitForHangUp()
    #expect(try await pair.server.read() == [1])
    #expect(try await pair.server.read() == nil)
  }

  /// kqueue reports the end of this side's own direction as it reports a lost connection.
  @Test func endingThisSideIsNoHangUp() async throws {
    let pair = try await Pair.connected()
    let hungUp = Locked(false)
    pair.server.onHangUp { hungUp.withLock { $0 = true } }
    pair.server.endWriting()
    pair.server.handle([.writable, .readable, .sendingEnded])
    #expect(!hungUp.withLock { $0 })
    try await pair.client.write([1])
    #expect(try await pair.server.read() == [1])
    pair.server.handle([.writable, .readable, .sendingEnded, .failed])
    #expect(hungUp.withLock { $0 })
  }

  @Test func aLostConnectionThatCannotSendIsAHangUp() async throws {
    let pair = try await Pair.connected()
    let hungUp = Locked(false)
    pair.server.onHangUp { hungUp.withLock { $0 = true } }
    pair.server.handle([.writable, .readable, .sendingEnded])
    #expect(hungUp.withLock { $0 })
  }

  @Test func aRefusedConnectionIsReported() async throws {
    let pair = try await Pair.connected()
    let port = pair.listener.port
    pair.listener.close()
    let code = await failure {
      _ = try await TCPSocket.connect(to: "127.0.0.1", port: port, on: pair.loops[0])
    }
    #expect(code == .connectionRefused)
  }

  @Test func aNameWithoutAnAddress() async throws {
    let pair = try await Pair.connected()
    let code = await failure {
      _ = try await TCPSocket.connect(to: "nobody.invalid", port: 80, on: pair.loops[0])
    }
    #expect(code == .hostNotFound)
  }

  @Test func stoppingTheLoopEndsEveryWait() async throws {
    let pair = try await Pair.connected()
    let reading = Task { try await pair.client.read() }
    pair.loops[0].stop()
    #expect(await failure { _ = try await reading.value } == .closed)
    await pair.loops[0].join()
  }

  @Test func tasksOfALoopCompleteAfterItsEnd() async throws {
    let loop = try EventLoop.start(named: "loop")
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let (allowed, allow) = AsyncStream.makeStream(of: Void.self)
    let task = loop.task {
      start.yield()
      for await _ in allowed { break }
    }
    for await _ in started { break }
    loop.stop()
    await loop.join()
    allow.yield()
    await task.value
  }
}
