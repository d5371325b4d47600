import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

/// The PKCE flow: `internal/api/pkce.go` and `internal/models/flow_state.go`.
@Suite(.stallLimit()) struct CodeExchangeTests {
  private let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  private let challenge =
    #""code_challenge":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM","code_challenge_method":"s256""#

  private func exchange(_ client: AuthClient, _ code: String, _ verifier: String) async throws -> Answer {
    try await client.post(
      "token?grant_type=pkce", #"{"auth_code":"\#(code)","code_verifier":"\#(verifier)"}"#)
  }

  /// Requests a mail, follows its link and returns the auth code.
  private func code(_ client: AuthClient, _ path: String, _ members: String = "") async throws -> String {
    let answer = try await client.post(
      path, #"{"email":"robin@example.com",\#(members)\#(challenge)}"#)
    #expect(answer.status == 200)
    let mail = try client.message(to: "robin@example.com")
    #expect(mail.tokenHash.hasPrefix("pkce_"))
    let location = try await client.follow(mail)
    #expect(location.fragment == nil)
    return try #require(location.parameters["code"])
  }

  @Test(arguments: [
    ("signup", #""password":"secret2","#, true), ("otp", "", true), ("magiclink", "", false),
    ("recover", "", false),
  ])
  func aLinkReturnsACodeThatIsExchanged(_ path: String, _ members: String, _ confirms: Bool) async throws {
    let client = try AuthClient { $0.confirmsEmail = confirms }
    if path == "recover" { try client.auth.addUser(email: "robin@example.com", password: "secret2") }
    let code = try await code(client, path, members)
    let wrong = try await exchange(client, code, verifier + "x")
    #expect((wrong.status, wrong.code) == (400, "bad_code_verifier"))
    let answer = try await exchange(client, code, verifier)
    #expect(answer.status == 200)
    #expect(answer.json?["user"]?["email"]?.stringValue == "robin@example.com")
    #expect(answer.json?["user"]?["email_confirmed_at"]?.stringValue != nil)
    let again = try await exchange(client, code, verifier)
    #expect((again.status, again.code) == (404, "flow_state_not_found"))
  }

  /// The time of a magic link counts from its use, that of a confirmation from the request for the mail.
  @Test(arguments: [("otp", "", 200), ("signup", #""password":"secret2","#, 422)])
  func aCodeExpires(_ path: String, _ members: String, _ status: Int) async throws {
    let client = try AuthClient { $0.confirmsEmail = path == "signup" }
    _ = try await client.post(path, #"{"email":"robin@example.com",\#(members)\#(challenge)}"#)
    client.project.clock.advance(by: 301)
    let location = try await client.follow(try client.message(to: "robin@example.com"))
    let code = try #require(location.parameters["code"])
    let answer = try await exchange(client, code, verifier)
    #expect(answer.status == status)
    if status == 422 { #expect(answer.code == "flow_state_expired") }
  }

  @Test func anErrorIsInTheQueryAndInTheFragment() async throws {
    let client = try AuthClient()
    _ = try await code(client, "otp")
    let location = try await client.follow(try client.message(to: "robin@example.com"))
    #expect(location.parameters["error_code"] == "otp_expired")
    #expect(location.parameters["error"] == "access_denied")
    #expect(location.fragmentItems["error_code"] == "otp_expired" && location.fragmentItems["sb"] == "")
  }

  @Test func theCodeInTheMailSignsInAtOnce() async throws {
    let client = try AuthClient()
    _ = try await client.post("otp", #"{"email":"pat@example.com",\#(challenge)}"#)
    let mail = try client.message(to: "pat@example.com")
    let answer = try await client.post(
      "verify", #"{"type":"email","email":"pat@example.com","token":"\#(mail.code)"}"#)
    #expect(answer.json?["access_token"]?.stringValue != nil)
  }

  @Test func aTypeOfAnotherMailIsAnErrorAndUsesNothing() async throws {
    let client = try AuthClient()
    _ = try await client.post("recover", #"{"email":"pat@example.com",\#(challenge)}"#)
    let mail = try client.message(to: "pat@example.com")
    let other = try #require(mail.link?.absoluteString.replacing("type=recovery", with: "type=magiclink"))
    let response = try await client.project.emulator.respond(
      to: HTTP.Request(.get, try #require(URL(string: other))))
    let location = try #require(URLComponents(string: response.fields["Location"] ?? ""))
    #expect(location.parameters["error_code"] == "flow_state_not_found")
    #expect(location.parameters["error"] == "invalid_request")
    #expect(try await client.follow(mail).parameters["code"] != nil)
  }
}
