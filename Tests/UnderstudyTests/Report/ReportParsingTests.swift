import Foundation
import Testing
import Understudy

struct ReportParsingTests {
  private static let contract = Contract<Int>("numbers") {
    Clause("numbers.one", "It is one.") { $0.expect($0.subject, equals: 1) }
    Clause("numbers.small", "It is small.") { $0.expect($0.subject < 9, "Too large.") }
  }

  private func lines() async throws -> [Data] {
    var lines: [Data] = []
    let numbers = [1, 2].map { number in Implementation<Int>("number-\(number)") { _ in Stage(number) } }
    for check in Self.contract.checks(of: numbers[0], numbers[1]) {
      lines.append(try ReportLine.outcome(ClauseOutcome(check, await check.outcome(seed: 5), seed: 5)).data)
    }
    return lines
  }

  /// Parallel test cases write their lines in any order, and the report must not depend on it.
  @Test func linesInAnyOrderAreTheReportOfTheContract() async throws {
    let lines = try await lines()
    let report = try Report(parsing: Data(lines.joined()), named: "a.jsonl")
    #expect(try Report(parsing: Data(lines.reversed().joined()), named: "a.jsonl") == report)
    let numbers = [1, 2].map { number in Implementation<Int>("number-\(number)") { _ in Stage(number) } }
    #expect(report.contracts == [await Self.contract.report(on: numbers, seed: 5)])
  }

  @Test func everyKindOfLineIsReadBack() async throws {
    var full = Report.full("a")
    full.gaps = []
    full.mutants = [await Report.mutants()]
    var data = Data()
    for agreement in full.agreements { data += try ReportLine.agreement(agreement).data }
    for sweep in full.sweeps { data += try ReportLine.sweep(sweep).data }
    for matrix in full.mutants { data += try ReportLine.mutants(matrix).data }
    let report = try Report(parsing: data, named: "a.jsonl")
    #expect(report == Report(agreements: full.agreements, sweeps: full.sweeps, mutants: full.mutants))
  }

  @Test func aTornLastLineIsNamedWithItsNumber() async throws {
    let data = Data(try await lines().joined())
    let report = try Report(parsing: data.dropLast(40), named: "a.jsonl")
    let last = try #require(data.split(separator: UInt8(ascii: "\n")).last)
    let gap = "a.jsonl, line 4 is cut off after \(last.count - 39) bytes. What it tells is missing here."
    #expect(report.gaps == [gap])
    #expect(report.contracts[0].clauses.flatMap(\.outcomes).count == 3)
    #expect(!report.isClean)
    #expect(report.table().contains("✗ \(gap)"))
    #expect(report.junit().contains(gap))
  }

  /// Where a process was killed, another one's line may follow on the same line.
  @Test func aBrokenLineInTheMiddleIsNamedToo() async throws {
    var lines = try await lines()
    lines[1] = lines[1].dropLast(30)
    let report = try Report(parsing: Data(lines.joined()), named: "a.jsonl")
    #expect(report.gaps == ["a.jsonl, line 2 cannot be read: it is not JSON. What it tells is missing here."])
    lines = [lines[0], Data(#"{"kind":"outcome"}"#.utf8) + Data("\n".utf8)]
    let lacking = try Report(parsing: Data(lines.joined()), named: "a.jsonl")
    #expect(
      lacking.gaps == ["a.jsonl, line 2 cannot be read: contract is missing. What it tells is missing here."])
  }

  @Test(arguments: [
    ("", "it is empty"), ("hello", "it is not JSON"), ("[]", "the document is of another type"),
    ("{}", "A report has one of the members contracts, agreements, sweeps and mutants"),
    (#"{"summary":{}}"#, "A report has one of the members contracts, agreements, sweeps and mutants"),
    (#"{"gaps":null}"#, "A report has one of the members contracts, agreements, sweeps and mutants"),
    (#"{"contracts":null}"#, "A report has one of the members contracts, agreements, sweeps and mutants"),
    (#"{"contracts":[{"clauses":[]}]}"#, "contracts[0].name is missing"),
    (#"{"kind":"outcome","contract":"to"#, "it is not JSON"),
  ])
  func whatIsNoReportIsAnErrorThatSaysWhatToGive(_ text: String, _ reason: String) {
    let error = #expect(throws: ReportError.self) { try Report(parsing: Data(text.utf8), named: "a.json") }
    let sentence = error?.description ?? ""
    #expect(sentence.hasPrefix("a.json is no report: \(reason)"), "\(sentence)")
    #expect(sentence.hasSuffix("Give a file that UNDERSTUDY_REPORT named, or a report in the format json."))
  }

  @Test func aDocumentIsReadAsItWasWritten() async throws {
    var report = Report.full("a")
    report.mutants = [await Report.mutants()]
    let data = try JSONEncoder().encode(report)
    #expect(try Report(parsing: data, named: "a.json") == report)
  }

  /// What `verify --format json` prints.
  @Test func theDocumentOfAConformanceReportIsAReport() async throws {
    let section = await Self.contract.report(on: [Implementation("one") { _ in Stage(1) }], seed: 3)
    let conformance = ConformanceReport(contracts: [section], seed: 3)
    #expect(
      try Report(parsing: JSONEncoder().encode(conformance), named: "a.json") == Report(conformance))
  }
}
