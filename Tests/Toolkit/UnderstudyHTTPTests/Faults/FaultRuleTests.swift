import Testing
import UnderstudyTesting
@testable import Understudy
@testable import UnderstudyHTTP

@Suite(.stallLimit()) struct FaultRuleTests {
  typealias Rule = FaultPlan<StubBackend>.Rule

  /// A rule as text, and the same rule in Swift.
  static let table: [(String, Rule)] = [
    ("POST /rest/v1/children call=2 conflict", .on(.post("/rest/v1/children"), call: 2, .conflict)),
    ("/rest/v1/* timeout", .on(.request(nil, "/rest/v1/*"), .timeout)),
    ("probability=0.1 connection-lost", .on(.any, probability: 0.1, .connectionLost)),
    ("GET /a calls=2-4 status:418", .on(.get("/a"), calls: 2...4, .status(418))),
    ("GET /a calls=3- empty-reply", .on(.get("/a"), calls: 3..., .emptyReply)),
    ("every=10 drop-stream:3", .on(.any, every: 10, .dropStream(afterEvents: 3))),
    ("rate-limited:1.5s", .on(.any, .rateLimited(retryAfter: .milliseconds(1500)))),
    ("latency:200ms,2s", .on(.any, .latency(.uniform(.milliseconds(200)...(.seconds(2)))))),
    ("latency:mobile", .on(.any, .latency(.mobileNetwork))),
    ("dribble:4,10ms", .on(.any, .dribble(bytes: 4, pause: .milliseconds(10)))),
  ]

  @Test(arguments: table)
  func aRuleInTextEqualsTheRuleInSwift(_ text: String, _ rule: Rule) throws {
    let parsed = try Rule(parsing: text)
    #expect(parsed.description == rule.description)
    #expect(parsed.fault == rule.fault)
  }

  @Test(arguments: [
    ("", "has no fault"), ("POST conflict", "a method without a path"),
    ("conflikt", "Unknown fault \"conflikt\""),
    ("conflict:3", "conflict takes no parameters"), ("status", "status:<200–599>"),
    ("status:99", "status:<200–599>"),
    ("latency:2", "write latency:2s"), ("latency:2s,1s", "latency:<time>"), ("drop-stream:-1", "[:<events>]"),
    ("call=0 timeout", "call=2"), ("calls=4-2 timeout", "calls=2-4"), ("every=x timeout", "every=10"),
    ("probability=2 timeout", "probability=0.1"), ("often timeout", "Invalid schedule \"often\""),
    ("GET /a call=1 call=2 timeout", "is not expected"),
    ("GET /a/*/b timeout", "write {name} for one segment"), ("/a?x=1 timeout", "no query"),
    ("/a/:id timeout", "write {id} for a parameter"),
  ])
  func anInvalidRuleIsExplainedInOneLine(_ text: String, _ words: String) {
    let error = #expect(throws: UnderstudyError.self) { try Rule(parsing: text) }
    #expect(error?.description.contains(words) == true)
    #expect(error?.description.contains("\n") == false)
  }

  /// Catches a fault of the catalogue without a text form.
  @Test func everyFaultOfTheCatalogueHasATextForm() throws {
    let typed = try Set(
      (Fault.typedNames.map { String($0.prefix { $0 != "[" && $0 != ":" }) } + [
        "rate-limited:30s", "latency:1s", "latency:mobile",
      ])
      .filter { !["status", "latency"].contains($0) }.map { try Rule(parsing: $0).fault })
    #expect(Set(Fault.all(of: .stream)).subtracting(typed).isEmpty)
  }
}
