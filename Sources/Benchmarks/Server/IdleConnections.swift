import Foundation
import UnderstudyServer

/// Idle connections in a separate process, `benchmarks idle`.
///
/// On Linux, Foundation waits for child processes with select(2), which fails in a process with more than 1,024 open
/// files.
struct IdleConnections {
  static let count = 2_000

  private let process: Process
  private let input: Pipe
  private let output: Pipe

  /// Returns once all connections are open.
  static func open(at port: UInt16) throws -> IdleConnections {
    guard let program = Bundle.main.executableURL else { throw Missing("the path of this program") }
    let idle = IdleConnections(process: Process(), input: Pipe(), output: Pipe())
    idle.process.executableURL = program
    idle.process.arguments = ["idle", "\(port)"]
    idle.process.standardInput = idle.input
    idle.process.standardOutput = idle.output
    try idle.process.run()
    guard idle.readNumber() == count else {
      idle.close()
      throw Missing("\(count) open connections; see ulimit -n")
    }
    return idle
  }

  /// Sends a request on each connection.
  ///
  /// - Returns: The number of responses.
  func countAnswers() -> Int {
    try? input.fileHandleForWriting.write(contentsOf: Data("ask\n".utf8))
    return readNumber() ?? 0
  }

  func close() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The next line of the process, which is one write and therefore one read.
  private func readNumber() -> Int? {
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    return Int(line.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  // MARK: Child process

  /// Prints the number of open connections; for each input line, sends requests on all and prints the number of
  /// responses.
  static func run(port: UInt16) async throws {
    let loop = try EventLoop.start(named: "idle connections")
    defer { loop.stop() }
    var sockets: [TCPSocket] = []
    do {
      for _ in 0..<count {
        sockets.append(try await TCPSocket.connect(to: "127.0.0.1", port: port, on: loop))
      }
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
    }
    say(sockets.count)
    while readLine() != nil { say(await countAnswers(on: sockets)) }
  }

  private static func countAnswers(on sockets: [TCPSocket]) async -> Int {
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

  private static func say(_ number: Int) {
    FileHandle.standardOutput.write(Data("\(number)\n".utf8))
  }
}
