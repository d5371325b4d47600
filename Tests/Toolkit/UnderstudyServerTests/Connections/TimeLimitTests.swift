import Foundation
import TestSupport
import Testing
import UnderstudyTesting
import Understudy
import UnderstudyHTTP
@testable import UnderstudyServer

/// The time limits of a server for its clients.
@Suite(.stallLimit()) struct TimeLimitTests {
  /// Limits of which only one can be exceeded.
  static func limits(_ limit: WritableKeyPath<ServerLimits, Duration>, _ time: Duration) -> ServerLimits {
    var limits = ServerLimits()
    for path in [\ServerLimits.headTime, \.bodyTime, \.wholeBodyTime, \.idleTime, \.writeTime] {
      limits[keyPath: path] = .seconds(1e9)
    }
    limits[keyPath: limit] = time
    return limits
  }

  @Test func aConnectionWithoutRequestsIsClosed() async throws {
    let manual = TestClock()
    let server = try await MockServer(
      Handler.echo, by: [], limits: Self.limits(\.idleTime, .seconds(90)), time: manual.time)
    let client = try await RawClient.connect(to: server.port)
    #expect(try await client.exchange(get()).status == 200)
    let answered = manual.elapsed
    #expect(try await manual.elapsing { try await client.ending() } == ("", .closed))
    #expect(manual.elapsed - answered >= .seconds(90))
    try await manual.elapsing { await server.close() }
  }

  @Test(arguments: ["G", "GET / HTTP/1.1\r\nHost: a\r\nX:"])
  func anIncompleteHeadIsRefused(_ head: String) async throws {
    let manual = TestClock()
    let server = try await MockServer(
      Handler.echo, by: [], limits: Self.limits(\.headTime, .seconds(30)), time: manual.time)
    let client = try await RawClient.connect(to: server.port)
    try await client.send(head)
    // The clock stops then, because the limit for the client to close must not expire too.
    let response = try await manual.elapsing {
      try await client.response()
    } unless: {
      server.connections.contains { $0.stage == .farewell }
    }
    #expect(response.head.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
    #expect(response.body == "The head of the request took longer than 30.0 seconds.\n")
    #expect(manual.elapsed >= .seconds(30))
    // A client that still sends is not reset, so that it can read the reason; the other client is handled afterwards.
    #expect(try await client.ending() == ("", .closed))
    let other = try await RawClient.connect(to: server.port)
    #expect(try await other.exchange(get()).status == 200)
    for _ in 1...2 { try await client.send("more") }
    try await manual.elapsing { await server.close() }
  }

  /// Catches a limit that each received byte extends.
  @Test func aSlowHeadIsRefused() async throws {
    let manual = TestClock()
    var limits = Self.limits(\.headTime, .seconds(30))
    (limits.fieldCount, limits.headBytes) = (.max, .max)
    let server = try await MockServer(Handler.echo, by: [], limits: limits, time: manual.time)
    let client = try await RawClient.connect(to: server.port)
    try await client.send("GET / HTTP/1.1\r\n")
    let response = try await manual.elapsing {
      try await client.response()
    } each: {
      try? await client.socket.write(Array("X: y\r\n".utf8))
    }
    #expect(response.status == 408)
    // Otherwise the server might wait for the client, on a clock that no longer advances.
    client.socket.abort()
    await server.close()
  }

  @Test func aBodyThatPausesIsRefused() async throws {
    let manual = TestClock()
    let server = try await MockServer(
      Handler.echo, by: [], limits: Self.limits(\.bodyTime, .seconds(20)), time: manual.time)
    let client = try await RawClient.connect(to: server.port)
    try await client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab")
    let response = try await manual.elapsing { try await client.response() }
    #expect(response.status == 408)
    #expect(response.body == "The body of the request paused for longer than 20.0 seconds.\n")
    client.socket.abort()
    await server.close()
  }

  /// Catches a limit that each received byte extends.
  @Test func aBodyThatDripsIsRefused() async throws {
    let manual = TestClock()
    var limits = Self.limits(\.wholeBodyTime, .seconds(60))
    limits.bodyTime = .seconds(20)
    let server = try await MockServer(Handler.echo, by: [], limits: limits, time: manual.time)
    let client = try await RawClient.connect(to: server.port)
    try await client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\na")
    let response = try await manual.elapsing {
      try await client.response()
    } each: {
      try? await client.socket.write([97])
    } unless: {
      server.connections.contains { $0.stage == .farewell }
    }
    #expect(response.status == 408)
    #expect(response.body == "The body of the request took longer than 60.0 seconds.\n")
    #expect(manual.elapsed >= .seconds(60))
    client.socket.abort()
    await server.close()
  }

  /// The limit for a whole body applies to each body of a connection, not to all of them together.
  @Test func eachBodyHasItsOwnLimit() async throws {
    let manual = TestClock()
    let server = try await MockServer(
      Handler.echo, by: [], limits: Self.limits(\.wholeBodyTime, .seconds(60)), time: manual.time)
    let client = try await RawClient.connect(to: server.port)
    for _ in 1...3 {
      try await client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na")
      for _ in 1...40 {
        try await manual.wait(forSleepers: 1)
        manual.advance(by: .seconds(1))
      }
      #expect(try await client.exchange("b").status == 200)
    }
    await server.close()
  }

  /// The limits do not apply to the handler.
  @Test func aHandlerHasNoTimeLimit() async throws {
    let manual = TestClock()
    let asked = Latch()
    let answer = Latch()
    var limits = ServerLimits()
    for path in [\ServerLimits.headTime, \.bodyTime, \.wholeBodyTime, \.idleTime, \.writeTime] {
      limits[keyPath: path] = .seconds(3)
    }
    let server = try await MockServer(
      Handler { _ in
        asked.open()
        await answer.wait()
        return text("late")
      }, by: [], limits: limits, time: manual.time)
    let client = try await RawClient.connect(to: server.port)
    try await client.send(get())
    await asked.wait()
    for _ in 1...50 {
      try await manual.wait(forSleepers: 1)
      manual.advance(by: .seconds(1))
    }
    answer.open()
    #expect(try await client.response().body == "late")
    try await manual.elapsing { await server.close() }
  }

  /// A refused client that does not disconnect is reset after the limit.
  @Test func aRefusedClientThatDoesNotDisconnectIsReset() async throws {
    let manual = TestClock()
    let server = try await MockServer(Handler.echo, time: manual.time)
    let client = try await RawClient.connect(to: server.port)
    #expect(try await client.exchange("nonsense\r\n\r\n").status == 400)
    #expect(try await client.ending() == ("", .closed))
    // The client sends a byte before each check of the deadlines, without keeping the server busy.
    try await manual.elapsing {
      await client.socket.waitForHangUp()
    } each: {
      try? await client.socket.write([1])
    }
    try await manual.elapsing { await server.close() }
  }
}
