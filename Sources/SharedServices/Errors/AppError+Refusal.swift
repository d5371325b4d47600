/// A backend's refusal of a call, independent of the transport.
package struct Refusal: Error, Sendable, Hashable {
  /// The HTTP status.
  package var status: Int
  /// A SQLSTATE, or a code defined by the backend.
  package var code: String?
  /// The backend's message, for developers.
  package var message: String
  /// The delay before another attempt that the backend asks for.
  package var retryAfter: Duration?

  package init(status: Int, code: String?, message: String, retryAfter: Duration? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.retryAfter = retryAfter
  }
}

extension AppError {
  /// Creates the app's error for a refusal: one mapping for the live services and the in-memory services.
  ///
  /// A code is more specific than a status, so codes are checked first. A refusal without a mapping is `.unknown`.
  package init(_ refusal: Refusal) {
    switch refusal.code {
    case "23514": self = .validation(.outOfRange(field: refusal.checkedColumn ?? "value"))
    case "23502": self = .validation(.missing(field: refusal.firstQuoted ?? "value"))
    case "23505": self = .network(.conflict)
    // A foreign key violation: the row that the call refers to does not exist.
    case "23503": self = .network(.notFound)
    case "invalid_credentials": self = .authentication(.invalidCredentials)
    case "user_banned": self = .authentication(.userBanned)
    case "session_not_found", "session_expired", "refresh_token_not_found", "refresh_token_already_used",
      "bad_jwt":
      self = .network(.unauthorized)
    case "CURSOR_NOT_FOUND": self = .feed(.cursorNotFound)
    case "CURSOR_EXPIRED": self = .feed(.cursorExpired)
    case "INVALID_PARAMS": self = .feed(.invalidParameters)
    case let code? where code.hasPrefix("22") || code.hasPrefix("23"):
      self = .validation(.malformed(field: nil))
    default: self.init(status: refusal.status, refusal)
    }
  }

  private init(status: Int, _ refusal: Refusal) {
    switch status {
    case 401: self = .network(.unauthorized)
    case 403: self = .network(.forbidden)
    case 404, 406: self = .network(.notFound)
    case 408: self = .network(.timeout)
    case 409: self = .network(.conflict)
    case 422: self = .validation(.malformed(field: nil))
    case 429: self = .network(.rateLimited(retryAfter: refusal.retryAfter))
    case 500...: self = .network(.serverError)
    default: self = .unknown(refusal)
    }
  }
}

extension Refusal {
  /// The first name in double quotes: the column in a 23502.
  fileprivate var firstQuoted: String? { quoted.first }

  /// The column of a 23514, from PostgreSQL's names for constraints: `<table>_<column>_check`.
  fileprivate var checkedColumn: String? {
    guard quoted.count >= 2, let table = quoted.first, let constraint = quoted.last,
      constraint.hasPrefix(table + "_"), constraint.hasSuffix("_check")
    else { return nil }
    return String(constraint.dropFirst(table.count + 1).dropLast("_check".count))
  }

  private var quoted: [String] {
    message.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
  }
}
