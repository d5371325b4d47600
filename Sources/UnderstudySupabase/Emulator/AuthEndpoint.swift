import Foundation
import UnderstudyHTTP

/// The endpoints of GoTrue under `/auth/v1`.
struct AuthEndpoint {
  let auth: AuthServer
  /// The key that `/admin` requires.
  let serviceKey: String

  func respond(to request: HTTP.Request, _ target: RequestTarget, path: [String]) -> HTTP.Response {
    do throws(AuthAPIError) {
      switch path {
      case ["token"]:
        try expect(.post, request)
        return json(session(try token(target["grant_type"], request)))
      case ["user"]:
        try expect(.get, request)
        return json(.object(members(of: try auth.user(for: try bearerToken(request)))))
      case ["signup"]:
        try expect(.post, request)
        return json(session(try signUp(request)))
      case ["logout"]:
        try expect(.post, request)
        guard let scope = AuthServer.SignOutScope(rawValue: target["scope"] ?? "global") else {
          throw .validationFailed("Unsupported logout scope \"\(target["scope"] ?? "")\"")
        }
        try auth.signOut(try bearerToken(request), scope: scope)
        return HTTP.Response(status: 204)
      default:
        if path.first == "admin" { return try administer(request, path: Array(path.dropFirst())) }
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

  private func token(_ grant: String?, _ request: HTTP.Request) throws(AuthAPIError) -> AuthSession {
    guard let grant, ["password", "refresh_token"].contains(grant) else {
      throw AuthAPIError(
        status: 400, code: "invalid_credentials", message: "unsupported_grant_type")
    }
    let body = try JSONValue(objectIn: request)
    if grant == "refresh_token" {
      guard let token = body["refresh_token"]?.stringValue else {
        throw .validationFailed("refresh_token required")
      }
      return try auth.refresh(token)
    }
    guard let email = body["email"]?.stringValue, !email.isEmpty else {
      throw .validationFailed("missing email or phone")
    }
    return try auth.signIn(email: email, password: body["password"]?.stringValue ?? "")
  }

  private func session(_ session: AuthSession) -> JSONValue {
    .object([
      .init("access_token", .string(session.accessToken)), .init("token_type", .string("bearer")),
      .init("expires_in", .number(String(session.lifetime.components.seconds))),
      .init("expires_at", .number(String(Int64(session.expiresAt.timeIntervalSince1970)))),
      .init("refresh_token", .string(session.refreshToken)),
      .init("user", .object(members(of: session.user))),
    ])
  }

  func members(of user: AuthUser) -> [JSONValue.Member] {
    let created = JSONValue.string(Timestamp(stored: user.createdAt).text(separator: "T", offset: "Z"))
    return [
      .init("id", .string(user.id.uuidString.lowercased())), .init("aud", .string("authenticated")),
      .init("role", .string("authenticated")), .init("email", .string(user.email)),
      .init("email_confirmed_at", created), .init("confirmed_at", created), .init("phone", .string("")),
      .init(
        "app_metadata",
        .object([
          .init("provider", .string("email")), .init("providers", .array([.string("email")])),
        ])),
      .init("user_metadata", .object([])), .init("identities", .array([])), .init("created_at", created),
      .init("updated_at", created), .init("is_anonymous", .boolean(false)),
    ]
  }

  func json(_ value: JSONValue) -> HTTP.Response {
    HTTP.Response(status: 200, body: value.data, contentType: "application/json")
  }
}

extension AuthAPIError {
  static func validationFailed(_ message: String) -> AuthAPIError {
    AuthAPIError(status: 400, code: "validation_failed", message: message)
  }
}

/// The creation, banning and removal of accounts, by their users or by the backend.
extension AuthEndpoint {
  /// Responds to `POST /signup` with an account and its first session, as in a project that does not confirm addresses.
  func signUp(_ request: HTTP.Request) throws(AuthAPIError) -> AuthSession {
    var account = try NewAccount(in: request)
    // Only the service role may choose ids.
    account.id = nil
    _ = try make(account, whenTaken: .userAlreadyExists)
    return try auth.signIn(email: account.email, password: account.password)
  }

  /// Responds to requests under `/admin/users`, which require the service key.
  func administer(_ request: HTTP.Request, path: [String]) throws(AuthAPIError) -> HTTP.Response {
    guard try bearerToken(request) == serviceKey else { throw .notAdmin }
    guard path.first == "users", path.count <= 2 else { return notFound }
    guard let text = path.dropFirst().first else {
      try expect(.post, request)
      return try userResponse(make(try NewAccount(in: request), whenTaken: .emailExists))
    }
    guard let id = UUID(uuidString: text) else {
      throw .validationFailed("user_id must be an UUID")
    }
    let user = try auth.user(id)
    switch request.method {
    case .get: break
    case .put:
      if let ban = try JSONValue(objectIn: request)["ban_duration"]?.stringValue {
        auth.setBanned(ban != "none", user: id)
      }
    case .delete:
      do throws(PostgRESTError) { try auth.removeUser(id) } catch {
        throw AuthAPIError(status: 500, code: "unexpected_failure", message: "Database error deleting user")
      }
      return HTTP.Response(status: 200, body: Data("{}".utf8), contentType: "application/json")
    default: try expect(.get, request)
    }
    return json(.object(members(of: user)))
  }

  private func userResponse(_ id: UUID) throws(AuthAPIError) -> HTTP.Response {
    json(.object(members(of: try auth.user(id))))
  }

  private func make(_ account: NewAccount, whenTaken refusal: AuthAPIError) throws(AuthAPIError) -> UUID {
    do throws(PostgRESTError) {
      return try auth.addUser(id: account.id, email: account.email, password: account.password)
    } catch {
      throw error.code == "23505"
        ? refusal
        : AuthAPIError(status: 500, code: "unexpected_failure", message: "Database error creating new user")
    }
  }

  /// The account in a request to create one.
  private struct NewAccount {
    var id: UUID?
    let email: String
    let password: String

    init(in request: HTTP.Request) throws(AuthAPIError) {
      let body = try JSONValue(objectIn: request)
      let written = body["id"]?.stringValue
      id = written.flatMap(UUID.init(uuidString:))
      guard written == nil || id != nil else {
        throw .validationFailed("ID must conform to the uuid v4 format")
      }
      email = body["email"]?.stringValue ?? ""
      guard email.contains("@") else {
        throw .validationFailed("Unable to validate email address: invalid format")
      }
      password = body["password"]?.stringValue ?? ""
      guard !password.isEmpty else { throw .validationFailed("Signup requires a valid password") }
      guard password.count >= 6 else { throw .weakPassword }
    }
  }
}

extension JSONValue {
  /// Parses the body of a request, which must be an object.
  init(objectIn request: HTTP.Request) throws(AuthAPIError) {
    guard let body = request.body.flatMap({ try? JSONValue(parsing: $0) }), case .object = body else {
      throw AuthAPIError(status: 400, code: "bad_json", message: "Could not parse request body as JSON")
    }
    self = body
  }
}
