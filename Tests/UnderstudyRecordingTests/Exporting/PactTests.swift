import Foundation
import Testing
import UnderstudyRecording
import UnderstudyHTTP

struct PactTests {
  private func interaction(_ id: String) throws -> JSONValue {
    let pact = try TodoExchanges.document.pact(consumer: "app").document
    guard case .array(let interactions)? = pact["interactions"] else { return .null }
    return try #require(interactions.first { $0["key"]?.stringValue == id })
  }

  @Test func theFileNamesItsTwoSidesAndItsVersion() throws {
    let document = try TodoExchanges.document
    let pact = document.pact(consumer: "app").document
    #expect(pact["consumer"]?["name"] == .string("app"))
    #expect(pact["provider"]?["name"] == .string("todos"))
    #expect(pact["metadata"]?["pactSpecification"]?["version"] == .string("4.0"))
    #expect(document.pact(consumer: "app", provider: "api").document["provider"]?["name"] == .string("api"))
  }

  @Test func aRequestAsksTheStatesForWhatOnlyARunCanKnow() throws {
    let interaction = try interaction("todos.add.taken")
    let expected = #"""
      {"type":"Synchronous/HTTP","key":"todos.add.taken","description":"todos.add.taken: A name is taken.",
      "pending":false,"providerStates":[{"name":"signed in"},{"name":"milk is there"}],
      "request":{"method":"POST","path":"/todos","query":{"by":["pat"]},
      "headers":{"Authorization":["Bearer token"],"Content-Type":["application/json"],"key":["key"]},
      "body":{"content":{"title":"Milk","session":"s-session id"},"contentType":"application/json","encoded":false},
      "matchingRules":{"header":{
      "Authorization":{"combine":"AND","matchers":[{"match":"regex","regex":"^Bearer .+$"}]},
      "key":{"combine":"AND","matchers":[{"match":"regex","regex":"^.+$"}]}},
      "body":{"$.session":{"combine":"AND","matchers":[{"match":"regex","regex":"^s-.+$"}]}}},
      "generators":{"header":{
      "Authorization":{"type":"ProviderState","expression":"Bearer ${token}","dataType":"STRING"},
      "key":{"type":"ProviderState","expression":"${key}","dataType":"STRING"}},
      "body":{"$.session":{"type":"ProviderState","expression":"s-${session id}","dataType":"STRING"}}}},
      "response":{"status":409,"headers":{"Content-Type":["application/json"]},
      "body":{"content":{"code":"taken","hint":null},"contentType":"application/json","encoded":false}}}
      """#
    #expect(interaction.compactText == expected.replacing("\n", with: ""))
  }

  @Test func whatVariesHasARuleAtItsPlace() throws {
    let rules = try interaction("todos.add.stored")["response"]?["matchingRules"]?["body"]
    guard case .object(let members)? = rules else {
      Issue.record("There are no rules.")
      return
    }
    // Further members are allowed everywhere, so `more` has no rule.
    #expect(members.map(\.name) == ["$.id", "$.at", "$.number", "$.tags[0]['my name']"])
    let matches = try members.map { member in
      guard case .array(let matchers)? = member.value["matchers"] else { return "none" }
      return try #require(matchers.first?["match"]?.stringValue)
    }
    #expect(matches == ["regex", "regex", "number", "type"])
  }

  @Test(arguments: [
    // As it is written, in another order, with spaces, and with another number where that may vary.
    ("data: {\"id\":1,\"title\":\"Tea (hot)\"}\n\ndata: {\"title\":\"Eggs\",\"tags\":[\"x\",2]}\n\n", true),
    (
      "data: {\"title\":\"Tea (hot)\",\"id\":-2.5}\n\ndata: {\"tags\": [\"x\", 2], \"title\": \"Eggs\"}\n\n",
      true
    ),
    (
      "data:{\"id\":1,\"title\":\"Tea (hot)\"}\r\n\r\ndata: {\"title\":\"Eggs\",\"tags\":[\"x\",2]}\r\n\r\n",
      true
    ),
    // Another text, a member too few or too many, an event too few or too many, an event that is not ended.
    ("data: {\"id\":1,\"title\":\"Tea -hot-\"}\n\ndata: {\"title\":\"Eggs\",\"tags\":[\"x\",2]}\n\n", false),
    ("data: {\"title\":\"Tea (hot)\"}\n\ndata: {\"title\":\"Eggs\",\"tags\":[\"x\",2]}\n\n", false),
    (
      "data: {\"id\":1,\"title\":\"Tea (hot)\",\"a\":1}\n\ndata: {\"title\":\"Eggs\",\"tags\":[\"x\",2]}\n\n",
      false
    ),
    ("data: {\"id\":1,\"title\":\"Tea (hot)\"}\n\n", false),
    (
      "data: {\"id\":1,\"title\":\"Tea (hot)\"}\n\ndata: {\"title\":\"Eggs\",\"tags\":[\"x\",2]}\n\ndata: 1\n\n",
      false
    ),
    ("data: {\"id\":1,\"title\":\"Tea (hot)\"}\n\ndata: {\"title\":\"Eggs\",\"tags\":[\"x\",2]}\n", false),
  ])
  func aStreamIsOneTextOfAForm(_ stream: String, _ isAllowed: Bool) throws {
    #expect(try matches(stream, "todos.watch.two") == isAllowed)
  }

  @Test(arguments: [
    ("event: odd\ndata: no {json}\ndata: at all\n\n", true),
    ("data: no {json}\ndata: at all\n\n", false),
    ("event: odd\ndata: no json}\ndata: at all\n\n", false),
  ])
  func dataThatIsNoJSONIsAsItIs(_ stream: String, _ isAllowed: Bool) throws {
    #expect(try matches(stream, "todos.watch.odd") == isAllowed)
  }

  private func matches(_ stream: String, _ id: String) throws -> Bool {
    let rule = try interaction(id)["response"]?["matchingRules"]?["body"]?["$"]
    guard case .array(let matchers)? = rule?["matchers"], let pattern = matchers.first?["regex"]?.stringValue
    else { throw CancellationError() }
    return stream.range(of: pattern, options: .regularExpression) == stream.startIndex..<stream.endIndex
  }

  @Test func whatIsMissingIsNamed() throws {
    let export = try TodoExchanges.document.pact(consumer: "app")
    #expect(
      export.omissions.map(\.description) == [
        "todos.watch.two is there without its cuts and pauses: Pact compares a body as one text.",
        "todos.watch.dropped is left out: the connection breaks off, and only whole answers can be described.",
      ])
    #expect(!export.text.contains("todos.watch.dropped"))
  }

  @Test func theSameDocumentIsTheSameText() throws {
    // Dictionaries have another order in each instance.
    let texts = try Set((0..<20).map { _ in try TodoExchanges.document.pact(consumer: "app").text })
    #expect(texts.count == 1)
  }
}
