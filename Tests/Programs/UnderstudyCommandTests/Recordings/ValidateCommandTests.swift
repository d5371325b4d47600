import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

@testable import UnderstudyCommand

@Suite(.stallLimit()) struct ValidateCommandTests {
  /// A readable file with many missing members.
  private let sparse = #"""
    {"log": {"version": "1.2", "creator": {"name": "n"}, "pages": [{"id": "p1", "startedDateTime": "yesterday"}],
      "entries": [
      {"startedDateTime": "2026-01-01T00:00:00Z", "time": 1, "pageref": "p1",
        "request": {"method": "GET", "url": "http://h/", "httpVersion": "HTTP/1.1", "headers": [{"name": "A"}],
          "cookies": [{"name": "c", "value": "1", "expires": "Thu, 01 Jan 2026 00:00:00 GMT"}], "queryString": [],
          "headersSize": -1, "bodySize": 0, "postData": {"mimeType": "a"}},
        "response": {"status": 200, "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
          "content": {"size": 0, "mimeType": ""}, "redirectURL": null, "headersSize": -1, "bodySize": 0}},
      {"startedDateTime": "2026-01-01 00:00:00", "time": 1, "pageref": "p2", "cache": {"beforeRequest": {}},
        "request": {"method": "GET", "url": "http://h/", "httpVersion": "HTTP/1.1", "headers": [], "cookies": [],
          "queryString": [], "headersSize": -1, "bodySize": 0},
        "response": {"status": 200, "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
          "content": {}, "redirectURL": null, "headersSize": -1}}]}}
    """#

  @Test func recordingsAreValid() async throws {
    let file = try TemporaryFile(.exchange(.post, "http://h/?a=1", "{}", answering: "{}"), .failed(.offline))
    let result = await CommandResult("validate %", files: file)
    #expect(result.status == 0)
    #expect(result.lines == ["recording.har: ok, 2 exchanges"])
  }

  @Test func aMissingMemberIsReportedOnceWithItsFirstPosition() async throws {
    let result = await CommandResult("validate %", files: try TemporaryFile(sparse))
    #expect(result.status == 0)
    #expect(
      result.lines == [
        "recording.har: ok, 2 exchanges",
        "  warning: log.creator.version is missing (1 ×, first at log.creator, line 1)",
        "  warning: log.pages[].title is missing (1 ×, first at log.pages[0], line 1)",
        "  warning: log.pages[].pageTimings is missing (1 ×, first at log.pages[0], line 1)",
        "  warning: log.pages[].startedDateTime is not a date in ISO 8601 (1 ×, first at log.pages[0].startedDateTime, line 1)",
        "  warning: log.entries[].cache is missing (1 ×, first at log.entries[0], line 3)",
        "  warning: log.entries[].timings is missing (2 ×, first at log.entries[0], line 3)",
        "  warning: log.entries[].request.headers[].value is missing (1 ×, first at log.entries[0].request.headers[0], line 4)",
        "  warning: log.entries[].request.cookies[].expires is not a date in ISO 8601 (1 ×, first at log.entries[0].request.cookies[0].expires, line 5)",
        "  warning: log.entries[].request.postData.text and params are missing (1 ×, first at log.entries[0].request.postData, line 6)",
        "  warning: log.entries[].response.redirectURL is null (2 ×, first at log.entries[0].response.redirectURL, line 8)",
        "  warning: log.entries[].startedDateTime is not a date in ISO 8601 (1 ×, first at log.entries[1].startedDateTime, line 9)",
        "  warning: log.entries[].pageref is not the id of a page in log.pages (1 ×, first at log.entries[1].pageref, line 9)",
        "  warning: log.entries[].response.bodySize is missing (1 ×, first at log.entries[1].response, line 12)",
        "  warning: log.entries[].response.content.size is missing (1 ×, first at log.entries[1].response.content, line 13)",
        "  warning: log.entries[].response.content.mimeType is missing (1 ×, first at log.entries[1].response.content, line 13)",
        "  warning: log.entries[].cache.beforeRequest.lastAccess is missing (1 ×, first at log.entries[1].cache.beforeRequest, line 9)",
        "  warning: log.entries[].cache.beforeRequest.eTag is missing (1 ×, first at log.entries[1].cache.beforeRequest, line 9)",
        "  warning: log.entries[].cache.beforeRequest.hitCount is missing (1 ×, first at log.entries[1].cache.beforeRequest, line 9)",
      ])
  }

  @Test func oneInvalidFileIsExitStatusOneAndTheOthersAreReported() async throws {
    let broken = try TemporaryFile("\u{FEFF}{\"log\": {\"entries\": [\n{\"request\": 1}]}}")
    let result = await CommandResult("validate % %", files: broken, try TemporaryFile(.exchange()))
    #expect(result.status == 1)
    #expect(
      result.lines == [
        "recording.har: invalid: line 2, byte 25: log.entries[0]: The member response is missing here: {\"request\": 1}]}}",
        "recording.har: ok, 1 exchange",
      ])
    #expect(result.error.isEmpty)
  }

  /// An entry that is read nevertheless, and one that is left out.
  @Test func anOddEntryIsAWarningAndAnErrorIfStrict() async throws {
    let file = try TemporaryFile(
      #"""
      {"log": {"version": "1.2", "creator": {"name": "n", "version": "1"}, "entries": [
        {"request": {"method": "GET", "url": "http://h/", "cookies": {}}, "response": {"status": 200}},
        {"request": {"method": "GET", "url": 7}, "response": {"status": 200}}]}}
      """#)
    let result = await CommandResult("validate %", files: file)
    #expect(result.status == 0)
    #expect(
      result.lines.prefix(3) == [
        "recording.har: ok, 1 exchange",
        "  warning: log.entries[0].request.cookies: Expected an array, found an object (read nevertheless) (1 ×, first at log.entries[0], line 2)",
        "  warning: log.entries[1].request.url: Expected a string, found the number 7 (the entry is left out) (1 ×, first at log.entries[1], line 3)",
      ])
    let strict = await CommandResult("validate --strict %", files: file)
    #expect(strict.status == 2)
    #expect(strict.lines.first?.contains("invalid: line 2, byte") == true)
    #expect(await CommandResult("validate --strict %", files: try TemporaryFile(.exchange())).status == 0)
  }

  @Test func jsonHasPlacesAndWarnings() async throws {
    struct Result: Decodable {
      struct Problem: Decodable {
        let message: String
        let line: Int?
        let byte: Int?
        let field: String?
      }
      struct Warning: Decodable {
        let message: String
        let count: Int
        let place: String
        let line: Int
      }
      let file: String
      let exchanges: Int?
      let error: Problem?
      let warnings: [Warning]
    }
    let broken = try TemporaryFile("{\"log\":\n{}}")
    let result = await CommandResult("validate --format json % %", files: try TemporaryFile(sparse), broken)
    #expect(result.status == 1)
    let results = try JSONDecoder().decode([Result].self, from: Data(result.output.utf8))
    #expect(results.count == 2)
    #expect(results[0].exchanges == 2 && results[0].error == nil && results[0].warnings.count == 18)
    #expect(
      results[0].warnings[5].message == "log.entries[].timings is missing"
        && results[0].warnings[5].count == 2)
    #expect(results[0].warnings[5].place == "log.entries[0]" && results[0].warnings[5].line == 3)
    #expect(results[1].file == broken.path && results[1].exchanges == nil && results[1].warnings.isEmpty)
    #expect(results[1].error?.message == "The member entries is missing here")
    #expect(results[1].error?.line == 2 && results[1].error?.byte == 8 && results[1].error?.field == "log")
  }

  @Test(arguments: [
    ("2026-01-01T00:00:00Z", true), ("2026-01-01T23:59:60.123456+05:30", true),
    ("2026-12-31T00:00:00,5-0800", true),
    ("", false), ("2026-01-01", false), ("2026-01-01T00:00:00", false), ("2026-01-01T00:00:00.Z", false),
    ("2026-13-01T00:00:00Z", false), ("2026-01-00T00:00:00Z", false), ("2026-01-01T00:61:00Z", false),
    ("2026-01-01 00:00:00Z", false), ("2026-01-01T00:00:00ZZ", false), ("٢026-01-01T00:00:00Z", false),
    ("2026-01-01T00:00:00+5", false),
  ])
  func datesHaveADayATimeAndAZone(_ text: String, _ isDate: Bool) {
    #expect(FormatCheck.isDate(text) == isDate)
  }

  @Test(arguments: [
    ("validate", "validate requires a file. See tool validate --help."),
    ("validate --strikt", "Unknown option \"--strikt\". Did you mean --strict? See tool validate --help."),
    ("validate --format yaml", "Unknown format \"yaml\". Valid values: table, json."),
    ("validate % /no/where", "File not found: /no/where (in \(FileManager.default.currentDirectoryPath))."),
  ])
  func badInputIsOneLineAndExitStatusTwo(_ line: String, _ message: String) async throws {
    let result = await CommandResult(line, files: try TemporaryFile(.exchange()))
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.error == "tool: \(message)\n")
  }

  /// Real files, some of them invalid: only the invalid ones fail.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["UNDERSTUDY_CORPUS"] != nil))
  func filesOfOtherToolsAreValidOrInvalidAsExpected() async throws {
    let corpus = try #require(ProcessInfo.processInfo.environment["UNDERSTUDY_CORPUS"])
    for (folder, status) in [("wellformed", 0), ("malformed", 1)] {
      let path = "\(corpus)/har/\(folder)"
      let files = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
      #expect(!files.isEmpty)
      for file in files {
        let result = await CommandResult("validate \(path)/\(file)")
        #expect(result.status == Int32(status), "\(file): \(result.output)\(result.error)")
      }
    }
  }
}
