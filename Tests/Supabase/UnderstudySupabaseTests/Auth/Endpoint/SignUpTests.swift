import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

/// `internal/api/signup.go` and `internal/api/anonymous.go`.
@Suite(.stallLimit()) struct SignUpTests {
  private let robin = #"{"email":"Robin@example.com","password":"secret2","data":{"name":"Robin"}}"#

  @Test func anAddressIsConfirmedBeforeTheFirstSession() async throws {
    let client = try AuthClient { $0.confirmsEmail = true }
    let answer = try await client.post("signup", robin)
    #expect(answer.status == 200 && answer.json?["access_token"] == nil)
    #expect(answer.json?["email"]?.stringValue == "robin@example.com")
    #expect(answer.json?["email_confirmed_at"] == nil)
    #expect(answer.json?["confirmation_sent_at"]?.stringValue == "2026-01-03T12:00:00.123456Z")
    #expect(answer.json?["user_metadata"]?["email_verified"] == .boolean(false))
    let early = try await client.post("token?grant_type=password", robin)
    #expect((early.status, early.code) == (400, "email_not_confirmed"))

    let mail = try client.message(to: "Robin@example.com")
    #expect(mail.kind == .signup && mail.code.wholeMatch(of: /[0-9]{6}/) != nil)
    let verification =
      #"{"type":"signup","email":"robin@EXAMPLE.com","token":"\#(mail.code)"}"#
    let verified = try await client.post("verify", verification)
    #expect(verified.status == 200)
    let user = try #require(verified.json?["user"])
    #expect(user["email_confirmed_at"]?.stringValue == "2026-01-03T12:00:00.123456Z")
    #expect(user["user_metadata"]?["name"]?.stringValue == "Robin")
    guard case .array(let identities)? = user["identities"] else { throw NotRefused() }
    #expect(identities.first?["identity_data"]?["email_verified"] == .boolean(true))
    let token = try #require(verified.json?["access_token"]?.stringValue)
    #expect(try await client.send(.get, "user", token: token).status == 200)
    #expect(try await client.post("token?grant_type=password", robin).status == 200)
    // A code is valid once.
    let again = try await client.post("verify", verification)
    #expect((again.status, again.code) == (403, "otp_expired"))
  }

  @Test func anExistingAddressIsHiddenIfAddressesAreConfirmed() async throws {
    let client = try AuthClient { $0.confirmsEmail = true }
    let fresh = try await client.post("signup", robin)
    let sent = client.auth.messages.count
    let known = try await client.post("signup", #"{"email":"pat@example.com","password":"other-secret"}"#)
    #expect(known.status == 200)
    #expect(known.json?["id"] != .string(client.project.pat.uuidString.lowercased()))
    #expect(known.json?["identities"] == .array([]) && known.json?["role"]?.stringValue == "")
    #expect(known.json?["email_confirmed_at"] == nil && known.json?["last_sign_in_at"] == nil)
    #expect(known.json?["confirmation_sent_at"] == fresh.json?["confirmation_sent_at"])
    #expect(client.auth.messages.count == sent)
    // Its password is that of before.
    #expect(throws: AuthAPIError.invalidCredentials) { try client.signIn("pat@example.com", "other-secret") }
  }

  @Test func anUnconfirmedAddressReceivesAnotherMail() async throws {
    let client = try AuthClient { $0.confirmsEmail = true }
    let first = try await client.post("signup", robin)
    let old = try client.message(to: "robin@example.com")
    let early = try await client.post("signup", robin)
    #expect((early.status, early.code) == (429, "over_email_send_rate_limit"))
    #expect(early.message == "For security purposes, you can only request this after 1 seconds.")
    client.project.clock.advance(by: 1)
    let again = try await client.post("signup", robin)
    #expect(again.json?["id"] == first.json?["id"])
    let new = try client.message(to: "robin@example.com")
    #expect(new.code != old.code)
    // The newer code replaces the older one.
    let replaced = try await client.post("verify", #"{"type":"signup","token_hash":"\#(old.tokenHash)"}"#)
    #expect((replaced.status, replaced.code) == (403, "otp_expired"))
    #expect(replaced.message == "Email link is invalid or has expired")
    #expect(
      try await client.post("verify", #"{"type":"signup","token_hash":"\#(new.tokenHash)"}"#).status == 200)
  }

  @Test func aWeakPasswordHasItsReasons() async throws {
    let client = try AuthClient()
    let answer = try await client.post("signup", #"{"email":"robin@example.com","password":"short"}"#)
    #expect((answer.status, answer.code) == (422, "weak_password"))
    #expect(answer.json?["weak_password"] == .object([.init("reasons", .array([.string("length")]))]))
    #expect(answer.message == "Password should be at least 6 characters.")
  }

  @Test func anAnonymousUserHasASessionAndBecomesPermanent() async throws {
    let client = try AuthClient { $0.allowsAnonymousSignIns = true }
    let answer = try await client.post("signup", #"{"data":{"theme":"dark"}}"#)
    #expect(answer.status == 200)
    let user = try #require(answer.json?["user"])
    #expect(user["is_anonymous"] == .boolean(true) && user["email"]?.stringValue == "")
    #expect(user["app_metadata"] == .object([]) && user["identities"] == .array([]))
    #expect(user["user_metadata"]?.compactText == #"{"theme":"dark"}"#)
    let token = try #require(answer.json?["access_token"]?.stringValue)
    // Rows can belong to the user.
    let id = try #require(user["id"]?.stringValue)
    let row = try await client.project.send(
      .post, "/rest/v1/lists", token: token, json: #"{"owner":"\#(id)","title":"Mine"}"#)
    #expect(row.status == 201)
    let weak = try await client.send(.put, "user", #"{"password":"secret9"}"#, token: token)
    #expect((weak.status, weak.code) == (422, "validation_failed"))
    #expect(try await client.post("factors", "{}", token: token).code == "no_authorization")

    let changed = try await client.send(
      .put, "user", #"{"email":"Robin@example.com","password":"secret9"}"#, token: token)
    #expect(changed.json?["is_anonymous"] == .boolean(false))
    #expect(changed.json?["email"]?.stringValue == "robin@example.com")
    #expect(changed.json?["id"]?.stringValue == id)
    #expect(
      try client.auth.signIn(email: "robin@example.com", password: "secret9").user.id.uuidString.lowercased()
        == id)
    #expect(client.auth.messages.isEmpty)
  }

  @Test func twoAnonymousUsersAreTwo() async throws {
    let client = try AuthClient { $0.allowsAnonymousSignIns = true }
    let users = [try await client.post("signup", "{}"), try await client.post("signup", "{}")]
    #expect(users[0].json?["user"]?["id"] != users[1].json?["user"]?["id"])
    #expect(users.allSatisfy { $0.status == 200 })
  }

  @Test func aPhoneNumberIsConfirmedWithATextMessage() async throws {
    let client = try AuthClient { $0.allowsPhones = true }
    let phone = #"{"phone":"+41 79 555 01 02","password":"secret2"}"#
    let answer = try await client.post("signup", phone)
    #expect(answer.json?["phone"]?.stringValue == "41795550102" && answer.json?["access_token"] == nil)
    #expect(answer.json?["app_metadata"]?["provider"]?.stringValue == "phone")
    #expect(try await client.post("token?grant_type=password", phone).code == "phone_not_confirmed")
    let message = try client.message(to: "41795550102")
    #expect(message.kind == .sms && message.link == nil)
    let verified = try await client.post(
      "verify", #"{"type":"sms","phone":"+41795550102","token":"\#(message.code)"}"#)
    #expect(verified.json?["user"]?["phone_confirmed_at"]?.stringValue != nil)
    #expect(verified.json?["user"]?["confirmed_at"] == verified.json?["user"]?["phone_confirmed_at"])
    #expect(try await client.post("token?grant_type=password", phone).status == 200)
    let known = try await client.post("signup", phone)
    #expect((known.status, known.code) == (422, "user_already_exists"))
    for invalid in ["123456789012345678", "abc", "0"] {
      let refused = try await client.post("signup", #"{"phone":"\#(invalid)","password":"secret2"}"#)
      #expect((refused.status, refused.code) == (400, "validation_failed"))
    }
  }

  @Test func limitedRequestsCreateNothing() async throws {
    let client = try AuthClient()
    client.auth.limitRequests(1)
    #expect(try await client.post("signup", robin).code == "over_request_rate_limit")
    #expect(try await client.post("signup", robin).status == 200)
  }
}
