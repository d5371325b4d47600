import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

@testable import UnderstudyCommand

@Suite(.stallLimit()) struct PostmanCollectionTests {
  /// A collection in the form of Postman's export.
  private func collection(_ items: String, variables: String = "[]") -> String {
    """
    {"info": {"name": "Cakes", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
     "item": \(items), "variable": \(variables)}
    """
  }

  @Test func savedResponsesAreImportedAndTheOthersListed() async throws {
    let folder = try ImportFolder()
    let file = try folder.write(
      collection(
        #"""
        [{"name": "Reading", "item": [
          {"name": "List", "request": {"method": "GET", "header": [], "url": {"raw": "{{base}}/cakes?page=9"}},
           "response": [
            {"name": "two", "code": 200, "status": "OK", "responseTime": 25,
             "originalRequest": {"method": "GET",
               "header": [{"key": "Accept", "value": "text/plain"}, {"key": "X-Old", "value": "1", "disabled": true}],
               "url": {"raw": "{{base}}/cakes?page=2", "host": ["{{base}}"], "path": ["cakes"]}},
             "header": [{"key": "Content-Type", "value": "text/plain"}], "body": "Torte"},
            {"name": "none", "code": 404, "status": "Not Found", "header": null, "body": null}]},
          {"name": "Never sent", "request": "{{base}}/never", "response": []}]},
         {"name": "Unknown host", "request": "{{other}}/x", "response": [{"name": "a", "code": 200}]},
         {"name": "Upload", "request": {"method": "POST", "url": "{{base}}/u", "body":
            {"mode": "formdata", "formdata": [{"key": "f", "type": "file", "src": "/a"}]}},
          "response": [{"name": "a", "code": 200}]}]
        """#,
        variables:
          #"[{"key": "base", "value": "https://{{host}}"}, {"key": "host", "value": "cakes.example"}]"#),
      to: "cakes.json")
    let (entries, result) = try await folder.imported(file)
    #expect(
      entries.map { "\($0.request.method) \($0.request.url) \($0.response.status)" } == [
        "GET https://cakes.example/cakes?page=2 200", "GET https://cakes.example/cakes?page=9 404",
      ])
    #expect(entries[0].request.headers.map(\.name) == ["Accept"])
    #expect(entries[0].response.content.text == "Torte")
    #expect(entries[0].timings.wait == 25)
    #expect(
      result.error == """
        tool: 1 exchange left out: it has no saved response (Reading/Never sent)
        tool: 1 exchange left out: its URL has the variable other, which the collection does not define; use --variable \
        (Unknown host)
        tool: 1 exchange left out: its body has a file, which the collection does not contain (Upload)

        """)
    let (more, _) = try await folder.imported("\(file) --replace --variable other=http://other.example")
    #expect(more.map(\.request.url).last == "http://other.example/x")
  }

  @Test func bodiesOfEachModeAreWhatPostmanSends() async throws {
    let folder = try ImportFolder()
    func item(_ body: String) -> String {
      #"{"name": "x", "request": {"method": "POST", "url": {"protocol": "https", "host": ["a", "example"], "path": ["b", ":id"], "query": [{"key": "q", "value": "1"}, {"key": "off", "value": "2", "disabled": true}], "variable": [{"key": "id", "value": "7"}]}, "body": "#
        + body + #"}, "response": [{"name": "r", "code": 201}]}"#
    }
    let file = try folder.write(
      collection(
        "["
          + [
            #"{"mode": "raw", "raw": "{\"a\": 1.0}", "options": {"raw": {"language": "json"}}}"#,
            #"{"mode": "urlencoded", "urlencoded": [{"key": "a b", "value": "ü&"}, {"key": "c", "value": "d", "disabled": true}]}"#,
            #"{"mode": "graphql", "graphql": {"query": "{ cakes }", "variables": "{\"n\": 1}"}}"#,
            #"{"mode": "formdata", "formdata": [{"key": "a", "value": "1", "type": "text"}]}"#,
          ].map(item).joined(separator: ",") + "]"), to: "c.json")
    let (entries, _) = try await folder.imported(file)
    #expect(Set(entries.map(\.request.url)) == ["https://a.example/b/7?q=1"])
    let bodies = entries.map { $0.request.postData?.text ?? "" }
    #expect(bodies[0] == #"{"a": 1.0}"#)
    #expect(bodies[1] == "a+b=%C3%BC%26")
    #expect(
      try JSONValue(parsing: Data(bodies[2].utf8))
        == JSONValue(parsing: Data(#"{"query":"{ cakes }","variables":{"n":1}}"#.utf8)))
    #expect(bodies[3].contains("Content-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"))
    #expect(
      entries.map { $0.request.postData?.mimeType?.split(separator: ";").first } == [
        "application/json", "application/x-www-form-urlencoded", "application/json", "multipart/form-data",
      ])
  }

  @Test func anOldCollectionIsRefused() async throws {
    let folder = try ImportFolder()
    let file = try folder.write(#"{"id": "1", "name": "old", "order": [], "requests": []}"#, to: "c.json")
    let result = await CommandResult("import \(file) --output \(folder.output.path())")
    #expect(result.status == 2)
    #expect(
      result.error == "tool: \(file): It is a Postman collection of version 1. Export it as version 2.1.\n")
  }
}
