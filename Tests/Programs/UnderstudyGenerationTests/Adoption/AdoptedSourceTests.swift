import TestSupport
import Testing
import UnderstudyTesting

@testable import UnderstudyGeneration

/// Protocols, models and errors with the names of types of the toolkit.
@Suite(.stallLimit()) struct AdoptedSourceTests {
  // Catches a name that is ambiguous in a file that imports the toolkit, and a call that is missing because the type of
  // an argument has its module.
  @Test(arguments: [
    (
      "GateContract",
      [
        "extension Understudy.Contract where Subject == any Treaty.Gate {",
        "    Understudy.Contract(\"gate\") {",
        "      Understudy.Clause(\"gate.sign\", ",
        "_ = try await trial.subject.sign(Treaty.Contract(title: \"title\"), on: Treaty.Condition.open)",
        "try await trial.subject.open(Treaty.Subject(clause: Treaty.Clause(text: \"text\")))",
        "      Understudy.Clause.failures(\"gate.sign\", thrownAs: { Treaty.Fault($0) }) {",
      ]
    ),
    (
      "InMemoryGate",
      [
        "final class InMemoryGate: Treaty.Gate {",
        "throw Treaty.Fault(.unimplemented(\"InMemoryGate.open(_:)\"))",
        "    Treaty.Trial(clause: Treaty.Clause(text: \"text\"))",
        "completion(Treaty.Fault(.unimplemented(\"InMemoryGate.ask(_:completion:)\")))",
      ]
    ),
    (
      "Fault+Fault",
      [
        "extension Treaty.Fault {", "init(_ fault: Understudy.Fault) {",
        "case .serverError, .unavailable: .server(Treaty.Clause(text: \"text\"))",
      ]
    ),
    (
      "GateContractTests",
      [
        "@Testing.Test(arguments: Understudy.Contract.gate.checks(of: .inMemory))",
        "func honours(_ check: Understudy.ContractCheck<any Treaty.Gate>) async throws",
        "extension Understudy.Implementation where Subject == any Treaty.Gate {",
      ]
    ),
  ])
  func namesOfTheToolkitAreQualified(_ file: String, _ parts: [String]) async throws {
    let folder = try TemporaryFolder()
    let result = await ProgramRun(
      "adopt Gate --module Treaty --symbol-graph \(Modules.treaty) --output \(folder.path)")
    #expect(result.error == "" && result.status == 0)
    let text = try folder.read("\(file).swift")
    for part in parts { #expect(text.contains(part), "\(part)") }
  }

  // Catches a second conformance of the double to a protocol that two services refine, which does not compile.
  @Test func aConformanceThatExistsIsNotWrittenAgain() async throws {
    let folder = try TemporaryFolder()
    for name in ["Loading", "Unloading"] {
      let result = await ProgramRun(
        "adopt \(name) --module Depot --symbol-graph \(Modules.depot) --output \(folder.path)")
      #expect(result.error == "" && result.status == 0)
    }
    let head = "extension Understudy.Intercepted: Closing where"
    #expect(try folder.read("Generated/Loading+Doubles.swift").contains(head))
    #expect(!(try folder.read("Generated/Unloading+Doubles.swift")).contains(head))
  }

  // Catches methods that are behind no fault, which only a comment in the generated file says.
  @Test(arguments: [
    (
      "LendingService",
      """
      No fault makes latest(), forget(_:) fail: they can only be delayed.
      A fault ends reminders() early: it cannot fail.
      """
    ),
    ("Catalogue", "No fault reaches isOpen, title: they cannot fail. A sweep names them too."),
  ])
  func whatNoFaultMakesFailIsReported(_ name: String, _ lines: String) async throws {
    let folder = try TemporaryFolder()
    let result = try await ProgramRun(
      "adopt \(name) --module GenerationFixtures --symbol-graph \(Modules.fixtures) --output \(folder.path)")
    #expect(result.output.contains("\n\n\(lines)\n\nNext:\n"), "\(result.output)")
  }
}
