/// The steps of onboarding, in order.
public enum OnboardingState: String, Sendable, Hashable, CaseIterable {
  /// Nothing has been entered.
  case notStarted
  /// Data about the parent.
  case userInfo
  /// Data about the child.
  case childInfo
  /// The parent's goals.
  case goals
  /// The topics that the parent wants to discuss.
  case topics
  /// The child's temperament.
  case dispositions
  /// A review of all entries.
  case review
  /// Onboarding is complete.
  case complete

  /// The next step; `nil` after the last one.
  public func next() -> OnboardingState? {
    let steps = Self.allCases
    return steps.firstIndex(of: self).flatMap { $0 + 1 < steps.count ? steps[$0 + 1] : nil }
  }
}
