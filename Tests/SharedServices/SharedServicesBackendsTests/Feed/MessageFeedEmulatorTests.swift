import Foundation
import SharedServices
import SharedServicesBackends
import UnderstudyHTTP
import Testing
import UnderstudyTesting

/// What a client of another make may send; what the live one sends is in the contracts.
@Suite(.stallLimit()) struct MessageFeedEmulatorTests {
  private let server = MessageFeedEmulator(seed: 1)

  private func url(_ path: String) throws -> URL { try #require(URL(string: "http://feed.invalid\(path)")) }

  private func status(_ method: HTTP.Method, _ path: String) async throws -> Int {
    try await server.respond(to: HTTP.Request(method, url(path))).status
  }

  @Test func requestsThatMakeNoSenseAreRefused() async throws {
    server.open("s")
    #expect(try await status(.get, "/sessions/s/messages") == 200)
    #expect(try await status(.post, "/sessions/s/messages") == 405)
    #expect(try await status(.get, "/") == 404)
    #expect(try await status(.get, "/sessions/s") == 404)
    #expect(try await status(.get, "/sessions/s/other") == 404)
    #expect(try await status(.get, "/sessions/x/messages") == 404)
    #expect(try await status(.get, "/sessions/s/messages?limit=many") == 400)
    #expect(try await status(.get, "/sessions/s/messages?limit=99999999999999999999") == 400)
    #expect(try await status(.get, "/sessions/s/messages?cursor=") == 404)
  }

  @Test(arguments: ["", "{", "[]", #"{"type":"hello"}"#, "null"])
  func aFirstFrameThatIsNoResumeClosesTheConnection(_ frame: String) async throws {
    server.open("s")
    let socket = try await InProcessTransport(to: server).connect(
      to: HTTP.Request(.get, url("/sessions/s/stream")))
    try await socket.send(.text(frame))
    #expect(try await socket.receive() == nil)
    #expect(socket.closure?.code == .policyViolation)
    #expect(server.subscriberCount == 0)
  }

  /// The envelope and the controls as the notes on seed 000 have them.
  @Test func theFramesAreThoseOfTheNotes() async throws {
    server.open("s")
    let socket = try await InProcessTransport(to: server).connect(
      to: HTTP.Request(.get, url("/sessions/s/stream")))
    try await socket.send(.text(#"{"type":"resume","lastMessageId":null}"#))
    #expect(try await socket.receive() == .text(#"{"type":"connected"}"#))
    #expect(try await socket.receive() == .text(#"{"type":"reconnect_complete","missedCount":0}"#))
    try await socket.send(.text("what?"))
    try await socket.send(.text(#"{"type":"ping"}"#))
    guard case .text(let pong)? = try await socket.receive() else { return }
    #expect(pong.hasPrefix(#"{"type":"pong","serverTime":"20"#))
    let id = server.say(.user("Hello"), in: "s")
    guard case .text(let said)? = try await socket.receive() else { return }
    #expect(said.hasPrefix(#"{"type":"stream","id":"\#(id)","timestamp":"20"#))
    #expect(said.hasSuffix(#","message":{"type":"user","content":"Hello"}}"#))
  }

  @Test func whatIsSaidNowhereIsNotKept() async throws {
    server.say(.user("Hello"), in: "nowhere")
    server.silence("nowhere")
    server.breakConnections(of: "nowhere")
    #expect(server.messages(of: "nowhere") == [])
    #expect(try await status(.get, "/sessions/nowhere/stream") == 404)
  }
}
