import Foundation
import Testing
import Understudy

@testable import UnderstudyTesting

@Suite(.stallLimit()) struct ReportAttachTests {
  private static let check = Contract<Int>("number") {
    Clause("number.one", "It is one.") { $0.expect($0.subject, equals: 1) }
  }
  .checks(of: Implementation("one") { _ in 1 }, Implementation("five") { _ in 5 })

  @Test func aReportCanBeAttached() async {
    let section = await Contract<Int>("number") { Clause("number.one", "It is one.") { $0.expect(true, "") } }
      .report(on: [Implementation("one") { _ in 1 }])
    UnderstudyReport(contracts: [section]).attach(named: "number")
  }

  /// The report contains only the outcome that failed.
  @Test func onlyFailedOutcomesAreAttached() async throws {
    #expect(await Self.check[0].end(in: [:]).report == nil)
    let report = try #require(await Self.check[1].end(in: ["UNDERSTUDY_SEED": "3"]).report)
    #expect(report.contracts[0].clauses[0].outcomes.map(\.implementation) == ["five"])
    #expect(report.html().contains("UNDERSTUDY_CLAUSE=number.one UNDERSTUDY_SEED=3 swift test"))
  }

  /// The lines of a contract, a sweep and a kill matrix form one report.
  @Test func linesOfAllKindsAreGathered() async throws {
    let path = NSTemporaryDirectory() + "understudy-\(UUID().uuidString).jsonl"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let settings = try RunSettings(environment: ["UNDERSTUDY_REPORT": path])
    _ = await Self.check[0].end(in: ["UNDERSTUDY_REPORT": path])
    #expect(settings.append(UnderstudyReport(sweeps: [try await Scenario.ringing.report()])) == nil)
    let matrix = await Contract<Int>("number") {}.killMatrix(of: [])
    #expect(settings.append(UnderstudyReport(mutants: [matrix])) == nil)
    let report = try UnderstudyReport(parsing: Data(contentsOf: URL(filePath: path)), named: path)
    #expect(report.contracts.count == 1 && report.sweeps.count == 1 && report.mutants.count == 1)
    #expect(report.gaps.isEmpty)
  }
}
