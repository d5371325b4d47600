import Foundation
import Testing
import UnderstudyHTTP
import UnderstudyTesting
@testable import UnderstudySupabase

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
    #expect(try await project.send(.get, "/elsewhere/v1/object").status == 404)
  }

  /// The well-known keys of `supabase start` are tokens that are signed with its well-known secret.
  @Test func theKeysOfALocalProjectAreAccepted() async throws {
    func key(_ role: String, secret: String = AuthServer.localJWTSecret) -> String {
      AccessToken.signed(
        .object([
          .init("iss", .string("supabase-demo")), .init("role", .string(role)),
          .init("exp", .number("1983812996")),
        ]), with: Array(secret.utf8))
    }
    // The signature of the published key.
    #expect(key("anon").hasSuffix(".CRXP1A7WOeoJeXxjNni43kdQwgnWNReilDMblYTn_I0"))
    try project.database.insert(["owner": .uuid(project.kim), "title": "Hers"], into: "lists")
    for (key, rows) in [(key("anon"), 0), (key("service_role"), 1)] {
      for token in [nil, key] {
        let answer = try await project.send(
          .get, "/rest/v1/lists", token: token, fields: ["apikey": key])
        guard case .array(let lists)? = answer.json else { throw NotRefused() }
        #expect(lists.count == rows)
      }
    }
    let admin = try await project.send(
      .get, "/auth/v1/admin/users", token: key("service_role"), fields: ["apikey": key("anon")])
    #expect(admin.status == 200)
    for wrong in [key("anon", secret: "another"), key("authenticated"), "x.y.z"] {
      let answer = try await project.send(.get, "/rest/v1/items", fields: ["apikey": wrong])
      #expect((answer.status, answer.message) == (401, "Invalid API key"))
    }
  }

  /// A token that a backend has signed itself needs no session of the auth server.
  @Test func aTokenThatIsSignedElsewhereIsAccepted() async throws {
    let database = project.database
    let auth = AuthServer(database: database, time: project.clock.time, jwtSecret: "mine")
    let emulator = SupabaseEmulator(database: database, auth: auth)
    let token = AccessToken.signed(
      .object([
        .init("role", .string("authenticated")),
        .init("sub", .string(project.pat.uuidString.lowercased())),
      ]), with: Array("mine".utf8))
    try database.insert(["owner": .uuid(project.pat), "title": "His"], into: "lists")
    let url = try #require(URL(string: "http://localhost/rest/v1/lists?select=title"))
    let fields: HTTP.Fields = ["apikey": emulator.apiKey, "Authorization": "Bearer \(token)"]
    let response = try await emulator.respond(to: HTTP.Request(.get, url, fields: fields))
    #expect(String(decoding: try await response.body.collect(), as: UTF8.self) == #"[{"title":"His"}]"#)
    // The users of the database are those of each auth server over it.
    #expect(try auth.user(for: token).email == "pat@example.com")
    func signed(for user: UUID) -> String {
      AccessToken.signed(
        .object([
          .init("role", .string("authenticated")), .init("sub", .string(user.uuidString.lowercased())),
        ]), with: Array(AuthServer.localJWTSecret.utf8))
    }
    #expect(throws: AuthAPIError.tokenUserNotFound) { try project.auth.user(for: signed(for: UUID())) }
    let known = signed(for: project.pat)
    #expect(try project.auth.user(for: known).email == "pat@example.com")
    let session = try project.auth.signIn(email: "pat@example.com", password: "secret1")
    try project.auth.signOut(known, scope: .local)
    #expect(throws: AuthAPIError.sessionNotFound) { try project.auth.user(for: session.accessToken) }
  }

  @Test mutating func preflightsTakeNoKey() async throws {
    let fields: HTTP.Fields = [
      "Origin": "http://localhost:3000", "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "apikey,content-type",
    ]
    for path in ["/rest/v1/items", "/auth/v1/token", "/storage/v1/object/x"] {
      let url = try #require(URL(string: "http://localhost\(path)"))
      let response = try await project.emulator.respond(to: HTTP.Request(.options, url, fields: fields))
      #expect(response.status == 200)
      #expect(response.fields["Access-Control-Allow-Origin"] == "*")
      #expect(response.fields["Access-Control-Allow-Headers"] == "apikey,content-type")
      #expect(response.fields["Access-Control-Allow-Methods"]?.contains("PATCH") == true)
    }
    // The page may read the response, also a refusal; and only a preflight takes no key.
    let url = try #require(URL(string: "http://localhost/rest/v1/items"))
    for method in [HTTP.Method.get, .options] {
      let origin: HTTP.Fields = ["Origin": "http://localhost:3000"]
      let refused = try await project.emulator.respond(to: HTTP.Request(method, url, fields: origin))
      #expect((refused.status, refused.fields["Access-Control-Allow-Origin"]) == (401, "*"))
    }
    let elsewhere = try await project.send(.get, "/rest/v1/items")
    #expect(elsewhere.fields["Access-Control-Allow-Origin"] == nil)
    // A function responds itself.
    project.emulator.functions["x"] = { request, _ in
      HTTP.Response(status: 204, fields: ["Access-Control-Allow-Origin": "\(request.method)"])
    }
    let function = try #require(URL(string: "http://localhost/functions/v1/x"))
    let own = try await project.emulator.respond(to: HTTP.Request(.options, function, fields: fields))
    #expect((own.status, own.fields["Access-Control-Allow-Origin"]) == (204, "OPTIONS"))
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
    #expect(answer.text == "POST user \(project.pat.uuidString.lowercased())")
    #expect(try await project.send(.post, "/functions/v1/who").text == "POST anonymous")
    #expect(try await project.send(.post, "/functions/v1/who", token: "x").status == 401)
    #expect(try await project.send(.post, "/functions/v1/unknown").status == 404)
  }
}
