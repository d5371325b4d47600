import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

@testable import UnderstudyRecording

@Suite(.stallLimit()) struct WireMockTests {
  private func exchange(
    _ method: HTTP.Method = .get, _ path: String, sending fields: HTTP.Fields = [:], body: String? = nil,
    status: Int = 200, _ answer: String, type: String = "application/json"
  ) throws -> HTTPArchive.Entry {
    let url = try #require(URL(string: "https://api.example.com" + path))
    let answered: HTTP.Fields = type.isEmpty ? [:] : ["Content-Type": type]
    return .init(
      startedDateTime: Date(timeIntervalSince1970: 1_767_225_600),
      request: .init(HTTP.Request(method, url, fields: fields, body: body.map { Data($0.utf8) })),
      response: .init(status: status, fields: answered, content: .init(Data(answer.utf8), mimeType: type)),
      timings: .init(wait: 1, receive: 0))
  }

  private func export(_ recordings: (String, [HTTPArchive.Entry])...) -> RecordingExport {
    .wireMock(of: recordings.map { NamedRecording($0.0, HTTPArchive(log: .init(entries: $0.1))) })
  }

  private func stubs(_ export: RecordingExport) -> [JSONValue] {
    if case .array(let stubs)? = export.document["mappings"] { stubs } else { [] }
  }

  @Test func aRequestMustBeEqual() throws {
    let export = self.export(
      (
        "cakes/make",
        [
          try exchange(
            .post, "/cakes?b=2&a=1&a=%C3%BC", sending: ["Content-Type": "application/json"],
            body: #"{"name": "Torte"}"#,
            status: 201, #"{"id": 1.0}"#)
        ]
      ))
    #expect(
      stubs(export).map(\.compactText) == [
        #"{"name":"make, exchange 1: POST /cakes returns 201","request":{"method":"POST","#
          + #""url":"/cakes?b=2&a=1&a=%C3%BC","headers":{"Authorization":{"absent":true}},"#
          + #""bodyPatterns":[{"equalToJson":"{\"name\":\"Torte\"}"}]},"#
          + #""response":{"status":201,"headers":{"Content-Type":"application/json"},"jsonBody":{"id":1.0}}}"#
      ])
    #expect(export.files.map(\.path) == ["mappings/make-1.json"])
    #expect(try JSONValue(parsing: export.files[0].contents) == stubs(export)[0])
  }

  @Test func onlySecretsOfTheClientMayDiffer() throws {
    var archive = HTTPArchive(
      log: .init(entries: [
        try exchange(.get, "/me", sending: ["Authorization": "Bearer redacted-1"], "[]"),
        try exchange(.get, "/me?token=redacted-2", "[]"), try exchange(.get, "/a.b?key=redacted-3", "[]"),
      ]))
    archive.log.placeholderTable = [
      ("redacted-1", "request header Authorization"), ("redacted-2", "response body"),
      ("redacted-3", "request query key"),
    ]
    let stubs = self.stubs(.wireMock(of: [NamedRecording("a/b", archive)]))
    #expect(stubs[0]["request"]?["headers"]?["Authorization"]?.compactText == #"{"matches":"Bearer .+"}"#)
    #expect(stubs[1]["request"]?["url"] == .string("/me?token=redacted-2"))
    #expect(stubs[2]["request"]?["urlPattern"] == .string(#"/a\.b\?key=.+"#))
  }

  @Test func differentResponsesToARequestAreAScenario() throws {
    let list = try ["[]", "[]", "[1]"].map { try exchange(.get, "/list", $0) }
    let same = try exchange(.get, "/same", "1")
    let stubs = self.stubs(export(("a/b", [list[0], same, list[1], same, list[2]])))
    #expect(stubs.count == 4)
    func states(_ stub: JSONValue) -> [String?] {
      ["scenarioName", "requiredScenarioState", "newScenarioState"].map { stub[$0]?.stringValue }
    }
    #expect(states(stubs[0]) == ["a/b: GET /list", "Started", "2"])
    #expect(states(stubs[1]) == ["a/b: GET /list", "2", "3"])
    #expect(states(stubs[2]) == ["a/b: GET /list", "3", nil])
    #expect(stubs[2]["response"]?["jsonBody"]?.compactText == "[1]")
    #expect(states(stubs[3]) == [nil, nil, nil])
  }

  @Test func anotherRecordingsAnswerIsReported() throws {
    let export = self.export(
      ("a/one", [try exchange(.get, "/x", "1"), try exchange(.get, "/y", "1")]),
      ("a/two", [try exchange(.get, "/x", "2"), try exchange(.get, "/y", "1")]))
    #expect(stubs(export).count == 2)
    #expect(
      export.omissions.map(\.description) == [
        "a/two, exchange 1 is left out: another recording answers the same request"
      ])
  }

  @Test func longAndBinaryBodiesAreFiles() throws {
    let page = "<p>" + String(repeating: "cake ", count: 400)
    var image = try exchange(.get, "/i.png", "", type: "image/png")
    image.response.content = .init(Data([0x89, 0x50, 0, 0xFF]), mimeType: "image/png")
    let export = self.export(
      (
        "a/b",
        [
          try exchange(.get, "/page", page, type: "text/html"), image,
          try exchange(.get, "/t", "x", type: "text/plain"),
        ]
      ),
      ("c/b", [try exchange(.get, "/other", page, type: "text/html")]))
    #expect(
      export.files.map(\.path) == [
        "mappings/b-1.json", "mappings/b-2.json", "mappings/b-3.json", "mappings/c-b-1.json",
        "__files/b-1.html",
        "__files/b-2.png", "__files/c-b-1.html",
      ])
    #expect(export.files[4].contents == Data(page.utf8))
    #expect(export.files[5].contents == Data([0x89, 0x50, 0, 0xFF]))
    #expect(stubs(export)[0]["response"]?["bodyFileName"] == .string("b-1.html"))
    #expect(stubs(export)[2]["response"]?["body"] == .string("x"))
  }
}
