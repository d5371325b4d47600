import Foundation
import TestSupport
import Testing

@testable import Understudy

struct RunsInProgressTests {
  /// What a handler of a signal would write.
  private func written(by runs: RunsInProgress) throws -> String {
    let pipe = Pipe()
    runs.report(to: pipe.fileHandleForWriting.fileDescriptor)
    try pipe.fileHandleForWriting.close()
    return String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  }

  @Test func aRunIsWrittenUntilItEnds() throws {
    let runs = RunsInProgress()
    #expect(try written(by: runs) == "")
    let (first, second) = (runs.begin("  first\n"), runs.begin("  second\n"))
    #expect(
      try written(by: runs) == """
        understudy: the process ends in one of these runs of scenarios:
          first
          second

        """)
    runs.end(first)
    #expect(try written(by: runs) == "understudy: the process ends in a run of a scenario:\n  second\n")
    runs.end(second)
    #expect(try written(by: runs) == "")
  }

  /// Catches places that are lost, and a table that is written beyond its end.
  @Test func asManyRunsAreNotedAsHavePlaces() throws {
    let runs = RunsInProgress()
    for _ in 1...3 {
      let places = (1...70).map { runs.begin("  \($0)\n") }
      #expect(places.count { $0 != nil } == 64)
      #expect(try written(by: runs).split(separator: "\n").count == 1 + 64)
      for place in places { runs.end(place) }
      #expect(try written(by: runs) == "")
    }
  }

  /// Catches a text that is written into the next place.
  @Test func aLongTextIsCut() throws {
    let runs = RunsInProgress()
    _ = runs.begin(String(repeating: "a", count: 5000))
    _ = runs.begin("  second\n")
    let lines = try written(by: runs).split(separator: "\n").map(String.init)
    #expect(lines.last == String(repeating: "a", count: 2044) + "  second")
  }

  @Test func anotherProcessReadsTheRunsFromAFile() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("runs").path(percentEncoded: false)
    #expect(RunsInProgress.texts(in: file) == [])
    let runs = RunsInProgress()
    let place = runs.begin("  before\n")
    try runs.keep(in: file)
    _ = runs.begin("  after\n")
    #expect(RunsInProgress.texts(in: file) == ["  before\n", "  after\n"])
    runs.end(place)
    #expect(RunsInProgress.texts(in: file) == ["  after\n"])
    #expect(try written(by: runs) == "understudy: the process ends in a run of a scenario:\n  after\n")
  }

  @Test func aFileThatCannotBeWrittenIsAnError() {
    #expect(throws: (any Error).self) { try RunsInProgress().keep(in: "/dev/null/runs") }
  }
}
