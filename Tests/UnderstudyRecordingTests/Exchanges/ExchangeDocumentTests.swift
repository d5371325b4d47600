import Foundation
import Testing
import UnderstudyRecording
import UnderstudyHTTP

struct ExchangeDocumentTests {
  private static let document = """
    {"service": "todos", "statement": "Todos.", "exchanges": [{
      "id": "todos.add", "statement": "One is added.", "given": ["signed in"], "operation": "add",
      "request": {"method": "POST", "path": "/todos", "query": {"select": "*"},
        "fields": {"Authorization": "Bearer {token}"}, "body": {"title": "Milk"}},
      "response": {"status": 201, "fields": {"Content-Type": "application/json"},
        "body": {"id": "a0000000-0000-4000-8000-000000000001", "tags": ["x"], "at": "2026-01-03T12:00:00+00:00"},
        "varies": {"id": "uuid", "at": "timestamp"}, "ends": "complete"},
      "means": {"error": "conflict", "seconds": 3, "after": 2}}]}
    """

  private func exchange(_ text: String = document) throws -> Exchange {
    try #require(try ExchangeDocument(json: Data(text.utf8)).exchanges.first)
  }

  @Test func aRequestIsBuiltWithItsPlacesFilled() throws {
    let server = try #require(URL(string: "http://127.0.0.1:80/base"))
    let request = try exchange().request.request(to: server, filling: ["token": "abc"])
    #expect(request.method == .post)
    #expect(request.url.absoluteString == "http://127.0.0.1:80/base/todos?select=*")
    #expect(request.fields["authorization"] == "Bearer abc")
    #expect(request.body == Data(#"{"title":"Milk"}"#.utf8))
    #expect(try exchange().meaning == .error("conflict", field: nil, seconds: 3, after: 2))
  }

  @Test(arguments: [
    (#"{"at":"2026-11-03T12:00:00.5+00:00","tags":["x"],"id":"c0000000-0000-4000-8000-000000000009"}"#, []),
    (
      #"{"id":"c0","tags":["x"],"at":"2026-11-03T12:00:00Z"}"#,
      [
        "Expected a uuid at id, found \"c0\".",
        "Expected a timestamp at at, found \"2026-11-03T12:00:00Z\".",
      ]
    ),
    (
      #"{"id":"c0000000-0000-4000-8000-000000000009","tags":["y"],"more":1}"#,
      ["Expected \"x\" at tags.0, found \"y\".", "Expected at, found nothing.", "Expected no more."]
    ),
    ("[]", nil), ("nonsense", ["Expected JSON, found \"nonsense\"."]),
  ])
  func whatDiffersIsNamed(_ body: String, _ expected: [String]?) throws {
    let response = HTTPResponse(status: 201, fields: ["content-type": "application/json"])
    let differences = try exchange().response.differences(from: response, body: Data(body.utf8))
    if let expected { #expect(differences == expected) } else { #expect(differences.count == 1) }
  }

  @Test func statusAndFieldsAreCompared() throws {
    let example = try exchange().response.response()
    #expect(example.status == 201)
    let differences = try exchange().response.differences(
      from: HTTPResponse(status: 200), body: Data(#"{"id":"c0"}"#.utf8))
    #expect(
      differences.prefix(2) == [
        "Expected the status 201, found 200.",
        "Expected Content-Type: application/json, found no such field.",
      ])
  }

  @Test func anExampleAnswersAsItIsDescribed() async throws {
    let response = try exchange().response.response()
    let body = try await response.body.collect()
    #expect(try exchange().response.differences(from: response, body: body) == [])
  }

  @Test func aStreamKeepsItsChunksAndItsEnd() async throws {
    let text = Self.document.replacingOccurrences(
      of: #""ends": "complete""#,
      with: #""ends": "dropped", "chunks": [{"text": "a"}, {"text": "bc", "pause": 0}]"#
    ).replacingOccurrences(of: #""body": {"id""#, with: #""_": {"id""#)
    let response = try exchange(text).response.response()
    var chunks: [String] = []
    let error = await #expect(throws: TransportError.self) {
      for try await chunk in response.body { chunks.append(String(decoding: chunk, as: UTF8.self)) }
    }
    #expect(chunks == ["a", "bc"])
    #expect(error?.code == .connectionLost)
  }

  @Test(arguments: [
    // Members in another order, other cuts and comments are the same events.
    (": hello\ndata: {\"n\":1,\"id\":\"x\"}\n\ndata:b\r\n\r\n", []),
    ("data: {\"id\":\"y\",\"n\":1}\n\ndata: b\n\n", []),
    (
      "data: {\"id\":\"x\",\"n\":2}\n\ndata: c\n\n",
      ["Expected 1 at 0.n, found 2.", "Expected the data \"b\" of event 1, found \"c\"."]
    ),
    (
      "data: {\"id\":\"x\",\"n\":1}\n\nevent: b\ndata: b\n\n",
      ["Expected the type message of event 1, found b."]
    ),
    (
      "data: {\"id\":\"x\",\"n\":1}\n\ndata: b\n",
      ["Expected 2 event(s), found 1: [\"{\\\"id\\\":\\\"x\\\",\\\"n\\\":1}\"]."]
    ),
  ])
  func aStreamIsComparedEventByEvent(_ body: String, _ expected: [String]) throws {
    let text = Self.document.replacingOccurrences(of: "application/json", with: "text/event-stream")
      .replacingOccurrences(
        of: #""varies": {"id": "uuid", "at": "timestamp"}"#, with: #""varies": {"0.id": "text"}"#
      )
      .replacingOccurrences(of: #""body": {"id""#, with: #""_": {"id""#)
      .replacingOccurrences(
        of: #""ends""#,
        with: #""chunks": [{"text": "data: {\"id\":\"a\","}, {"text": "\"n\":1}\n\ndata: b\n\n"}], "ends""#)
    let response = HTTPResponse(status: 201, fields: ["Content-Type": "text/event-stream"])
    #expect(try exchange(text).response.differences(from: response, body: Data(body.utf8)) == expected)
  }

  @Test(arguments: [
    ("\"status\": 201", "\"status\": \"201\"", "exchanges[0].response.status: Expected a whole number."),
    ("\"id\": \"todos.add\",", "", "exchanges[0].id: Expected a value, found nothing."),
    ("[\"signed in\"]", "[1]", "exchanges[0].given[0]: Expected a text."),
    (
      "\"uuid\"", "\"id\"",
      "exchanges[0].response.varies: \"id\" is none of uuid, timestamp, text, number, members."
    ),
    ("{\"service\"", "{\"service", "byte"),
  ])
  func aDocumentThatCannotBeReadNamesThePlace(_ old: String, _ new: String, _ message: String) {
    let text = Self.document.replacingOccurrences(of: old, with: new)
    #expect {
      try ExchangeDocument(json: Data(text.utf8))
    } throws: {
      "\($0)".hasPrefix(message)
    }
  }
}
