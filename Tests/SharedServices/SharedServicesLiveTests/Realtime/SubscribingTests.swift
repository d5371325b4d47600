import Foundation
import SharedServices
import SharedServicesLive
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

/// How a subscription begins.
@Suite(.stallLimit()) struct SubscribingTests {
  @Test func theHandshakeAndTheJoinAsTheyStandOnTheWire() async throws {
    let bench = try await RealtimeBench.signedIn()
    let changes = Task { try await bench.realtime.childChanges() }
    let peer = try await bench.door.next()
    let request = try #require(bench.door.requests.withLock { $0 }.first)
    #expect(
      request.url.absoluteString
        == "https://project.example/base/realtime/v1/websocket?apikey=the-key&vsn=2.0.0")
    #expect(request.fields["apikey"] == "the-key" && request.token == "access-1")
    #expect(
      try await peer.text()
        == #"["1","1","realtime:children","phx_join",{"access_token":"access-1","config":"#
        + #"{"postgres_changes":[{"event":"*","schema":"public","table":"children"}]}}]"#)
    try await peer.accept("1")
    try await peer.system("Subscribed to PostgreSQL")
    _ = try await changes.value
    #expect(bench.bench.calls.last?.query == "select=id&user_id=eq.\(Sample.userText)&order=id.asc")
  }

  /// A reply alone says nothing about the database: a service that returned with it would not throw.
  @Test func theReplyIsNotEnough() async throws {
    let bench = try await RealtimeBench.signedIn()
    let changes = Task { try await bench.realtime.childChanges() }
    let peer = try await bench.door.next()
    try await peer.accept(try await peer.ref(of: "phx_join"))
    try await peer.system("Unable to subscribe to changes with given parameters.", status: "error")
    await #expect(throws: AppError.network(.serverError)) { _ = try await changes.value }
  }

  @Test func aChangeBeforeTheCallReturnsIsDelivered() async throws {
    let bench = try await RealtimeBench.signedIn()
    let pending = Task { try await bench.realtime.childChanges() }
    let peer = try await bench.door.next()
    try await peer.accept(try await peer.ref(of: "phx_join"))
    try await peer.change(#""type":"INSERT","record":\#(Sample.row()),"errors":null"#)
    try await peer.system("Subscribed to PostgreSQL")
    let changes = try await pending.value
    guard case .inserted(let child)? = try await changes.next() else {
      Issue.record("Expected an insertion.")
      return
    }
    #expect(child.id == Sample.childID)
  }

  @Test(
    arguments: [
      ("Unauthorized: You do not have permissions to read from this Channel topic: children", .forbidden),
      ("ChannelRateLimitReached: Too many channels", .rateLimited(retryAfter: nil)),
      ("ConnectionRateLimitReached: Too many connected users", .rateLimited(retryAfter: nil)),
      ("UnableToConnectToProject: Realtime was unable to connect to the project database", .serverError),
      ("unmatched topic", .serverError),
    ] as [(String, NetworkError)])
  func aJoinThatIsRefusedIsThrown(_ reason: String, _ error: NetworkError) async throws {
    let bench = try await RealtimeBench.signedIn()
    let changes = Task { try await bench.realtime.childChanges() }
    let peer = try await bench.door.next()
    try await peer.reply(
      to: try await peer.ref(of: "phx_join"), #"{"status":"error","response":{"reason":"\#(reason)"}}"#)
    await #expect(throws: AppError.network(error)) { _ = try await changes.value }
  }

  @Test(arguments: [
    "InvalidJWTToken: Token has expired 5 seconds ago", "MalformedJWT: The token provided is not a valid JWT",
    "JwtSignatureError: Failed to validate JWT signature",
  ])
  func aTokenThatIsRefusedIsExchangedOnce(_ reason: String) async throws {
    let bench = try await RealtimeBench.signedIn()
    let changes = Task { try await bench.realtime.childChanges() }
    let peer = try await bench.door.next()
    let refusal = #"{"status":"error","response":{"reason":"\#(reason)"}}"#
    try await peer.reply(to: try await peer.ref(of: "phx_join"), refusal)
    #expect(
      try await peer.text()?.hasPrefix(
        #"["2","2","realtime:children","phx_join",{"access_token":"access-2""#) == true)
    try await peer.reply(to: "2", refusal)
    await #expect(throws: AppError.network(.unauthorized)) { _ = try await changes.value }
    #expect(bench.bench.calls.filter(\.isExchange).count == 1)
  }

  @Test(
    arguments: [
      (200, .unreadableAnswer), (302, .unreadableAnswer), (403, .forbidden), (404, .notFound),
      (429, .rateLimited(retryAfter: .seconds(9))), (500, .serverError), (503, .serverError),
    ] as [(Int, NetworkError)])
  func aHandshakeThatIsRefusedIsThrown(_ status: Int, _ error: NetworkError) async throws {
    let bench = try await RealtimeBench.signedIn()
    bench.door.refusals.withLock { $0 = [HTTP.Response(status: status, fields: ["Retry-After": "9"])] }
    await #expect(throws: AppError.network(error)) { try await bench.realtime.childChanges() }
    #expect(bench.door.requests.withLock { $0.count } == 1)
  }

  @Test func aHandshakeIsTriedAgainWithANewToken() async throws {
    let bench = try await RealtimeBench.signedIn()
    bench.door.refusals.withLock { $0 = [HTTP.Response(status: 401)] }
    let (_, _) = try await bench.subscribed()
    #expect(bench.door.requests.withLock { $0.map(\.token) } == ["access-1", "access-2"])
    bench.door.refusals.withLock { $0 = [HTTP.Response(status: 401), HTTP.Response(status: 401)] }
    await #expect(throws: AppError.network(.unauthorized)) { try await bench.realtime.childChanges() }
  }

  @Test func aServerThatSaysNothingIsGivenUp() async throws {
    let bench = try await RealtimeBench.signedIn()
    let changes = Task { try await bench.realtime.childChanges() }
    let peer = try await bench.door.next()
    try await peer.accept(try await peer.ref(of: "phx_join"))
    try await bench.bench.clock.wait(forSleepers: 1)
    bench.bench.clock.advance(by: .seconds(30))
    await #expect(throws: AppError.network(.timeout)) { _ = try await changes.value }
  }

  @Test(arguments: ["phx_close", "phx_error"])
  func aChannelThatEndsBeforeItBeginsIsLost(_ event: String) async throws {
    let bench = try await RealtimeBench.signedIn()
    let changes = Task { try await bench.realtime.childChanges() }
    let peer = try await bench.door.next()
    _ = try await peer.ref(of: "phx_join")
    try await peer.send(#"["1","1","realtime:children","\#(event)",{}]"#)
    await #expect(throws: AppError.network(.connectionLost)) { _ = try await changes.value }
  }
}
