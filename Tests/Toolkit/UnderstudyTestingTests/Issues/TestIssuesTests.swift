import Foundation
import Testing
import Understudy

@testable import UnderstudyTesting

/// What checks do where Swift Testing has no test, as in XCTest: a detached task inherits none.
@Suite(.stallLimit()) struct TestIssuesTests {
  private static let contract = Contract<Int>("outside") {
    Clause("outside.one", "It is one.") { trial in
      trial.expect(trial.subject, equals: 1, "the number")
    }
    Clause("outside.moon", "It needs the moon.") { trial in
      try await trial.given(Condition<Void>("the moon is full"))
      trial.expect(trial.subject, equals: 1, "the number by moonlight")
    }
  }
  private static let rich = Implementation("rich") { trial in
    trial.on(Condition<Void>("the moon is full")) {}
    return 1
  }

  /// Catches a check that only records issues: XCTest would pass.
  @Test func aViolatedClauseIsThrown() async throws {
    let checks = Self.contract.checks(of: Implementation("five") { _ in 5 }, Self.rich)
    let line = #line + 1
    let text = try await thrown { try await checks[0].run() }
    #expect(text.contains("TestIssuesTests.swift:\(line):"))
    #expect(text.contains("five breaks outside.one: It is one."))
    // XCTest shows the localized description on Apple's platforms.
    #expect(UnrecordedIssues(texts: ["a", "b"]).localizedDescription == "a\nb")
  }

  /// Catches the error with which Swift Testing cancels a test, which XCTest takes for a failure.
  @Test func aSkippedClausePasses() async throws {
    let check = try #require(
      Self.contract.checks(of: Implementation("poor") { _ in 1 }, Self.rich)
        .first { $0.clause.id == "outside.moon" && $0.implementation.name == "poor" })
    let outcome = await check.outcome(seed: 0)
    guard case .skipped = outcome else {
      Issue.record("Expected a skipped clause; found \(outcome).")
      return
    }
    try await Task.detached { try await check.run() }.value
  }

  @Test func survivorsAndKillMatricesAreThrown() async throws {
    let contract = Self.contract
    #expect(
      try await thrown { try await contract.killMatrix(of: []).check() }.contains("outside"))
    let survivors = try await thrown { try await contract.survivors(of: Self.rich).check() }
    #expect(survivors.contains("No clause of outside makes a call"))
  }

  @Test func violatedInvariantsAreThrown() async throws {
    let kept = try await thrown {
      try await Scenario.ringing.run(
        under: [.at("bell.ring", call: 1, .rateLimited(retryAfter: .seconds(30)))])
    }
    #expect(kept.contains("breaks bell.patient"))
    #expect(try await thrown { try await Scenario.ringing.sweep() }.contains("breaks bell.patient"))
    try await Task.detached { try await Scenario.ringing.run(under: [.at("bell.ring", call: 1, .conflict)]) }
      .value
  }

  @Test func aFailedExplorationIsThrown() async throws {
    #expect(
      try await thrown { try await Exploration.counter.run(on: .losing) }
        .contains("The same exploration: UNDERSTUDY_SEED="))
    try await Task.detached { try await Exploration.counter.run(on: .right) }.value
  }

  /// Swift Testing runs in a process with another argument; a program is neither.
  @Test(
    arguments: [
      (["/a/Tests.xctest", "--testing-library", "swift-testing"], [:], false),
      (["/a/Tests.xctest", "--testing-library", "xctest"], [:], true),
      (["/a/Tests.xctest", "ATests/testA"], [:], true),
      (["/Xcode/Agents/xctest", "/a/Tests.xctest"], [:], true),
      (["/a/App"], ["XCTestConfigurationFilePath": "/a/b"], true),
      (["/a/shared-services", "verify"], [:], false),
    ] as [([String], [String: String], Bool)])
  func testCasesAreRecognized(_ arguments: [String], _ environment: [String: String], _ isInUse: Bool) {
    #expect(TestCaseReporter.isInUse(arguments, environment) == isInUse)
  }

  private func thrown(_ body: @escaping @Sendable () async throws -> Void) async throws -> String {
    let recorded = Locked<[String]>([])
    // The run of these tests must not fail.
    let record: @Sendable ([String], SourceLocation) -> Bool = { texts, _ in
      recorded.withLock { $0 += texts }
      return false
    }
    let error = await #expect(throws: (any Error).self) {
      try await Task.detached {
        try await TestIssues.$recordElsewhere.withValue(record) { try await body() }
      }.value
    }
    // Catches a failure that is only thrown, so that `try?` loses it.
    #expect(!recorded.withLock { $0.isEmpty })
    return "\(try #require(error))"
  }
}
