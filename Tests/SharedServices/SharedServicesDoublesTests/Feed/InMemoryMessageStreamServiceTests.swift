import SharedServices
import SharedServicesDoubles
import Understudy
import Testing
import UnderstudyTesting

@Suite(.stallLimit()) struct InMemoryMessageStreamServiceTests {
  /// Earlier messages come as a page and later ones as events; a message during the call is in one of the two.
  @Test func aMessageDuringTheCallIsDeliveredOnce() async throws {
    let server = MessageFeedServer(seed: 1)
    server.open("s")
    server.say(.user("before"), in: "s")
    server.forgetStream(of: "s")
    let isOver = Locked(false)
    let (beginning, begun) = AsyncStream<Never>.makeStream()
    let speaker = Task.detached {
      for _ in 0..<2_000 where !isOver.withLock({ $0 }) {
        server.say(.user("meanwhile"), in: "s")
        begun.finish()
      }
    }
    // The speaker has begun, and goes on until `isOver`.
    for await _ in beginning {}
    var streams: [AsyncThrowingStream<FeedUpdate, any Error>] = []
    for _ in 0..<200 { streams.append(try await server.stream.updates(of: "s", after: nil)) }
    isOver.withLock { $0 = true }
    await speaker.value
    server.say(.user("after"), in: "s")
    let expected = server.messages(of: "s").map(\.id)
    var wrong = 0
    for stream in streams {
      var iterator = stream.makeAsyncIterator()
      guard case .missed(let messages)? = try await iterator.next(),
        case .connected? = try await iterator.next(),
        case .event(.message(let next))? = try await iterator.next()
      else {
        Issue.record("Expected a page, that it is connected, and an event.")
        continue
      }
      if !expected.starts(with: messages.map(\.id) + [next.id]) { wrong += 1 }
    }
    #expect(wrong == 0, "of \(streams.count) who came while \(expected.count) messages were said")
  }
}
