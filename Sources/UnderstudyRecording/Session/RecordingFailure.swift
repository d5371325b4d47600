/// A failure or a warning of a recording or its use, with the expected and found values and the remedy.
public struct RecordingFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The message.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
