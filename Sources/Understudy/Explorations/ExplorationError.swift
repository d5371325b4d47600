/// An error thrown when a service cannot be explored.
package struct ExplorationError: Error, Hashable, CustomStringConvertible {
  /// The reason.
  package let description: String
  /// Whether the implementation only lacks a condition that the model requires.
  package let isSkip: Bool

  init(_ description: String, isSkip: Bool = false) {
    self.description = description
    self.isSkip = isSkip
  }
}
