/// An error of the toolkit itself: an expectation of a log that is not met, or a use that cannot work.
public struct UnderstudyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What failed, what was expected and found, and what to do.
  public let description: String

  package init(_ description: String) {
    self.description = description
  }
}
