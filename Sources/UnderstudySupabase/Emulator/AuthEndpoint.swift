import Foundation
import UnderstudyHTTP

/// The endpoints of GoTrue under `/auth/v1`, as in a project that confirms addresses itself and sends no mail.
struct AuthEndpoint {
  let auth: AuthServer
  /// The keys that `/admin` requires.
  let isServiceKey: (String) -> Bool

  func respond(to request: HTTP.Request, _ target: RequestTarget, path: [String]) -> HTTP.Response {
    do throws(AuthAPIError) {
      switch path {
      case ["token"]:
        try expect(.post, request)
        return json(session(try token(target["grant_type"], request)))
      case ["user"]:
        if request.method == .put { return json(try updateUser(request).json) }
        try expect(.get, request)
        return json(try auth.user(for: try bearerToken(request)).json)
      case ["signup"]:
        try expect(.post, request)
        return json(session(try signUp(request)))
      case ["logout"]:
        try expect(.post, request)
        let scope = target["scope"] ?? ""
        guard let scope = AuthServer.SignOutScope(rawValue: scope.isEmpty ? "global" : scope) else {
          throw .validationFailed("Unsupported logout scope \"\(scope)\"")
        }
        try auth.signOut(try bearerToken(request), scope: scope)
        return HTTP.Response(status: 204)
      case ["settings"]:
        try expect(.get, request)
        return json(Self.settings)
      case ["health"]:
        try expect(.get, request)
        return json(
          .object([
            .init("description", .string("GoTrue is a user registration and authentication API")),
            .init("name", .string("GoTrue")), .init("version", .string("understudy")),
          ]))
      default:
        if path.first == "admin" { return try administer(request, target, path: Array(path.dropFirst())) }
        try refuseUnsupported(request, path)
        return notFound
      }
    } catch {
      return error.response(version: request.fields["X-Supabase-Api-Version"])
    }
  }

  var notFound: HTTP.Response {
    HTTP.Response(status: 404, body: Data("404 page not found\n".utf8), contentType: "text/plain")
  }

  func expect(_ method: HTTP.Method, _ request: HTTP.Request) throws(AuthAPIError) {
    guard request.method == method else {
      throw AuthAPIError(status: 405, code: "method_not_allowed", message: "Method Not Allowed")
    }
  }

  func bearerToken(_ request: HTTP.Request) throws(AuthAPIError) -> String {
    guard let token = request.fields["Authorization"].flatMap(BearerToken.token), !token.isEmpty else {
      throw .noAuthorization
    }
    return token
  }

  func json(_ value: JSONValue) -> HTTP.Response {
    HTTP.Response(status: 200, body: Data(value.compactText.utf8), contentType: "application/json")
  }

  private func session(_ session: AuthSession) -> JSONValue {
    .object([
      .init("access_token", .string(session.accessToken)), .init("token_type", .string("bearer")),
      .init("expires_in", .number(String(session.lifetime.components.seconds))),
      .init("expires_at", .number(String(Int64(session.expiresAt.timeIntervalSince1970)))),
      .init("refresh_token", .string(session.refreshToken)), .init("user", session.user.json),
    ])
  }

  /// What the project supports (`Settings`).
  private static let settings = JSONValue.object([
    .init(
      "external",
      .object([
        .init("anonymous_users", .boolean(false)), .init("email", .boolean(true)),
        .init("phone", .boolean(false)),
      ])), .init("disable_signup", .boolean(false)), .init("mailer_autoconfirm", .boolean(true)),
    .init("phone_autoconfirm", .boolean(false)), .init("sms_provider", .string("")),
    .init("saml_enabled", .boolean(false)),
  ])
}

/// Sessions: signing up, signing in and refreshing.
extension AuthEndpoint {
  private func token(_ grant: String?, _ request: HTTP.Request) throws(AuthAPIError) -> AuthSession {
    switch grant {
    case "password": return try signIn(try JSONValue(objectIn: request))
    case "refresh_token":
      guard let token = try JSONValue(objectIn: request).text("refresh_token"), !token.isEmpty else {
        throw .validationFailed("refresh_token required")
      }
      return try auth.refresh(token)
    // Without providers, no code or token of one is known.
    case "pkce":
      let body = try JSONValue(objectIn: request)
      guard try body.text("auth_code")?.isEmpty == false, try body.text("code_verifier")?.isEmpty == false
      else {
        throw .validationFailed("invalid request: both auth code and code verifier should be non-empty")
      }
      throw AuthAPIError(
        status: 404, code: "flow_state_not_found",
        message: "invalid flow state, no valid flow state found")
    case "id_token":
      let provider = try JSONValue(objectIn: request).text("provider") ?? ""
      throw AuthAPIError(
        status: 400, code: "provider_disabled", message: "Provider (issuer \"\(provider)\") is not enabled")
    case "web3":
      throw AuthAPIError(
        status: 422, code: "web3_provider_disabled", message: "Web3 provider is disabled")
    default:
      throw AuthAPIError(status: 400, code: "invalid_credentials", message: "unsupported_grant_type")
    }
  }

  private func signIn(_ body: JSONValue) throws(AuthAPIError) -> AuthSession {
    let (email, phone) = (try body.text("email") ?? "", try body.text("phone") ?? "")
    guard email.isEmpty || phone.isEmpty else {
      throw .validationFailed("Only an email address or phone number should be provided on login.")
    }
    guard phone.isEmpty else { throw .phonesAreDisabled("Phone logins are disabled", status: 422) }
    guard !email.isEmpty else { throw .validationFailed("missing email or phone") }
    return try auth.signIn(email: email, password: try body.text("password") ?? "")
  }

  /// Responds to `POST /signup` with an account and its first session, as in a project that does not confirm addresses.
  private func signUp(_ request: HTTP.Request) throws(AuthAPIError) -> AuthSession {
    let body = try JSONValue(objectIn: request)
    let (email, phone) = (try body.text("email") ?? "", try body.text("phone") ?? "")
    let password = try body.text("password") ?? ""
    let data = try body.members("data") ?? []
    guard !email.isEmpty || !phone.isEmpty else {
      throw AuthAPIError(
        status: 422, code: "anonymous_provider_disabled", message: "Anonymous sign-ins are disabled")
    }
    guard !password.isEmpty else { throw .validationFailed("Signup requires a valid password") }
    try Self.check(password: password)
    guard email.isEmpty || phone.isEmpty else {
      throw .validationFailed("Only an email address or phone number should be provided on signup.")
    }
    guard phone.isEmpty else { throw .phonesAreDisabled("Phone signups are disabled", status: 400) }
    try Self.check(email: email)
    do throws(PostgRESTError) {
      _ = try auth.addUser(email: email, password: password, data: data)
    } catch {
      throw error.code == "23505" ? .userAlreadyExists : .databaseError("saving new user")
    }
    return try auth.signIn(email: email, password: password)
  }

  /// Responds to `PUT /user`.
  private func updateUser(_ request: HTTP.Request) throws(AuthAPIError) -> AuthUser {
    let token = try bearerToken(request)
    let user = try auth.user(for: token)
    let body = try JSONValue(objectIn: request)
    if let email = try body.text("email"), !email.isEmpty {
      try Self.check(email: email)
      // The real service sends a mail to each address.
      if email.lowercased() != user.email {
        throw auth.users.contains { $0.email == email.lowercased() }
          ? .emailExists : .notSupported("mail, which confirms another e-mail address")
      }
    }
    if try body.text("phone")?.isEmpty == false { throw .notSupported("phone numbers") }
    if try body.members("app_metadata") != nil {
      throw AuthAPIError(
        status: 403, code: "not_admin", message: "Updating app_metadata requires admin privileges")
    }
    var changes = AuthServer.Changes()
    changes.userMetadata = try body.members("data") ?? []
    if let password = try body.text("password") {
      try Self.check(password: password)
      changes.password = password
    }
    return try auth.updateUser(for: token, changes)
  }

  /// - Throws: `weak_password` for less than six characters, as in a new project; `validation_failed` for more than
  ///   bcrypt reads (`checkPasswordStrength`).
  static func check(password: String) throws(AuthAPIError) {
    guard password.utf8.count <= 72 else {
      throw .validationFailed("Password cannot be longer than 72 characters")
    }
    guard password.utf8.count >= 6 else { throw .weakPassword }
  }

  /// - Throws: `validation_failed` for a text that cannot be an address (`validateEmail`).
  static func check(email: String) throws(AuthAPIError) {
    guard email.utf8.count <= 255 else { throw .validationFailed("An email address is too long") }
    guard email.wholeMatch(of: /[^@\s]+@[^@\s]+/) != nil else {
      throw .validationFailed("Unable to validate email address: invalid format")
    }
  }

  /// Refuses what a project without mail, phones, providers and second factors refuses, in the words of GoTrue, and
  /// what it would answer as not supported.
  private func refuseUnsupported(_ request: HTTP.Request, _ path: [String]) throws(AuthAPIError) {
    switch (path.first, path.dropFirst().first) {
    case ("otp", nil), ("magiclink", nil), ("recover", nil), ("resend", nil), ("invite", nil),
      ("verify", nil):
      guard path.first == "verify" || request.method == .post else { return try expect(.post, request) }
      if request.method == .post, try JSONValue(objectIn: request).text("phone")?.isEmpty == false {
        throw .phonesAreDisabled("Unsupported phone provider", status: 400)
      }
      throw .notSupported("mail (/\(path[0]))")
    case ("reauthenticate", nil):
      _ = try auth.user(for: try bearerToken(request))
      throw .notSupported("mail (/reauthenticate)")
    case ("authorize", nil):
      throw .validationFailed("Unsupported provider: provider is not enabled")
    case ("sso", _):
      throw AuthAPIError(status: 404, code: "saml_provider_disabled", message: "SAML 2.0 is disabled")
    case ("user", "identities"):
      _ = try auth.user(for: try bearerToken(request))
      throw AuthAPIError(
        status: 404, code: "manual_linking_disabled", message: "Manual linking is disabled")
    case ("factors", nil):
      _ = try auth.user(for: try bearerToken(request))
      throw AuthAPIError(
        status: 422, code: "mfa_totp_enroll_not_enabled", message: "MFA enroll is disabled for TOTP")
    case ("factors", _):
      _ = try auth.user(for: try bearerToken(request))
      throw AuthAPIError(status: 404, code: "mfa_factor_not_found", message: "Factor not found")
    case ("passkeys", _):
      throw AuthAPIError(status: 404, code: "passkey_disabled", message: "Passkeys are disabled")
    case (".well-known", _), ("callback", _), ("oauth", _):
      throw .notSupported("/\(path.joined(separator: "/"))")
    default: return
    }
  }
}

extension AuthAPIError {
  static func validationFailed(_ message: String) -> AuthAPIError {
    AuthAPIError(status: 400, code: "validation_failed", message: message)
  }

  fileprivate static func phonesAreDisabled(_ message: String, status: Int) -> AuthAPIError {
    AuthAPIError(status: status, code: "phone_provider_disabled", message: message)
  }

  fileprivate static func databaseError(_ doing: String) -> AuthAPIError {
    AuthAPIError(status: 500, code: "unexpected_failure", message: "Database error \(doing)")
  }

  fileprivate static let badJSON = AuthAPIError(
    status: 400, code: "bad_json", message: "Could not parse request body as JSON")
}

/// The creation, change and removal of accounts by the backend, under `/admin`.
extension AuthEndpoint {
  private func administer(
    _ request: HTTP.Request, _ target: RequestTarget, path: [String]
  ) throws(AuthAPIError) -> HTTP.Response {
    guard isServiceKey(try bearerToken(request)) else { throw .notAdmin }
    guard path.first == "users", path.count <= 2 else {
      if ["audit", "generate_link", "sso", "oauth", "users", "custom-providers"].contains(path.first) {
        throw .notSupported("/admin/\(path.joined(separator: "/"))")
      }
      return notFound
    }
    guard let text = path.dropFirst().first else {
      if request.method == .get { return list(target) }
      try expect(.post, request)
      return json(try makeUser(request).json)
    }
    guard let id = UUID(uuidString: text) else {
      throw AuthAPIError(status: 404, code: "validation_failed", message: "user_id must be an UUID")
    }
    let user = try auth.user(id)
    switch request.method {
    case .get: return json(user.json)
    case .put: return json(try auth.updateUser(id, try changes(in: try JSONValue(objectIn: request))).json)
    case .delete:
      if let body = request.body, !body.isEmpty,
        try JSONValue(objectIn: request)["should_soft_delete"] == .boolean(true)
      {
        throw .notSupported("the deletion of an account that keeps it (should_soft_delete)")
      }
      do throws(PostgRESTError) { try auth.removeUser(id) } catch { throw .databaseError("deleting user") }
      return json(.object([]))
    default:
      try expect(.get, request)
      return notFound
    }
  }

  /// Returns a page of the accounts, the newest first (`adminUsers`).
  private func list(_ target: RequestTarget) -> HTTP.Response {
    let users = auth.users
    let size = max(1, target["per_page"].flatMap { Int($0) } ?? 50)
    let page = max(1, target["page"].flatMap { Int($0) } ?? 1)
    let (start, overflows) = (page - 1).multipliedReportingOverflow(by: size)
    let shown = overflows ? [] : users.dropFirst(start).prefix(size).map(\.json)
    var response = json(
      .object([.init("users", .array(shown)), .init("aud", .string("authenticated"))]))
    response.fields["X-Total-Count"] = String(users.count)
    return response
  }

  private func makeUser(_ request: HTTP.Request) throws(AuthAPIError) -> AuthUser {
    let body = try JSONValue(objectIn: request)
    var changes = try changes(in: body)
    guard let email = changes.email else {
      throw .validationFailed("Cannot create a user without either an email or phone")
    }
    let written = try body.text("id") ?? ""
    let id = UUID(uuidString: written)
    guard written.isEmpty || id != nil else {
      throw .validationFailed("ID must conform to the uuid v4 format")
    }
    if auth.users.contains(where: { $0.email == email.lowercased() }) { throw .emailExists }
    let user: AuthUser
    do throws(PostgRESTError) {
      // Without a password the real service makes a random one.
      user = try auth.addUser(
        id: id, email: email, password: changes.password, data: [], isConfirmed: false)
    } catch {
      throw .databaseError("creating new user")
    }
    (changes.email, changes.password) = (nil, nil)
    return try auth.updateUser(user.id, changes)
  }

  /// Reads the members of a request that creates or changes an account (`AdminUserParams`).
  private func changes(in body: JSONValue) throws(AuthAPIError) -> AuthServer.Changes {
    var changes = AuthServer.Changes()
    if let email = try body.text("email"), !email.isEmpty {
      try Self.check(email: email)
      changes.email = email
    }
    if try body.text("phone")?.isEmpty == false { throw .notSupported("phone numbers") }
    if try body.text("password_hash")?.isEmpty == false { throw .notSupported("hashed passwords") }
    if let role = try body.text("role"), !["", "authenticated"].contains(role) {
      throw .notSupported("the role \(role)")
    }
    if let password = try body.text("password"), !password.isEmpty {
      try Self.check(password: password)
      changes.password = password
    }
    changes.userMetadata = try body.members("user_metadata") ?? []
    changes.appMetadata = try body.members("app_metadata") ?? []
    changes.isConfirmed = body["email_confirm"] == .boolean(true)
    if let ban = try body.text("ban_duration"), !ban.isEmpty {
      guard let duration = ban == "none" ? .zero : Duration(goNotation: ban) else {
        throw .validationFailed("invalid format for ban duration: time: invalid duration \"\(ban)\"")
      }
      changes.ban = duration
    }
    return changes
  }
}

extension Duration {
  /// Reads a duration in Go's notation, such as `1h30m` (`time.ParseDuration`); `nil` for another text.
  init?(goNotation text: String) {
    let units: [String: Double] = [
      "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600,
    ]
    let isNegative = text.hasPrefix("-")
    var rest = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
    if rest == "0" {
      self = .zero
      return
    }
    guard !rest.isEmpty else { return nil }
    var seconds = 0.0
    while !rest.isEmpty {
      guard let match = rest.prefixMatch(of: /([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)/),
        let number = Double(match.1.hasPrefix(".") ? "0" + match.1 : String(match.1)),
        let unit = units[String(match.2)]
      else { return nil }
      seconds += number * unit
      rest = rest[match.range.upperBound...]
    }
    // 64 bits of nanoseconds.
    guard seconds < 9.2e9 else { return nil }
    self = .seconds(isNegative ? -seconds : seconds)
  }
}

extension JSONValue {
  /// Parses the body of a request, which must be an object.
  init(objectIn request: HTTP.Request) throws(AuthAPIError) {
    guard let body = request.body.flatMap({ try? JSONValue(parsing: $0) }), case .object = body else {
      throw .badJSON
    }
    self = body
  }

  /// Returns the text of a member; `nil` if it is missing or `null`.
  ///
  /// - Throws: `bad_json` for another type, as Go does.
  fileprivate func text(_ name: String) throws(AuthAPIError) -> String? {
    switch self[name] {
    case nil, .null?: return nil
    case .string(let text)?: return text
    default: throw .badJSON
    }
  }

  /// Returns the members of an object in a member; `nil` if it is missing or `null`.
  ///
  /// - Throws: `bad_json` for another type.
  fileprivate func members(_ name: String) throws(AuthAPIError) -> [Member]? {
    switch self[name] {
    case nil, .null?: return nil
    case .object(let members)?: return members
    default: throw .badJSON
    }
  }
}
