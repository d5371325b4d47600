import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

/// The effect of a token on its channel.
@Suite(.stallLimit()) struct RealtimeTokenTests {
  let time = TestClock()
  let project: TodoProject
  let pat: AuthSession

  init() throws {
    project = try TodoProject(time: time.time)
    pat = try project.auth.signIn(email: "pat@example.com", password: "secret1")
  }

  private func insert(_ title: String, of owner: UUID) throws {
    try project.database.insert(["owner": .uuid(owner), "title": .text(title)], into: "lists")
  }

  @Test func aJoinWithAnInvalidTokenIsRefused() async throws {
    func reason(_ token: String) async throws -> String? {
      let client = try await RealtimeClient(project)
      try await client.send(#"["1","1","realtime:any","phx_join",{"config":{},"access_token":"\#(token)"}]"#)
      return try await client.message().reason
    }
    #expect(try await reason("nonsense") == "MalformedJWT: The token provided is not a valid JWT")
    #expect(try await reason(pat.accessToken + "A") == "JwtSignatureError: Failed to validate JWT signature")
    time.advance(by: .seconds(3600))
    #expect(try await reason(pat.accessToken) == "InvalidJWTToken: Token has expired 0 seconds ago")
    time.advance(by: .seconds(7))
    #expect(try await reason(pat.accessToken) == "InvalidJWTToken: Token has expired 7 seconds ago")
  }

  @Test func aPublishableKeyIsReplacedByTheKeyOfTheConnection() async throws {
    let client = try await RealtimeClient(project)
    #expect(try await client.join(token: "sb_publishable_x").reply.status == "ok")
  }

  @Test func aChannelIsShutDownWhenItsTokenExpires() async throws {
    // Shorter than the limit for silence.
    let project = try TodoProject(time: time.time, tokenLifetime: .seconds(40))
    let pat = try project.auth.signIn(email: "pat@example.com", password: "secret1")
    let client = try await RealtimeClient(project)
    try await client.join(token: pat.accessToken)
    try await time.wait(forSleepers: 2)
    time.advance(by: .seconds(39))
    try await client.send(#"[null,"1","phoenix","heartbeat",{}]"#)
    #expect(try await client.message().ref == "1")
    time.advance(by: .seconds(1))
    let message = try await client.message()
    #expect(message.event == "system" && message.said == "Token has expired 0 seconds ago")
    #expect(message.payload["extension"]?.stringValue == "system")
    #expect(message.payload["status"]?.stringValue == "error")
    #expect(try await client.message().event == "phx_close")
    #expect(project.database.changeFeedCount == 0)
  }

  @Test func aTokenExpiredByATestClosesItsChannel() async throws {
    let client = try await RealtimeClient(project)
    try await client.join(token: pat.accessToken)
    project.auth.expireAccessTokens(of: project.pat)
    #expect(try await client.message().said == "Token has expired 0 seconds ago")
    #expect(try await client.message().event == "phx_close")
    #expect(project.database.changeFeedCount == 0)
  }

  @Test func aNewTokenReplacesTheOldOne() async throws {
    let client = try await RealtimeClient(project)
    try await client.join(token: pat.accessToken)
    let other = try project.auth.signIn(email: "kim@example.com", password: "secret2")
    try await client.send(
      #"["1","2","realtime:any","access_token",{"access_token":"\#(other.accessToken)"}]"#)
    #expect(try await client.message().said == "Subscribed to PostgreSQL")
    try insert("of pat", of: project.pat)
    try insert("of kim", of: project.kim)
    #expect(try await client.message().data?["record"]?["title"]?.stringValue == "of kim")
    // The channel no longer uses the first token.
    project.auth.expireAccessTokens(of: project.pat)
    try insert("more of kim", of: project.kim)
    #expect(try await client.message().data?["record"]?["title"]?.stringValue == "more of kim")
  }

  @Test(arguments: [#""sb_secret""#, "null", "7"])
  func unchangedTokensAreIgnored(_ token: String) async throws {
    let client = try await RealtimeClient(project)
    try await client.join(token: pat.accessToken)
    try await client.send(#"["1","2","realtime:any","access_token",{"access_token":\#(token)}]"#)
    try insert("of pat", of: project.pat)
    #expect(try await client.message().data?["record"]?["title"]?.stringValue == "of pat")
  }

  @Test func anInvalidNewTokenClosesTheChannel() async throws {
    let client = try await RealtimeClient(project)
    try await client.join(token: pat.accessToken)
    try await client.send(#"["1","2","realtime:any","access_token",{"access_token":"nonsense"}]"#)
    #expect(try await client.message().said == "The token provided is not a valid JWT")
    #expect(try await client.message().event == "phx_close")
    try await client.send(#"["1","3","realtime:any","access_token",{"access_token":"nonsense"}]"#)
    #expect(try await client.message().reason == "unmatched topic")
  }
}
