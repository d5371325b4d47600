import Foundation
import Testing
import UnderstudyContracts
import UnderstudyPrimitives

@testable import UnderstudyTesting

struct ContractCheckRunTests {
  private static let contract = Contract<Int>("number") {
    Clause("number.one", "It is one.") { trial in
      trial.expect(trial.subject, equals: 1, "the number")
      trial.expect(trial.subject < 3, "Expected a small number.")
    }
  }

  @Test(arguments: contract.checks(of: Implementation("one") { _ in Stage(1) }))
  func aKeptClausePasses(_ check: ContractCheck<Int>) async throws {
    try await check.run()
  }

  @Test func everyViolationIsAnIssueAtTheCallersLine() async throws {
    let check = Self.contract.checks(of: Implementation("five") { _ in Stage(5) })[0]
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
}

struct RunSettingsTests {
  @Test func nothingIsSetUnlessTheEnvironmentSaysSo() throws {
    let settings = try RunSettings(environment: ["UNDERSTUDY_CLAUSE": "", "UNDERSTUDY_REPORT": ""])
    #expect(settings.clause == nil)
    #expect(settings.seed == 0)
    #expect(settings.report == nil)
  }

  @Test func aSeedThatIsNoNumberIsAnError() {
    #expect {
      try RunSettings(environment: ["UNDERSTUDY_SEED": "x1"])
    } throws: {
      "\($0)" == "UNDERSTUDY_SEED must be a whole number from 0, and it is \"x1\"."
    }
  }

  @Test func outcomesAreAppendedAsLinesOfJSON() async throws {
    let path = NSTemporaryDirectory() + "understudy-\(UUID().uuidString).jsonl"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let report = try #require(try RunSettings(environment: ["UNDERSTUDY_REPORT": path]).report)
    let contract = Contract<Int>("number") { Clause("number.one", "It is one.") { $0.expect(false, "no") } }
    let check = contract.checks(of: Implementation("one") { _ in Stage(1) })[0]
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...50 {
        group.addTask {
          let outcome = await check.outcome()
          #expect(throws: Never.self) { try report.append(check, outcome) }
        }
      }
    }
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 50)
    for line in lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["id"] as? String == "number.one")
      #expect(object?["outcome"] as? String == "failed")
    }
  }

  @Test func aReportThatCannotBeWrittenIsAnError() async throws {
    let report = OutcomeFile(path: NSTemporaryDirectory() + "no/such/folder/report.jsonl")
    let contract = Contract<Int>("number") { Clause("number.one", "It is one.") { $0.expect(true, "") } }
    let check = contract.checks(of: Implementation("one") { _ in Stage(1) })[0]
    #expect(throws: InvalidSetting.self) { try report.append(check, .passed) }
  }
}
