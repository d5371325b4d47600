import Foundation
public import Testing
public import Understudy

extension Scenario {
  /// Runs the scenario once in the current test, and records every violated invariant as an issue.
  ///
  /// A sweep prints such a line for each violation, to be kept as a test:
  ///
  /// ```swift
  /// try await Scenario.adding.run(under: [.at("todos.add", call: 1, .conflict)])
  /// ```
  ///
  /// - Parameters:
  ///   - schedule: The faults and the interruptions, and their calls.
  ///   - seed: The seed of all randomness. `UNDERSTUDY_SEED` has no effect, so that a kept line stays reproducible.
  ///   - sourceLocation: The location of issues (default: the caller's line).
  /// - Throws: `CancellationError` when the test is cancelled; the violations where there is no current test, as in XCTest.
  public func run(
    under schedule: FaultSchedule, seed: UInt64 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let outcome = try await Admission.shared.run { try await self.outcome(under: schedule, seed: seed) }
    var issues = TestIssues(at: sourceLocation)
    if outcome.isUnchecked {
      issues.record("\(name) under \(schedule) checked no invariant. Check one with \(Self.waysToCheck).")
    }
    for violation in outcome.violations {
      issues.record(
        """
        \(name) under \(schedule) breaks \(violation)
        \(Self.shown(outcome.timeline))
        """)
    }
    try issues.finish()
  }

  /// Runs the scenario with every fault and every interruption at every call, with pairs of faults, and with random
  /// combinations, in the current test.
  ///
  /// ```swift
  /// @Test(arguments: [Scenario.adding, .removing])
  /// func survives(_ scenario: Scenario) async throws { try await scenario.sweep() }
  /// ```
  ///
  /// Each violated invariant is an issue, with the smallest schedule that violates it as Swift code and the other calls
  /// at which it is violated, and an HTML page of the whole sweep is attached. A sweep that passes prints a notice on
  /// standard error if there is something that it did not try, such as an interruption that changes nothing. The sweep
  /// is appended to the file in `UNDERSTUDY_REPORT` as one line. The seed is `UNDERSTUDY_SEED` (default: 0).
  ///
  /// A run is stuck when the process has been idle for 30 seconds, or for `UNDERSTUDY_STALL` seconds. The sweep stops
  /// after two stuck runs, or after one without a fault. The command `sweep` tries 500 pairs and 100 combinations.
  ///
  /// - Parameters:
  ///   - pairLimit: The number of pairs of faults to sample; `nil` for all pairs. Of the faults of a call for which it
  ///     throws equal errors, pairs have one.
  ///   - combinationLimit: The number of random combinations of up to three faults and interruptions.
  ///   - sourceLocation: The location of issues (default: the caller's line).
  /// - Throws: `CancellationError` when the test is cancelled; an error for an invalid environment variable; the violations
  ///   where there is no current test, as in XCTest.
  public func sweep(
    pairLimit: Int? = 100, combinationLimit: Int = 20, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let settings = try RunSettings(environment: ProcessInfo.processInfo.environment)
    let report = try await Admission.shared.run {
      let known = Locked(0)
      return try await self.report(
        SweepOptions(seed: settings.seed, pairLimit: pairLimit, combinationLimit: combinationLimit)
      ) { progress in
        let notice = known.withLock { known in
          defer { known = progress.stuck.count }
          return progress.notice(of: self, after: known)
        }
        if let notice { TestIssues.print(notice) }
      }
    }
    var issues = TestIssues(at: sourceLocation)
    if let issue = settings.append(UnderstudyReport(sweeps: [report])) { issues.record(issue) }
    if !report.isClean {
      UnderstudyReport(sweeps: [report]).attach(named: name, sourceLocation: sourceLocation)
    } else if let notice = report.notice {
      TestIssues.print(notice)
    }
    var known: Set<String> = []
    for violation in report.violations where known.insert(violation.invariant).inserted {
      // One run does not show what a sweep lacks.
      let reproduction =
        violation.isOfSweep ? "" : "To reproduce in a test: \(report.swift(for: violation))\n"
      let also = report.others(than: violation).map { "\nAlso at: \($0)" } ?? ""
      issues.record(
        """
        \(name) under \(violation.schedule) breaks \(violation.invariant): \(violation.message)
        \(Self.shown(violation.timeline))\(also)
        Covered: \(report.coverage)
        \(reproduction)To repeat the sweep: \(settings.command())
        """)
    }
    try issues.finish()
  }

  private static func shown(_ timeline: [String]) -> String {
    "Shown: \(timeline.isEmpty ? "nothing" : timeline.joined(separator: " → "))"
  }
}
