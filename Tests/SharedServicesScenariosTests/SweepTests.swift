import Testing
import UnderstudyDoubles

@testable import SharedServicesScenarios

struct SweepTests {
  @Test(arguments: [Scenario.onboarding, .profile, .lyra])
  func everyScreenPasses(_ scenario: Scenario) async throws {
    let clock = ContinuousClock()
    let start = clock.now
    let report = try await scenario.sweep()
    print("\(scenario) \(report.counts) \(report.points.count) points, \(start.duration(to: clock.now))")
    for violation in report.violations { Issue.record("\(violation.invariant): \(violation.message)\n\(violation.swift)\n\(violation.timeline)\n+\(violation.others.count)") }
  }
}
