import Foundation
import UnderstudyHTTP

/// What GoTrue answers below `/auth/v1`.
struct AuthEndpoint {
  let auth: AuthServer
  /// What opens `/admin`.
  let serviceKey: String

  func respond(to request: HTTPRequest, _ target: RequestTarget, path: [String]) -> HTTPResponse {
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
        return HTTPResponse(status: 204)
      default:
        if path.first == "admin" { return try administer(request, path: Array(path.dropFirst())) }
        return notFound
      }
    } catch {
      return error.response(version: request.fields["X-Supabase-Api-Version"])
    }
  }

  var notFound: HTTPResponse {
    HTTPResponse(status: 404, body: Data("404 page not found\n".utf8), contentType: "text/plain")
  }

  func expect(_ method: HTTPMethod, _ request: HTTPRequest) throws(AuthAPIError) {
    guard request.method == method else {
      throw AuthAPIError(status: 405, code: "method_not_allowed", message: "Method Not Allowed")
    }
  }

  func bearerToken(_ request: HTTPRequest) throws(AuthAPIError) -> String {
    guard let token = request.fields["Authorization"].flatMap(BearerToken.token), !token.isEmpty else {
      throw .noAuthorization
    }
    return token
  }

  private func token(_ grant: String?, _ request: HTTPRequest) throws(AuthAPIError) -> AuthSession {
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
    let created =
      (Timestamp(user.createdAt)?.text(separator: "T", offset: "Z")).map(JSONValue.string) ?? .null
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

  func json(_ value: JSONValue) -> HTTPResponse {
    HTTPResponse(status: 200, body: value.data, contentType: "application/json")
  }
}

extension AuthAPIError {
  static func validationFailed(_ message: String) -> AuthAPIError {
    AuthAPIError(status: 400, code: "validation_failed", message: message)
  }
}
