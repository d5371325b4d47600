extension DataError {
  /// Creates the forum's error for an error of the other services: one mapping for the live client and the doubles.
  ///
  /// The forum has no fields that a user could correct, no sign-in of its own and no feed. Errors without a mapping
  /// become parsing errors.
  package init(_ error: AppError) {
    switch error {
    case .network(let error): self = .networkError(error)
    case .cancelled: self = .cancelled
    case .authentication, .validation, .feed, .unknown: self = .networkError(.unreadableAnswer)
    }
  }
}
