import Foundation
import Testing
import Understudy
import UnderstudyTesting

@testable import UnderstudyCommand

@Suite(.stallLimit()) struct ReportCommandTests {
  private static func line(_ value: Int, seed: UInt64 = 0, named name: String = "one") async throws -> Data {
    let check = Contract.numbers("good").checks(of: Implementation<Int>.number(value, named: name))[0]
    let contract = ContractReport(check, await check.outcome(), seed: seed)
    return try JSONEncoder().encode(UnderstudyReport(contracts: [contract])) + Data("\n".utf8)
  }

  private static func document(contracts: String = "", agreements: String = "") -> String {
    """
    {"format":"understudy-report","version":1,"contracts":[\(contracts)],"agreements":[\(agreements)],"sweeps":[],\
    "mutants":[],"gaps":[]}
    """
  }

  @Test func shardsAreJoinedIntoOneReport() async throws {
    let json = await CommandResult(
      "verify --format json",
      of: CommandLineTool(
        "tool", contracts: RegisteredContract(.numbers("good"), .number(1, named: "second"))))
    let result = try await CommandResult(
      "report merge % %", files: TemporaryFile(Self.line(1)), TemporaryFile(json.output))
    #expect(result.status == 0 && result.error.isEmpty)
    #expect(
      result.output == """
        good        one  second
          good.one  ✓    ✓       It is one.

        2 passed, 0 failed, 0 skipped (seed 0).

        """)
  }

  @Test func differencesBetweenRunsAreReported() async throws {
    let files = [try TemporaryFile(await Self.line(1)), try TemporaryFile(await Self.line(2, seed: 7))]
    let result = await CommandResult("report merge % %", files: files[0], files[1])
    #expect(result.status == 1)
    #expect(result.output.contains("≠ one: passed in a run with seed 0"))
    #expect(result.output.contains("≠ one: failed in a run with seed 7"))
    let xml = await CommandResult("report merge --format=junit % %", files: files[0], files[1])
    #expect(xml.output.contains(#"<testsuite name="good" tests="1" failures="1""#))
    let page = await CommandResult("report merge --format html % %", files: files[0], files[1])
    #expect(page.output.contains("one does not always keep good.one"))
  }

  @Test func anIncompleteLineIsReportedAndFails() async throws {
    let file = try TemporaryFile(await Self.line(1) + Self.line(1, named: "second").dropLast(20))
    let result = await CommandResult("report merge %", files: file)
    #expect(result.status == 1)
    #expect(result.error.hasPrefix("tool: \(file.path), line 2 is truncated after "))
    #expect(result.output.hasSuffix("1 passed, 0 failed, 0 skipped; 1 part missing (seed 0).\n"))
  }

  @Test(arguments: ["", #"{"name":"a","clauses":[]}"#])
  func anEmptyReportFails(_ contract: String) async throws {
    let json = Self.document(contracts: contract)
    let result = await CommandResult("report merge %", files: try TemporaryFile(json))
    #expect(result.status == 1 && result.output.hasSuffix("Nothing was tested.\n"))
  }

  /// Catches an error with unescaped text of the file.
  @Test func anErrorEscapesTheTextOfAFile() async throws {
    let agreements = #""name":"\u001b[2J","rows":[],"missing":[]"#
    let file = try TemporaryFile(
      Self.document(
        agreements: #"{\#(agreements),"injectionPoints":["a"]},{\#(agreements),"injectionPoints":[]}"#))
    let result = await CommandResult("report merge %", files: file)
    #expect(result.status == 2 && result.error.contains(#"faults of \u{1b}[2J are of different"#))
    #expect(!result.error.contains("\u{1B}"))
  }

  @Test func aMergedReportCanBeMergedAgain() async throws {
    let first = await CommandResult(
      "report merge --format json %", files: try TemporaryFile(await Self.line(1)))
    let again = await CommandResult(
      "report merge --format json % %", files: try TemporaryFile(first.output),
      try TemporaryFile(first.output))
    #expect(again.output == first.output && again.status == 0)
  }

  @Test(arguments: [
    ("report", "tool: report requires an action: merge. See tool report --help."),
    ("report split", "tool: Unknown action \"split\". Valid values: merge. See tool report --help."),
    ("report merge", "tool: report merge requires a file. See tool report --help."),
    ("report merge --colour", "tool: Unknown option \"--colour\". See tool report --help."),
    (
      "report merge --format xml x", "tool: Unknown format \"xml\". Valid values: table, json, html, junit."
    ),
  ])
  func badInputIsOneLineAndStatusTwo(_ line: String, _ message: String) async {
    let result = await CommandResult(line, of: CommandLineTool("tool"))
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.error == message + "\n")
  }

  @Test func aFileOtherThanAReportIsOneLineAndStatusTwo() async throws {
    let file = try TemporaryFile("hello\nthere")
    let result = await CommandResult("report merge %", files: file)
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.error.hasPrefix("tool: \(file.path) is not a report: it is not JSON. "))
    #expect(result.error.count(where: \.isNewline) == 1)
  }

  @Test func helpFitsAnyTerminal() async {
    let help = await CommandResult("report --help", of: CommandLineTool("tool"))
    #expect(help.status == 0 && help.output.hasPrefix("usage: tool report merge <file> …"))
    #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 118 })
  }
}
