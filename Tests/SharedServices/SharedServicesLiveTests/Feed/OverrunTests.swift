import Foundation
import SharedServices
import SharedServicesLive
import Testing
import UnderstudyTesting
import Understudy
import UnderstudyHTTP

@Suite(.stallLimit()) struct OverrunTests {
  /// The undelivered updates were received, so another connection would resume after them.
  @Test func aConsumerThatFellBehindLosesItsSubscriptionAlthoughItCatchesUp() async throws {
    let feed = FastFeed()
    let time = TestClock(.immediate).time
    let updates = try await WebSocketMessageStreamService(
      MessageFeedConfiguration(serverURL: URL(filePath: "/"), reconnection: Reconnection(seed: 1)),
      over: feed, history: StoredHistory([.success([])]), clock: time.clock, now: time.date
    ).updates(of: "s", after: nil)
    // The connection is being closed, and the consumer has not been notified yet.
    await feed.closing.arrivals(1)
    var iterator = updates.makeAsyncIterator()
    #expect(try await iterator.next() == .event(.control(.queued())))
    feed.closing.open()
    var rest: [FeedUpdate] = []
    await #expect(throws: AppError.network(.connectionLost)) {
      while let update = try await iterator.next() { rest.append(update) }
    }
    #expect(Set(rest) == [.event(.control(.queued()))])
    #expect(feed.connectionCount == 1)
  }
}

/// A feed whose first connection sends without end, and closes only when the test opens a gate.
private final class FastFeed: WebSocketTransport {
  let closing = Gate()
  private let count = Locked(0)

  var connectionCount: Int { count.withLock { $0 } }

  func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return Connection(feed: self, isFirst: number == 1)
  }

  private struct Connection: WebSocketConnection {
    let feed: FastFeed
    let isFirst: Bool

    var subprotocol: String? { nil }
    var closure: WebSocketClosure? { nil }

    func send(_ message: WebSocketMessage) async throws(TransportError) {}

    func receive() async throws(TransportError) -> WebSocketMessage? {
      isFirst ? .text(#"{"type":"queued"}"#) : nil
    }

    func ping() async throws(TransportError) {}

    func close(_ closure: WebSocketClosure) async {
      await feed.closing.pass()
    }
  }
}
