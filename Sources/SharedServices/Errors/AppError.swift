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
