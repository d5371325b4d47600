public import Foundation

/// Why threads could not be loaded, stored or marked (seed 002, `DataError`).
public enum DataError: LocalizedError, Sendable {
  /// The forum did not answer as hoped.
  case networkError(NetworkError)
  /// The forum answered with a page that says no: its database is down, the user is banned, a thread is closed.
  case refused(ForumRefusal)
  /// The answer is not a page that can be read; what was looked for and not found, for a developer.
  case parsingError(String)
  /// The store failed. Seed 002 calls it `coreDataError`; here the store may be SQLite.
  case storeError(String)
  /// The caller's task was cancelled. Nothing is to be shown.
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

/// A page on which the forum says no, although its status is 200.
public enum ForumRefusal: Error, Hashable {
  /// Its database is down (`body.database_error`).
  case databaseDown
  /// The user is banned (`body.banned`).
  case banned
  /// The thread takes no more answers ("This thread is closed!").
  case threadClosed
  /// Anything else (`body.standarderror`), in the forum's words.
  case other(String)

  /// The message for the user.
  public var userFacingMessage: String {
    switch self {
    case .databaseDown: "The forum's database is down. Please try again later."
    case .banned: "This account is banned from the forum."
    case .threadClosed: "This thread is closed."
    case .other(let words): words
    }
  }
}
