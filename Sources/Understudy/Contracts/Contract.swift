/// What every implementation of a service must do, as named clauses.
///
/// A contract is a value, so it can be kept beside the protocol that it is about:
///
/// ```swift
/// extension Contract where Subject == any TodoService {
///   static var todoService: Self {
///     Contract("todos") {
///       Clause("todos.add.listed", "An added item is listed until it is removed.") { trial in
///         let item = try await trial.subject.add("Milk")
///         trial.expect(try await trial.subject.items(), equals: [item])
///       }
///     }
///   }
/// }
/// ```
public struct Contract<Subject: Sendable>: Sendable {
  /// The service that it is about, in one word, such as `todos`.
  public let name: String

  /// The clauses, in the order in which they are written.
  public let clauses: [Clause<Subject>]

  /// A contract of these clauses.
  ///
  /// The identifiers must differ. A contract that breaks this rule, or that has no clause, gives checks that
  /// fail and say so.
  public init(_ name: String, @ContractBuilder<Subject> clauses: () -> [Clause<Subject>]) {
    self.name = name
    self.clauses = clauses()
  }

  /// One check for each clause and implementation, clause by clause: the arguments of a parameterised test.
  ///
  /// - Parameters:
  ///   - implementation: The first implementation; there is always one, for a test without arguments passes unseen.
  ///   - others: Further ones.
  public func checks(
    of implementation: Implementation<Subject>, _ others: Implementation<Subject>...
  ) -> [ContractCheck<Subject>] {
    checks(ofAll: [implementation] + others)
  }

  package func checks(ofAll implementations: [Implementation<Subject>]) -> [ContractCheck<Subject>] {
    let sound = flaw.map { flaw in
      Clause<Subject>("\(name).contract", "The contract is well formed.") { trial in
        trial.expect(false, flaw)
      }
    }
    return ((sound.map { [$0] } ?? []) + clauses).flatMap { clause in
      implementations.map { ContractCheck(contract: name, clause: clause, implementation: $0) }
    }
  }

  /// What is wrong with the contract itself, if anything is.
  private var flaw: String? {
    if clauses.isEmpty {
      return "The contract \"\(name)\" has no clause, so it would hold for anything. Add one."
    }
    let twice = Dictionary(grouping: clauses, by: \.id).filter { $0.value.count > 1 }.keys.sorted()
    return twice.isEmpty
      ? nil
      : "The contract \"\(name)\" uses an identifier for several clauses: \(twice.joined(separator: ", "))."
  }
}

/// Collects the clauses of a contract.
@resultBuilder
public enum ContractBuilder<Subject: Sendable> {
  /// A single clause.
  public static func buildExpression(_ clause: Clause<Subject>) -> [Clause<Subject>] { [clause] }

  /// Clauses that are kept elsewhere, such as a group in a file of its own.
  public static func buildExpression(_ clauses: [Clause<Subject>]) -> [Clause<Subject>] { clauses }

  /// The clauses of a block, in order.
  public static func buildBlock(_ clauses: [Clause<Subject>]...) -> [Clause<Subject>] {
    clauses.flatMap { $0 }
  }

  /// The clauses of a loop, in order.
  public static func buildArray(_ clauses: [[Clause<Subject>]]) -> [Clause<Subject>] {
    clauses.flatMap { $0 }
  }

  /// The clauses of a condition, or none.
  public static func buildOptional(_ clauses: [Clause<Subject>]?) -> [Clause<Subject>] { clauses ?? [] }
}
