import SharedServices

/// What a failure is taken for by a service that misreads it, whichever service that is.
///
/// The mistakes of the services have its cases under the same names.
enum Misreading: String, Sendable {
  case takesTimeoutsForFailures
  case waitsForANetwork
  case takesLossForOffline
  case hidesTheDelay
  case takesTheEndForSignedOut
  case showsCancellation

  /// What is reported of a failure.
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
  /// What is reported of a failure by a service with this mistake: the failure, unless the mistake is a ``Misreading``.
  func reading(of error: AppError) -> AppError {
    Misreading(rawValue: rawValue)?.reading(of: error) ?? error
  }
}
