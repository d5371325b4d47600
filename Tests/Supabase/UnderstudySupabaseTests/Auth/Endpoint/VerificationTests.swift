import Foundation
import Testing
import UnderstudyHTTP
import UnderstudyTesting
@testable import UnderstudySupabase

/// `internal/api/verify.go`, with the mails of `otp.go`, `magic_link.go`, `recover.go` and `resend.go`.
@Suite(.stallLimit()) struct VerificationTests {
  @Test func aCodeSignsIn() async throws {
    let client = try AuthClient()
    #expect(try await client.post("otp", #"{"email":"Pat@example.com"}"#).json == .object([]))
    let mail = try client.message(to: "pat@example.com")
    #expect(mail.kind == .magicLink)
    // `email` is the type of a code of either kind.
    let answer = try await client.post(
      "verify", #"{"type":"email","email":"pat@example.com","token":"\#(mail.code)"}"#)
    #expect(answer.status == 200)
    let token = try #require(answer.json?["access_token"]?.stringValue)
    #expect(try client.auth.user(for: token).id == client.project.pat)
    let claims = try AccessToken.claims(of: token, secret: Array(AuthServer.localJWTSecret.utf8))
    #expect(claims["amr"]?.compactText == #"[{"method":"otp","timestamp":1767441600}]"#)
    #expect(answer.json?["user"]?["recovery_sent_at"]?.stringValue == "2026-01-03T12:00:00.123456Z")
  }

  @Test func aCodeSignsANewUserUp() async throws {
    let client = try AuthClient()
    let body = #"{"email":"robin@example.com","data":{"name":"Robin"},"create_user":false}"#
    let refused = try await client.post("otp", body)
    #expect((refused.status, refused.code) == (422, "otp_disabled"))
    #expect(client.auth.messages.isEmpty)
    _ = try await client.post("otp", body.replacing("false", with: "null"))
    let mail = try client.message(to: "robin@example.com")
    #expect(mail.kind == .magicLink)
    let answer = try await client.post("verify", #"{"type":"magiclink","token_hash":"\#(mail.tokenHash)"}"#)
    #expect(answer.json?["user"]?["user_metadata"]?["name"]?.stringValue == "Robin")
    // Without a password, none is right.
    #expect(throws: AuthAPIError.invalidCredentials) { try client.signIn("robin@example.com", "") }
  }

  @Test func aNewUserReceivesTheMailThatConfirms() async throws {
    let client = try AuthClient { $0.confirmsEmail = true }
    _ = try await client.post("magiclink", #"{"email":"robin@example.com"}"#)
    let mail = try client.message(to: "robin@example.com")
    #expect(mail.kind == .signup)
    let location = try await client.follow(mail)
    #expect(location.fragmentItems["type"] == "signup")
    client.project.clock.advance(by: 2)
    _ = try await client.post("magiclink", #"{"email":"robin@example.com"}"#)
    #expect(try client.message(to: "robin@example.com").kind == .magicLink)
  }

  @Test(arguments: [
    (3600.0, "recovery", true), (3600.1, "recovery", false), (1, "signup", false), (1, "magiclink", true),
    (1, "email", true), (1, "invite", false), (1, "email_change", false), (1, "sms", false),
  ])
  func aCodeIsValidForAnHourAndForItsTypes(_ seconds: Double, _ type: String, _ isValid: Bool) async throws {
    let client = try AuthClient()
    _ = try await client.post("recover", #"{"email":"pat@example.com"}"#)
    let mail = try client.message(to: "pat@example.com")
    client.project.clock.advance(by: seconds)
    let answer = try await client.post(
      "verify", #"{"type":"\#(type)","email":"pat@example.com","token":"\#(mail.code)"}"#)
    #expect(answer.status == (isValid ? 200 : 403))
    if !isValid {
      #expect((answer.code, answer.message) == ("otp_expired", "Token has expired or is invalid"))
    }
  }

  @Test func aLinkRedirectsWithTheSessionInTheFragment() async throws {
    let client = try AuthClient()
    let path = "recover?redirect_to=http%3A%2F%2F127.0.0.1%3A3000%2Freset%3Fa%3D1"
    _ = try await client.post(path, #"{"email":"pat@example.com"}"#)
    let mail = try client.message(to: "pat@example.com")
    #expect(
      mail.link?.absoluteString
        == "http://localhost/auth/v1/verify?token=\(mail.tokenHash)&type=recovery"
        + "&redirect_to=http%3A%2F%2F127.0.0.1%3A3000%2Freset%3Fa%3D1")
    let location = try await client.follow(mail)
    #expect(location.string?.hasPrefix("http://127.0.0.1:3000/reset?a=1#access_token=") == true)
    let items = location.fragmentItems
    #expect(items["type"] == "recovery" && items["token_type"] == "bearer" && items["expires_in"] == "3600")
    #expect(items["expires_at"] == "1767445200" && items["sb"] == "")
    #expect(try client.auth.user(for: try #require(items["access_token"])).id == client.project.pat)
    #expect(try client.auth.refresh(try #require(items["refresh_token"])).user.id == client.project.pat)
    // A second use leads to the same page with an error.
    let again = try await client.follow(mail)
    #expect(again.string?.hasPrefix("http://127.0.0.1:3000/reset?a=1#error=") == true)
    #expect(
      again.fragmentItems == [
        "error": "access_denied", "error_code": "otp_expired",
        "error_description": "Email link is invalid or has expired", "sb": "",
      ])
  }

  @Test func aRedirectionThatIsNotAllowedLeadsToTheSite() async throws {
    let client = try AuthClient { $0.redirectURLs = ["app://**"] }
    for (redirection, found) in [
      ("app://login", "app://login#access_token="),
      ("https://evil.example", "http://127.0.0.1:3000#access_token="),
    ] {
      _ = try await client.post("otp?redirect_to=\(redirection)", #"{"email":"pat@example.com"}"#)
      let location = try await client.follow(try client.message(to: "pat@example.com"))
      #expect(location.string?.hasPrefix(found) == true)
      client.project.clock.advance(by: 2)
    }
  }

  @Test(arguments: [
    ("{}", 400, "validation_failed"), (#"{"type":"signup"}"#, 400, "validation_failed"),
    (#"{"type":"signup","token":"1"}"#, 400, "validation_failed"),
    (#"{"type":"signup","token":"1","token_hash":"2"}"#, 400, "validation_failed"),
    (#"{"type":"signup","email":"a@b.c","token_hash":"2"}"#, 400, "validation_failed"),
    (#"{"type":"signup","email":"a","token":"2"}"#, 422, "validation_failed"),
    (#"{"type":"signup","email":"a@b.c","phone":"1","token":"2"}"#, 400, "validation_failed"),
    (#"{"type":"sms","phone":"0","token":"2"}"#, 400, "validation_failed"),
    (#"{"type":"sms","phone":"4179","token":"2"}"#, 403, "otp_expired"),
    (#"{"type":"sms","token_hash":"2"}"#, 400, "validation_failed"),
    (#"{"type":"fax","token_hash":"2"}"#, 400, "validation_failed"),
    (#"{"type":"fax","email":"a@b.c","token":"2"}"#, 403, "otp_expired"),
    (#"{"type":"recovery","token_hash":""}"#, 400, "validation_failed"),
    (#"{"type":"recovery","token_hash":"x"}"#, 403, "otp_expired"), (#"{"type":5}"#, 400, "bad_json"),
  ])
  func anInvalidVerificationIsRefused(_ json: String, _ status: Int, _ code: String) async throws {
    let answer = try await AuthClient().post("verify", json)
    #expect((answer.status, answer.code) == (status, code), "\(answer.text)")
  }

  @Test func aBannedUserDoesNotSignInWithACode() async throws {
    let client = try AuthClient()
    _ = try await client.post("otp", #"{"email":"pat@example.com"}"#)
    client.auth.setBanned(true, user: client.project.pat)
    let mail = try client.message(to: "pat@example.com")
    let answer = try await client.post("verify", #"{"type":"email","token_hash":"\#(mail.tokenHash)"}"#)
    #expect((answer.status, answer.code) == (403, "user_banned"))
    client.auth.setBanned(false, user: client.project.pat)
    #expect(
      try await client.post("verify", #"{"type":"email","token_hash":"\#(mail.tokenHash)"}"#).status == 200)
  }

  @Test func requestsForMailDoNotTellWhetherAnAccountExists() async throws {
    let client = try AuthClient { $0.confirmsEmail = true }
    for (path, json) in [
      ("recover", #"{"email":"unknown@example.com"}"#),
      ("resend", #"{"type":"signup","email":"unknown@example.com"}"#),
      ("resend", #"{"type":"signup","email":"pat@example.com"}"#),
      ("resend", #"{"type":"email_change","email":"pat@example.com"}"#),
    ] {
      let answer = try await client.post(path, json)
      #expect((answer.status, answer.text) == (200, "{}"), "\(path)")
    }
    #expect(client.auth.messages.isEmpty)
  }

  @Test(arguments: [
    ("otp", "{}", 400), ("otp", #"{"email":"a@b.c","phone":"1"}"#, 400), ("otp", #"{"email":"x"}"#, 400),
    ("otp", #"{"email":"a@b.c","channel":"sms"}"#, 400),
    ("otp", #"{"email":"a@b.c","code_challenge":"x"}"#, 400),
    ("magiclink", "{}", 422), ("recover", "{}", 400), ("resend", "{}", 400),
    ("resend", #"{"type":"magiclink","email":"a@b.c"}"#, 400), ("resend", #"{"type":"signup"}"#, 400),
    ("resend", #"{"type":"email_change"}"#, 400), ("resend", #"{"type":"sms"}"#, 400),
  ])
  func anInvalidRequestForMailIsRefused(_ path: String, _ json: String, _ status: Int) async throws {
    let answer = try await AuthClient().post(path, json)
    #expect((answer.status, answer.code) == (status, "validation_failed"), "\(answer.text)")
  }

  @Test func mailIsResent() async throws {
    let client = try AuthClient { $0.confirmsEmail = true }
    _ = try await client.post("signup", #"{"email":"robin@example.com","password":"secret2"}"#)
    client.project.clock.advance(by: 1)
    _ = try await client.post("resend", #"{"type":"signup","email":"robin@example.com"}"#)
    #expect(client.auth.messages.map(\.kind) == [.signup, .signup])
    #expect(
      try await client.follow(try client.message(to: "robin@example.com")).fragmentItems["error"] == nil)
  }

  @Test func codesDependOnTheSeedAndIDsDoNotDependOnCodes() async throws {
    let (one, other) = (try AuthClient(), try AuthClient())
    for client in [one, other] { _ = try await client.post("otp", #"{"email":"pat@example.com"}"#) }
    #expect(one.auth.messages == other.auth.messages && one.auth.messages.count == 1)
    _ = try await other.post("otp", #"{"email":"kim@example.com"}"#)
    let ids = try [one, other].map { try $0.auth.addUser(email: "robin@example.com", password: "secret2") }
    #expect(ids[0] == ids[1])
  }
}
