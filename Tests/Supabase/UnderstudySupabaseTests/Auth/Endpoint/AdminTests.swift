import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

/// Creation, banning and removal of accounts over HTTP.
@Suite(.stallLimit()) struct AdminTests {
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

  /// `Signup` and `models.User`.
  @Test func whatSigningUpStoresIsReturned() async throws {
    let answer = try await project.send(
      .post, "/auth/v1/signup",
      json: #"{"email":"Robin@example.com","password":"secret2","data":{"name":"Robin","age":7}}"#)
    let user = try #require(answer.json?["user"])
    let now = JSONValue.string("2026-01-03T12:00:00.123456Z")
    let id = try #require(user["id"]?.stringValue)
    // `RemoveUnconfirmedIdentities` copies the claims of the identity.
    let claims = #""email":"robin@example.com","email_verified":true"#
    #expect(
      user["user_metadata"]?.compactText
        == #"{"age":7,\#(claims),"name":"Robin","phone_verified":false,"sub":"\#(id)"}"#)
    #expect(user["app_metadata"]?.compactText == #"{"provider":"email","providers":["email"]}"#)
    for name in ["email_confirmed_at", "confirmed_at", "last_sign_in_at", "created_at", "updated_at"] {
      #expect(user[name] == now, "\(name)")
    }
    guard case .array(let identities)? = user["identities"] else { throw NotRefused() }
    let identity = try #require(identities.first)
    #expect(identities.count == 1)
    #expect(identity["provider"]?.stringValue == "email")
    #expect(identity["user_id"] == user["id"] && identity["id"] == user["id"])
    #expect(identity["identity_id"]?.stringValue.flatMap(UUID.init) != nil)
    #expect(identity["identity_id"] != user["id"])
    #expect(identity["identity_data"]?["sub"] == user["id"])
    #expect(identity["identity_data"]?["name"]?.stringValue == "Robin")
    // The metadata is also in the token, and `null` removes a member.
    let token = try #require(answer.json?["access_token"]?.stringValue)
    project.clock.advance(by: 60)
    let changed = try await project.send(
      .put, "/auth/v1/user", token: token, json: #"{"data":{"name":null,"team":"red"},"password":"secret3"}"#)
    #expect(
      changed.json?["user_metadata"]?.compactText
        == #"{"age":7,\#(claims),"phone_verified":false,"sub":"\#(id)","team":"red"}"#)
    #expect(changed.json?["updated_at"]?.stringValue == "2026-01-03T12:01:00.123456Z")
    #expect(changed.json?["created_at"] == now)
    #expect(try await signIn(robin).status == 400)
    // The session that changed the password goes on.
    #expect(try await project.send(.get, "/auth/v1/user", token: token).json == changed.json)
    let again = try await signIn(#"{"email":"robin@example.com","password":"secret3"}"#)
    #expect(again.json?["user"]?["last_sign_in_at"]?.stringValue == "2026-01-03T12:01:00.123456Z")
  }

  /// `adminUserCreate` and `adminUserUpdate`.
  @Test func whatTheBackendStoresIsReturned() async throws {
    let made = try await admin(
      .post, "users",
      json: #"{"email":"robin@example.com","password":"secret2","user_metadata":{"name":"Robin"},"#
        + #""app_metadata":{"plan":"free"}}"#)
    #expect(made.json?["user_metadata"]?.compactText == #"{"name":"Robin"}"#)
    #expect(
      made.json?["app_metadata"]?.compactText
        == #"{"plan":"free","provider":"email","providers":["email"]}"#)
    #expect(made.json?["email_confirmed_at"] == nil && made.json?["last_sign_in_at"] == nil)
    let refused = try await signIn(robin)
    #expect(refused.status == 400)
    #expect(refused.json?["error_code"]?.stringValue == "email_not_confirmed")
    let id = try #require(made.json?["id"]?.stringValue)
    let changed = try await admin(
      .put, "users/\(id)",
      json: #"{"email":"Rob@example.com","email_confirm":true,"password":"secret4","#
        + #""app_metadata":{"plan":"paid"},"ban_duration":"1h30m"}"#)
    #expect(changed.json?["email"]?.stringValue == "rob@example.com")
    #expect(changed.json?["app_metadata"]?["plan"]?.stringValue == "paid")
    #expect(changed.json?["banned_until"]?.stringValue == "2026-01-03T13:30:00.123456Z")
    #expect(changed.json?["email_confirmed_at"]?.stringValue == "2026-01-03T12:00:00.123456Z")
    #expect(try project.database.select(from: "auth.users").contains { $0["email"] == "rob@example.com" })
    let rob = #"{"email":"rob@example.com","password":"secret4"}"#
    #expect(try await signIn(rob).json?["error_code"]?.stringValue == "user_banned")
    project.clock.advance(by: 5401)
    #expect(try await signIn(rob).status == 200)
    let taken = try await admin(.put, "users/\(id)", json: #"{"email":"kim@example.com"}"#)
    #expect((taken.status, taken.json?["msg"]?.stringValue) == (500, "Error updating user"))

    let list = try await admin(.get, "users?page=1&per_page=1")
    guard case .array(let users)? = list.json?["users"] else { throw NotRefused() }
    #expect(users.map { $0["id"]?.stringValue } == [id] && list.fields["X-Total-Count"] == "3")
  }

  @Test(arguments: [
    (#"{"ban_duration":"soon"}"#, 400, "validation_failed"), (#"{"role":"admin"}"#, 501, "feature_disabled"),
    (#"{"phone":"0"}"#, 400, "validation_failed"), (#"{"password_hash":"x"}"#, 501, "feature_disabled"),
    (#"{"user_metadata":[]}"#, 400, "bad_json"), (#"{"password":"x"}"#, 422, "weak_password"),
  ])
  func aChangeThatCannotBeMadeIsRefused(_ json: String, _ status: Int, _ code: String) async throws {
    let path = "users/\(project.pat.uuidString.lowercased())"
    let before = try await admin(.get, path)
    let answer = try await admin(.put, path, json: json)
    #expect((answer.status, answer.json?["error_code"]?.stringValue) == (status, code))
    #expect(try await admin(.get, path).text == before.text)
  }

  @Test func theBackendCreatesBansAndRemovesAccounts() async throws {
    let id = "A0000000-0000-4000-8000-00000000000a"
    let made = try await admin(
      .post, "users",
      json: #"{"id":"\#(id)","email":"robin@example.com","password":"secret2","email_confirm":true}"#)
    #expect(made.status == 200 && made.json?["id"]?.stringValue == id.lowercased())
    #expect(try await signIn(robin).status == 200)
    #expect(try await admin(.get, "users/\(id)").json?["email"]?.stringValue == "robin@example.com")

    #expect(try await admin(.put, "users/\(id)", json: #"{"ban_duration":"24h"}"#).status == 200)
    #expect(try await signIn(robin).status == 400)
    #expect(try await admin(.put, "users/\(id)", json: #"{"ban_duration":"none"}"#).status == 200)
    #expect(try await signIn(robin).status == 200)

    #expect(try await admin(.delete, "users/\(id)").status == 200)
    #expect(try await signIn(robin).status == 400)
    #expect(try await admin(.delete, "users/\(id)").status == 404)
  }

  @Test(arguments: [
    (#"{"email":"robin","password":"secret2"}"#, 400), (#"{"password":"secret2"}"#, 400),
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
    #expect(try await admin(.get, "users/7").status == 404)
    #expect(try await admin(.get, "audit").status == 501)
    #expect(try await admin(.get, "elsewhere").status == 404)
    #expect(try await admin(.patch, "users/\(project.pat.uuidString)").status == 405)
  }

  /// `addPaginationHeaders`.
  @Test func pagesAreLinked() async throws {
    for number in 1...3 { try project.auth.addUser(email: "a\(number)@example.com", password: "secret1") }
    let page = try await admin(.get, "users?page=1&per_page=2")
    #expect(page.fields["X-Total-Count"] == "5")
    #expect(
      page.fields["Link"]
        == #"</admin/users?page=2&per_page=2>; rel="next", </admin/users?page=3&per_page=2>; rel="last""#)
    let last = try await admin(.get, "users?page=3&per_page=2")
    #expect(last.fields["Link"] == #"</admin/users?page=3&per_page=2>; rel="last""#)
    let found = try await admin(.get, "users?filter=a2@")
    guard case .array(let users)? = found.json?["users"] else { throw NotRefused() }
    #expect(users.map { $0["email"]?.stringValue } == ["a2@example.com"])
    let bad = try await admin(.get, "users?page=x")
    #expect((bad.status, bad.code) == (400, "validation_failed"))
    #expect(
      try await admin(.get, "users?page=18446744073709551615&per_page=18446744073709551615").status == 200)
  }

  /// `SoftDeleteUser`.
  @Test func aDeletionCanKeepTheRowsOfTheUser() async throws {
    let token = try project.auth.signIn(email: "pat@example.com", password: "secret1").accessToken
    let id = project.pat.uuidString.lowercased()
    let row = try await project.send(
      .post, "/rest/v1/lists", token: token, json: #"{"owner":"\#(id)","title":"Mine"}"#)
    #expect(row.status == 201)
    #expect(try await admin(.delete, "users/\(id)", json: #"{"should_soft_delete":true}"#).text == "{}")
    let left = try await admin(.get, "users/\(id)")
    #expect(left.json?["deleted_at"]?.stringValue != nil && left.json?["user_metadata"] == .object([]))
    #expect(!left.text.contains("pat@example.com"))
    #expect(try await signIn(#"{"email":"pat@example.com","password":"secret1"}"#).status == 400)
    #expect(try await project.send(.get, "/auth/v1/user", token: token).status == 403)
    #expect(try await project.serve(.get, "/rest/v1/lists").text.contains("Mine"))
    // The address is free again, and a second deletion changes nothing.
    #expect(throws: Never.self) { try project.auth.addUser(email: "pat@example.com", password: "secret9") }
    #expect(try await admin(.delete, "users/\(id)", json: #"{"should_soft_delete":true}"#).status == 200)
    #expect(try await admin(.get, "users/\(id)").text == left.text)
  }

  /// `adminGenerateLink`.
  @Test(arguments: [
    ("signup", "robin@example.com", "signup"), ("invite", "robin@example.com", "invite"),
    ("magiclink", "robin@example.com", "signup"), ("magiclink", "pat@example.com", "magiclink"),
    ("recovery", "pat@example.com", "recovery"),
  ])
  func aLinkIsGenerated(_ type: String, _ email: String, _ verification: String) async throws {
    let answer = try await admin(
      .post, "generate_link?redirect_to=http://127.0.0.1:3000/in",
      json: #"{"type":"\#(type)","email":"\#(email)","password":"secret2"}"#)
    #expect(answer.status == 200, "\(answer.text)")
    let json = try #require(answer.json)
    #expect(json["email"]?.stringValue == email && json["verification_type"]?.stringValue == verification)
    #expect(json["redirect_to"]?.stringValue == "http://127.0.0.1:3000/in")
    #expect(project.auth.messages.isEmpty)
    let code = try #require(json["email_otp"]?.stringValue)
    let hash = try #require(json["hashed_token"]?.stringValue)
    #expect(json["action_link"]?.stringValue?.contains("token=\(hash)&type=\(verification)&") == true)
    let verified = try await project.send(
      .post, "/auth/v1/verify", json: #"{"type":"\#(verification)","email":"\#(email)","token":"\#(code)"}"#)
    #expect(verified.json?["user"]?["email"]?.stringValue == email)
  }

  @Test(arguments: [
    (#"{"type":"recovery","email":"unknown@example.com"}"#, 404, "user_not_found"),
    (#"{"type":"signup","email":"pat@example.com","password":"secret2"}"#, 422, "email_exists"),
    (#"{"type":"invite","email":"pat@example.com"}"#, 422, "email_exists"),
    (#"{"type":"signup","email":"robin@example.com"}"#, 400, "validation_failed"),
    (#"{"type":"signup","email":"robin@example.com","password":"x"}"#, 422, "weak_password"),
    (#"{"type":"email_change_new","email":"pat@example.com"}"#, 400, "validation_failed"),
    (
      #"{"type":"email_change_new","email":"pat@example.com","new_email":"kim@example.com"}"#, 422,
      "email_exists"
    ),
    (#"{"type":"fax","email":"pat@example.com"}"#, 400, "validation_failed"), ("[]", 400, "bad_json"),
  ])
  func aLinkThatCannotBeGeneratedIsRefused(_ json: String, _ status: Int, _ code: String) async throws {
    let answer = try await admin(.post, "generate_link", json: json)
    #expect((answer.status, answer.code) == (status, code), "\(answer.text)")
  }

  @Test func anInvitationCreatesTheAccount() async throws {
    let refused = try await project.send(
      .post, "/auth/v1/invite", token: project.emulator.apiKey, json: #"{"email":"robin@example.com"}"#)
    #expect((refused.status, refused.code) == (403, "not_admin"))
    let answer = try await project.serve(
      .post, "/auth/v1/invite", json: #"{"email":"Robin@example.com","data":{"team":"red"}}"#)
    #expect(answer.json?["invited_at"]?.stringValue != nil && answer.json?["confirmed_at"] == nil)
    let mail = try #require(project.auth.lastMessage(to: "robin@example.com"))
    #expect(mail.kind == .invite)
    let verified = try await project.send(
      .post, "/auth/v1/verify", json: #"{"type":"invite","token_hash":"\#(mail.tokenHash)"}"#)
    let token = try #require(verified.json?["access_token"]?.stringValue)
    #expect(verified.json?["user"]?["user_metadata"]?["team"]?.stringValue == "red")
    let set = try await project.send(.put, "/auth/v1/user", token: token, json: #"{"password":"secret2"}"#)
    #expect(set.status == 200)
    #expect(try await signIn(robin).status == 200)
    let again = try await project.serve(.post, "/auth/v1/invite", json: #"{"email":"robin@example.com"}"#)
    #expect((again.status, again.code) == (422, "email_exists"))
  }
}
