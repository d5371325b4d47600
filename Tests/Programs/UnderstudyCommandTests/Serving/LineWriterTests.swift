import Testing
import Understudy
import UnderstudyConsole
import UnderstudyTesting

@testable import UnderstudyCommand

@Suite(.stallLimit()) struct LineWriterTests {
  @Test func pendingLinesAreWrittenAtOnceAndInOrder() async throws {
    let writer = LineWriter()
    for number in 0..<3 { writer.write("\(number)") }
    writer.end()
    let written = Locked<[String]>([])
    try await writer.run { text throws(CommandError) in written.withLock { $0.append(text) } }
    #expect(written.withLock { $0 } == ["0\n1\n2"])
  }

  @Test func reportsTheNumberOfDroppedLinesIfTheyAreNotRead() async throws {
    let writer = LineWriter()
    for _ in 0..<100_007 { writer.write("") }
    writer.end()
    let written = Locked("")
    try await writer.run { text throws(CommandError) in written.withLock { $0 += text } }
    #expect(written.withLock { $0.hasSuffix("\n… and 7 more lines, dropped because the output is too slow") })
  }

  @Test func endsIfTheOutputFails() async {
    let writer = LineWriter()
    writer.write("a")
    await #expect(throws: CommandError.self) {
      try await writer.run { _ throws(CommandError) in throw CommandError("full") }
    }
  }

  @Test func pathsThatDifferInTheirIDsAreOneRoute() {
    var tally = RequestTally()
    for id in ["1", "22", "D0000000-0000-4000-8000-000000000001"] {
      tally.count(route: "GET /cakes/\(id)/v2", 200)
    }
    #expect(
      tally.summary(.init(), unused: []) == "Stopped after 3 requests.\n  3 ×  200  GET /cakes/{id}/v2")
  }

  @Test func manyDifferentPathsAreCountedTogether() {
    var tally = RequestTally()
    for number in 0..<1500 { tally.count(route: "GET /p\(number)", 404) }
    let lines = tally.summary(.init(), unused: []).split(separator: "\n")
    #expect(lines.count == 1002)
    #expect(lines.last == "  500 ×  404  other paths")
  }
}
