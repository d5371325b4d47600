import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

/// `internal/api/user.go`, `internal/api/reauthenticate.go` and `internal/api/identity.go`.
@Suite(.stallLimit()) struct OwnAccountTests {
  private func verify(_ client: AuthClient, _ message: AuthMessage) async throws -> Answer {
    try await client.post(
      "verify",
      #"{"type":"\#(message.kind.rawValue)","email":"\#(message.recipient)","token":"\#(message.code)"}"#)
  }

  @Test func bothAddressesConfirmAChange() async throws {
    let client = try AuthClient { $0.confirmsEmail = true }
    let token = try client.signIn()
    let asked = try await client.send(.put, "user", #"{"email":"Robin@example.com"}"#, token: token)
    #expect(asked.json?["email"]?.stringValue == "pat@example.com")
    #expect(asked.json?["new_email"]?.stringValue == "robin@example.com")
    #expect(asked.json?["email_change_sent_at"]?.stringValue != nil)
    let (new, old) = (
      try client.message(to: "robin@example.com"), try client.message(to: "pat@example.com")
    )
    #expect(new.kind == .emailChange && old.kind == .emailChange && new.code != old.code)
    let first = try await verify(client, new)
    #expect(first.status == 200 && first.json?["code"]?.stringValue == "200")
    #expect(first.json?["access_token"] == nil)
    #expect(
      first.json?["msg"]?.stringValue
        == "Confirmation link accepted. Please proceed to confirm link sent to the other email")
    #expect(try client.auth.user(client.project.pat).email == "pat@example.com")
    #expect(try await verify(client, new).code == "otp_expired")
    let location = try await client.follow(old)
    #expect(location.fragmentItems["type"] == "email_change" && location.fragmentItems["access_token"] != nil)
    #expect(try client.auth.user(client.project.pat).email == "robin@example.com")
    #expect(throws: AuthAPIError.invalidCredentials) { try client.signIn() }
    let renewed = try await client.send(
      .get, "user", token: try client.signIn("robin@example.com", "secret1"))
    #expect(renewed.status == 200 && !renewed.text.contains("pat@example.com"))
    let rows = try client.project.database.select(from: "auth.users")
    #expect(rows.contains { $0["email"] == "robin@example.com" } && rows.count == 2)
  }

  @Test func theFirstLinkLeadsToAMessage() async throws {
    let client = try AuthClient { $0.confirmsEmail = true }
    _ = try await client.send(.put, "user", #"{"email":"robin@example.com"}"#, token: try client.signIn())
    let location = try await client.follow(try client.message(to: "pat@example.com"))
    #expect(location.fragmentItems["message"]?.hasPrefix("Confirmation link accepted.") == true)
    #expect(location.parameters.isEmpty)
  }

  @Test func oneConfirmationIsEnoughIfAddressesAreNotConfirmed() async throws {
    let client = try AuthClient()
    _ = try await client.send(.put, "user", #"{"email":"robin@example.com"}"#, token: try client.signIn())
    let answer = try await verify(client, try client.message(to: "robin@example.com"))
    #expect(answer.json?["user"]?["email"]?.stringValue == "robin@example.com")
    // The other mail is void.
    #expect(try await verify(client, try client.message(to: "pat@example.com")).code == "otp_expired")
  }

  /// The address can be taken between the mail and its confirmation.
  @Test func aConfirmedAddressThatIsTakenByThenIsRefused() async throws {
    let client = try AuthClient()
    _ = try await client.send(.put, "user", #"{"email":"robin@example.com"}"#, token: try client.signIn())
    try client.auth.addUser(email: "robin@example.com", password: "secret2")
    let answer = try await verify(client, try client.message(to: "robin@example.com"))
    #expect((answer.status, answer.code) == (500, "unexpected_failure"))
    #expect(try client.auth.user(client.project.pat).email == "pat@example.com")
  }

  @Test func anotherPasswordEndsOtherSessionsAndCodes() async throws {
    let client = try AuthClient()
    let (one, other) = (try client.signIn(), try client.signIn())
    _ = try await client.post("recover", #"{"email":"pat@example.com"}"#)
    let mail = try client.message(to: "pat@example.com")
    let changed = try await client.send(.put, "user", #"{"password":"secret9"}"#, token: one)
    #expect(changed.status == 200 && changed.json?["recovery_sent_at"] == nil)
    #expect(try await client.send(.get, "user", token: one).status == 200)
    #expect(try await client.send(.get, "user", token: other).code == "session_not_found")
    #expect(try await verify(client, mail).code == "otp_expired")
    let same = try await client.send(.put, "user", #"{"password":"secret9"}"#, token: one)
    #expect((same.status, same.code) == (422, "same_password"))
  }

  @Test func anOlderSessionRequiresACodeForAnotherPassword() async throws {
    let client = try AuthClient { $0.requiresReauthentication = true }
    let session = try client.auth.signIn(email: "pat@example.com", password: "secret1")
    let change = #"{"password":"secret9"}"#
    client.project.clock.advance(by: 86_401)
    let token = try client.auth.refresh(session.refreshToken).accessToken
    let needed = try await client.send(.put, "user", change, token: token)
    #expect((needed.status, needed.code) == (400, "reauthentication_needed"))
    let unasked = try await client.send(
      .put, "user", #"{"password":"secret9","nonce":"000000"}"#, token: token)
    #expect((unasked.status, unasked.code) == (422, "reauthentication_not_valid"))
    #expect(try await client.send(.get, "reauthenticate", token: token).text == "{}")
    let message = try client.message(to: "pat@example.com")
    #expect(message.kind == .reauthentication && message.link == nil)
    let changed = try await client.send(
      .put, "user", #"{"password":"secret9","nonce":"\#(message.code)"}"#, token: token)
    #expect(changed.status == 200)
    #expect(throws: Never.self) { try client.signIn("pat@example.com", "secret9") }
    // A recent session does not require one.
    let recent = try client.signIn("pat@example.com", "secret9")
    #expect(try await client.send(.put, "user", #"{"password":"secret8"}"#, token: recent).status == 200)
  }

  @Test func identitiesAreRemovedExceptTheLast() async throws {
    let client = try AuthClient { ($0.allowsManualLinking, $0.allowsPhones) = (true, true) }
    let token = try client.signIn()
    func identities() async throws -> [JSONValue] {
      guard case .array(let found)? = try await client.send(.get, "user", token: token).json?["identities"]
      else { throw NotRefused() }
      return found
    }
    let email = try #require(try await identities().first?["identity_id"]?.stringValue)
    let single = try await client.send(.delete, "user/identities/\(email)", token: token)
    #expect((single.status, single.code) == (422, "single_identity_not_deletable"))
    _ = try await client.send(.put, "user", #"{"phone":"+41795550102"}"#, token: token)
    let message = try client.message(to: "41795550102")
    #expect(message.kind == .phoneChange)
    let verified = try await client.post(
      "verify", #"{"type":"phone_change","phone":"+41795550102","token":"\#(message.code)"}"#)
    #expect(verified.json?["user"]?["phone"]?.stringValue == "41795550102")
    #expect(
      verified.json?["user"]?["app_metadata"]?["providers"] == .array([.string("email"), .string("phone")]))
    #expect(try await identities().map { $0["provider"]?.stringValue } == ["email", "phone"])
    let unknown = try await client.send(
      .delete, "user/identities/\(UUID().uuidString)", token: token)
    #expect((unknown.status, unknown.code) == (422, "identity_not_found"))
    #expect(try await client.send(.delete, "user/identities/7", token: token).status == 404)
    #expect(try await client.send(.delete, "user/identities/\(email)", token: token).text == "{}")
    let left = try await client.send(.get, "user", token: token)
    #expect(left.json?["email"]?.stringValue == "" && left.json?["email_confirmed_at"] == nil)
    #expect(throws: AuthAPIError.invalidCredentials) { try client.signIn() }
  }

  @Test func aRemovedUserIsNotFound() async throws {
    let client = try AuthClient()
    let token = try client.signIn()
    try client.auth.removeUser(client.project.pat)
    let answer = try await client.send(.get, "user", token: token)
    #expect((answer.status, answer.code) == (403, "user_not_found"))
  }
}
