import Foundation
import UnderstudyServer

/// A client that sends any bytes, and that implements only as much of HTTP as is needed to find the end of a response.
final class RawClient: Sendable {
  struct Response: Sendable {
    let status: Int
    /// The whole head, with its line ends.
    let head: String
    let body: String

    func field(_ name: String) -> String? {
      head.split(separator: "\r\n").compactMap { line -> String? in
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { return nil }
        return parts[1].trimmingCharacters(in: .whitespaces)
      }.first
    }
  }

  struct Unexpected: Error, CustomStringConvertible {
    let description: String
  }

  /// How a connection ended.
  enum Ending: Sendable {
    /// In order (FIN).
    case closed
    /// By a reset (RST).
    case reset
  }

  private let network: Network
  let socket: TCPSocket
  private let reader = Reader()

  private init(_ network: Network, _ socket: TCPSocket) {
    self.network = network
    self.socket = socket
  }

  deinit {
    socket.abort()
  }

  /// Connects to a port of this machine.
  ///
  /// - Parameter network: An event loop to share between many clients.
  static func connect(to port: Int, on network: Network? = nil) async throws -> RawClient {
    let network = if let network { network } else { try Network() }
    let socket = try await TCPSocket.connect(to: "127.0.0.1", port: UInt16(port), on: network.loop)
    return RawClient(network, socket)
  }

  /// The event loop of clients' connections.
  final class Network: Sendable {
    fileprivate let loop: EventLoop

    init() throws {
      loop = try EventLoop.start(named: "RawClient")
    }

    /// Runs an operation without pauses on the event loop's thread, so that it does not occupy those of other tests.
    func task(_ operation: @escaping @Sendable () async throws -> Void) -> Task<Void, Never> {
      loop.task { try? await operation() }
    }

    deinit {
      loop.stop()
    }
  }

  func send(_ text: String) async throws {
    try await socket.write(Array(text.utf8))
  }

  /// Sends a request and reads the response.
  func exchange(_ text: String) async throws -> Response {
    try await send(text)
    return try await response(toHead: text.hasPrefix("HEAD "))
  }

  /// Reads up to the end of a text.
  func read(through text: String) async throws -> String {
    try await reader.read(from: socket) { bytes in
      bytes.firstRange(of: text.utf8)?.upperBound
    }
  }

  /// Reads a number of bytes.
  func read(count: Int) async throws -> String {
    try await reader.read(from: socket) { $0.count >= count ? $0.startIndex + count : nil }
  }

  /// Reads to the end of the connection.
  func readToEnd() async throws -> String {
    try await reader.readToEnd(of: socket)
  }

  /// Reads to the end of the connection, and returns how it ended.
  func ending() async throws -> (text: String, ending: Ending) {
    try await reader.ending(of: socket)
  }

  /// Reads a response by its framing.
  func response(toHead: Bool = false) async throws -> Response {
    let head = try await read(through: "\r\n\r\n")
    guard let status = head.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
      throw Unexpected(description: "Invalid head: \(head)")
    }
    let empty = Response(status: status, head: head, body: "")
    if toHead || status < 200 || status == 204 || status == 304 { return empty }
    if let length = empty.field("Content-Length").flatMap({ Int($0) }) {
      return Response(status: status, head: head, body: try await read(count: length))
    }
    if empty.field("Transfer-Encoding") == "chunked" {
      var body = ""
      while true {
        let line = try await read(through: "\r\n").trimmingCharacters(in: .whitespacesAndNewlines)
        guard let size = Int(line, radix: 16) else {
          throw Unexpected(description: "Invalid chunk size: \(line)")
        }
        body += try await read(count: size)
        let end = try await read(count: 2)
        guard end == "\r\n" else {
          throw Unexpected(description: "The chunk is longer than \(size).")
        }
        if size == 0 { return Response(status: status, head: head, body: body) }
      }
    }
    return Response(status: status, head: head, body: try await readToEnd())
  }

  /// The bytes received and not returned yet.
  private actor Reader {
    private var bytes: [UInt8] = []

    func read(from socket: TCPSocket, upTo end: @Sendable ([UInt8]) -> Int?) async throws -> String {
      while true {
        if let end = end(bytes) {
          defer { bytes.removeFirst(end) }
          return String(decoding: bytes[..<end], as: UTF8.self)
        }
        guard let more = try await socket.read() else {
          throw Unexpected(
            description: "The connection ended after: \(String(decoding: bytes, as: UTF8.self))")
        }
        bytes += more
      }
    }

    func readToEnd(of socket: TCPSocket) async throws -> String {
      let (text, ending) = try await ending(of: socket)
      guard ending == .closed else {
        throw Unexpected(description: "The connection was reset after: \(text)")
      }
      return text
    }

    func ending(of socket: TCPSocket) async throws -> (String, Ending) {
      do throws(SocketError) {
        while let more = try await socket.read() { bytes += more }
        return (takeText(), .closed)
      } catch {
        guard error.code == .connectionReset else { throw error }
        return (takeText(), .reset)
      }
    }

    private func takeText() -> String {
      defer { bytes = [] }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
