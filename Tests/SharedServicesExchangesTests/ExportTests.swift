import Foundation
import SharedServicesContracts
import SharedServicesVerification
import Understudy
import UnderstudyHTTP
import SharedServicesExchanges
import Testing
import UnderstudyRecording

/// The documents as other tools get them, and as they are served to clients in other languages.
struct ExportTests {
  private static var documents: [ExchangeDocument] {
    get throws { try ExchangeDocuments.all.map { try ExchangeDocument(json: $0.document) } }
  }

  @Test func onlyWhatPactCannotSayIsLeftOut() throws {
    let exports = try Self.documents.map { $0.pact(consumer: "app") }
    let whole = exports.flatMap(\.omissions).filter { $0.extent == .exchange }
    #expect(whole.map(\.exchangeID) == ["conversations.send.dropped", "conversations.send.timed-out"])
    let count = exports.map { export in
      if case .array(let interactions)? = export.document["interactions"] { interactions.count } else { 0 }
    }
    #expect(try count.reduce(0, +) == Documents.exchanges.count - whole.count)
  }

  @Test func onlyWhatOpenAPICannotSayIsLeftOut() throws {
    let export = ExchangeDocument.openAPI(of: try Self.documents, title: "t", version: "1")
    #expect(
      export.omissions.filter { $0.extent == .exchange }.map(\.exchangeID) == [
        "conversations.send.dropped", "conversations.send.ended-early", "conversations.send.timed-out",
        "conversations.send.unreadable",
        // Pages that say no with a success.
        "forum.threads.absent", "forum.threads.banned", "forum.threads.database-down", "forum.marks.absent",
      ])
  }

  @Test func theBackendKnowsTheConditionsOfTheDocumentsAndNoOthers() throws {
    let named = try Set(Documents.exchanges.flatMap(\.conditions))
    #expect(Set(DocumentedBackend().conditions) == named)
  }

  /// The documents are served as they are written.
  @Test(arguments: try Documents.exchanges)
  func isServed(_ exchange: Exchange) async throws {
    let time = ManualTime(.jumping).time
    let handler = ExchangeHandler(try Self.documents, time: time)
    var request = try exchange.request.request(
      to: try #require(URL(string: "http://documented.invalid")),
      filling: ["key": "k", "token": "t", "refresh token": "r"])
    request.fields["Understudy-Conditions"] = exchange.conditions.joined(separator: ", ")
    let response = handler.respond(to: request)
    let (body, ending) = await DialectTests.read(response.body)
    #expect(exchange.response.differences(from: response, body: body) == [])
    #expect(ending == exchange.response.ending)
  }

  /// What a test in another language does: brings conditions about over HTTP, and asks with what it is told.
  @Test func conditionsAreBroughtAboutOverHTTP() async throws {
    let transport = InProcessTransport(to: ConditionsEndpoint(DocumentedBackend()))
    let door = try #require(URL(string: "http://emulator.invalid/understudy/conditions"))
    func status(_ exchange: Exchange, after conditions: [String]) async throws -> Int {
      _ = try await transport.send(HTTPRequest(.delete, door))
      var values: [String: String] = [:]
      for condition in conditions {
        let body = try JSONEncoder().encode(["condition": condition])
        let (bytes, response) = try await transport.data(for: HTTPRequest(.post, door, body: body))
        #expect(response.status == 200)
        values = try JSONDecoder().decode([String: String].self, from: bytes)
      }
      let server = try #require(URL(string: "http://emulator.invalid"))
      return try await transport.send(try exchange.request.request(to: server, filling: values)).status
    }
    let fetch = try #require(try Documents.exchanges.first { $0.id == "children.fetch.one" })
    #expect(try await status(fetch, after: ["signed in", "a child is stored"]) == 200)
    #expect(try await status(fetch, after: ["signed in", "signed in", "the token has expired"]) == 401)
    let create = try #require(try Documents.exchanges.first { $0.id == "children.create.stored" })
    // What is there already is left as it is, and a new beginning has nothing of before.
    #expect(
      try await status(create, after: ["signed in", "a child is stored", "a child is stored"]) == 409)
    #expect(try await status(create, after: ["signed in"]) == 201)
    #expect(try await status(create, after: ["signed in"]) == 201)
  }
}
