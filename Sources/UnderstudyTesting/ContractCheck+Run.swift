import Foundation
public import Testing
public import UnderstudyContracts

extension ContractCheck {
  /// Tries the clause as part of the current test and records every violation as an issue.
  ///
  /// ```swift
  /// @Test(arguments: Contract.todoService.checks(of: .inMemory, .live))
  /// func honours(_ check: ContractCheck<any TodoService>) async throws { try await check.run() }
  /// ```
  ///
  /// A clause that the implementation cannot be tried under cancels its test case with the reason; with Swift 6.2,
  /// where a test cannot be cancelled (ST-0016), the case passes and only `UNDERSTUDY_REPORT` tells that it was
  /// skipped. The environment can narrow and repeat a run: see ``RunSettings``.
  ///
  /// - Parameter sourceLocation: Where issues are shown: the caller's line.
  /// - Throws: Only to cancel the test case.
  public func run(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let settings: RunSettings
    do {
      settings = try RunSettings(environment: ProcessInfo.processInfo.environment)
    } catch {
      Issue.record("\(error)", sourceLocation: sourceLocation)
      return
    }
    if let clause = settings.clause, !self.clause.id.hasPrefix(clause) {
      return try Self.cancelTest("UNDERSTUDY_CLAUSE asks for \(clause) alone.", sourceLocation)
    }
    let outcome = await outcome(seed: settings.seed)
    do {
      try settings.report?.append(self, outcome)
    } catch {
      Issue.record("\(error)", sourceLocation: sourceLocation)
    }
    switch outcome {
    case .passed:
      break
    case .failed(let violations):
      for violation in violations {
        Issue.record(
          """
          \(implementation.name) breaks \(clause.id): \(clause.statement)
          \(violation)
          Again alone: UNDERSTUDY_CLAUSE=\(clause.id) UNDERSTUDY_SEED=\(settings.seed) swift test
          """, sourceLocation: sourceLocation)
      }
    case .skipped(let reason):
      try Self.cancelTest(reason, sourceLocation)
    }
  }

  private static func cancelTest(_ reason: String, _ sourceLocation: SourceLocation) throws {
    #if compiler(>=6.3)
      try Test.cancel("\(reason)", sourceLocation: sourceLocation)
    #endif
  }
}

extension ContractCheck: CustomTestStringConvertible {
  /// The clause and the implementation.
  public var testDescription: String { description }
}
