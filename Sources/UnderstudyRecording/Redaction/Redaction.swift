/// Rules for secrets, which are replaced by placeholders before a recording is returned or written.
///
/// Equal secrets have the same placeholder, `redacted-1` and so on, wherever they occur, also percent-encoded, in JSON,
/// in a form or in base64. Because a recorded response then contains the placeholder, a client that signs in and uses
/// its token is replayed as recorded.
///
/// A JSON number is replaced by a number, 2000000001 for `redacted-1`; `true`, `false` and `null` are not secrets. A word
/// in capitals of at most eight letters in a query, such as `?token=USDC`, is not a secret under `token`, `sig` and
/// `signature`.
///
/// A secret of less than six bytes, or of less than twenty bytes that are all letters or all digits (the password
/// `password`), could be any word. It is only replaced where a rule detects it.
///
/// ```swift
/// var redaction = Redaction.standard
/// redaction.headerNames.insert("X-Session")
/// redaction.literals.append(projectKey)
/// redaction.rules.append(Redaction.Rule("ticket") { text in text.ranges(of: /TK-[0-9]{8}/) })
/// ```
public struct Redaction: Sendable {
  /// A custom rule.
  public struct Rule: Sendable {
    /// The name of the rule in messages.
    package let name: String
    /// A function that returns the secrets of a text: a URL, a header field value, a body or a message.
    package let ranges: @Sendable (_ text: String) -> [Range<String.Index>]

    /// Creates a rule from its name and a function that returns the secrets of a text.
    public init(_ name: String, ranges: @escaping @Sendable (_ text: String) -> [Range<String.Index>]) {
      self.name = name
      self.ranges = ranges
    }
  }

  /// The names of header fields whose values are secrets, in addition to ``fieldNames``.
  ///
  /// Names are compared without case, hyphens and underscores. `Authorization` and `Proxy-Authorization` keep their
  /// scheme; `Cookie` and `Set-Cookie` keep their names and attributes.
  public var headerNames: Set<String>
  /// The names of JSON members, form fields, and query or fragment items whose values are secrets.
  ///
  /// Of an array, each element is a secret. Names are compared without case, hyphens and underscores: `access_token`
  /// also matches `accessToken`. If `password` is included, the password in `https://user:password@host` is a secret
  /// too.
  public var fieldNames: Set<String>
  /// The prefixes of secrets: a word of at least twenty characters with such a prefix is a secret.
  package var prefixes: [String]
  /// Whether JSON Web Tokens (RFC 7519 §3) are secrets, wherever they occur.
  package var redactsWebTokens: Bool
  /// Whether private keys in textual encoding (RFC 7468 §10) are secrets, wherever they occur.
  package var redactsPrivateKeys: Bool
  /// The secrets that are known in advance.
  public var literals: [String]
  /// Custom rules, applied to every text.
  public var rules: [Rule]

  /// Creates rules from their parts.
  package init(
    headerNames: Set<String> = [], fieldNames: Set<String> = [], prefixes: [String] = [],
    redactsWebTokens: Bool = false, redactsPrivateKeys: Bool = false, literals: [String] = [],
    rules: [Rule] = []
  ) {
    self.headerNames = headerNames
    self.fieldNames = fieldNames
    self.prefixes = prefixes
    self.redactsWebTokens = redactsWebTokens
    self.redactsPrivateKeys = redactsPrivateKeys
    self.literals = literals
    self.rules = rules
  }

  /// The default rules: credentials, cookies, API keys, passwords, tokens, private keys and signatures of signed URLs.
  public static let standard = Redaction(
    headerNames: [
      "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "apikey", "X-API-Key", "X-Auth-Token",
      "X-Access-Token", "X-CSRF-Token", "X-XSRF-Token", "X-Amz-Security-Token", "X-Goog-Api-Key", "Api-Key",
      "Ocp-Apim-Subscription-Key",
    ],
    fieldNames: [
      "access_token", "refresh_token", "id_token", "provider_token", "provider_refresh_token", "token",
      "token_hash", "hashed_token", "auth_token", "session_token", "csrf_token", "api_key", "x_api_key",
      "authorization", "password", "new_password", "current_password", "passwd", "passphrase", "secret",
      "client_secret", "client_assertion", "code_verifier", "otp", "private_key", "sig", "signature",
      "x_amz_signature", "x_amz_security_token", "x_goog_signature",
    ],
    prefixes: [
      "sb_secret_", "sb_publishable_", "sk-", "sk_live_", "sk_test_", "ghp_", "gho_", "ghs_", "github_pat_",
      "glpat-", "xoxb-", "xoxp-", "AKIA", "ASIA", "AIza",
    ],
    redactsWebTokens: true, redactsPrivateKeys: true)

  /// No rules: nothing is a secret.
  package static let off = Redaction()
}
