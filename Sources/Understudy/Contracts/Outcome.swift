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
  /// Whether the clause came to no judgement.
  ///
  /// That is an error that it did not expect, a stage that could not be set up, or a trial that did not end. A mutant
  /// that ends so shows nothing.
  public let isAccident: Bool

  /// A violation found at a place of a contract's source.
  public init(_ message: String, fileID: String, line: Int, isAccident: Bool = false) {
    self.message = message
    self.fileID = fileID
    self.line = line
    self.isAccident = isAccident
  }

  /// The message and the place, if there is one.
  public var description: String { fileID.isEmpty ? message : "\(message) (\(fileID):\(line))" }
}
