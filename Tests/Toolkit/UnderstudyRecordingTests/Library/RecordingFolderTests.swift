import Foundation
import Testing
import UnderstudyRecording
import UnderstudyTesting

@Suite(.stallLimit()) struct RecordingFolderTests {
  @Test func aMissingRecordingReportsItsPathAndTheCommand() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "no recordings \(UUID())")
    let folder = RecordingFolder(url, madeBy: "todos verify --record")
    #expect {
      try folder.recording(named: "todos/todos.add")
    } throws: { error in
      "\(error)"
        == "Recording not found: \(url.path(percentEncoded: false))/todos/todos.add.har. "
        + "To record it: todos verify --record"
    }
  }

  @Test func aRecordingIsReadFromTheFileThatItWasWrittenTo() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "recordings \(UUID())")
    defer { try? FileManager.default.removeItem(at: url) }
    let folder = RecordingFolder(url, madeBy: "")
    var archive = HTTPArchive(log: HTTPArchive.Log())
    archive.log.seed = 7
    try archive.write(to: folder.file(named: "todos/todos.add"))
    #expect(try folder.recording(named: "todos/todos.add").log.seed == 7)
  }

  @Test func anInvalidRecordingIsNotMissing() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "recordings \(UUID())")
    defer { try? FileManager.default.removeItem(at: url) }
    let folder = RecordingFolder(url, madeBy: "")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try Data("{".utf8).write(to: folder.file(named: "broken"))
    #expect(throws: RecordingError.self) { try folder.recording(named: "broken") }
  }
}
