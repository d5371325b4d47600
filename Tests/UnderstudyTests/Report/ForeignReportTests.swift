import Foundation
import Testing
@testable import Understudy


/// Reports that somebody else may have written.
struct ForeignReportTests {
  /// A sweep as JSON, with some members changed.
  private func sweep(_ change: (inout [String: Any]) throws -> Void) throws -> Data {
    let data = try JSONEncoder().encode(Report.full("a").sweeps[0])
    var sweep = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    try change(&sweep)
    return try JSONSerialization.data(withJSONObject: ["sweeps": [sweep]])
  }

  /// Catches a text that reaches the terminal as it is, in any of the tables.
  @Test func noTextMovesTheCursor() async throws {
    var report = Report.full(hostile)
    report.mutants = [await Report.mutants()]
    let table = report.table(tool: "tool")
    #expect(table.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    #expect(!table.contains("\u{202E}") && table.contains("\\u{1b}[2J"))
  }

  @Test func aViolationKeepsItsLinesInTheTable() {
    let violation = Violation("one\ntwo\u{1B}", fileID: "T/A.swift", line: 2)
    #expect(Report.sample(.failed([violation])).table().contains("one\ntwo\\u{1b} (T/A.swift:2)"))
  }

  /// Catches a page that shows the command of the file, which people paste into a shell.
  @Test func theCommandIsMadeOfTheScheduleAndNotTaken() throws {
    let data = try sweep { sweep in
      var violations = try #require(sweep["violations"] as? [[String: Any]])
      violations[0]["command"] = "sweep; touch stolen"
      violations[0]["swift"] = "stolen()"
      sweep["violations"] = violations
      sweep["scenario"] = "a; touch 'b"
    }
    let report = try Report(parsing: data, named: "a.json")
    let command = #"sweep --scenario 'a; touch '\''b' --seed 3 --under 'a call=1 conflict'"#
    #expect(report.sweeps[0].violations[0].command == command)
    for text in [report.table(tool: "tool"), report.html(tool: "tool"), report.junit(tool: "tool")] {
      #expect(!text.contains("stolen"))
    }
  }

  @Test(arguments: [
    #"{"withoutFault":1,"single":9223372036854775807,"pair":0}"#,
    #"{"withoutFault":1,"single":2,"pair":9223372036854775807}"#,
    #"{"withoutFault":4,"single":-1,"pair":0}"#,
    #"{"withoutFault":1,"single":1,"pair":0}"#,
  ])
  func countsThatCannotBeAreRefused(_ counts: String) throws {
    let data = try sweep { $0["counts"] = try JSONSerialization.jsonObject(with: Data(counts.utf8)) }
    let error = #expect(throws: ReportError.self) { try Report(parsing: data, named: "a.json") }
    #expect(error?.description.hasPrefix("a.json is no report: sweeps[0].counts: ") == true)
  }

  @Test(arguments: [
    "[]", #"[{"number":1,"count":2},{"number":1,"count":2}]"#,
    #"[{"number":1,"count":2},{"number":2,"count":3}]"#, #"[{"number":1,"count":9223372036854775807}]"#,
  ])
  func shardsThatCannotBeAreRefused(_ shards: String) throws {
    let data = try sweep { $0["shards"] = try JSONSerialization.jsonObject(with: Data(shards.utf8)) }
    let error = #expect(throws: ReportError.self) { try Report(parsing: data, named: "a.json") }
    #expect(error?.description.hasPrefix("a.json is no report: sweeps[0].shards") == true)
  }
}
