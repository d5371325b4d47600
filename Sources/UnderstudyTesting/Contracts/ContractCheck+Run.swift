import Foundation
public import Testing
public import Understudy

extension ContractCheck {
  /// Tries the clause as part of the current test and records every violation as an issue.
  ///
  /// ```swift
  /// @Test(arguments: Contract.todoService.checks(of: .inMemory, .live))
  /// func honours(_ check: ContractCheck<any TodoService>) async throws { try await check.run() }
  /// ```
  ///
  /// A clause that fails has a page attached, with its outcome and how to try it again.
  ///
  /// A clause that the implementation cannot be tried under cancels its test case with the reason; with Swift 6.2,
  /// where a test cannot be cancelled (ST-0016), the case passes and only `UNDERSTUDY_REPORT` tells that it was
  /// skipped.
  ///
  /// The environment can narrow and repeat a run:
  ///
  /// - `UNDERSTUDY_CLAUSE`: only clauses whose identifier begins with this are tried, the others' cases are cancelled.
  /// - `UNDERSTUDY_SEED`: the seed of every trial, a whole number from 0; 0 unless set.
  /// - `UNDERSTUDY_REPORT`: the path of a file to which each outcome is appended as a report, a line of JSON.
  ///
  /// - Parameter sourceLocation: Where issues are shown: the caller's line.
  /// - Throws: Only to cancel the test case.
  public func run(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let end = await end(in: ProcessInfo.processInfo.environment)
    for issue in end.issues { Issue.record("\(issue)", sourceLocation: sourceLocation) }
    end.report?.attach(named: description, sourceLocation: sourceLocation)
    if let reason = end.reasonToCancel { try cancelTest(reason, sourceLocation) }
  }

  /// Tries the clause as the environment says, and what the test case is to be told of it.
  func end(in environment: [String: String]) async -> RunEnd {
    let settings: RunSettings
    do {
      settings = try RunSettings(environment: environment)
    } catch {
      return RunEnd(issues: ["\(error)"])
    }
    if let clause = settings.clause, !self.clause.id.hasPrefix(clause) {
      return RunEnd(reasonToCancel: "UNDERSTUDY_CLAUSE asks for \(clause) alone.")
    }
    let outcome = await outcome(seed: settings.seed)
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
        Again alone: UNDERSTUDY_CLAUSE=\(clause.id) UNDERSTUDY_SEED=\(settings.seed) swift test
        """
      }
    case .skipped(let reason):
      end.reasonToCancel = reason
    }
    return end
  }
}

/// What a test case is told of a run.
struct RunEnd: Sendable, Hashable {
  /// The text of each issue.
  var issues: [String] = []
  /// What is attached: the outcome of a clause that failed.
  var report: UnderstudyReport?
  /// Why the test case is cancelled, or `nil` if it is not.
  var reasonToCancel: String?
}

extension ContractCheck: CustomTestStringConvertible {
  /// The clause and the implementation.
  public var testDescription: String { description }
}
