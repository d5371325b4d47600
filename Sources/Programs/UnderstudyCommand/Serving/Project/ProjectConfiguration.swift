import Foundation
import UnderstudySupabase

/// The file `supabase/config.toml` of a project, as far as it changes what is served.
///
/// A key that is missing has the default of the Supabase CLI; any other key is ignored.
struct ProjectConfiguration: Sendable, Equatable {
  /// The section `[api]`.
  struct API: Sendable, Equatable {
    /// The schemas whose tables and functions have endpoints, the first of which is the default (`schemas`).
    var schemas = ["public", "graphql_public"]
    /// Further schemas in which names are looked up (`extra_search_path`).
    var extraSearchPath = ["public", "extensions"]
    /// The number of rows that a selection returns at most (`max_rows`); `nil` for no limit.
    var maximumRows: Int? = 1_000
  }

  /// The section `[api]`.
  var api = API()
  /// The section `[auth]`.
  var auth = AuthSettings()
  /// The lifetime of an access token in seconds (`jwt_expiry`).
  var tokenLifetime = 3600

  /// The keys of `[auth]` that change how a project behaves and are not supported, such as `auth.captcha`.
  var unsupported: [String] = []

  /// The configuration of a project without the file.
  init() {}

  /// Reads the text of the file.
  ///
  /// - Parameter environment: The variables that `env(NAME)` refers to.
  init(_ text: String, environment: [String: String] = [:]) throws(TOMLReader.Failure) {
    let root = Table(members: try TOMLReader.read(text), environment: environment)
    let api = root.table("api")
    // Earlier versions of the CLI wrote an empty list, and always added `public`.
    if let schemas = api.strings("schemas"), !schemas.isEmpty { self.api.schemas = schemas }
    self.api.extraSearchPath = api.strings("extra_search_path") ?? self.api.extraSearchPath
    // `max_rows = 0` is what the CLI writes for no limit.
    self.api.maximumRows = api.integer("max_rows").map { $0 > 0 ? $0 : nil } ?? self.api.maximumRows
    let auth = root.table("auth")
    tokenLifetime = auth.integer("jwt_expiry") ?? tokenLifetime
    self.auth.read(auth)
    unsupported = Self.unsupported(in: auth)
  }

  private static func unsupported(in auth: Table) -> [String] {
    var keys: [String] = []
    if auth.string("signing_keys_path") ?? "" != "" { keys.append("signing_keys_path") }
    for path in ["captcha", "mfa.phone", "mfa.web_authn", "passkey", "web3.solana", "web3.ethereum"] {
      let table = path.split(separator: ".").reduce(auth) { $0.table(String($1)) }
      let names = ["enabled", "enroll_enabled", "verify_enabled"]
      if names.contains(where: { table.boolean($0) == true }) { keys.append(path) }
    }
    for section in ["hook", "third_party"] {
      keys += auth.table(section).tables.filter { $0.value.boolean("enabled") == true }.keys.sorted()
        .map { "\(section).\($0)" }
    }
    for name in ["timebox", "inactivity_timeout"] where auth.table("sessions").string(name) != nil {
      keys.append("sessions.\(name)")
    }
    if auth.table("sms").tables["test_otp"] != nil { keys.append("sms.test_otp") }
    return keys.map { "auth." + $0 }
  }

  /// A table of the file, whose values of an unexpected type count as missing.
  struct Table {
    fileprivate let members: [String: TOMLValue]
    fileprivate let environment: [String: String]

    func table(_ name: String) -> Table {
      guard case .table(let inner)? = members[name] else {
        return Table(members: [:], environment: environment)
      }
      return Table(members: inner, environment: environment)
    }

    var tables: [String: Table] {
      members.keys.reduce(into: [:]) { tables, name in
        if case .table? = members[name] { tables[name] = table(name) }
      }
    }

    func boolean(_ name: String) -> Bool? {
      switch members[name] {
      case .boolean(let value)?: value
      case .string?: string(name).flatMap(Bool.init)
      default: nil
      }
    }

    func integer(_ name: String) -> Int? {
      switch members[name] {
      case .integer(let value)?: value
      case .string?: string(name).flatMap { Int($0) }
      default: nil
      }
    }

    func string(_ name: String) -> String? {
      guard case .string(let text)? = members[name] else { return nil }
      return resolved(text)
    }

    func strings(_ name: String) -> [String]? {
      guard case .array(let elements)? = members[name] else { return nil }
      return elements.compactMap { if case .string(let text) = $0 { resolved(text) } else { nil } }
    }

    /// A duration in Go's notation, such as `1m30s`.
    func duration(_ name: String) -> Duration? {
      string(name).flatMap(Duration.init(goNotation:))
    }

    private func resolved(_ text: String) -> String {
      guard let match = text.wholeMatch(of: /env\((.*)\)/) else { return text }
      return environment[String(match.1)] ?? ""
    }
  }
}

extension AuthSettings {
  fileprivate mutating func read(_ table: ProjectConfiguration.Table) {
    func set<Value>(_ path: WritableKeyPath<AuthSettings, Value>, _ value: Value?) {
      if let value { self[keyPath: path] = value }
    }
    set(\.siteURL, table.string("site_url"))
    set(\.redirectURLs, table.strings("additional_redirect_urls"))
    set(\.allowsSignUps, table.boolean("enable_signup"))
    set(\.allowsAnonymousSignIns, table.boolean("enable_anonymous_sign_ins"))
    set(\.allowsManualLinking, table.boolean("enable_manual_linking"))
    // The CLI refuses less than six.
    set(\.minimumPasswordLength, table.integer("minimum_password_length").map { max(6, $0) })
    set(\.passwordCharacters, table.string("password_requirements").flatMap(Self.characters))
    set(\.refreshTokenReuseInterval, table.integer("refresh_token_reuse_interval").map { .seconds($0) })
    let email = table.table("email")
    set(\.allowsEmails, email.boolean("enable_signup"))
    set(\.confirmsEmail, email.boolean("enable_confirmations"))
    set(\.confirmsBothAddresses, email.boolean("double_confirm_changes"))
    set(\.requiresReauthentication, email.boolean("secure_password_change"))
    set(\.messageInterval, email.duration("max_frequency"))
    set(\.codeLength, email.integer("otp_length").map { max(6, min(10, $0)) })
    set(\.codeLifetime, email.integer("otp_expiry").map { .seconds($0) })
    let sms = table.table("sms")
    set(\.allowsPhones, sms.boolean("enable_signup"))
    set(\.textMessageInterval, sms.duration("max_frequency"))
    // Without the key, the CLI confirms a number at once.
    confirmsPhone = sms.boolean("enable_confirmations") ?? false
    let factors = table.table("mfa")
    set(\.secondFactors.limit, factors.integer("max_enrolled_factors"))
    set(\.secondFactors.enrollsAuthenticators, factors.table("totp").boolean("enroll_enabled"))
    set(\.secondFactors.verifiesAuthenticators, factors.table("totp").boolean("verify_enabled"))
    let server = table.table("oauth_server")
    if server.boolean("enabled") == true {
      oauthServer = OAuthServer(
        authorizationPath: server.string("authorization_url_path") ?? "/oauth/consent",
        allowsRegistration: server.boolean("allow_dynamic_registration") ?? false)
    }
    for (name, provider) in table.table("external").tables where provider.boolean("enabled") == true {
      providers[name] = Provider(
        clientID: provider.string("client_id") ?? "", redirectURL: provider.string("redirect_uri") ?? "",
        address: provider.string("url") ?? "")
    }
  }

  /// The sets of characters of a value of `password_requirements` (`PasswordRequirements.ToChar` of the CLI).
  private static func characters(of requirements: String) -> [String]? {
    let (lower, upper, digits) = ("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789")
    switch requirements {
    case "": return []
    case "letters_digits": return [lower + upper, digits]
    case "lower_upper_letters_digits": return [lower, upper, digits]
    case "lower_upper_letters_digits_symbols":
      return [lower, upper, digits, #"!@#$%^&*()_+-=[]{};'\:"|<>?,./`~"#]
    default: return nil
    }
  }
}
