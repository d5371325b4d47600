import Foundation
import TestSupport
import Testing
import UnderstudyRecording
import UnderstudyHTTP
import UnderstudyTesting

@Suite(.stallLimit()) struct PactTests {
  private let export = RecordingExport.pact(of: TodoRecordings.all, consumer: "app", provider: "todos")

  private var interactions: [JSONValue] {
    if case .array(let interactions)? = export.document["interactions"] { interactions } else { [] }
  }

  private func interaction(_ id: String) throws -> JSONValue {
    try #require(interactions.first { $0["key"]?.stringValue == id })
  }

  @Test func theFileHasTheConsumerTheProviderAndTheVersion() throws {
    #expect(export.document["consumer"]?["name"] == .string("app"))
    #expect(export.document["provider"]?["name"] == .string("todos"))
    #expect(export.document["metadata"]?["pactSpecification"]?["version"] == .string("4.0"))
  }

  @Test func equalExchangesAreExportedOnceWithTheLeastSetup() {
    // Both clauses sign in; one has fewer conditions.
    #expect(
      interactions.compactMap { $0["key"]?.stringValue } == [
        "todos.add.taken-1", "todos.add.stored-2", "todos.add.stored-3", "todos.add.taken-2",
        "todos.watch.two-1", "todos.watch.left-1", "todos.watch.odd-1",
      ])
  }

  @Test func aRequestReceivesVariableValuesFromProviderStates() throws {
    let user = TodoRecordings.user
    let uuid = "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
    let expected = #"""
      {"type":"Synchronous/HTTP","key":"todos.add.taken-2",
      "description":"todos.add.taken, exchange 2: POST /todos returns 409","pending":false,
      "providerStates":[{"name":"signed in","params":{"fixtures":["\#(user)"]}},
      {"name":"earlier exchanges of the recording","params":{"recording":"todos/todos.add.taken","exchanges":1}}],
      "request":{"method":"POST","path":"/todos","query":{"by":["pat"]},
      "headers":{"Authorization":["Bearer redacted-2"],"Content-Type":["application/json"],"key":["redacted-1"]},
      "body":{"content":{"title":"Milk","due":"2026-01-03","owner":"\#(user)",
      "list":"c0000000-0000-4000-8000-000000000003"},"contentType":"application/json","encoded":false},
      "matchingRules":{"header":{
      "Authorization":{"combine":"AND","matchers":[{"match":"regex","regex":"^Bearer .+$"}]},
      "key":{"combine":"AND","matchers":[{"match":"regex","regex":"^.+$"}]}},
      "body":{"$.owner":{"combine":"AND","matchers":[{"match":"regex","regex":"^\#(uuid)$"}]}}},
      "generators":{"header":{
      "Authorization":{"type":"ProviderState","expression":"Bearer ${redacted-2}","dataType":"STRING"},
      "key":{"type":"ProviderState","expression":"${request header key}","dataType":"STRING"}},
      "body":{"$.owner":{"type":"ProviderState","expression":"${\#(user)}","dataType":"STRING"}}}},
      "response":{"status":409,"headers":{"Content-Type":["application/json; charset=utf-8"]},
      "body":{"content":{"code":"taken","hint":null},"contentType":"application/json; charset=utf-8",
      "encoded":false}}}
      """#
    #expect(try interaction("todos.add.taken-2").compactText == expected.replacing("\n", with: ""))
  }

  @Test func aGeneratedValueInAQueryIsSupplied() throws {
    let request = try interaction("todos.add.stored-3")["request"]
    #expect(
      request?["generators"]?["query"]?["id"]?["expression"]
        == .string("eq.${\(TodoRecordings.milk)}"))
  }

  @Test func variableValuesHaveMatchingRules() throws {
    func places(_ id: String) throws -> [String] {
      let rules = try interaction(id)["response"]?["matchingRules"]?["body"]
      guard case .object(let members)? = rules else { return [] }
      return try members.map { member in
        guard case .array(let matchers)? = member.value["matchers"] else { return member.name }
        return "\(member.name) \(try #require(matchers.first?["match"]?.stringValue))"
      }
    }
    // The secret and the timestamp vary. The date that the client sent is returned unchanged.
    #expect(try places("todos.add.taken-1") == ["$.token regex", "$.until number"])
    #expect(
      try places("todos.add.stored-2") == ["$.id regex", "$.at regex", "$.tags[0]['my name'] regex"])
    // A date of a condition is the same in each run. Other dates may differ.
    #expect(try places("todos.add.stored-3") == ["$[1].done regex"])
  }

  private static let id = "{\"id\":\"c1234567-0000-4000-8000-00000000000F\",\"title\":\"Tea (hot)\"}"

  @Test(arguments: [
    // The recorded text, then in another order, with spaces, and with another UUID.
    ("data: \(id)\n\ndata: {\"title\":\"Eggs\",\"tags\":[\"x\",2]}\n\n", true),
    ("data: \(id)\n\ndata: {\"tags\": [\"x\", 2], \"title\": \"Eggs\"}\n\n", true),
    ("data:\(id)\r\n\r\ndata: {\"title\":\"Eggs\",\"tags\":[\"x\",2]}\r\n\r\n", true),
    // Another text, a missing and an additional member, a missing and an additional event, an incomplete event.
    (
      "data: \(id.replacing("(hot)", with: "-hot-"))\n\ndata: {\"title\":\"Eggs\",\"tags\":[\"x\",2]}\n\n",
      false
    ),
    ("data: {\"title\":\"Tea (hot)\"}\n\ndata: {\"title\":\"Eggs\",\"tags\":[\"x\",2]}\n\n", false),
    (
      "data: \(id.replacing("}", with: ",\"a\":1}"))\n\ndata: {\"title\":\"Eggs\",\"tags\":[\"x\",2]}\n\n",
      false
    ),
    ("data: \(id)\n\n", false),
    ("data: \(id)\n\ndata: {\"title\":\"Eggs\",\"tags\":[\"x\",2]}\n\ndata: 1\n\n", false),
    ("data: \(id)\n\ndata: {\"title\":\"Eggs\",\"tags\":[\"x\",2]}\n", false),
  ])
  func aStreamIsOneTextOfAForm(_ stream: String, _ isAllowed: Bool) throws {
    #expect(try matches(stream, "todos.watch.two-1") == isAllowed)
  }

  @Test(arguments: [
    ("event: odd\ndata: no {json}\ndata: at all\n\ndata: {}\n\n", true),
    ("data: no {json}\ndata: at all\n\ndata: {}\n\n", false),
    ("event: odd\ndata: no json}\ndata: at all\n\ndata: {}\n\n", false),
  ])
  func dataThatIsNotJSONIsExact(_ stream: String, _ isAllowed: Bool) throws {
    #expect(try matches(stream, "todos.watch.odd-1") == isAllowed)
  }

  @Test(arguments: [
    ("data: {\"title\":\"Ham\"}\n\n", true), ("data: {\"title\":\"Ham\"}\n\ndata: 1\n\n", true),
    ("data: {\"title\":\"Jam\"}\n\n", false),
  ])
  func moreEventsMayFollowIfTheClientStopped(_ stream: String, _ isAllowed: Bool) throws {
    #expect(try matches(stream, "todos.watch.left-1") == isAllowed)
  }

  private func matches(_ stream: String, _ id: String) throws -> Bool {
    let rule = try interaction(id)["response"]?["matchingRules"]?["body"]?["$"]
    guard case .array(let matchers)? = rule?["matchers"], let pattern = matchers.first?["regex"]?.stringValue
    else { throw CancellationError() }
    return stream.range(of: pattern, options: .regularExpression) == stream.startIndex..<stream.endIndex
  }

  @Test func omissionsAreReported() {
    let prefix = "todos/todos.watch."
    #expect(
      export.omissions.map(\.description) == [
        "\(prefix)left, exchange 2 is left out: the client stopped reading before the response was complete",
        "\(prefix)broken, exchange 1 is left out: its response was interrupted (connection lost)",
        "\(prefix)broken, exchange 2 is left out: it has no response",
        "\(prefix)broken, exchange 3 is left out: it is a WebSocket",
        "\(prefix)broken, exchange 4 is left out: its Content-Type is JSON, but its body is not",
        "\(prefix)two, exchange 1 is exported without its chunks and pauses: Pact compares a body as one text",
      ])
  }

  @Test func theSameRecordingsAreTheSameText() {
    // Dictionaries have another order in each instance.
    let texts = Set(
      (0..<20).map { _ in
        RecordingExport.pact(of: TodoRecordings.all, consumer: "app", provider: "todos").text
      })
    #expect(texts.count == 1)
  }

  @Test func aFolderHasItsRecordingsUnderTheirNames() throws {
    let folder = try TemporaryFolder()
    for recording in TodoRecordings.all {
      try recording.archive.write(to: folder.file("\(recording.name).har"))
    }
    try Data().write(to: folder.file("todos/notes.txt"))
    let read = try NamedRecording.all(at: folder.url)
    #expect(read.map(\.name) == TodoRecordings.all.map(\.name).sorted())
    #expect(
      try NamedRecording.all(at: folder.file("todos/todos.watch.two.har")).map(\.name)
        == ["todos/todos.watch.two"])
    #expect(throws: RecordingError.self) { try NamedRecording.all(at: folder.file("todos/absent.har")) }
  }
}
