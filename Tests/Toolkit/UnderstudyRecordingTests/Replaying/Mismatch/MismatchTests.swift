import Foundation
import Testing
import UnderstudyRecording
import UnderstudyHTTP
import UnderstudyTesting

@Suite(.stallLimit()) struct MismatchTests {
  private func message(
    for asked: HTTP.Request, in recorded: [HTTP.Request], matching: RequestMatching = RequestMatching(),
    remedy: String = "re-record the session"
  ) async -> String {
    let replay = ReplayingTransport(HTTPArchive(answering: recorded), matching: matching, remedy: remedy)
    return await replay.failure(of: asked)?.message ?? "It was answered."
  }

  private static let form = "application/x-www-form-urlencoded"

  @Test(
    arguments: [
      ("a=1&b=2", "a=1&b=3", "body field b: recorded \"2\", requested \"3\""),
      ("a=1&b=2", "a=1", "body field b: recorded \"2\", requested nothing"),
      ("a=1", "a=1&a=2", "body field a: recorded \"1\", requested \"1\", \"2\""),
    ])
  func aFormNamesItsField(_ recorded: String, _ asked: String, _ difference: String) async throws {
    let request = { try HTTP.Request.post("/", $0, fields: ["Content-Type": Self.form]) }
    let message = await message(for: try request(asked), in: [try request(recorded)])
    #expect(message.contains("\n  \(difference)\n"), "\(message)")
  }

  /// Catches a message that shows the secrets of a document as the name of a field.
  @Test func aDocumentWithTheTypeOfAFormNamesItsMember() async throws {
    let request = { try HTTP.Request.post("/", $0, fields: ["Content-Type": Self.form]) }
    let message = await message(
      for: try request(#"{"name":"Kim","password":"hunter2"}"#),
      in: [try request(#"{"name":"Robin","password":"hunter2"}"#)])
    #expect(message.contains(#"$.name: recorded "Robin", requested "Kim""#), "\(message)")
    #expect(!message.contains("hunter2"), "\(message)")
  }

  @Test func aMultipartBodyNamesItsPart() async throws {
    let request = { (name: String, file: String) in
      try HTTP.Request.post(
        "/",
        "--b\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"\(file)\"\r\n"
          + "Content-Type: text/plain\r\n\r\nx\r\n--b--",
        fields: ["Content-Type": "multipart/form-data; boundary=b"])
    }
    let one = await message(for: try request("photo", "b.txt"), in: [try request("photo", "a.txt")])
    #expect(
      one.contains(
        "body part photo: recorded the file \"a.txt\" (text/plain) \"x\", requested the file \"b.txt\" (text/plain) \"x\""
      ),
      "\(one)")
    let other = await message(for: try request("image", "a.txt"), in: [try request("photo", "a.txt")])
    #expect(other.contains("body part image: recorded nothing, requested the file"), "\(other)")
  }

  @Test func aPathInADifferenceCanBeIgnoredUnchanged() async throws {
    let recorded = try HTTP.Request.post("/", #"{"a b": [{"it's": 1}]}"#)
    let asked = try HTTP.Request.post("/", #"{"a b": [{"it's": 2}]}"#)
    let message = await message(for: asked, in: [recorded])
    let path = #"$['a b'][0]['it\'s']"#
    #expect(message.contains("body \(path): recorded 1, requested 2"), "\(message)")
    let matching = RequestMatching(body: .json(ignoring: [path]))
    let replay = ReplayingTransport(HTTPArchive(answering: [recorded]), matching: matching)
    #expect(try await replay.text(for: asked) == "0")
  }

  @Test func differentKindsOfBodiesAreShown() async throws {
    let json = try HTTP.Request.post("/", #"{"a": 1}"#)
    let form = try HTTP.Request.post("/", "a=1", fields: ["Content-Type": Self.form])
    #expect(await message(for: form, in: [json]).contains(#"body: recorded {"a":1}, requested the form a=1"#))
    var none = json
    none.body = nil
    #expect(await message(for: none, in: [json]).contains(#"body: recorded {"a":1}, requested no body"#))
  }

  @Test func manyDifferencesAreCounted() async throws {
    let body = { (value: Int) in "{" + (10..<40).map { "\"n\($0)\": \(value)" }.joined(separator: ",") + "}" }
    let message = await message(for: try .post("/", body(1)), in: [try .post("/", body(2))])
    #expect(message.contains("body: 20 more differences"), "\(message)")
  }

  /// Of entries with equal differences the unused one is nearest, otherwise the one with the fewest differences.
  @Test func theNearestIsTheLeastDifferent() async throws {
    let recorded: [HTTP.Request] = try [
      .get("/items?x=1"), .post("/items", "1"), .get("/item/1"), .get("/items?x=2"),
      .get("/items?x=1&y=2&z=3"),
    ]
    let replay = ReplayingTransport(HTTPArchive(answering: recorded))
    func nearest(_ request: HTTP.Request) async -> String? {
      let message = await replay.failure(of: request)?.message ?? ""
      return message.firstMatch(of: /nearest: entry (\d)/).map { String($0.1) }
    }
    #expect(await nearest(try .get("/items?x=3")) == "0")
    _ = try await replay.text(for: recorded[0])
    #expect(await nearest(try .get("/items?x=3")) == "3", "the other was used")
    #expect(await nearest(try .get("/item/2")) == "2")
    #expect(await nearest(try .post("/items", "2")) == "1")
    #expect(await nearest(try .get("/items?x=1&y=2&z=4")) == "4")
  }

  @Test func theMessageHasTheGivenRemedy() async throws {
    let message = await message(
      for: try .get("/b"), in: [try .get("/a")], remedy: "run: understudy verify --record")
    #expect(message.contains("If the request is correct, run: understudy verify --record.\n"), "\(message)")
  }

  /// A secret that a rule detects in one place may also occur where no rule detects it.
  @Test func messagesContainNoSecrets() async throws {
    let secret = "swordfish-99"
    let request = try HTTP.Request.post(
      "/\(secret)?q=\(secret)&token=\(secret)", #"{"note": "\#(secret)", "password": "\#(secret)"}"#,
      fields: ["Authorization": "Bearer \(secret)", "X-Note": secret])
    let matching = RequestMatching(fieldNames: ["Authorization", "X-Note"])
    let message = await message(for: request, in: [try .post("/", "{}")], matching: matching)
    #expect(!message.contains("swordfish"), "\(message)")
    #expect(message.contains("header x-note: recorded nothing, requested redacted"), "\(message)")
  }

  @Test func pagesAndWebSocketsAreDistinguished() async throws {
    let archive = HTTPArchive([try .webSocket([], at: "/a")])
    let page = await ReplayingTransport(archive).failure(of: try .get("/a"))
    #expect(page?.message.contains("open it with connect(to:)") == true, "\(page as Any)")
    let replay = ReplayingTransport(HTTPArchive(answering: [try .get("/a")]))
    let error = await #expect(throws: TransportError.self) { _ = try await replay.connect(to: .get("/a")) }
    #expect(error?.message.contains("send it with send(_:)") == true)
    #expect(try await replay.text(for: .get("/a")) == "0", "the entry is still unused")
  }
}
