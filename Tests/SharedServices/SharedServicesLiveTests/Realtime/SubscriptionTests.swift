import Foundation
import SharedServices
import SharedServicesLive
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

/// What goes on in a subscription, and how it ends.
@Suite(.stallLimit()) struct SubscriptionTests {
  // MARK: Changes

  @Test func onlyTheRemovalOfAnOwnChildIsDelivered() async throws {
    let bench = try await RealtimeBench.signedIn()
    let (changes, peer) = try await bench.subscribed()
    try await peer.change(#""type":"DELETE","old_record":{"id":"\#(Sample.otherUser)"},"errors":null"#)
    try await peer.change(#""type":"DELETE","old_record":{"id":"\#(Sample.childText)"},"errors":null"#)
    // It is gone: a second removal cannot be the user's own.
    try await peer.change(#""type":"DELETE","old_record":{"id":"\#(Sample.childText)"},"errors":null"#)
    try await peer.change(#""type":"INSERT","record":\#(Sample.row()),"errors":null"#)
    #expect(try await changes.next() == .deleted(id: Sample.childID))
    guard case .inserted? = try await changes.next() else {
      Issue.record("Expected an insertion.")
      return
    }
  }

  @Test func whatIsForOthersIsPassedOver() async throws {
    let bench = try await RealtimeBench.signedIn()
    let (changes, peer) = try await bench.subscribed()
    try await peer.send(#"[null,null,"realtime:other","phx_close",{}]"#)
    try await peer.send(#"["1",null,"realtime:children","presence_state",{}]"#)
    try await peer.system("Subscribed to PostgreSQL")
    try await peer.reply(to: "9", #"{"status":"error","response":{"reason":"nothing"}}"#)
    let foreign = Sample.row().replacing(Sample.userText, with: Sample.otherUser.uuidString)
    try await peer.change(#""type":"INSERT","record":\#(foreign),"errors":null"#)
    try await peer.change(#""type":"UPDATE","record":\#(Sample.row()),"old_record":{},"errors":null"#)
    guard case .updated? = try await changes.next() else {
      Issue.record("Expected an update.")
      return
    }
  }

  @Test(arguments: [
    "nonsense", "{}", #"["1"]"#, #"[null,null,"realtime:children","postgres_changes",{"ids":[],"data":{}}]"#,
    #"[null,null,"realtime:children","postgres_changes",{"data":{"type":"TRUNCATE"}}]"#,
    #"[null,null,"realtime:children","postgres_changes",{"data":{"type":"INSERT","record":{},"#
      + #""errors":["Error 413: Payload Too Large"]}}]"#,
  ])
  func whatCannotBeReadEndsIt(_ text: String) async throws {
    let bench = try await RealtimeBench.signedIn()
    let (changes, peer) = try await bench.subscribed()
    try await peer.send(text)
    await #expect(throws: AppError.network(.unreadableAnswer)) { try await changes.next() }
    #expect(try await changes.next() == nil)
  }

  // MARK: Heartbeats

  @Test func aHeartbeatEvery25SecondsThatMustBeAnswered() async throws {
    let bench = try await RealtimeBench.signedIn()
    let clock = bench.bench.clock
    let (changes, peer) = try await bench.subscribed()
    for ref in ["2", "3"] {
      // The next heartbeat, and the token's end.
      try await clock.wait(forSleepers: 2)
      clock.advance(by: .seconds(25))
      #expect(try await peer.text() == #"[null,"\#(ref)","phoenix","heartbeat",{}]"#)
      try await peer.reply(to: ref, topic: "phoenix", #"{"status":"ok","response":{}}"#)
      try await peer.change(#""type":"UPDATE","record":\#(Sample.row()),"old_record":{},"errors":null"#)
      // The reply has been read before the change.
      _ = try await changes.next()
    }
    try await clock.wait(forSleepers: 2)
    clock.advance(by: .seconds(25))
    #expect(try await peer.text() == #"[null,"4","phoenix","heartbeat",{}]"#)
    try await clock.wait(forSleepers: 2)
    clock.advance(by: .seconds(25))
    await #expect(throws: AppError.network(.connectionLost)) { try await changes.next() }
  }

  // MARK: The token and the session

  @Test func aNewTokenIsAskedForAndSent() async throws {
    let bench = try await RealtimeBench.signedIn(tokenLifetime: 50)
    let (changes, peer) = try await bench.subscribed()
    try await bench.bench.clock.wait(forSleepers: 2)
    bench.bench.clock.advance(by: .seconds(19))
    #expect(bench.bench.calls.filter(\.isExchange).isEmpty)
    bench.bench.clock.advance(by: .seconds(1))
    #expect(
      try await peer.text()
        == #"["1","2","realtime:children","access_token",{"access_token":"access-2"}]"#)
    withExtendedLifetime(changes) {}
  }

  @Test func aTokenThatAnotherCallHasExchangedIsSentToo() async throws {
    let bench = try await RealtimeBench.signedIn()
    let (changes, peer) = try await bench.subscribed()
    try await bench.bench.auth.refresh()
    #expect(
      try await peer.text()
        == #"["1","2","realtime:children","access_token",{"access_token":"access-2"}]"#)
    withExtendedLifetime(changes) {}
  }

  @Test func anExchangeThatFailsIsTriedAgain() async throws {
    let tries = Locked(0)
    let bench = try await RealtimeBench.signedIn(tokenLifetime: 50) {
      let number = tries.withLock { tries in
        tries += 1
        return tries
      }
      return number == 1 ? HTTP.Response(status: 500) : .tokens("2")
    }
    let (changes, peer) = try await bench.subscribed()
    try await bench.bench.clock.wait(forSleepers: 2)
    bench.bench.clock.advance(by: .seconds(20))
    try await bench.bench.clock.wait(forSleepers: 2)
    bench.bench.clock.advance(by: .seconds(10))
    var text = try await peer.text()
    // At the twenty-fifth second a heartbeat was due.
    if text?.contains("heartbeat") == true { text = try await peer.text() }
    #expect(text?.contains(#""access_token":"access-2""#) == true)
    withExtendedLifetime(changes) {}
  }

  @Test func anExchangeThatIsRefusedEndsIt() async throws {
    let bench = try await RealtimeBench.signedIn(tokenLifetime: 50) {
      AuthAPIError.refreshTokenNotFound.response(version: AuthAPIError.newerVersion)
    }
    let (changes, peer) = try await bench.subscribed()
    try await bench.bench.clock.wait(forSleepers: 2)
    bench.bench.clock.advance(by: .seconds(20))
    await #expect(throws: AppError.network(.unauthorized)) { try await changes.next() }
    #expect(try await peer.ref(of: "phx_leave") == "2")
    #expect(try await peer.text() == nil && peer.socket.closure?.code == .normalClosure)
  }

  @Test(arguments: [true, false])
  func aChannelThatIsShutDownForItsTokenIsTheSessionsEndOrALoss(_ isSessionOver: Bool) async throws {
    let bench = try await RealtimeBench.signedIn {
      isSessionOver
        ? AuthAPIError.refreshTokenNotFound.response(version: AuthAPIError.newerVersion) : .tokens("2")
    }
    let (changes, peer) = try await bench.subscribed()
    try await peer.system("Token has expired 0 seconds ago", status: "error", from: "system")
    try await peer.send(#"["1","1","realtime:children","phx_close",{}]"#)
    await #expect(throws: AppError.network(isSessionOver ? .unauthorized : .connectionLost)) {
      try await changes.next()
    }
  }

  @Test func aChannelThatIsShutDownForAnythingElseIsALoss() async throws {
    let bench = try await RealtimeBench.signedIn()
    let (changes, peer) = try await bench.subscribed()
    try await peer.system("Too many messages per second", status: "error", from: "system")
    try await peer.send(#"["1","1","realtime:children","phx_close",{}]"#)
    await #expect(throws: AppError.network(.connectionLost)) { try await changes.next() }
    #expect(bench.bench.calls.filter(\.isExchange).isEmpty)
  }

  @Test func signingOutLeavesTheChannel() async throws {
    let bench = try await RealtimeBench.signedIn()
    let (changes, peer) = try await bench.subscribed()
    try await bench.bench.auth.signOut()
    await #expect(throws: AppError.network(.unauthorized)) { try await changes.next() }
    #expect(try await peer.ref(of: "phx_leave") == "2")
    #expect(try await peer.text() == nil)
  }

  // MARK: Leaving

  @Test func lettingGoOfTheStreamLeavesTheChannelAndClosesTheSocket() async throws {
    let bench = try await RealtimeBench.signedIn()
    let peer = try await bench.subscribed().peer
    #expect(try await peer.text() == #"["1","2","realtime:children","phx_leave",{}]"#)
    #expect(try await peer.text() == nil)
    #expect(peer.socket.closure?.code == .normalClosure)
  }

  @Test(Effort.needsAll) func aConsumerThatIsTooFarBehindLosesTheSubscription() async throws {
    let bench = try await RealtimeBench.signedIn()
    let (changes, peer) = try await bench.subscribed()
    let change = #""type":"UPDATE","record":\#(Sample.row()),"old_record":{},"errors":null"#
    for _ in 0...10_000 { try await peer.change(change) }
    #expect(try await peer.ref(of: "phx_leave") == "2")
    var told = 0
    await #expect(throws: AppError.network(.connectionLost)) {
      for try await _ in changes { told += 1 }
    }
    #expect(told == 10_000)
  }
}
