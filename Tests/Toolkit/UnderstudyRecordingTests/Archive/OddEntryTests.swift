import Foundation
import TestSupport
import Testing
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

/// Entries that violate HAR 1.2: each costs at most itself, and gives a warning.
@Suite(.stallLimit()) struct OddEntryTests {
  /// A file with a valid entry before and after another one.
  private func file(_ request: String, _ response: String? = #""status": 200"#) -> Data {
    let valid = #"{"request": {"method": "GET", "url": "http://h/valid"}, "response": {"status": 200}}"#
    let odd =
      #"{"request": {"method": "GET", "url": "http://h/odd"\#(request)}"#
      + (response.map { #", "response": {\#($0)}}"# } ?? "}")
    return Data("{\"log\": {\"entries\": [\(valid),\n\(odd),\n\(valid)]}}".utf8)
  }

  @Test(arguments: [
    (#", "cookies": {}"#, #""status": 200"#, "Expected an array, found an object"),
    (#", "headers": {"A": "1"}"#, #""status": 200"#, "Expected an array, found an object"),
    (
      #", "headers": [{"name": "A", "value": 1}]"#, #""status": 200"#, "Expected a string, found the number 1"
    ),
    (#", "headers": ["A: 1"]"#, #""status": 200"#, "Expected an object, found a string"),
    (
      #", "headers": [{"name": "A", "value": "1"}, {"value": "x"}]"#, #""status": 200"#,
      "The member name is missing"
    ),
    (
      #", "headers": [{"name": "A", "value": "1"}]"#, #""status": "200", "statusText": 200"#,
      "non-negative integer"
    ),
    (
      #", "headers": [{"name": "A", "value": ["1"]}], "headersSize": "many""#, #""status": 200"#,
      "found an array"
    ),
  ])
  func aPlainMeaningIsRead(_ request: String, _ response: String, _ message: String) throws {
    let archive = try HTTPArchive(file(request, response))
    #expect(archive.entries.count == 3)
    let entry = archive.entries[1]
    #expect(entry.request.headers.map(\.value) == (request.contains("headers") ? ["1"] : []))
    #expect(entry.response.status == 200)
    #expect(archive.warnings.count == 1)
    let warning = try #require(archive.warnings.first)
    #expect(warning.violation?.entryIndex == 1 && warning.violation?.line == 2)
    #expect(
      warning.description.contains(message) && warning.description.contains("(read nevertheless)"),
      "\(warning)")
    #expect(try HTTPArchive(archive.data).warnings.isEmpty, "written as HAR 1.2")
  }

  @Test(arguments: [
    ("AAH/\\r\\n/g==", Data([0, 1, 0xFF, 0xFE])), ("AAH//g", Data([0, 1, 0xFF, 0xFE])),
    ("AAH__g==", Data([0, 1, 0xFF, 0xFE])), ("", Data()),
  ])
  func base64IsReadWithLineBreaksAndWithoutPadding(_ text: String, _ bytes: Data) throws {
    let archive = try HTTPArchive(
      file("", #""status": 200, "content": {"text": "\#(text)", "encoding": "base64"}"#))
    #expect(archive.entries[1].response.content.body == bytes)
  }

  @Test func aMissingResponseIsAFailure() throws {
    for response in [nil, #""status": -1"#, #""status": null"#] as [String?] {
      let archive = try HTTPArchive(file("", response))
      #expect(archive.entries[1].response.failure?.code == .unknown)
      #expect(archive.warnings.count == 1)
    }
  }

  /// Values whose meaning would be a guess: the entry is left out, and the others are read.
  @Test(arguments: [
    (#", "postData": 7"#, #""status": 200"#), ("", #""status": 2.5"#), ("", #""status": "OK""#),
    ("", #""status": 200, "content": {"text": "not base64", "encoding": "base64"}"#),
    (#", "url": 7"#, #""status": 200"#), ("", #""status": 200, "content": [1]"#),
  ])
  func anEntryWithoutAPlainMeaningIsLeftOut(_ request: String, _ response: String) async throws {
    let data = file(request, response)
    let archive = try HTTPArchive(data)
    #expect(archive.entries.map(\.request.url) == ["http://h/valid", "http://h/valid"])
    #expect(archive.warnings.map(\.violation?.entryIndex) == [1])
    #expect(archive.warnings.first?.description.contains("(the entry is left out)") == true)
    #expect(throws: RecordingError.self) { try HTTPArchive(data, strict: true) }
    #expect(throws: RecordingError.self) { try IndexedArchive(data, strict: true) }
    let indexed = try IndexedArchive(data)
    #expect((0..<indexed.entryCount).map(indexed.entry) == archive.entries)
    #expect(indexed.warnings.map(\.description) == archive.warnings.map(\.description))
    #expect(IndexedArchive(archive).warnings.count == 1, "in memory, too")
  }

  @Test func aFileWithoutAnyReadableEntryIsRefused() {
    let error = #expect(throws: RecordingError.self) {
      try HTTPArchive(Data(#"{"log": {"entries": [1, {"request": {}}]}}"#.utf8))
    }
    #expect(error?.violation?.field == "log.entries[0]")
  }

  @Test func aLoneSurrogateBecomesAReplacementCharacter() throws {
    let text = #"a\ud83d\ude00\uD800 \\ud800 \udc00"#
    let data = file("", #""status": 200, "content": {"text": "\#(text)"}"#)
    #expect(throws: RecordingError.self) { try HTTPArchive(data, strict: true) }
    let archive = try HTTPArchive(data)
    #expect(archive.entries[1].response.content.text == "a😀\u{FFFD} \\ud800 \u{FFFD}")
    #expect(archive.warnings.map(\.violation?.entryIndex) == [1])
    let indexed = try IndexedArchive(data)
    #expect(indexed.entry(at: 1) == archive.entries[1] && indexed.warnings.count == 1)
  }

  @Test func warningsStayBesideAJournal() async throws {
    let folder = try TemporaryFolder()
    let har = folder.file("odd.har")
    try file(#", "cookies": {}"#).write(to: har)
    let recorder = try RecordingTransport(around: ScriptedTransport { _ in .json("{}") }, into: har)
    _ = try await recorder.data(for: .get("/new"))
    let merged = try IndexedArchive(recordingAt: har)
    #expect(merged.entryCount == 4)
    #expect(merged.warnings.map(\.violation?.entryIndex) == [1])
    recorder.discard()
  }

  @Test func warningsReachTheSession() throws {
    let folder = try TemporaryFolder()
    let source = folder.file("SomeTests.swift")
    let place = RecordingPlace("odd", besides: source.path(), madeBy: "make it")
    let har = folder.file("Recordings/odd.har")
    try FileManager.default.createDirectory(
      at: har.deletingLastPathComponent(), withIntermediateDirectories: true)
    try file(#", "cookies": {}"#).write(to: har)
    let session = try RecordingSession(
      place, options: RecordingOptions(mode: .replayOnly, failsOnUnusedEntries: false))
    let outcome = try session.finish()
    #expect(outcome.failures.isEmpty)
    #expect(outcome.warnings.map(\.description).first?.contains("odd.har: line 2, byte ") == true)
  }
}
