import Foundation
import Testing
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
    _ = try auth.refresh(session.refreshToken)
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
    #expect((banned.status, banned.code) == (403, "user_banned"))
    auth.limitRequests(1, retryAfter: .milliseconds(1500))
    let limited = try await grant("password", password, newer)
    #expect((limited.status, limited.code) == (429, "over_request_rate_limit"))
    #expect(limited.fields["Retry-After"] == "2")
  }

  @Test(arguments: ["", "[]", "{", "{}", #"{"email":5}"#, "\u{0}"])
  func otherBodiesAreRefused(_ json: String) async throws {
    for grant in ["password", "refresh_token", "pkce"] {
      let answer = try await self.grant(grant, json, newer)
      #expect(answer.status == 400)
      #expect(answer.code != nil)
    }
  }

  @Test func otherRequestsAreRefused() async throws {
    #expect(try await project.send(.get, "/auth/v1/token?grant_type=password").status == 405)
    #expect(try await project.send(.post, "/auth/v1/user").status == 405)
    #expect(try await project.send(.post, "/auth/v1/elsewhere").status == 404)
  }
}
