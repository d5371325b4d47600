import Foundation
package import UnderstudyHTTP

/// An error response of Supabase Auth (GoTrue).
package struct AuthAPIError: Error, Hashable, Sendable {
  /// The date that a client sends in `X-Supabase-Api-Version` to receive the newer form.
  package static let newerVersion = "2024-01-01"

  /// The HTTP status.
  package let status: Int
  /// The error code, such as `invalid_credentials`; also sent as `x-sb-error-code`.
  package let code: String
  /// The message, in one sentence.
  package let message: String
  /// The time after which to retry; sent as `Retry-After`, in whole seconds from 0 to a day.
  package let retryAfter: Duration?

  /// Why a password is weak, such as `length`, which clients read; `nil` for other errors.
  package let reasons: [String]?
  /// Whether the body has the form of OAuth (RFC 6749 §5.2), as some errors of the grants have.
  package let isOAuth: Bool

  /// Creates an error from its parts.
  package init(
    status: Int, code: String, message: String, retryAfter: Duration? = nil, reasons: [String]? = nil,
    isOAuth: Bool = false
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.retryAfter = retryAfter
    self.reasons = reasons
    self.isOAuth = isOAuth
  }

  /// Returns the response, in the newer form if the request's `X-Supabase-Api-Version` selects it.
  ///
  /// - Parameter version: The value of that field. From `newerVersion` on, the body is `{"code","message"}` and
  ///   the field is echoed; before, or without one, it is `{"code":<status>,"error_code","msg"}`.
  package func response(version: String?) -> HTTP.Response {
    var fields = HTTP.Fields()
    if !isOAuth { fields["x-sb-error-code"] = code }
    fields["Retry-After"] = retryAfter.map {
      String(Int(min(max(0, ($0 / .seconds(1)).rounded(.up)), 86_400)))
    }
    let body: Data
    let isNewer = version.map { $0 >= Self.newerVersion } ?? false
    if isNewer { fields["X-Supabase-Api-Version"] = Self.newerVersion }
    if isOAuth {
      body = .json(of: ["error": code, "error_description": message])
    } else if isNewer {
      body = .json(of: Newer(code: code, message: message, weak_password: weakness))
    } else {
      body = .json(of: Legacy(code: status, error_code: code, msg: message, weak_password: weakness))
    }
    return HTTP.Response(status: status, fields: fields, body: body, contentType: "application/json")
  }

  private var weakness: Weakness? { reasons.map(Weakness.init) }

  /// The body in the newer form, with the names of the wire format.
  private struct Newer: Encodable {
    let code: String
    let message: String
    let weak_password: Weakness?
  }

  /// The body in the older form, with the names of the wire format.
  private struct Legacy: Encodable {
    let code: Int
    let error_code: String
    let msg: String
    let weak_password: Weakness?
  }

  /// What is wrong with a password (`handleResponseErrorWeakPassword`).
  private struct Weakness: Encodable {
    let reasons: [String]
  }
}

extension AuthAPIError {
  /// The error for an unknown address or a wrong password.
  package static let invalidCredentials: AuthAPIError = AuthAPIError(
    status: 400, code: "invalid_credentials", message: "Invalid login credentials")
  /// The error for a refresh token without a session.
  package static let refreshTokenNotFound: AuthAPIError = AuthAPIError(
    status: 400, code: "refresh_token_not_found", message: "Invalid Refresh Token: Refresh Token Not Found")
  /// The error for a refresh token that was already exchanged.
  package static let refreshTokenAlreadyUsed: AuthAPIError = AuthAPIError(
    status: 400, code: "refresh_token_already_used", message: "Invalid Refresh Token: Already Used")
  /// The error for a session that has reached its maximum duration.
  package static let sessionExpired: AuthAPIError = AuthAPIError(
    status: 400, code: "session_expired", message: "Invalid Refresh Token: Session Expired")
  /// The error for a request without a token.
  package static let noAuthorization: AuthAPIError = AuthAPIError(
    status: 401, code: "no_authorization", message: "This endpoint requires a valid Bearer token")
  /// The error for a token that cannot be parsed or verified.
  package static let badToken: AuthAPIError = AuthAPIError(
    status: 403, code: "bad_jwt", message: "invalid JWT: unable to parse or verify signature")
  /// The error for a token whose session has ended.
  package static let sessionNotFound: AuthAPIError = AuthAPIError(
    status: 403, code: "session_not_found", message: "Session from session_id claim in JWT does not exist")
  /// The error for a banned user who signs in.
  package static let userBanned: AuthAPIError = AuthAPIError(
    status: 400, code: "user_banned", message: "User is banned")
  /// The error for a banned user who refreshes.
  package static let bannedRefresh: AuthAPIError = AuthAPIError(
    status: 400, code: "user_banned", message: "Invalid Refresh Token: User Banned")
  /// The error for a banned user who still has an access token.
  package static let userIsBanned: AuthAPIError = AuthAPIError(
    status: 403, code: "user_banned", message: "User is banned")
  /// The error for a user who signs in before the address is confirmed.
  package static let emailNotConfirmed: AuthAPIError = AuthAPIError(
    status: 400, code: "email_not_confirmed", message: "Email not confirmed")
  /// The error for a user who signs in before the phone number is confirmed.
  static let phoneNotConfirmed = AuthAPIError(
    status: 400, code: "phone_not_confirmed", message: "Phone not confirmed")
  /// The error for a token of a user who was removed.
  static let tokenUserNotFound = AuthAPIError(
    status: 403, code: "user_not_found", message: "User from sub claim in JWT does not exist")
  /// The error for a one-time code that is unknown, used or expired.
  static let codeExpired = AuthAPIError(
    status: 403, code: "otp_expired", message: "Token has expired or is invalid")
  /// The error for the token of a link that is unknown, used or expired.
  static let linkExpired = AuthAPIError(
    status: 403, code: "otp_expired", message: "Email link is invalid or has expired")
  /// The error for a one-time code to an unknown contact that may not sign up.
  static let codesDisabled = AuthAPIError(
    status: 422, code: "otp_disabled", message: "Signups not allowed for otp")
  /// The error for an administrator who gives an account the address or number of another one.
  static let updateFailed = AuthAPIError(
    status: 500, code: "unexpected_failure", message: "Error updating user")
  /// The error for a confirmed address that another account has by now.
  static let confirmationFailed = AuthAPIError(
    status: 500, code: "unexpected_failure", message: "Error confirm email")
  /// The error for what GoTrue has no error for (`handleResponseErrorDefault`).
  static let unexpectedFailure = AuthAPIError(
    status: 500, code: "unexpected_failure",
    message: "Unexpected failure, please check server logs for more information")
  /// The error for a phone number that another account has.
  static let phoneExists = AuthAPIError(
    status: 422, code: "phone_exists", message: "A user with this phone number has already been registered")
  /// The error for a new password that is the old one.
  package static let samePassword: AuthAPIError = AuthAPIError(
    status: 422, code: "same_password", message: "New password should be different from the old password.")
  /// The error for signing up with an address that already has an account.
  package static let userAlreadyExists: AuthAPIError = AuthAPIError(
    status: 422, code: "user_already_exists", message: "User already registered")
  /// The error for an administrator who creates an account with an address that already has one.
  package static let emailExists: AuthAPIError = AuthAPIError(
    status: 422, code: "email_exists", message: "A user with this email address has already been registered")
  /// The error for an id without an account.
  package static let userNotFound: AuthAPIError = AuthAPIError(
    status: 404, code: "user_not_found", message: "User not found")
  /// The error for a token other than that of the backend itself.
  package static let notAdmin: AuthAPIError = AuthAPIError(
    status: 403, code: "not_admin", message: "User not allowed")
  /// The error for a password that is too short in a new project.
  package static let weakPassword: AuthAPIError = weakPassword(
    "Password should be at least 6 characters.", reasons: ["length"])
  /// The error for a new user while the project accepts none.
  static let signUpsDisabled = AuthAPIError(
    status: 422, code: "signup_disabled", message: "Signups not allowed for this instance")
  /// The error for too many requests from one address.
  package static let overRequestRateLimit: AuthAPIError = rateLimit(retryAfter: nil)

  /// Returns the error for a password that is too easy to guess.
  static func weakPassword(_ message: String, reasons: [String]) -> AuthAPIError {
    AuthAPIError(status: 422, code: "weak_password", message: message, reasons: reasons)
  }

  static func validationFailed(_ message: String) -> AuthAPIError {
    AuthAPIError(status: 400, code: "validation_failed", message: message)
  }

  /// Returns an error in the form of OAuth.
  static func oauth(_ code: String, _ description: String) -> AuthAPIError {
    AuthAPIError(status: 400, code: code, message: description, isOAuth: true)
  }

  static func databaseError(_ doing: String) -> AuthAPIError {
    AuthAPIError(status: 500, code: "unexpected_failure", message: "Database error \(doing)")
  }

  /// Returns the error for a request that the real service would answer and the emulator cannot (status 501).
  ///
  /// - Parameter feature: What is not supported, as the end of a sentence.
  package static func notSupported(_ feature: String) -> AuthAPIError {
    AuthAPIError(
      status: 501, code: "feature_disabled", message: PostgRESTError.notSupported(feature).message)
  }

  /// Returns the error for too many requests, with the time after which to retry.
  package static func rateLimit(retryAfter: Duration?) -> AuthAPIError {
    AuthAPIError(
      status: 429, code: "over_request_rate_limit", message: "Request rate limit reached",
      retryAfter: retryAfter)
  }
}
