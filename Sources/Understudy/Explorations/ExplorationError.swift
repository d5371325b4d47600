/// An error thrown when a service cannot be explored.
public struct ExplorationError: Error, Hashable, CustomStringConvertible {
  /// The reason.
  public let description: String
  /// Whether the implementation only lacks a condition that the model requires.
  public let isSkip: Bool

  init(_ description: String, isSkip: Bool = false) {
    self.description = description
    self.isSkip = isSkip
  }
}
