import Foundation
import TestSupport
import Testing
import UnderstudyTesting
import Understudy
import UnderstudyHTTP
@testable import UnderstudyServer

/// Requests from the socket to the handler.
@Suite(.stallLimit()) struct RequestTests {
  @Test func aConnectionIsKeptAliveUntilTheClientIsDone() async throws {
    let server = try await MockServer(Handler.echo)
    let client = try await RawClient.connect(to: server.port)
    for number in 1...3 {
      let response = try await client.exchange(get("/\(number)"))
      #expect(response.body == "GET http://a/\(number) no body")
      #expect(response.field("Connection") == nil)
    }
    client.socket.endWriting()
    #expect(try await client.ending() == ("", .closed))
    await server.close()
  }

  @Test func aCloseOptionEndsTheConnection() async throws {
    let server = try await MockServer(Handler.echo)
    let client = try await RawClient.connect(to: server.port)
    let response = try await client.exchange(get("/", "Connection: close\r\n") + get("/never"))
    #expect(response.field("Connection") == "close")
    #expect(try await client.ending() == ("", .closed))
    await server.close()
  }

  @Test func anOldClientIsKeptAliveOnlyIfItAsks() async throws {
    let server = try await MockServer(Handler.echo)
    let client = try await RawClient.connect(to: server.port)
    let kept = try await client.exchange("GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
    #expect(kept.field("Connection") == "keep-alive")
    let last = try await client.exchange("GET /2 HTTP/1.0\r\n\r\n")
    #expect(last.body == "GET \(server.url)/2 no body")
    #expect(last.field("Connection") == "close")
    #expect(try await client.ending() == ("", .closed))
    await server.close()
  }

  /// The second answer is ready long before the first, and must still follow it.
  @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
    let gate = Latch()
    let server = try await MockServer(
      Handler { request in
        if request.url.path() == "/1" { await gate.wait() }
        return text(request.url.path())
      })
    let client = try await RawClient.connect(to: server.port)
    try await client.send(get("/1") + get("/2"))
    try await client.send(get("/3"))
    gate.open()
    #expect(try await client.response().body == "/1")
    #expect(try await client.response().body == "/2")
    #expect(try await client.response().body == "/3")
    await server.close()
  }

  @Test func aBodyMayArriveInPieces() async throws {
    let server = try await MockServer(Handler { text("\($0.body?.count ?? -1)") })
    let client = try await RawClient.connect(to: server.port)
    let half = String(repeating: "a", count: 300_000)
    try await client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 600000\r\n\r\n")
    for _ in 1...2 { try await client.send(half) }
    #expect(try await client.response().body == "600000")
    try await client.send("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in 1...2 { try await client.send("493e0\r\n\(half)\r\n") }
    #expect(try await client.exchange("0\r\nTrailer: x\r\n\r\n").body == "600000")
    await server.close()
  }

  // MARK: - Expectations

  @Test func aClientThatWaitsReceivesContinue() async throws {
    let server = try await MockServer(Handler.echo)
    let client = try await RawClient.connect(to: server.port)
    try await client.send("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
    #expect(try await client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
    #expect(try await client.exchange("hi").body == "PUT http://a/ hi")
    // A client that does not wait, or has no body to send, does not receive it.
    let whole = "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nho"
    #expect(try await client.exchange(whole).body == "PUT http://a/ ho")
    #expect(try await client.exchange(get("/", "Expect: 100-continue\r\n")).status == 200)
    await server.close()
  }

  @Test func aBodyThatIsTooLongIsRefusedBeforeItIsSent() async throws {
    let server = try await MockServer(Handler.echo)
    let client = try await RawClient.connect(to: server.port)
    let response = try await client.exchange(
      "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 99999999999\r\n\r\n")
    #expect(response.status == 413)
    #expect(response.body == "The body of the request is longer than 67108864 bytes.\n")
    #expect(try await client.ending() == ("", .closed))
    await server.close()
  }

  // MARK: - Refusals

  /// The handler receives none of these requests, and the client can read the reason although it continues to send.
  @Test(
    arguments: [
      (400, "Bad Request", "Host field", "GET / HTTP/1.1\r\n\r\n"),
      (
        413, "Content Too Large", "longer than 1000",
        "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n"
      ),
      (414, "URI Too Long", "longer than 300", "GET /\(String(repeating: "a", count: 400))"),
      (417, "Expectation Failed", "\"x\"", "GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n"),
      (
        431, "Request Header Fields Too Large", "2000",
        "GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 2_000))"
      ),
      (501, "Not Implemented", "chunked", "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n"),
      (505, "HTTP Version Not Supported", "HTTP/1.1", "GET / HTTP/3.0\r\n\r\n"),
    ] as [(Int, String, String, String)])
  func refuses(_ status: Int, _ phrase: String, _ reason: String, _ request: String) async throws {
    let server = try await MockServer(
      Handler { request in
        Issue.record("The handler was asked for \(request.url).")
        return text("")
      }, by: [], limits: RequestRefusalTests.limits)
    let client = try await RawClient.connect(to: server.port)
    try await client.send(request)
    try await client.send(String(repeating: "b", count: 2_000_000))
    let response = try await client.response()
    #expect(response.head.hasPrefix("HTTP/1.1 \(status) \(phrase)\r\n"))
    #expect(response.body.contains(reason), "\(response.body)")
    #expect(response.field("Connection") == "close")
    #expect(try await client.ending() == ("", .closed))
    await server.close()
  }

  @Test func validRequestsBeforeAnInvalidOneAreAnswered() async throws {
    let server = try await MockServer(Handler.echo)
    let client = try await RawClient.connect(to: server.port)
    try await client.send(get("/1") + "nonsense\r\n\r\n" + get("/3"))
    #expect(try await client.response().body == "GET http://a/1 no body")
    #expect(try await client.response().status == 400)
    #expect(try await client.ending() == ("", .closed))
    await server.close()
  }
}
