import Dispatch
import Foundation
import TestSupport
import Testing
import UnderstudyTesting
import Understudy
@testable import UnderstudyTransport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The transport over loopback; each test has its own server and session.
@Suite(.stallLimit(), .servers) struct URLSessionTransportTests {
  private static let head = "HTTP/1.1 200 OK\r\n"

  // MARK: Success

  @Test func sendsMethodFieldsAndBody() async throws {
    let server = try RawServer([
      .readHead,
      .send("HTTP/1.1 201 Created\r\nX-Answer: yes\r\nx-other: 2\r\nContent-Length: 2\r\n\r\nok"),
    ])
    let request = HTTP.Request(
      .patch, server.url("/a?b=c%20d"), fields: ["X-Question": "why", "Prefer": "return=minimal"],
      body: Data("{}".utf8))
    let (bytes, response) = try await URLSessionTransport().data(for: request)
    #expect(response.status == 201)
    #expect(response.fields["x-answer"] == "yes")
    #expect(response.fields["X-Other"] == "2")
    #expect(bytes == Data("ok".utf8))
    let sent = try #require(server.requestHeads.first)
    #expect(sent.hasPrefix("PATCH /a?b=c%20d HTTP/1.1\r\n"))
    #expect(sent.contains("X-Question: why\r\n"))
    #expect(sent.contains("Prefer: return=minimal\r\n"))
    #expect(sent.contains("Content-Length: 2\r\n"))
  }

  @Test func chunksArriveBeforeTheNextAreSent() async throws {
    let (second, third) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let server = try RawServer([
      .readHead, .send(Self.head + "Transfer-Encoding: chunked\r\n\r\n"),
      .wait(second), .send("3\r\none\r\n"), .wait(third), .send("3\r\ntwo\r\n0\r\n\r\n"),
    ])
    let response = try await URLSessionTransport().send(HTTP.Request(.get, server.url()))
    second.signal()
    var chunks: [String] = []
    for try await chunk in response.body {
      chunks.append(String(decoding: chunk, as: UTF8.self))
      third.signal()
    }
    #expect(chunks == ["one", "two"])
  }

  @Test func aBodyOutlivesItsTransport() async throws {
    let go = DispatchSemaphore(value: 0)
    let server = try RawServer([
      .readHead, .send(Self.head + "Content-Length: 4\r\n\r\n"), .wait(go), .send("late"),
    ])
    let response = try await URLSessionTransport().send(HTTP.Request(.get, server.url()))
    go.signal()
    #expect(try await response.body.collect() == Data("late".utf8))
  }

  @Test func requestsShareNoState() async throws {
    let answer = RawServer.Step.send(
      Self.head
        + "Set-Cookie: a=b\r\nCache-Control: max-age=600\r\nConnection: close\r\nContent-Length: 1\r\n\r\n.")
    let server = try RawServer([.readHead, answer], [.readHead, answer])
    let transport = URLSessionTransport()
    for _ in 0..<2 { _ = try await transport.data(for: HTTP.Request(.get, server.url())) }
    #expect(server.requestHeads.count == 2, "The second answer must not come from a cache.")
    #expect(server.requestHeads.allSatisfy { !$0.contains("Cookie:") })
  }

  @Test(arguments: ["Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"y\"", "Bearer"])
  func a401IsAnAnswer(challenge: String) async throws {
    let server = try RawServer([
      .readHead,
      .send("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 2\r\n\r\nno"),
    ])
    let (bytes, response) = try await URLSessionTransport().data(for: HTTP.Request(.get, server.url()))
    #expect(response.status == 401)
    #expect(bytes == Data("no".utf8))
  }

  @Test(arguments: [301, 302, 303, 307, 308]) func aRedirectIsFollowedUnlessDisabled(status: Int)
    async throws
  {
    let redirect = RawServer.Step.send(
      "HTTP/1.1 \(status) Moved\r\nLocation: /there\r\nConnection: close\r\nContent-Length: 5\r\n\r\nmoved")
    let there = RawServer.Step.send(Self.head + "Content-Length: 5\r\n\r\nthere")
    for follows in [true, false] {
      let server = try RawServer([.readHead, redirect], [.readHead, there])
      let (bytes, response) = try await URLSessionTransport(followsRedirects: follows)
        .data(for: HTTP.Request(.get, server.url("/here")))
      #expect(response.status == (follows ? 200 : status))
      #expect(bytes == Data((follows ? "there" : "moved").utf8))
      #expect(response.fields["Location"] == (follows ? nil : "/there"))
      #expect(server.requestHeads.count == (follows ? 2 : 1))
    }
  }

  static let deadEnds: [(fields: String, body: String)] = [
    ("Content-Length: 5\r\n\r\nmoved", "moved"),
    ("Location: http://[\r\nContent-Length: 5\r\n\r\nmoved", "moved"),
    ("Transfer-Encoding: chunked\r\n\r\n3\r\nmov\r\n2\r\ned\r\n0\r\n\r\n", "moved"),
    ("\r\nuntil the end", "until the end"),
    ("Content-Length: 0\r\n\r\n", ""),
  ]

  /// On Linux, Foundation reports nothing of such an answer but the end.
  @Test(arguments: [301, 302, 303, 307, 308], deadEnds)
  func aRedirectWithoutAUsableLocationIsAnAnswer(status: Int, rest: (fields: String, body: String))
    async throws
  {
    let redirect = RawServer.Step.send(
      "HTTP/1.1 302 Found\r\nLocation: /there\r\nConnection: close\r\n\r\nfirst")
    let deadEnd = RawServer.Step.send(
      "HTTP/1.1 \(status) Moved\r\nX: y\r\nConnection: close\r\n\(rest.fields)")
    for follows in [true, false] {
      let server = try RawServer([.readHead, deadEnd])
      let (bytes, response) = try await URLSessionTransport(followsRedirects: follows)
        .data(for: HTTP.Request(.get, server.url("/here")))
      #expect(response.status == status && response.fields["X"] == "y")
      #expect(String(decoding: bytes, as: UTF8.self) == rest.body)
    }
    let server = try RawServer([.readHead, redirect], [.readHead, deadEnd])
    let (bytes, response) = try await URLSessionTransport().data(for: HTTP.Request(.get, server.url("/here")))
    #expect(response.status == status && response.fields["X"] == "y")
    #expect(String(decoding: bytes, as: UTF8.self) == rest.body)
  }

  @Test func aRedirectWithoutALocationAnswersHead() async throws {
    let server = try RawServer([
      .readHead, .send("HTTP/1.1 301 Moved\r\nConnection: close\r\nContent-Length: 5\r\n\r\n"),
    ])
    let (bytes, response) = try await URLSessionTransport().data(for: HTTP.Request(.head, server.url()))
    #expect(response.status == 301 && response.fields["Content-Length"] == "5" && bytes.isEmpty)
  }

  #if canImport(FoundationNetworking)
    /// A body that cannot be had is not taken for an empty one.
    @Test func theBodyOfARedirectIsMissingWithACache() async throws {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCache = URLCache(memoryCapacity: 1 << 10, diskCapacity: 0, diskPath: nil)
      let transport = URLSessionTransport(configuration: configuration)
      for (length, expected) in [
        ("5\r\n\r\nmoved", TransportError.Code.unreadableResponse), ("0\r\n\r\n", nil),
      ] {
        let server = try RawServer([
          .readHead, .send("HTTP/1.1 301 Moved\r\nConnection: close\r\nContent-Length: \(length)"),
        ])
        let response = try await transport.send(HTTP.Request(.get, server.url()))
        #expect(response.status == 301)
        #expect(await code { _ = try await response.body.collect() } == expected)
      }
    }
  #endif

  @Test func interimAnswersAreSkipped() async throws {
    let (hinted, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let server = try RawServer([
      .readHead, .send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"), .signal(hinted), .wait(go),
      .send(Self.head + "Content-Length: 1\r\n\r\n."),
    ])
    let sending = Task { [url = server.url()] in
      // A client that fails does not leave the test waiting.
      defer { hinted.signal() }
      return try await URLSessionTransport().data(for: HTTP.Request(.get, url))
    }
    await hinted.signalled()
    go.signal()
    let (bytes, response) = try await sending.value
    #expect(response.status == 200)
    #expect(response.fields["Link"] == nil)
    #expect(bytes == Data(".".utf8))
  }

  @Test func anExplicitEncodingIsTheOnlyOne() async throws {
    let server = try RawServer([.readHead, .send(Self.head + "Content-Length: 0\r\n\r\n")])
    _ = try await URLSessionTransport().data(
      for: HTTP.Request(.get, server.url(), fields: ["Accept-Encoding": "identity"]))
    let lines = try #require(server.requestHeads.first).split(separator: "\r\n")
    #expect(lines.filter { $0.lowercased().hasPrefix("accept-encoding:") } == ["Accept-Encoding: identity"])
  }

  @Test func cookiesAreSeparate() async throws {
    let server = try RawServer([
      .readHead,
      .send(
        Self.head + "Set-Cookie: a=b; Expires=Wed, 21 Oct 2037 07:28:00 GMT\r\nSet-Cookie: c=d\r\n"
          + "Set-Cookie: e=f\r\nContent-Length: 0\r\n\r\n"),
    ])
    let response = try await URLSessionTransport().send(HTTP.Request(.get, server.url()))
    #expect(
      response.fields.values(of: "Set-Cookie") == [
        "a=b; Expires=Wed, 21 Oct 2037 07:28:00 GMT", "c=d", "e=f",
      ])
  }

  // MARK: Failure

  @Test func refused() async throws {
    let bound = try BoundPort()
    let url = try #require(URL(string: "http://127.0.0.1:\(bound.port)/"))
    let thrown = await code { _ = try await URLSessionTransport().send(HTTP.Request(.get, url)) }
    withExtendedLifetime(bound) { #expect(thrown == .connectionRefused) }
  }

  /// A script that ends without a reset closes the connection in order.
  static let broken: [(String, [RawServer.Step], TransportError.Code)] = [
    ("closed without a byte", [.readHead], .connectionLost),
    ("reset before the head", [.readHead, .reset], .connectionLost),
    ("garbage", [.readHead, .send("\u{1}\u{2}\u{3} garbage\r\n\r\n")], .unreadableResponse),
    ("plain text for TLS", [.send("hello, this is not TLS\r\n\r\n")], .untrusted),
  ]

  @Test(arguments: broken) func noHead(name: String, script: [RawServer.Step], expected: TransportError.Code)
    async throws
  {
    let server = try RawServer(script)
    let scheme = expected == .untrusted ? "https" : "http"
    let url = try #require(URL(string: "\(scheme)://127.0.0.1:\(server.port)/"))
    #expect(
      await code { _ = try await URLSessionTransport().send(HTTP.Request(.get, url)) } == expected, "\(name)")
  }

  static let cut: [(String, [RawServer.Step], TransportError.Code)] = [
    ("Content-Length: 10", [.send("hello")], .connectionLost),
    ("Content-Length: 10", [.send("hello"), .reset], .connectionLost),
    ("Transfer-Encoding: chunked", [.send("5\r\nhello\r\n")], .connectionLost),
    ("Transfer-Encoding: chunked", [.send("5\r\nhello\r\nzz\r\n")], .unreadableResponse),
  ]

  @Test(arguments: cut) func brokenBody(field: String, rest: [RawServer.Step], expected: TransportError.Code)
    async throws
  {
    let server = try RawServer([.readHead, .send(Self.head + field + "\r\n\r\n")] + rest)
    let response = try await URLSessionTransport().send(HTTP.Request(.get, server.url()))
    var chunks: [Data] = []
    let thrown = await code { for try await chunk in response.body { chunks.append(chunk) } }
    #expect(thrown == expected)
    #expect(chunks == [Data("hello".utf8)], "What came before the break is delivered.")
  }

  @Test func badGzip() async throws {
    let server = try RawServer([
      .readHead, .send(Self.head + "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello"),
    ])
    let thrown = await code {
      _ = try await URLSessionTransport().data(for: HTTP.Request(.get, server.url()))
    }
    #expect(thrown == .unreadableResponse)
  }

  /// The only test of the platform's timer, which cannot be replaced by another clock.
  ///
  /// It takes a second of real time, the shortest timeout on Linux, so `.ci/night others` runs it separately.
  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["UNDERSTUDY_PLATFORM_TIMER"] != nil,
      "It waits for a real timeout. Set UNDERSTUDY_PLATFORM_TIMER=1 to run it."))
  func stallMidBody() async throws {
    let closed = DispatchSemaphore(value: 0)
    let server = try RawServer([
      .readHead, .send(Self.head + "Content-Length: 10\r\n\r\nhello"), .awaitClose(closed),
    ])
    let response = try await URLSessionTransport().send(
      HTTP.Request(.get, server.url(), timeout: .milliseconds(10)))
    #expect(await code { _ = try await response.body.collect() } == .timedOut)
  }

  @Test(arguments: ["ftp://127.0.0.1/", "file:///etc/hosts", "/relative", "http:///nowhere"])
  func invalidURL(text: String) async throws {
    let url = try #require(URL(string: text))
    #expect(
      await code { _ = try await URLSessionTransport().send(HTTP.Request(.get, url)) } == .invalidRequest)
  }

  // MARK: Cancellation

  /// Records every request that a session starts, and handles none.
  private final class Witness: URLProtocol {
    static let paths = Locked<[String]>([])

    override class func canInit(with request: URLRequest) -> Bool {
      paths.withLock { $0.append(request.url?.path ?? "") }
      return false
    }
  }

  @Test func aCancelledTaskStartsNoRequest() async throws {
    let server = try RawServer([.readHead, .send(Self.head + "Content-Length: 0\r\n\r\n")])
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [Witness.self] + (configuration.protocolClasses ?? [])
    let transport = URLSessionTransport(configuration: configuration)
    let task = Task { [url = server.url("/cancelled")] in
      withUnsafeCurrentTask { $0?.cancel() }
      return await code { _ = try await transport.send(HTTP.Request(.get, url)) }
    }
    #expect(await task.value == .cancelled)
    // A session starts its tasks in order, so the first would have been seen before the second was answered.
    _ = try await transport.data(for: HTTP.Request(.get, server.url("/sent")))
    #expect(Set(Witness.paths.withLock { $0 }) == ["/sent"])
  }

  @Test func cancellingWhileWaitingForTheHeadClosesTheConnection() async throws {
    let (arrived, closed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let server = try RawServer([.readHead, .signal(arrived), .awaitClose(closed)])
    let task = Task { [url = server.url()] in
      defer { arrived.signal() }
      return await code { _ = try await URLSessionTransport().send(HTTP.Request(.get, url, timeout: nil)) }
    }
    await arrived.signalled()
    task.cancel()
    try #require(await task.value == .cancelled)
    await closed.signalled()
  }

  @Test func cancellingWhileWaitingForAChunkClosesTheConnection() async throws {
    let closed = DispatchSemaphore(value: 0)
    let server = try RawServer([
      .readHead, .send(Self.head + "Content-Length: 10\r\n\r\nhello"), .awaitClose(closed),
    ])
    let response = try await URLSessionTransport().send(HTTP.Request(.get, server.url(), timeout: nil))
    let read = DispatchSemaphore(value: 0)
    let task = Task {
      defer { read.signal() }
      return await code { for try await _ in response.body { read.signal() } }
    }
    await read.signalled()
    task.cancel()
    try #require(await task.value == .cancelled)
    await closed.signalled()
  }

  /// Catches a cancellation that waits for Foundation on the thread that cancels.
  ///
  /// On Linux all sessions of a process share a queue, so a test that occupied it would stop the others.
  @Test func aTaskIsCancelledOnTheQueueForIt() throws {
    let url = try #require(URL(string: "http://cancelled.test/"))
    let task = URLSession(configuration: .ephemeral).dataTask(with: url)
    let cancellations = DispatchQueue(label: "cancellations", attributes: .initiallyInactive)
    let exchange = URLSessionExchange(task, calls: cancellations)
    exchange.cancel()
    #expect(task.state == .suspended)
    cancellations.activate()
    cancellations.sync {}
    #expect(task.state != .suspended)
  }

  @Test func leavingTheBodyClosesTheConnection() async throws {
    let closed = DispatchSemaphore(value: 0)
    let server = try RawServer([
      .readHead, .send(Self.head + "Content-Length: 10\r\n\r\nhello"), .awaitClose(closed),
    ])
    let response = try await URLSessionTransport().send(HTTP.Request(.get, server.url(), timeout: nil))
    for try await _ in response.body { break }
    await closed.signalled()
    #expect(try await response.body.collect().isEmpty, "A second reader finds the body empty.")
  }

  @Test func droppingTheResponseClosesTheConnection() async throws {
    let closed = DispatchSemaphore(value: 0)
    let server = try RawServer([
      .readHead, .send(Self.head + "Content-Length: 10\r\n\r\nhello"), .awaitClose(closed),
    ])
    _ = try await URLSessionTransport().send(HTTP.Request(.get, server.url(), timeout: nil))
    await closed.signalled()
  }

  // MARK: Time-outs

  @Test(arguments: [
    (Duration.zero, 1.0), (.milliseconds(500), 1), (.seconds(1), 1), (.milliseconds(1001), 2),
    (.seconds(60), 60),
    (.seconds(-5), 1), (.seconds(Int64.max), 2_000_000),
  ]) func timeoutsAreWholeSeconds(timeout: Duration, seconds: Double) {
    #expect(URLRequest.wholeSeconds(of: timeout) == seconds)
  }

  @Test func everyTimeoutIsFinite() {
    #expect(URLRequest.wholeSeconds(of: nil) == 2_000_000)
  }
}
