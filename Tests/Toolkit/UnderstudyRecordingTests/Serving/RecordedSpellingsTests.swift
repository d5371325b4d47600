import Foundation
import Testing
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyServer
import UnderstudyTesting

/// The same exchange in the spellings of several tools, in process and over a socket.
@Suite(.stallLimit()) struct RecordedSpellingsTests {
  private func entry(
    _ url: String, _ body: String = "", status: Int = 200, fields: [String: String] = [:]
  ) -> HTTPArchive.Entry {
    .init(
      startedDateTime: Date(timeIntervalSince1970: 0),
      request: .init(members: [.init("method", .string("GET")), .init("url", .string(url))]),
      response: .init(
        status: status, fields: HTTP.Fields(fields.map { .init(name: $0.key, value: $0.value) }),
        content: .init(Data(body.utf8), mimeType: "text/plain")),
      timings: .init(wait: 0, receive: 0))
  }

  /// Sends a request to a server of a recording, and returns all that it answers.
  private func exchange(_ target: String, with archive: HTTPArchive) async throws -> String {
    String(decoding: try await bytes("GET", target, with: archive), as: UTF8.self)
  }

  private func bytes(_ method: String, _ target: String, with archive: HTTPArchive) async throws -> [UInt8] {
    let server = try await MockServer(ReplayHandler(archive))
    let loop = try EventLoop.start(named: "client")
    defer { loop.stop() }
    let port = try #require(server.url.port.flatMap(UInt16.init(exactly:)))
    let socket = try await TCPSocket.connect(to: "127.0.0.1", port: port, on: loop)
    try await socket.write(
      Array("\(method) \(target) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".utf8))
    var bytes: [UInt8] = []
    while let more = try await socket.read() { bytes += more }
    await socket.close()
    await server.close(grace: .zero)
    return bytes
  }

  @Test(arguments: [
    ("/a|b?c=[1]&d={%7B}", "/a|b?c=[1]&d={%7B}"), ("/a|b?c=[1]&d={%7B}", "/a%7Cb?c=%5B1%5D&d=%7B%7b%7D"),
    ("/a%7cb?x=%2f", "/a|b?x=%2F"), ("/%7Euser/%41?q=%7e", "/~user/A?q=~"), ("/a%2fb", "/a%2Fb"),
    ("/ä?ö=\"", "/%C3%A4?%c3%b6=%22"), ("/?b=2&a=1&b=1", "/?b=1&b=2&a=1"), ("/100%?x=5%", "/100%?x=5%25"),
  ])
  func aTargetMatchesItsOtherSpellings(_ recorded: String, _ requested: String) async throws {
    let archive = HTTPArchive([entry("https://api.example" + recorded, "right")])
    #expect(try await exchange(requested, with: archive).hasSuffix("\r\n\r\nright"))
    let request = try #require(HTTP.Request(archive.entries[0].request))
    #expect(try await ReplayingTransport(archive).text(for: request) == "right")
  }

  @Test(arguments: [("/a%2Fb", "/a/b"), ("/a%25", "/a%2525"), ("/?a=%26b", "/?a=&b")])
  func anEscapeOfADelimiterIsNotTheDelimiter(_ recorded: String, _ requested: String) async throws {
    let archive = HTTPArchive([entry("https://api.example" + recorded, "wrong")])
    #expect(try await exchange(requested, with: archive).hasPrefix("HTTP/1.1 501 "))
  }

  /// Catches comparing the order always, and never.
  @Test func theOrderOfRepeatedNamesIsComparedByChoice() async throws {
    let archive = HTTPArchive([
      entry("https://api.example/?sort=a&x=1&sort=b", "ab"),
      entry("https://api.example/?sort=b&x=1&sort=a", "ba"),
    ])
    let matching = RequestMatching(parts: .all.union(.queryOrder))
    let replay = ReplayingTransport(archive, matching: matching)
    #expect(try await replay.text(for: .get("/?x=1&sort=b&sort=a")) == "ba")
    #expect(try await replay.text(for: .get("/?sort=a&sort=b&x=1")) == "ab")
    let anyOrder = ReplayingTransport(archive)
    #expect(try await anyOrder.text(for: .get("/?x=1&sort=b&sort=a")) == "ab")
  }

  @Test func joinedValuesAreSeparateFields() async throws {
    let answer = try await exchange(
      "/",
      with: HTTPArchive([
        entry("https://h/", fields: ["Set-Cookie": "a=1\nb=2", "Via": "1.1 x\r\n1.1 y", "X": "a\u{1}b"])
      ]))
    for line in ["Set-Cookie: a=1", "Set-Cookie: b=2", "Via: 1.1 x", "Via: 1.1 y", "X: a b"] {
      #expect(answer.contains("\r\n\(line)\r\n"), "\(line)")
    }
  }

  @Test func theReasonPhraseIsThatOfTheService() async throws {
    var odd = entry("https://h/")
    odd.response["statusText"] = .string("Fine")
    #expect(try await exchange("/", with: HTTPArchive([odd])).hasPrefix("HTTP/1.1 200 Fine\r\n"))
    odd.response["statusText"] = .string("Not\r\nFine: 1")
    #expect(try await exchange("/", with: HTTPArchive([odd])).hasPrefix("HTTP/1.1 200 OK\r\n"))
  }

  /// Catches a byte beyond ASCII that becomes the two bytes of its character in UTF-8, and the reverse.
  @Test func theBytesOfAFieldAreThoseOfTheService() async throws {
    let name = Array("X-Name: caf".utf8)
    for value in [[0xE9], Array("é".utf8)] as [[UInt8]] {
      let field = HTTP.Fields.Field(name: "X-Name", bytes: Array("caf".utf8)[...] + value)
      #expect(field.value == "café")
      var recorded = entry("https://h/")
      recorded.response = .init(
        status: 200, fields: HTTP.Fields([field]), content: .init(Data(), mimeType: ""))
      let archive = try HTTPArchive(HTTPArchive([recorded]).data)
      let answer = try await bytes("GET", "/", with: archive)
      #expect(answer.firstRange(of: name + value + [0x0D]) != nil)
    }
  }

  /// A response to HEAD describes the body that GET would have.
  @Test func aHeadOfAnEncodedBodyKeepsItsFields() async throws {
    var head = entry("https://h/", fields: ["Content-Encoding": "gzip", "Content-Length": "20"])
    head.request["method"] = .string("HEAD")
    let answer = String(decoding: try await bytes("HEAD", "/", with: HTTPArchive([head])), as: UTF8.self)
    #expect(
      answer.contains("\r\nContent-Encoding: gzip\r\n") && answer.contains("\r\nContent-Length: 20\r\n"))
    // The recorded body is decoded.
    let page = entry("https://h/", "page", fields: ["Content-Encoding": "gzip", "Content-Length": "20"])
    let body = try await exchange("/", with: HTTPArchive([page]))
    #expect(!body.contains("gzip") && body.contains("\r\nContent-Length: 4\r\n"))
  }

  /// Some tools describe a request for a page as a WebSocket.
  @Test func anOrdinaryResponseOfAWebSocketIsAnswered() async throws {
    var cached = entry("https://h/", status: 304)
    cached["_resourceType"] = .string("websocket")
    cached["_webSocketMessages"] = .array([])
    #expect(!cached.isWebSocket)
    #expect(try await exchange("/", with: HTTPArchive([cached])).hasPrefix("HTTP/1.1 304 "))
    // An entry that is certainly of a page is preferred.
    let page = entry("https://h/", "page")
    #expect(try await exchange("/", with: HTTPArchive([cached, page])).hasSuffix("\r\n\r\npage"))
    // A refused handshake, as this package records it.
    var refused = entry("https://h/", status: 403)
    refused["_resourceType"] = .string("websocket")
    let error = await #expect(throws: TransportError.self) {
      _ = try await ReplayingTransport(HTTPArchive([page, refused])).connect(
        to: HTTP.Request(.get, #require(URL(string: "https://h/"))))
    }
    #expect((error?.cause as? WebSocketRefusal)?.status == 403)
  }

  @Test func nullMessagesAreNoWebSocket() async throws {
    var page = entry("https://h/", "page")
    page["_webSocketMessages"] = .null
    #expect(!page.isWebSocket)
    #expect(try await exchange("/", with: HTTPArchive([page])).hasSuffix("\r\n\r\npage"))
  }

  @Test func secretsInTrailersAreReplaced() {
    let secret = "key-of-alice"
    var page = entry("https://h/", "page")
    page.response["_trailers"] = .array([HTTPArchive.NamedValue(name: "X-Api-Key", value: secret).json])
    let redacted = HTTPArchive([page]).redacted(by: .standard)
    #expect(redacted.data.firstRange(of: Data(secret.utf8)) == nil)
  }

  @Test func trailersAreReplayed() async throws {
    var page = entry("https://h/", "page")
    page.response["_trailers"] = .array([HTTPArchive.NamedValue(name: "Checksum", value: "5").json])
    let answer = try await exchange("/", with: HTTPArchive([page]))
    #expect(answer.hasSuffix("\r\n4\r\npage\r\n0\r\nChecksum: 5\r\n\r\n"))
  }
}
