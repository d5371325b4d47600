import Foundation
import UnderstudyConsole
import UnderstudyHTTP
import UnderstudyServer

/// A measured server: a program that serves ``Payload/path`` on a port.
struct Peer {
  let name: String
  let program: URL
  /// The arguments to listen on a port of 127.0.0.1.
  let arguments: (UInt16) -> [String]

  /// Starts the server, and checks that its response is the common one.
  func start() async throws -> RunningPeer {
    let port = try Self.freePort()
    let process = Process()
    process.executableURL = program
    process.arguments = arguments(port)
    let input = Pipe()
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let peer = RunningPeer(name: name, port: port, process: process, input: input)
    do {
      try await peer.waitForAnswer()
      return peer
    } catch {
      peer.stop()
      throw error
    }
  }

  private static func freePort() throws -> UInt16 {
    let loop = try EventLoop.start(named: "free port")
    defer { loop.stop() }
    let listener = try TCPListener(port: 0, on: loop)
    defer { listener.close() }
    return listener.port
  }
}

/// A running server.
struct RunningPeer {
  let name: String
  let port: UInt16
  let process: Process
  let input: Pipe

  var url: String { "http://127.0.0.1:\(port)\(Payload.path)" }

  fileprivate func waitForAnswer() async throws {
    guard let url = URL(string: url) else { throw CommandError("\(name) has no URL.") }
    var trouble = "nothing"
    for _ in 0..<200 where process.isRunning {
      do {
        let response = try await URLSessionTransport().send(HTTP.Request(.get, url))
        let body = try await response.body.collect()
        if body == Payload.json { return }
        trouble = "\(response.status) with \(body.count) bytes"
      } catch {
        trouble = error.message
      }
      try await Task.sleep(for: .milliseconds(100))
    }
    throw CommandError("\(name) does not send the expected response; found \(trouble)")
  }

  /// The memory in MB of 1,000,000 bytes, as reported by the system.
  var memory: Double {
    get throws {
      let output = try Tool.output("/bin/ps", ["-o", "rss=", "-p", "\(process.processIdentifier)"])
      guard let kilobytes = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
        throw CommandError("ps has reported no memory of \(name).")
      }
      return kilobytes * 1.024 / 1_000
    }
  }

  func stop() {
    try? input.fileHandleForWriting.close()
    // Not SIGTERM: a program started from a thread of the Swift runtime inherits that thread's signal mask, which on
    // Linux blocks SIGTERM.
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }
}
