public import Foundation

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
