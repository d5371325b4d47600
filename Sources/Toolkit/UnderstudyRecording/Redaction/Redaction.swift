/// Rules for secrets, which are replaced by placeholders before a recording is returned or written.
///
/// Equal secrets have the same placeholder, `redacted-1` and so on, wherever they occur, also percent-encoded, in JSON,
/// in a form or in base64. Because a recorded response then contains the placeholder, a client that signs in and uses
/// its token is replayed as recorded.
///
/// A JSON number is replaced by a number, 2000000001 for `redacted-1`; `true`, `false` and `null` are not secrets. Under
/// the name of a secret, neither are a sentence about it, a state such as `pending`, a variable such as `${TOKEN}` and a
/// number of secrets; and under a name that has other uses, such as `token`, a word.
///
/// Copies are replaced if they are hardly anything else: not those of a secret of less than six bytes, of words, dates and
/// short numbers, and none in the host of a URL. Such a secret is only replaced where a rule detects it.
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
  /// Names are compared without case and separators: `access_token` also matches `accessToken`. The standard names are
  /// nouns, which also match at the end of a longer name: `user[password]`, `old_password` and `apiToken`; without
  /// `password`, none of these is a secret. Of an array or an object, each element that looks like a secret is one. Any
  /// value of a name that you add is a secret. If `password` is included, the password in
  /// `https://user:password@host` is a secret too.
  public var fieldNames: Set<String>
  /// Whether tokens that carry the prefix of their issuer are secrets, wherever they occur.
  package var redactsTokens: Bool
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
    headerNames: Set<String> = [], fieldNames: Set<String> = [], redactsTokens: Bool = false,
    redactsWebTokens: Bool = false, redactsPrivateKeys: Bool = false, literals: [String] = [],
    rules: [Rule] = []
  ) {
    self.headerNames = headerNames
    self.fieldNames = fieldNames
    self.redactsTokens = redactsTokens
    self.redactsWebTokens = redactsWebTokens
    self.redactsPrivateKeys = redactsPrivateKeys
    self.literals = literals
    self.rules = rules
  }

  /// The default rules: credentials, cookies, API keys, passwords, tokens, private keys and signatures of signed URLs.
  public static let standard = Redaction(
    headerNames: standardHeaderNames, fieldNames: SecretNames.standard, redactsTokens: true,
    redactsWebTokens: true,
    redactsPrivateKeys: true)

  /// The number of issuers whose tokens have a known form.
  package static var issuerCount: Int { Set(TokenForm.all.map(\.issuer)).count }

  /// No rules: nothing is a secret.
  package static let off = Redaction()

  /// Returns whether the value of a header field, a member or an item with this name is a secret by the default rules.
  package static func isSecret(named name: String) -> Bool {
    let scanner = SecretScanner.standard
    return scanner.headerNames.contains(name) || scanner.isSecret(fieldNamed: name)
  }

  /// Returns the value of a header field with an ellipsis in place of each secret by the default rules, for messages.
  package static func masked(_ value: String, ofField name: String) -> String {
    var masking = SecretMasking(.standard, mask: SecretMasking.ellipsis)
    return masking.field(name, value)
  }
}

extension Redaction {
  /// The header fields of common services and proxies whose values are credentials.
  static let standardHeaderNames: Set<String> = [
    "Authorization", "Proxy-Authorization", "X-Authorization", "X-Original-Authorization", "Authentication",
    "Cookie",
    "Set-Cookie", "apikey", "X-API-Key", "X-Auth-Token", "X-Auth-Key", "X-Access-Token", "X-CSRF-Token",
    "X-XSRF-Token", "X-Amz-Security-Token", "X-Goog-Api-Key", "X-Goog-IAP-JWT-Assertion", "Api-Key",
    "Ocp-Apim-Subscription-Key", "X-Vault-Token", "X-Consul-Token", "PRIVATE-TOKEN", "JOB-TOKEN",
    "DEPLOY-TOKEN",
    "X-Gitlab-Token", "X-Shopify-Access-Token", "X-Figma-Token", "DD-API-KEY", "DD-APPLICATION-KEY",
    "X-Hub-Signature",
    "X-Hub-Signature-256", "Stripe-Signature", "X-Slack-Signature", "X-Twilio-Signature",
    "X-Shopify-Hmac-Sha256",
    "X-Algolia-API-Key", "X-Parse-REST-API-Key", "X-Parse-Master-Key", "X-Parse-Session-Token",
    "X-Session-Id",
    "X-Session-Token", "X-Functions-Key", "X-Plex-Token", "X-Redmine-API-Key", "X-Api-Secret",
    "X-RapidAPI-Key",
    "X-Honeycomb-Team", "X-Insert-Key", "X-Query-Key", "X-License-Key", "X-Postmark-Server-Token",
    "X-Postmark-Account-Token", "Fastly-Key", "X-ClientSecret", "X-Hasura-Admin-Secret",
    "CF-Access-Client-Secret",
    "CF-Access-Token", "Cf-Access-Jwt-Assertion", "X-Forwarded-Access-Token", "X-MS-Token-AAD-Access-Token",
    "X-Registry-Auth", "X-WP-Nonce", "X-Secret", "X-Secret-Key", "X-Token", "X-JWT-Assertion", "X-Emby-Token",
    "X-TrackerToken", "Circle-Token", "X-Rollbar-Access-Token", "X-Papertrail-Token",
    "X-Cisco-Meraki-API-Key",
    "X-Ops-Token", "Client-Secret", "X-Password", "X-Access-Key", "X-Signature", "X-Auth", "X-Session",
    "X-Credential", "X-XSRF", "X-CSRF",
  ]
}
