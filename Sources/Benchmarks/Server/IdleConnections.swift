import UnderstudySockets

/// Connections on which nothing is asked.
struct IdleConnections {
  private let loop: EventLoop
  private let sockets: [TCPSocket]

  static let count = 2_000

  static func open(at port: UInt16) async throws -> IdleConnections {
    let loop = try EventLoop.start(named: "idle connections")
    var sockets: [TCPSocket] = []
    do {
      for _ in 0..<count {
        sockets.append(try await TCPSocket.connect(to: "127.0.0.1", port: port, on: loop))
      }
    } catch {
      loop.stop()
      throw error
    }
    return IdleConnections(loop: loop, sockets: sockets)
  }

  /// Asks once on each.
  ///
  /// - Returns: How many are answered.
  func countAnswers() async -> Int {
    let request = Array("GET \(Payload.path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
    let success = Array("HTTP/1.1 200 ".utf8)
    var answers = 0
    for socket in sockets {
      do {
        try await socket.write(request)
        if let bytes = try await socket.read(), bytes.starts(with: success) { answers += 1 }
      } catch {}
    }
    return answers
  }

  func close() {
    loop.stop()
  }
}
