import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

@Suite(.stallLimit()) struct SupabaseEmulatorTests {
  var project: TodoProject

  init() throws {
    project = try TodoProject()
  }

  @Test func theGatewayAsksForTheKey() async throws {
    let url = try #require(URL(string: "http://localhost/rest/v1/items"))
    let none = try await project.emulator.respond(to: HTTP.Request(.get, url))
    #expect(none.status == 401)
    let body = try JSONValue(parsing: try await none.body.collect())
    #expect(body["message"]?.stringValue == "No API key found in request")
    let wrong = try await project.send(.get, "/rest/v1/items", fields: ["apikey": "x"])
    #expect((wrong.status, wrong.message) == (401, "Invalid API key"))
    let inQuery = try #require(URL(string: "http://localhost/rest/v1/items?apikey=anon-key"))
    #expect(try await project.emulator.respond(to: HTTP.Request(.get, inQuery)).status == 200)
    #expect(try await project.send(.get, "/storage/v1/object").status == 404)
  }

  @Test func tokensAreCheckedBeforeAnythingElse() async throws {
    let session = try project.auth.signIn(email: "pat@example.com", password: "secret1")
    let bad = try await project.send(.get, "/rest/v1/nowhere", token: "x")
    #expect((bad.status, bad.code) == (401, "PGRST301"))
    #expect(bad.fields["WWW-Authenticate"]?.hasPrefix(#"Bearer error="invalid_token", error_desc"#) == true)
    project.clock.advance(by: 3602)
    let late = try await project.send(.get, "/rest/v1/lists", token: session.accessToken)
    #expect((late.status, late.code, late.message) == (401, "PGRST303", "JWT expired"))
    #expect(late.fields["Proxy-Status"] == "PostgREST; error=PGRST303")
    let empty = try await project.send(.get, "/rest/v1/lists", token: "")
    #expect((empty.status, empty.code) == (401, "PGRST301"))
    #expect(try await project.send(.get, "/rest/v1/lists", token: project.emulator.apiKey).status == 200)
  }

  @Test mutating func functionsReceiveTheirCaller() async throws {
    project.emulator.functions["who"] = { request, caller in
      HTTP.Response(status: 200, body: Data("\(request.method) \(caller)".utf8), contentType: "text/plain")
    }
    let session = try project.auth.signIn(email: "pat@example.com", password: "secret1")
    let answer = try await project.send(.post, "/functions/v1/who", token: session.accessToken)
    #expect(answer.text == "POST user(\(project.pat))")
    #expect(try await project.send(.post, "/functions/v1/who").text == "POST anonymous")
    #expect(try await project.send(.post, "/functions/v1/who", token: "x").status == 401)
    #expect(try await project.send(.post, "/functions/v1/unknown").status == 404)
  }
}
