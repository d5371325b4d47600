import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

/// Creation, banning and removal of accounts over HTTP.
@Suite(.stallLimit()) struct AccountEndpointTests {
  let project: TodoProject
  private let robin = #"{"email":"Robin@example.com","password":"secret2"}"#

  init() throws {
    project = try TodoProject()
  }

  private func admin(_ method: HTTP.Method, _ path: String, json: String? = nil) async throws -> Answer {
    try await project.send(
      method, "/auth/v1/admin/\(path)", token: project.emulator.serviceKey, json: json)
  }

  private func signIn(_ json: String) async throws -> Answer {
    try await project.send(.post, "/auth/v1/token?grant_type=password", json: json)
  }

  @Test func signingUpSignsIn() async throws {
    let answer = try await project.send(.post, "/auth/v1/signup", json: robin)
    #expect(answer.status == 200)
    let token = try #require(answer.json?["access_token"]?.stringValue)
    let user = try await project.send(.get, "/auth/v1/user", token: token)
    #expect(user.json?["email"]?.stringValue == "robin@example.com")
    let again = try await project.send(
      .post, "/auth/v1/signup", fields: ["X-Supabase-Api-Version": "2024-01-01"], json: robin)
    #expect(again.status == 422 && again.code == "user_already_exists")
  }

  @Test func theBackendCreatesBansAndRemovesAccounts() async throws {
    let id = "A0000000-0000-4000-8000-00000000000a"
    let made = try await admin(
      .post, "users", json: #"{"id":"\#(id)","email":"robin@example.com","password":"secret2"}"#)
    #expect(made.status == 200 && made.json?["id"]?.stringValue == id.lowercased())
    #expect(try await signIn(robin).status == 200)
    #expect(try await admin(.get, "users/\(id)").json?["email"]?.stringValue == "robin@example.com")

    #expect(try await admin(.put, "users/\(id)", json: #"{"ban_duration":"24h"}"#).status == 200)
    #expect(try await signIn(robin).status == 403)
    #expect(try await admin(.put, "users/\(id)", json: #"{"ban_duration":"none"}"#).status == 200)
    #expect(try await signIn(robin).status == 200)

    #expect(try await admin(.delete, "users/\(id)").status == 200)
    #expect(try await signIn(robin).status == 400)
    #expect(try await admin(.delete, "users/\(id)").status == 404)
  }

  @Test(arguments: [
    (#"{"email":"robin","password":"secret2"}"#, 400), (#"{"email":"robin@example.com"}"#, 400),
    (#"{"email":"robin@example.com","password":"short"}"#, 422), ("[]", 400),
    (#"{"id":"7","email":"robin@example.com","password":"secret2"}"#, 400),
    (#"{"email":"pat@example.com","password":"secret2"}"#, 422),
  ])
  func anAccountThatCannotBeMadeIsRefused(_ json: String, _ status: Int) async throws {
    #expect(try await admin(.post, "users", json: json).status == status)
  }

  @Test func onlyTheServiceRoleAdministersAccounts() async throws {
    let path = "/auth/v1/admin/users"
    #expect(try await project.send(.post, path, json: robin).status == 401)
    #expect(try await project.send(.post, path, token: project.emulator.apiKey, json: robin).status == 403)
    #expect(try await signIn(robin).status == 400)
    #expect(try await admin(.get, "users/7").status == 400)
    #expect(try await admin(.get, "audit").status == 404)
    #expect(try await admin(.patch, "users/\(project.pat.uuidString)").status == 405)
  }
}
