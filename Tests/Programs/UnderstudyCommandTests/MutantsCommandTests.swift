import Foundation
import Testing
import Understudy
import UnderstudyTesting

@testable import UnderstudyCommand

@Suite(.stallLimit()) struct MutantsCommandTests {
  private static let tool = CommandLineTool(
    "tool",
    contracts: RegisteredContract(.numbers("strong"), .number(1), mutants: [.two(noticedBy: "strong.one")]),
    RegisteredContract(.halves("weak"), .number(1), mutants: [.two(noticedBy: "weak.one")]),
    RegisteredContract(.numbers("untried"), .number(1)))

  private func run(_ line: String) async -> CommandResult { await CommandResult(line, of: Self.tool) }

  @Test func aStrongContractIsShownClauseByClause() async {
    let result = await run("mutants --service strong --seed 3")
    #expect(result.status == 0)
    #expect(
      result.output == """
        strong: 1 of 1 clauses kill a mutant, of 1
          ✓ strong.one  two

        1 of 1 clauses kill a mutant; 0 failures (seed 3).

        """)
    #expect(result.progress == ["strong.one · two", ""])
    #expect(result.error.isEmpty)
  }

  @Test func aClauseThatKillsNoMutantIsAFailureAndExitStatusOne() async {
    let result = await run("mutants")
    #expect(result.status == 1)
    #expect(result.output.contains("  ✗ weak.sign  \n    ✗ No mutant is killed by weak.sign: "))
    #expect(result.output.hasSuffix("\n2 of 3 clauses kill a mutant; 1 failure (seed 0).\n"))
    #expect(!result.output.contains("untried"), "It has no mutants.")
  }

  @Test func allTriesEveryMutantUnderEveryClause() async {
    let named = await run("mutants --service weak").progress
    let all = await run("mutants --service weak --all").progress
    #expect(named == ["weak.one · two", ""])
    #expect(all == ["weak.one · two", "weak.sign · two", ""])
  }

  @Test func jsonIsAloneOnStandardOutputAndCanBeReadBack() async throws {
    let json = await run("mutants --format json")
    #expect(json.status == 1)
    let report = try UnderstudyReport(parsing: Data(json.output.utf8), named: "standard output")
    #expect(report.mutants.map(\.contract) == ["strong", "weak"])
    #expect(report.mutants.map(\.failures.count) == [0, 1])
  }

  @Test func aPageNamesTheFailures() async {
    let page = await run("mutants --format html")
    #expect(page.status == 1)
    #expect(page.output.contains("No mutant is killed by weak.sign"))
  }

  /// Catches a success of a command that could derive no mutant.
  @Test func withoutAnInterceptedDoubleNothingIsTriedAndTheStatusIsOne() async {
    let result = await run("mutants --derived --service strong")
    #expect(result.status == 1)
    #expect(result.output.contains("strong: no mutant can be derived, because no call is intercepted."))
    #expect(result.output.contains("Nothing was tried: make an implementation with"))
  }

  @Test(arguments: [
    (
      "mutants --service untried",
      "tool: Unknown service with mutants \"untried\". Valid values: strong, weak."
    ),
    ("mutants --every", "tool: Unknown option \"--every\". See tool mutants --help."),
    ("mutants --format xml", "tool: Unknown format \"xml\". Valid values: table, json, html, junit."),
  ])
  func badArgumentsAreOneLineAndExitStatusTwo(_ line: String, _ message: String) async {
    let result = await run(line)
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.error == message + "\n")
  }

  @Test func withoutMutantsTheCommandIsMissing() async {
    let tool = CommandLineTool("tool", contracts: RegisteredContract(.numbers("good"), .number(1)))
    #expect(await CommandResult("mutants", of: tool).error.contains("Unknown command \"mutants\"."))
    #expect(await run("--help").output.contains("\n  mutants   "))
    #expect(await run("mutants --help").output.split(separator: "\n").allSatisfy { $0.count <= 120 })
  }
}

extension Contract where Subject == Int {
  /// Detects that a number is not one, but not which number it is.
  fileprivate static func halves(_ name: String) -> Self {
    Contract(name) {
      Clause("\(name).one", "It is one.") { $0.expect($0.subject, equals: 1) }
      Clause("\(name).sign", "It is positive.") { $0.expect($0.subject > 0, "Expected a positive number.") }
    }
  }
}

extension Mutant where Subject == Int {
  fileprivate static func two(noticedBy clause: String) -> Mutant {
    Mutant("two", "Is two.", of: .number(1), as: .number(2), killedBy: [clause: "found 2"])
  }
}
