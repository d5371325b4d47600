public import Foundation

/// Why a history has no such page (seed 000).
public enum FeedError: LocalizedError, Hashable, Sendable {
  /// `CURSOR_NOT_FOUND`: there is no place of this name in the session.
  case cursorNotFound
  /// `CURSOR_EXPIRED`: there was such a place, and it is not known any more.
  case cursorExpired
  /// `INVALID_PARAMS`: no page can be asked for in this way.
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
