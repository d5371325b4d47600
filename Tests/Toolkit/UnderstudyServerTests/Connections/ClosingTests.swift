import Foundation
import TestSupport
import Testing
import UnderstudyTesting
import Understudy
import UnderstudyHTTP
@testable import UnderstudyServer

/// Closing a server.
@Suite(.stallLimit()) struct ClosingTests {
  @Test func idleConnectionsAreClosedAndNewOnesRefused() async throws {
    // No other process listens on the port after the server.
    let reservation = try PortReservation(port: 0)
    let server = try await MockServer(Handler.echo, port: reservation.port)
    let client = try await RawClient.connect(to: server.port)
    #expect(try await client.exchange(get()).status == 200)
    #expect(server.connections.count == 1)
    await server.close()
    #expect(server.connections.isEmpty)
    #expect(try await client.ending() == ("", .closed))
    await #expect(throws: SocketError.self) { try await RawClient.connect(to: server.port) }
    withExtendedLifetime(reservation) {}
    await server.close()
  }

  @Test func anExchangeInProgressIsCompleted() async throws {
    let (asked, release) = (Latch(), Latch())
    let server = try await MockServer(
      Handler { request in
        if request.method == .get {
          asked.open()
          await release.wait()
        }
        return text("done")
      })
    let client = try await RawClient.connect(to: server.port)
    let idle = try await RawClient.connect(to: server.port)
    #expect(try await idle.exchange("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n").body == "done")
    try await client.send(get("/slow"))
    await asked.wait()
    let busy = server.connections.filter(\.isBusy)
    #expect(busy.count == 1 && busy[0].description.hasPrefix("GET /slow, response in progress for "))
    let closing = Task { await server.close() }
    // The server is closing, which does not affect a client that waits for an answer.
    #expect(try await idle.ending() == ("", .closed))
    release.open()
    #expect(try await client.response().body == "done")
    #expect(try await client.ending() == ("", .closed))
    await closing.value
  }

  @Test func exchangesAreAbortedAfterTheGracePeriod() async throws {
    let manual = TestClock()
    let (asked, cancelled) = (Latch(), Latch())
    let server = try await MockServer(Handler.waiting(asked, cancelled: cancelled), time: manual.time)
    let client = try await RawClient.connect(to: server.port)
    try await client.send(get())
    await asked.wait()
    let closing = Task { await server.close(grace: .seconds(7)) }
    try await manual.elapsing { await cancelled.wait() }
    #expect(manual.elapsed >= .seconds(7))
    await closing.value
    #expect(try await client.ending() == ("", .reset))
  }

  @Test func withoutAGracePeriodTheyAreAbortedAtOnce() async throws {
    let (asked, cancelled) = (Latch(), Latch())
    let server = try await MockServer(Handler.waiting(asked, cancelled: cancelled), time: TestClock().time)
    let client = try await RawClient.connect(to: server.port)
    try await client.send(get())
    await asked.wait()
    await server.close(grace: .zero)
    await cancelled.wait()
    #expect(try await client.ending() == ("", .reset))
  }

  @Test func cancellingTheCallerEndsTheGracePeriod() async throws {
    let (asked, cancelled) = (Latch(), Latch())
    let server = try await MockServer(Handler.waiting(asked, cancelled: cancelled), time: TestClock().time)
    let client = try await RawClient.connect(to: server.port)
    try await client.send(get())
    await asked.wait()
    let closing = Task { await server.close() }
    closing.cancel()
    await closing.value
    await cancelled.wait()
    #expect(try await client.ending() == ("", .reset))
  }

  @Test func anUnreferencedServerIsClosed() async throws {
    let (asked, cancelled) = (Latch(), Latch())
    let reservation = try PortReservation(port: 0)
    var server: MockServer<Handler>? = try await MockServer(
      Handler.waiting(asked, cancelled: cancelled), port: reservation.port)
    let port = try #require(server?.port)
    let client = try await RawClient.connect(to: port)
    try await client.send(get())
    await asked.wait()
    server = nil
    await cancelled.wait()
    #expect(try await client.ending() == ("", .reset))
    await #expect(throws: SocketError.self) { try await RawClient.connect(to: port) }
    withExtendedLifetime(reservation) {}
  }

  @Test func twoTasksMayCloseItAtOnce() async throws {
    let server = try await MockServer(Handler.echo)
    let client = try await RawClient.connect(to: server.port)
    #expect(try await client.exchange(get()).status == 200)
    async let one: Void = server.close()
    async let other: Void = server.close()
    _ = await (one, other)
    #expect(try await client.ending() == ("", .closed))
  }

  // MARK: - Two servers

  @Test func twoServersShareNothing() async throws {
    let asked = Latch()
    let stuck = try await MockServer(Handler.waiting(asked))
    let free = try await MockServer(Handler.echo)
    #expect(stuck.port != free.port)
    let waiting = try await RawClient.connect(to: stuck.port)
    try await waiting.send(get())
    await asked.wait()
    #expect(free.connections.isEmpty)
    let client = try await RawClient.connect(to: free.port)
    #expect(try await client.exchange(get("/x")).body == "GET http://a/x no body")
    await stuck.close(grace: .zero)
    #expect(try await client.exchange(get("/y")).body == "GET http://a/y no body")
    await free.close()
  }

  /// Catches a refused client that a closing server waits for, until the end of the grace period.
  @Test func aRefusedClientIsNotWaitedForAfterTheRefusal() async throws {
    let core = try ServerCore(
      Intercepted(Handler.echo, by: [], time: .system), plans: [], port: 0, limits: ServerLimits(),
      time: .system, observer: nil)
    let client = try await RawClient.connect(to: Int(core.port))
    let connection = Connection(client.socket, of: core, .server(authority: core.authority))
    #expect(connection.enter(.body))
    connection.finish()
    #expect(!connection.enter(.farewell))
    await core.close(grace: .zero)
  }

  @Test func aPortInUseIsAnError() async throws {
    let server = try await MockServer(Handler.echo)
    let error = await #expect(throws: MockServerError.self) {
      try await MockServer(Handler.echo, port: UInt16(server.port))
    }
    #expect(error?.code == .portInUse && error?.cause is SocketError)
    #expect(
      error?.message
        == "Could not listen on 127.0.0.1:\(server.port) (Address already in use). Port 0 selects a free port."
    )
    let client = try await RawClient.connect(to: server.port)
    #expect(try await client.exchange(get()).status == 200)
    client.socket.endWriting()
    await server.close()
    // Its port is available at once, although its connections have just ended.
    let next = try await MockServer(Handler.echo, port: UInt16(server.port))
    #expect(next.port == server.port)
    await next.close()
  }
}
