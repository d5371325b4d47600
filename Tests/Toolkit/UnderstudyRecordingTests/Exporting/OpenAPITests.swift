import Foundation
import Testing
import UnderstudyRecording
import UnderstudyHTTP
import UnderstudyTesting

@Suite(.stallLimit()) struct OpenAPITests {
  private let export = RecordingExport.openAPI(of: TodoRecordings.all, title: "t", version: "1")

  private func operation(_ path: String, _ method: String) throws -> JSONValue {
    try #require(export.document["paths"]?[path]?[method])
  }

  @Test func theFrameIsOfVersion3_2() {
    #expect(export.document["openapi"] == .string("3.2.0"))
    #expect(export.document["tags"]?.compactText == #"[{"name":"todos"}]"#)
    #expect(
      export.document["components"]?.compactText
        == #"{"securitySchemes":{"key":{"type":"apiKey","in":"header","name":"key"},"#
        + #""bearer":{"type":"http","scheme":"bearer"}}}"#)
  }

  @Test func exchangesOfOneMethodAndPathAreOneOperation() throws {
    let add = try operation("/todos", "post")
    #expect(add["operationId"] == .string("postTodos"))
    #expect(add["security"]?.compactText == #"[{"bearer":[],"key":[]}]"#)
    #expect(try operation("/session", "post")["security"]?.compactText == #"[{"key":[]}]"#)
    let expected = #"""
      [{"id":"todos.add.stored-2","recording":"todos/todos.add.stored","exchange":2,"status":201,
      "conditions":["signed in","due days"]},
      {"id":"todos.add.taken-2","recording":"todos/todos.add.taken","exchange":2,"status":409,
      "conditions":["signed in"]}]
      """#
    #expect(add["x-recordings"]?.compactText == expected.replacing("\n", with: ""))
    // Neither the key nor the fields that OpenAPI reserves are parameters.
    #expect(
      add["parameters"]?.compactText
        == #"[{"name":"by","in":"query","required":true,"schema":{"type":"string","enum":["pat"]},"example":"pat"}]"#
    )
  }

  @Test func aUUIDInAParameterIsAnyUUID() throws {
    guard case .array(let parameters)? = try operation("/todos", "get")["parameters"],
      let pattern = parameters.first?["schema"]?["pattern"]?.stringValue
    else {
      Issue.record("The pattern is missing.")
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
      "due":{"type":"string","format":"date"},"at":{"type":"string","format":"date-time"},
      "number":{"type":"integer"},"tags":{"type":"array","items":{"type":"object",
      "properties":{"my name":{"type":"string"}},"required":["my name"],"additionalProperties":false}}},
      "required":["id","title","due","at","number","tags"],"additionalProperties":false}
      """#
    #expect(schema?.compactText == expected.replacing("\n", with: ""))
    #expect(
      responses?["201"]?["headers"]?.compactText
        == #"{"X-Count":{"required":true,"schema":{"type":"string"},"example":"1"}}"#)
  }

  @Test func membersOfSomeExamplesAreOptional() throws {
    let schema = try operation("/todos", "get")["responses"]?["200"]?["content"]?["application/json"]?[
      "schema"]
    let expected = #"""
      {"type":"array","items":{"type":"object","properties":{"title":{"type":"string"},
      "due":{"type":"string","format":"date"},"note":{"type":["string","null"]},
      "done":{"type":"string","format":"date"}},"required":["title","note"],"additionalProperties":false}}
      """#
    #expect(schema?.compactText == expected.replacing("\n", with: ""))
  }

  @Test func otherErrorsHaveTheCommonMembers() throws {
    let refusal = try operation("/todos", "get")["responses"]?["4XX"]
    #expect(
      refusal?["content"]?["application/json"]?["schema"]?.compactText
        == #"{"type":"object","properties":{"code":{"type":"string"},"hint":{}},"required":["code","hint"]}"#)
  }

  @Test func aStreamHasTheSchemaOfAnEvent() throws {
    let media = try operation("/watch", "get")["responses"]?["200"]?["content"]?["text/event-stream"]
    let expected = #"""
      {"type":"object","properties":{"data":{"type":"string","contentMediaType":"application/json",
      "contentSchema":{"type":"object","properties":{"id":{"type":"string","format":"uuid"},
      "title":{"type":"string"},"tags":{"type":"array","items":{"type":["string","integer"]}}},
      "required":["title"],"additionalProperties":false}}},"required":["data"]}
      """#
    #expect(media?["itemSchema"]?.compactText == expected.replacing("\n", with: ""))
    #expect(
      media?["examples"]?["todos.watch.two-1"]?["serializedValue"]?.stringValue?.hasPrefix("data: {") == true)
  }

  @Test func omissionsAreReported() {
    #expect(
      export.omissions.suffix(2).map(\.description) == [
        "todos/todos.watch.two, exchange 1 is exported without its chunks and pauses: "
          + "OpenAPI describes events, but not their times",
        "todos/todos.watch.odd, exchange 1 is left out: "
          + "only some of its events are JSON, but a schema applies to all of them",
      ])
    #expect(!export.text.contains("todos.watch.odd"))
  }

  @Test func bodiesWithOtherMembersAreAlternatives() throws {
    let recording = TodoRecordings.recording(
      "todos.session",
      [
        TodoRecordings.exchange(.post, "/session", #"{"name": "pat"}"#, 200, "{}"),
        TodoRecordings.exchange(.post, "/session", #"{"token": "t"}"#, 200, "{}"),
        TodoRecordings.exchange(.post, "/session", #"{"name": "kim"}"#, 200, "{}"),
        TodoRecordings.exchange(.post, "/session", nil, 400, "{}"),
      ])
    let openAPI = RecordingExport.openAPI(of: [recording], title: "t", version: "1").document
    let body = openAPI["paths"]?["/session"]?["post"]?["requestBody"]
    #expect(body?["required"] == .boolean(false))
    let expected = #"""
      {"anyOf":[
      {"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false},
      {"type":"object","properties":{"token":{"type":"string"}},"required":["token"],"additionalProperties":false}]}
      """#
    #expect(
      body?["content"]?["application/json"]?["schema"]?.compactText == expected.replacing("\n", with: ""))
  }

  @Test func aUUIDInAPathIsAParameterAndABraceIsNot() {
    let recording = TodoRecordings.recording(
      "todos.path",
      [
        TodoRecordings.exchange(.get, "/lists/\(TodoRecordings.user)/todos", nil, 200, "{}"),
        TodoRecordings.exchange(.get, "/lists/\(TodoRecordings.milk)/todos", nil, 200, "[]"),
        TodoRecordings.exchange(.get, "/a%20b/%7Bc%7D", nil, 200, "{}"),
      ])
    let paths = RecordingExport.openAPI(of: [recording], title: "t", version: "1").document["paths"]
    #expect(
      paths?["/lists/{id}/todos"]?["get"]?["parameters"]?.compactText
        == #"[{"name":"id","in":"path","required":true,"schema":{"type":"string","format":"uuid"}}]"#)
    #expect(paths?["/a%20b/%7Bc%7D"] != nil)
  }

  @Test func eachServiceIsATag() {
    let other = NamedRecording("lists/lists.add", TodoRecordings.two.archive)
    let openAPI = RecordingExport.openAPI(of: [TodoRecordings.taken, other], title: "t", version: "1")
    #expect(openAPI.document["tags"]?.compactText == #"[{"name":"todos"},{"name":"lists"}]"#)
    #expect(openAPI.document["paths"]?["/watch"]?["get"]?["tags"]?.compactText == #"["lists"]"#)
  }

  @Test func theSameRecordingsAreTheSameText() {
    let texts = Set(
      (0..<20).map { _ in RecordingExport.openAPI(of: TodoRecordings.all, title: "t", version: "1").text })
    #expect(texts.count == 1)
  }
}
