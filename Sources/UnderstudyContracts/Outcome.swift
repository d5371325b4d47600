/// How an implementation fared under one clause.
public enum Outcome: Sendable, Hashable {
  /// It kept the promise.
  case passed
  /// It broke the promise in these ways, every one that was found.
  case failed([Violation])
  /// The clause could not be tried, for this reason.
  case skipped(reason: String)
}

/// One way in which a promise was broken.
public struct Violation: Sendable, Hashable, CustomStringConvertible {
  /// What was expected and what happened instead.
  public let message: String
  /// The file of the expectation, as `Module/File.swift`.
  public let fileID: String
  /// The line of the expectation, from 1.
  public let line: Int

  /// A violation found at a place of a contract's source.
  public init(_ message: String, fileID: String, line: Int) {
    self.message = message
    self.fileID = fileID
    self.line = line
  }

  /// The message and the place.
  public var description: String { "\(message) (\(fileID):\(line))" }
}
