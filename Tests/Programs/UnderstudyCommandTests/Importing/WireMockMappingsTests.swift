import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

@testable import UnderstudyCommand

@Suite(.stallLimit()) struct WireMockMappingsTests {
  @Test func exactStubsBecomeExchanges() async throws {
    let folder = try ImportFolder()
    _ = try folder.write(
      #"""
      {"request": {"method": "GET", "urlPath": "/cakes", "queryParameters": {"kind": {"equalTo": "a b"},
         "tag": {"hasExactly": [{"equalTo": "x"}, {"equalTo": "y"}]}, "no": {"absent": true}},
         "headers": {"Accept": {"equalTo": "application/json", "caseInsensitive": true}}},
       "response": {"headers": {"Content-Type": "application/json", "X": ["1", "2"]}, "jsonBody": {"a": 1.0},
         "fixedDelayMilliseconds": 150}}
      """#, to: "wm/mappings/a.json")
    _ = try folder.write(
      #"""
      {"mappings": [
        {"name": "file", "request": {"method": "GET", "url": "/page?x=1"},
         "response": {"status": 203, "bodyFileName": "sub/page.html", "transformers": ["response-template"]}},
        {"name": "post", "request": {"method": "POST", "url": "/orders", "host": {"equalTo": "shop.example"},
           "scheme": "https", "bodyPatterns": [{"equalToJson": "{\"n\": 1}", "ignoreExtraElements": true}]},
         "response": {"status": 201, "base64Body": "/wA="}}]}
      """#, to: "wm/mappings/more/b.json")
    _ = try folder.write("<p>{ cake }</p>", to: "wm/__files/sub/page.html")
    let (entries, result) = try await folder.imported("\(folder.path)/wm --origin http://api.example:9000")
    #expect(
      entries.map { "\($0.request.method) \($0.request.url) \($0.response.status)" } == [
        "GET http://api.example:9000/cakes?kind=a%20b&tag=x&tag=y 200",
        "GET http://api.example:9000/page?x=1 203",
        "POST https://shop.example/orders 201",
      ])
    #expect(entries[0].response.content.text == #"{"a":1.0}"#)
    #expect(entries[0].response.headers.map(\.value) == ["application/json", "1", "2"])
    #expect(entries[0].timings.wait == 150)
    #expect(entries[1].response.content.text == "<p>{ cake }</p>")
    #expect(entries[2].request.postData?.text == #"{"n": 1}"#)
    #expect(entries[2].response.content.body == Data([0xFF, 0]))
    #expect(
      result.error
        == "tool: 1 exchange imported for exactly this request body, although the stub accepts similar ones (post)\n"
    )
  }

  /// What a recording cannot express is listed by name; a reader that drops one of these silently fails this test.
  @Test(arguments: [
    (#"{"method": "GET", "urlPattern": "/a.*"}"#, "{}", "", "its request is not exact (urlPattern)"),
    (#"{"method": "ANY", "url": "/a"}"#, "{}", "", "its request is not exact (method)"),
    (#"{"url": "/a"}"#, "{}", "", "its request is not exact (method)"),
    (#"{"method": "GET"}"#, "{}", "", "its request is not exact (url)"),
    (
      #"{"method": "GET", "url": "/a", "headers": {"A": {"matches": ".*"}}}"#, "{}", "",
      "its request is not exact (headers: matches)"
    ),
    (
      #"{"method": "GET", "urlPath": "/a", "queryParameters": {"q": {"contains": "x"}}}"#, "{}", "",
      "its request is not exact (queryParameters: contains)"
    ),
    (
      #"{"method": "POST", "url": "/a", "bodyPatterns": [{"matchesJsonPath": "$.a"}]}"#, "{}", "",
      "its request is not exact (bodyPatterns: matchesJsonPath)"
    ),
    (
      #"{"method": "POST", "url": "/a", "bodyPatterns": [{"equalToJson": "{\"a\": \"${json-unit.any-string}\"}"}]}"#,
      "{}", "", "its request is not exact (bodyPatterns: placeholders)"
    ),
    (
      #"{"method": "GET", "url": "/a"}"#, #"{"fault": "EMPTY_RESPONSE"}"#, "",
      "its response is the fault EMPTY_RESPONSE"
    ),
    (
      #"{"method": "GET", "url": "/a"}"#, #"{"proxyBaseUrl": "http://h"}"#, "",
      "its response comes from a proxied service"
    ),
    (
      #"{"method": "GET", "url": "/a"}"#,
      #"{"body": "{{request.path}}", "transformers": ["response-template"]}"#, "",
      "its response is a template"
    ),
    (
      #"{"method": "GET", "url": "/a"}"#, #"{"transformers": ["mine"]}"#, "",
      "its response is transformed (mine)"
    ),
    (
      #"{"method": "GET", "url": "/a"}"#, #"{"bodyFileName": "none.txt"}"#, "",
      "its file __files/none.txt is missing"
    ),
    (
      #"{"method": "GET", "url": "/a"}"#, #"{"bodyFileName": "../stubs.json"}"#, "",
      "its bodyFileName is outside of __files"
    ),
    (
      #"{"method": "GET", "url": "/a"}"#, "{}", #", "scenarioName": "s""#,
      "it depends on the state of a scenario"
    ),
    (#"{"method": "GET", "url": "/b"}"#, "{}", "", "another stub answers the same request"),
  ])
  func otherStubsAreListed(_ request: String, _ response: String, _ rest: String, _ reason: String)
    async throws
  {
    let folder = try ImportFolder()
    let file = try folder.write(
      """
      [{"name": "odd", "priority": 9, "request": \(request), "response": \(response)\(rest)},
       {"name": "plain", "request": {"method": "GET", "url": "/b"}, "response": {"body": "b"}}]
      """, to: "stubs.json")
    let (entries, result) = try await folder.imported(file)
    #expect(entries.map(\.response.content.text) == ["b"])
    #expect(result.error == "tool: 1 exchange left out: \(reason) (odd)\n")
  }

  /// The stubs that this package exports are exact, so they become the same exchanges again.
  @Test func exportedStubsAreImportedAgain() async throws {
    let folder = try ImportFolder()
    let page = "<p>" + String(repeating: "cake ", count: 400) + "\n</p>"
    let entries: [HTTPArchive.Entry] = [
      .exchange(
        .post, "http://localhost:8080/cakes?b=1&a=%C3%BC", #"{"n":1.0}"#, status: 201, answering: "[]"),
      .exchange(
        .get, "http://localhost:8080/page", sending: ["Authorization": "Basic x"], answering: page,
        as: "text/html"),
    ]
    try HTTPArchive(log: .init(entries: entries)).write(to: folder.url.appending(path: "har/a/b.har"))
    let stubs = folder.path + "/stubs"
    let export = await CommandResult("export wiremock \(folder.path)/har --output \(stubs)")
    #expect(export.status == 0)
    #expect(export.output == "\(stubs): 2 stub mappings\n")
    let (imported, result) = try await folder.imported(stubs)
    #expect(result.error.isEmpty)
    #expect(imported.map(\.request.url) == entries.map(\.request.url))
    #expect(imported.map(\.response.status) == [201, 200])
    #expect(imported.map(\.response.content.text) == ["[]", page])
    #expect(imported[0].request.postData?.text == #"{"n":1.0}"#)
    #expect(
      imported[1].request.headers.contains { $0.name == "Authorization" && $0.value.hasPrefix("Basic ") })
  }

  @Test func nothingToImportIsAnError() async throws {
    let folder = try ImportFolder()
    let file = try folder.write(
      #"{"request": {"method": "GET", "urlPattern": ".*"}, "response": {}}"#, to: "all.json")
    let result = await CommandResult("import \(file) --output \(folder.output.path())")
    #expect(result.status == 2)
    #expect(
      result.error == """
        tool: \(file): No exchange found, so \(folder.output.path()) was not written. 1 exchange left out: its request is \
        not exact (urlPattern) (all)

        """)
    let empty = await CommandResult("import \(folder.path) --output \(folder.output.path()) --from wiremock")
    #expect(empty.status == 2)
  }
}
