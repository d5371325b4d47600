import Foundation
import TestSupport
import Testing
import UnderstudyTesting
@testable import UnderstudyHTTP
@testable import UnderstudyServer

@Suite(.stallLimit()) struct HandshakeTests {
  @Test func hashesMatchTheStandard() {
    func hash(_ text: String) -> String {
      SHA1.hash(Array(text.utf8)).map { String(format: "%02x", $0) }.joined()
    }
    // FIPS 180-4, the examples of SHA1.pdf, and a length at which the padding needs a block of its own.
    #expect(hash("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(hash("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
    #expect(
      hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
    #expect(hash(String(repeating: "a", count: 1_000)) == "291e9a6c66994949b57ba5e650361e98fc36b1ba")
    // RFC 6455 §1.3.
    #expect(WebSocketKey("dGhlIHNhbXBsZSBub25jZQ==")?.accept == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @Test func aKeyIsSixteenBytes() {
    for text in ["", "x", "dGhlIHNhbXBsZQ==", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZSE=", "☃"] {
      #expect(WebSocketKey(text) == nil)
    }
    #expect(WebSocketKey { 0 }.text == "AAAAAAAAAAAAAAAAAAAAAA==")
  }

  static let handshake: HTTP.Fields = [
    "Upgrade": "h2c, WebSocket", "Connection": "keep-alive, Upgrade", "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  ]

  @Test(
    arguments: [
      ("Upgrade", nil, 426), ("Upgrade", "websockets", 426), ("Connection", "close", 426),
      ("Sec-WebSocket-Version", nil, 426), ("Sec-WebSocket-Version", "8", 426),
      ("Sec-WebSocket-Key", nil, 400), ("Sec-WebSocket-Key", "dGhlIHNhbXBsZQ==", 400), ("Accept", "x", 101),
    ] as [(String, String?, Int)])
  func aServerRejectsAnInvalidHandshake(_ name: String, _ value: String?, _ status: Int) async throws {
    let url = try #require(URL(string: "http://server.test/feed"))
    var request = HTTP.Request(.get, url, fields: Self.handshake)
    request.fields[name] = value
    let response = HTTP.Response.webSocket { _ in }.answeringHandshake(of: request)
    #expect(response.status == status)
    #expect((response.webSocketSession != nil) == (status == 101))
    switch status {
    case 101:
      #expect(response.fields["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
      #expect(response.fields["Upgrade"] == "websocket")
      #expect(response.fields["Connection"] == "Upgrade")
    case 426:
      #expect(response.fields["Upgrade"] == "websocket")
      #expect(response.fields["Sec-WebSocket-Version"] == "13")
      #expect(try await !response.body.collect().isEmpty)
    default: #expect(response.fields["Upgrade"] == nil)
    }
    request.method = .post
    #expect(HTTP.Response.webSocket { _ in }.answeringHandshake(of: request).status == 426)
    #expect(HTTP.Response(status: 404).answeringHandshake(of: request).status == 404)
  }

  /// The result of a client's handshake with a key of sixteen zeros, for an answer.
  func open(
    _ answer: String, offering subprotocols: String? = nil, piece: Int = .max
  ) async throws -> (any WebSocketConnection, request: String) {
    let (client, server) = MemoryByteStream.pair(capacity: 1 << 20, piece: piece)
    try await server.write(Array(answer.utf8))
    server.endWriting()
    let url = try #require(URL(string: "ws://user@server.test:8080/a%20b?c=d#e"))
    let socket = try await StreamWebSocket.open(
      HTTP.Request(
        .get, url, fields: subprotocols.map { ["Sec-WebSocket-Protocol": $0] } ?? [:], timeout: nil),
      over: client, WebSocketSettings(random: { 0 }))
    return (socket, String(decoding: try await server.read() ?? [], as: UTF8.self))
  }

  static let agreement = """
    HTTP/1.1 101 Switching Protocols\r
    upgrade: WebSocket\r
    connection: keep-alive, upgrade\r
    sec-websocket-accept: \(WebSocketKey { 0 }.accept)\r\n
    """

  @Test func theClientsHandshakeFollowsTheStandard() async throws {
    let (socket, request) = try await open(Self.agreement + "\r\n")
    #expect(
      request == """
        GET /a%20b?c=d HTTP/1.1\r
        Host: server.test:8080\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
        \r\n
        """)
    #expect(socket.subprotocol == nil)
  }

  @Test(arguments: [1, 2, 7, .max]) func bytesAfterTheHeadAreReceived(_ piece: Int) async throws {
    let early = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103\r\nLink: x\r\n\r\n"
    let (client, server) = MemoryByteStream.pair(piece: piece)
    try await server.write(
      Array((early + Self.agreement + "\r\n").utf8) + WebSocketFrame(.text("hello")).bytes())
    let url = try #require(URL(string: "ws://server.test"))
    let socket = try await StreamWebSocket.open(
      HTTP.Request(.get, url, timeout: nil), over: client, WebSocketSettings(random: { 0 }))
    #expect(try await socket.receive() == .text("hello"))
  }

  @Test(arguments: [
    // Another protocol, another handshake, an extension or a subprotocol that was not offered.
    agreement.replacing("WebSocket", with: "h2c") + "\r\n",
    agreement.replacing("upgrade\r\n", with: "close\r\n") + "\r\n",
    agreement.replacing("accept: ", with: "accept: x") + "\r\n",
    agreement.replacing("sec-websocket-accept", with: "x") + "\r\n",
    agreement + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n",
    agreement + "Sec-WebSocket-Protocol: mine\r\n\r\n",
    // Not HTTP/1.1.
    "SSH-2.0-OpenSSH_9.2\r\n\r\n", "HTTP/1.0 101 Switching\r\n\r\n", "HTTP/1.1 1O1 x\r\n\r\n",
    "HTTP/1.1 099\r\n\r\n",
    "HTTP/1.1 1010\r\n\r\n", "HTTP/1.1 999 x\r\n\r\n", "http/1.1 101 x\r\n\r\n", "\r\n\r\n\r\n",
    "HTTP/1.1 200 OK\r\nA : b\r\n\r\n", "HTTP/1.1 200 OK\r\n: b\r\n\r\n",
    "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n",
    "HTTP/1.1 200 OK\r\nA: b\nc: d\r\n\r\n", "HTTP/1.1 200 OK\r\nA\r\n\r\n",
    "HTTP/1.1 200 OK\r\nA: \0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n",
  ]) func anInvalidAcceptanceIsUnreadable(_ answer: String) async throws {
    #expect(await code { _ = try await open(answer) } == .unreadableResponse)
    #expect(await code { _ = try await open(answer, piece: 1) } == .unreadableResponse)
  }

  @Test func anAcceptanceWithoutAnEndIsUnreadable() async throws {
    let endless = String(repeating: "x", count: 70_000)
    #expect(await code { _ = try await open(endless) } == .unreadableResponse)
  }

  @Test func aRefusalIsReported() async throws {
    let error = await #expect(throws: TransportError.self) {
      try await open("HTTP/1.1 302 Found\r\nLocation:\t/there \r\nA:\r\n\r\nbody")
    }
    #expect(error?.code == .webSocketRefused)
    let refusal = error?.cause as? WebSocketRefusal
    #expect(refusal?.status == 302)
    #expect(refusal?.fields == ["Location": "/there", "A": ""])
  }

  @Test(arguments: ["", "HTTP/1.1 101 Switching Pro", agreement]) func anEarlyEndIsALostConnection(
    _ answer: String
  ) async throws {
    #expect(await code { _ = try await open(answer) } == .connectionLost)
  }

  @Test func theHandshakeHasATimeout() async throws {
    let clock = HandClock()
    let (client, server) = MemoryByteStream.pair()
    let url = try #require(URL(string: "ws://server.test"))
    let opening = Task {
      await code {
        _ = try await StreamWebSocket.open(
          HTTP.Request(.get, url, timeout: .seconds(5)), over: client, WebSocketSettings(time: clock.time))
      }
    }
    await clock.sleepers(1)
    clock.advance(by: .seconds(5))
    #expect(await opening.value == .timedOut)
    // Its messages are lost with the connection.
    await #expect(throws: SocketError.self) { try await server.read() }
  }

  @Test func aFieldCannotContainALineBreak() async throws {
    let url = try #require(URL(string: "ws://server.test"))
    for fields in [["A": "b\r\nC: d"], ["A\r\nB": "c"], ["": "b"], ["A:": "b"], ["A": "\0"]] as [HTTP.Fields]
    {
      let (client, _) = MemoryByteStream.pair()
      #expect(
        await code {
          _ = try await StreamWebSocket.open(
            HTTP.Request(.get, url, fields: fields, timeout: nil), over: client)
        } == .invalidRequest)
    }
  }
}
