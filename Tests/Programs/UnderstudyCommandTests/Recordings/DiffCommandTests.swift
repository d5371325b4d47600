import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

@testable import UnderstudyCommand

@Suite(.stallLimit()) struct DiffCommandTests {
  /// The output of `diff` for two recordings of one exchange each, without its first three lines.
  private func drift(_ before: HTTPArchive.Entry, _ now: HTTPArchive.Entry) async throws -> [String] {
    let result = await CommandResult("diff % %", files: try TemporaryFile(before), try TemporaryFile(now))
    #expect(result.error.isEmpty)
    #expect(result.status == (result.lines.count == 1 ? 0 : 1))
    return Array(result.lines.dropFirst(3))
  }

  @Test func differentValuesAreNoDrift() async throws {
    let before = HTTPArchive.Entry.exchange(
      answering: #"{"id": 1, "name": "rye", "tags": [], "a": {"b": [1, 2]}}"#,
      with: ["ETag": "1", "Set-Cookie": "a=b"])
    let now = HTTPArchive.Entry.exchange(
      .get, "http://127.0.0.1:80/cakes", after: 9, took: 99, status: 201,
      answering: #"{"name": "", "id": 2.5, "tags": ["x"], "a": {"b": [3]}}"#, as: "Application/JSON",
      with: ["Date": "today", "set-cookie": "c=d"])
    #expect(try await drift(before, now) == ["  status: 200 → 201"])
    let same = await CommandResult("diff % %", files: try TemporaryFile(before), try TemporaryFile(before))
    #expect(same.status == 0)
    #expect(same.lines == ["recording.har → recording.har: 1 exchange compared, 0 changed"])
  }

  @Test func recordingsWithoutExchangesAreNotEqual() async throws {
    let result = await CommandResult("diff % %", files: try TemporaryFile(), try TemporaryFile())
    #expect(result.status == 2)
    #expect(result.error.hasPrefix("tool: There is no exchange to compare in "), "\(result.error)")
    #expect(result.error.hasSuffix("/recording.har.\n"))
  }

  @Test func addedRemovedAndChangedMembersAreDrift() async throws {
    let before = #"""
      {"items": [{"id": 1, "price": 2}, {"id": 2, "note": null}], "total": 1, "next": "x", "a b": {}, "list": [1, "a"]}
      """#
    let now = #"""
      {"items": [{"id": "1", "price": 2, "new": {"deep": true}}], "total": null, "a b": [], "list": [1], "top": null}
      """#
    #expect(
      try await drift(.exchange(answering: before), .exchange(answering: now)) == [
        #"  $["a b"]: object → array"#,
        "  $.items[].id: number → string",
        "  $.items[].new: added (object)",
        "  $.items[].note: removed (null)",
        "  $.list[]: string or number → number",
        "  $.next: removed (string)",
        "  $.top: added (null)",
        "  $.total: number → null",
      ])
  }

  @Test func anEmptyArrayHasNoElementType() async throws {
    let (empty, full) = (#"{"a": [], "b": [[]]}"#, #"{"a": [{"x": 1}], "b": [[1], [null]]}"#)
    #expect(try await drift(.exchange(answering: empty), .exchange(answering: full)) == [])
    #expect(try await drift(.exchange(answering: full), .exchange(answering: empty)) == [])
  }

  @Test func addedAndRemovedFieldsAndMediaTypesAreDrift() async throws {
    let before = HTTPArchive.Entry.exchange(
      answering: "[]", as: "application/json; charset=utf-8",
      with: ["X-Total": "7", "X-Gone": "1", "apikey": "hush", "Age": "1", "X-Request-Id": "1"])
    let now = HTTPArchive.Entry.exchange(
      answering: "[]", as: "application/problem+json", with: ["x-total": "8", "X-New": "2"])
    #expect(
      try await drift(before, now) == [
        "  header apikey: removed (…)",
        "  header Content-Type: application/json; charset=utf-8 → application/problem+json",
        "  header X-Gone: removed (1)",
        "  header X-New: added (2)",
      ])
  }

  @Test func anotherClassOfStatusIsTheOnlyDifference() async throws {
    let now = HTTPArchive.Entry.exchange(
      status: 404, answering: "gone", as: "text/plain", with: ["X-New": "2"])
    #expect(try await drift(.exchange(answering: "{}"), now) == ["  status: 200 → 404"])
    #expect(try await drift(.exchange(answering: "{}"), .failed(.timedOut)) == ["  status: 200 → timed out"])
    #expect(try await drift(.failed(.timedOut), .failed(.timedOut)) == [])
  }

  @Test func bodiesOtherThanJSONDifferOnlyIfOneIsMissing() async throws {
    let (text, none) = (
      HTTPArchive.Entry.exchange(answering: "a", as: ""), HTTPArchive.Entry.exchange(as: "")
    )
    #expect(try await drift(text, .exchange(answering: "b", as: "")) == [])
    #expect(try await drift(text, none) == ["  body: removed (not JSON)"])
    #expect(try await drift(text, .exchange(answering: "1", as: "")) == ["  body: not JSON → JSON"])
    var uncounted = none
    uncounted.response.content["size"] = .number("5")
    #expect(try await drift(uncounted, text) == [])
  }

  @Test func eventsAreComparedByTheirTypes() async throws {
    func events(_ text: String) -> HTTPArchive.Entry { .exchange(answering: text, as: "text/event-stream") }
    let before = "data: {\"a\": 1}\n\ndata: {\"a\": 2}\n\ndata: [DONE]\n\nevent: ping\ndata: 1\n\n"
    let now = "data: {\"a\": 1}\n\ndata: {\"a\": null, \"b\": 1}\n\nevent: pong\ndata: 1\n\n"
    #expect(try await drift(events(before), events(before + before)) == [])
    #expect(
      try await drift(events(before), events(now)) == [
        "  events message $: object or not JSON → object",
        "  events message $.a: number → number or null",
        "  events message $.b: added (number)",
        "  events ping: removed (number)",
        "  events pong: added (number)",
      ])
  }

  @Test func messagesThatAWebSocketReceivedAreCompared() async throws {
    func socket(_ text: String) -> HTTPArchive.Entry {
      .socket([(.send, text), (.receive, text)], end: .unfinished)
    }
    #expect(
      try await drift(socket(#"{"a": 1}"#), socket(#"{"a": "1"}"#)) == [
        "  messages received $.a: number → string"
      ])
  }

  @Test func howABodyEndedIsCompared() async throws {
    func stream(_ ending: HTTPArchive.Ending) -> HTTPArchive.Entry {
      .exchange(answering: "a", as: "", stream: .chunks(1, ending: ending))
    }
    let lost = TransportError(.connectionLost, "Lost.")
    #expect(try await drift(stream(.failed(lost)), stream(.complete)) == ["  end: dropped → complete"])
    #expect(try await drift(stream(.unfinished), stream(.complete)) == [])
  }

  @Test func requestsArePairedWithoutOriginAndSecretsAndInOrder() async throws {
    let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
    let key = "sb_secret_0123456789abcdef"
    let before = try TemporaryFile(
      .exchange(.get, "https://a.example/cakes?b=2&apikey=redacted-1&a=1", answering: "1"),
      .exchange(
        .post, "https://a.example/t/redacted-2.json", #"{"x": "a redacted-7, b", "password": "p"}"#,
        answering: "2"),
      .exchange(.get, "https://a.example/k/redacted-3", answering: "1"),
      .exchange(.get, "https://a.example/same", answering: "1"),
      .exchange(.get, "https://a.example/same", answering: "[]"),
      .exchange(.get, "https://a.example/same", answering: "{}"),
      .exchange(.post, "https://a.example/only", #"{"x": 1}"#))
    let now = try TemporaryFile(
      .exchange(.get, "http://b.example:1/k/\(key)", answering: "1"),
      .exchange(.get, "http://b.example:1/same", answering: "2"),
      .exchange(.post, "http://b.example:1/only", #"{"x": 2}"#),
      .exchange(
        .post, "http://b.example:1/t/redacted-9.json", #"{"password": 7, "x": "a \#(token), b"}"#,
        answering: "3"),
      .exchange(.get, "http://b.example:1/cakes?a=1&apikey=k&b=2", answering: "3"),
      .exchange(.get, "http://b.example:1/same", answering: "7"))
    let result = await CommandResult("diff % %", files: before, now)
    #expect(result.status == 1)
    #expect(
      result.lines == [
        "recording.har → recording.har: 5 exchanges compared, 1 changed", "",
        "GET /same (exchange 4 → 5)", "  $: array → number", "",
        "only in recording.har:", "  exchange 5: GET /same", "  exchange 6: POST /only", "",
        "only in recording.har:", "  exchange 2: POST /only",
      ])
  }

  @Test func jsonHasTheValuesOfTheText() async throws {
    struct Report: Decodable {
      struct Change: Decodable {
        let request: String
        let before: Int
        let now: Int?
        let differences: [[String: String]]
      }
      struct Lone: Decodable {
        let request: String
        let exchange: Int
      }
      let before: String
      let now: String
      let compared: Int
      let changed: [Change]
      let onlyBefore: [Lone]
      let onlyNow: [Lone]
      let notSent: [Lone]
    }
    let before = try TemporaryFile(.exchange(answering: #"{"a": 1}"#), .exchange(.get, "http://h/old"))
    let now = try TemporaryFile(.exchange(.get, "http://h/new"), .exchange(answering: #"{"b": 1}"#))
    let result = await CommandResult("diff --format json % %", files: before, now)
    #expect(result.status == 1)
    let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    #expect(report.before == before.path && report.now == now.path && report.compared == 1)
    #expect(report.changed.map(\.request) == ["GET /cakes"])
    #expect(report.changed.first?.before == 0 && report.changed.first?.now == 1)
    #expect(
      report.changed.first?.differences == [
        ["part": "json", "place": "$.a", "before": "number"],
        ["part": "json", "place": "$.b", "now": "number"],
      ])
    #expect(report.onlyBefore.map(\.exchange) == [1] && report.onlyBefore.map(\.request) == ["GET /old"])
    #expect(report.onlyNow.map(\.exchange) == [0] && report.onlyNow.map(\.request) == ["GET /new"])
    #expect(report.notSent.isEmpty)
  }

  @Test(arguments: [
    ("diff", "diff requires two recordings, or one and --live. See tool diff --help."),
    ("diff %", "diff requires two recordings, or one and --live. See tool diff --help."),
    (
      "diff % % %",
      "diff requires two recordings, or one and --live. See tool diff --help."
    ),
    (
      "diff % % --live http://h",
      "diff requires two recordings, or one and --live. See tool diff --help."
    ),
    ("diff % /no/where", "File not found: /no/where (in \(FileManager.default.currentDirectoryPath))."),
    ("diff % --life http://h", "Unknown option \"--life\". Did you mean --live? See tool diff --help."),
    ("diff % --live h", "--live requires an http or https URL, found \"h\"."),
    (
      "diff % --live http://h/v1",
      "--live requires a URL without a path, such as https://api.example.com, found http://h/v1."
    ),
    (
      "diff % --live http://h --header apikey",
      "--header requires a name and a value, such as 'apikey: …'"
    ),
    (
      "diff % --live http://h --header a\u{1}:b",
      "--header requires a name and a value, such as 'apikey: …'"
    ),
    (
      "diff % --live http://h --header a:b\r\nc:d",
      "--header requires a name and a value, such as 'apikey: …'"
    ),
    (
      "diff % % --header a:b",
      "--header and --unsafe require --live."
    ),
    ("diff % % --unsafe", "--header and --unsafe require --live."),
    ("diff % % --format xml", "Unknown format \"xml\". Valid values: table, json."),
  ])
  func badInputIsOneLineAndExitStatusTwo(_ line: String, _ message: String) async throws {
    let file = try TemporaryFile(.exchange())
    let result = await CommandResult(line, files: file, file, file)
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.error == "tool: \(message)\n")
  }
}
