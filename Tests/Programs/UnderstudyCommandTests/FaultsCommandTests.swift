import Foundation
import Testing
import Understudy
import UnderstudyConsole
import UnderstudyTesting

@testable import UnderstudyCommand

@Suite(.stallLimit()) struct FaultsCommandTests {
  struct Broken: Error {}

  /// Returns the description of each fault, and another text at one injection point.
  static func agreement(wrongAt wrong: InjectionPoint? = nil) -> FaultAgreement<String> {
    FaultAgreement("todos.add", expecting: [(.conflict, "refused"), (.offline, "no network")]) {
      fault, injectionPoint in
      if injectionPoint == wrong { return "all is well" }
      return fault == .conflict ? "refused" : "no network"
    }
  }

  func run(_ line: String, _ agreement: FaultAgreement<String>, of catalogue: [Fault] = []) async -> (
    status: Int32, output: String, error: String
  ) {
    let (output, error) = (Locked(""), Locked(""))
    let console = Console { text in
      output.withLock { $0 += text + "\n" }
    } writeError: { text in
      error.withLock { $0 += text + "\n" }
    }
    var tool = CommandLineTool("tool")
    tool.agreements = [RegisteredAgreement(agreement, of: catalogue)]
    let status = await tool.run(line.split(separator: " ").map(String.init), console: console)
    return (status, output.withLock { $0 }, error.withLock { $0 })
  }

  @Test func matchingOutcomesAreMarkedForEachInjectionPoint() async {
    let result = await run("faults", Self.agreement(), of: [.conflict, .offline])
    #expect(result.status == 0)
    #expect(
      result.output == """
        todos.add
          fault     service  transport  handler  wire  expected
          conflict  ✓        ✓          ✓        ✓     refused
          offline   ✓        ✓          ✓        ·     no network

        7 injected faults, 0 not as expected.

        """)
  }

  @Test func aDifferenceIsShownAndFails() async {
    let result = await run("faults --call todos.add", Self.agreement(wrongAt: .handler))
    #expect(result.status == 1)
    #expect(result.output.contains("      handler: all is well"))
    #expect(result.output.hasSuffix("2 not as expected.\n"))
    let thrown = FaultAgreement("todos.add", expecting: [(.conflict, "refused")]) { _, _ in throw Broken() }
    #expect(await run("faults", thrown).output.contains("the attempt failed: Broken()"))
  }

  @Test func aFaultWithoutARowFails() async {
    let result = await run("faults", Self.agreement(), of: [.conflict, .timeout])
    #expect(result.status == 1)
    #expect(result.error == "tool: todos.add has no row for the fault timeout.\n")
  }

  @Test func jsonIsAloneOnStandardOutput() async throws {
    let result = await run("faults --format json", Self.agreement(wrongAt: .wire))
    let report = try UnderstudyReport(parsing: Data(result.output.utf8), named: "standard output")
    let rows = try #require(report.agreements.first).rows
    #expect(rows.map { $0.status(at: "wire") } == [.differs, .impossible])
    #expect(rows.first?.cells.last?.found == "all is well")
  }

  @Test func aPageHasTheMatrix() async {
    let result = await run("faults --format html", Self.agreement(wrongAt: .wire))
    #expect(result.status == 1)
    #expect(result.output.contains("todos.add: conflict at the wire is not as expected"))
    #expect(result.output.contains("<code>swift run tool faults --call todos.add</code>"))
  }

  @Test(arguments: [
    ("faults --call x", "tool: Unknown call \"x\". Valid values: todos.add.\n"),
    ("faults --format", "tool: --format requires a value. See tool faults --help.\n"),
    ("faults now", "tool: Unexpected argument \"now\". See tool faults --help.\n"),
  ])
  func badInputIsOneLineAndStatusTwo(_ line: String, _ message: String) async {
    let result = await run(line, Self.agreement())
    #expect(result.status == 2 && result.error == message && result.output.isEmpty)
  }
}
