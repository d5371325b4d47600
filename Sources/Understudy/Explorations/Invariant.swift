/// A property that holds whenever no call is in progress.
public struct Invariant<Subject: Sendable, Model: Sendable>: Sendable {
  /// The property in one sentence.
  package let statement: String

  let holds: @Sendable (Model, Subject) async throws -> Bool

  /// Creates an invariant, which is checked after each command of a sequence.
  ///
  /// - Parameters:
  ///   - statement: The property in one sentence.
  ///   - holds: Returns whether the property holds. It may call the service, but must not change anything. An error
  ///     that it throws is a violation.
  public init(
    _ statement: String, holds: @escaping @Sendable (_ model: Model, _ subject: Subject) async throws -> Bool
  ) {
    self.statement = statement
    self.holds = holds
  }
}
