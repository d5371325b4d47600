import Foundation
import UnderstudyHTTP

/// The endpoints of GoTrue under `/auth/v1` (`internal/api/api.go`).
///
/// Each group of routes is in a file beside this one. What the project does not have, or the emulator does not support, is
/// refused in the words of GoTrue.
struct AuthEndpoint {
  let auth: AuthServer
  /// The keys that `/admin` requires.
  let isServiceKey: (String) -> Bool

  func respond(to request: HTTP.Request, _ target: RequestTarget, path: [String]) -> HTTP.Response {
    do throws(AuthAPIError) {
      return try response(to: AuthRequest(request, target, settings: auth.settings), path: path)
    } catch {
      return error.response(version: request.fields["X-Supabase-Api-Version"])
    }
  }

  private func response(to request: AuthRequest, path: [String]) throws(AuthAPIError) -> HTTP.Response {
    let rest = Array(path.dropFirst())
    switch (path.first, rest.isEmpty) {
    case ("signup", true): return try signUp(request)
    case ("token", true): return try token(request)
    case ("logout", true): return try signOut(request)
    case ("otp", true), ("magiclink", true), ("recover", true), ("resend", true), ("invite", true):
      return try send(request, to: path[0])
    case ("reauthenticate", true):
      try request.expect(.get)
      try auth.reauthenticate(try request.bearerToken)
      return .json([])
    case ("verify", true): return try verify(request)
    case ("user", true): return try user(request)
    case ("user", false) where rest[0] == "identities":
      return try identities(request, path: Array(rest.dropFirst()))
    case ("user", false) where rest == ["oauth", "grants"]: return try grants(request)
    case ("authorize", true): return try authorize(request)
    case ("oauth", false): return try oauth(request, path: rest)
    case ("factors", _): return try factors(request, path: rest)
    case ("admin", false): return try administer(request, path: rest)
    case ("settings", true):
      try request.expect(.get)
      return .json(settings)
    case ("health", true):
      try request.expect(.get)
      return .json([
        .init("version", .string("understudy")), .init("name", .string("GoTrue")),
        .init("description", .string("GoTrue is a user registration and authentication API")),
      ])
    case (".well-known", false) where rest == ["jwks.json"]:
      try request.expect(.get)
      // A secret of HS256 is not published (`WellKnownJwks`).
      var response = HTTP.Response.json([.init("keys", .array([]))])
      response.fields["Cache-Control"] = "public, max-age=600"
      return response
    default:
      try refuseUnsupported(request, path)
      return .authNotFound
    }
  }

  /// What the project supports (`Settings`).
  private var settings: [JSONValue.Member] {
    let settings = auth.settings
    let providers = [
      "anonymous_users": settings.allowsAnonymousSignIns, "email": settings.allowsEmails,
      "phone": settings.allowsPhones,
    ]
    let others = [
      "apple", "azure", "bitbucket", "discord", "facebook", "figma", "fly", "github", "gitlab", "google",
      "kakao", "keycloak", "linkedin", "linkedin_oidc", "notion", "slack", "slack_oidc", "snapchat",
      "spotify",
      "twitch", "twitter", "workos", "zoom",
    ]
    let external = providers.map { JSONValue.Member($0.key, .boolean($0.value)) }
    return [
      .init(
        "external",
        .object(
          (external + others.map { .init($0, .boolean(settings.providers[$0] != nil)) }).normalizedMembers)),
      .init("disable_signup", .boolean(!settings.allowsSignUps)),
      .init("mailer_autoconfirm", .boolean(!settings.confirmsEmail)),
      .init("phone_autoconfirm", .boolean(!settings.confirmsPhone)), .init("sms_provider", .string("")),
      .init("saml_enabled", .boolean(false)), .init("saml_private_key_next_configured", .boolean(false)),
      .init("passkeys_enabled", .boolean(false)),
    ]
  }

  /// Refuses what the project does not have in the words of GoTrue, and what GoTrue would answer as not supported.
  private func refuseUnsupported(_ request: AuthRequest, _ path: [String]) throws(AuthAPIError) {
    switch (path.first, path.dropFirst().first) {
    case ("sso", _):
      throw AuthAPIError(status: 404, code: "saml_provider_disabled", message: "SAML 2.0 is disabled")
    case ("passkeys", _):
      throw AuthAPIError(status: 404, code: "passkey_disabled", message: "Passkeys are disabled")
    case (".well-known", "oauth-authorization-server") where auth.settings.oauthServer == nil:
      throw .oauthServerDisabled
    case (".well-known", _), ("callback", _):
      throw .notSupported("/\(path.joined(separator: "/"))")
    default: return
    }
  }
}

extension AuthAPIError {
  static let oauthServerDisabled = AuthAPIError(
    status: 404, code: "feature_disabled", message: "OAuth server is disabled")
}

extension HTTP.Response {
  static func json(_ members: [JSONValue.Member], status: Int = 200) -> HTTP.Response {
    .json(.object(members), status: status)
  }

  static func json(_ value: JSONValue, status: Int = 200) -> HTTP.Response {
    HTTP.Response(status: status, body: Data(value.compactText.utf8), contentType: "application/json")
  }

  static func json(_ session: AuthSession) -> HTTP.Response {
    .json([
      .init("access_token", .string(session.accessToken)), .init("token_type", .string("bearer")),
      .init("expires_in", .number(String(session.lifetime.components.seconds))),
      .init("expires_at", .number(String(Int64(session.expiresAt.timeIntervalSince1970)))),
      .init("refresh_token", .string(session.refreshToken)), .init("user", session.user.json),
    ])
  }

  /// The response to an unknown path.
  static var authNotFound: HTTP.Response {
    HTTP.Response(status: 404, body: Data("404 page not found\n".utf8), contentType: "text/plain")
  }
}
