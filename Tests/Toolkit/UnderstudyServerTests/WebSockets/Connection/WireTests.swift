import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyServer
import UnderstudyTesting

/// The bytes of a connection on the wire, with a test as its peer.
@Suite(.stallLimit()) struct WireTests {
  /// The other end of a connection, controlled by a test.
  struct Peer: Sendable {
    let stream: MemoryByteStream
    let role: WebSocketRole

    func send(_ frames: WebSocketFrame...) async throws {
      let key: UInt32? = role == .client ? 0x0102_0304 : nil
      try await stream.write(frames.flatMap { $0.bytes(maskedWith: key) })
    }

    /// Reads frames until a condition holds or the connection ends; the test is the only reader.
    func events(
      until isEnough: ([WebSocketParser.Event]) -> Bool = { _ in false }
    ) async throws -> [WebSocketParser.Event] {
      var parser = WebSocketParser(role)
      var events: [WebSocketParser.Event] = []
      while !isEnough(events), let bytes = try await stream.read() { events += parser.consume(bytes) }
      return events
    }
  }

  /// A client's connection to a server that is controlled by the test.
  ///
  /// The clock is not advanced by default, so that a busy machine does not cause a timeout.
  func client(_ settings: WebSocketSettings = .timeless) async throws -> (StreamWebSocket, Peer) {
    let (client, server) = MemoryByteStream.pair()
    var settings = settings
    settings.random = { 0x0A0B_0C0D }
    let accept = WebSocketKey { 0x0A0B_0C0D }.accept
    try await server.write(
      Array(
        ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Accept: \(accept)\r\n\r\n").utf8))
    let url = try #require(URL(string: "ws://server.test"))
    let socket = try await StreamWebSocket.open(HTTP.Request(.get, url, timeout: nil), over: client, settings)
    _ = try await server.read()
    return (socket, Peer(stream: server, role: .server))
  }

  /// A client that is controlled by the test, of a server that serves a session.
  func server(
    _ settings: WebSocketSettings = .timeless, _ session: @escaping WebSocketSession
  ) -> (Peer, serving: Task<Void, Never>) {
    let (client, server) = MemoryByteStream.pair()
    let serving = Task { await WebSocketService(.webSocket(session), on: server, settings)?.run() ?? () }
    return (Peer(stream: client, role: .client), serving)
  }

  static let goodbye = WebSocketFrame(.close, [0x03, 0xE8])

  @Test func pingsAreAnsweredWithoutAReceiver() async throws {
    let (socket, peer) = try await client()
    try await peer.send(WebSocketFrame(.ping, [1]), WebSocketFrame(.ping), WebSocketFrame(.pong, [9]))
    #expect(try await peer.events { $0.count == 2 } == [.pong([1]), .pong([])])
    #expect(socket.closure == nil)
  }

  @Test func aPongAnswersThePingsBeforeIt() async throws {
    let (socket, peer) = try await client()
    let pings = (0..<3).map { _ in Task { await code { try await socket.ping() } } }
    let sent = try await peer.events { $0.count == 3 }
    guard case .ping(let payload)? = sent.last else {
      Issue.record("Expected a ping, found \(sent)")
      return
    }
    try await peer.send(WebSocketFrame(.pong, [7]), WebSocketFrame(.pong, payload))
    for ping in pings { #expect(await ping.value == nil) }

    let last = Task { await code { try await socket.ping() } }
    _ = try await peer.events { $0.count == 1 }
    // An old pong answers no new ping, and a close frame arrives in place of the expected pong.
    try await peer.send(WebSocketFrame(.pong, payload), Self.goodbye)
    #expect(await last.value == .connectionLost)
  }

  @Test func aServerAnswersACloseFrameAndCloses() async throws {
    let (peer, serving) = server { socket in
      while try await socket.receive() != nil {}
      #expect(await code { try await socket.send(.text("late")) } == .connectionLost)
    }
    try await peer.send(WebSocketFrame(.close, [0x0F, 0xA1] + Array("why".utf8)))
    // The same code, and then the end of the connection.
    #expect(
      try await peer.events() == [.close(WebSocketClosure(WebSocketClosure.Code(rawValue: 4001)))])
    await serving.value
  }

  @Test func aServerWaitsForTheAnswerToItsCloseFrame() async throws {
    let clock = HandClock()
    let (peer, serving) = server(WebSocketSettings(time: clock.time)) { _ in }
    #expect(try await peer.events { !$0.isEmpty } == [.close(WebSocketClosure(.normalClosure))])
    // Messages in transit are still read, although they have no receiver.
    try await peer.send(WebSocketFrame(.text("late")), WebSocketFrame(.ping, [1]), Self.goodbye)
    #expect(try await peer.events() == [])
    await serving.value
  }

  @Test func aServerWaitsForALimitedTime() async throws {
    let clock = HandClock()
    let (peer, serving) = server(WebSocketSettings(closingTime: .seconds(3), time: clock.time)) { _ in }
    _ = try await peer.events { !$0.isEmpty }
    await clock.sleepers(1)
    clock.advance(by: .seconds(3))
    await serving.value
    await #expect(throws: SocketError.self) { try await peer.stream.read() }
  }

  @Test func aClientLetsTheServerCloseTheConnection() async throws {
    let (socket, peer) = try await client()
    try await peer.send(Self.goodbye)
    #expect(try await peer.events { !$0.isEmpty } == [.close(WebSocketClosure(.normalClosure))])
    #expect(try await socket.receive() == nil)
    // The connection is open until the server ends it, so this write does not fail.
    try await peer.stream.write([0x88, 0])
    peer.stream.endWriting()
    #expect(try await peer.events() == [])
  }

  @Test func aClientWaitsForALimitedTime() async throws {
    let clock = HandClock()
    let (socket, peer) = try await client(WebSocketSettings(closingTime: .seconds(3), time: clock.time))
    try await peer.send(Self.goodbye)
    #expect(try await socket.receive() == nil)
    _ = try await peer.events { !$0.isEmpty }
    await clock.sleepers(1)
    clock.advance(by: .seconds(3))
    await #expect(throws: SocketError.self) { try await peer.stream.read() }
    #expect(socket.closure == WebSocketClosure(.normalClosure))
  }

  @Test func anUnansweredCloseFrameLosesTheConnection() async throws {
    let clock = HandClock()
    let (socket, peer) = try await client(WebSocketSettings(time: clock.time))
    await socket.close(WebSocketClosure(.goingAway))
    await clock.sleepers(1)
    clock.advance(by: .seconds(10))
    #expect(await code { _ = try await socket.receive() } == .connectionLost)
    #expect(socket.closure == WebSocketClosure(.goingAway))
    _ = peer
  }

  @Test func bothSidesMayCloseAtOnce() async throws {
    let (socket, peer) = try await client()
    await socket.close(WebSocketClosure(.goingAway))
    #expect(try await peer.events { !$0.isEmpty } == [.close(WebSocketClosure(.goingAway))])
    try await peer.send(WebSocketFrame(.text("late")), Self.goodbye)
    peer.stream.endWriting()
    #expect(try await socket.receive() == .text("late"))
    #expect(try await socket.receive() == nil)
    #expect(socket.closure == WebSocketClosure(.goingAway))
    // No second close frame arrives.
    #expect(try await peer.events() == [])
  }

  @Test(arguments: [
    (RawFrame(0xFF), WebSocketClosure.Code.protocolError), (RawFrame(0x81, [0xFF]), .invalidPayload),
    (RawFrame(0x82, length: 1 << 40), .messageTooBig), (RawFrame(0x88, [0]), .protocolError),
  ])
  func aProtocolViolationIsReported(_ frame: RawFrame, _ expected: WebSocketClosure.Code) async throws {
    let (socket, peer) = try await client()
    try await peer.stream.write(WebSocketFrame(.text("good")).bytes() + frame.bytes)
    let events = try await peer.events()
    #expect(events == [.close(try #require(socket.closure))])
    #expect(socket.closure?.code == expected)
    #expect(try await socket.receive() == .text("good"))
    let isTooBig = expected == .messageTooBig
    #expect(await code { _ = try await socket.receive() } == (isTooBig ? .bodyTooLarge : .unreadableResponse))
    #expect(await code { try await socket.send(.text("late")) } == .connectionLost)
  }

  @Test func unfinishedMessagesShareALimit() async throws {
    var settings = WebSocketSettings.timeless
    settings.unfinishedMessages = ByteBudget(1_000)
    let part = WebSocketFrame(.binary, [UInt8](repeating: 7, count: 600), isFinal: false)
    let rest = WebSocketFrame(.continuation, [8])
    let whole = WebSocketParser.Event.message(.binary(Data(repeating: 7, count: 600) + [8]))
    let ping = WebSocketFrame(.ping)

    let (first, firstServing) = server(settings, WebSocketContractTests.echo)
    // The part before the ping has been read when the pong arrives.
    try await first.send(part, ping)
    #expect(try await first.events { !$0.isEmpty } == [.pong([])])

    // The connection that exceeds the limit is closed, with the reason for its session.
    let thrown = Locked<TransportError.Code?>(nil)
    let (second, secondServing) = server(settings) { socket in
      let code = await code { _ = try await socket.receive() }
      thrown.withLock { $0 = code }
    }
    try await second.send(part)
    guard case .close(let closure)? = try await second.events(until: { !$0.isEmpty }).first else {
      Issue.record("The connection was not closed.")
      return
    }
    #expect(closure.code.rawValue == 1013)
    #expect(closure.reason == "The unfinished messages of all connections exceed the limit of 1000 bytes.")
    #expect(closure.asSent == closure)
    second.stream.endWriting()
    await secondServing.value
    #expect(thrown.withLock { $0 } == .bodyTooLarge)

    // The other one goes on, and returns what it holds when its message is complete, and when it ends.
    try await first.send(rest)
    #expect(try await first.events { !$0.isEmpty } == [whole])
    for isComplete in [true, false, true] {
      let (next, serving) = server(settings, WebSocketContractTests.echo)
      try await next.send(part, ping)
      #expect(try await next.events { !$0.isEmpty } == [.pong([])])
      if isComplete {
        try await next.send(rest)
        #expect(try await next.events { !$0.isEmpty } == [whole])
        try await next.send(Self.goodbye)
      } else {
        next.stream.abort()
      }
      await serving.value
    }
    try await first.send(part, rest)
    #expect(try await first.events { !$0.isEmpty } == [whole])
    try await first.send(Self.goodbye)
    await firstServing.value
  }

  @Test func anEndWithoutACloseFrameIsALostConnection() async throws {
    for isOrderly in [true, false] {
      let (socket, peer) = try await client()
      try await peer.send(WebSocketFrame(.text, [0x61], isFinal: false))
      if isOrderly { peer.stream.endWriting() } else { peer.stream.abort() }
      #expect(await code { _ = try await socket.receive() } == .connectionLost)
      #expect(await code { try await socket.ping() } == .connectionLost)
      #expect(socket.closure == nil)
    }
  }

  @Test func theNumberOfQueuedPongsIsLimited() async throws {
    let (peer, serving) = server { while try await $0.receive() != nil {} }
    // More pongs than the connection queues are due before the first is read.
    for number in 0..<2_000 {
      try await peer.send(WebSocketFrame(.ping, [UInt8](repeating: UInt8(number & 0xFF), count: 125)))
    }
    try await peer.send(Self.goodbye)
    let events = try await peer.events()
    // The remaining pongs are in order, the last ping was answered, and the close frame is the last frame.
    #expect(events.last == .close(WebSocketClosure(.normalClosure)))
    #expect(events.dropLast().last == .pong([UInt8](repeating: UInt8(1_999 & 0xFF), count: 125)))
    #expect(events.count < 2_000)
    await serving.value
  }

  @Test func aClientMasksEachFrameWithANewKeyAndAServerMasksNone() async throws {
    let keys = Locked<UInt32>(0)
    let (client, server) = MemoryByteStream.pair()
    let transport = StreamServer(handler: Handler { _ in .webSocket { _ = try await $0.receive() } })
    let tapped = TappedStream(base: client)
    let serving = Task { await transport.serve(server) }
    let url = try #require(URL(string: "ws://server.test"))
    let socket = try await StreamWebSocket.open(
      HTTP.Request(.get, url, timeout: nil), over: tapped,
      WebSocketSettings(random: {
        keys.withLock {
          $0 += 1; return $0
        }
      }))
    try await socket.send(.text("hi"))
    // The first four values are the key of the handshake.
    #expect(tapped.written.last == [0x81, 0x82, 0, 0, 0, 5, UInt8(ascii: "h"), UInt8(ascii: "i")])
    #expect(try await socket.receive() == nil)
    await serving.value
    #expect(tapped.written.last?.prefix(6) == [0x88, 0x82, 0, 0, 0, 6])
    #expect(tapped.seen == [[0x88, 0x02, 0x03, 0xE8]])
  }
}

/// A stream that records its bytes.
private final class TappedStream: ByteStream {
  private let base: MemoryByteStream
  private let log = Locked<(written: [[UInt8]], seen: [[UInt8]])>(([], []))

  init(base: MemoryByteStream) {
    self.base = base
  }

  var written: [[UInt8]] { log.withLock { $0.written } }
  /// The received bytes without the head of the answer.
  var seen: [[UInt8]] { log.withLock { Array($0.seen.dropFirst()) } }

  func read() async throws(SocketError) -> [UInt8]? {
    let bytes = try await base.read()
    log.withLock { $0.seen += bytes.map { [$0] } ?? [] }
    return bytes
  }

  func write(_ bytes: [UInt8]) async throws(SocketError) {
    log.withLock { $0.written.append(bytes) }
    try await base.write(bytes)
  }

  func endWriting() { base.endWriting() }

  func close() async { await base.close() }

  func abort() { base.abort() }
}
