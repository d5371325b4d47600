public import Foundation

/// An error of loading, storing or marking threads (seed 002, `DataError`).
public enum DataError: LocalizedError, Sendable {
  /// A call to the forum failed.
  case networkError(NetworkError)
  /// The forum refused with a page: its database is down, the user is banned, or the thread is closed.
  case refused(ForumRefusal)
  /// The page cannot be parsed.
  ///
  /// The text describes for developers what was expected and is missing.
  case parsingError(String)
  /// The store failed.
  ///
  /// Seed 002 names this case `coreDataError`; this store may be SQLite.
  case storeError(String)
  /// The caller's task was cancelled.
  ///
  /// Show no message.
  case cancelled

  /// The message for the user.
  public var errorDescription: String? { userFacingMessage }

  /// The message for the user.
  public var userFacingMessage: String {
    switch self {
    case .networkError(let error): error.userFacingMessage
    case .refused(let refusal): refusal.userFacingMessage
    case .parsingError: "The forum sent a page that this app does not understand."
    case .storeError: "Your threads could not be saved on this device."
    case .cancelled: "Cancelled."
    }
  }
}

extension DataError: Equatable {}

/// A refusal that the forum sends as a page with status 200.
public enum ForumRefusal: Error, Hashable {
  /// The forum's database is down (`body.database_error`).
  case databaseDown
  /// The user is banned (`body.banned`).
  case banned
  /// The reader is not signed in, or no longer, with the forum's message: `#notregistered`, or a `body.standarderror`
  /// that says so.
  ///
  /// The forum has accounts of its own, and sends this page to guests with status 200, not 401.
  case notSignedIn(String)
  /// The thread is closed to replies ("This thread is closed!").
  case threadClosed
  /// Any other refusal (`body.standarderror`), with the forum's message.
  case other(String)

  /// The message for the user.
  public var userFacingMessage: String {
    switch self {
    case .databaseDown: "The forum's database is down. Please try again later."
    case .banned: "This account is banned from the forum."
    case .threadClosed: "This thread is closed."
    case .notSignedIn(let words), .other(let words): words
    }
  }
}

extension DataError {
  /// Creates the forum's error for an error of the other services: one mapping for the live client and the doubles.
  ///
  /// The forum has no fields that a user could correct, no sign-in of its own and no feed. Errors without a mapping
  /// become `.networkError(.unreadableAnswer)`.
  package init(_ error: AppError) {
    switch error {
    case .network(let error): self = .networkError(error)
    case .cancelled: self = .cancelled
    case .authentication, .validation, .feed, .unknown: self = .networkError(.unreadableAnswer)
    }
  }
}
