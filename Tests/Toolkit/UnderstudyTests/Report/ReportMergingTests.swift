import Foundation
import Testing
import UnderstudyTesting
@testable import Understudy

@Suite(.stallLimit()) struct ReportMergingTests {
  private func merged(_ reports: UnderstudyReport...) throws -> UnderstudyReport {
    try UnderstudyReport(merging: reports)
  }

  /// Catches a merge that adds the counts of the same run twice.
  @Test func equalOutcomesAreMerged() throws {
    let report = try merged(.full("a"), .full("a"))
    #expect(report == .full("a"))
  }

  @Test func differentOutcomesAreFlakyAndBothStay() throws {
    let failed = UnderstudyReport.sample(.failed([Violation("No.", fileID: "T/A.swift", line: 2)]), seed: 7)
    let report = try merged(.sample(), failed, .sample())
    #expect(report.contracts[0].clauses[0].outcomes.map(\.outcome.name) == ["passed", "failed"])
    #expect(report.summary.failed == 1 && report.summary.passed == 0)
    #expect(!report.isClean)
    #expect(report.table().contains("≠ in-memory: failed in a run with seed 7"))
    let html = report.html()
    #expect(html.contains("in-memory does not always keep todos.add.listed"))
    #expect(html.contains("in-memory in a run with seed 7"))
    #expect(report.junit().contains("failed in a run with seed 7"))
  }

  @Test func partsOfAContractAreMerged() throws {
    var other = UnderstudyReport.sample(.skipped(reason: "no moon"))
    other.contracts[0].clauses[0].outcomes[0] = .init(
      implementation: "live", outcome: .skipped(reason: "no moon"), seed: 0)
    let report = try merged(.sample(), other, .sample(contract: "notes"))
    #expect(report.contracts.map(\.name) == ["notes", "todos"])
    #expect(report.contracts[1].clauses[0].implementations == ["in-memory", "live"])
    #expect(report.isClean)
  }

  @Test func reportsOfDifferentVersionsAreNotMerged() {
    #expect {
      try merged(.sample(), .sample(statement: "An added item is lost."))
    } throws: {
      "\($0)" == """
        The clause todos.add.listed is “An added item is listed.” in one report and “An added item is lost.” in \
        another. Merge reports of one version.
        """
    }
  }

  @Test func aFaultThatIsAsExpectedInOneRunOnlyIsFlaky() throws {
    func report(_ status: AgreementReport.Status, _ found: String? = nil) -> UnderstudyReport {
      UnderstudyReport(agreements: [
        .init(
          name: "todos.add", injectionPoints: ["wire"],
          rows: [
            .init(
              fault: "conflict", expected: "refused",
              cells: [.init(injectionPoint: "wire", status: status, found: found)])
          ], missing: [])
      ])
    }
    let joined = try merged(report(.agrees), report(.differs, "all is well"), report(.agrees))
    #expect(joined.agreements[0].rows[0].status(at: "wire") == .flaky)
    #expect(joined.summary.disagreements == 1 && joined.summary.faults == 1)
  }

  @Test func shardsOfASweepAreJoinedAndAMissingOneIsAGap() throws {
    func shard(_ number: Int, of count: Int) throws -> UnderstudyReport {
      var sweep = UnderstudyReport.full("a").sweeps[0]
      sweep.shards = [try #require(SweepShard(number, of: count))]
      sweep.violations = []
      return UnderstudyReport(sweeps: [sweep])
    }
    #expect(try merged(shard(1, of: 2), shard(2, of: 2)).isClean)
    let lacking = try merged(shard(1, of: 2))
    #expect(lacking.summary.gaps == 1)
    #expect(lacking.html().contains("The sweep of a is incomplete. Missing: shard 2/2."))
    #expect(lacking.table().contains("✗ The sweep of a is incomplete. Missing: shard 2/2."))
    #expect(lacking.junit().contains("The sweep of a is incomplete. Missing: shard 2/2."))
    var alone = lacking
    alone.isShard = true
    #expect(alone.isClean && !alone.html().contains("missing"), "A shard is not told that it is one.")
    #expect(throws: ReportError.self) { try merged(shard(1, of: 3), shard(2, of: 2)) }
    var other = try shard(1, of: 1)
    other.sweeps[0].seed += 1
    #expect(try merged(shard(1, of: 1), other).sweeps.count == 2, "Another seed is another sweep.")
  }

  /// Catches a merge of shards one after another that does not recognize the first one in the merged report.
  @Test(arguments: [[1, 2, 1], [1, 1, 2], [2, 1, 1], [2, 1, 2, 1]])
  func aRepeatedShardIsMergedInAnyOrder(_ order: [Int]) throws {
    let shards = try order.map { number in
      var sweep = UnderstudyReport.full("a").sweeps[0]
      sweep.shards = [try #require(SweepShard(number, of: 2))]
      return UnderstudyReport(sweeps: [sweep])
    }
    let joined = try UnderstudyReport(merging: shards)
    #expect(joined.sweeps.map(\.shards) == [[.whole]] && joined.sweeps[0].counts.total == 6)
    let lines = try shards.map { try $0.line }
    #expect(try UnderstudyReport(parsing: Data(lines.joined()), named: "a.jsonl") == joined)
  }

  /// Catches a merge that leaves the first report unchanged.
  @Test func theFirstReportIsAlsoMergedWithinItself() throws {
    var report = UnderstudyReport.full("a")
    report.contracts[0].clauses += report.contracts[0].clauses
    report.contracts[0].clauses[0].outcomes += report.contracts[0].clauses[0].outcomes
    report.agreements[0].rows += report.agreements[0].rows
    #expect(try merged(report) == .full("a"))
  }

  /// Catches a matrix that counts a fault as a failure and shows it as passed.
  @Test func aFaultThatIsPossibleInOneRunOnlyIsShownAsCounted() throws {
    let row = AgreementReport.Row(
      fault: "conflict", expected: "refused",
      cells: [
        .init(injectionPoint: "wire", status: .agrees), .init(injectionPoint: "wire", status: .impossible),
      ])
    let report = UnderstudyReport(agreements: [
      .init(name: "add", injectionPoints: ["wire"], rows: [row], missing: [])
    ])
    #expect(report.summary.disagreements == 1 && row.disagrees)
    let words = ["as expected", "the fault cannot happen there"]
    for word in words {
      #expect(report.table().contains("      wire: \(word)"))
      #expect(report.html().contains("in one run: \(word)"))
      #expect(report.junit().contains(word))
    }
    #expect(!report.html().contains("Cannot happen at the wire"))
  }

  @Test func theOrderOfReportsDoesNotMatter() async throws {
    let violations = ["No.", "Never."].map { Violation($0, fileID: "T/A.swift", line: 2) }
    var other = UnderstudyReport.full("b")
    other.sweeps[0].shards = [try #require(SweepShard(2, of: 3))]
    var third = other
    third.sweeps[0].shards = [try #require(SweepShard(1, of: 3))]
    let reports = [
      UnderstudyReport.sample(.failed([violations[0]]), seed: 4), .full("a"), other,
      .sample(.failed([violations[1]]), seed: 4), .sample(seed: 3), third, .sample(seed: 2),
      UnderstudyReport(mutants: [await UnderstudyReport.mutants()]),
    ]
    let merged = try UnderstudyReport(merging: reports)
    #expect(merged.contracts.last?.clauses[0].outcomes.map(\.seed) == [2, 4, 4])
    #expect(merged.sweeps.map(\.missingShards.count) == [0, 1])
    for count in reports.indices {
      let rotated = Array(reports[count...] + reports[..<count])
      for order in [rotated, rotated.reversed()] {
        var again = try UnderstudyReport(merging: order)
        again.gaps.sort()
        #expect(again == merged)
      }
    }
  }

  @Test func twoKillMatricesOfAContractAreRefused() async throws {
    let matrix = await UnderstudyReport.mutants()
    #expect(
      try merged(UnderstudyReport(mutants: [matrix]), UnderstudyReport(mutants: [matrix])).mutants.count == 1)
    let contract = Contract<Int>("number") { Clause("number.two", "It is two.") { $0.expect(true, "") } }
    let other = await contract.killMatrix(of: [])
    #expect(throws: ReportError.self) {
      try merged(UnderstudyReport(mutants: [matrix]), UnderstudyReport(mutants: [other]))
    }
  }
}
