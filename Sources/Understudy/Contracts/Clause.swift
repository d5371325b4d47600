/// One promise of a contract: a sentence, and the check that tells whether it is kept.
public struct Clause<Subject: Sendable>: Sendable {
  /// A name that does not change, in dotted parts such as `children.create.stored`.
  public let id: String

  /// What is promised, in one sentence that a person who has never seen the code understands.
  public let statement: String

  /// Whether every implementation owes it.
  public let level: ClauseLevel

  /// The file it is written in, as `Module/File.swift`.
  public let fileID: String

  /// The line it begins at, from 1.
  public let line: Int

  let check: @Sendable (Trial<Subject>) async throws -> Void

  /// A clause.
  ///
  /// - Parameters:
  ///   - id: The name; its parts but the last are the clause's group.
  ///   - statement: The promise.
  ///   - level: `.required` unless said otherwise.
  ///   - fileID: The caller's file.
  ///   - line: The caller's line.
  ///   - check: Expects through the trial. What it throws is a violation too, and so is expecting nothing.
  public init(
    _ id: String, _ statement: String, level: ClauseLevel = .required, fileID: String = #fileID,
    line: Int = #line, check: @escaping @Sendable (Trial<Subject>) async throws -> Void
  ) {
    self.id = id
    self.statement = statement
    self.level = level
    self.fileID = fileID
    self.line = line
    self.check = check
  }

  /// The identifier without its last part: `children.create` of `children.create.stored`.
  public var group: String {
    id.lastIndex(of: ".").map { String(id[..<$0]) } ?? id
  }
}

/// How binding a clause is.
public enum ClauseLevel: String, Sendable, Hashable, Codable {
  /// Every implementation owes it.
  case required
  /// An implementation may do without, but one that has it must have it right.
  case optional
}
