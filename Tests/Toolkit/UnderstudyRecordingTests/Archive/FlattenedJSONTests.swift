import Foundation
import TestSupport
import Testing
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

/// JSON bodies of which chrome-har has recorded the members as `params`.
@Suite(.stallLimit()) struct FlattenedJSONTests {
  /// A file with one entry for each body, whose response is its number.
  private func file(_ bodies: String...) -> Data {
    let entries = bodies.enumerated().map { number, body in
      """
      {"request": {"method": "POST", "url": "https://api.example/cart", "postData": \(body)},
       "response": {"status": 200, "content": {"mimeType": "text/plain", "text": "\(number)"}}}
      """
    }
    return Data("{\"log\": {\"entries\": [\(entries.joined(separator: ",\n"))]}}".utf8)
  }

  private func params(_ params: String, _ others: String = "") -> String {
    #"{"mimeType": "application/json; charset=utf-8"\#(others), "params": [\#(params)]}"#
  }

  private static let cases: [(params: String, body: String)] = [
    (#"{"name": "a", "value": "1"}"#, #"{"a": "1"}"#),
    (#"{"name": "a", "value": 1}, {"name": "b", "value": true}"#, #"{"b": true, "a": 1.0}"#),
    (#"{"name": "a", "value": null}"#, #"{"a": null}"#),
    (#"{"name": "a", "value": {"b": [{}]}}"#, #"{"a": {"b": [{}]}}"#),
    // An array of several elements, of one, and of none.
    (#"{"name": "a", "value": 1}, {"name": "a", "value": "x"}"#, #"{"a": [1, "x"]}"#),
    (#"{"name": "products", "value": 7}"#, #"{"products": [7], "others": []}"#),
    (#"{"name": "0", "value": {"a": 1}}, {"name": "1", "value": 2}"#, #"[{"a": 1}, 2]"#),
    (#"{"name": "1", "value": 2}"#, "[[], 2]"),
  ]

  @Test(arguments: cases) func theRequestIsAnswered(_ params: String, _ body: String) async throws {
    for text in ["", #", "text": """#] {
      let archive = try HTTPArchive(file(self.params(params, text)))
      #expect(try await ReplayingTransport(archive).text(for: .post("/cart", body)) == "0")
      let indexed = try IndexedArchive(file(self.params(params, text)))
      #expect(indexed.entry(at: 0) == archive.entries[0])
    }
  }

  @Test(arguments: [#"{"a": 1}"#, #"{"a": [1]}"#])
  func anotherRequestIsNot(_ recorded: String) async throws {
    let archive = try HTTPArchive(file(params(#"{"name": "a", "value": 1}"#)))
    for body in [#"{"a": "1"}"#, #"{"a": 2}"#, #"{"a": [1, 1]}"#, #"{"a": 1, "b": null}"#, "1"] {
      let failure = await ReplayingTransport(archive).failure(of: try .post("/cart", body))
      #expect(failure?.code == .invalidRequest, "\(body)")
    }
    let replay = ReplayingTransport(archive)
    #expect(try await replay.text(for: .post("/cart", recorded)) == "0")
    // The difference is in the number of requests, not between the element and its array.
    let message = await replay.failure(of: try .post("/cart", recorded))?.message ?? ""
    #expect(message.contains("sent more often than recorded"), "\(message)")
  }

  /// Catches an array that receives the answer to its element, which was recorded exactly.
  @Test func anExactEntryAnswersOnlyItsRequestAndIsPreferred() async throws {
    let exact = #"{"mimeType": "application/json", "text": "{\"a\": 1}"}"#
    let alone = ReplayingTransport(try HTTPArchive(file(exact)))
    #expect(await alone.failure(of: try .post("/cart", #"{"a": [1]}"#))?.code == .invalidRequest)
    let both = ReplayingTransport(try HTTPArchive(file(params(#"{"name": "a", "value": 1}"#), exact)))
    #expect(try await both.text(for: .post("/cart", #"{"a": 1}"#)) == "1")
    #expect(try await both.text(for: .post("/cart", #"{"a": [1]}"#)) == "0")
  }

  @Test func valuesThatAreNotTextAreAWarning() throws {
    #expect(try HTTPArchive(file(params(#"{"name": "a", "value": "1"}"#))).warnings.isEmpty)
    let odd = try HTTPArchive(file(params(#"{"name": "a", "value": 1}"#)))
    #expect(odd.warnings.map(\.violation?.field) == ["log.entries[0].request.postData.params[0].value"])
    #expect(odd.entries[0].request.postData?.body == Data(#"{"a":1}"#.utf8))
    #expect(try HTTPArchive(odd.data).warnings.isEmpty, "written as HAR 1.2")
    #expect(try HTTPArchive(odd.data).entries[0].request.postData?.isFlattened == true)
  }

  @Test func anEmptyTextBesideParamsIsNotTheBody() async throws {
    let form =
      #"{"mimeType": "application/x-www-form-urlencoded", "text": "", "params": [{"name": "a", "value": "1"}]}"#
    let archive = try HTTPArchive(file(form))
    let request = try HTTP.Request.post(
      "/cart", "a=1", fields: ["Content-Type": "application/x-www-form-urlencoded"])
    #expect(try await ReplayingTransport(archive).text(for: request) == "0")
    let empty = try HTTPArchive(file(#"{"mimeType": "text/plain", "text": "", "params": []}"#))
    #expect(empty.entries[0].request.postData?.body == Data())
  }

  @Test func secretsAreReplacedInTheRebuiltDocument() throws {
    let archive = try HTTPArchive(
      file(params(#"{"name": "password", "value": "correct horse"}, {"name": "n", "value": 1}"#)))
    #expect(archive.redacted(by: .standard).data.firstRange(of: Data("correct horse".utf8)) == nil)
  }
}
