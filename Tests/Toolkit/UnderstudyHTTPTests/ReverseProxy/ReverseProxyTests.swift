import Foundation
import TestSupport
import Testing
@testable import Understudy
@testable import UnderstudyHTTP
@testable import UnderstudyServer
import UnderstudyRecording
import UnderstudyTesting

/// A proxy and its upstream, on separate sockets.
@Suite(.stallLimit(), .servers) struct ReverseProxyTests {
  // MARK: Requests

  @Test(arguments: [
    ("", "/a%20b?q=%2F&r", "/a%20b?q=%2F&r"), ("/base/", "/a/", "/base/a/"), ("/base?x=y", "/", "/base/"),
  ]) func pathAndQueryAreAppended(base: String, asked: String, expected: String) async throws {
    let seen = Locked<URL?>(nil)
    let proxied = try await ProxiedUpstream(path: base) { request in
      seen.withLock { $0 = request.url }
      return HTTP.Response(status: 204)
    }
    _ = try await proxied.send(.get, asked)
    let authority = try #require(proxied.upstream.port)
    #expect(seen.withLock { $0 }?.absoluteString == "http://127.0.0.1:\(authority)\(expected)")
  }

  @Test func theUpstreamReceivesTheClientsRequest() async throws {
    let seen = Locked<HTTP.Request?>(nil)
    let proxied = try await ProxiedUpstream { request in
      seen.withLock { $0 = request }
      return HTTP.Response(status: 201, fields: ["X-Answer": "yes"], body: HTTP.Body(Data("made".utf8)))
    }
    // More than libcurl sends without `Expect: 100-continue`.
    let body = Data(repeating: 7, count: 3 << 20)
    let response = try await proxied.send(
      .patch, fields: ["X-Question": "why", "Content-Type": "a/b", "Authorization": "Bearer t"], body: body)
    #expect(response.status == 201)
    #expect(response.fields["X-Answer"] == "yes")
    #expect(response.fields["Content-Length"] == "4")
    #expect(try await response.body.collect() == Data("made".utf8))
    let request = try #require(seen.withLock { $0 })
    #expect(request.method == .patch)
    #expect(request.body == body)
    #expect(request.fields["X-Question"] == "why")
    #expect(request.fields["Content-Type"] == "a/b")
    #expect(request.fields["Authorization"] == "Bearer t")
    #expect(request.fields.values(of: "Accept-Encoding") == ["identity"])
    let port = try #require(proxied.upstream.port)
    #expect(request.fields.values(of: "Host") == ["127.0.0.1:\(port)"])
  }

  @Test func hopByHopFieldsAreNotForwarded() async throws {
    let perConnection: HTTP.Fields = [
      "Connection": "keep-alive, X-Private", "Keep-Alive": "timeout=5", "TE": "trailers", "Trailer": "X-T",
      "Transfer-Encoding": "chunked", "Upgrade": "h2c", "Proxy-Authorization": "Basic x",
      "Proxy-Authenticate": "Basic", "Proxy-Connection": "close", "x-private": "1", "Connection": "x-second",
      "X-Second": "2", "X-Kept": "3",
    ]
    let transport = ScriptedTransport(HTTP.Response(status: 200, fields: perConnection))
    let url = try #require(URL(string: "http://up.test"))
    let proxy = ReverseProxy(to: url, over: transport)
    var fields = perConnection
    for field in [
      "Host": "proxy.test", "Content-Length": "0", "Expect": "100-continue", "Accept-Encoding": "gzip",
    ] {
      fields.append(name: field.key, value: field.value)
    }
    let own = try #require(URL(string: "http://proxy.test/"))
    let response = try await proxy.respond(to: HTTP.Request(.post, own, fields: fields))
    #expect(response.fields == ["X-Kept": "3"])
    #expect(transport.requests.map(\.fields) == [["X-Kept": "3", "Accept-Encoding": "identity"]])
  }

  @Test func aRecorderBetweenThemSeesTheUpstream() async throws {
    let recorder = RecordingTransport(
      around: InProcessTransport(
        to: Handler { _ in HTTP.Response(status: 200, body: HTTP.Body(Data("a".utf8))) }))
    let url = try #require(URL(string: "https://api.example.test/v1"))
    let proxied = try await ProxiedUpstream(before: url, over: recorder)
    let response = try await proxied.send(.get, "/items?a=1")
    #expect(try await response.body.collect() == Data("a".utf8))
    #expect(recorder.recording.log.entries.map(\.request.url) == ["https://api.example.test/v1/items?a=1"])
  }

  // MARK: Bodies

  @Test func eachEventArrivesBeforeTheNextIsSent() async throws {
    let feed = Feed()
    let proxied = try await ProxiedUpstream { _ in
      HTTP.Response(status: 200, fields: ["Content-Type": "text/event-stream"], body: feed.body)
    }
    let response = try await proxied.send()
    #expect(response.fields["Content-Type"] == "text/event-stream")
    var rest = ["one", "two", "three"]
    feed.send("data: \(rest[0])\n\n")
    var events: [String] = []
    for try await event in response.body.serverSentEvents {
      events.append(event.data)
      rest.removeFirst()
      if let next = rest.first { feed.send("data: \(next)\n\n") } else { feed.end() }
    }
    #expect(events == ["one", "two", "three"])
  }

  @Test func aLongBodyIsForwardedCompletely() async throws {
    let count = Locked(0)
    let proxied = try await ProxiedUpstream { _ in
      HTTP.Response(
        status: 200,
        body: HTTP.Body(unfolding: {
          let number = count.withLock { count in
            count += 1
            return count
          }
          return number > 128 ? nil : Data(repeating: UInt8(number), count: 64 << 10)
        }))
    }
    let body = try await proxied.send().body.collect()
    #expect(body == (1...128).reduce(into: Data()) { $0.append(Data(repeating: UInt8($1), count: 64 << 10)) })
  }

  @Test(arguments: [true, false]) func aTruncatedBodyIsTruncatedForTheClient(hasLength: Bool) async throws {
    let proxied = try await ProxiedUpstream { _ in
      HTTP.Response(
        status: 200, fields: hasLength ? ["Content-Length": "10"] : [:],
        body: HTTP.Body(chunks: [Data("hello".utf8)], endingWith: TransportError(.connectionLost, "Cut.")))
    }
    let response = try await proxied.send()
    var chunks: [Data] = []
    #expect(await code { for try await chunk in response.body { chunks.append(chunk) } } == .connectionLost)
    #expect(chunks == [Data("hello".utf8)])
  }

  @Test func aDisconnectedClientCancelsTheUpstreamRequest() async throws {
    let (asked, cancelled) = (Latch(), Latch())
    let proxied = try await ProxiedUpstream { _ in
      asked.open()
      await Latch().wait()
      cancelled.open()
      throw CancellationError()
    }
    let task = Task { try await proxied.send() }
    await asked.wait()
    task.cancel()
    await cancelled.wait()
  }

  @Test func responsesWithoutABody() async throws {
    let proxied = try await ProxiedUpstream { request in
      let status = Int(request.url.lastPathComponent) ?? 200
      return HTTP.Response(
        status: status,
        fields: status == 200 ? ["Content-Length": "1234", "ETag": "\"a\""] : ["ETag": "\"a\""])
    }
    for (method, status) in [(HTTP.Method.head, 200), (.get, 204), (.get, 304)] {
      let response = try await proxied.send(method, "/\(status)")
      #expect(response.status == status)
      #expect(response.fields["ETag"] == "\"a\"")
      if method == .head { #expect(response.fields["Content-Length"] == "1234") }
      #expect(try await response.body.collect() == Data())
    }
  }

  /// "hello hello hello" with gzip (RFC 1952).
  private static let gzip = Data([
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8,
    0x40, 0x90, 0x00, 0x80, 0x88, 0xF9, 0xE5, 0x11, 0x00, 0x00, 0x00,
  ])

  @Test func aRemovedEncodingIsNotAnnounced() async throws {
    let proxied = try await ProxiedUpstream { _ in
      HTTP.Response(status: 200, fields: ["Content-Encoding": "gzip"], body: HTTP.Body(Self.gzip))
    }
    let response = try await proxied.send()
    #expect(response.fields["Content-Encoding"] == nil)
    #expect(try await response.body.collect() == Data("hello hello hello".utf8))
  }

  @Test(arguments: [
    ("identity", nil as String?, "5" as String?), ("gzip, br", nil, nil), ("zstd", "zstd", "5"),
  ])
  func encodings(coding: String, expected: String?, length: String?) async throws {
    let transport = ScriptedTransport(
      HTTP.Response(status: 200, fields: ["Content-Encoding": coding, "Content-Length": "5"]))
    let url = try #require(URL(string: "http://up.test"))
    let proxy = ReverseProxy(to: url, over: transport)
    let response = try await proxy.respond(to: HTTP.Request(.get, url))
    #expect(response.fields["Content-Encoding"] == expected)
    #expect(response.fields["Content-Length"] == length)
    let head = try await proxy.respond(to: HTTP.Request(.head, url))
    #expect(head.fields["Content-Encoding"] == coding)
    #expect(head.fields["Content-Length"] == "5")
  }

  // MARK: Heads

  @Test func anInterimAnswerIsSkipped() async throws {
    let raw = try RawServer([
      .readHead, .send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n."),
    ])
    let response = try await ProxiedUpstream(before: raw.url()).send()
    #expect(response.status == 200)
    #expect(try await response.body.collect() == Data(".".utf8))
  }

  @Test func cookiesAreSeparate() async throws {
    let cookies = [
      "a=b; Expires=Wed, 21 Oct 2037 07:28:00 GMT; Path=/", "c=d; Max-Age=5; HttpOnly",
      "e=; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
    ]
    let proxied = try await ProxiedUpstream { _ in
      var response = HTTP.Response(status: 200)
      for cookie in cookies { response.fields.append(name: "Set-Cookie", value: cookie) }
      return response
    }
    #expect(try await proxied.send().fields.values(of: "Set-Cookie") == cookies)
  }

  @Test(arguments: [301, 302, 303, 307, 308]) func aRedirectIsReturnedToTheClient(status: Int) async throws {
    let asked = Locked<[String]>([])
    let proxied = try await ProxiedUpstream { request in
      asked.withLock { $0.append(request.url.path) }
      return HTTP.Response(
        status: status, fields: ["Location": "http://\(request.fields["Host"] ?? "")/there?a"],
        body: HTTP.Body(Data("moved".utf8)))
    }
    let response = try await proxied.send(.post, "/here", body: Data("x".utf8))
    #expect(response.status == status)
    #expect(response.fields["Location"] == proxied.proxy.absoluteString + "/there?a")
    #expect(try await response.body.collect() == Data("moved".utf8))
    #expect(asked.withLock { $0 } == ["/here"])
  }

  // MARK: No answer

  @Test func anUnreachableUpstreamIsABadGateway() async throws {
    let bound = try BoundPort()
    let url = try #require(URL(string: "http://127.0.0.1:\(bound.port)/"))
    let response = try await ProxiedUpstream(before: url).send()
    #expect(response.status == 502)
    let text = String(decoding: try await response.body.collect(), as: UTF8.self)
    #expect(text.contains("\(url)") && text.contains("connection refused"))
    withExtendedLifetime(bound) {}
  }

  @Test(arguments: [
    (TransportError.Code.timedOut, 504), (.connectionLost, 502), (.untrusted, 502),
    (.unreadableResponse, 502),
  ]) func failures(code: TransportError.Code, status: Int) async throws {
    let transport = ScriptedTransport { _ in throw TransportError(code, "Said so.")
    }
    let url = try #require(URL(string: "http://up.test"))
    let response = try await ReverseProxy(to: url, over: transport).respond(to: HTTP.Request(.get, url))
    #expect(response.status == status)
    #expect(String(decoding: try await response.body.collect(), as: UTF8.self).contains("Said so."))
  }

  @Test func theTimeoutOfTheProxyApplies() async throws {
    let transport = ScriptedTransport(HTTP.Response(status: 204))
    let url = try #require(URL(string: "http://up.test"))
    let proxy = ReverseProxy(to: url, over: transport, timeout: .seconds(3))
    _ = try await proxy.respond(to: HTTP.Request(.get, url, timeout: nil))
    #expect(transport.requests.map(\.timeout) == [.seconds(3)])
  }
}
