import Foundation
package import Understudy
public import UnderstudyHTTP

extension HTTPErrorStyle {
  /// The error responses of a Supabase project: those of Auth under `/auth/v1`, and those of PostgREST elsewhere.
  public static let supabase = HTTPErrorStyle { refusal in
    if let request = refusal.request, request.url.path().contains("/auth/v1/") {
      return AuthAPIError(refusal).response(version: request.fields["X-Supabase-Api-Version"])
    }
    return PostgRESTError(refusal.reason).response(isAuthenticated: true)
  }
}

extension Fault {
  /// Returns a fault that replaces the response of the base by an error of Auth in the newer form.
  package static func refusal(_ error: AuthAPIError) -> Fault {
    .answer(error.response(version: AuthAPIError.newerVersion))
  }
}

extension PostgRESTError {
  fileprivate init(_ reason: Fault.Refusal) {
    self =
      switch reason {
      case .unauthorized: .tokenExpired
      case .forbidden: .refusedByPolicy(table: "injected")
      case .notFound: .unknownTable("injected")
      case .notAcceptable: .notSingular(rows: 0)
      case .conflict:
        .duplicateKey(constraint: "injected_name_key", columns: ["name"], values: ["injected"])
      case .unprocessable: .raised(status: 422, message: "Unprocessable Content")
      case .rateLimited: .raised(status: 429, message: "Too Many Requests")
      case .serverError: .statementTimeout
      case .unavailable: .databaseUnavailable
      case .gatewayTimeout: .poolTimeout
      }
  }
}

extension AuthAPIError {
  fileprivate init(_ refusal: HTTPRefusal) {
    self =
      switch refusal.reason {
      case .unauthorized: .noAuthorization
      case .forbidden: .notAdmin
      case .notFound: .userNotFound
      case .rateLimited(let delay): .rateLimit(retryAfter: delay)
      case .serverError:
        AuthAPIError(status: 500, code: "unexpected_failure", message: "Unexpected failure")
      case .unprocessable:
        AuthAPIError(status: 422, code: "validation_failed", message: refusal.title)
      case .conflict: AuthAPIError(status: 409, code: "conflict", message: refusal.title)
      case .notAcceptable, .unavailable:
        AuthAPIError(status: refusal.status, code: "unexpected_failure", message: refusal.title)
      case .gatewayTimeout:
        AuthAPIError(status: 504, code: "request_timeout", message: "Request timed out")
      }
  }
}
