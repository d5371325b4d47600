import Foundation
import Testing
import UnderstudyHTTP
import UnderstudyServer
import UnderstudyTesting

/// WebSockets of a server; `WebSocketContractTests` covers the rest.
@Suite(.stallLimit()) struct WebSocketServerTests {
  struct Echo: HTTPHandler {
    func respond(to request: HTTP.Request) async throws -> HTTP.Response {
      .webSocket { socket in
        while let message = try await socket.receive() { try await socket.send(message) }
      }
    }
  }

  func connect(_ server: MockServer<Echo>) async throws -> any WebSocketConnection {
    // Without a timeout, which a busy machine would exceed.
    try await URLSessionTransport().connect(to: HTTP.Request(.get, server.url, timeout: nil))
  }

  @Test func aClosingServerSendsACloseFrame() async throws {
    let server = try await MockServer(Echo())
    let socket = try await connect(server)
    try await socket.send(.text("a"))
    #expect(try await socket.receive() == .text("a"))
    await server.close()
    #expect(try await socket.receive() == nil)
    #expect(socket.closure == WebSocketClosure(.goingAway))
  }

  @Test func anAbortedServerBreaksTheConnection() async throws {
    let server = try await MockServer(Echo())
    let socket = try await connect(server)
    try await socket.send(.text("a"))
    #expect(try await socket.receive() == .text("a"))
    await server.close(grace: .zero)
    // It may have sent a close frame first.
    _ = try? await socket.receive()
    await #expect(throws: TransportError.self) { try await socket.send(.text("b")) }
  }

  @Test func aMessageIsLimitedByTheServersLimits() async throws {
    var limits = ServerLimits()
    limits.messageBytes = 5
    let server = try await MockServer(Echo(), by: [], limits: limits)
    let socket = try await connect(server)
    try await socket.send(.text("12345"))
    #expect(try await socket.receive() == .text("12345"))
    try await socket.send(.text("123456"))
    #expect(try await socket.receive() == nil)
    #expect(socket.closure?.code == .messageTooBig)
    await server.close()
  }

  @Test func theUnfinishedMessagesOfAllConnectionsAreLimited() async throws {
    var limits = ServerLimits()
    limits.unfinishedMessageBytes = 1_000
    let server = try await MockServer(Echo(), by: [], limits: limits)
    let socket = try await connect(server)
    // Longer than what a server reads at once.
    try await socket.send(.binary(Data(count: 200_000)))
    #expect(try await socket.receive() == nil)
    #expect(socket.closure?.code.rawValue == 1013)
    await server.close()
  }

  @Test func aRefusedHandshakeKeepsTheConnection() async throws {
    let server = try await MockServer(Echo())
    let client = try await RawClient.connect(to: server.port)
    for version in ["1.1", "1.0"] {
      let answer = try await client.exchange(
        "GET / HTTP/\(version)\r\nHost: h\r\nConnection: Upgrade, keep-alive\r\nUpgrade: websocket\r\n"
          + "Sec-WebSocket-Version: 8\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
      #expect(answer.status == 426)
      #expect(answer.field("Sec-WebSocket-Version") == "13")
      #expect(answer.head.contains("\r\nConnection: Upgrade\r\n"))
    }
    await server.close()
  }
}
