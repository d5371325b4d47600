import Foundation
import Testing
import UnderstudyRecording
import UnderstudyHTTP

struct OpenAPITests {
  private var openAPI: JSONValue {
    get throws {
      try ExchangeDocument.openAPI(of: [TodoExchanges.document], title: "t", version: "1").document
    }
  }

  private func operation(_ path: String, _ method: String) throws -> JSONValue {
    try #require(try openAPI["paths"]?[path]?[method])
  }

  @Test func theFrameIsOfVersion3_2() throws {
    let openAPI = try openAPI
    #expect(openAPI["openapi"] == .string("3.2.0"))
    #expect(openAPI["tags"]?.compactText == #"[{"name":"todos","description":"Things to do."}]"#)
    #expect(
      openAPI["components"]?.compactText
        == #"{"securitySchemes":{"bearer":{"type":"http","scheme":"bearer"},"#
        + #""key":{"type":"apiKey","in":"header","name":"key"}}}"#)
  }

  @Test func exchangesOfOneMethodAndPathAreOneOperation() throws {
    let add = try operation("/todos", "post")
    #expect(add["operationId"] == .string("add"))
    #expect(add["security"]?.compactText == #"[{"bearer":[],"key":[]}]"#)
    #expect(
      add["x-exchanges"]?.compactText
        == #"[{"id":"todos.add.stored","given":["signed in"],"status":201},"#
        + #"{"id":"todos.add.taken","given":["signed in","milk is there"],"status":409}]"#)
    #expect(try operation("/todos", "get")["operationId"] == .string("get"))
    // The key is no parameter, nor are the fields that OpenAPI keeps for itself.
    #expect(
      add["parameters"]?.compactText
        == #"[{"name":"by","in":"query","required":true,"schema":{"type":"string","enum":["pat"]},"example":"pat"}]"#
    )
  }

  @Test func aUUIDInAParameterIsAnyUUID() throws {
    guard case .array(let parameters)? = try operation("/todos", "get")["parameters"],
      let pattern = parameters.first?["schema"]?["pattern"]?.stringValue
    else {
      Issue.record("There is no pattern.")
      return
    }
    func matches(_ text: String) -> Bool { text.range(of: pattern, options: .regularExpression) != nil }
    #expect(matches("eq.b1234567-0000-4000-8000-00000000000f"))
    #expect(!matches("eq_b1234567-0000-4000-8000-00000000000f"))
    #expect(!matches("eq.b1234567-0000-4000-8000-00000000000fx"))
  }

  @Test func bodiesHaveTheSchemaOfTheirExamples() throws {
    let responses = try operation("/todos", "post")["responses"]
    let schema = responses?["201"]?["content"]?["application/json"]?["schema"]
    let expected = #"""
      {"type":"object","properties":{"id":{"type":"string","format":"uuid"},"title":{"type":"string"},
      "at":{"type":"string","format":"date-time"},"number":{"type":"number"},"note":{},
      "tags":{"type":"array","items":{"type":"object","properties":{"my name":{"type":"string"}},
      "required":["my name"],"additionalProperties":false}},
      "more":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}},
      "required":["id","title","at","number","note","tags","more"],"additionalProperties":false}
      """#
    #expect(schema?.compactText == expected.replacing("\n", with: ""))
    #expect(
      responses?["201"]?["headers"]?.compactText
        == #"{"X-Count":{"required":true,"schema":{"type":"string"},"example":"1"}}"#)
  }

  @Test func whatSomeExamplesHaveIsNotRequired() throws {
    let schema = try operation("/todos", "get")["responses"]?["200"]?["content"]?["application/json"]?[
      "schema"]
    let expected = #"""
      {"type":"array","items":{"type":"object","properties":{"title":{"type":"string"},
      "note":{"type":["string","null"]},"due":{"type":"string","format":"date"}},
      "required":["title","note"],"additionalProperties":false}}
      """#
    #expect(schema?.compactText == expected.replacing("\n", with: ""))
  }

  @Test func otherRefusalsHaveTheMembersOfThoseThatAreShown() throws {
    let refusal = try operation("/todos", "get")["responses"]?["4XX"]
    #expect(
      refusal?["content"]?["application/json"]?["schema"]?.compactText
        == #"{"type":"object","properties":{"code":{"type":"string"},"hint":{}},"required":["code","hint"]}"#)
  }

  @Test func aStreamHasTheSchemaOfAnEvent() throws {
    let media = try operation("/watch", "get")["responses"]?["200"]?["content"]?["text/event-stream"]
    let expected = #"""
      {"type":"object","properties":{"data":{"type":"string","contentMediaType":"application/json",
      "contentSchema":{"type":"object","properties":{"id":{"type":"number"},"title":{"type":"string"},
      "tags":{"type":"array","items":{"type":["string","integer"]}}},
      "required":["title"],"additionalProperties":false}}},"required":["data"]}
      """#
    #expect(media?["itemSchema"]?.compactText == expected.replacing("\n", with: ""))
    #expect(
      media?["examples"]?["todos.watch.two"]?["serializedValue"]?.stringValue?.hasPrefix("data: {") == true)
  }

  @Test func whatIsMissingIsNamed() throws {
    let export = try ExchangeDocument.openAPI(of: [TodoExchanges.document], title: "t", version: "1")
    #expect(
      export.omissions.map { "\($0.exchangeID) \($0.extent)" } == [
        "todos.watch.two part(\"its cuts and pauses\")", "todos.watch.dropped exchange",
        "todos.watch.odd exchange",
      ])
    #expect(!export.text.contains("todos.watch.odd"))
  }

  @Test func operationsThatShareAPlaceShareAnIdentifier() throws {
    let json = TodoExchanges.json.replacing(#""operation": "get""#, with: #""operation": "read""#)
      .replacing(#""method": "GET", "path": "/todos""#, with: #""method": "POST", "path": "/todos""#)
      .replacing(#""path": "/watch""#, with: #""path": "/a b/{c}""#)
    let document = try ExchangeDocument(json: Data(json.utf8))
    let paths = ExchangeDocument.openAPI(of: [document], title: "t", version: "1").document["paths"]
    #expect(paths?["/todos"]?["post"]?["operationId"] == .string("addOrRead"))
    // Only some have the body, the field and the item of the query.
    #expect(paths?["/todos"]?["post"]?["requestBody"]?["required"] == .boolean(false))
    #expect(paths?["/todos"]?["post"]?["security"]?.compactText == #"[{"bearer":[]}]"#)
    // Braces would be a template.
    #expect(paths?["/a%20b/%7Bc%7D"] != nil)
  }

  @Test func twoDocumentsAreOne() throws {
    let other = try ExchangeDocument(
      json: Data(
        TodoExchanges.json.replacing(#""service": "todos""#, with: #""service": "lists""#)
          .replacing(#""/todos""#, with: #""/lists""#).utf8))
    let openAPI = try ExchangeDocument.openAPI(
      of: [TodoExchanges.document, other], title: "t", version: "1"
    ).document
    #expect(openAPI["paths"]?["/todos"]?["post"]?["operationId"] == .string("add"))
    #expect(openAPI["paths"]?["/lists"]?["post"]?["operationId"] == .string("add2"))
    #expect(openAPI["paths"]?["/lists"]?["post"]?["tags"]?.compactText == #"["lists"]"#)
  }

  @Test func theSameDocumentIsTheSameText() throws {
    let texts = try Set(
      (0..<20).map { _ in
        try ExchangeDocument.openAPI(of: [TodoExchanges.document], title: "t", version: "1").text
      })
    #expect(texts.count == 1)
  }
}
