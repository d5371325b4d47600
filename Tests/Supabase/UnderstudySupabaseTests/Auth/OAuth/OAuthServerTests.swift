import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

/// Third parties that sign users in with the project's accounts (`internal/api/oauthserver`).
@Suite(.stallLimit()) struct OAuthServerTests {
  let client: AuthClient
  private let registration = #"{"client_name":"Reader","redirect_uris":["https://reader.example/back?a=b"]}"#

  init() throws {
    client = try AuthClient { $0.oauthServer = AuthSettings.OAuthServer(authorizationPath: "/oauth/consent") }
  }

  private func register() async throws -> String {
    let answer = try await client.administer(.post, "admin/oauth/clients", registration)
    #expect(answer.status == 201)
    return try #require(answer.json?["client_id"]?.stringValue)
  }

  /// Begins an authorization, and returns its location.
  private func begin(_ id: String, scope: String = "email", challenge: Int = 43) async throws -> URLComponents
  {
    let answer = try await client.send(
      .get,
      "oauth/authorize?response_type=code&client_id=\(id)&state=s&scope=\(scope)&code_challenge_method=plain"
        + "&redirect_uri=https%3A%2F%2Freader.example%2Fback%3Fa%3Db"
        + "&code_challenge=\(String(repeating: "a", count: challenge))")
    #expect(answer.status == 302)
    return try #require(URLComponents(string: answer.fields["Location"] ?? ""))
  }

  private func decide(_ id: String, _ action: String, _ token: String) async throws -> Answer {
    try await client.post("oauth/authorizations/\(id)/consent", #"{"action":"\#(action)"}"#, token: token)
  }

  @Test func aUserApprovesOnceForTheSameScopes() async throws {
    let (id, token) = (try await register(), try client.signIn())
    let page = try await begin(id)
    #expect(page.string?.hasPrefix("http://127.0.0.1:3000/oauth/consent?authorization_id=") == true)
    let pending = try #require(page.parameters["authorization_id"])
    // Until a user looks at it, it belongs to no user.
    #expect(try await decide(pending, "approve", token).code == "oauth_authorization_not_found")
    let shown = try await client.send(.get, "oauth/authorizations/\(pending)", token: token)
    #expect(shown.json?["client"]?["name"]?.stringValue == "Reader")
    #expect(shown.json?["scope"]?.stringValue == "email")
    let kim = try client.signIn("kim@example.com", "secret2")
    #expect(try await decide(pending, "approve", kim).code == "oauth_authorization_not_found")
    #expect(try await decide(pending, "maybe", token).code == "validation_failed")
    let approved = try await decide(pending, "approve", token)
    let back = try #require(URLComponents(string: approved.json?["redirect_url"]?.stringValue ?? ""))
    #expect(back.parameters["a"] == "b" && back.parameters["state"] == "s")
    #expect(back.parameters["code"]?.isEmpty == false)
    #expect(try await decide(pending, "deny", token).code == "validation_failed")
    #expect(try await client.send(.get, "user/oauth/grants", token: token).text.contains(id))
    // The consent answers the next request, but not one for more.
    let next = try #require(try await begin(id).parameters["authorization_id"])
    let again = try await client.send(.get, "oauth/authorizations/\(next)", token: token)
    #expect(again.json?["redirect_url"]?.stringValue?.contains("code=") == true)
    let more = try #require(try await begin(id, scope: "email+phone").parameters["authorization_id"])
    #expect(try await client.send(.get, "oauth/authorizations/\(more)", token: token).json?["client"] != nil)
    #expect(try await client.send(.delete, "user/oauth/grants?client_id=\(id)", token: token).status == 204)
    #expect(try await client.send(.get, "user/oauth/grants", token: token).text == "[]")
    let revoked = try await client.send(.delete, "user/oauth/grants?client_id=\(id)", token: token)
    #expect(revoked.code == "oauth_consent_not_found")
  }

  @Test func aUserDeniesOrIsLate() async throws {
    let (id, token) = (try await register(), try client.signIn())
    let pending = try #require(try await begin(id).parameters["authorization_id"])
    _ = try await client.send(.get, "oauth/authorizations/\(pending)", token: token)
    let denied = try await decide(pending, "deny", token)
    #expect(denied.json?["redirect_url"]?.stringValue?.contains("error=access_denied") == true)
    let late = try #require(try await begin(id).parameters["authorization_id"])
    client.project.clock.advance(by: 601)
    let shown = try await client.send(.get, "oauth/authorizations/\(late)", token: token)
    #expect(shown.code == "oauth_authorization_not_found")
  }

  @Test func whatIsWrongWithARequestIsRedirectedOnceTheRedirectionIsTrusted() async throws {
    let id = try await register()
    #expect(try await begin(id, scope: "all").parameters["error_description"] == "unsupported scope: all")
    #expect(try await begin(id, challenge: 42).parameters["error"] == "invalid_request")
    for query in [
      "", "client_id=x&redirect_uri=https://reader.example/back",
      "client_id=\(id)&redirect_uri=https://evil.example",
    ] {
      #expect(try await client.send(.get, "oauth/authorize?\(query)").status == 400, "\(query)")
    }
  }

  @Test func theBackendManagesClients() async throws {
    let id = try await register()
    let path = "admin/oauth/clients"
    let changed = try await client.administer(.put, "\(path)/\(id)", #"{"client_name":"Writer"}"#)
    #expect(changed.json?["client_name"]?.stringValue == "Writer")
    #expect(
      changed.json?["client_secret"] == nil && changed.json?["client_type"]?.stringValue == "confidential")
    #expect(try await client.administer(.put, "\(path)/\(id)", "{}").code == "validation_failed")
    let secret = try await client.administer(.post, "\(path)/\(id)/regenerate_secret")
    #expect(secret.json?["client_secret"]?.stringValue?.isEmpty == false)
    #expect(try await client.administer(.delete, "\(path)/\(id)").status == 204)
    #expect(try await client.administer(.get, "\(path)/\(id)").code == "oauth_client_not_found")
    #expect(try await client.administer(.get, path).text == "{}")
    for body in [
      "{}", #"{"redirect_uris":["http://reader.example"]}"#, #"{"redirect_uris":["javascript://x"]}"#,
      #"{"redirect_uris":["https://a.example"],"client_type":"public","token_endpoint_auth_method":"client_secret_post"}"#,
    ] {
      #expect(try await client.administer(.post, path, body).code == "validation_failed", "\(body)")
    }
    let own = try await client.post("oauth/clients/register", registration)
    #expect(own.status == 403 && own.code == "oauth_dynamic_client_registration_disabled")
  }
}
