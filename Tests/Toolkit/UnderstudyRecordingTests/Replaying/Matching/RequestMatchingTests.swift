import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

@Suite(.stallLimit()) struct RequestMatchingTests {
  private static let recorded = "https://api.example:8443/a/b?x=1&y=2"

  private func request(_ url: String, _ method: HTTP.Method = .get) throws -> HTTP.Request {
    HTTP.Request(method, try #require(URL(string: url)))
  }

  private func answers(
    _ asked: HTTP.Request, _ recorded: HTTP.Request, _ matching: RequestMatching
  ) async -> Bool {
    let replay = ReplayingTransport(HTTPArchive(answering: [recorded]), matching: matching)
    return await replay.failure(of: asked) == nil
  }

  /// Each part is compared, and the request only passes if this part is ignored.
  @Test(
    arguments: [
      (.method, recorded, "PUT"), (.scheme, "http://api.example:8443/a/b?x=1&y=2", "GET"),
      (.host, "https://api.test:8443/a/b?x=1&y=2", "GET"), (.port, "https://api.example/a/b?x=1&y=2", "GET"),
      (.path, "https://api.example:8443/a/B?x=1&y=2", "GET"),
      (.query, "https://api.example:8443/a/b?x=1", "GET"),
    ] as [(RequestMatching.Parts, String, String)])
  func eachPartIsComparedSeparately(_ part: RequestMatching.Parts, _ url: String, _ method: String)
    async throws
  {
    let asked = try request(url, HTTP.Method(rawValue: method))
    let recorded = try request(Self.recorded)
    #expect(await !answers(asked, recorded, RequestMatching()))
    #expect(await answers(asked, recorded, RequestMatching(parts: .all.subtracting(part))))
    #expect(await !answers(asked, recorded, RequestMatching(parts: .all.subtracting(.all.subtracting(part)))))
  }

  /// Equal requests in different notations, with all parts compared.
  @Test(
    arguments: [
      ("https://a.test/x", "HTTPS://A.TEST:443/x"), ("http://a.test:80/", "http://a.test"),
      ("https://a.test/x", "https://a.test/x#part"), ("https://a.test/x", "https://pat@a.test/x"),
      ("http://[::1]/x", "http://[::1]:80/x"), ("https://a.test/?a&b=", "https://a.test?b=&a"),
      ("https://a.test/x", "wss://a.test/x"), ("http://a.test/x", "ws://a.test/x"),
    ])
  func equivalentAddressesAreEqual(_ recorded: String, _ asked: String) async throws {
    #expect(await answers(try request(asked), try request(recorded), RequestMatching()))
  }

  @Test(
    arguments: [
      ("http://[::1]:8080/x", "http://[::2]:8080/x"), ("http://a.test:443/", "http://a.test/"),
      ("https://a.test/x/", "https://a.test/x"), ("https://a.test/?a", "https://a.test/?a="),
      ("https://a.test/?a=1&a=1", "https://a.test/?a=1"),
      ("https://a.test/http://b/", "https://a.test/http://c/"),
    ])
  func differentAddressesDiffer(_ recorded: String, _ asked: String) async throws {
    #expect(await !answers(try request(asked), try request(recorded), RequestMatching()))
  }

  /// A file of another tool may contain an invalid URL.
  @Test func recordedAddressesAreParsedLikeURLs() async throws {
    var archive = HTTPArchive(answering: [try request("https://a.test/x?q=1%7C2%203")])
    archive.entries[0].request["url"] = .string("https://a.test/x?q=1|2 3")
    let replay = ReplayingTransport(archive)
    #expect(try await replay.text(for: request("https://a.test/x?q=1%7C2%203")) == "0")
  }

  @Test func ignoredItemsAreDecoded() async throws {
    let matching = RequestMatching(ignoredQueryItems: ["at time"])
    let recorded = try request("https://a.test/x?at%20time=1&b=2")
    #expect(await answers(try request("https://a.test/x?b=2&at%20time=3"), recorded, matching))
    #expect(await answers(try request("https://a.test/x?b=2"), recorded, matching))
    #expect(await !answers(try request("https://a.test/x?b=3&at%20time=1"), recorded, matching))
  }

  /// Catches a client that no longer sends what selects the response, such as the event after which a stream goes on.
  @Test(arguments: [
    ("Last-Event-ID", "2", "3"), ("If-None-Match", "\"a\"", "\"b\""), ("Range", "bytes=0-9", "bytes=10-19"),
    ("Prefer", "return=minimal", "return=representation"), ("if-match", "\"a\"", "*"),
  ])
  func fieldsThatSelectTheResponseAreCompared(_ name: String, _ value: String, _ other: String) async throws {
    let plain = try request(Self.recorded)
    func with(_ value: String) -> HTTP.Request {
      var request = plain
      request.fields[name] = value
      return request
    }
    #expect(await answers(with(value), with(value), RequestMatching()))
    #expect(await !answers(with(other), with(value), RequestMatching()))
    #expect(await !answers(plain, with(value), RequestMatching()))
    #expect(await !answers(with(value), plain, RequestMatching()))
    #expect(await answers(plain, with(value), RequestMatching(fieldNames: ["Authorization"])))
  }

  @Test func selectedFieldsAreComparedButNotThoseOfAHandshake() async throws {
    let names: Set = ["Accept", "SEC-WEBSOCKET-KEY", "upgrade", "Connection"]
    let matching = RequestMatching(fieldNames: names)
    func get(_ fields: HTTP.Fields) throws -> HTTP.Request { try .get("/", fields: fields) }
    let recorded = try get(["accept": "a", "Sec-WebSocket-Key": "1", "Authorization": "Bearer 1", "X": "1"])
    #expect(await answers(try get(["Accept": "a", "Connection": "close"]), recorded, matching))
    #expect(await !answers(try get(["Accept": "b"]), recorded, matching))
    #expect(await !answers(try get(["Accept": "a", "accept": "a"]), recorded, matching), "twice is not once")
  }

  @Test func aCustomRuleIsCalledOnceForEachRequest() async throws {
    let calls = Locked(0)
    let tenant = RequestMatching.Rule("tenant") { request in
      calls.withLock { $0 += 1 }
      return request.fields["X-Tenant"]?.lowercased()
    }
    func get(_ tenant: String?, _ path: String = "/a") throws -> HTTP.Request {
      try .get(path, fields: HTTP.Fields(tenant.map { [.init(name: "X-Tenant", value: $0)] } ?? []))
    }
    let others = try (0..<500).map { try get("north", "/other/\($0)") }
    let archive = HTTPArchive(answering: try [get("North"), get("south"), get(nil)] + others)
    let replay = ReplayingTransport(
      archive, matching: RequestMatching(rules: [tenant]), repetition: .repeatsLast)
    #expect(try await replay.text(for: get("SOUTH")) == "1")
    #expect(try await replay.text(for: get("north")) == "0")
    #expect(try await replay.text(for: get(nil)) == "2")
    #expect(calls.withLock { $0 } == 6, "the three that may answer, and the three that were asked")
    for _ in 0..<100 { _ = try await replay.text(for: get("north")) }
    #expect(calls.withLock { $0 } == 106)

    let failure = await replay.failure(of: try get("east"))
    #expect(
      failure?.message.contains("rule tenant: recorded north, requested east") == true, "\(failure as Any)")
    #expect(calls.withLock { $0 } < 180, "the nearest is looked for among those that are likely")
  }

  @Test(
    arguments: [
      ("", "a leading $"), ("id", "a leading $"), ("$.", "a name or * after the dot"),
      ("$..id", "a name or * after the dot"), ("$id", "a dot or a bracket"), ("$[", "after the bracket"),
      ("$[-1]", "after the bracket"), ("$[1", "a closing bracket"), ("$['a'", "a closing bracket"),
      ("$['a", "the closing quote"), ("$['a\\", "the closing quote"),
      ("$[99999999999999999999]", "after the bracket"),
      ("$.a b", "a dot or a bracket"),
    ])
  func anInvalidPathFailsEachRequest(_ path: String, _ problem: String) async throws {
    let request = try HTTP.Request.get("/")
    let matching = RequestMatching(body: .json(ignoring: ["$.fine", path]))
    let replay = ReplayingTransport(HTTPArchive(answering: [request]), matching: matching)
    let failure = await replay.failure(of: request)
    #expect(failure?.code == .invalidRequest)
    let message = failure?.message ?? ""
    #expect(message.contains(problem) && message.contains(path.debugDescription), "\(message)")
    #expect(replay.unansweredRequests == [message])
    await #expect(throws: TransportError.self) { try await replay.responseIfRecorded(to: request) }
  }
}
