import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

@Suite(.stallLimit()) struct AuthEndpointTests {
  let project: TodoProject
  private let password = #"{"email":"pat@example.com","password":"secret1"}"#
  private let newer: HTTP.Fields = ["X-Supabase-Api-Version": "2024-01-01"]

  init() throws {
    project = try TodoProject()
  }

  private func grant(_ type: String, _ json: String, _ fields: HTTP.Fields = [:]) async throws -> Answer {
    try await project.send(.post, "/auth/v1/token?grant_type=\(type)", fields: fields, json: json)
  }

  @Test func signsInAndRefreshes() async throws {
    let answer = try await grant("password", password)
    #expect(answer.status == 200)
    let json = try #require(answer.json)
    #expect(json["token_type"]?.stringValue == "bearer")
    #expect(json["expires_in"] == .number("3600"))
    #expect(json["expires_at"] == .number("1767445200"))
    #expect(json["user"]?["id"]?.stringValue == project.pat.uuidString.lowercased())
    #expect(json["user"]?["email"]?.stringValue == "pat@example.com")
    let refreshToken = try #require(json["refresh_token"]?.stringValue)
    let next = try await grant("refresh_token", #"{"refresh_token":"\#(refreshToken)"}"#)
    #expect(next.status == 200)
    let token = try #require(next.json?["access_token"]?.stringValue)
    let user = try await project.send(.get, "/auth/v1/user", token: token)
    #expect(user.status == 200)
    #expect(user.json?["id"] == json["user"]?["id"])
    let over = try await project.send(.post, "/auth/v1/logout?scope=local", token: token)
    #expect(over.status == 204)
    #expect(over.text.isEmpty)
    #expect(try await project.send(.get, "/auth/v1/user", token: token).status == 403)
  }

  @Test func refusesInTheOlderForm() async throws {
    let answer = try await grant("password", #"{"email":"pat@example.com","password":"x"}"#)
    #expect(answer.status == 400)
    #expect(answer.json?["code"] == .number("400"))
    #expect(answer.json?["error_code"]?.stringValue == "invalid_credentials")
    #expect(answer.json?["msg"]?.stringValue == "Invalid login credentials")
    #expect(answer.fields["x-sb-error-code"] == "invalid_credentials")
    #expect(answer.fields["X-Supabase-Api-Version"] == nil)
  }

  @Test func refusesInTheNewerForm() async throws {
    let answer = try await grant("password", #"{"email":"unknown@example.com","password":"x"}"#, newer)
    #expect(answer.status == 400)
    #expect(answer.code == "invalid_credentials")
    #expect(answer.message == "Invalid login credentials")
    #expect(answer.fields["x-sb-error-code"] == "invalid_credentials")
    #expect(answer.fields["X-Supabase-Api-Version"] == "2024-01-01")
  }

  @Test func refusalsHaveTheirStatuses() async throws {
    let auth = project.auth
    let session = try auth.signIn(email: "pat@example.com", password: "secret1")
    _ = try auth.refresh(try auth.refresh(session.refreshToken).refreshToken)
    project.clock.advance(by: 11)
    let used = try await grant("refresh_token", #"{"refresh_token":"\#(session.refreshToken)"}"#, newer)
    #expect((used.status, used.code) == (400, "refresh_token_already_used"))
    let unknown = try await grant("refresh_token", #"{"refresh_token":"x"}"#, newer)
    #expect((unknown.status, unknown.code) == (400, "refresh_token_not_found"))
    let none = try await project.send(.get, "/auth/v1/user", fields: newer)
    #expect((none.status, none.code) == (401, "no_authorization"))
    let bad = try await project.send(.get, "/auth/v1/user", token: "x.y.z", fields: newer)
    #expect((bad.status, bad.code) == (403, "bad_jwt"))
    auth.setBanned(true, user: project.pat)
    let banned = try await grant("password", password, newer)
    #expect((banned.status, banned.code, banned.message) == (400, "user_banned", "User is banned"))
    let fresh = try auth.signIn(email: "kim@example.com", password: "secret2")
    auth.setBanned(true, user: project.kim)
    let late = try await grant("refresh_token", #"{"refresh_token":"\#(fresh.refreshToken)"}"#, newer)
    #expect((late.status, late.message) == (400, "Invalid Refresh Token: User Banned"))
    let known = try await project.send(.get, "/auth/v1/user", token: fresh.accessToken, fields: newer)
    #expect((known.status, known.code) == (403, "user_banned"))
    auth.limitRequests(1, retryAfter: .milliseconds(1500))
    let limited = try await grant("password", password, newer)
    #expect((limited.status, limited.code) == (429, "over_request_rate_limit"))
    #expect(limited.fields["Retry-After"] == "2")
  }

  @Test(arguments: ["", "[]", "{", "{}", #"{"email":5}"#, "\u{0}"])
  func otherBodiesAreRefused(_ json: String) async throws {
    for grant in ["password", "refresh_token", "pkce", "sms"] {
      let answer = try await self.grant(grant, json, newer)
      #expect(answer.status == 400)
      #expect((answer.code == nil) == (answer.json?["error"]?.stringValue == "invalid_request"))
    }
  }

  @Test func otherRequestsAreRefused() async throws {
    #expect(try await project.send(.get, "/auth/v1/token?grant_type=password").status == 405)
    #expect(try await project.send(.post, "/auth/v1/user").status == 405)
    #expect(try await project.send(.post, "/auth/v1/elsewhere").status == 404)
  }

  /// What the project does not have is refused in the words of GoTrue, and what GoTrue would answer is not supported.
  @Test(arguments: [
    (
      HTTP.Method.post, "token?grant_type=id_token", #"{"provider":"google","id_token":"x"}"#, 400,
      "provider_disabled"
    ),
    (.post, "token?grant_type=web3", "{}", 422, "web3_provider_disabled"),
    (.post, "token?grant_type=pkce", #"{"auth_code":"a","code_verifier":"b"}"#, 404, "flow_state_not_found"),
    (
      .post, "token?grant_type=password", #"{"phone":"1","password":"secret1"}"#, 422,
      "phone_provider_disabled"
    ),
    (.post, "signup", #"{"phone":"1","password":"secret1"}"#, 400, "phone_provider_disabled"),
    (.post, "signup", #"{"data":{}}"#, 422, "anonymous_provider_disabled"),
    (.post, "signup", #"{"email":"a@b.c","password":"secret1","data":"x"}"#, 400, "bad_json"),
    (.post, "otp", #"{"phone":"1"}"#, 400, "phone_provider_disabled"),
    (.post, "resend", #"{"type":"sms","phone":"1"}"#, 400, "phone_provider_disabled"),
    (.get, "authorize?provider=google", "", 400, "validation_failed"),
    (.get, "authorize?provider=unknown", "", 400, "validation_failed"),
    (.post, "token?grant_type=id_token", #"{"provider":"unknown","id_token":"x"}"#, 400, "validation_failed"),
    (.post, "oauth/token", "{}", 404, "feature_disabled"),
    (.post, "passkeys/authentication/options", "{}", 404, "passkey_disabled"),
    (.get, ".well-known/openid-configuration", "", 501, "feature_disabled"),
    (.post, "sso", #"{"domain":"example.com"}"#, 404, "saml_provider_disabled"),
    (.post, "factors", "{}", 401, "no_authorization"),
    (.get, "reauthenticate", "", 401, "no_authorization"),
  ])
  func whatTheProjectDoesNotHaveIsRefused(
    _ method: HTTP.Method, _ path: String, _ json: String, _ status: Int, _ code: String
  ) async throws {
    let answer = try await project.send(method, "/auth/v1/\(path)", fields: newer, json: json)
    #expect((answer.status, answer.code) == (status, code), "\(answer.text)")
    #expect(answer.fields["x-sb-error-code"] == code)
    let older = try await project.send(method, "/auth/v1/\(path)", json: json)
    #expect(older.json?["error_code"]?.stringValue == code)
    #expect(older.json?["msg"] == answer.json?["message"])
  }

  @Test func signedInUsersAreRefusedToo() async throws {
    let token = try project.auth.signIn(email: "pat@example.com", password: "secret1").accessToken
    for (method, path, json, status, code): (HTTP.Method, String, String?, Int, String) in [
      (.post, "factors", #"{"factor_type":"totp"}"#, 422, "mfa_totp_enroll_not_enabled"),
      (.post, "factors", #"{"factor_type":"webauthn"}"#, 422, "mfa_webauthn_enroll_not_enabled"),
      (.post, "factors", "{}", 400, "validation_failed"),
      (.get, "user/identities/authorize?provider=google", nil, 404, "manual_linking_disabled"),
      (.delete, "user/identities/7", nil, 404, "manual_linking_disabled"),
      (.post, "factors/7/verify", "{}", 404, "validation_failed"),
      (.delete, "factors/a0000000-0000-4000-8000-00000000000a", nil, 404, "mfa_factor_not_found"),
      (.put, "user", #"{"email":"kim@example.com"}"#, 422, "email_exists"),
      (.put, "user", #"{"phone":"12"}"#, 500, "unexpected_failure"),
      (.put, "user", #"{"phone":"0"}"#, 400, "validation_failed"),
      (.put, "user", #"{"app_metadata":{}}"#, 403, "not_admin"),
      (.put, "user", #"{"password":"secret1"}"#, 422, "same_password"),
      (.put, "user", #"{"password":"x"}"#, 422, "weak_password"),
      (.put, "user", "[]", 400, "bad_json"),
    ] {
      let answer = try await project.send(
        method, "/auth/v1/\(path)", token: token, fields: newer, json: json)
      #expect((answer.status, answer.code) == (status, code), "\(path): \(answer.text)")
    }
    // Nothing of it was stored.
    #expect(try project.auth.user(project.pat).email == "pat@example.com")
    #expect(try project.auth.user(project.pat).updatedAt == project.clock.time.now)
    #expect(try await project.send(.get, "/auth/v1/health").json?["name"]?.stringValue == "GoTrue")
    let settings = try await project.send(.get, "/auth/v1/settings")
    #expect(settings.json?["external"]?["email"] == .boolean(true))
    #expect(settings.json?["external"]?["phone"] == .boolean(false))
    #expect(settings.json?["external"]?["google"] == .boolean(false))
    #expect(settings.json?["mailer_autoconfirm"] == .boolean(true))
    let keys = try await project.send(.get, "/auth/v1/.well-known/jwks.json")
    #expect(keys.text == #"{"keys":[]}"# && keys.fields["Cache-Control"] == "public, max-age=600")
  }
}
