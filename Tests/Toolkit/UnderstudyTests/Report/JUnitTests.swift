import Foundation
import Testing
import Understudy
import UnderstudyTesting

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite(.stallLimit()) struct JUnitTests {
  /// The elements of a document, each with its attributes.
  private final class Elements: NSObject, XMLParserDelegate {
    var all: [(name: String, attributes: [String: String])] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      all.append((name, attributes))
    }
  }

  private func elements(_ xml: String) -> Elements? {
    let elements = Elements()
    let parser = XMLParser(data: Data(xml.utf8))
    parser.delegate = elements
    return parser.parse() ? elements : nil
  }

  @Test func anyTextIsValidXML() async throws {
    var report = UnderstudyReport.full(hostile)
    report.mutants = [await UnderstudyReport.mutants()]
    let all = try #require(elements(report.junit(tool: hostile))).all
    let failures = all.filter { $0.name == "failure" }
    // The clause, the fault and the one without a row, the invariant, the mutants, the gap.
    #expect(failures.count == 6)
    let message = try #require(failures.first?.attributes["message"])
    #expect(message == "</td><script>alert('x')</script>\"&\\u{0}\\u{1b}[2J\\u{202e}]]>")
  }

  @Test func eachOutcomeIsATestCaseAndIsCounted() throws {
    var report = UnderstudyReport.sample(.failed([Violation("No.", fileID: "T/A.swift", line: 2)]))
    report.contracts[0].clauses[0].outcomes += [
      .init(implementation: "live", outcome: .passed, seed: 0),
      .init(implementation: "recorded", outcome: .skipped(reason: "no moon"), seed: 0),
    ]
    let all = try #require(elements(report.junit(tool: "tool"))).all
    #expect(
      all.map(\.name) == [
        "testsuites", "testsuite", "testcase", "failure", "testcase", "testcase", "skipped",
      ])
    #expect(
      all[1].attributes == ["name": "todos", "tests": "3", "failures": "1", "errors": "0", "skipped": "1"])
    #expect(
      all[2].attributes == [
        "classname": "todos.in-memory", "name": "todos.add.listed", "file": "Todos/Add.swift", "line": "7",
      ])
    #expect(all[3].attributes["message"] == "An added item is listed.")
    #expect(all[6].attributes["message"] == "no moon")
  }

  @Test func aFailureHasADescriptionAndARerunCommand() {
    let xml = UnderstudyReport.sample(.failed([Violation("No.", fileID: "T/A.swift", line: 2)]), seed: 4)
      .junit(
        tool: "tool")
    #expect(
      xml.contains(
        """
        >No. (T/A.swift:2)
        Rerun: swift run tool verify --service todos --clause todos.add.listed --seed 4
        Rerun: UNDERSTUDY_CLAUSE=todos.add.listed UNDERSTUDY_SEED=4 swift test</failure>
        """))
  }
}
