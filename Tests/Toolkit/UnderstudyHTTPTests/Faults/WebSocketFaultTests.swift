import Foundation
import TestSupport
import Testing
import UnderstudyTesting
@testable import Understudy
@testable import UnderstudyHTTP

/// The effect of each fault on a client of a WebSocket, injected into its transport or into the server's handler.
@Suite(.stallLimit()) struct WebSocketFaultTests {
  /// Sends three messages, and then receives messages until the client disconnects.
  struct Speaker: HTTPHandler {
    let ended = Locked<[AsyncStream<Never>.Continuation]>([])

    func respond(to request: HTTP.Request) async throws -> HTTP.Response {
      .webSocket { socket in
        defer { for watcher in ended.withLock({ $0 }) { watcher.finish() } }
        for word in ["one", "two", "three"] { try await socket.send(.text(word)) }
        while try await socket.receive() != nil {}
      }
    }
  }

  /// The received messages, and how the connection ended.
  struct Seen: Equatable, CustomStringConvertible {
    var words: [String] = []
    var error: TransportError.Code?
    var status: Int?
    var closure: UInt16?

    var description: String {
      "\(words) error \(error?.description ?? "-") status \(status ?? 0) closure \(closure ?? 0)"
    }
  }

  static let whole = ["one", "two", "three"]

  /// Written by hand.
  static let table: [(fault: Fault, seen: Seen)] = [
    (.closeWebSocket(code: .internalError, afterMessages: 2), Seen(words: ["one", "two"], closure: 1011)),
    (.closeWebSocket(afterMessages: 0), Seen(closure: 1001)),
    (.abortWebSocket(afterMessages: 2), Seen(words: ["one", "two"], error: .connectionLost)),
    (.badFrame(afterMessages: 1), Seen(words: ["one"], error: .unreadableResponse)),
    (.dropStream(), Seen(words: ["one"], error: .connectionLost)),
    (.endStream(), Seen(words: ["one"], closure: 1000)),
    (.corruptEvent(2), Seen(words: ["one", #"{"unfinished": ["#, "three"])),
    (.duplicateEvent(2), Seen(words: ["one", "two", "two"])),
    (.reorderEvent(1), Seen(words: ["two", "one", "three"])),
    (.unterminatedEvent, Seen(words: whole)), (.splitCharacters, Seen(words: whole)),
    (.latency(.seconds(5)), Seen(words: whole)), (.dribble(), Seen(words: whole)),
    (.conflict, Seen(error: .webSocketRefused, status: 409)),
    (.unreadableAnswer, Seen(error: .webSocketRefused, status: 200)),
    (.brokenGzip, Seen(error: .webSocketRefused, status: 200)),
    (.garbage, Seen(error: .unreadableResponse)), (.malformedChunk(), Seen(error: .unreadableResponse)),
    (.timeout, Seen(error: .timedOut)), (.answerLost, Seen(error: .timedOut)),
    (.timeoutInBody(), Seen(error: .timedOut)), (.emptyReply, Seen(error: .connectionLost)),
    (.truncatedBody(), Seen(error: .connectionLost)), (.resetInBody(), Seen(error: .connectionLost)),
    (.connectionLost, Seen(error: .connectionLost)), (.offline, Seen(error: .offline)),
    (.connectionRefused, Seen(error: .connectionRefused)), (.redirectLoop, Seen(error: .tooManyRedirects)),
  ]

  @Test(arguments: table, [InjectionPoint.transport, .handler])
  func effectsAreTheSameAtBothPoints(_ row: (fault: Fault, seen: Seen), _ injectionPoint: InjectionPoint)
    async throws
  {
    #expect(try await see(row.fault, at: injectionPoint) == row.seen)
  }

  private func see(_ fault: Fault, at injectionPoint: InjectionPoint) async throws -> Seen {
    let url = try #require(URL(string: "ws://localhost/talk"))
    let request = HTTP.Request(.get, url, timeout: .seconds(30))
    var seen = Seen()
    do {
      let socket = try await transport(fault, at: injectionPoint).connect(to: request)
      // No more than three arrive, and fewer if the fault ends the connection.
      while seen.words.count < 3 {
        let message = try await socket.receive()
        guard case .text(let word)? = message else { break }
        seen.words.append(word)
      }
      seen.closure = socket.closure?.code.rawValue
    } catch {
      seen.error = error.code
      seen.status = (error.cause as? WebSocketRefusal)?.status
    }
    return seen
  }

  private func transport(
    _ fault: Fault, at injectionPoint: InjectionPoint, _ speaker: Speaker = Speaker(),
    on time: Time = TestClock(.immediate).time
  ) -> any WebSocketTransport {
    let isUnchanged = [.unterminatedEvent, .splitCharacters, .dribble()].contains(fault)
    return if injectionPoint == .transport {
      Intercepted(
        InProcessTransport(to: speaker, time: time),
        by: .faults(.on(.connect("/talk"), fault).optional(if: isUnchanged)), time: time)
    } else {
      InProcessTransport(
        to: Intercepted(
          speaker, by: .faults(.on(.get("/talk"), fault).optional(if: isUnchanged)), time: time),
        time: time)
    }
  }

  @Test(arguments: [InjectionPoint.transport, .handler])
  func aStalledConnectionDeliversNothingMore(_ injectionPoint: InjectionPoint) async throws {
    let time = TestClock()
    let url = try #require(URL(string: "ws://localhost/talk"))
    let socket = try await transport(.stallStream(afterEvents: 1), at: injectionPoint, on: time.time)
      .connect(to: HTTP.Request(.get, url))
    #expect(try await socket.receive() == .text("one"))
    let error = await #expect(throws: TimeoutError.self) {
      try await time.time.withTimeout(.seconds(1)) {
        async let message = socket.receive()
        // The deadline, and the silent side.
        try await time.wait(forSleepers: 2)
        time.advance(by: .seconds(1))
        _ = try await message
      }
    }
    #expect(error?.limit == .seconds(1))
    #expect(socket.closure == nil)
  }

  /// Catches a fault that ends the connection at the client while the server continues.
  @Test(arguments: [Fault.abortWebSocket(), .closeWebSocket(), .badFrame(), .endStream()])
  func theServerDetectsTheEnd(_ fault: Fault) async throws {
    let speaker = Speaker()
    let (ended, wake) = AsyncStream<Never>.makeStream()
    speaker.ended.withLock { $0.append(wake) }
    let url = try #require(URL(string: "ws://localhost/talk"))
    let socket = try await transport(fault, at: .transport, speaker).connect(to: HTTP.Request(.get, url))
    #expect(try await socket.receive() == .text("one"))
    #expect((try? await socket.receive()) == nil)
    for await _ in ended {}
    let error = await #expect(throws: TransportError.self) { try await socket.send(.text("hello")) }
    #expect(error?.code == .connectionLost)
  }

  @Test(arguments: [
    (Fault.abortWebSocket(), ConnectionBreak.reset), (.dropStream(), .close),
    (.badFrame(), .bytes(Data([0xFF, 0x00]))),
  ])
  func theFaultDefinesTheBreakOfTheConnection(_ fault: Fault, _ expected: ConnectionBreak) async throws {
    let handler = Intercepted(Speaker(), by: .faults(.on(.any, fault)))
    let url = try #require(URL(string: "http://localhost/talk"))
    let session = try #require(try await handler.respondOnWire(to: HTTP.Request(.get, url)).webSocketSession)
    let socket = CountingSocket()
    await #expect(throws: expected) { try await session(socket) }
    #expect(socket.sent.withLock { $0 } == 1)
  }

  /// A connection without messages.
  final class CountingSocket: WebSocketConnection {
    let sent = Locked(0)
    var subprotocol: String? { nil }
    var closure: WebSocketClosure? { nil }

    func send(_ message: WebSocketMessage) async throws(TransportError) { sent.withLock { $0 += 1 } }
    func receive() async throws(TransportError) -> WebSocketMessage? { nil }
    func ping() async throws(TransportError) {}
    func close(_ closure: WebSocketClosure) async {}
  }

  @Test func callsLogsAndGatesSeeTheHandshake() async throws {
    let log = CallLog<InProcessTransport<Speaker>>()
    let transport = Intercepted(InProcessTransport(to: Speaker()), by: .log(log))
    let url = try #require(URL(string: "wss://localhost/talk?vsn=2"))
    _ = try await transport.connect(to: HTTP.Request(.get, url))
    #expect(log.calls.count == 1)
    #expect(log.count(of: .connect("/talk")) == 1)
  }

  @Test func theCatalogueHasEachFaultOnceAndTheTableEveryFailure() {
    let all = Fault.all(of: .webSocket)
    #expect(Set(all).count == all.count && Set(Fault.all(of: .call)).isSubset(of: all))
    let names = Set(Self.table.map { $0.fault.description.prefix { $0 != ":" } })
    for fault in all where !Fault.all(of: .call).contains(fault) {
      #expect(names.contains(fault.description.prefix { $0 != ":" }) || fault == .stallStream())
    }
    #expect(Fault.failures(of: .webSocket).allSatisfy { $0.symptom != .delayed && $0.symptom != .altered })
  }
}
