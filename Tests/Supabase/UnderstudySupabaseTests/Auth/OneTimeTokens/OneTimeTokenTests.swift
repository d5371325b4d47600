import Foundation
import Testing
import UnderstudyTesting
@testable import UnderstudySupabase

@Suite(.stallLimit()) struct OneTimeTokenTests {
  /// Catches a hash of the code alone, or of the code and then the address.
  ///
  /// The hashes are examples of SHA-224.
  @Test(arguments: [
    ("", "d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f"),
    ("abc", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "75388b16512776cc5dba5da1fd890150b0c6455cb4f58b1952522525"
    ),
  ])
  func aTokenIsHashedAfterItsAddress(_ text: String, _ hash: String) {
    #expect(OneTimeToken.hash(of: "", to: text) == hash)
  }

  /// RFC 7636 appendix B.
  @Test func theChallengeOfAVerifier() throws {
    let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    let hash = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    let hashed = try #require(try CodeChallenge(hash, method: "S256"))
    #expect(hashed.accepts(verifier) && !hashed.accepts(verifier + "x") && !hashed.accepts(hash))
    let plain = try #require(try CodeChallenge(verifier, method: "plain"))
    #expect(plain.accepts(verifier) && !plain.accepts(hash))
    #expect(try CodeChallenge("", method: "") == nil)
  }

  @Test(arguments: [
    ("", "s256", 400), (String(repeating: "a", count: 43), "", 400),
    (String(repeating: "a", count: 42), "s256", 400), (String(repeating: "a", count: 129), "s256", 400),
    (String(repeating: "a", count: 43) + "+", "s256", 400), (String(repeating: "a", count: 43), "sha1", 500),
  ])
  func anInvalidChallengeIsRefused(_ text: String, _ method: String, _ status: Int) {
    let error = #expect(throws: AuthAPIError.self) { try CodeChallenge(text, method: method) }
    #expect(error?.status == status)
  }

  /// `IsRedirectURLValid` in `internal/utilities/request.go`.
  @Test(arguments: [
    ("http://127.0.0.1:3000/welcome", true), ("http://127.0.0.1:8080/", true), ("http://127.0.0.2/", true),
    ("https://127.0.0.1:3000", true), ("http://192.168.0.1/", false), ("http://2130706433/", false),
    ("https://app.example/", true), ("https://app.example/a", false), ("https://evil.example/", false),
    ("https://a.preview.example/x", true), ("https://a.b.preview.example/x", false),
    ("https://a.preview.example/x/y", true), ("app://login?x=1#y", true), ("app://", true),
    ("apps://x", false),
    ("", false), ("not a url", false),
  ])
  func aRedirectionIsAllowedByThePatterns(_ address: String, _ isAllowed: Bool) {
    let settings = AuthSettings.with {
      $0.redirectURLs = ["https://app.example/", "https://*.preview.example/**", "app://**"]
    }
    #expect(settings.allowsRedirection(to: address) == isAllowed)
  }

  @Test func theSiteItselfIsAllowedWithItsPort() {
    let settings = AuthSettings.with { $0.siteURL = "https://shop.example:8443" }
    #expect(settings.allowsRedirection(to: "https://shop.example:8443/x"))
    #expect(!settings.allowsRedirection(to: "https://shop.example/x"))
    #expect(!settings.allowsRedirection(to: "http://shop.example:8443/x"))
  }
}
