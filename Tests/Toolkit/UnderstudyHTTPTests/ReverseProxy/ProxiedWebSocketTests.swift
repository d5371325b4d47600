import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyServer
import UnderstudyTesting

/// WebSockets through a proxy, each side on sockets.
@Suite(.stallLimit(), .servers) struct ProxiedWebSocketTests {
  private func connect(
    fields: HTTP.Fields = [:], path: String = "/",
    _ answer: @escaping @Sendable (HTTP.Request) async throws -> HTTP.Response
  ) async throws -> any WebSocketConnection {
    let proxied = try await ProxiedUpstream(answer)
    return try await proxied.client.connect(to: proxied.request(.get, path, fields: fields))
  }

  private static let echo: WebSocketSession = { socket in
    while let message = try await socket.receive() { try await socket.send(message) }
  }

  @Test func messagesGoBothWays() async throws {
    let seen = Locked<HTTP.Request?>(nil)
    let socket = try await connect(
      fields: ["Sec-WebSocket-Protocol": "a, b", "Authorization": "Bearer t"], path: "/socket?vsn=1"
    ) { request in
      seen.withLock { $0 = request }
      return .webSocket(subprotocol: "b", Self.echo)
    }
    #expect(socket.subprotocol == "b")
    let request = try #require(seen.withLock { $0 })
    #expect(request.url.absoluteString.hasSuffix("/socket?vsn=1"))
    #expect(request.fields["Authorization"] == "Bearer t")
    #expect(request.fields.values(of: "Sec-WebSocket-Key").count == 1)
    #expect(request.fields.values(of: "Host").count == 1)
    let messages: [WebSocketMessage] = [
      .text("é"), .binary(Data([0, 255])), .text(String(repeating: "x", count: 1 << 20)),
    ]
    for message in messages {
      try await socket.send(message)
      #expect(try await socket.receive() == message)
    }
    await socket.close()
    #expect(try await socket.receive() == nil)
  }

  static let closures: [WebSocketClosure] = [
    WebSocketClosure(.normalClosure), WebSocketClosure(.goingAway, "bye"), WebSocketClosure(.noStatus),
    WebSocketClosure(WebSocketClosure.Code(rawValue: 4001), "token expired"),
  ]

  @Test(arguments: closures) func theClientsCloseFrameIsForwarded(closure: WebSocketClosure) async throws {
    let (received, heard) = (Locked<[WebSocketMessage]>([]), Locked<WebSocketClosure?>(nil))
    let over = Latch()
    let socket = try await connect { _ in
      .webSocket { socket in
        defer { over.open() }
        while let message = try await socket.receive() { received.withLock { $0.append(message) } }
        heard.withLock { $0 = socket.closure }
      }
    }
    try await socket.send(.text("last"))
    await socket.close(closure)
    await over.wait()
    #expect(received.withLock { $0 } == [.text("last")])
    #expect(heard.withLock { $0 } == closure)
  }

  @Test(arguments: closures) func theUpstreamsCloseFrameIsForwarded(closure: WebSocketClosure) async throws {
    let socket = try await connect { _ in
      .webSocket { socket in
        try await socket.send(.text("last"))
        await socket.close(closure)
      }
    }
    #expect(try await socket.receive() == .text("last"))
    #expect(try await socket.receive() == nil)
    #expect(socket.closure == closure)
  }

  @Test func aBrokenUpstreamBreaksTheClient() async throws {
    let socket = try await connect { _ in
      .webSocket { socket in
        try await socket.send(.text("last"))
        throw TransportError(.connectionLost, "Cut.")
      }
    }
    #expect(try await socket.receive() == .text("last"))
    #expect(await code { _ = try await socket.receive() } == .connectionLost)
    #expect(socket.closure == nil)
  }

  @Test func aBrokenClientBreaksTheUpstream() async throws {
    let (over, ending) = (
      Latch(), Locked<(code: TransportError.Code?, closure: WebSocketClosure?)>((nil, nil))
    )
    func connectAndLeave() async throws {
      let socket = try await connect { _ in
        .webSocket { socket in
          defer { over.open() }
          try await socket.send(.text("first"))
          let thrown = await code { _ = try await socket.receive() }
          ending.withLock { $0 = (thrown, socket.closure) }
        }
      }
      #expect(try await socket.receive() == .text("first"))
    }
    try await connectAndLeave()
    await over.wait()
    let end = ending.withLock { $0 }
    #expect(end.code == .connectionLost || end.code == .cancelled)
    #expect(end.closure == nil)
  }

  @Test func aRefusalIsForwarded() async throws {
    let thrown = await #expect(throws: TransportError.self) {
      _ = try await self.connect { _ in
        HTTP.Response(
          status: 401, fields: ["WWW-Authenticate": "Bearer", "X-Reason": "no"], body: Data("not you".utf8),
          contentType: "text/plain")
      }
    }
    let refusal = try #require(thrown?.cause as? WebSocketRefusal)
    #expect(refusal.status == 401)
    #expect(refusal.fields["WWW-Authenticate"] == "Bearer")
    #expect(refusal.fields["X-Reason"] == "no")
  }

  @Test func anUnreachableUpstreamIsABadGateway() async throws {
    let bound = try BoundPort()
    let url = try #require(URL(string: "http://127.0.0.1:\(bound.port)/"))
    let proxied = try await ProxiedUpstream(before: url)
    let thrown = await #expect(throws: TransportError.self) {
      _ = try await proxied.client.connect(to: proxied.request())
    }
    #expect((thrown?.cause as? WebSocketRefusal)?.status == 502)
    withExtendedLifetime(bound) {}
  }

  @Test func aTransportWithoutWebSocketsIsReported() async throws {
    let url = try #require(URL(string: "http://up.test"))
    let proxied = try await ProxiedUpstream(before: url, over: ScriptedTransport(HTTP.Response(status: 200)))
    let thrown = await #expect(throws: TransportError.self) {
      _ = try await proxied.client.connect(to: proxied.request())
    }
    #expect((thrown?.cause as? WebSocketRefusal)?.status == 501)
  }
}
