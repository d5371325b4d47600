import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

@Suite(.stallLimit()) struct StubBackendTests {
  let router = StubBackend {
    Stub(.get, "/todos/mine") { _ in try .json("literal") }
    Stub(.get, "/todos/{id}") { call in try .json(call["id"]) }
    Stub(.patch, "/todos/{id}/tags/{tag}") { call in try .json([call["id"], call["tag"]]) }
    Stub(.post, "/todos") { call in HTTP.Response(status: 201, body: HTTP.Body(call.request.body ?? Data())) }
    Stub(.get, "/files/*") { call in try .json(call.request.url.path()) }
    Stub(.get, "/") { _ in try .json("root") }
  }

  func answer(
    _ method: HTTP.Method, _ path: String, body: Data? = nil, of router: StubBackend? = nil
  ) async throws -> (status: Int, body: String, fields: HTTP.Fields) {
    let url = try #require(URL(string: "http://server.test" + path))
    let (data, response) = try await InProcessTransport(to: router ?? self.router)
      .data(for: HTTP.Request(method, url, body: body))
    return (response.status, String(decoding: data, as: UTF8.self), response.fields)
  }

  @Test func theFirstStubThatMatchesAnswers() async throws {
    #expect(try await answer(.get, "/todos/mine").body == #""literal""#)
    #expect(try await answer(.get, "/todos/7").body == #""7""#)
    #expect(try await answer(.get, "/todos/7?select=id").body == #""7""#)
    #expect(try await answer(.get, "/todos/a%20b").body == #""a b""#)
    #expect(try await answer(.patch, "/todos/7/tags/new").body == #"["7","new"]"#)
    #expect(try await answer(.post, "/todos", body: Data("Milk".utf8)).body == "Milk")
    #expect(try await answer(.get, "").body == #""root""#)
    #expect(try await answer(.get, "/files/a/b").body == #""\/files\/a\/b""#)
    #expect(try await answer(.get, "/files").status == 200)
  }

  /// Catches a branch that is not taken, or is taken with the other, and a loop that keeps only its last stub.
  @Test(arguments: [true, false]) func stubsMayDependOnConditions(_ isOld: Bool) async throws {
    let router = StubBackend {
      if isOld {
        Stub(.get, "/notes") { _ in try .json("old") }
      } else {
        Stub(.get, "/all-notes") { _ in try .json("new") }
      }
      for version in ["v1", "v2"] {
        Stub(.get, "/\(version)") { _ in try .json(version) }
      }
    }
    #expect(try await answer(.get, "/notes", of: router).status == (isOld ? 200 : 404))
    #expect(try await answer(.get, "/all-notes", of: router).status == (isOld ? 404 : 200))
    #expect(try await answer(.get, "/v1", of: router).body == #""v1""#)
    #expect(try await answer(.get, "/v2", of: router).body == #""v2""#)
  }

  /// An encoded slash does not separate segments, and a parameter does not match an empty segment.
  @Test func aSegmentIsDelimitedBySlashes() async throws {
    #expect(try await answer(.get, "/todos/a%2Fb").body == #""a\/b""#)
    #expect(try await answer(.get, "/todos/").status == 404)
    #expect(try await answer(.get, "/todos/7/8").status == 404)
    #expect(try await answer(.get, "/TODOS/7").status == 404)
  }

  @Test func aRequestThatMatchesNoStubIsExplained() async throws {
    let unknown = try await answer(.get, "/nowhere")
    #expect(unknown.status == 404)
    #expect(unknown.body.contains("GET /nowhere") && unknown.body.contains("PATCH /todos/{id}/tags/{tag}"))
    let wrong = try await answer(.delete, "/todos/7")
    #expect(wrong.status == 405)
    #expect(wrong.fields["Allow"] == "GET")
  }

  @Test func headIsAnsweredAsGet() async throws {
    let head = try await answer(.head, "/todos/7")
    #expect(head.status == 200 && head.body.isEmpty)
  }

  @Test func aFallbackAnswersTheRest() async throws {
    let outer = StubBackend(otherwise: router) {
      Stub(.get, "/todos/7") { _ in HTTP.Response(status: 410) }
    }
    #expect(try await answer(.get, "/todos/7", of: outer).status == 410)
    #expect(try await answer(.get, "/todos/8", of: outer).body == #""8""#)
    #expect(try await answer(.get, "/nowhere", of: outer).status == 404)
  }

  @Test func aStubIsHeldAndAnsweredByTheTest() async throws {
    let gate = Gate<StubBackend>(.get("/todos/*"))
    let gated = Intercepted(router, by: .gate(gate))
    let transport = InProcessTransport(to: gated)
    let (one, two) = (
      try #require(URL(string: "http://server.test/todos/1")),
      try #require(URL(string: "http://server.test/todos/2"))
    )
    async let first = transport.data(for: HTTP.Request(.get, one))
    let firstCall = try await gate.next()
    async let second = transport.data(for: HTTP.Request(.get, two))
    let secondCall = try await gate.next()
    #expect(secondCall.answer(with: HTTP.Response(status: 503)))
    #expect(try await second.1.status == 503)
    #expect(firstCall.answer(with: try .json("by hand")))
    #expect(!firstCall.answer(with: HTTP.Response(status: 500)))
    #expect(String(decoding: try await first.0, as: UTF8.self) == #""by hand""#)
  }

  /// Catches a query, a field or a body that is not compared, and a refusal without the difference.
  @Test func queryFieldsAndBodyDecideBetweenStubs() async throws {
    let backend = StubBackend {
      Stub(.get, "/todos", query: ["done": "a b"]) { _ in HTTP.Response(status: 201) }
      Stub(.get, "/todos", fields: ["Accept-Language": "de"]) { _ in HTTP.Response(status: 202) }
      Stub(.post, "/todos", where: { try $0.decode([String: Int].self)["n"] == 1 }) { _ in
        HTTP.Response(status: 203)
      }
    }
    #expect(try await answer(.get, "/todos?x=1&done=a%20b", of: backend).status == 201)
    let url = try #require(URL(string: "http://server.test/todos"))
    let transport = InProcessTransport(to: backend)
    #expect(
      try await transport.send(HTTP.Request(.get, url, fields: ["accept-language": "de"])).status == 202)
    #expect(try await answer(.post, "/todos", body: Data(#"{"n":1}"#.utf8), of: backend).status == 203)
    let other = try await answer(.get, "/todos?done=c", of: backend)
    #expect(other.status == 404)
    #expect(other.body.contains(#"query done: expected "a b", found "c""#))
    #expect(other.body.contains(#"field Accept-Language: expected "de", found nothing"#))
    for body in [#"{"n":2}"#, "no JSON"] {
      let refused = try await answer(.post, "/todos", body: Data(body.utf8), of: backend)
      #expect(refused.status == 404 && refused.body.contains("the body does not match"))
    }
  }

  @Test func answersComeInSequenceAndTheLastOneRepeats() async throws {
    let backend = StubBackend {
      Stub(.post, "/todos", answers: HTTP.Response(status: 201), HTTP.Response(status: 409))
    }
    var statuses: [Int] = []
    for _ in 1...3 { statuses.append(try await answer(.post, "/todos", of: backend).status) }
    #expect(statuses == [201, 409, 409])
  }

  @Test func stubsShareAState() async throws {
    let backend = StubBackend(state: [String]()) { titles in
      Stub(.get, "/titles") { _ in try .json(titles.value) }
      Stub(.put, "/titles/{title}") { request in
        let title = try request["title"]
        titles.update { $0.append(title) }
        return HTTP.Response(status: 204)
      }
    }
    #expect(try await answer(.put, "/titles/Milk", of: backend).status == 204)
    #expect(try await answer(.get, "/titles", of: backend).body == #"["Milk"]"#)
  }

  @Test func anUnknownPathParameterIsAnError() async throws {
    let backend = StubBackend { Stub(.get, "/todos/{id}") { try .json($0["name"]) } }
    let url = try #require(URL(string: "http://server.test/todos/1"))
    let error = await #expect(throws: TransportError.self) {
      try await InProcessTransport(to: backend).send(HTTP.Request(.get, url))
    }
    #expect(error?.message == "The path /todos/{id} has no parameter {name}. Its parameters: {id}.")
  }

  /// Catches a fault that does not use the style of the backend.
  @Test func injectedFaultsUseTheErrorStyleOfTheBackend() async throws {
    let style = HTTPErrorStyle { try .json(["error": $0.title], status: $0.status) }
    let backend = StubBackend(errorStyle: style) { Stub(.get, "/") { _ in HTTP.Response(status: 200) } }
    let transport = Intercepted(InProcessTransport(to: backend), by: .faults(.on(.any, .conflict)))
    let url = try #require(URL(string: "http://server.test/"))
    let (body, response) = try await transport.data(for: HTTP.Request(.get, url))
    #expect(response.status == 409 && String(decoding: body, as: UTF8.self) == #"{"error":"Conflict"}"#)
  }
}
