import Foundation
import Testing
import UnderstudyTesting
@testable import Understudy

/// Reports of another version, or of a hostile author.
@Suite(.stallLimit()) struct ForeignReportTests {
  /// A sweep as JSON, with some members changed.
  private func sweep(_ change: (inout [String: Any]) throws -> Void) throws -> Data {
    let data = try JSONEncoder().encode(UnderstudyReport(sweeps: UnderstudyReport.full("a").sweeps))
    var report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    var sweep = try #require((report["sweeps"] as? [[String: Any]])?.first)
    try change(&sweep)
    report["sweeps"] = [sweep]
    return try JSONSerialization.data(withJSONObject: report)
  }

  /// Catches a text that reaches the terminal unescaped, in any of the tables.
  @Test func controlCharactersAreEscaped() async throws {
    var report = UnderstudyReport.full(hostile)
    report.mutants = [await UnderstudyReport.mutants()]
    let table = report.table(tool: "tool")
    #expect(table.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    #expect(!table.contains("\u{202E}") && table.contains("\\u{1b}[2J"))
  }

  @Test func aViolationKeepsItsLinesInTheTable() {
    let violation = Violation("one\ntwo\u{1B}", fileID: "T/A.swift", line: 2)
    #expect(UnderstudyReport.sample(.failed([violation])).table().contains("one\ntwo\\u{1b} (T/A.swift:2)"))
  }

  /// Catches a page that shows a command from the file, which a user could paste into a shell.
  @Test func theCommandIsDerivedFromTheSchedule() throws {
    let data = try sweep { sweep in
      var violations = try #require(sweep["violations"] as? [[String: Any]])
      violations[0]["command"] = "sweep; touch stolen"
      violations[0]["swift"] = "stolen()"
      sweep["violations"] = violations
      sweep["scenario"] = "a; touch 'b"
    }
    let report = try UnderstudyReport(parsing: data, named: "a.json")
    let command = #"sweep --scenario 'a; touch '\''b' --seed 3 --under 'a call=1 conflict'"#
    #expect(report.sweeps[0].command(for: report.sweeps[0].violations[0]) == command)
    for text in [report.table(tool: "tool"), report.html(tool: "tool"), report.junit(tool: "tool")] {
      #expect(!text.contains("stolen"))
    }
  }

  /// Catches numbers of several reports whose sum overflows.
  @Test(arguments: [
    ("pairCount", Int.max, "expected 0 to 1099511627776, found 9223372036854775807"),
    ("pairCount", -1, "expected 0 to 1099511627776, found -1"),
    ("pairRuns", Int.max, "expected 0 to 0, found 9223372036854775807"),
    ("pairRuns", -1, "expected 0 to 0, found -1"), ("pairRuns", 1, "expected 0 to 0, found 1"),
  ])
  func invalidCountsAreRefused(_ member: String, _ count: Int, _ reason: String) throws {
    let data = try sweep { $0[member] = count }
    let error = #expect(throws: ReportError.self) { try UnderstudyReport(parsing: data, named: "a.json") }
    #expect(error?.description.hasPrefix("a.json is not a report: sweeps[0].\(member): \(reason). ") == true)
  }

  @Test func anUnknownFaultIsNamedWithItsPlace() throws {
    let data = try sweep { sweep in
      var violations = try #require(sweep["violations"] as? [[String: Any]])
      let entry: [String: Any] = ["operation": "a", "call": 1, "fault": "moonlight"]
      violations[0]["schedule"] = ["entries": [entry]]
      sweep["violations"] = violations
    }
    let error = #expect(throws: ReportError.self) { try UnderstudyReport(parsing: data, named: "a.json") }
    let sentence = error?.description ?? ""
    #expect(sentence.contains("sweeps[0].violations[0].schedule.entries[0].fault: "), "\(sentence)")
    #expect(sentence.contains("moonlight"))
  }

  @Test(arguments: [
    "[]", #"[{"number":1,"count":2},{"number":1,"count":2}]"#,
    #"[{"number":1,"count":2},{"number":2,"count":3}]"#, #"[{"number":1,"count":9223372036854775807}]"#,
  ])
  func inconsistentShardsAreRejected(_ shards: String) throws {
    let data = try sweep { $0["shards"] = try JSONSerialization.jsonObject(with: Data(shards.utf8)) }
    let error = #expect(throws: ReportError.self) { try UnderstudyReport(parsing: data, named: "a.json") }
    #expect(error?.description.hasPrefix("a.json is not a report: sweeps[0].shards") == true)
  }
}
