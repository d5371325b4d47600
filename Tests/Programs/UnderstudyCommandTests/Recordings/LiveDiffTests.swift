import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyServer
import UnderstudyRecording
import UnderstudyTesting

@testable import UnderstudyCommand

/// `diff --live` against servers on loopback.
@Suite(.stallLimit()) struct LiveDiffTests {
  /// Responds to `/cakes` with JSON, and stores its requests.
  private struct Bakery: HTTPHandler {
    let asked = Locked<[HTTP.Request]>([])

    func respond(to request: HTTP.Request) async throws -> HTTP.Response {
      asked.withLock { $0.append(request) }
      switch request.url.path() {
      case "/cakes":
        return HTTP.Response(
          status: 200, body: Data(#"{"id": "1", "token": 5}"#.utf8), contentType: "application/json")
      case "/endless":
        // The clock does not advance, so a third event never arrives.
        let (events, time) = (
          Locked([Data("data: 2\n\n".utf8), Data("data: 1\n\n".utf8)]), TestClock().time
        )
        let body = HTTP.Body(unfolding: {
          if let event = events.withLock({ $0.popLast() }) { return event }
          try await time.sleep(for: .seconds(1))
          return nil
        })
        return HTTP.Response(status: 200, fields: ["Content-Type": "text/event-stream"], body: body)
      default: return HTTP.Response(status: 204)
      }
    }
  }

  @Test func sendsTheRecordedRequestsAndReportsDifferences() async throws {
    let bakery = Bakery()
    let server = try await MockServer(bakery)
    let file = try TemporaryFile(
      .exchange(
        .get, "https://far.example:8443/cakes?a=b",
        sending: ["Accept": "application/json", "Host": "far.example"],
        answering: #"{"id": 1, "token": 2000000001}"#),
      .exchange(.head, "https://far.example", status: 204, as: ""),
      .exchange(.delete, "https://far.example/cakes"),
      .socket([], end: .unfinished))
    let result = await CommandResult("diff % --live \(server.url) --header X-More:1", files: file)
    await server.close()
    #expect(result.error.isEmpty)
    #expect(result.status == 1)
    #expect(
      result.lines == [
        "recording.har → \(server.url): 2 exchanges compared, 2 changed", "",
        "GET /cakes?a=b (exchange 0)", "  $.id: number → string", "",
        "HEAD / (exchange 1)", "  header Content-Type: removed ()", "",
        "not sent:", "  exchange 2: DELETE /cakes (DELETE may change data; send it with --unsafe)",
        "  exchange 3: GET /socket (WebSockets are not supported)",
      ])
    let asked = bakery.asked.withLock { $0 }
    #expect(
      asked.map { "\($0.method) \($0.url.path())?\($0.url.query() ?? "")" } == ["GET /cakes?a=b", "HEAD /?"])
    #expect(asked.first?.fields["Accept"] == "application/json")
    #expect(asked.first?.fields["X-More"] == "1")
    #expect(asked.first?.fields["Host"]?.hasPrefix("127.0.0.1") == true)
  }

  @Test func noDifferencesAreExitStatusZero() async throws {
    let server = try await MockServer(Bakery())
    let file = try TemporaryFile(.exchange(answering: #"{"id": "2", "token": 2000000001}"#))
    let result = await CommandResult("diff % --live \(server.url)/", files: file)
    await server.close()
    #expect(result.status == 0)
    #expect(result.lines == ["recording.har → \(server.url): 1 exchange compared, 0 changed"])
  }

  @Test func unsafeMethodsAreSentWithTheOption() async throws {
    let bakery = Bakery()
    let server = try await MockServer(bakery)
    let file = try TemporaryFile(
      .exchange(.post, "http://far.example/orders", #"{"a": 1}"#, status: 204, as: ""))
    _ = await CommandResult("diff % --live \(server.url) --unsafe", files: file)
    await server.close()
    let asked = bakery.asked.withLock { $0 }
    #expect(asked.map(\.method) == [.post])
    #expect(asked.first?.body == Data(#"{"a": 1}"#.utf8))
  }

  @Test func requestsAreOnlySentWithTheirSecrets() async throws {
    let bakery = Bakery()
    let server = try await MockServer(bakery)
    let file = try TemporaryFile(
      .exchange(.get, "http://far.example/a", sending: ["apikey": "redacted-1"], status: 204),
      .exchange(.get, "http://far.example/b", sending: ["Authorization": "Bearer redacted-2"], status: 204),
      .exchange(.get, "http://far.example/c?key=redacted-3", status: 204),
      .exchange(.options, "http://far.example/d", #"{"a": "redacted-4"}"#, status: 204))
    let line = "diff % --live \(server.url) --header APIKEY:secret"
    let result = await CommandResult(line, files: file)
    #expect(
      result.lines.suffix(4) == [
        "not sent:",
        "  exchange 1: GET /b (requires a secret: --header 'Authorization: …')",
        "  exchange 2: GET /c?key=… (its URL has the placeholder redacted-3 instead of a secret)",
        "  exchange 3: OPTIONS /d (its body has the placeholder redacted-4 instead of a secret)",
      ])
    #expect(bakery.asked.withLock { $0 }.map { $0.fields.values(of: "apikey") } == [["secret"]])

    let nothing = await CommandResult("diff % --live \(server.url)", files: file)
    #expect(nothing.status == 2)
    #expect(
      nothing.error
        == "tool: No exchange of \(file.path) can be sent. Exchange 0: requires a secret: --header 'apikey: …'.\n"
    )
    await server.close()
  }

  @Test func anUnfinishedStreamIsReadAsFarAsRecorded() async throws {
    let server = try await MockServer(Bakery())
    let file = try TemporaryFile(
      .exchange(
        .get, "http://far.example/endless", answering: "data: 1\n\ndata: 2\n\n", as: "text/event-stream",
        stream: .chunks(9, 9, ending: .unfinished)))
    let result = await CommandResult("diff % --live \(server.url)", files: file)
    await server.close()
    #expect(result.status == 0, "\(result.output)\(result.error)")
  }

  @Test func showsProgressIfTheServiceIsSlow() async throws {
    struct Slow: HTTPHandler {
      let time: TestClock

      func respond(to request: HTTP.Request) async throws -> HTTP.Response {
        time.advance(by: .seconds(2))
        return HTTP.Response(status: 204)
      }
    }
    let time = TestClock()
    let server = try await MockServer(Slow(time: time))
    let file = try TemporaryFile(
      .exchange(.get, "http://far.example/a", status: 204),
      .exchange(.get, "http://far.example/b", status: 204))
    let result = await CommandResult("diff % --live \(server.url)", files: file, time: time)
    await server.close()
    #expect(result.progress == ["Comparing  ████████████░░░░░░░░░░░░  1 of 2  GET /b", ""])
  }

  @Test func anUnreachableServiceIsExitStatusTwo() async throws {
    let server = try await MockServer(Bakery())
    let url = server.url
    await server.close()
    let result = await CommandResult("diff % --live \(url)", files: try TemporaryFile(.exchange()))
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.error.hasPrefix("tool: \(url) cannot be reached: "))
  }
}
