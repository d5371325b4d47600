import Foundation
import Testing
import UnderstudyRecording
import UnderstudyHTTP
import UnderstudyTesting

@testable import UnderstudyCommand

@Suite(.stallLimit()) struct RedactCommandTests {
  private func file() throws -> TemporaryFile {
    try TemporaryFile(
      .exchange(
        .get, "https://api.example.com/cakes?access_token=opensesame", sending: ["apikey": "key-of-the-house"]
      ),
      .exchange(answering: #"{"echo":"key-of-the-house"}"#))
  }

  @Test func checkTellsWhereSecretsStandAndNotWhatTheyAre() async throws {
    let file = try file()
    let before = try Data(contentsOf: URL(filePath: file.path))
    let result = await CommandResult("redact % --check", files: file)
    #expect(result.status == 1)
    #expect(
      result.lines.dropLast() == [
        "log.entries[0].request.url: a secret of 10 bytes (named field)",
        "log.entries[0].request.headers[0].value: a secret of 16 bytes (header field)",
        "log.entries[0].request.queryString[0].value: a secret of 10 bytes (named field)",
        "log.entries[1].response.content.text: a secret of 16 bytes (copy of a secret)",
        "recording.har: 4 secrets. Replace them with: tool redact recording.har",
      ])
    #expect(
      result.lines.last?.hasPrefix("Searched 2 exchanges for values with the name of a secret, tokens of ")
        == true)
    #expect(try Data(contentsOf: URL(filePath: file.path)) == before)
    #expect(!result.output.contains("opensesame") && !result.output.contains("key-of"))
  }

  @Test func redactedFilesPassTheCheck() async throws {
    let file = try file()
    let result = await CommandResult("redact %", files: file)
    #expect(result.status == 0 && result.lines == ["recording.har: 4 secrets replaced"])
    let check = await CommandResult("redact % --check --format json", files: file)
    #expect(check.status == 0)
    let report = try JSONSerialization.jsonObject(with: Data(check.output.utf8)) as? [String: Any]
    #expect((report?["secrets"] as? [Any])?.isEmpty == true)
    let text = String(decoding: try Data(contentsOf: URL(filePath: file.path)), as: UTF8.self)
    #expect(!text.contains("opensesame") && !text.contains("key-of-the-house"))
    #expect(text.contains("https://api.example.com/cakes?access_token=redacted-"))
  }

  /// A check that finds nothing says what it could not read.
  @Test func checkNamesTheBodiesThatAreNotText() async throws {
    let packed = Data([0x81, 0xA8] + "password".utf8 + [0xA7] + "hunter7".utf8 + [0xC0, 0xFF])
    var packedExchange = HTTPArchive.Entry.exchange()
    packedExchange.response.content = .init(packed, mimeType: "application/msgpack")
    let file = try TemporaryFile(
      packedExchange,
      .exchange(answering: #"{"a":1}"#))
    let result = await CommandResult("redact % --check", files: file)
    #expect(result.status == 0)
    #expect(
      result.lines.last == "Not text, so searched only for copies: 1 body (application/msgpack 1).")
  }

  @Test func anAdditionalSecretCanBeSpecified() async throws {
    let file = try TemporaryFile(.exchange(answering: #"{"note":"the cake is a lie"}"#))
    #expect(await CommandResult("redact % --check", files: file).status == 0)
    #expect(await CommandResult("redact % --check --secret cake", files: file).status == 1)
  }

  @Test func theJournalOfAKilledRecorderIsRedacted() async throws {
    let file = try file()
    let url = URL(filePath: file.path)
    do {
      let recorder = try RecordingTransport(around: Echo(), into: url, redaction: .off)
      _ = try await recorder.send(
        HTTP.Request(.get, try #require(URL(string: "https://api.example.com/?access_token=sesame-street"))))
    }
    #expect(await CommandResult("redact %", files: file).status == 0)
    #expect(await CommandResult("redact % --check", files: file).status == 0)
    #expect(try HTTPArchive(recordingAt: url).entries.count == 3)
    let folder = url.deletingLastPathComponent()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["recording.har"])
    #expect(!String(decoding: try Data(contentsOf: url), as: UTF8.self).contains("sesame-street"))
  }

  private struct Echo: HTTPTransport {
    func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
      HTTP.Response(status: 204)
    }
  }

  @Test func anotherFileCanBeWritten() async throws {
    let (file, other) = (try file(), try TemporaryFile("{}"))
    let before = try Data(contentsOf: URL(filePath: file.path))
    #expect(await CommandResult("redact % --output %", files: file, other).status == 0)
    #expect(try Data(contentsOf: URL(filePath: file.path)) == before)
    #expect(await CommandResult("redact % --check", files: other).status == 0)
  }

  @Test(arguments: [
    ("redact", "redact requires a recording. See tool redact --help."),
    ("redact /no/where.har", "File not found: /no/where.har (in "),
    ("redact a.har --check --output b.har", "--check cannot be combined with --output."),
    ("redact --format xml", "Unknown format \"xml\". Valid values: table, json."),
  ])
  func badArgumentsAreOneLineAndExitStatusTwo(_ line: String, _ message: String) async {
    let result = await CommandResult(line)
    #expect(result.status == 2)
    #expect(result.error.hasPrefix("tool: " + message), "\(result.error)")
  }
}
