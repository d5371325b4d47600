/// The behaviour that every implementation of a service must have, as named clauses.
///
/// A contract is a value, so it can be declared next to the protocol that it describes:
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
  /// The service that the contract describes, in one word, such as `todos`.
  package let name: String

  /// The clauses, in the order of their declaration.
  package let clauses: [Clause<Subject>]

  /// Creates a contract of clauses.
  ///
  /// The identifiers must differ. The checks of a contract that breaks this rule, or that has no clause, fail with a
  /// message.
  public init(_ name: String, @ContractBuilder<Subject> clauses: () -> [Clause<Subject>]) {
    self.name = name
    self.clauses = clauses()
  }

  /// One check for each clause and implementation, clause by clause: the arguments of a parameterized test.
  ///
  /// - Parameters:
  ///   - implementation: The first implementation. It is required because a test without arguments passes unnoticed.
  ///   - others: Further implementations.
  public func checks(
    of implementation: Implementation<Subject>, _ others: Implementation<Subject>...
  ) -> [ContractCheck<Subject>] {
    checks(ofAll: [implementation] + others)
  }

  package func checks(ofAll implementations: [Implementation<Subject>]) -> [ContractCheck<Subject>] {
    let sound = problem.map { problem in
      Clause<Subject>("\(name).contract", "The contract is well formed.") { trial in
        trial.expect(false, problem)
      }
    }
    let pairs = ((sound.map { [$0] } ?? []) + clauses).flatMap { clause in
      implementations.map { (clause, $0) }
    }
    let group = CheckGroup(
      contract: name,
      members: pairs.map { clause, implementation in
        CheckGroup.Member(
          clause: CheckGroup.ClauseKey(id: clause.id, fileID: clause.fileID, line: clause.line),
          implementation: implementation.name)
      })
    return pairs.enumerated().map { place, pair in
      ContractCheck(
        contract: name, clause: pair.0, implementation: pair.1, membership: (group, place))
    }
  }

  /// The error in the contract itself, if any.
  private var problem: String? {
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

  /// Clauses that are declared elsewhere, such as a group in another file.
  public static func buildExpression(_ clauses: [Clause<Subject>]) -> [Clause<Subject>] { clauses }

  /// The clauses of a block, in order.
  public static func buildBlock(_ clauses: [Clause<Subject>]...) -> [Clause<Subject>] {
    clauses.flatMap { $0 }
  }

  /// The clauses of a loop, in order.
  public static func buildArray(_ clauses: [[Clause<Subject>]]) -> [Clause<Subject>] {
    clauses.flatMap { $0 }
  }

}
