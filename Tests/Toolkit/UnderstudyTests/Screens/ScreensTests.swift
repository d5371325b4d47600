import TestSupport
import Testing
import UnderstudyTesting
@testable import Understudy

/// Sweeps as a user writes them find each of these bugs, and nothing in a screen without it.
@Suite(.stallLimit()) struct ScreensTests {
  /// The extent of `Scenario.sweep()`.
  static let options = SweepOptions(pairLimit: 100, combinationLimit: 20)

  @Test(arguments: Screen.all) func everyWrongScreenIsFound(_ screen: Screen) async throws {
    let violations = try await screen.wrong.report(Self.options).violations
    #expect(
      violations.contains { $0.invariant == screen.broken && $0.schedule.entries.count <= 2 },
      "found: \(violations.map(Self.words))")
    // Who only runs the screen does not see the bug.
    #expect(violations.filter { $0.schedule.entries.isEmpty }.map(Self.words) == [])
  }

  @Test(arguments: Screen.all) func everyRightScreenPasses(_ screen: Screen) async throws {
    for _ in 1...Effort.times(1) {
      let report = try await screen.right.report(Self.options)
      #expect(report.violations.map(Self.words) == [])
    }
  }

  /// Catches a sample of pairs in which two expired sessions appear by chance.
  @Test(arguments: 1...5) func equalFaultsAreTriedFirst(seed: UInt64) async throws {
    let options = SweepOptions(seed: seed, pairLimit: 100, combinationLimit: 0)
    let violations = try await Screen.unauthorizedStorm.wrong.report(options).violations
    #expect(violations.contains { $0.invariant == Screen.unauthorizedStorm.broken })
  }

  static func words(_ violation: SweepReport.Violation) -> String {
    """
    \(violation.schedule) breaks \(violation.invariant): \(violation.message)
    Shown: \(violation.timeline.joined(separator: " → "))
    """
  }
}
