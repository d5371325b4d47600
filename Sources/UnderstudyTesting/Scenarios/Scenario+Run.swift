import Foundation
public import Testing
public import Understudy

extension Scenario {
  /// Runs the scenario once as part of the current test, and records every invariant that does not hold as an issue.
  ///
  /// A sweep prints such a line for what it found, to be kept as a test:
  ///
  /// ```swift
  /// try await Scenario.adding.run(under: [.at("todos.add", call: 1, .conflict)])
  /// ```
  ///
  /// - Parameters:
  ///   - schedule: Which calls meet which fault.
  ///   - seed: What everything random comes from. `UNDERSTUDY_SEED` does not matter: a line that is kept stays what it was.
  ///   - sourceLocation: Where issues are shown: the caller's line.
  /// - Throws: `CancellationError` when the test is cancelled.
  public func run(
    under schedule: FaultSchedule, seed: UInt64 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let outcome = try await outcome(under: schedule, seed: seed)
    for violation in outcome.violations {
      Issue.record(
        """
        \(name) under \(schedule) breaks \(violation)
        \(Self.shown(outcome.timeline))
        """, sourceLocation: sourceLocation)
    }
  }

  /// Runs the scenario under every fault at every call, and under pairs of them, as part of the current test.
  ///
  /// ```swift
  /// @Test(arguments: [Scenario.adding, .removing])
  /// func survives(_ scenario: Scenario) async throws { try await scenario.sweep() }
  /// ```
  ///
  /// Each invariant that does not hold is an issue, with the smallest schedule under which it does not, as Swift to paste,
  /// and a page of the whole sweep is attached. `UNDERSTUDY_REPORT` gets the sweep as a line.
  /// The seed is `UNDERSTUDY_SEED`, or 0.
  ///
  /// - Parameters:
  ///   - pairLimit: How many pairs of faults are tried, a sample of all; `nil` is all of them.
  ///   - sourceLocation: Where issues are shown: the caller's line.
  /// - Throws: `CancellationError` when the test is cancelled, and what is wrong with the environment.
  public func sweep(pairLimit: Int? = 100, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let settings = try RunSettings(environment: ProcessInfo.processInfo.environment)
    let report = try await report(SweepOptions(seed: settings.seed, pairLimit: pairLimit))
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
        Again alone, in a test: \(report.swift(for: violation))
        Everything again: UNDERSTUDY_SEED=\(settings.seed) swift test
        """, sourceLocation: sourceLocation)
    }
  }

  private static func shown(_ timeline: [String]) -> String {
    "Shown: \(timeline.isEmpty ? "nothing" : timeline.joined(separator: " → "))"
  }
}

extension Scenario: CustomTestStringConvertible {
  /// The name.
  public var testDescription: String { description }
}
