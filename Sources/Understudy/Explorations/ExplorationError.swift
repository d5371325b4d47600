/// Why a service could not be explored.
public struct ExplorationError: Error, Hashable, CustomStringConvertible {
  /// The reason.
  public let description: String
  /// Whether the implementation lacks a condition that the model asks for, so that nothing is wrong with it.
  public let isSkip: Bool

  init(_ description: String, isSkip: Bool = false) {
    self.description = description
    self.isSkip = isSkip
  }
}
