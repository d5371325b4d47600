import Foundation
import Testing
import UnderstudyRecording
import UnderstudyHTTP

struct ExchangeHandlerTests {
  private let handler: ExchangeHandler

  init() throws {
    handler = ExchangeHandler([try TodoExchanges.document])
  }

  private func add(
    session: String = "s-1", conditions: [String] = [], key: String? = "k", by: String = "pat",
    more: String = ""
  ) throws -> HTTPRequest {
    var fields: HTTPFields = ["authorization": "Bearer t", "content-type": "application/json"]
    fields["key"] = key
    for condition in conditions { fields.append(name: "Understudy-Conditions", value: condition) }
    return HTTPRequest(
      .post, try #require(URL(string: "http://todos.invalid/todos?by=\(by)")), fields: fields,
      body: Data(#"{"session":"\#(session)","title":"Milk"\#(more)}"#.utf8))
  }

  private func answer(_ request: HTTPRequest) async throws -> (status: Int, text: String) {
    let response = handler.respond(to: request)
    return (response.status, String(decoding: try await response.body.collect(), as: UTF8.self))
  }

  @Test func withoutConditionsTheFirstAnswers() async throws {
    let (status, text) = try await answer(try add())
    #expect(status == 201)
    #expect(text.hasPrefix(#"{"id":"a0000000-0000-4000-8000-000000000001","title":"Milk""#))
  }

  @Test func theConditionsOfTheRequestChoose() async throws {
    #expect(try await answer(try add(conditions: ["signed in", "milk is there"])).status == 409)
    #expect(try await answer(try add(conditions: ["milk is there , signed in"])).status == 409)
    #expect(try await answer(try add(conditions: ["signed in"])).status == 201)
    // What the line is like makes no difference to adding.
    #expect(try await answer(try add(conditions: ["the line is bad", "signed in"])).status == 201)
  }

  @Test func theConditionsThatHoldChoose() async throws {
    let values = try handler.bringAbout("signed in")
    #expect(values == ["key": "key", "token": "token", "session id": "session id"])
    #expect(try await answer(try add()).status == 201)
    _ = try handler.bringAbout("milk is there")
    #expect(try await answer(try add()).status == 409)
    // The request's own come first.
    #expect(try await answer(try add(conditions: ["signed in"])).status == 201)
    handler.reset()
    #expect(try await answer(try add()).status == 201)
  }

  @Test func conditionsOfNoExchangeAreRefused() async throws {
    let other = try await answer(try add(conditions: ["the line is bad"]))
    #expect(other.status == 501)
    #expect(other.text.contains("todos.add.stored (signed in); todos.add.taken (signed in, milk is there)."))
    let unknown = try await answer(try add(conditions: ["signed on"]))
    #expect(unknown.text.contains(#"There is no condition \"signed on\" here."#))
    #expect(throws: UnknownCondition.self) { try handler.bringAbout("signed on") }
    #expect(
      handler.conditions == ["signed in", "milk is there", "the line is bad", "the line is odd"])
  }

  @Test func aRequestOfNoExchangeIsToldTheNearest() async throws {
    let refused = [
      (try add(key: nil), "The nearest is todos.add.stored: Expected key: {key}."),
      (try add(session: "x"), #"Expected \"s-{session id}\" at session, found \"x\"."#),
      (try add(by: "kim"), "Expected the query's by to be pat, found kim."),
      (try add(by: "pat&a=1"), "Expected the query's a to be nothing, found 1."),
      (try add(more: #","more":1"#), "Expected no more."),
    ]
    for (request, message) in refused {
      let (status, text) = try await answer(request)
      #expect(status == 501)
      #expect(text.contains(message), "\(text)")
    }
    let elsewhere = HTTPRequest(.put, try #require(URL(string: "http://todos.invalid/todos")))
    #expect(try await answer(elsewhere).text.contains("No exchange has a request PUT /todos."))
  }

  @Test func anAnswerThatBreaksBreaks() async throws {
    let request = HTTPRequest(
      .get, try #require(URL(string: "http://todos.invalid/watch")),
      fields: ["Understudy-Conditions": "the line is bad"])
    let response = handler.respond(to: request)
    await #expect(throws: TransportError.self) { try await response.body.collect() }
  }
}
