import SharedServices
import SharedServicesLive
import Testing
import UnderstudyTesting
import Understudy
import UnderstudyHTTP

/// What a server does that the one in memory does not.
@Suite(.stallLimit()) struct MessageStreamServiceTests {
  private static let resumed = #"{"type":"reconnect_complete","missedCount":0}"#

  private static func frame(_ id: String) -> String {
    #"{"type":"stream","id":"\#(id)","timestamp":"2026-01-03T12:00:00Z","message":{"type":"user","content":"a"}}"#
  }

  private static func event(_ id: String) -> FeedUpdate {
    .event(.message(StreamedMessage(id: id, timestamp: "2026-01-03T12:00:00Z", content: .user("a"))))
  }

  private func next(
    _ count: Int, of updates: AsyncThrowingStream<FeedUpdate, any Error>
  ) async throws -> [FeedUpdate?] {
    var iterator = updates.makeAsyncIterator()
    var found: [FeedUpdate?] = []
    for _ in 0..<count { found.append(try await iterator.next()) }
    return found
  }

  // MARK: - Heartbeats

  @Test func aHeartbeatThatIsNotAnsweredIsALostConnection() async throws {
    let time = TestClock()
    let (pings, told) = AsyncStream<WebSocketMessage>.makeStream()
    let feed = ScriptedFeed { _, socket in
      try await socket.send(frames: Self.resumed)
      while let message = try await socket.receive() { told.yield(message) }
    }
    let updates = try await feed.updates(time: time.time)
    #expect(try await next(1, of: updates) == [.connected])
    try await time.wait(forSleepers: 1)
    time.advance(by: .seconds(25))
    var iterator = pings.makeAsyncIterator()
    #expect(await iterator.next() == .text(#"{"type":"ping"}"#))
    try await time.wait(forSleepers: 1)
    time.advance(by: .seconds(25))
    #expect(try await next(1, of: updates) == [.reconnecting])
  }

  @Test func aHeartbeatThatIsAnsweredKeepsTheConnection() async throws {
    let time = TestClock()
    let (pings, told) = AsyncStream<Void>.makeStream()
    let feed = ScriptedFeed { _, socket in
      try await socket.send(frames: Self.resumed)
      while try await socket.receive() != nil {
        // The event after it shows when the answer has been read.
        try await socket.send(
          frames: #"{"type":"pong","serverTime":"2026-01-03T12:00:00Z"}"#, #"{"type":"queued"}"#)
        told.yield()
      }
    }
    let updates = try await feed.updates(time: time.time)
    _ = try await next(1, of: updates)
    for _ in 1...4 {
      try await time.wait(forSleepers: 1)
      time.advance(by: .seconds(25))
      var iterator = pings.makeAsyncIterator()
      await iterator.next()
      #expect(try await next(1, of: updates) == [.event(.control(.queued()))])
    }
    #expect(feed.connectionCount == 1)
  }

  @Test func theServersHeartbeatIsAnswered() async throws {
    let answer = Locked<WebSocketMessage?>(nil)
    let feed = ScriptedFeed { _, socket in
      try await socket.send(frames: Self.resumed, #"{"type":"ping"}"#)
      let message = try await socket.receive()
      answer.withLock { $0 = message }
      try await socket.send(frames: #"{"type":"queued"}"#)
      try await socket.untilTheEnd()
    }
    let updates = try await feed.updates(time: TestClock(.immediate).time)
    #expect(try await next(2, of: updates) == [.connected, .event(.control(.queued()))])
    #expect(answer.withLock { $0 } == .text(#"{"type":"pong"}"#))
  }

  // MARK: - Errors of the server

  @Test func anErrorForGoodIsTheEnd() async throws {
    let feed = ScriptedFeed { _, socket in
      try await socket.send(
        frames: Self.resumed, #"{"type":"error","code":"X","message":"No.","recoverable":false}"#)
      try await socket.untilTheEnd()
    }
    let updates = try await feed.updates(time: TestClock(.immediate).time)
    #expect(try await next(1, of: updates) == [.connected])
    await #expect(throws: AppError.network(.serverError)) { try await next(1, of: updates) }
    #expect(feed.connectionCount == 1)
  }

  @Test func anErrorForAWhileIsWaitedFor() async throws {
    let time = TestClock(.immediate)
    let feed = ScriptedFeed { number, socket in
      if number == 1 {
        try await socket.send(
          frames: #"{"type":"error","code":"X","message":"Later.","recoverable":false,"retryAfter":90}"#)
      } else {
        try await socket.send(frames: Self.resumed)
      }
      try await socket.untilTheEnd()
    }
    let updates = try await feed.updates(time: time.time)
    #expect(try await next(2, of: updates) == [.reconnecting, .connected])
    #expect(time.elapsed >= .seconds(90))
  }

  // MARK: - What cannot be read

  /// The message may have been corrupted in transit.
  @Test func whatCannotBeReadIsAskedForAgain() async throws {
    let feed = ScriptedFeed { number, socket in
      try await socket.send(frames: Self.frame("1"), number == 1 ? "{\"type" : Self.frame("2"), Self.resumed)
      try await socket.untilTheEnd()
    }
    let updates = try await feed.updates(time: TestClock(.immediate).time)
    #expect(
      try await next(4, of: updates) == [Self.event("1"), .reconnecting, Self.event("2"), .connected])
  }

  /// The server sends it on purpose: later events must not wait for ever.
  @Test func anEventThatIsUnreadableTwiceIsDeliveredUnchanged() async throws {
    let feed = ScriptedFeed { _, socket in
      try await socket.send(frames: "nonsense", Self.frame("1"), Self.resumed)
      try await socket.untilTheEnd()
    }
    let updates = try await feed.updates(time: TestClock(.immediate).time)
    #expect(
      try await next(4, of: updates)
        == [.reconnecting, .event(.unreadable("nonsense")), Self.event("1"), .connected])
  }

  /// Another text at the same place may be a message that was corrupted in transit.
  @Test func somethingElseThatCannotBeReadIsAskedForAgainToo() async throws {
    let feed = ScriptedFeed { number, socket in
      let second = number == 1 ? "pon" : number == 2 ? "{\"type" : Self.frame("1")
      try await socket.send(frames: second, Self.resumed)
      try await socket.untilTheEnd()
    }
    let updates = try await feed.updates(time: TestClock(.immediate).time)
    #expect(
      try await next(4, of: updates) == [.reconnecting, .reconnecting, Self.event("1"), .connected])
  }

  // MARK: - Gaps

  private static let page = PaginatedMessage(
    id: "1", role: "user", content: "a", timestamp: "2026-01-03T12:00:00Z")

  @Test func aGapThatCannotBeFilledAtFirstIsFilledLater() async throws {
    let feed = ScriptedFeed { _, socket in
      // The message in the gap is delivered as well, because it was sent after the connection was made.
      try await socket.send(
        frames: #"{"type":"cursor_evicted","recommendation":"fetch_from_rest"}"#, Self.frame("1"))
      try await socket.send(frames: Self.frame("2"))
      try await socket.untilTheEnd()
    }
    let history = StoredHistory([.failure(.network(.timeout)), .success([Self.page])])
    let updates = try await feed.updates(history: history, time: TestClock(.immediate).time)
    #expect(
      try await next(4, of: updates) == [.reconnecting, .missed([Self.page]), .connected, Self.event("2")])
  }

  @Test func aGapAtAnUnknownPlaceResetsTheMessages() async throws {
    let feed = ScriptedFeed { _, socket in
      try await socket.send(frames: #"{"type":"cursor_evicted"}"#)
      try await socket.untilTheEnd()
    }
    let history = StoredHistory([.failure(.feed(.cursorExpired)), .success([Self.page])])
    let updates = try await feed.updates(history: history, time: TestClock(.immediate).time)
    #expect(try await next(2, of: updates) == [.reset([Self.page]), .connected])
  }

  @Test func aGapThatTheUserMayNotSeeIsTheEnd() async throws {
    let feed = ScriptedFeed { _, socket in
      try await socket.send(frames: #"{"type":"cursor_evicted"}"#)
      try await socket.untilTheEnd()
    }
    let history = StoredHistory([.failure(.network(.forbidden))])
    let updates = try await feed.updates(history: history, time: TestClock(.immediate).time)
    await #expect(throws: AppError.network(.forbidden)) { try await next(1, of: updates) }
  }

  /// A connection without updates counts as a failed connection.
  @Test func aServerThatNeverGoesOnIsGivenUp() async throws {
    let time = TestClock(.immediate)
    let feed = ScriptedFeed { _, socket in try await socket.send(frames: #"{"type":"connected"}"#) }
    let updates = try await feed.updates(time: time.time)
    var count = 0
    await #expect(throws: AppError.network(.connectionLost)) {
      while let update = try await next(1, of: updates)[0] {
        #expect(update == .reconnecting)
        count += 1
      }
    }
    #expect(count == 11)
    #expect(feed.connectionCount == 11)
    // Ten waits: at least half of 0.5, 1, 2, 4, 8, 16, 30, 30, 30 and 30 seconds.
    #expect((.seconds(75)...(.seconds(152))).contains(time.elapsed))
  }
}
