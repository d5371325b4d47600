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

  @Test func aClauseThatIsNotAskedForIsCancelledAndNotTried() async throws {
    let path = NSTemporaryDirectory() + "understudy-\(UUID().uuidString).jsonl"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let trials = Locked(0)
    let check = Self.contract.checks(
      of: Implementation("five") { _ in
        trials.withLock { $0 += 1 }
        return Stage(5)
      })[0]
    let other = await check.end(in: ["UNDERSTUDY_CLAUSE": "number.two", "UNDERSTUDY_REPORT": path])
    #expect(other == RunEnd(reasonToCancel: "UNDERSTUDY_CLAUSE asks for number.two alone."))
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
  }.checks(of: Implementation("poor") { _ in Stage(1) })[0]

  @Test func aClauseThatCannotBeTriedIsCancelledWithTheReason() async throws {
    let path = NSTemporaryDirectory() + "understudy-\(UUID().uuidString).jsonl"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let end = await Self.needy.end(in: ["UNDERSTUDY_REPORT": path])
    #expect(end.issues.isEmpty)
    #expect(end.reasonToCancel?.contains("the moon is full") == true)
    let line = try String(contentsOfFile: path, encoding: .utf8)
    #expect(line.contains(#""outcome":"skipped""#))
  }

  /// What follows the run in a cancelled case is not reached.
  @Test func aRunThatIsCancelledEndsItsCase() async throws {
    try await Self.needy.run()
    #if compiler(>=6.3)
      Issue.record("The run went on although its clause could not be tried.")
    #endif
  }

  @Test func whatIsWrongWithTheSettingsIsAnIssue() async {
    let check = Self.contract.checks(of: Implementation("one") { _ in Stage(1) })[0]
    let seed = await check.end(in: ["UNDERSTUDY_SEED": "x1"])
    #expect(seed.issues == ["UNDERSTUDY_SEED must be a whole number from 0, and it is \"x1\"."])
    let report = await check.end(in: ["UNDERSTUDY_REPORT": NSTemporaryDirectory() + "no/such/folder/report"])
    #expect(report.issues.count == 1)
    #expect(report.issues.first?.contains("cannot be written: No such file or directory.") == true)
    #expect(report.reasonToCancel == nil)
  }
}

struct RunSettingsTests {
  @Test func nothingIsSetUnlessTheEnvironmentSaysSo() throws {
    let settings = try RunSettings(environment: ["UNDERSTUDY_CLAUSE": "", "UNDERSTUDY_REPORT": ""])
    #expect(settings.clause == nil)
    #expect(settings.seed == 0)
    #expect(settings.report == nil)
    #expect(settings.effort == 1)
  }

  @Test(arguments: ["0", "-1", "x", "1.5"])
  func anEffortThatIsNoNumberFromOneIsAnError(_ effort: String) {
    #expect {
      try RunSettings(environment: ["UNDERSTUDY_EFFORT": effort])
    } throws: {
      "\($0)" == "UNDERSTUDY_EFFORT must be a whole number from 1, and it is \"\(effort)\"."
    }
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

  @Test func aLineThatIsTakenInPiecesIsWrittenWhole() throws {
    let line = Data("a line of some length\n".utf8)
    var (written, calls) = (Data(), 0)
    try OutcomeFile(path: "x").writeAll(line) { bytes in
      calls += 1
      if calls == 2 {
        errno = EINTR
        return -1
      }
      written.append(contentsOf: bytes.prefix(3))
      return min(3, bytes.count)
    }
    #expect(written == line)
  }

  @Test func aLineThatIsTakenInPartSaysHowMuchOfItIsThere() throws {
    for (cause, reason) in [(nil, "the file takes no more"), (ENOSPC, "No space left on device")] {
      var calls = 0
      let error = #expect(throws: InvalidSetting.self) {
        try OutcomeFile(path: "x").writeAll(Data(count: 10)) { _ in
          calls += 1
          errno = cause ?? 0
          return calls == 1 ? 4 : cause == nil ? 0 : -1
        }
      }
      #expect(
        error?.description
          == "UNDERSTUDY_REPORT names x, which cannot be written: \(reason), after 4 of the line's 10 bytes.")
    }
  }

  @Test func aReportThatCannotBeWrittenIsAnError() async throws {
    let report = OutcomeFile(path: NSTemporaryDirectory() + "no/such/folder/report.jsonl")
    let contract = Contract<Int>("number") { Clause("number.one", "It is one.") { $0.expect(true, "") } }
    let check = contract.checks(of: Implementation("one") { _ in Stage(1) })[0]
    #expect(throws: InvalidSetting.self) { try report.append(check, .passed) }
  }
}
