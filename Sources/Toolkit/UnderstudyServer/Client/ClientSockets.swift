import Foundation
import Understudy
import UnderstudyHTTP

/// A factory of client connections, which share one thread that starts with the first of them.
final class ClientSockets: Sendable {
  /// A thread that ends when its last user is released.
  private final class Running: Sendable {
    let loop: EventLoop

    init() throws(SocketError) {
      loop = try EventLoop.start(named: "Client sockets")
    }

    deinit {
      loop.stop()
    }
  }

  /// A socket that retains its thread.
  private struct Stream: ByteStream {
    let socket: TCPSocket
    let running: Running

    func read() async throws(SocketError) -> [UInt8]? { try await socket.read() }
    func write(_ bytes: [UInt8]) async throws(SocketError) { try await socket.write(bytes) }
    func endWriting() { socket.endWriting() }
    func close() async { await socket.close() }
    func abort() { socket.abort() }
  }

  private let running = Locked<Running?>(nil)

  /// Connects to the host and the port of an `http` URL.
  func connect(to url: URL) async throws -> any ByteStream {
    guard let host = url.host(percentEncoded: false), let port = UInt16(exactly: url.port ?? 80) else {
      throw TransportError(.invalidRequest, "\(url) has no host and port to connect to.")
    }
    let running = try self.running.withLock { running throws(SocketError) in
      if let running { return running }
      let started = try Running()
      running = started
      return started
    }
    let socket = try await TCPSocket.connect(
      to: host.trimmingCharacters(in: ["[", "]"]), port: port, on: running.loop)
    return Stream(socket: socket, running: running)
  }
}
