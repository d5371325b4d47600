import SharedServices

/// A mistake in the interpretation of a failure, for any service.
///
/// The mistakes of the services include cases of the same names.
enum Misreading: String, Sendable {
  case takesTimeoutsForFailures
  case waitsForANetwork
  case takesLossForOffline
  case hidesTheDelay
  case takesTheEndForSignedOut
  case showsCancellation

  /// Returns the error that is reported for a failure.
  func reading(of error: AppError) -> AppError {
    switch (error, self) {
    case (.network(.timeout), .takesTimeoutsForFailures): .network(.serverError)
    case (.network(.noConnection), .waitsForANetwork): .network(.timeout)
    case (.network(.connectionLost), .takesLossForOffline): .network(.noConnection)
    case (.network(.rateLimited), .hidesTheDelay): .network(.rateLimited(retryAfter: nil))
    case (.network(.unauthorized), .takesTheEndForSignedOut): .authentication(.notSignedIn)
    case (.cancelled, .showsCancellation): .network(.connectionLost)
    default: error
    }
  }
}

extension RawRepresentable<String> {
  /// Returns the error that is reported by a service with this mistake: another one only if the mistake is a
  /// ``Misreading``.
  func reading(of error: AppError) -> AppError {
    Misreading(rawValue: rawValue)?.reading(of: error) ?? error
  }
}
