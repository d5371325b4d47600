import Foundation
import Testing
import Understudy
import UnderstudyTesting

@Suite(.stallLimit()) struct ReportParsingTests {
  private static let contract = Contract<Int>("numbers") {
    Clause("numbers.one", "It is one.") { $0.expect($0.subject, equals: 1) }
    Clause("numbers.small", "It is small.") { $0.expect($0.subject < 9, "Too large.") }
  }

  private func lines() async throws -> [Data] {
    var lines: [Data] = []
    let numbers = [1, 2].map { number in Implementation<Int>("number-\(number)") { _ in number } }
    for check in Self.contract.checks(of: numbers[0], numbers[1]) {
      let contract = ContractReport(check, await check.outcome(seed: 5), seed: 5)
      lines.append(try UnderstudyReport(contracts: [contract]).line)
    }
    return lines
  }

  /// Parallel test cases write their lines in any order, and the report must not depend on it.
  @Test func theOrderOfLinesDoesNotMatter() async throws {
    let lines = try await lines()
    let report = try UnderstudyReport(parsing: Data(lines.joined()), named: "a.jsonl")
    #expect(try UnderstudyReport(parsing: Data(lines.reversed().joined()), named: "a.jsonl") == report)
    let numbers = [1, 2].map { number in Implementation<Int>("number-\(number)") { _ in number } }
    #expect(report.contracts == [await Self.contract.report(on: numbers, seed: 5)])
  }

  @Test func everyPartIsReadBackFromALine() async throws {
    var full = UnderstudyReport.full("a")
    full.mutants = [await UnderstudyReport.mutants()]
    let parts = [
      UnderstudyReport(contracts: full.contracts), UnderstudyReport(agreements: full.agreements),
      UnderstudyReport(sweeps: full.sweeps), UnderstudyReport(mutants: full.mutants),
      UnderstudyReport(agreements: [], gaps: full.gaps),
    ]
    for parts in [parts, parts.reversed()] {
      let data = Data(try parts.map { try $0.line }.joined())
      #expect(try UnderstudyReport(parsing: data, named: "a.jsonl") == full)
    }
  }

  @Test func aTruncatedLastLineIsReportedWithItsNumber() async throws {
    let data = Data(try await lines().joined())
    let report = try UnderstudyReport(parsing: data.dropLast(40), named: "a.jsonl")
    let last = try #require(data.split(separator: UInt8(ascii: "\n")).last)
    let gap = "a.jsonl, line 4 is truncated after \(last.count - 39) bytes. Its results are missing here."
    #expect(report.gaps == [gap])
    #expect(report.contracts[0].clauses.flatMap(\.outcomes).count == 3)
    #expect(!report.isClean)
    #expect(report.table().contains("✗ \(gap)"))
    #expect(report.junit().contains(gap))
  }

  /// Where a process was killed, another one's line may follow on the same line.
  @Test func anInvalidLineInTheMiddleIsReported() async throws {
    var lines = try await lines()
    lines[1] = lines[1].dropLast(30)
    let report = try UnderstudyReport(parsing: Data(lines.joined()), named: "a.jsonl")
    #expect(report.gaps == ["a.jsonl, line 2 cannot be read: it is not JSON. Its results are missing here."])
    lines = [lines[0], Data(#"{"kind":"outcome"}"#.utf8) + Data("\n".utf8)]
    let foreign = try UnderstudyReport(parsing: Data(lines.joined()), named: "a.jsonl")
    #expect(
      foreign.gaps == ["a.jsonl, line 2 cannot be read: format is missing. Its results are missing here."])
  }

  @Test(arguments: [
    ("", "it is empty"), ("hello", "it is not JSON"), ("[]", "the document: expected an object"),
    ("{}", "format is missing"), (#"{"format":null}"#, "format: expected a string"),
    (#"{"format":"har"}"#, "format: expected understudy-report, found har"),
    (#"{"format":"understudy-report","version":2}"#, "version: expected 1, found 2"),
    (#"{"format":"understudy-report","version":1}"#, "contracts is missing"),
    (#"{"format":"understudy-report","version":1,"contracts":{}}"#, "contracts: expected an array"),
    (
      #"{"format":"understudy-report","version":1,"contracts":[{"clauses":[]}]}"#,
      "contracts[0].name is missing"
    ),
    (#"{"format":"understudy-report","contr"#, "it is not JSON"),
    // Lines of another version, and an indented document of one.
    (#"{"format":"understudy-report","version":2}"# + "\n{}\n", "version: expected 1, found 2"),
    ("{\n  \"format\": \"understudy-report\",\n  \"version\": 2\n}\n", "version: expected 1, found 2"),
  ])
  func anInvalidReportIsAnErrorWithARemedy(_ text: String, _ reason: String) {
    let error = #expect(throws: ReportError.self) {
      try UnderstudyReport(parsing: Data(text.utf8), named: "a.json")
    }
    #expect(
      error?.description == """
        a.json is not a report: \(reason). Pass a file that UNDERSTUDY_REPORT named, or the output of a command with \
        --format json.
        """)
  }

  @Test func aDocumentSurvivesEncoding() async throws {
    var report = UnderstudyReport.full("a")
    report.mutants = [await UnderstudyReport.mutants()]
    for formatting in [JSONEncoder.OutputFormatting.prettyPrinted, .sortedKeys] {
      let encoder = JSONEncoder()
      encoder.outputFormatting = formatting
      #expect(try UnderstudyReport(parsing: encoder.encode(report), named: "a.json") == report)
    }
  }

  /// The shape that scripts read.
  @Test func theJSONIsStructural() throws {
    let violation = Violation(
      "Expected (1), found 2. (T/A.swift:9)", fileID: "T/A.swift", line: 2, isAccident: true)
    let data = try JSONEncoder().encode(UnderstudyReport.sample(.failed([violation]), seed: 7))
    let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(root["format"] as? String == "understudy-report" && root["version"] as? Int == 1)
    #expect((root["summary"] as? [String: Int])?["failures"] == 1)
    let contract = try #require((root["contracts"] as? [[String: Any]])?.first)
    let clause = try #require((contract["clauses"] as? [[String: Any]])?.first)
    #expect(clause["id"] as? String == "todos.add.listed")
    let cell = try #require((clause["outcomes"] as? [[String: Any]])?.first)
    #expect(cell["implementation"] as? String == "in-memory" && cell["seed"] as? Int == 7)
    let outcome = try #require(cell["outcome"] as? [String: Any])
    #expect(outcome["kind"] as? String == "failed")
    let written = try #require((outcome["violations"] as? [[String: Any]])?.first)
    #expect(Set(written.keys) == ["message", "fileID", "line", "isAccident"])
    #expect(written["message"] as? String == violation.message && written["isAccident"] as? Bool == true)
  }
}

extension UnderstudyReport {
  /// What a ``ReportFile`` appends.
  var line: Data { get throws { try JSONEncoder().encode(self) + Data("\n".utf8) } }
}
