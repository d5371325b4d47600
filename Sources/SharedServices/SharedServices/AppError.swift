public import Foundation

/// An error that a shared service throws.
public enum AppError: LocalizedError, Sendable {
  case network(NetworkError)
  case authentication(AuthError)
  case validation(ValidationError)
  case feed(FeedError)
  /// The caller's task was cancelled.
  ///
  /// Show no message; the error's message is for logs.
  case cancelled
  /// Any other error, with its cause.
  case unknown(any Error)

  /// The message for the user.
  public var errorDescription: String? { userFacingMessage }

  /// The message for the user.
  public var userFacingMessage: String {
    switch self {
    case .network(let error): error.userFacingMessage
    case .authentication(let error): error.userFacingMessage
    case .validation(let error): error.message
    case .feed(let error): error.userFacingMessage
    case .cancelled: "Cancelled."
    // The sentence of the errors of seed 001, whose examples of view models have others.
    case .unknown: "Something went wrong. Please try again."
    }
  }
}

extension AppError: Equatable {
  /// Two unknown errors are equal if they have the same type and description.
  public static func == (one: AppError, other: AppError) -> Bool {
    switch (one, other) {
    case (.network(let one), .network(let other)): one == other
    case (.authentication(let one), .authentication(let other)): one == other
    case (.validation(let one), .validation(let other)): one == other
    case (.feed(let one), .feed(let other)): one == other
    case (.cancelled, .cancelled): true
    case (.unknown(let one), .unknown(let other)):
      type(of: one) == type(of: other) && String(describing: one) == String(describing: other)
    default: false
    }
  }
}

/// A backend's response that refuses a call, independent of the transport.
package struct ErrorResponse: Error, Sendable, Hashable {
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
  /// Creates the app's error for an error response: one mapping for the live services and the in-memory services.
  ///
  /// A code is more specific than a status, so codes are checked first. A response without a mapping is `.unknown`.
  package init(_ response: ErrorResponse) {
    switch response.code {
    case "23514": self = .validation(.outOfRange(field: response.checkedColumn ?? "value"))
    case "23502": self = .validation(.missing(field: response.firstQuoted ?? "value"))
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
    default: self.init(status: response.status, response)
    }
  }

  private init(status: Int, _ response: ErrorResponse) {
    switch status {
    case 401: self = .network(.unauthorized)
    case 403: self = .network(.forbidden)
    case 404, 406: self = .network(.notFound)
    case 408: self = .network(.timeout)
    case 409: self = .network(.conflict)
    case 422: self = .validation(.malformed(field: nil))
    case 429: self = .network(.rateLimited(retryAfter: response.retryAfter))
    case 500...: self = .network(.serverError)
    default: self = .unknown(response)
    }
  }
}

extension ErrorResponse {
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

/// An error that prevents a user from being signed in.
public enum AuthError: LocalizedError, Hashable, Sendable {
  /// No account matches the address and the password.
  case invalidCredentials
  /// No session exists.
  case notSignedIn
  /// The user is banned from the account.
  case userBanned

  /// The message for the user.
  public var errorDescription: String? { userFacingMessage }

  /// The message for the user.
  public var userFacingMessage: String {
    switch self {
    case .invalidCredentials: "That email and password don't match. Please try again."
    case .notSignedIn: "Please log in to continue."
    case .userBanned: "This account has been suspended. Please contact support."
    }
  }
}

/// An error for a page of a history that cannot be returned (seed 000).
public enum FeedError: LocalizedError, Hashable, Sendable {
  /// `CURSOR_NOT_FOUND`: the session has no such cursor.
  case cursorNotFound
  /// `CURSOR_EXPIRED`: the cursor was valid and has expired.
  case cursorExpired
  /// `INVALID_PARAMS`: the parameters of the request are invalid.
  case invalidParameters

  /// The message for the user.
  public var errorDescription: String? { userFacingMessage }

  /// The message for the user.
  public var userFacingMessage: String {
    switch self {
    case .cursorNotFound, .cursorExpired: "These messages have changed. Please load them again."
    case .invalidParameters: "These messages can't be loaded. Please contact support."
    }
  }
}

/// A failure of a call to a service: the four cases of seed 001 and further ones that occur in practice.
public enum NetworkError: LocalizedError, Hashable, Sendable {
  /// The device is offline, or no connection to the service can be made.
  case noConnection
  /// No response arrived in time.
  case timeout
  /// The service failed (5xx).
  case serverError
  /// The session has ended (401).
  case unauthorized
  /// The user may not do this (403).
  case forbidden
  /// The resource does not exist, or the user may not see it.
  case notFound
  /// The request conflicts with what is stored (409).
  case conflict
  /// Too many requests (429); `retryAfter` is the service's delay before another attempt, if any.
  case rateLimited(retryAfter: Duration?)
  /// The connection broke before the response was complete.
  case connectionLost
  /// The response cannot be decoded.
  case unreadableAnswer

  /// The message for the user.
  public var errorDescription: String? { userFacingMessage }

  /// The message for the user.
  public var userFacingMessage: String {
    switch self {
    case .noConnection: "No internet connection. Please check your network."
    case .timeout: "Request timed out. Please try again."
    case .serverError: "Server error. Please try again later."
    case .unauthorized: "Session expired. Please log in again."
    case .forbidden: "You don't have permission to do that."
    case .notFound: "We couldn't find that. It may have been removed."
    case .conflict: "That already exists. Please choose another name."
    case .rateLimited(let delay):
      switch delay.map(Self.wholeSeconds) {
      case nil: "Too many requests. Please wait a moment and try again."
      case 1: "Too many requests. Please try again in 1 second."
      case .some(let seconds): "Too many requests. Please try again in \(seconds) seconds."
      }
    case .connectionLost: "The connection was lost. Please try again."
    case .unreadableAnswer: "We couldn't read the server's answer. Please try again later."
    }
  }

  /// Rounds up to whole seconds, from 1 to one year, so that every duration has a result.
  private static func wholeSeconds(_ delay: Duration) -> Int {
    Int(min(max(1, (delay / .seconds(1)).rounded(.up)), 31_536_000))
  }
}

/// A value that the service rejects.
public enum ValidationError: LocalizedError, Hashable, Sendable {
  /// A required field is empty or missing.
  case missing(field: String)
  /// The value of a field is outside its range.
  case outOfRange(field: String)
  /// The value of a field is malformed, or the service did not give a reason.
  case malformed(field: String?)

  /// The message for the user.
  public var errorDescription: String? { message }

  /// The message for the user.
  public var message: String {
    switch self {
    case .missing(let field): "Please fill in \(Self.words(field))."
    case .outOfRange(let field): "Please check \(Self.words(field)): the value is outside the allowed range."
    case .malformed(let field?): "Please check \(Self.words(field)): the value is not valid."
    case .malformed(nil): "Please check your entries and try again."
    }
  }

  private static func words(_ field: String) -> String {
    "the " + field.replacingOccurrences(of: "_", with: " ")
  }
}
