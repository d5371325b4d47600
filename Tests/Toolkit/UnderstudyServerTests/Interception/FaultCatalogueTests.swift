import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting
@testable import UnderstudyServer

/// Each fault of the catalogue changes what the client of a server receives, or when it receives it.
///
/// Catches a fault that a server accepts and does not show.
@Suite(.stallLimit()) struct FaultCatalogueTests {
  /// What a client observes of an exchange.
  struct Observation: Equatable {
    /// The received text, or the received messages and how the connection ended.
    var received: [String] = []
    /// How the connection ended; `nil` if none could be made.
    var ending: RawClient.Ending?
    /// The time that passed on the server's clock.
    var duration = Duration.zero
  }

  static let answer = Handler { _ in text("Grüße") }

  /// Three events, whose text has a character of several bytes.
  static let stream = Handler { _ in
    HTTP.Response(
      status: 200, fields: ["Content-Type": "text/event-stream"],
      body: HTTP.Body(chunks: ["one", "zwölf", "three"].map { Data("data: \($0)\n\n".utf8) }))
  }

  static let socket = Handler { _ in
    .webSocket { socket in
      for message in ["one", "two", "three"] { try await socket.send(.text(message)) }
    }
  }

  /// The interceptors for a fault at every request, which must take effect.
  static func faults(_ fault: Fault?) -> [Interceptor<Handler>] {
    // That a server cannot cause it is an issue; see `aCancelledCallIsAReset`.
    fault.map { [.faults(.on(.any, $0).optional(if: $0 == .cancelled))] } ?? []
  }

  /// Sends a request to a server with a fault, and reads to the end of the connection.
  static func observe(_ fault: Fault?, of handler: Handler, _ fields: String = "") async throws -> Observation
  {
    let clock = TestClock(.immediate)
    let server = try await MockServer(handler, by: faults(fault), time: clock.time)
    var observation = Observation()
    if let client = try await connect(to: server) {
      try await client.send(get("/", "Connection: close\r\n" + fields))
      // Silence lasts until the client disconnects.
      if fault?.symptom == .timedOut { client.socket.endWriting() }
      let (text, ending) = try await client.ending()
      // These depend on the time, and on whether a plan may close connections.
      let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
      observation.received = lines.filter { !$0.hasPrefix("Date:") && !$0.hasPrefix("Connection:") }
      observation.ending = ending
    }
    observation.duration = clock.elapsed
    await server.close(grace: .zero)
    return observation
  }

  /// A connection, or `nil` if it is refused.
  static func connect(to server: MockServer<Handler>) async throws -> RawClient? {
    do {
      return try await RawClient.connect(to: server.port)
    } catch let error as SocketError where error.code == .connectionRefused {
      return nil
    }
  }

  @Test(arguments: Fault.all(of: .call)) func aCallShowsIt(_ fault: Fault) async throws {
    let normal = try await Self.observe(nil, of: Self.answer)
    #expect(normal.received.contains { $0.hasSuffix("Grüße") } && normal.ending == .closed)
    #expect(normal.duration == .zero)
    #expect(try await Self.observe(fault, of: Self.answer) != normal)
  }

  @Test(arguments: Fault.all(of: .stream)) func aStreamShowsIt(_ fault: Fault) async throws {
    let normal = try await Self.observe(nil, of: Self.stream)
    #expect(normal.received.contains { $0.contains("data: three") } && normal.duration == .zero)
    #expect(try await Self.observe(fault, of: Self.stream) != normal)
  }

  @Test(arguments: Fault.all(of: .webSocket)) func aWebSocketShowsIt(_ fault: Fault) async throws {
    if fault.symptom == .timedOut, !Self.isOfEvents(fault) {
      // Nothing answers the handshake.
      let handshake =
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
      let observation = try await Self.observe(fault, of: Self.socket, handshake)
      #expect(observation.received == [""] && observation.ending == .reset)
      return
    }
    let normal = try await Self.messages(nil)
    #expect(normal.received == ["one", "two", "three", "1000"] && normal.duration == .zero)
    #expect(try await Self.messages(fault) != normal)
  }

  /// Opens a WebSocket to a server with a fault, and receives its messages.
  static func messages(_ fault: Fault?) async throws -> Observation {
    let clock = TestClock(.immediate)
    let plan = FaultPlan<Handler>()
    let server = try await MockServer(socket, by: fault == nil ? [] : [.faults(plan)], time: clock.time)
    if let fault { plan.add(.on(.any, fault).optional(if: isWithoutBytes(fault) || fault == .cancelled)) }
    var observation = Observation()
    do {
      // Without a timeout, which a busy machine would exceed.
      let socket = try await URLSessionTransport().connect(to: HTTP.Request(.get, server.url, timeout: nil))
      while let message = try await socket.receive() {
        if case .text(let text) = message { observation.received.append(text) }
        // The server is silent from now on, and would not answer a close frame either.
        if fault?.symptom == .timedOut { break }
      }
      observation.received.append(socket.closure.map { "\($0.code.rawValue)" } ?? "none")
    } catch {
      observation.received.append("\(error.code)")
    }
    observation.duration = clock.elapsed
    // A message arrives at once, so that it cannot arrive in pieces.
    if let fault, isWithoutBytes(fault) { observation.received.append("\(fault)") }
    await server.close(grace: .zero)
    return observation
  }

  /// Whether it divides the bytes of a body, which a WebSocket does not have.
  static func isWithoutBytes(_ fault: Fault) -> Bool {
    if case .dribble = fault.effect { true } else { false }
  }

  /// Whether it concerns the messages after the handshake.
  static func isOfEvents(_ fault: Fault) -> Bool {
    if case .stream = fault.effect { true } else { false }
  }

  /// A server cannot cause what happens before it: a client that does not reach it is the nearest.
  @Test(arguments: [Fault.connectionRefused, .offline, .hostNotFound])
  func aServerThatIsNotReachedDoesNotListen(_ fault: Fault) async throws {
    let always = try await MockServer(Self.answer, faults: .on(.any, fault))
    let refused = try await Self.connect(to: always)
    #expect(refused == nil)
    await always.close()
    let sometimes = try await MockServer(Self.answer, faults: .on(.any, call: 2, fault))
    for ending in [RawClient.Ending.closed, .reset] {
      let client = try await RawClient.connect(to: sometimes.port)
      try await client.send(get("/", "Connection: close\r\n"))
      let (text, actual) = try await client.ending()
      #expect(actual == ending)
      #expect(text.isEmpty == (ending == .reset))
    }
    await sometimes.close()
  }

  @Test func aCancelledCallIsAReset() async throws {
    let plan = FaultPlan<Handler>(.on(.any, .cancelled).optional)
    let server = try await MockServer(Self.answer, by: .faults(plan))
    let client = try await RawClient.connect(to: server.port)
    try await client.send(get())
    #expect(try await client.ending() == ("", .reset))
    await server.close()
  }
}
