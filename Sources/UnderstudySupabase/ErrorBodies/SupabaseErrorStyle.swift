import Foundation
package import Understudy
public import UnderstudyHTTP

extension HTTPErrorStyle {
  /// The error responses of a Supabase project: each endpoint has those of its service.
  ///
  /// They are those of Auth under `/auth/v1`, of Storage under `/storage/v1`, of the platform that runs edge functions
  /// under `/functions/v1`, and of PostgREST elsewhere.
  public static let supabase = HTTPErrorStyle { refusal in
    let path = refusal.request?.url.path() ?? ""
    if path.contains("/auth/v1/") {
      return AuthAPIError(refusal).response(version: refusal.request?.fields["X-Supabase-Api-Version"])
    }
    if path.contains("/storage/v1/") { return StorageAPIError(refusal).response }
    if path.contains("/functions/v1/") { return EdgeFunctionError(refusal).response }
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

extension StorageAPIError {
  /// The errors of `codes.ts` for the reasons that it has.
  fileprivate init(_ refusal: HTTPRefusal) {
    let (code, error, message): (String, String?, String) =
      switch refusal.reason {
      case .unauthorized: ("InvalidJWT", "Unauthorized", "jwt expired")
      case .forbidden:
        ("AccessDenied", "Unauthorized", "new row violates row-level security policy")
      case .notFound: ("NoSuchKey", "not_found", "Object not found")
      case .conflict: ("ResourceAlreadyExists", "Duplicate", "The resource already exists")
      case .notAcceptable, .unprocessable: ("InvalidRequest", nil, refusal.title)
      case .rateLimited:
        ("SlowDown", "too_many_connections", "Too many connections issued to the database")
      case .serverError: ("InternalError", nil, "Internal server error")
      case .unavailable: ("DatabaseError", nil, refusal.title)
      case .gatewayTimeout: ("DatabaseTimeout", nil, "The connection to the database timed out")
      }
    self.init(statusCode: refusal.status, code: code, error: error, message: message)
  }
}

extension EdgeFunctionError {
  /// The errors of the platform, before or instead of the function's own response; the function's own for what only a
  /// function decides.
  fileprivate init(_ refusal: HTTPRefusal) {
    let (code, message): (String, String) =
      switch refusal.reason {
      case .unauthorized: (Self.invalidToken.code, Self.invalidToken.message)
      case .notFound: ("NOT_FOUND", refusal.title)
      case .forbidden: ("FORBIDDEN", refusal.title)
      case .notAcceptable: ("NOT_ACCEPTABLE", refusal.title)
      case .conflict: ("CONFLICT", refusal.title)
      case .unprocessable: ("UNPROCESSABLE", refusal.title)
      case .rateLimited: ("RATE_LIMIT", refusal.title)
      case .serverError: ("EDGE_FUNCTION_ERROR", "Internal Server Error")
      case .unavailable: ("BOOT_ERROR", "Function failed to start (please check logs)")
      case .gatewayTimeout: ("IDLE_TIMEOUT", "Function idle timeout")
      }
    let isOfFunction =
      switch refusal.reason {
      case .forbidden, .notFound, .notAcceptable, .conflict, .unprocessable: true
      default: false
      }
    self.init(status: refusal.status, code: code, message: message, isOfPlatform: !isOfFunction)
  }
}
