/// Why a report cannot be read, written or joined.
public struct ReportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One line: what was expected, what is there, and what to do.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
