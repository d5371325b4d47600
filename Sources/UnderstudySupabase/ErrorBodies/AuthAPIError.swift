import Foundation
public import UnderstudyHTTP

/// A refusal as Supabase Auth (GoTrue) writes it.
package struct AuthAPIError: Error, Hashable, Sendable {
  /// The date that a client sends in `X-Supabase-Api-Version` to be answered in the newer form.
  package static let newerVersion = "2024-01-01"

  /// The HTTP status.
  package let status: Int
  /// Such as `invalid_credentials`; also sent as `x-sb-error-code`.
  package let code: String
  /// What is wrong, in one sentence.
  package let message: String
  /// How long the server asks to be left alone; sent as `Retry-After`, in whole seconds from 0 to a day.
  package let retryAfter: Duration?

  /// A refusal with these parts.
  package init(status: Int, code: String, message: String, retryAfter: Duration? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.retryAfter = retryAfter
  }

  /// The whole answer, in the newer form if the request's `X-Supabase-Api-Version` asks for it.
  ///
  /// - Parameter version: The value of that field. From ``newerVersion`` on, the body is `{"code","message"}` and
  ///   the field is echoed; before, or without one, it is `{"code":<status>,"error_code","msg"}`.
  package func response(version: String?) -> HTTP.Response {
    var fields: HTTP.Fields = ["x-sb-error-code": code]
    fields["Retry-After"] = retryAfter.map {
      String(Int(min(max(0, ($0 / .seconds(1)).rounded(.up)), 86_400)))
    }
    let body: Data
    if let version, version >= Self.newerVersion {
      fields["X-Supabase-Api-Version"] = Self.newerVersion
      body = .json(of: ["code": code, "message": message])
    } else {
      body = .json(of: Legacy(code: status, error_code: code, msg: message))
    }
    return HTTP.Response(status: status, fields: fields, body: body, contentType: "application/json")
  }

  /// The members have the names of the wire.
  private struct Legacy: Encodable {
    let code: Int
    let error_code: String
    let msg: String
  }
}

extension AuthAPIError {
  /// No account has this address with this password.
  package static let invalidCredentials: AuthAPIError = AuthAPIError(
    status: 400, code: "invalid_credentials", message: "Invalid login credentials")
  /// No session has this refresh token.
  package static let refreshTokenNotFound: AuthAPIError = AuthAPIError(
    status: 400, code: "refresh_token_not_found", message: "Invalid Refresh Token: Refresh Token Not Found")
  /// The refresh token was exchanged before.
  package static let refreshTokenAlreadyUsed: AuthAPIError = AuthAPIError(
    status: 400, code: "refresh_token_already_used", message: "Invalid Refresh Token: Already Used")
  /// The session has lasted as long as it may.
  package static let sessionExpired: AuthAPIError = AuthAPIError(
    status: 400, code: "session_expired", message: "Invalid Refresh Token: Session Expired")
  /// The request brings no token.
  package static let noAuthorization: AuthAPIError = AuthAPIError(
    status: 401, code: "no_authorization", message: "This endpoint requires a valid Bearer token")
  /// The token cannot be read or verified.
  package static let badToken: AuthAPIError = AuthAPIError(
    status: 403, code: "bad_jwt", message: "invalid JWT: unable to parse or verify signature")
  /// The session of the token has ended.
  package static let sessionNotFound: AuthAPIError = AuthAPIError(
    status: 403, code: "session_not_found", message: "Session from session_id claim in JWT does not exist")
  /// The account is closed for this user.
  package static let userBanned: AuthAPIError = AuthAPIError(
    status: 403, code: "user_banned", message: "User is banned")
  /// The address has an account; what a user is told who signs up.
  package static let userAlreadyExists: AuthAPIError = AuthAPIError(
    status: 422, code: "user_already_exists", message: "User already registered")
  /// The address has an account; what an administrator is told.
  package static let emailExists: AuthAPIError = AuthAPIError(
    status: 422, code: "email_exists", message: "A user with this email address has already been registered")
  /// No account has this id.
  package static let userNotFound: AuthAPIError = AuthAPIError(
    status: 404, code: "user_not_found", message: "User not found")
  /// The token is not that of the backend itself.
  package static let notAdmin: AuthAPIError = AuthAPIError(
    status: 403, code: "not_admin", message: "User not allowed")
  /// The password is too easy to guess.
  package static let weakPassword: AuthAPIError = AuthAPIError(
    status: 422, code: "weak_password", message: "Password should be at least 6 characters.")
  /// Too many requests came from one address.
  package static let overRequestRateLimit: AuthAPIError = rateLimit(retryAfter: nil)

  /// Too many requests, and when to try again.
  package static func rateLimit(retryAfter: Duration?) -> AuthAPIError {
    AuthAPIError(
      status: 429, code: "over_request_rate_limit", message: "Request rate limit reached",
      retryAfter: retryAfter)
  }
}
