import Testing
import UnderstudyContracts

/// Expects that a contract catches a deliberately wrong implementation in one clause, with these words.
func expect<Subject>(
  _ contract: Contract<Subject>, toCatch mutant: Implementation<Subject>, in clause: String,
  saying message: String, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let check = try #require(
    contract.checks(of: mutant).first { $0.clause.id == clause }, sourceLocation: sourceLocation)
  let violations = await check.outcome().violations.map(\.message)
  #expect(
    violations.contains { $0.contains(message) }, "\(mutant.name) under \(clause): \(violations)",
    sourceLocation: sourceLocation)
}
