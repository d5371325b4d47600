import Foundation
import Testing
import UnderstudyRecording
import UnderstudyHTTP
import UnderstudyTesting

@testable import UnderstudyCommand

@Suite(.stallLimit()) struct InspectCommandTests {
  private let lost = TransportError(.connectionLost, "The connection was reset.")

  private func session() throws -> TemporaryFile {
    try TemporaryFile(
      .exchange(.post, "https://api.example.com/login?x=1", "{}", answering: #"{"a": 1}"#),
      .exchange(
        .get, "https://api.example.com/events", after: 1.5, took: 2345,
        answering: "data: 1\n\ndata: 2\n\ndata",
        as: "text/event-stream", stream: .chunks(9, 13, ending: .failed(lost))),
      .socket([(.send, "hello"), (.receive, "{}"), (.receive, "bye")], end: .unfinished),
      .exchange(.get, "https://api.example.com", status: 204, as: "text/html; charset=utf-8"),
      .failed(.timedOut),
      .exchange(answering: "<p>", as: "text/html; charset=utf-8")
    ) { archive in
      archive.log["_placeholders"] = .object([.init("redacted-1", .string("request body"))])
    }
  }

  @Test func printsTheCreatorTheDateAndARowForEachExchange() async throws {
    let result = await CommandResult("inspect %", files: try session())
    #expect(result.status == 0)
    #expect(
      result.lines == [
        "recording.har: recorded by understudy 1 on 2026-01-01T00:00:00Z, 3 days ago",
        "6 exchanges, 33 B, 1 placeholder, 1 host: api.example.com",
        "",
        "#    start  method  status     duration  size  kind          ended       url",
        "0  +0.0 ms  POST    200         12.0 ms   8 B  json                      https://api.example.com/login?x=1",
        "1   +1.5 s  GET     200          2.35 s  22 B  events 2      dropped     https://api.example.com/events",
        "2  +0.0 ms  GET     101         12.0 ms   0 B  socket 1↑ 2↓  unfinished  wss://api.example.com/socket",
        "3  +0.0 ms  GET     204         12.0 ms   0 B  —                         https://api.example.com",
        "4  +0.0 ms  GET     timed out   12.0 ms   0 B  —                         https://api.example.com/cakes",
        "5  +0.0 ms  GET     200         12.0 ms   3 B  html                      https://api.example.com/cakes",
      ])
  }

  @Test func omitsACommonOrigin() async throws {
    let file = try TemporaryFile(
      .exchange(.get, "http://127.0.0.1:80/a?b"), .exchange(.get, "http://127.0.0.1:80"))
    #expect(
      await CommandResult("inspect %", files: file).lines.suffix(3) == [
        "#    start  method  status  duration  size  kind  url",
        "0  +0.0 ms  GET     200      12.0 ms   0 B  —     /a?b",
        "1  +0.0 ms  GET     200      12.0 ms   0 B  —     /",
      ])
  }

  @Test func cutsLinesOnlyAtTheWidthOfATerminal() async throws {
    let file = try TemporaryFile(.exchange(.get, "https://api.example.com/a-long-path"))
    let wide = await CommandResult("inspect %", files: file)
    #expect(wide.lines.last == "0  +0.0 ms  GET     200      12.0 ms   0 B  —     /a-long-path")
    let narrow = await CommandResult("inspect %", files: file, width: 54)
    #expect(narrow.lines.last == "0  +0.0 ms  GET     200      12.0 ms   0 B  —     /a-…")
    #expect(narrow.lines.allSatisfy { $0.count <= 54 })
    let exact = await CommandResult("inspect %", files: file, width: 62)
    #expect(exact.lines.last == wide.lines.last)
  }

  @Test func controlCharactersAreEscaped() async throws {
    let file = try TemporaryFile(
      #"""
      {"log": {"creator": {"name": "a\u001b[2Jb"}, "entries": [
        {"request": {"method": "GET\n", "url": "http://h/\u009b31m"}, "response": {"status": 200,
          "content": {"size": 9223372036854775807}}},
        {"request": {"method": "GET", "url": "nonsense"}, "response": {"status": 200,
          "content": {"size": 9223372036854775807}}}]}}
      """#)
    let result = await CommandResult("inspect %", files: file)
    #expect(
      result.lines == [
        #"recording.har: recorded by a\u{1b}[2Jb at an unknown date"#,
        "2 exchanges, 9223372.0 TB, 0 placeholders, 1 host: h", "",
        "#  start  method    status  duration          size  kind   url",
        #"0      —  GET\u{a}  200            —  9223372.0 TB  bytes  http://h/\u{9b}31m"#,
        "1      —  GET       200            —  9223372.0 TB  bytes  nonsense",
      ])
  }

  @Test func anEmptyRecordingHasNoTable() async throws {
    let result = await CommandResult("inspect %", files: try TemporaryFile())
    #expect(
      result.lines == [
        "recording.har: recorded by understudy 1 at an unknown date",
        "0 exchanges, 0 B, 0 placeholders, 0 hosts",
      ])
  }

  @Test func jsonHasTheValuesOfTheTable() async throws {
    struct Summary: Decodable {
      struct Exchange: Decodable, Equatable {
        var number: Int
        var start: Double?
        var method: String
        var url: String
        var status: Int?
        var error: String?
        var duration: Double?
        var bytes: Int
        var kind: String
        var events: Int?
        var sent: Int?
        var received: Int?
        var ended: String?
      }
      let creator: [String: String]
      let startedDateTime: String
      let ageInDays: Int
      let bytes: Int
      let hosts: [String]
      let placeholders: Int
      let exchanges: [Exchange]
    }
    let result = await CommandResult("inspect --format json %", files: try session(), width: 20)
    let summary = try JSONDecoder().decode(Summary.self, from: Data(result.output.utf8))
    #expect(summary.creator == ["name": "understudy", "version": "1"])
    #expect(summary.startedDateTime == "2026-01-01T00:00:00Z")
    #expect(summary.ageInDays == 3 && summary.bytes == 33 && summary.placeholders == 1)
    #expect(summary.hosts == ["api.example.com"])
    #expect(
      summary.exchanges[1]
        == .init(
          number: 1, start: 1500, method: "GET", url: "https://api.example.com/events", status: 200,
          duration: 2345,
          bytes: 22, kind: "events", events: 2, ended: "dropped"))
    #expect(
      summary.exchanges[2]
        == .init(
          number: 2, start: 0, method: "GET", url: "wss://api.example.com/socket", status: 101, duration: 12,
          bytes: 0, kind: "socket", sent: 1, received: 2, ended: "unfinished"))
    #expect(summary.exchanges[4].error == "timed out" && summary.exchanges[4].status == nil)
    #expect(summary.exchanges[3].kind == "none")
  }

  @Test func showsOneCompleteExchange() async throws {
    let result = await CommandResult("inspect % --entry 0", files: try session())
    #expect(
      result.lines == [
        "Exchange 0 of recording.har, 2026-01-01T00:00:00Z", "",
        "POST https://api.example.com/login?x=1", "  Content-Type: application/json", "", "  {}", "",
        "200, 12.0 ms", "  Content-Type: application/json", "", "  {", "    \"a\": 1", "  }",
      ])
  }

  @Test func showsTheTimesOfChunksAndHowTheyEnded() async throws {
    let result = await CommandResult("inspect --entry=1 %", files: try session())
    #expect(
      result.lines.suffix(5) == [
        "  Content-Type: text/event-stream", "",
        #"   +0.0 ms   9 B  "data: 1\n\n""#,
        #"  +10.0 ms  13 B  "data: 2\n\ndata""#,
        "  +20.0 ms   end  connection lost: The connection was reset.",
      ])
  }

  @Test func jsonInChunksIsAlsoShownAsAWhole() async throws {
    let entry = HTTPArchive.Entry.exchange(answering: #"{"a": []}"#, stream: .chunks(4, 5))
    let result = await CommandResult("inspect --entry 0 %", files: try TemporaryFile(entry))
    #expect(
      result.lines.suffix(7) == [
        #"   +0.0 ms  4 B  "{\"a\"""#, #"  +10.0 ms  5 B  ": []}""#, "  +20.0 ms  end  complete", "",
        "  {", #"    "a": []"#, "  }",
      ])
  }

  @Test func aBodyThatWasNotRecordedIsReported() async throws {
    var entry = HTTPArchive.Entry.exchange()
    entry.response.content["size"] = .number("5")
    let result = await CommandResult("inspect --entry 0 %", files: try TemporaryFile(entry))
    #expect(result.lines.last == "  a body of 5 bytes that was not recorded")
  }

  @Test func showsTheMessagesOfAWebSocket() async throws {
    let result = await CommandResult("inspect --entry 2 %", files: try session())
    #expect(
      result.lines.suffix(5) == [
        "messages:", #"  +1.0 s  ↑    "hello""#, #"  +2.0 s  ↓    "{}""#, #"  +3.0 s  ↓    "bye""#,
        "  +9.0 s  end  unfinished",
      ])
  }

  @Test func showsBytesInHexadecimal() async throws {
    var entry = HTTPArchive.Entry.exchange()
    entry.response.content = .init(
      Data([0x89, 0x50, 0x0A] + Array(repeating: 0xFF, count: 30)), mimeType: "image/png")
    let result = await CommandResult("inspect --entry 0 %", files: try TemporaryFile(entry))
    #expect(result.lines.last == "  33 bytes: 89 50 0a ff ff ff ff ff ff ff ff ff ff ff ff ff …")
  }

  @Test func oneExchangeInJSONIsItsEntry() async throws {
    let file = try session()
    let result = await CommandResult("inspect --entry 5 --format json %", files: file)
    let archive = try HTTPArchive(contentsOf: URL(filePath: file.path))
    #expect(try JSONValue(parsing: Data(result.output.utf8)) == archive.entries[5].json)
  }

  @Test(arguments: [
    ("inspect", "inspect requires a recording. See tool inspect --help."),
    ("inspect a b", "Unexpected argument \"b\". See tool inspect --help."),
    ("inspect --entries 1", "Unknown option \"--entries\". Did you mean --entry? See tool inspect --help."),
    ("inspect --entry -1", "--entry requires a whole number from 0, found \"-1\"."),
    ("inspect --format xml", "Unknown format \"xml\". Valid values: table, json."),
    ("inspect /no/where", "File not found: /no/where (in \(FileManager.default.currentDirectoryPath))."),
    ("inspect /dev", "/dev is a folder, not a file."),
    ("inspect % --entry 6", "Exchange 6 of % not found. Valid values: 0 to 5."),
  ])
  func badInputIsOneLineAndExitStatusTwo(_ line: String, _ message: String) async throws {
    let file = try session()
    let result = await CommandResult(line, files: file)
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.error == "tool: \(message.replacing("%", with: file.path))\n")
  }

  @Test func anInvalidFileIsReportedWithThePosition() async throws {
    let file = try TemporaryFile("{\"log\": \n {\"entries\": [}}")
    let result = await CommandResult("inspect %", files: file)
    #expect(result.status == 2)
    #expect(result.error == "tool: \(file.path): line 2, byte 23: Invalid JSON: }}\n")
  }
}
