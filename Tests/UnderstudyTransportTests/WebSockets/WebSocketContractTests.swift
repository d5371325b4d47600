import Foundation
import Testing
import UnderstudyTransport

@Suite struct InProcessWebSocketTests {
  struct Server: HTTPHandler {
    let session: WebSocketSession

    func respond(to request: HTTPRequest) async throws -> HTTPResponse {
      .webSocket(subprotocol: request.fields["Sec-WebSocket-Protocol"], session)
    }
  }

  struct Oops: Error {}

  func connect(
    _ fields: HTTPFields = [:], _ session: @escaping WebSocketSession
  ) async throws -> any WebSocketConnection {
    let url = try #require(URL(string: "ws://server.test/feed"))
    return try await InProcessTransport(to: Server(session: session))
      .connect(to: HTTPRequest(.get, url, fields: fields))
  }

  @Test func messagesGoBothWaysInOrder() async throws {
    let socket = try await connect { socket in
      while let message = try await socket.receive() { try await socket.send(message) }
    }
    for number in 0..<100 {
      try await socket.send(.text("\(number)"))
      #expect(try await socket.receive() == .text("\(number)"))
    }
    try await socket.send(.binary(Data([0, 255])))
    #expect(try await socket.receive() == .binary(Data([0, 255])))
    try await socket.ping()
    await socket.close()
    #expect(try await socket.receive() == nil)
    #expect(socket.closure == WebSocketClosure(.normalClosure))
  }

  @Test func aServersEndIsSeenAsWhatItIs() async throws {
    let returned = try await connect { try await $0.send(.text("last")) }
    #expect(try await returned.receive() == .text("last"))
    #expect(try await returned.receive() == nil)
    #expect(returned.closure?.code == .normalClosure)

    let failed = try await connect { _ in throw Oops() }
    #expect(try await failed.receive() == nil)
    #expect(failed.closure?.code == .internalError)

    let broken = try await connect { _ in throw TransportError(.connectionLost, "for the test") }
    let error = await #expect(throws: TransportError.self) { try await broken.receive() }
    #expect(error?.code == .connectionLost)
    #expect(broken.closure == nil)
  }

  @Test func aClientThatLeavesBreaksTheConnectionOff() async throws {
    let (ends, end) = AsyncStream.makeStream(of: TransportError.Code?.self)
    var socket: (any WebSocketConnection)? = try await connect { socket in
      do throws(TransportError) {
        _ = try await socket.receive()
        end.yield(nil)
      } catch {
        end.yield(error.code)
      }
    }
    _ = try await socket?.send(.text("hello"))
    #expect(await ends.first { _ in true } == .some(nil))
    socket = try await connect { socket in
      do throws(TransportError) {
        _ = try await socket.receive()
      } catch {
        end.yield(error.code)
      }
    }
    socket = nil
    let code = await ends.first { _ in true } ?? nil
    #expect(code == .connectionLost || code == .cancelled)
  }

  @Test func aPeerThatDoesNotReceiveHoldsTheSenderBack() async throws {
    let (sent, report) = AsyncStream.makeStream(of: Int.self)
    let socket = try await connect { socket in
      for number in 1...40 {
        try await socket.send(.text("\(number)"))
        report.yield(number)
      }
      report.finish()
    }
    var count = 0
    for await number in sent where number == 16 {
      count = number
      break
    }
    #expect(count == 16)
    for number in 1...40 { #expect(try await socket.receive() == .text("\(number)")) }
    #expect(try await socket.receive() == nil)
  }

  @Test func aCancelledReceiverIsToldSo() async throws {
    let socket = try await connect { _ = try await $0.receive() }
    let receiving = Task { () -> TransportError.Code? in
      do throws(TransportError) {
        _ = try await socket.receive()
        return nil
      } catch {
        return error.code
      }
    }
    receiving.cancel()
    #expect(await receiving.value == .cancelled)
  }

  @Test func whatIsNoWebSocketIsARefusal() async throws {
    struct Refusing: HTTPHandler {
      func respond(to request: HTTPRequest) async throws -> HTTPResponse {
        HTTPResponse(status: 401, fields: ["WWW-Authenticate": "Bearer"])
      }
    }
    let url = try #require(URL(string: "ws://server.test/feed"))
    let error = await #expect(throws: TransportError.self) {
      try await InProcessTransport(to: Refusing()).connect(to: HTTPRequest(.get, url))
    }
    #expect(error?.code == .webSocketRefused)
    #expect((error?.cause as? WebSocketRefusal)?.status == 401)

    let plain = try #require(URL(string: "http://server.test/feed"))
    let response = try await InProcessTransport(to: Server { _ in }).send(HTTPRequest(.get, plain))
    #expect(response.status == 426)
  }

  @Test func onlyAnOfferedSubprotocolIsAgreedOn() async throws {
    let socket = try await connect(["Sec-WebSocket-Protocol": "phoenix"]) { _ in }
    #expect(socket.subprotocol == "phoenix")
    struct Pushy: HTTPHandler {
      func respond(to request: HTTPRequest) async throws -> HTTPResponse {
        .webSocket(subprotocol: "mine") { _ in }
      }
    }
    let url = try #require(URL(string: "ws://server.test/feed"))
    let error = await #expect(throws: TransportError.self) {
      try await InProcessTransport(to: Pushy()).connect(to: HTTPRequest(.get, url))
    }
    #expect(error?.code == .unreadableResponse)
  }
}
