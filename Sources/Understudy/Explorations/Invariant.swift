/// What holds whenever no call is under way.
public struct Invariant<Subject: Sendable, Model: Sendable>: Sendable {
  /// What holds, as one sentence.
  public let statement: String

  let holds: @Sendable (Model, Subject) async throws -> Bool

  /// An invariant, which is tried after each command of a sequence.
  ///
  /// - Parameters:
  ///   - statement: What holds.
  ///   - holds: Looks at the model, and may ask the service, but changes nothing. What it throws breaks it.
  public init(
    _ statement: String, holds: @escaping @Sendable (_ model: Model, _ subject: Subject) async throws -> Bool
  ) {
    self.statement = statement
    self.holds = holds
  }
}
