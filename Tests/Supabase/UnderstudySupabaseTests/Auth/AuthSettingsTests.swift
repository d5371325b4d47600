import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

/// What the settings of a project allow and exclude.
@Suite(.stallLimit()) struct AuthSettingsTests {
  private let robin = #"{"email":"robin@example.com","password":"secret2"}"#

  /// `Signup`, `SignupAnonymously`, `Otp`.
  @Test func noNewUsers() async throws {
    let client = try AuthClient {
      $0.allowsSignUps = false
      $0.allowsAnonymousSignIns = true
    }
    #expect(try await client.post("signup", robin).code == "signup_disabled")
    #expect(try await client.post("signup", "{}").code == "signup_disabled")
    #expect(try await client.post("otp", #"{"email":"robin@example.com"}"#).code == "signup_disabled")
    #expect(try await client.post("otp", #"{"email":"pat@example.com"}"#).status == 200)
    #expect(try await client.administer(.post, "admin/users", robin).status == 200)
    #expect(try await client.send(.get, "settings").json?["disable_signup"] == .boolean(true))
  }

  /// `requireEmailProvider`, `Signup`, `ResourceOwnerPasswordGrant`, `MagicLink`, `Resend`.
  @Test(arguments: [
    ("signup", #"{"email":"a@example.com","password":"secret2"}"#, 400),
    ("token?grant_type=password", #"{"email":"pat@example.com","password":"secret1"}"#, 422),
    ("recover", #"{"email":"pat@example.com"}"#, 400), ("otp", #"{"email":"pat@example.com"}"#, 422),
    ("magiclink", #"{"email":"pat@example.com"}"#, 422),
    ("resend", #"{"email":"pat@example.com","type":"signup"}"#, 400),
  ])
  func noAddresses(path: String, body: String, status: Int) async throws {
    let client = try AuthClient { $0.allowsEmails = false }
    let answer = try await client.post(path, body)
    #expect(answer.status == status && answer.code == "email_provider_disabled")
  }

  /// `Sms.Autoconfirm` in `signup.go`, `otp.go` and `user.go`.
  @Test func numbersAreConfirmedAtOnce() async throws {
    let client = try AuthClient {
      $0.allowsPhones = true
      $0.confirmsPhone = false
    }
    let signedUp = try await client.post("signup", #"{"phone":"+15550100","password":"secret2"}"#)
    let token = try #require(signedUp.json?["access_token"]?.stringValue)
    let changed = try await client.send(.put, "user", #"{"phone":"+15550101"}"#, token: token)
    #expect(changed.json?["phone"]?.stringValue == "15550101")
    #expect(client.auth.messages.isEmpty)
    let again = try await client.post("signup", #"{"phone":"+15550101","password":"secret2"}"#)
    #expect(again.code == "user_already_exists")
  }

  /// `checkPasswordStrength`.
  @Test func passwordsHaveRequirements() async throws {
    let client = try AuthClient {
      $0.minimumPasswordLength = 8
      $0.passwordCharacters = ["abc", "0123456789"]
    }
    let answer = try await client.post("signup", #"{"email":"robin@example.com","password":"xyz"}"#)
    #expect(answer.status == 422 && answer.code == "weak_password")
    #expect(answer.json?["weak_password"]?["reasons"]?.compactText == #"["length","characters"]"#)
    #expect(
      answer.message
        == "Password should be at least 8 characters. Password should contain at least one character of each: "
        + "abc, 0123456789.")
    let strong = try await client.post("signup", #"{"email":"robin@example.com","password":"xyzxyza1"}"#)
    #expect(strong.status == 200)
  }

  /// `otp_length` and `SecureEmailChangeEnabled`.
  @Test func codesHaveALengthAndOneMailChangesAnAddress() async throws {
    let client = try AuthClient {
      $0.confirmsEmail = true
      $0.confirmsBothAddresses = false
      $0.codeLength = 8
    }
    let changed = try await client.send(
      .put, "user", #"{"email":"new@example.com"}"#, token: try client.signIn())
    #expect(changed.status == 200)
    #expect(client.auth.messages.map(\.recipient) == ["new@example.com"])
    let code = try client.message(to: "new@example.com").code
    #expect(code.utf8.count == 8)
    let verified = try await client.post(
      "verify", #"{"type":"email_change","email":"new@example.com","token":"\#(code)"}"#)
    #expect(verified.json?["user"]?["email"]?.stringValue == "new@example.com")
  }

  /// `GetExternalProviderRedirectURL` and `LinkIdentity`.
  @Test func providersAreRedirectedTo() async throws {
    let client = try AuthClient {
      $0.allowsManualLinking = true
      $0.providers = [
        "github": .init(clientID: "a,b"), "apple": .init(clientID: "c", redirectURL: "https://d.example"),
      ]
    }
    let answer = try await client.send(
      .get, "authorize?provider=github&scopes=repo,gist&client_id=evil&redirect_to=http://127.0.0.1:3000/x")
    #expect(answer.status == 302)
    let page = try #require(URLComponents(string: answer.fields["Location"] ?? ""))
    #expect(page.host == "github.com" && page.path == "/login/oauth/authorize")
    #expect(page.parameters["client_id"] == "a" && page.parameters["response_type"] == "code")
    #expect(page.parameters["scope"] == "user:email repo gist")
    #expect(page.parameters["redirect_uri"] == "http://localhost/auth/v1/callback")
    #expect(page.parameters["state"].flatMap(UUID.init) != nil)
    let linked = try await client.send(
      .get, "user/identities/authorize?provider=apple&skip_http_redirect=true", token: try client.signIn())
    let own = try #require(URLComponents(string: linked.json?["url"]?.stringValue ?? ""))
    #expect(own.host == "appleid.apple.com" && own.parameters["response_mode"] == "form_post")
    #expect(own.parameters["redirect_uri"] == "https://d.example" && own.parameters["provider"] == nil)
    #expect(try await client.send(.get, "authorize?provider=google").code == "validation_failed")
    #expect(try await client.send(.get, "settings").json?["external"]?["github"] == .boolean(true))
  }
}
