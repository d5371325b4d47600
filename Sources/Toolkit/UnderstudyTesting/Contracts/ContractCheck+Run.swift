import Foundation
public import Testing
public import Understudy
import UnderstudyText

extension ContractCheck {
  /// Checks the clause in the current test, and records every violation as an issue.
  ///
  /// ```swift
  /// @Test(arguments: Contract.todoService.checks(of: .inMemory, .live))
  /// func honours(_ check: ContractCheck<any TodoService>) async throws { try await check.run() }
  /// ```
  ///
  /// A failed clause has an HTML page attached, with its outcome and the commands that reproduce it.
  ///
  /// If the implementation does not support the clause, its test case is cancelled with the reason. In a test that has
  /// no check as its argument, and may go on with others, the reason is printed on standard error instead; so it is in
  /// XCTest.
  /// With Swift 6.2, where a test cannot be cancelled (ST-0016), the case passes. When all checks of a contract have
  /// ended, the skipped ones are printed on standard error, each with its reason. A clause that is skipped for every
  /// implementation of all tests in the process fails, because nothing checks it.
  ///
  /// Environment variables select and reproduce a run:
  ///
  /// - `UNDERSTUDY_CLAUSE`: a prefix of the identifiers of clauses to check; the other test cases are cancelled. A
  ///   prefix of no clause is an issue.
  /// - `UNDERSTUDY_SEED`: the seed of every trial, a non-negative integer (default: 0).
  /// - `UNDERSTUDY_REPORT`: the path of a file to which each outcome is appended as a report, one line of JSON.
  ///
  /// - Parameter sourceLocation: The location of issues (default: the caller's line).
  /// - Throws: To cancel the test case; the violations where there is no current test, as in XCTest.
  public func run(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let end = try await Admission.shared.run { await self.end(in: ProcessInfo.processInfo.environment) }
    var issues = TestIssues(at: sourceLocation)
    for issue in end.issues { issues.record(issue) }
    end.report?.attach(named: description, sourceLocation: sourceLocation)
    try issues.finish()
    if let reason = end.reasonToCancel { try skipCase(of: Self.self, "\(self): \(reason)", sourceLocation) }
  }

  /// Checks the clause with the settings of the environment, and returns the result for the test case.
  func end(in environment: [String: String]) async -> RunEnd {
    let settings: RunSettings
    do {
      settings = try RunSettings(environment: environment)
    } catch {
      return RunEnd(issues: ["\(error)"])
    }
    if let clause = settings.clause, !self.clause.id.hasPrefix(clause) {
      _ = self.end(nil)
      return RunEnd(
        issues: ClauseFilter.problem(of: clause).map { [$0] } ?? [],
        reasonToCancel: "UNDERSTUDY_CLAUSE selects only \(clause).")
    }
    let outcome = await outcome(seed: settings.seed)
    let result = self.end(outcome)
    if let summary = result.summary { TestIssues.print(summary) }
    let report = UnderstudyReport(contracts: [ContractReport(self, outcome, seed: settings.seed)])
    var end = RunEnd()
    if let issue = settings.append(report) { end.issues.append(issue) }
    switch outcome {
    case .passed:
      break
    case .failed(let violations):
      end.report = report
      end.issues += violations.map { violation in
        """
        \(implementation.name) breaks \(clause.id): \(clause.statement)
        \(violation)
        To reproduce: \(settings.command(clause: clause.id))
        """
      }
    case .skipped(let reason):
      end.reasonToCancel = reason
    }
    if let failure = result.failure { end.issues.append(failure) }
    return end
  }
}

/// The filter of `UNDERSTUDY_CLAUSE`, which must not leave out every clause.
enum ClauseFilter {
  private static let reported = Locked<Set<String>>([])

  /// The message about a filter that no clause of the process starts with, once.
  static func problem(of filter: String) -> String? {
    let clauses = CheckGroup.clauses
    guard !clauses.contains(where: { $0.hasPrefix(filter) }),
      reported.withLock({ $0.insert(filter).inserted })
    else { return nil }
    let nearest = clauses.nearest(to: filter).map { " The nearest is \($0)." } ?? ""
    return "UNDERSTUDY_CLAUSE=\(filter) selects no clause, so nothing was checked.\(nearest)"
  }
}

/// The result of a run for its test case.
struct RunEnd: Sendable, Hashable {
  /// The text of each issue.
  var issues: [String] = []
  /// The attachment: the outcome of a failed clause.
  var report: UnderstudyReport?
  /// The reason to cancel the test case; `nil` if it is not cancelled.
  var reasonToCancel: String?
}

extension KillMatrix {
  /// Records each failure of the matrix as an issue.
  ///
  /// ```swift
  /// @Test func theContractIsStrong() async throws {
  ///   try await Contract.todoService.killMatrix(of: Mutant.all).check()
  /// }
  /// ```
  ///
  /// The matrix is appended to the file in `UNDERSTUDY_REPORT` as one line.
  ///
  /// - Parameter sourceLocation: The location of issues (default: the caller's line).
  /// - Throws: The failures where there is no current test, as in XCTest.
  public func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
    var issues = TestIssues(at: sourceLocation)
    issues.append(UnderstudyReport(mutants: [self]))
    for failure in failures { issues.record(failure) }
    try issues.finish()
  }
}

extension DerivedMutantReport {
  /// Records each mutant that no clause notices as an issue, and what was not tried as a warning.
  ///
  /// The number of mutants that were tried is printed to standard error, and the report is appended to the file in
  /// `UNDERSTUDY_REPORT` as one line.
  ///
  /// ```swift
  /// @Test func theContractNoticesEveryMutant() async throws {
  ///   try await Contract.todoService.survivors(of: .inMemory).check()
  /// }
  /// ```
  ///
  /// - Parameter sourceLocation: The location of issues (default: the caller's line).
  /// - Throws: The mutants where there is no current test, as in XCTest.
  public func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
    var issues = TestIssues(at: sourceLocation)
    issues.append(UnderstudyReport(derived: [self]))
    for failure in failures { issues.record(failure) }
    if !untried.isEmpty {
      issues.warn(
        "The clauses of \(contract) do not try:\n\(untried.map { "- \($0)" }.joined(separator: "\n"))")
    }
    TestIssues.print(summary)
    try issues.finish()
  }
}
