import Foundation
public import Testing
public import Understudy

extension Contract {
  /// Compares two implementations with the same random calls in the current test, and records a difference as an issue.
  ///
  /// ```swift
  /// @Test func theDoubleAnswersLikeTheService() async throws {
  ///   try await Contract.todoService.compare(.inMemory, with: .live, through: .todoService)
  /// }
  /// ```
  ///
  /// The issue contains the shortest program that shows the difference, as a clause that expects what the second
  /// implementation does. `UNDERSTUDY_SEED` is the seed of all randomness (default: 0). `UNDERSTUDY_EFFORT` multiplies
  /// the number of programs (default: 1). What was left out, such as an operation that no clause calls, is a warning.
  ///
  /// - Parameters:
  ///   - one: The implementation in which the clauses run once, for the arguments of their calls.
  ///   - other: The other implementation.
  ///   - operations: The operations of the service, which `understudy generate` writes.
  ///   - conditions: The conditions in which every program begins (default: none).
  ///   - others: The conditions that may hold during a call, or from a step on.
  ///   - freedoms: What may differ.
  ///   - size: The number and length of the programs.
  ///   - sourceLocation: The location of issues (default: the caller's line).
  /// - Throws: The failure where there is no current test, as in XCTest, and `CancellationError`.
  public func compare<each Fixture: Sendable>(
    _ one: Implementation<Subject>, with other: Implementation<Subject>,
    through operations: ServiceOperations<Subject>, given conditions: repeat Condition<each Fixture>,
    under others: [Condition<Void>] = [], freedoms: [Freedom] = [], size: ComparisonSize = ComparisonSize(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    var issues = TestIssues(at: sourceLocation)
    do {
      let settings = try RunSettings(environment: ProcessInfo.processInfo.environment)
      let report = try await Admission.shared.run {
        try await comparison(
          of: one, with: other, through: operations, given: repeat each conditions, under: others,
          freedoms: freedoms, seed: settings.seed, size: size.times(settings.effort))
      }
      if let failure = report.failure {
        issues.record("\(failure)\nThe same comparison: \(settings.command())")
      }
      for warning in report.warnings { issues.warn(warning) }
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      issues.record("\(error)")
    }
    try issues.finish()
  }
}
