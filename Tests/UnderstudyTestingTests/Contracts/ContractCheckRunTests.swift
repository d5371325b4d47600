import Foundation
import Testing
import Understudy

@testable import UnderstudyTesting

struct ContractCheckRunTests {
  private static let contract = Contract<Int>("number") {
    Clause("number.one", "It is one.") { trial in
      trial.expect(trial.subject, equals: 1, "the number")
      trial.expect(trial.subject < 3, "Expected a small number.")
    }
  }

  @Test(arguments: contract.checks(of: Implementation("one") { _ in 1 }))
  func aKeptClausePasses(_ check: ContractCheck<Int>) async throws {
    try await check.run()
  }

  @Test func everyViolationIsAnIssueAtTheCallersLine() async throws {
    let check = Self.contract.checks(of: Implementation("five") { _ in 5 })[0]
    let line = #line + 3
    let places = Locked<[Int]>([])
    try await withKnownIssue {
      try await check.run()
    } matching: { issue in
      places.withLock { $0.append(issue.sourceLocation?.line ?? 0) }
      return issue.comments.contains { "\($0)".contains("five breaks number.one: It is one.") }
    }
    #expect(places.withLock { $0 } == [line, line])
  }

  @Test func anUnselectedClauseIsCancelledAndNotRun() async throws {
    let path = NSTemporaryDirectory() + "understudy-\(UUID().uuidString).jsonl"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let trials = Locked(0)
    let check = Self.contract.checks(
      of: Implementation("five") { _ in
        trials.withLock { $0 += 1 }
        return 5
      })[0]
    let other = await check.end(in: ["UNDERSTUDY_CLAUSE": "number.two", "UNDERSTUDY_REPORT": path])
    #expect(other == RunEnd(reasonToCancel: "UNDERSTUDY_CLAUSE selects only number.two."))
    #expect(trials.withLock { $0 } == 0)
    #expect(!FileManager.default.fileExists(atPath: path))
    let own = await check.end(in: ["UNDERSTUDY_CLAUSE": "number."])
    #expect(own.reasonToCancel == nil)
    #expect(own.issues.count == 2)
  }

  private static let needy = Contract<Int>("needy") {
    Clause("needy.one", "It needs something.") { trial in
      _ = try await trial.given(Condition<Void>("the moon is full"))
      trial.expect(false, "Never tried.")
    }
  }.checks(of: Implementation("poor") { _ in 1 })[0]

  @Test func aSkippedClauseIsCancelledWithTheReason() async throws {
    let path = NSTemporaryDirectory() + "understudy-\(UUID().uuidString).jsonl"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let end = await Self.needy.end(in: ["UNDERSTUDY_REPORT": path])
    #expect(end.issues.isEmpty)
    #expect(end.reasonToCancel?.contains("the moon is full") == true)
    let report = try UnderstudyReport(parsing: Data(contentsOf: URL(filePath: path)), named: path)
    #expect(report.contracts[0].clauses[0].outcomes.map(\.outcome.reason) == [end.reasonToCancel])
  }

  /// The code after the run of a cancelled case is not reached.
  @Test func aRunThatIsCancelledEndsItsCase() async throws {
    try await Self.needy.run()
    #if compiler(>=6.3)
      Issue.record("The run went on although its clause could not be tried.")
    #endif
  }

  @Test func invalidSettingsAreAnIssue() async {
    let check = Self.contract.checks(of: Implementation("one") { _ in 1 })[0]
    let seed = await check.end(in: ["UNDERSTUDY_SEED": "x1"])
    #expect(seed.issues == ["UNDERSTUDY_SEED must be an integer of at least 0; found \"x1\"."])
    let report = await check.end(in: ["UNDERSTUDY_REPORT": NSTemporaryDirectory() + "no/such/folder/report"])
    #expect(report.issues.count == 1)
    let issue = report.issues.first ?? ""
    #expect(
      issue.hasPrefix("UNDERSTUDY_REPORT: ")
        && issue.hasSuffix("cannot be written: No such file or directory."))
    #expect(report.reasonToCancel == nil)
  }
}

struct RunSettingsTests {
  @Test func settingsHaveDefaultsWithoutEnvironmentVariables() throws {
    let settings = try RunSettings(environment: ["UNDERSTUDY_CLAUSE": "", "UNDERSTUDY_REPORT": ""])
    #expect(settings.clause == nil)
    #expect(settings.seed == 0)
    #expect(settings.report == nil)
    #expect(settings.effort == 1)
  }

  @Test(arguments: ["0", "-1", "x", "1.5"])
  func anInvalidEffortIsAnError(_ effort: String) {
    #expect {
      try RunSettings(environment: ["UNDERSTUDY_EFFORT": effort])
    } throws: {
      "\($0)" == "UNDERSTUDY_EFFORT must be an integer of at least 1; found \"\(effort)\"."
    }
  }

  @Test func anInvalidSeedIsAnError() {
    #expect {
      try RunSettings(environment: ["UNDERSTUDY_SEED": "x1"])
    } throws: {
      "\($0)" == "UNDERSTUDY_SEED must be an integer of at least 0; found \"x1\"."
    }
  }
}
