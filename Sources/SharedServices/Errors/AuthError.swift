public import Foundation

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
