/// One requirement of a contract: a sentence and the check that verifies it.
public struct Clause<Subject: Sendable>: Sendable {
  /// A stable name in dotted parts, such as `children.create.stored`.
  public let id: String

  /// The requirement in one sentence that a reader without knowledge of the code understands.
  package let statement: String

  /// The file that declares the clause, as `Module/File.swift`.
  package let fileID: String

  /// The line of the declaration, starting at 1.
  package let line: Int

  let check: @Sendable (Trial<Subject>) async throws -> Void

  /// Creates a clause.
  ///
  /// - Parameters:
  ///   - id: The name; all parts but the last form the clause's group.
  ///   - statement: The requirement.
  ///   - fileID: The caller's file.
  ///   - line: The caller's line.
  ///   - check: Records expectations through the trial. An error that it throws is a violation; so is a check without
  ///     an expectation.
  public init(
    _ id: String, _ statement: String, fileID: String = #fileID,
    line: Int = #line, check: @escaping @Sendable (Trial<Subject>) async throws -> Void
  ) {
    self.id = id
    self.statement = statement
    self.fileID = fileID
    self.line = line
    self.check = check
  }

  /// The identifier without its last part: `children.create` of `children.create.stored`.
  package var group: String {
    id.lastIndex(of: ".").map { String(id[..<$0]) } ?? id
  }
}
