import Foundation
import Testing
import Understudy
import UnderstudyTesting

@Suite(.stallLimit()) struct ContractReportTests {
  private static let contract = Contract<any Counter>("counter") {
    Clause("counter.one", "It counts from one.") { $0.expect(try await $0.subject.next(), equals: 1) }
    Clause("counter.start", "It starts where one wants.") { trial in
      trial.expect(try await trial.given(.startsAt), equals: 5)
    }
  }

  private func report() async -> ContractReport {
    let able = Implementation.fixed(1) { $0.on(.startsAt) { 5 } }
    return await Self.contract.report(on: [able, .fixed(2)], seed: 9)
  }

  @Test func eachResultIsCounted() async {
    let report = await report()
    #expect(report.count(.passed) == 2 && report.count(.failed) == 1 && report.count(.skipped) == 1)
  }

  @Test func theReportDescribesEachClause() async {
    let report = await report()
    #expect(report.name == "counter" && report.implementations == ["fixed-1", "fixed-2"])
    #expect(report.clauses[0].statement == "It counts from one.")
    #expect(report.clauses.allSatisfy { $0.fileID == #fileID && $0.line > 0 })
    let outcomes = report.clauses.flatMap(\.outcomes)
    #expect(outcomes.map(\.outcome.name) == ["passed", "failed", "passed", "skipped"])
    #expect(outcomes.allSatisfy { $0.seed == 9 } && outcomes[1].outcome.violations.count == 1)
    #expect(
      outcomes[3].outcome.reason == "fixed-2 cannot set up the condition: it starts at a number")
  }

  @Test func theTableShowsTheMatrixThenWhatNeedsWords() async {
    let table = UnderstudyReport(contracts: [await report()]).table()
    let lines = table.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines[0] == "counter          fixed-1  fixed-2")
    #expect(lines[1] == "  counter.one    ✓        ✗        It counts from one.")
    #expect(lines[2] == "  counter.start  ✓        –        It starts where one wants.")
    #expect(lines[4] == "  counter.one: It counts from one.")
    #expect(lines[5].hasPrefix("    ✗ fixed-2: Expected the value to be 1, found 2. ("))
    #expect(lines.last == "2 passed, 1 failed, 1 skipped (seed 9).")
  }

  @Test func aReportSurvivesEncoding() async throws {
    let report = await report()
    let data = try JSONEncoder().encode(report)
    #expect(try JSONDecoder().decode(ContractReport.self, from: data) == report)
  }

  @Test(arguments: [
    Violation("Expected (1) and (a:2)", fileID: "Todos/Add.swift", line: 7),
    Violation("Two\nlines (Todos/Add.swift:7)", fileID: "Todos/Add.swift", line: 7, isAccident: true),
    Violation("No place", fileID: "", line: 0),
  ])
  func aViolationSurvivesEncoding(_ violation: Violation) throws {
    let data = try JSONEncoder().encode(Outcome.failed([violation]))
    #expect(try JSONDecoder().decode(Outcome.self, from: data) == .failed([violation]))
  }

  @Test(arguments: [#"{"kind":"perhaps"}"#, #"{"kind":"failed"}"#, #"{"kind":"skipped"}"#, "{}"])
  func anInvalidOutcomeIsRejected(_ text: String) {
    let json = Data(text.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Outcome.self, from: json) }
  }

  /// Two runs in one report: an implementation counts once, and as failed where the runs differ.
  @Test func outcomesThatDifferBetweenRunsAreFlaky() async throws {
    var report = await report()
    report.clauses[0].outcomes.append(
      .init(
        implementation: "fixed-1", outcome: .failed([Violation("No.", fileID: "T/A.swift", line: 2)]), seed: 3
      ))
    let row = report.clauses[0]
    #expect(row.status(on: "fixed-1") == .flaky)
    #expect(row.status(on: "fixed-2") == .failed)
    #expect(row.status(on: "fixed-3") == nil)
    #expect(report.count(.passed) == 1 && report.count(.flaky) == 1 && report.count(.failed) == 1)
    let whole = UnderstudyReport(contracts: [report])
    #expect(whole.summary.passed == 1 && whole.summary.failed == 2 && whole.summary.skipped == 1)
    let lines = report.table.split(separator: "\n").map(String.init)
    #expect(lines[1] == "  counter.one    ≠        ✗        It counts from one.")
    #expect(lines.contains("    ≠ fixed-1: passed in a run with seed 9"))
    #expect(lines.contains("    ≠ fixed-1: failed in a run with seed 3"))
  }

  /// Catches a clause that counts as failed because one of two machines skipped it.
  @Test func aSkippedOutcomeYieldsToThatOfAnotherRun() {
    func status(_ outcomes: Outcome...) -> ContractReport.Status? {
      ContractReport.Row(
        id: "a.b", statement: "It is.", fileID: "", line: 0,
        outcomes: outcomes.map { .init(implementation: "one", outcome: $0, seed: 0) }
      ).status(on: "one")
    }
    let skipped = Outcome.skipped(reason: "no moon")
    #expect(status(skipped, .passed) == .passed && status(.passed, skipped) == .passed)
    #expect(status(skipped, .failed([])) == .failed)
    #expect(status(skipped, .passed, .failed([])) == .flaky)
    #expect(status(skipped, .skipped(reason: "no sun")) == .skipped)
    #expect(status() == nil)
  }
}
