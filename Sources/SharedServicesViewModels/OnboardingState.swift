/// The steps of onboarding, in order.
public enum OnboardingState: String, Sendable, Hashable, CaseIterable {
  /// Nothing has been asked yet.
  case notStarted
  /// The parent says who they are.
  case userInfo
  /// The parent says who the child is.
  case childInfo
  /// What the parent hopes for.
  case goals
  /// What they want to talk about.
  case topics
  /// How the child meets the world.
  case dispositions
  /// Everything once more.
  case review
  /// Done.
  case complete

  /// The step after this one, or `nil` after the last.
  public func next() -> OnboardingState? {
    let steps = Self.allCases
    return steps.firstIndex(of: self).flatMap { $0 + 1 < steps.count ? steps[$0 + 1] : nil }
  }
}
