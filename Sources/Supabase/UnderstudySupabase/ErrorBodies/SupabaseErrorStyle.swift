import Foundation
package import Understudy
public import UnderstudyHTTP

extension HTTPErrorStyle {
  /// The error responses of a Supabase project: each endpoint has those of its service.
  ///
  /// They are those of Auth under `/auth/v1`, of Storage under `/storage/v1`, of the platform that runs edge functions
  /// under `/functions/v1`, and of PostgREST elsewhere. A status that only the gateway in front of them sends, such as
  /// 502, has its body everywhere.
  public static let supabase = HTTPErrorStyle { rejected in
    if let error = GatewayError(status: rejected.status) { return error.response }
    let path = rejected.request?.url.path() ?? ""
    if path.contains("/auth/v1/") {
      return AuthAPIError(rejected).response(version: rejected.request?.fields["X-Supabase-Api-Version"])
    }
    if path.contains("/storage/v1/") { return StorageAPIError(rejected).response }
    if path.contains("/functions/v1/") { return EdgeFunctionError(rejected).response }
    return PostgRESTError(rejected.reason).response(isAuthenticated: true)
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
      // Only a function of the database selects another status.
      case .other(let status): .raised(status: status, message: HTTP.reasonPhrase(of: status))
      }
  }
}

extension AuthAPIError {
  fileprivate init(_ rejected: RejectedRequest) {
    self =
      switch rejected.reason {
      case .unauthorized: .noAuthorization
      case .forbidden: .notAdmin
      case .notFound: .userNotFound
      case .rateLimited(let delay): .rateLimit(retryAfter: delay)
      case .serverError:
        AuthAPIError(status: 500, code: "unexpected_failure", message: "Unexpected failure")
      case .unprocessable:
        AuthAPIError(status: 422, code: "validation_failed", message: rejected.title)
      case .conflict: AuthAPIError(status: 409, code: "conflict", message: rejected.title)
      case .notAcceptable, .unavailable:
        AuthAPIError(status: rejected.status, code: "unexpected_failure", message: rejected.title)
      case .gatewayTimeout:
        AuthAPIError(status: 504, code: "request_timeout", message: "Request timed out")
      // `HandleResponseError` in `errors.go`: an error without a code.
      case .other(let status): AuthAPIError(status: status, code: "unknown", message: rejected.title)
      }
  }
}

extension StorageAPIError {
  /// The errors of `codes.ts` for the reasons that it has.
  fileprivate init(_ rejected: RejectedRequest) {
    func error(_ code: String, _ message: String, named name: String? = nil) -> StorageAPIError {
      StorageAPIError(statusCode: rejected.status, code: code, error: name, message: message)
    }
    self =
      switch rejected.reason {
      case .unauthorized: error("InvalidJWT", "jwt expired", named: "Unauthorized")
      case .forbidden: .refusedByPolicy
      case .notFound: .noSuchKey
      case .conflict: .alreadyExists
      case .notAcceptable, .unprocessable: error("InvalidRequest", rejected.title)
      case .rateLimited:
        error(
          "SlowDown", "Too many connections issued to the database", named: "too_many_connections")
      case .serverError: error("InternalError", "Internal server error")
      case .unavailable: error("DatabaseError", rejected.title)
      case .gatewayTimeout: error("DatabaseTimeout", Self.databaseTimeout.message)
      case .other(let status): error(status < 500 ? "InvalidRequest" : "InternalError", rejected.title)
      }
  }
}

extension EdgeFunctionError {
  /// The errors of the platform, before or instead of the function's own response; the function's own for what only a
  /// function decides.
  fileprivate init(_ rejected: RejectedRequest) {
    let (code, message, isOfPlatform): (String, String, Bool) =
      switch rejected.reason {
      case .unauthorized: (Self.invalidToken.code, Self.invalidToken.message, true)
      case .notFound: ("NOT_FOUND", rejected.title, false)
      case .forbidden: ("FORBIDDEN", rejected.title, false)
      case .notAcceptable: ("NOT_ACCEPTABLE", rejected.title, false)
      case .conflict: ("CONFLICT", rejected.title, false)
      case .unprocessable: ("UNPROCESSABLE", rejected.title, false)
      case .rateLimited: ("RATE_LIMIT", rejected.title, true)
      case .serverError: ("EDGE_FUNCTION_ERROR", "Internal Server Error", true)
      case .unavailable: ("BOOT_ERROR", "Function failed to start (please check logs)", true)
      case .gatewayTimeout: ("IDLE_TIMEOUT", "Function idle timeout", true)
      case .other(status: 546): ("WORKER_LIMIT", "Function exceeded its resource limits", true)
      case .other: ("ERROR", rejected.title, false)
      }
    self.init(status: rejected.status, code: code, message: message, isOfPlatform: isOfPlatform)
  }
}
