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
  /// - Throws: `CancellationError` when the test is cancelled.
  public func run(
    under schedule: FaultSchedule, seed: UInt64 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let outcome = try await Admission.shared.run { try await self.outcome(under: schedule, seed: seed) }
    if outcome.violations.isEmpty, outcome.invariants.isEmpty {
      Issue.record(
        "\(name) under \(schedule) checked no invariant. Check one with run.expect(_:_:_:) or run.always(_:_:_:).",
        sourceLocation: sourceLocation)
    }
    for violation in outcome.violations {
      Issue.record(
        """
        \(name) under \(schedule) breaks \(violation)
        \(Self.shown(outcome.timeline))
        """, sourceLocation: sourceLocation)
    }
  }

  /// Runs the scenario with every fault and every interruption at every call, with pairs of faults, and with random
  /// combinations, in the current test.
  ///
  /// ```swift
  /// @Test(arguments: [Scenario.adding, .removing])
  /// func survives(_ scenario: Scenario) async throws { try await scenario.sweep() }
  /// ```
  ///
  /// Each violated invariant is an issue, with the smallest schedule that violates it as Swift code, and an HTML page of
  /// the whole sweep is attached. The sweep is appended to the file in `UNDERSTUDY_REPORT` as one line. The seed is
  /// `UNDERSTUDY_SEED` (default: 0).
  ///
  /// - Parameters:
  ///   - pairLimit: The number of pairs of faults to sample; `nil` for all pairs. Calls that fail alike count once.
  ///   - combinationLimit: The number of random combinations of up to three faults and interruptions.
  ///   - sourceLocation: The location of issues (default: the caller's line).
  /// - Throws: `CancellationError` when the test is cancelled, and an error for an invalid environment variable.
  public func sweep(
    pairLimit: Int? = 100, combinationLimit: Int = 20, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let settings = try RunSettings(environment: ProcessInfo.processInfo.environment)
    let report = try await Admission.shared.run {
      try await self.report(
        SweepOptions(seed: settings.seed, pairLimit: pairLimit, combinationLimit: combinationLimit))
    }
    if let issue = settings.append(UnderstudyReport(sweeps: [report])) {
      Issue.record("\(issue)", sourceLocation: sourceLocation)
    }
    if !report.isClean {
      UnderstudyReport(sweeps: [report]).attach(named: name, sourceLocation: sourceLocation)
    }
    for violation in report.violations {
      Issue.record(
        """
        \(name) under \(violation.schedule) breaks \(violation.invariant): \(violation.message)
        \(Self.shown(violation.timeline))
        Covered: \(report.coverage)
        To reproduce in a test: \(report.swift(for: violation))
        To repeat the sweep: UNDERSTUDY_SEED=\(settings.seed) swift test
        """, sourceLocation: sourceLocation)
    }
  }

  private static func shown(_ timeline: [String]) -> String {
    "Shown: \(timeline.isEmpty ? "nothing" : timeline.joined(separator: " → "))"
  }
}
