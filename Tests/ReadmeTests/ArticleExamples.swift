import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyRecordingTesting
import UnderstudyServer
import UnderstudyTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The code of articles about HTTP. That of the others is in Tests/Downstream/TodoApp.

/// A backend with a list of notes.
private let notes = StubBackend {
  Stub(.get, "/notes") { _ in try .json(["Milk", "Bread"]) }
  Stub(.post, "/notes", answers: HTTP.Response(status: 201), HTTP.Response(status: 409))
}

/// A backend whose sessions expire after an hour.
private let accounts = StubBackend {
  Stub(.get, "/token") { _ in
    let expiry = Date.now.timeIntervalSince1970 + 3_600
    return try .json(SessionToken(access_token: "token-1", expires_at: expiry))
  }
}

struct SessionToken: Codable {
  var access_token: String
  var expires_at: Double
}

extension RecordingOptions {
  static let renewed = RecordingOptions(beforeReplaying: { request, response in
    guard request.url.path() == "/token" else { return }
    var token = try JSONDecoder().decode(SessionToken.self, from: try await response.body.collect())
    token.expires_at = Date.now.timeIntervalSince1970 + 3_600
    response = try .json(token)
  })
}

extension Redaction {
  static var ofTheShop: Redaction {
    var redaction = Redaction.standard
    redaction.headerNames.insert("X-Shop-Key")
    redaction.literals.append("correct horse")
    redaction.rules.append(Redaction.Rule("card") { $0.ranges(of: /[0-9]{4}( [0-9]{4}){3}/) })
    return redaction
  }
}

extension RequestMatching {
  static let ofTheShop = RequestMatching(
    parts: .all.subtracting(.origin), ignoredQueryItems: ["timestamp"],
    body: .json(ignoring: ["$.requestId"]),
    rules: [RequestMatching.Rule("tenant") { $0.fields["X-Tenant"]?.lowercased() }])
}

/// The client of the app: what it needs is a session.
private struct NotesClient {
  var session: URLSession
  var url = URL(string: "http://notes.invalid/notes")

  func list() async throws -> [String] {
    let (data, _) = try await session.data(from: try #require(url))
    return try JSONDecoder().decode([String].self, from: data)
  }
}

@Suite(.stallLimit()) struct ArticleExamples {
  @Test func aRequestFailsInFrontOfTheBackend() async throws {
    let time = TestClock(.immediate).time
    let transport = Intercepted(
      InProcessTransport(to: notes, time: time), by: .faults(.on(.get("/notes"), call: 2, .connectionLost)),
      time: time)
    let client = NotesClient(session: URLSession(configuration: .over(transport)))
    #expect(try await client.list() == ["Milk", "Bread"])
    await #expect(throws: URLError.self) { try await client.list() }
  }

  @Test func aRequestFailsOnASocket() async throws {
    let server = try await MockServer(notes, faults: .on(.get("/notes"), .truncatedBody(afterBytes: 4)))
    let client = NotesClient(session: .shared, url: server.url.appending(path: "notes"))
    await #expect(throws: (any Error).self) { try await client.list() }
    await server.close()
  }

  @Test(.recording("notes/list", in: .module, upstream: InProcessTransport(to: notes)))
  func listsNotes() async throws {
    let client = NotesClient(session: URLSession(configuration: .over(.recorded)))
    #expect(try await client.list() == ["Milk", "Bread"])
  }

  @Test(
    .recording(
      "notes/list", in: .module,
      options: RecordingOptions(matching: .ofTheShop, repetition: .repeatsLast, redaction: .ofTheShop)))
  func listsNotesOfAShop() async throws {
    let url = URL(string: "http://shop.invalid/notes?timestamp=1")
    let client = NotesClient(session: URLSession(configuration: .over(.recorded)), url: url)
    #expect(try await client.list() == ["Milk", "Bread"])
    #expect(try await client.list() == ["Milk", "Bread"])
  }

  @Test func aRecordingIsServed() async throws {
    let file = try #require(
      Bundle.module.url(forResource: "list", withExtension: "har", subdirectory: "Recordings/notes"))
    let server = try await MockServer(ReplayHandler(HTTPArchive(contentsOf: file)))
    let client = NotesClient(session: .shared, url: server.url.appending(path: "notes"))
    #expect(try await client.list() == ["Milk", "Bread"])
    await server.close()
  }

  @Test func aServerIsBehindAProxyWithFaults() async throws {
    let staging = try await MockServer(notes)
    let proxy = ReverseProxy(to: staging.url, over: URLSessionTransport(followsRedirects: false))
    let server = try await MockServer(proxy, faults: .on(.get("/notes"), call: 2, .unavailable))
    let client = NotesClient(session: .shared, url: server.url.appending(path: "notes"))
    #expect(try await client.list() == ["Milk", "Bread"])
    await #expect(throws: DecodingError.self) { try await client.list() }
    await server.close()
    await staging.close()
  }

  @Test(.recording("session", in: .module, options: .renewed, upstream: InProcessTransport(to: accounts)))
  func aSessionIsNeverOld() async throws {
    let session = URLSession(configuration: .over(.recorded))
    let url = try #require(URL(string: "http://accounts.invalid/token"))
    let (data, _) = try await session.data(from: url)
    let token = try JSONDecoder().decode(SessionToken.self, from: data)
    #expect(token.expires_at > Date.now.timeIntervalSince1970)
  }

  @Test func partOfATestIsRecorded() async throws {
    let upstream = InProcessTransport(to: notes)
    try await withRecording("notes/list", in: .module, upstream: upstream) { _ in
      let client = NotesClient(session: URLSession(configuration: .over(.recorded)))
      let list = try await client.list()
      #expect(list.count == 2)
    }
  }
}
