/// What is wrong with a recording or with how it was used: what was expected, what happened and what to do.
public struct RecordingFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// A text for people.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
