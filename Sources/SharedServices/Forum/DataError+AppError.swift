extension DataError {
  /// What a failure of the other services is called here: one rule for the live client and for the doubles.
  ///
  /// The forum knows no fields that a user could correct, no sign-in of its own and no feed. What it answers and no rule
  /// foresees cannot be understood.
  package init(_ error: AppError) {
    switch error {
    case .network(let error): self = .networkError(error)
    case .cancelled: self = .cancelled
    case .authentication, .validation, .feed, .unknown: self = .networkError(.unreadableAnswer)
    }
  }
}
