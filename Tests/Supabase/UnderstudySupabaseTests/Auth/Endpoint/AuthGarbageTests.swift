import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

/// Requests of random parts of valid ones receive an answer or an error of GoTrue.
@Suite(.stallLimit()) struct AuthGarbageTests {
  private static let paths = [
    "signup", "token?grant_type=password", "token?grant_type=refresh_token", "token?grant_type=pkce",
    "token?grant_type=id_token", "token", "otp", "magiclink", "recover", "resend", "invite", "verify",
    "verify?type=signup&token=x", "verify?type=recovery&token=pkce_x&redirect_to=%25%00", "user",
    "user/identities/x", "reauthenticate", "settings", "health", "authorize", "logout?scope=local",
    "admin/users",
    "admin/users?page=-1&per_page=0", "admin/users/x", "admin/generate_link", "factors", "factors/x/verify",
    "sso", ".well-known/jwks.json", "admin", "",
  ]
  private static let names = [
    "email", "phone", "password", "data", "type", "token", "token_hash", "nonce", "redirect_to",
    "create_user",
    "code_challenge", "code_challenge_method", "auth_code", "code_verifier", "ban_duration", "new_email",
    "app_metadata", "user_metadata", "email_confirm", "id", "refresh_token", "provider",
  ]
  private static let values = [
    "null", "true", "5", "1e400", "[]", "{}", #"{"a":null}"#, #""""#, #""pat@example.com""#,
    #""new@example.com""#,
    #""signup""#, #""recovery""#, #""email_change_new""#, #""secret9""#, #""+41795550102""#, #""1h""#,
    #""s256""#, #""\u0000""#, #""dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk""#, #""magiclink""#,
    #""https://127.0.0.1:3000#?&""#,
  ]

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func everyRequestHasAResponse(seed: UInt64) async throws {
    let client = try AuthClient {
      ($0.allowsPhones, $0.allowsAnonymousSignIns, $0.allowsManualLinking) = (true, true, true)
      $0.confirmsEmail = seed.isMultiple(of: 2)
      $0.messageInterval = .zero
    }
    var generator = SeededGenerator(seed: seed)
    let tokens = [nil, try client.signIn(), client.project.emulator.serviceKey, "x.y.z"]
    for round in 0..<Effort.times(100) {
      let members = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        "\"\(Self.names.randomElement(using: &generator) ?? "")\":\(Self.values.randomElement(using: &generator) ?? "")"
      }
      let path = Self.paths.randomElement(using: &generator) ?? ""
      let method = [HTTP.Method.get, .post, .post, .put, .delete].randomElement(using: &generator) ?? .get
      let body = "{" + members.joined(separator: ",") + "}"
      let answer = try await client.send(
        method, path, method == .get ? nil : body, token: tokens.randomElement(using: &generator) ?? nil)
      let told = "seed \(seed), round \(round): \(method) \(path) \(body) → \(answer.status) \(answer.text)"
      // The only server errors are those that GoTrue has for an unknown method of a challenge or a taken id.
      #expect(
        answer.status < 500 || ["unexpected_failure", "feature_disabled"].contains(answer.code), "\(told)")
      if (400..<500).contains(answer.status), answer.status != 404 {
        #expect(answer.code != nil || answer.json?["error"] != nil, "\(told)")
      }
    }
    // Accounts and the table of users agree.
    let rows = try client.project.database.select(from: "auth.users")
    let list = try await client.administer(.get, "admin/users?per_page=1000")
    guard case .array(let users)? = list.json?["users"] else { throw NotRefused() }
    #expect(
      rows.map { $0["email"].textValue ?? "" }.sorted()
        == users.map { $0["email"]?.stringValue ?? "" }.sorted())
  }
}
