import Foundation
import TestSupport
import Testing
import UnderstudyRecording
import UnderstudyHTTP
import UnderstudyTesting

/// The files of a recorder that was killed at any time.
@Suite(.stallLimit()) struct RecordingJournalTests {
  private let folder: TemporaryFolder
  private let file: URL
  private var journal: URL { RecordingJournal.url(of: file) }

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("session.har")
  }

  private static let backend = ScriptedTransport { request in
    .json(#"{"path": "\#(request.url.path())", "access_token": "token-of\#(request.url.path())"}"#)
  }

  /// Records these paths, and leaves the journal like a killed process.
  private func leaveJournal(_ paths: [String]) async throws {
    let recorder = try RecordingTransport(around: Self.backend, into: file, seed: 7)
    for path in paths {
      _ = try await recorder.data(for: .get(path, fields: ["apikey": "key-of-the-project"]))
    }
  }

  private func paths(_ archive: HTTPArchive) -> [String] {
    archive.entries.map { String($0.request.url.dropFirst("https://api.example".count)) }
  }

  /// Catches a loader that fails on an incomplete line, or that drops a complete one.
  @Test func aTruncatedJournalKeepsItsCompleteLines() async throws {
    try await leaveJournal(["/a", "/b", "/c"])
    let bytes = try Data(contentsOf: journal)
    let ends = bytes.indices.filter { bytes[$0] == 0x0A }
    #expect(ends.count == 4)
    // Next to each end of a line, and at a sample of the other bytes.
    let near = ends.flatMap { $0 - 1...$0 + 2 }
    for cut in Set(near + Effort.some(of: 0...bytes.count, every: 41)).sorted() where cut <= bytes.count {
      try bytes.prefix(cut).write(to: journal)
      let lines = ends.filter { $0 < cut }.count
      let archive = try HTTPArchive(recordingAt: file)
      #expect(paths(archive) == Array(["/a", "/b", "/c"].prefix(max(0, lines - 1))), "cut at \(cut)")
      #expect(archive.log.seed == (lines > 0 ? 7 : nil))
      if lines > 1 {
        #expect(archive.log.placeholders.count == lines, "the key and a token for each entry")
      }
    }
  }

  @Test func anInvalidLineInTheMiddleIsReported() async throws {
    try await leaveJournal(["/a", "/b", "/c"])
    var lines = try String(contentsOf: journal, encoding: .utf8).split(separator: "\n").map(String.init)
    while lines[2].last == " " { lines[2].removeLast() }
    lines[2].removeLast(5)
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: journal)
    let error = #expect(throws: RecordingError.self) { try HTTPArchive(recordingAt: file) }
    #expect(error?.violation?.line == 3)
    #expect(error?.file == journal)
    #expect(throws: RecordingError.self) { try RecordingJournal.recover(file) }
    #expect(try folder.names == ["session.har.journal"], "a failed attempt loses no exchange")
  }

  @Test func otherFilesThanJournalsAreRefused() throws {
    try Data("{\"log\": 1}\n{}\n".utf8).write(to: journal)
    let error = #expect(throws: RecordingError.self) { try HTTPArchive(recordingAt: file) }
    #expect(error?.code == .invalidRecording)
    #expect(error?.message.contains("not a recording journal of a supported version") == true)
  }

  @Test func recoveringMakesItFinal() async throws {
    try await leaveJournal(["/a", "/b"])
    let read = try HTTPArchive(recordingAt: file)
    try RecordingJournal.recover(file)
    #expect(try folder.names == ["session.har"])
    let final = try HTTPArchive(recordingAt: file)
    #expect(final.entries == read.entries)
    #expect(final.log.placeholders == read.log.placeholders)
    #expect(try Data(contentsOf: file) == final.data, "as an archive is written")
    try RecordingJournal.recover(file)
    #expect(try folder.names == ["session.har"])
  }

  /// Two killed sessions and a finished one: no exchange is lost or duplicated, and no placeholder
  /// represents two secrets.
  @Test func theNextRecorderMakesItFinal() async throws {
    try await leaveJournal(["/a"])
    try await leaveJournal(["/b", "/c"])
    #expect(paths(try HTTPArchive(recordingAt: file)) == ["/a", "/b", "/c"])
    let recorder = try RecordingTransport(around: Self.backend, into: file)
    let older = try HTTPArchive(recordingAt: file)
    _ = try await recorder.data(for: .get("/d"))
    #expect(paths(try HTTPArchive(recordingAt: file)) == ["/a", "/b", "/c", "/d"], "while it records")
    try recorder.finish(keeping: older)
    let archive = try HTTPArchive(contentsOf: file)
    #expect(paths(archive) == ["/a", "/b", "/c", "/d"])
    #expect(try folder.names == ["session.har"])
    let tokens = archive.entries.map { $0.response.content.text?.suffix(13) }
    #expect(Set(tokens).count == 4, "\(tokens)")
    for token in tokens {
      let name = token?.filter { $0 != "\"" && $0 != "}" && $0 != " " && $0 != ":" } ?? ""
      #expect(archive.log.placeholders[String(name)] != nil, "\(name) of \(archive.log.placeholders)")
    }
  }

  /// Killed after the file was written, before the journal was removed.
  @Test func aFinishedJournalIsIgnored() async throws {
    let recorder = try RecordingTransport(around: Self.backend, into: file)
    _ = try await recorder.data(for: .get("/a"))
    let copy = try Data(contentsOf: journal)
    try recorder.finish()
    try copy.write(to: journal)
    let archive = try HTTPArchive(recordingAt: file)
    #expect(paths(archive) == ["/a"])
    #expect(archive == (try HTTPArchive(contentsOf: file)))
    try RecordingJournal.recover(file)
    #expect(try folder.names == ["session.har"])
    #expect(try HTTPArchive(contentsOf: file) == archive)

    // The next recorder begins its own journal.
    try copy.write(to: journal)
    try await leaveJournal(["/b"])
    #expect(paths(try HTTPArchive(recordingAt: file)) == ["/a", "/b"])
  }

  /// Killed while the new file was being written, so that any part of it may exist.
  @Test func anUnfinishedTemporaryFileIsIgnored() async throws {
    try await leaveJournal(["/a"])
    try RecordingJournal.recover(file)
    let before = try Data(contentsOf: file)
    try await leaveJournal(["/b"])
    try Data(before.prefix(before.count / 2)).write(to: folder.file("session.har.finishing"))
    #expect(paths(try HTTPArchive(recordingAt: file)) == ["/a", "/b"])
    #expect(try Data(contentsOf: file) == before)
    try RecordingJournal.recover(file)
    #expect(paths(try HTTPArchive(contentsOf: file)) == ["/a", "/b"])
    #expect(try folder.names == ["session.har"])
  }

  @Test func twoRecordersOfOneFileAreRefused() async throws {
    let first = try RecordingTransport(around: Self.backend, into: file)
    let error = #expect(throws: RecordingError.self) {
      try RecordingTransport(around: Self.backend, into: file)
    }
    #expect(error?.code == .inUse && error?.file == file)
    #expect(error?.description.contains("Another recorder is writing this recording") == true)
    #expect(throws: RecordingError.self) { try RecordingJournal.recover(file) }
    _ = try await first.data(for: .get("/a"))
    try first.finish()
    let second = try RecordingTransport(around: Self.backend, into: file)
    try second.finish()
    #expect(try HTTPArchive(contentsOf: file).entries.isEmpty, "it takes the place of what was there")
  }

  @Test func aFolderReadsBoth() async throws {
    let recordings = RecordingFolder(folder.url, madeBy: "")
    try await leaveJournal(["/a"])
    #expect(try recordings.recording(named: "session").entries.count == 1)
    let error = #expect(throws: RecordingError.self) { try recordings.recording(named: "other") }
    #expect(error?.code == .missing && error?.file?.lastPathComponent == "other.har")
  }
}
