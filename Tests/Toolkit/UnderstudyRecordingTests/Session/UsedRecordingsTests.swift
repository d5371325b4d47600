import Foundation
import Testing
import UnderstudyTesting

@testable import UnderstudyRecording

@Suite(.stallLimit()) struct UsedRecordingsTests {
  @Test func eachRecordingIsAppendedOnce() throws {
    let list = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: list) }
    let environment = ["UNDERSTUDY_USED_RECORDINGS": list.path(percentEncoded: false)]
    for path in ["/r/a.har", "/r/b.har", "/r/../r/a.har", "/r/b.har"] {
      try UsedRecordings.note(URL(filePath: path), environment: environment)
    }
    #expect(try String(contentsOf: list, encoding: .utf8) == "/r/a.har\n/r/b.har\n")
  }

  @Test func nothingIsWrittenWithoutTheVariable() throws {
    try UsedRecordings.note(URL(filePath: "/r/a.har"), environment: [:])
    try UsedRecordings.note(URL(filePath: "/r/a.har"), environment: ["UNDERSTUDY_USED_RECORDINGS": ""])
  }

  @Test func aListThatCannotBeWrittenIsAnError() {
    #expect {
      try UsedRecordings.note(
        URL(filePath: "/r/a.har"), environment: ["UNDERSTUDY_USED_RECORDINGS": "/no/where/list"])
    } throws: { error in
      "\(error)".contains("The file /no/where/list of UNDERSTUDY_USED_RECORDINGS cannot be opened")
    }
  }
}
