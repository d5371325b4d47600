import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording

struct ConditionsEndpointTests {
  /// Remembers what holds; `broken` cannot be brought about.
  private final class Backend: ConditionedHandler {
    let conditions = ["signed in", "broken"]
    private let holding = Locked<[String]>([])

    func bringAbout(_ condition: String) throws -> [String: String] {
      guard conditions.contains(condition) else { throw UnknownCondition(condition, known: conditions) }
      guard condition != "broken" else { throw TransportError(.connectionLost, "No.") }
      return holding.withLock { holding in
        holding.append(condition)
        return ["token": "t\(holding.count)", "a \"key\"": "k"]
      }
    }

    func reset() { holding.withLock { $0 = [] } }

    func respond(to request: HTTPRequest) -> HTTPResponse {
      HTTPResponse(
        status: 200, body: Data(holding.withLock { $0 }.joined(separator: ",").utf8),
        contentType: "text/plain")
    }
  }

  private let transport = InProcessTransport(to: ConditionsEndpoint(Backend()))

  private func send(_ method: HTTPMethod, _ path: String, _ body: String? = nil) async throws -> String {
    let url = try #require(URL(string: "http://backend.invalid" + path))
    let (bytes, response) = try await transport.data(
      for: HTTPRequest(method, url, body: body.map { Data($0.utf8) }))
    return "\(response.status) \(String(decoding: bytes, as: UTF8.self))"
  }

  private func change(_ body: String) async throws -> String {
    try await send(.post, "/understudy/conditions", body)
  }

  @Test func aConditionIsAnsweredWithWhatItGives() async throws {
    #expect(try await change(#"{"condition":"signed in"}"#) == #"200 {"a \"key\"":"k","token":"t1"}"#)
    #expect(try await send(.get, "/rest") == "200 signed in")
  }

  @Test func aVerifierOfPactFilesSetsStatesUpAndTearsThemDown() async throws {
    #expect(
      try await change(#"{"action":"setup","params":{},"state":"signed in"}"#)
        == #"200 {"a \"key\"":"k","token":"t1"}"#)
    #expect(try await change(#"{"action":"setup","state":"signed in"}"#).contains("t2"))
    #expect(try await send(.get, "/rest") == "200 signed in,signed in")
    #expect(try await change(#"{"action":"teardown","params":{},"state":"signed in"}"#) == "200 {}")
    #expect(try await send(.get, "/rest") == "200 ")
    // An interaction without states.
    #expect(try await change(#"{"action":"setup","state":""}"#) == "200 {}")
  }

  @Test func everythingCanBeginAnew() async throws {
    _ = try await change(#"{"condition":"signed in"}"#)
    #expect(try await send(.delete, "/understudy/conditions") == "200 {}")
    #expect(try await send(.get, "/rest") == "200 ")
  }

  @Test func theConditionsAreListed() async throws {
    #expect(
      try await send(.get, "/understudy/conditions") == #"200 {"conditions":["signed in","broken"]}"#)
  }

  @Test(arguments: [
    ("nonsense", "400", "Expected {"), ("[]", "400", "Expected {"),
    (#"{"condition":1}"#, "400", "Expected {"),
    (#"{"state":"signed in","action":"stop"}"#, "400", #"found \"stop\"."#),
    (#"{"state":"signed in","params":{"name":"x"}}"#, "400", "take no parameters"),
    (
      #"{"condition":"signed on"}"#, "404",
      #"no condition \"signed on\" here. Choose from: signed in; broken."#
    ),
    (#"{"condition":"broken"}"#, "409", "DELETE /understudy/conditions begins anew."),
  ])
  func whatCannotBeDoneIsSaid(_ body: String, _ status: String, _ message: String) async throws {
    let answer = try await change(body)
    #expect(answer.hasPrefix(status + #" {"message":""#))
    #expect(answer.contains(message))
    #expect(try await send(.get, "/rest") == "200 ")
  }

  @Test func otherMethodsAndPathsAreNotTheDoors() async throws {
    #expect(try await send(.put, "/understudy/conditions").hasPrefix("405 "))
    #expect(try await send(.get, "/understudy/conditions/x") == "200 ")
  }
}
