/// What counts as a secret, and is replaced by a placeholder before a recording is handed out or written.
///
/// The same secret gets the same placeholder, `redacted-1` and so on, wherever it appears, also percent-encoded, inside
/// JSON, in a form or in base64. Since a recorded answer then hands out the placeholder, a client that signs in and
/// uses its token replays as it was recorded.
///
/// A secret of less than six bytes, or one of less than twenty that is made of letters or of digits
/// alone (the password `password`), could be any word: it is replaced only where a rule finds it.
///
/// ```swift
/// var redaction = Redaction.standard
/// redaction.headerNames.insert("X-Session")
/// redaction.literals.append(projectKey)
/// redaction.rules.append(Redaction.Rule("ticket") { text in text.ranges(of: /TK-[0-9]{8}/) })
/// ```
public struct Redaction: Sendable {
  /// A rule of one's own.
  public struct Rule: Sendable {
    /// What a finding calls it.
    public let name: String
    /// Where the secrets of a text are: a URL, the value of a header field, a body, a message.
    public let ranges: @Sendable (_ text: String) -> [Range<String.Index>]

    /// A rule that finds the secrets of a text.
    public init(_ name: String, ranges: @escaping @Sendable (_ text: String) -> [Range<String.Index>]) {
      self.name = name
      self.ranges = ranges
    }
  }

  /// Header fields whose values are secrets, beside those whose names are ``fieldNames``.
  ///
  /// Compared without case, hyphens and underscores.
  /// Of `Authorization` and `Proxy-Authorization` the scheme stays, of `Cookie` and `Set-Cookie` the names and the
  /// attributes.
  public var headerNames: Set<String>
  /// Members of JSON objects, fields of forms and items of a query or a fragment whose values are secrets; of an array,
  /// each element.
  ///
  /// Compared without case, hyphens and underscores: `access_token` is `accessToken` too. With `password` among
  /// them, the one in `https://user:password@host` is a secret as well.
  public var fieldNames: Set<String>
  /// How secrets begin that are known by their looks: a word of at least twenty characters that begins so is one.
  public var prefixes: [String]
  /// Whether what has the form of a JSON Web Token (RFC 7519 §3) is a secret, wherever it stands.
  public var redactsWebTokens: Bool
  /// Whether a private key in a text file (RFC 7468 §10) is a secret, wherever it stands.
  public var redactsPrivateKeys: Bool
  /// Secrets that are known by their text.
  public var literals: [String]
  /// Rules of one's own, which are asked about every text.
  public var rules: [Rule]

  /// Rules of these parts.
  public init(
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

  /// Credentials, cookies, API keys, passwords, tokens, private keys and the signatures of signed URLs.
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

  /// Nothing is a secret.
  public static let off = Redaction()
}
