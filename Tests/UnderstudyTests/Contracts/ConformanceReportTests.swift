import Foundation
import Testing
import Understudy

struct ConformanceReportTests {
  private static let contract = Contract<any Counter>("counter") {
    Clause("counter.one", "It counts from one.") { $0.expect(try await $0.subject.next(), equals: 1) }
    Clause("counter.start", "It starts where one wants.", level: .optional) { trial in
      trial.expect(try await trial.given(.startsAt), equals: 5)
    }
  }

  private func report() async -> ConformanceReport {
    let able = Implementation.fixed(1, provisions: [.bringing(about: .startsAt) { 5 }])
    return ConformanceReport(
      contracts: [await Self.contract.report(on: [able, .fixed(2)], seed: 9)], seed: 9)
  }

  @Test func theSummaryCountsEachOutcome() async {
    let summary = await report().summary
    #expect(summary.passed == 2)
    #expect(summary.failed == 1)
    #expect(summary.skipped == 1)
  }

  @Test func theJSONHasTheDocumentedShape() async throws {
    let data = try JSONEncoder().encode(await report())
    let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(Set(root.keys) == ["contracts", "summary", "seed"])
    let contract = try #require((root["contracts"] as? [[String: Any]])?.first)
    #expect(contract["name"] as? String == "counter")
    let clauses = try #require(contract["clauses"] as? [[String: Any]])
    #expect(clauses.map { $0["level"] as? String } == ["required", "optional"])
    #expect(clauses[0]["statement"] as? String == "It counts from one.")
    let outcomes = try clauses.flatMap { try #require($0["outcomes"] as? [[String: Any]]) }
    #expect(
      outcomes.map { $0["outcome"] as? String } == ["passed", "failed", "passed", "skipped"])
    #expect(
      outcomes.allSatisfy { Set($0.keys) == ["implementation", "seed", "outcome", "reason", "violations"] })
    #expect(clauses[0]["fileID"] as? String == #fileID)
    #expect(outcomes[0]["reason"] is NSNull)
    #expect((outcomes[1]["violations"] as? [String])?.count == 1)
    #expect(
      outcomes[3]["reason"] as? String == "fixed-2 has no way to bring about: it starts at a number")
  }

  @Test func theTableShowsTheMatrixThenWhatNeedsWords() async {
    let lines = await report().table.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines[0] == "counter          fixed-1  fixed-2")
    #expect(lines[1] == "  counter.one    ✓        ✗        It counts from one.")
    #expect(lines[2] == "  counter.start  ✓        –        It starts where one wants.")
    #expect(lines[4] == "  counter.one: It counts from one.")
    #expect(lines[5].hasPrefix("    ✗ fixed-2: Expected the value to be 1, found 2. ("))
    #expect(lines.last == "2 passed, 1 failed, 1 skipped (seed 9)")
  }

  @Test func aSectionIsReadAsItWasWritten() async throws {
    let section = try #require(await report().contracts.first)
    let data = try JSONEncoder().encode(section)
    #expect(try JSONDecoder().decode(ConformanceReport.Section.self, from: data) == section)
  }

  @Test(arguments: [
    Violation("Expected (1) and (a:2)", fileID: "Todos/Add.swift", line: 7),
    Violation("Two\nlines", fileID: "Todos/Add.swift", line: 7), Violation("No place", fileID: "", line: 0),
  ])
  func aViolationKeepsItsPlace(_ violation: Violation) throws {
    let data = try JSONEncoder().encode(Outcome.failed([violation]))
    #expect(try JSONDecoder().decode(Outcome.self, from: data) == .failed([violation]))
  }

  @Test func anOutcomeThatIsNoneIsRefused() {
    let json = Data(#"{"outcome":"perhaps","reason":null,"violations":[]}"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Outcome.self, from: json) }
  }

  /// Two runs in one report: an implementation counts once, and as failed where the runs differ.
  @Test func whatDiffersBetweenRunsIsFlaky() async throws {
    var report = await report()
    report.contracts[0].clauses[0].outcomes.append(
      .init(
        implementation: "fixed-1", outcome: .failed([Violation("No.", fileID: "T/A.swift", line: 2)]), seed: 3
      ))
    let row = report.contracts[0].clauses[0]
    #expect(row.verdict(on: "fixed-1") == .flaky)
    #expect(row.verdict(on: "fixed-2") == .failed)
    #expect(row.verdict(on: "fixed-3") == nil)
    let summary = report.summary
    #expect(summary.passed == 1 && summary.failed == 2 && summary.skipped == 1)
    let lines = report.table.split(separator: "\n").map(String.init)
    #expect(lines[1] == "  counter.one    ≠        ✗        It counts from one.")
    #expect(lines.contains("    ≠ fixed-1: passed in a run with seed 9"))
    #expect(lines.contains("    ≠ fixed-1: failed in a run with seed 3"))
  }

  /// Catches a clause that counts as failed because one of two machines could not try it.
  @Test func whatWasSkippedInOneRunIsWhatItWasInTheOther() {
    func verdict(_ outcomes: Outcome...) -> ConformanceReport.Verdict? {
      ConformanceReport.Row(
        id: "a.b", statement: "It is.", level: .required, fileID: "", line: 0,
        outcomes: outcomes.map { .init(implementation: "one", outcome: $0, seed: 0) }
      ).verdict(on: "one")
    }
    let skipped = Outcome.skipped(reason: "no moon")
    #expect(verdict(skipped, .passed) == .passed && verdict(.passed, skipped) == .passed)
    #expect(verdict(skipped, .failed([])) == .failed)
    #expect(verdict(skipped, .passed, .failed([])) == .flaky)
    #expect(verdict(skipped, .skipped(reason: "no sun")) == .skipped)
    #expect(verdict() == nil)
  }
}
