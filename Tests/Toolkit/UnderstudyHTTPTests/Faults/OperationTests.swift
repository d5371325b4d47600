import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

@Suite(.stallLimit()) struct OperationTests {
  typealias Request = Intercepted<URLEcho>.Operation

  @Test(arguments: [
    ("/rest/v1/children", "https://a.example/rest/v1/children?id=eq.1", true),
    ("/rest/v1/*", "https://a.example/rest/v1/children", true),
    ("/rest/*", "https://a.example/rest/v1/children", true),
    ("/rest/v1/children", "https://a.example/rest/v1/children/", false),
    ("/rest/v1/children", "https://a.example/rest/v1/child", false),
    ("/", "https://a.example", true),
    ("/a b", "https://a.example/a%20b", true),
    ("/a/b", "https://a.example/a%2Fb", false),
  ])
  func pathsMatchBySegment(_ pattern: String, _ url: String, _ matches: Bool) async throws {
    let log = CallLog<URLEcho>()
    let transport = Intercepted(URLEcho(), by: .log(log))
    _ = try await transport.send(HTTP.Request(.get, try #require(URL(string: url))))
    let operation = try #require(log.operations.first)
    #expect(Request.get(pattern).matches(operation) == matches)
    #expect(Request.request(nil, pattern).matches(operation) == matches)
    #expect(!Request.post(pattern).matches(operation))
    #expect(Request.any.matches(operation))
  }

  @Test func aConditionMayLookAtTheRequest() async throws {
    let url = try #require(URL(string: "https://a.example/x?id=7"))
    let transport = Intercepted(
      URLEcho(), by: .faults(.on(.get("/x"), when: { $0.request?.url.query() == "id=7" }, .notFound)))
    #expect(try await transport.send(HTTP.Request(.get, url)).status == 404)
    #expect(try await transport.send(HTTP.Request(.get, url.appending(path: "y"))).status == 200)
  }

  /// An invalid pattern is an issue, and then neither matches what it looks like nor ends the process.
  @Test func anInvalidPatternMatchesNothing() async throws {
    let request = HTTP.Request(.get, try #require(URL(string: "https://a.example/a/:id")))
    let log = CallLog<URLEcho>()
    _ = try await Intercepted(URLEcho(), by: .log(log)).send(request)
    try await withKnownIssue {
      #expect(log.count(of: .get("/a/:id")) == 0)
      let backend = StubBackend { Stub(.get, "/a/:id") { _ in HTTP.Response(status: 200) } }
      let answer = try await backend.respond(to: request)
      #expect(answer.status == 404)
    } matching: {
      $0.comments.contains { $0.rawValue.hasPrefix("Invalid path pattern") }
    }
  }

  @Test func namesMatchOnlyThemselves() {
    typealias Operation = Intercepted<InMemoryTodos>.Operation
    #expect(Operation.add.matches(.add))
    #expect(!Operation.add.matches(.titles))
    #expect(!Operation.add.matches(.any))
    #expect(Operation.any.matches(.add))
    #expect("\(Operation.add), \(Request.post("/x/*"))" == "add, POST /x/*")
  }
}

/// A transport that answers with the requested URL.
struct URLEcho: HTTPTransport {
  func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    HTTP.Response(status: 200, body: Data(request.url.absoluteString.utf8), contentType: "text/plain")
  }
}
