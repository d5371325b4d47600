public import Foundation

/// Why somebody is not, or no longer, signed in.
public enum AuthError: LocalizedError, Hashable, Sendable {
  /// No account has this address with this password.
  case invalidCredentials
  /// There is no session.
  case notSignedIn
  /// The account is closed for this user.
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
