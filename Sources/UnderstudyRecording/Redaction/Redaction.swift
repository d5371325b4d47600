/// What counts as a secret, and is replaced by a placeholder before a recording is handed out or written.
///
/// The same secret gets the same placeholder, `redacted-1` and so on, wherever it appears. Since a recorded answer
/// then hands out the placeholder, a client that signs in and uses its token replays as it was recorded.
///
/// ```swift
/// var redaction = Redaction.standard
/// redaction.headerNames.insert("X-Session")
/// redaction.literals.append(projectKey)
/// ```
public struct Redaction: Sendable, Hashable {
  /// Header fields whose values are secrets, in any case.
  ///
  /// Of `Authorization` and `Proxy-Authorization` the scheme stays, of `Cookie` and `Set-Cookie` the names and the
  /// attributes.
  public var headerNames: Set<String>
  /// Members of JSON objects, fields of forms and items of a query or a fragment whose values are secrets.
  ///
  /// Compared without case, hyphens and underscores: `access_token` is `accessToken` too. With `password` among
  /// them, the one in `https://user:password@host` is a secret as well.
  public var fieldNames: Set<String>
  /// How secrets begin that are known by their looks: a word of at least twenty characters that begins so is one.
  public var prefixes: [String]
  /// Whether what has the form of a JSON Web Token (RFC 7519 §3) is a secret, wherever it stands.
  public var redactsWebTokens: Bool
  /// Secrets that are known by their text.
  public var literals: [String]

  /// Rules of these parts.
  public init(
    headerNames: Set<String> = [], fieldNames: Set<String> = [], prefixes: [String] = [],
    redactsWebTokens: Bool = false, literals: [String] = []
  ) {
    self.headerNames = headerNames
    self.fieldNames = fieldNames
    self.prefixes = prefixes
    self.redactsWebTokens = redactsWebTokens
    self.literals = literals
  }

  /// Credentials, cookies, API keys, passwords and tokens.
  public static let standard = Redaction(
    headerNames: [
      "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "apikey", "X-API-Key", "X-Auth-Token",
      "X-CSRF-Token", "X-Amz-Security-Token", "X-Goog-Api-Key",
    ],
    fieldNames: [
      "access_token", "refresh_token", "id_token", "provider_token", "provider_refresh_token", "token",
      "token_hash", "hashed_token", "auth_token", "session_token", "api_key", "password", "new_password",
      "current_password", "passwd", "secret", "client_secret", "client_assertion", "code_verifier", "otp",
    ],
    prefixes: ["sb_secret_", "sb_publishable_", "sk-", "ghp_", "github_pat_", "xoxb-", "xoxp-", "AKIA"],
    redactsWebTokens: true)

  /// Nothing is a secret.
  public static let off = Redaction()
}
