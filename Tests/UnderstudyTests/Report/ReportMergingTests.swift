import Foundation
import Testing
@testable import Understudy


struct ReportMergingTests {
  private func merged(_ reports: Report...) throws -> Report {
    try reports.reduce(into: Report()) { try $0.merge($1) }
  }

  /// Catches a merge that adds up what was run twice.
  @Test func theSameOutcomeTwiceIsOne() throws {
    let report = try merged(.full("a"), .full("a"))
    #expect(report == .full("a"))
  }

  @Test func differentOutcomesAreFlakyAndBothStay() throws {
    let failed = Report.sample(.failed([Violation("No.", fileID: "T/A.swift", line: 2)]), seed: 7)
    let report = try merged(.sample(), failed, .sample())
    #expect(report.contracts[0].clauses[0].outcomes.map(\.outcome.name) == ["passed", "failed"])
    #expect(report.summary.failed == 1 && report.summary.passed == 0)
    #expect(!report.isClean)
    #expect(report.table().contains("≠ in-memory: failed in a run with seed 7"))
    let html = report.html()
    #expect(html.contains("in-memory does not always keep todos.add.listed"))
    #expect(html.contains("in-memory in a run with seed 7"))
    #expect(report.junit().contains("It failed in a run with seed 7."))
  }

  @Test func partsOfAContractBecomeOne() throws {
    var other = Report.sample(.skipped(reason: "no moon"))
    other.contracts[0].clauses[0].outcomes[0] = .init(
      implementation: "live", outcome: .skipped(reason: "no moon"), seed: 0)
    let report = try merged(.sample(), other, .sample(contract: "notes"))
    #expect(report.contracts.map(\.name) == ["todos", "notes"])
    #expect(report.contracts[0].clauses[0].implementations == ["in-memory", "live"])
    #expect(report.isClean)
  }

  @Test func reportsOfTwoVersionsDoNotBelongTogether() {
    #expect {
      try merged(.sample(), .sample(statement: "An added item is lost."))
    } throws: {
      "\($0)" == """
        The clause todos.add.listed promises “An added item is listed.” in one report and “An added item is lost.” in \
        another. Join reports of one version.
        """
    }
  }

  @Test func aFaultThatWasSeenAsExpectedOnceIsFlaky() throws {
    func report(_ verdict: AgreementReport.Verdict, _ seen: String? = nil) -> Report {
      Report(agreements: [
        .init(
          name: "todos.add", seams: ["wire"],
          rows: [
            .init(
              fault: "conflict", expected: "refused",
              cells: [.init(seam: "wire", verdict: verdict, seen: seen)])
          ], missing: [])
      ])
    }
    let joined = try merged(report(.agrees), report(.differs, "all is well"), report(.agrees))
    #expect(joined.agreements[0].rows[0].verdict(at: "wire") == .flaky)
    #expect(joined.summary.disagreements == 1 && joined.summary.faults == 1)
  }

  @Test func shardsOfASweepAreJoinedAndAMissingOneIsAGap() throws {
    func shard(_ number: Int, of count: Int) throws -> Report {
      var sweep = Report.full("a").sweeps[0]
      sweep.shards = [try #require(SweepShard(number, of: count))]
      sweep.violations = []
      return Report(sweeps: [sweep])
    }
    #expect(try merged(shard(1, of: 2), shard(2, of: 2)).isClean)
    let lacking = try merged(shard(1, of: 2))
    #expect(lacking.summary.gaps == 1)
    #expect(lacking.html().contains("Of the sweep of a, 2/2 is missing."))
    #expect(lacking.table().contains("✗ Of the sweep of a, 2/2 is missing."))
    #expect(lacking.junit().contains("Of the sweep of a, 2/2 is missing."))
    var alone = lacking
    alone.isShard = true
    #expect(alone.isClean && !alone.html().contains("missing"), "A shard is not told that it is one.")
    #expect(throws: ReportError.self) { try merged(shard(1, of: 3), shard(2, of: 2)) }
    var other = try shard(1, of: 1)
    other.sweeps[0].seed += 1
    #expect(try merged(shard(1, of: 1), other).sweeps.count == 2, "Another seed is another sweep.")
  }

  /// Catches a merge that joins shards one after another and no longer knows the first in what it made of it.
  @Test(arguments: [[1, 2, 1], [1, 1, 2], [2, 1, 1], [2, 1, 2, 1]])
  func aShardThatIsGivenTwiceIsOneInAnyOrder(_ order: [Int]) throws {
    let shards = try order.map { number in
      var sweep = Report.full("a").sweeps[0]
      sweep.shards = [try #require(SweepShard(number, of: 2))]
      return Report(sweeps: [sweep])
    }
    let joined = try Report.merging(shards)
    #expect(joined.sweeps.map(\.shards) == [[.whole]] && joined.sweeps[0].counts.total == 6)
    let lines = try shards.map { try ReportLine.sweep($0.sweeps[0]).data }
    #expect(try Report(parsing: Data(lines.joined()), named: "a.jsonl").sweeps == joined.sweeps)
  }

  /// Catches a merge that takes the first report as it stands.
  @Test func theFirstReportIsJoinedWithinItselfToo() throws {
    var report = Report.full("a")
    report.contracts[0].clauses += report.contracts[0].clauses
    report.contracts[0].clauses[0].outcomes += report.contracts[0].clauses[0].outcomes
    report.agreements[0].rows += report.agreements[0].rows
    #expect(try merged(report) == .full("a"))
    #expect(try Report.merging([report]) == .full("a"))
  }

  /// Catches a matrix that counts a fault as not seen as expected and shows it as passed.
  @Test func aFaultThatCouldHappenInOneRunOnlyIsShownAsItIsCounted() throws {
    let row = AgreementReport.Row(
      fault: "conflict", expected: "refused",
      cells: [.init(seam: "wire", verdict: .agrees), .init(seam: "wire", verdict: .impossible)])
    let report = Report(agreements: [.init(name: "add", seams: ["wire"], rows: [row], missing: [])])
    #expect(report.summary.disagreements == 1 && row.disagrees)
    let words = ["what was expected", "that the fault cannot happen there"]
    for word in words {
      #expect(report.table().contains("      wire: \(word)"))
      #expect(report.html().contains("in one run: \(word)"))
      #expect(report.junit().contains(word))
    }
    #expect(!report.html().contains("Cannot happen at the wire"))
  }

  @Test func twoKillMatricesOfAContractAreRefused() async throws {
    let matrix = await Report.mutants()
    #expect(try merged(Report(mutants: [matrix]), Report(mutants: [matrix])).mutants.count == 1)
    let contract = Contract<Int>("number") { Clause("number.two", "It is two.") { $0.expect(true, "") } }
    let other = await contract.killMatrix(of: [])
    #expect(throws: ReportError.self) { try merged(Report(mutants: [matrix]), Report(mutants: [other])) }
  }
}
