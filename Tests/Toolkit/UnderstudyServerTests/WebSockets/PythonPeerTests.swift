import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyServer
import UnderstudyTesting

private let python = ProcessInfo.processInfo.environment["UNDERSTUDY_PYTHON"]

/// WebSockets with Python's `websockets` at the other end, in both directions.
///
/// They run if `UNDERSTUDY_PYTHON` names a Python with the packages of `Tests/Interop/requirements.txt`.
@Suite(.stallLimit(), .servers, .enabled(if: python != nil, "UNDERSTUDY_PYTHON is not set."))
struct PythonPeerTests {
  /// A process that runs the peer.
  final class Peer: Sendable {
    private let process: Process
    private let input: Pipe
    private let output: AsyncStream<String>

    init(_ arguments: String...) throws {
      let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Interop/websockets_peer.py").standardized
      let (process, input, printed) = (Process(), Pipe(), Pipe())
      process.executableURL = URL(filePath: try #require(python))
      process.arguments = [script.path()] + arguments
      process.standardInput = input
      process.standardOutput = printed
      let (output, lines) = AsyncStream.makeStream(of: String.self)
      try process.run()
      Thread.detachNewThread {
        var rest = Data()
        while true {
          let more = printed.fileHandleForReading.availableData
          if more.isEmpty { break }
          rest += more
          while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            lines.yield(String(decoding: rest[..<end], as: UTF8.self))
            rest = Data(rest[(end + 1)...])
          }
        }
        lines.finish()
      }
      (self.process, self.input, self.output) = (process, input, output)
    }

    /// Its output, line by line, until it ends.
    var lines: AsyncStream<String> { output }

    /// Ends the process.
    ///
    /// - Returns: The exit status.
    func end() async -> Int32 {
      try? input.fileHandleForWriting.close()
      return await withCheckedContinuation { continuation in
        Thread.detachNewThread { [process] in
          process.waitUntilExit()
          continuation.resume(returning: process.terminationStatus)
        }
      }
    }
  }

  @Test func theirClientIsServed() async throws {
    let port = try await ServersTrait.start(
      Handler { request in
        let offered = request.fields["Sec-WebSocket-Protocol"] ?? ""
        return .webSocket(
          subprotocol: offered.contains("phoenix") ? "phoenix" : nil, WebSocketContractTests.echo)
      })
    let peer = try Peer("client", "ws://127.0.0.1:\(port)/")
    var lines: [String] = []
    for await line in peer.lines { lines.append(line) }
    #expect(await peer.end() == 0)
    #expect(
      lines == ["echoes", "pings", "goodbye", "broken_rules", "subprotocols", "many"].map { "\($0): fine" })
  }

  @Test func theirServerServes() async throws {
    let peer = try Peer("server")
    var lines = peer.lines.makeAsyncIterator()
    let port = try #require(await lines.next().flatMap { Int($0) })
    let transport = URLSessionTransport()
    func connect(_ path: String, _ fields: HTTP.Fields = [:]) async throws -> any WebSocketConnection {
      let url = try #require(URL(string: "ws://127.0.0.1:\(port)\(path)"))
      return try await transport.connect(to: HTTP.Request(.get, url, fields: fields))
    }

    let echo = try await connect("/echo", ["Sec-WebSocket-Protocol": "one, phoenix"])
    #expect(echo.subprotocol == "phoenix")
    for size in [0, 1, 125, 126, 127, 65_535, 65_536, 1 << 20] {
      let messages: [WebSocketMessage] = [
        .binary(Data((0..<size).map { UInt8(truncatingIfNeeded: $0) })),
        .text(String(repeating: "é", count: size)),
      ]
      for message in messages {
        try await echo.send(message)
        let isSame = try await echo.receive() == message
        #expect(isSame)
      }
    }
    for _ in 0..<20 { try await echo.ping() }
    await echo.close(WebSocketClosure(.goingAway, "enough"))
    #expect(try await echo.receive() == nil)

    let fragments = try await connect("/fragments")
    #expect(try await fragments.receive() == .text("in three ☃ fragments"))
    #expect(try await fragments.receive() == .binary(Data([0xFF, 0xFE])))
    #expect(try await fragments.receive() == nil)
    #expect(fragments.closure?.code == .normalClosure)

    #expect(try await connect("/ping").receive() == .text("ponged"))

    let goodbye = try await connect("/goodbye")
    #expect(try await goodbye.receive() == nil)
    #expect(
      goodbye.closure == WebSocketClosure(WebSocketClosure.Code(rawValue: 4001), "that is all"))

    let broken = try await connect("/broken")
    #expect(await code { _ = try await broken.receive() } == .unreadableResponse)
    // The close code that their server received.
    #expect(await lines.next() == "1007")

    #expect(await code { _ = try await connect("/refused") } == .webSocketRefused)
    #expect(await peer.end() == 0)
  }
}
