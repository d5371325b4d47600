import Foundation
import TestSupport
import Testing
import UnderstudyTesting
import UnderstudyHTTP
@testable import UnderstudyServer

/// A client that does not wait for its answer.
@Suite(.stallLimit()) struct LeavingTests {
  enum Route: CaseIterable, Sendable {
    case close
    case reset
    /// The client may still read, which a server cannot detect.
    case endOfItsSide
  }

  private func leave(_ client: RawClient, _ route: Route) async {
    switch route {
    case .close: await client.socket.close()
    case .reset: client.socket.abort()
    case .endOfItsSide: client.socket.endWriting()
    }
  }

  @Test(arguments: Route.allCases) func cancelsTheHandler(_ route: Route) async throws {
    let (asked, cancelled) = (Latch(), Latch())
    let server = try await MockServer(Handler.waiting(asked, cancelled: cancelled))
    let client = try await RawClient.connect(to: server.port)
    try await client.send(get())
    await asked.wait()
    await leave(client, route)
    await cancelled.wait()
    await server.close()
    #expect(server.connections.isEmpty)
  }

  /// The server receives the request and the end of the connection at once, before it has a handler to cancel.
  @Test(arguments: [Route.close, .endOfItsSide]) func cancelsAHandlerThatBeginsAfterwards(_ route: Route)
    async throws
  {
    let (asked, cancelled) = (Latch(), Latch())
    let release = DispatchSemaphore(value: 0)
    let server = try await MockServer(
      Handler { request in
        switch request.url.path() {
        case "/block":
          asked.open()
          Self.block(release)
        case "/wait":
          await Latch().wait()
          cancelled.open()
        default: break
        }
        return text("")
      })
    let (blocking, leaving) = (
      try await RawClient.connect(to: server.port), try await RawClient.connect(to: server.port)
    )
    #expect(try await leaving.exchange(get()).status == 200)
    try await blocking.send(get("/block"))
    await asked.wait()
    try await leaving.send(get("/wait"))
    await leave(leaving, route)
    release.signal()
    await cancelled.wait()
    await server.close()
  }

  /// Blocks the server's thread, as no handler should.
  private static func block(_ semaphore: DispatchSemaphore) {
    semaphore.wait()
  }

  @Test func cancelsTheSourceOfABody() async throws {
    let cancelled = Latch()
    let server = try await MockServer(
      Handler { _ in
        HTTP.Response(
          status: 200,
          body: HTTP.Body(unfolding: {
            await Latch().wait()
            cancelled.open()
            return nil
          }))
      })
    let client = try await RawClient.connect(to: server.port)
    try await client.send(get())
    _ = try await client.read(through: "\r\n\r\n")
    client.socket.abort()
    await cancelled.wait()
    await server.close()
  }

  /// It closes its side after the request, as `nc` does, and the handler ignores its cancellation.
  @Test func aClientThatClosedItsSideIsAnswered() async throws {
    let server = try await MockServer(Handler.echo)
    let client = try await RawClient.connect(to: server.port)
    try await client.send(get("/1") + get("/2"))
    client.socket.endWriting()
    #expect(try await client.response().body == "GET http://a/1 no body")
    #expect(try await client.response().body == "GET http://a/2 no body")
    #expect(try await client.ending() == ("", .closed))
    await server.close()
  }

  @Test func anIncompleteRequestIsDiscarded() async throws {
    let server = try await MockServer(Handler.echo)
    for part in [
      "GET", get().replacing("\r\n\r\n", with: "\r\n"), "PUT / HTTP/1.0\r\nContent-Length: 9\r\n\r\nx",
    ] {
      let client = try await RawClient.connect(to: server.port)
      try await client.send(part)
      client.socket.endWriting()
      #expect(try await client.ending() == ("", .closed))
    }
    await server.close()
  }
}
