import Foundation
import Testing
import Understudy

@testable import UnderstudyTesting

@Suite(.stallLimit()) struct ContractCheckRunTests {
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
    // The filter selects a clause of another contract of this process.
    let needy = Self.needy
    let other = await check.end(in: ["UNDERSTUDY_CLAUSE": needy.clause.id, "UNDERSTUDY_REPORT": path])
    #expect(other == RunEnd(reasonToCancel: "UNDERSTUDY_CLAUSE selects only needy.one."))
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
  }.checks(
    of: Implementation("poor") { _ in 1 },
    Implementation("rich") { trial in
      trial.on(Condition<Void>("the moon is full")) {}
      return 1
    })[0]

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
  @Test(arguments: [needy]) func aRunThatIsCancelledEndsItsCase(_ check: ContractCheck<Int>) async throws {
    try await check.run()
    #if compiler(>=6.3)
      Issue.record("The run went on although its clause could not be tried.")
    #endif
  }

  /// Catches a loop over checks that ends, without a failure, at the first check that is skipped.
  @Test func aLoopGoesOnAfterASkippedClause() async { await tryNeedyClauses() }

  @Test(arguments: ["a", "b"]) func aLoopOfACaseGoesOnAfterASkippedClause(_: String) async {
    await tryNeedyClauses()
  }

  private func tryNeedyClauses() async {
    for check in [Self.needy, Self.needy] {
      // An error cancels the test, which then would not fail.
      do { try await check.run() } catch { Issue.record("The loop ended: \(error)") }
    }
  }

  /// Catches a typing error in a filter, with which nothing is checked and everything passes.
  @Test func aFilterThatSelectsNoClauseIsAnIssueOnce() async {
    let checks = Self.contract.checks(of: Implementation("one") { _ in 1 }, Implementation("two") { _ in 1 })
    var issues: [String] = []
    for check in checks { issues += await check.end(in: ["UNDERSTUDY_CLAUSE": "numbr.one"]).issues }
    #expect(
      issues == [
        "UNDERSTUDY_CLAUSE=numbr.one selects no clause, so nothing was checked. The nearest is number.one."
      ])
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

@Suite(.stallLimit()) struct RunSettingsTests {
  /// Catches a line that repeats another run than the one that failed.
  @Test func theCommandHasEveryVariableThatChangesTheRun() async throws {
    let plain = try RunSettings(environment: ["UNDERSTUDY_REPORT": "r.jsonl", "UNDERSTUDY_STALL": ""])
    #expect(
      plain.command()
        == "UNDERSTUDY_SEED=0 swift test --filter 'theCommandHasEveryVariableThatChangesTheRun'")
    let settings = try RunSettings(environment: [
      "UNDERSTUDY_WIDTH": "1", "UNDERSTUDY_STALL": "5", "UNDERSTUDY_SHUFFLE": "3", "UNDERSTUDY_SEED": "7",
      "UNDERSTUDY_RECORD": "it's", "UNDERSTUDY_ONLY_SWEEPS": "", "UNDERSTUDY_EFFORT": "2", "PATH": "/bin",
      "UNDERSTUDY_CLAUSE": "other",
    ])
    let variables = """
      UNDERSTUDY_SEED=7 UNDERSTUDY_EFFORT=2 UNDERSTUDY_ONLY_SWEEPS='' UNDERSTUDY_RECORD='it'\\''s' UNDERSTUDY_SHUFFLE=3 \
      UNDERSTUDY_STALL=5 UNDERSTUDY_WIDTH=1 swift test
      """
    let outside = await Task.detached { (settings.command(), settings.command(clause: "a b")) }.value
    #expect(outside.0 == variables)
    #expect(outside.1 == "UNDERSTUDY_CLAUSE='a b' \(variables)")
  }

  @Test func settingsHaveDefaultsWithoutEnvironmentVariables() throws {
    let settings = try RunSettings(environment: ["UNDERSTUDY_CLAUSE": "", "UNDERSTUDY_REPORT": ""])
    #expect(settings.clause == nil)
    #expect(settings.seed == 0)
    #expect(settings.report == nil)
    #expect(settings.effort == 1)
  }

  /// Catches a filter or a seed that has no effect because the variable's name has a typing error.
  @Test func aMisspeltVariableIsAnError() throws {
    for (name, meant) in [
      ("CLAUSES", "CLAUSE"), ("RECORDS", "RECORD"), ("SEDE", "SEED"),
    ] {
      let error = #expect(throws: InvalidSetting.self) {
        try RunSettings(environment: ["UNDERSTUDY_\(name)": "1"])
      }
      #expect(
        error?.description == "The variable UNDERSTUDY_\(name) is unknown. Did you mean UNDERSTUDY_\(meant)?")
    }
    _ = try RunSettings(environment: ["UNDERSTUDY_ONLY_SWEEPS": "1"])
    _ = try RunSettings(environment: ["UNDERSTUDY_CORPUS": "/", "UNDERSTUDY_URL": "x", "SEDE": "x"])
  }

  @Test(arguments: ["UNDERSTUDY_EFFORT", "UNDERSTUDY_WIDTH", "UNDERSTUDY_STALL"], ["0", "-1", "x", "1.5"])
  func anInvalidNumberIsAnError(_ name: String, _ written: String) {
    #expect {
      try RunSettings(environment: [name: written])
    } throws: {
      "\($0)" == "\(name) must be an integer of at least 1; found \"\(written)\"."
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

/// What the checks of a contract reveal together.
@Suite(.stallLimit()) struct CheckGroupTests {
  private static let moon = Condition<Void>("the moon is full")

  private static func contract(line: Int) -> Contract<Int> {
    Contract("sky") {
      Clause("sky.moon", "It shines.", line: line) { trial in
        try await trial.given(moon)
        trial.expect(trial.subject, equals: 1, "the light")
      }
      Clause("sky.sun", "It shines too.", line: line + 1) { trial in
        trial.expect(trial.subject, equals: 1, "the light")
      }
    }
  }

  private static let blind = Implementation<Int>("blind") { _ in 1 }
  private static let cloudy = Implementation<Int>("cloudy") { trial in
    trial.unavailable(moon, because: "clouds")
    return 1
  }
  private static let clear = Implementation<Int>("clear") { trial in
    trial.on(moon) {}
    return 1
  }

  private func issues(_ checks: [ContractCheck<Int>]) async -> [[String]] {
    var issues: [[String]] = []
    for check in checks { issues.append(await check.end(in: [:]).issues) }
    return issues
  }

  /// Catches a clause that every implementation skips, and a failure for each of them.
  @Test func aClauseThatNoImplementationCouldBeTestedUnderFailsOnce() async {
    let checks = Self.contract(line: 1).checks(of: Self.blind, Self.cloudy)
    let expected = """
      No implementation could be tested under sky.moon, so the clause checks nothing:
        - blind: blind cannot set up the condition: the moon is full
        - cloudy: the moon is full: clouds
      Set up the condition in one of them with trial.on(…), add an implementation that can, or delete the clause.
      """
    #expect(await issues(checks) == [[], [expected], [], []])
    // The checks of a test that runs again.
    #expect(await issues(checks) == [[], [expected], [], []])
  }

  /// Catches a list of which one check was chosen and the others are forgotten, and a line about one that ran whole.
  @Test func aListOfWhichSomeChecksDidNotRunIsNamed() async {
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    await CheckGroup.$print.withValue({ line.yield($0) }) {
      _ = await issues(Self.contract(line: 80).checks(of: Self.clear))
      _ = Self.contract(line: 90).checks(of: Self.clear)
      _ = await Self.contract(line: 70).checks(of: Self.clear, Self.cloudy).last?.end(in: [:])
    }
    // The last task of a check may release the list after the check.
    let first = await lines.first { _ in true }
    #expect(
      first == """
        sky: 3 of 4 checks of a list did not run: sky.moon · clear, sky.moon · cloudy, sky.sun · clear. Pass the whole \
        list as the arguments of a test.
        """)
  }

  @Test func aClauseThatIsTestedInAnotherTestOfTheProcessPasses() async {
    let contract = Self.contract(line: 10)
    let (first, second) = (contract.checks(of: Self.blind), contract.checks(of: Self.clear))
    #expect(await issues(first).joined().isEmpty)
    #expect(await issues(second).joined().isEmpty)
  }

  /// Catches an outcome that is forgotten once its test has ended.
  @Test func aClauseThatIsSkippedInEachOfTwoTestsFails() async {
    let contract = Self.contract(line: 40)
    let (first, second) = (contract.checks(of: Self.blind), contract.checks(of: Self.cloudy))
    #expect(await issues(first).joined().isEmpty)
    #expect(await issues(second).joined().count == 1)
  }

  /// Catches a group that is made in passing, whose checks never run, and that hides the failure.
  @Test func aGroupThatIsReleasedDoesNotCount() async {
    let contract = Self.contract(line: 20)
    _ = contract.checks(of: Self.clear).count
    #expect(await issues(contract.checks(of: Self.blind)).joined().count == 1)
  }

  /// Catches a live service that is the double in memory, or made over another transport.
  @Test func anImplementationThatDoesNotUseItsDoubleFailsOnceAtTheEnd() async {
    let unused = Implementation<Int>.double("unused", 1) { _ in 1 }
    let checks = Self.contract(line: 50).checks(of: unused, Self.clear)
    let issues = await issues(checks)
    #expect(issues.dropLast().joined().isEmpty)
    #expect(issues.last?.first?.contains("the double that these intercept: unused. So their") == true)
    // Where a clause is left out, it may be the one that makes the calls.
    let others = Self.contract(line: 60).checks(of: unused, Self.clear)
    var filtered: [String] = []
    for check in others { filtered += await check.end(in: ["UNDERSTUDY_CLAUSE": "sky.sun"]).issues }
    #expect(filtered.isEmpty)
  }

  @Test func theSkippedChecksAreSummarisedAtTheEnd() async {
    let checks = Self.contract(line: 30).checks(of: Self.clear, Self.cloudy)
    var summaries: [String?] = []
    for check in checks { summaries.append(check.end(await check.outcome()).summary) }
    #expect(
      summaries == [
        nil, nil, nil,
        """
        sky: 1 of 4 checks skipped.
          cloudy: the moon is full: clouds (sky.moon)
        """,
      ])
  }
}
