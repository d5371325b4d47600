import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyServer
import UnderstudyTesting

/// The contract of every ``WebSocketConnection``, in memory and over byte streams, however the bytes are split.
@Suite(.stallLimit(), .servers) struct WebSocketContractTests {
  enum Route: CaseIterable, Sendable {
    case inProcess, stream, streamInBytes, narrowStream, socket

    func transport(to handler: some HTTPHandler) -> any WebSocketTransport {
      switch self {
      case .inProcess: InProcessTransport(to: handler)
      case .stream: StreamTransport(handler: handler)
      case .streamInBytes: StreamTransport(handler: handler, piece: 1)
      case .narrowStream: StreamTransport(handler: handler, capacity: 5, piece: 3)
      case .socket: ServerTransport(handler: handler)
      }
    }

    func connect(
      with fields: HTTP.Fields = [:], _ session: @escaping WebSocketSession
    ) async throws -> any WebSocketConnection {
      let handler = Handler {
        .webSocket(subprotocol: $0.fields["Sec-WebSocket-Protocol"], session)
      }
      let url = try #require(URL(string: "ws://server.test/feed"))
      return try await transport(to: handler).connect(
        to: HTTP.Request(.get, url, fields: fields, timeout: nil))
    }
  }

  struct Oops: Error {}

  static let echo: WebSocketSession = { socket in
    while let message = try await socket.receive() { try await socket.send(message) }
  }

  @Test(arguments: Route.allCases) func messagesGoBothWaysInOrder(_ route: Route) async throws {
    let socket = try await route.connect(Self.echo)
    for number in 0..<50 {
      try await socket.send(.text("\(number) ☃"))
      #expect(try await socket.receive() == .text("\(number) ☃"))
    }
    // In pieces, the long ones take long.
    let isInPieces = route == .narrowStream || route == .streamInBytes
    let sizes = [0, 125, 126, 0xFFFF, 0x10000]
    for size in Effort.some(of: sizes, where: { !isInPieces || $0 < 0xFFFF }) {
      let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0) })
      try await socket.send(.binary(bytes))
      #expect(try await socket.receive() == .binary(bytes))
    }
    try await socket.ping()
    #expect(socket.closure == nil)
    await socket.close()
    #expect(socket.closure == WebSocketClosure(.normalClosure))
    #expect(try await socket.receive() == nil)
    #expect(try await socket.receive() == nil)
  }

  @Test(arguments: Route.allCases) func eachKindOfEndIsReportedToTheClient(_ route: Route) async throws {
    let returned = try await route.connect { try await $0.send(.text("last")) }
    #expect(try await returned.receive() == .text("last"))
    #expect(try await returned.receive() == nil)
    #expect(returned.closure == WebSocketClosure(.normalClosure))

    let failed = try await route.connect { _ in throw Oops() }
    #expect(try await failed.receive() == nil)
    #expect(failed.closure?.code == .internalError)

    // A connection that is reset at once may take the answer to the handshake with it.
    let broken = try await route.connect { socket in
      _ = try await socket.receive()
      throw TransportError(.connectionLost, "for the test")
    }
    try await broken.send(.text("go"))
    #expect(await code { _ = try await broken.receive() } == .connectionLost)
    #expect(broken.closure == nil)
    #expect(await code { try await broken.send(.text("late")) } == .connectionLost)
    #expect(await code { try await broken.ping() } == .connectionLost)
    await broken.close()
    #expect(broken.closure == nil)
  }

  @Test(arguments: Route.allCases) func aClosureArrivesAsItIsSent(_ route: Route) async throws {
    let long = String(repeating: "é", count: 70)
    let closures = [
      WebSocketClosure(WebSocketClosure.Code(rawValue: 4999), "no more"): WebSocketClosure(
        WebSocketClosure.Code(rawValue: 4999), "no more"),
      WebSocketClosure(.goingAway, long): WebSocketClosure(.goingAway, String(repeating: "é", count: 61)),
      // A code that a close frame must not contain is omitted.
      WebSocketClosure(.noStatus, "x"): WebSocketClosure(.noStatus),
      WebSocketClosure(WebSocketClosure.Code(rawValue: 1006)): WebSocketClosure(.noStatus),
      WebSocketClosure(WebSocketClosure.Code(rawValue: 0)): WebSocketClosure(.noStatus),
    ]
    for (said, heard) in closures {
      let socket = try await route.connect { await $0.close(said) }
      #expect(try await socket.receive() == nil)
      #expect(socket.closure == heard)
      #expect(await code { try await socket.send(.text("late")) } == .connectionLost)

      let (ends, end) = AsyncStream.makeStream(of: WebSocketClosure?.self)
      let other = try await route.connect { socket in
        defer { end.finish() }
        _ = try await socket.receive()
        end.yield(socket.closure)
      }
      await other.close(said)
      #expect(await ends.first { _ in true } == .some(heard))
      #expect(other.closure == heard)
    }
  }

  @Test(arguments: Route.allCases) func messagesBeforeACloseFrameAreReceived(_ route: Route) async throws {
    let (ends, end) = AsyncStream.makeStream(of: [String].self)
    let socket = try await route.connect { socket in
      defer { end.finish() }
      for number in 0..<5 { try await socket.send(.text("down \(number)")) }
      var heard: [String] = []
      while case .text(let text) = try await socket.receive() { heard.append(text) }
      end.yield(heard)
    }
    for number in 0..<5 { #expect(try await socket.receive() == .text("down \(number)")) }
    for number in 0..<5 { try await socket.send(.text("up \(number)")) }
    await socket.close()
    #expect(await ends.first { _ in true } == (0..<5).map { "up \($0)" })
    #expect(try await socket.receive() == nil)
  }

  @Test(arguments: Route.allCases) func aClientThatDisconnectsEndsTheSession(_ route: Route) async throws {
    let (ends, end) = AsyncStream.makeStream(of: TransportError.Code?.self)
    var socket: (any WebSocketConnection)? = try await route.connect { socket in
      defer { end.finish() }
      // The message may be lost with the connection.
      _ = try? await socket.receive()
      end.yield(await code { _ = try await socket.receive() })
    }
    try await socket?.send(.text("hello"))
    socket = nil
    let seen = await ends.first { _ in true } ?? nil
    #expect(seen == .connectionLost || seen == .cancelled)

    // Also a session that does not receive.
    let (idles, idle) = AsyncStream.makeStream(of: Bool.self)
    socket = try await route.connect { _ in
      defer { idle.finish() }
      for await _ in AsyncStream<Never>.makeStream().stream {}
      idle.yield(Task.isCancelled)
    }
    socket = nil
    #expect(await idles.first { _ in true } == true)
  }

  @Test(arguments: Route.allCases) func messagesSentBeforeTheLastReferenceIsReleasedArrive(_ route: Route)
    async throws
  {
    let (heard, hear) = AsyncStream.makeStream(of: WebSocketMessage?.self)
    var socket: (any WebSocketConnection)? = try await route.connect { socket in
      defer { hear.finish() }
      while let message = try await socket.receive() { hear.yield(message) }
      hear.yield(nil)
    }
    for number in 0..<3 { try await socket?.send(.text("\(number)")) }
    await socket?.close()
    socket = nil
    var messages: [WebSocketMessage] = []
    for await message in heard {
      guard let message else { break }
      messages.append(message)
    }
    #expect(messages == (0..<3).map { .text("\($0)") })
  }

  @Test(arguments: [Route.inProcess, .narrowStream]) func aPeerThatDoesNotReceiveAppliesBackPressure(
    _ route: Route
  ) async throws {
    let sent = Locked(0)
    let (sixteens, sixteen) = AsyncStream.makeStream(of: Void.self)
    let socket = try await route.connect { socket in
      defer { sixteen.finish() }
      for number in 1...200 {
        try await socket.send(.text("\(number)"))
        sent.withLock { $0 = number }
        if number == 16 { sixteen.yield() }
      }
    }
    for await _ in sixteens { break }
    for number in 1...200 {
      // A connection buffers sixteen; over a stream some more are in transit.
      #expect(sent.withLock { $0 } < number + (route == .inProcess ? 16 : 24))
      #expect(try await socket.receive() == .text("\(number)"))
    }
    #expect(try await socket.receive() == nil)
  }

  @Test(arguments: Route.allCases) func manySendersDoNotMixTheirMessages(_ route: Route) async throws {
    let socket = try await route.connect(Self.echo)
    let texts = (0..<20).map { String(repeating: "\($0 % 10)", count: 300 + $0) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for text in texts { group.addTask { try await socket.send(.text(text)) } }
      group.addTask { try await socket.ping() }
      var received: [String] = []
      while received.count < texts.count, case .text(let text) = try await socket.receive() {
        received.append(text)
      }
      #expect(received.sorted() == texts.sorted())
      try await group.waitForAll()
    }
  }

  @Test(arguments: Route.allCases) func aCancelledTaskThrowsAndEndsTheConnection(_ route: Route)
    async throws
  {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let socket = try await route.connect { socket in
      defer { end.finish() }
      _ = try? await socket.receive()
      end.yield()
    }
    let receiving = Task { await code { _ = try await socket.receive() } }
    receiving.cancel()
    #expect(await receiving.value == .cancelled)
    for await _ in ends { break }
    #expect(await code { _ = try await socket.receive() } == .connectionLost)
    #expect(socket.closure == nil)
  }

  /// Catches a connection whose end overtakes its close frame, after which the receiver sees a lost connection.
  @Test(arguments: [Route.inProcess, .stream]) func aCloseFrameIsReceivedBeforeTheEnd(_ route: Route)
    async throws
  {
    for _ in 0..<Effort.times(50) {
      let (ends, end) = AsyncStream.makeStream(of: TransportError.Code?.self)
      let socket = try await route.connect { socket in
        defer { end.finish() }
        end.yield(await code { while try await socket.receive() != nil {} })
      }
      await socket.close()
      #expect(try await socket.receive() == nil)
      #expect(await ends.first { _ in true } == .some(nil))
    }
  }

  /// Catches a deadlock: the cancellation of each end resumes the other's task.
  @Test func bothEndsCanBeCancelledAtOnce() async throws {
    for _ in 0..<Effort.times(100) {
      let (go, start) = AsyncStream.makeStream(of: Void.self)
      let socket = try await Route.inProcess.connect { socket in
        let receiving = Task { _ = try? await socket.receive() }
        for await _ in go { break }
        receiving.cancel()
        await receiving.value
      }
      let receiving = Task { await code { _ = try await socket.receive() } }
      start.yield()
      receiving.cancel()
      // The other end may have been cancelled first.
      #expect([.cancelled, .connectionLost].contains(await receiving.value))
    }
  }

  @Test(arguments: Route.allCases) func aCancelledTaskCanClose(_ route: Route) async throws {
    let socket = try await route.connect(Self.echo)
    let closing = Task {
      for await _ in AsyncStream<Never>.makeStream().stream {}
      await socket.close(WebSocketClosure(.goingAway))
    }
    closing.cancel()
    await closing.value
    #expect(try await socket.receive() == nil)
    #expect(socket.closure?.code == .goingAway)
  }

  @Test(arguments: Route.allCases) func anAnswerThatIsNotAWebSocketIsARefusal(_ route: Route) async throws {
    let handler = Handler { _ in HTTP.Response(status: 401, fields: ["WWW-Authenticate": "Bearer"]) }
    let url = try #require(URL(string: "ws://server.test/feed"))
    let request = HTTP.Request(.get, url, timeout: nil)
    let error = await #expect(throws: TransportError.self) {
      try await route.transport(to: handler).connect(to: request)
    }
    #expect(error?.code == .webSocketRefused)
    #expect((error?.cause as? WebSocketRefusal)?.status == 401)
    #expect((error?.cause as? WebSocketRefusal)?.fields["WWW-Authenticate"] == "Bearer")
  }

  @Test(arguments: Route.allCases) func onlyAnOfferedSubprotocolIsAccepted(_ route: Route) async throws {
    let socket = try await route.connect(with: ["Sec-WebSocket-Protocol": "phoenix"], Self.echo)
    #expect(socket.subprotocol == "phoenix")
    let pushy = Handler { _ in .webSocket(subprotocol: "mine") { _ in } }
    let url = try #require(URL(string: "ws://server.test/feed"))
    #expect(
      await code {
        _ = try await route.transport(to: pushy).connect(to: HTTP.Request(.get, url, timeout: nil))
      }
        == .unreadableResponse)
  }

  @Test(arguments: Route.allCases) func anInvalidHandshakeIsNotSent(_ route: Route) async throws {
    let transport = route.transport(to: Handler { _ in .webSocket(Self.echo) })
    let url = try #require(URL(string: "ws://server.test/feed"))
    var requests = [HTTP.Request(.post, url), HTTP.Request(.get, url, body: Data())]
    requests.append(HTTP.Request(.get, url, fields: ["Sec-WebSocket-Extensions": "permessage-deflate"]))
    requests.append(HTTP.Request(.get, try #require(URL(string: "ftp://server.test/"))))
    for request in requests {
      #expect(await code { _ = try await transport.connect(to: request) } == .invalidRequest)
    }
  }

  @Test(arguments: [Route.inProcess, .stream, .socket]) func aMessageThatIsTooLongIsRefused(_ route: Route)
    async throws
  {
    let (ends, end) = AsyncStream.makeStream(of: TransportError.Code?.self)
    let socket = try await route.connect { socket in
      defer { end.finish() }
      end.yield(await code { _ = try await socket.receive() })
    }
    try? await socket.send(.binary(Data(count: 16 << 20 + 1)))
    #expect(await ends.first { _ in true } == .bodyTooLarge)
    #expect(try await socket.receive() == nil)
    #expect(socket.closure?.code == .messageTooBig)
  }

  @Test(arguments: Route.allCases) func aConnectionBreaksAsTheHandlerRequests(_ route: Route) async throws {
    let hello = WebSocketFrame(.text, Array("hello".utf8)).bytes()
    let breaks: [(ConnectionBreak, TransportError.Code, WebSocketClosure.Code?)] = [
      (.reset, .connectionLost, nil), (.close, .connectionLost, nil),
      (.malformedChunk, .unreadableResponse, .protocolError),
      (.bytes(Data(hello + [0x80, 0])), .unreadableResponse, .protocolError),
      (.bytes(Data(hello.dropLast())), .connectionLost, nil), (.truncatedChunk, .connectionLost, nil),
      (.bytes(Data([0x81, 1, 0xFF])), .unreadableResponse, .invalidPayload),
    ]
    for (wanted, expected, closure) in breaks {
      let socket = try await route.connect { socket in
        _ = try await socket.receive()
        throw wanted
      }
      try await socket.send(.text("go"))
      let seen = await code { while try await socket.receive() == .text("hello") {} }
      #expect(seen == expected, "\(wanted)")
      #expect(socket.closure?.code == closure, "\(wanted)")
    }
  }

  @Test(arguments: Route.allCases) func aSilentConnectionWaitsForItsClient(_ route: Route) async throws {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    var socket: (any WebSocketConnection)? = try await route.connect { _ in
      defer { end.finish() }
      end.yield()
      throw ConnectionBreak.silence
    }
    for await _ in ends { break }
    // Neither answered nor refused.
    try await socket?.send(.text("Is anybody there?"))
    let waiting = Task { [socket] in await code { _ = try await socket?.receive() } }
    socket = nil
    waiting.cancel()
    #expect(await waiting.value == .cancelled)
  }
}
