import SharedServices
import SharedServicesInMemory
import Testing

@Suite(.timeLimit(.minutes(1))) struct InMemoryMessageStreamServiceTests {
  /// The messages that there are and those that come are told by two ways; where they meet, none may be on both or neither.
  @Test func whatIsSaidWhileSomebodyComesIsToldOnce() async throws {
    let server = MessageFeedServer(seed: 1)
    server.open("s")
    server.say(.user("before"), in: "s")
    // So that what there is comes as a page, not as events.
    server.forgetStream(of: "s")
    let count = 1_000
    let speaker = Task.detached {
      for number in 1..<count { server.say(.user("\(number)"), in: "s") }
    }
    var streams: [AsyncThrowingStream<FeedUpdate, any Error>] = []
    while streams.count < 50, server.messages(of: "s").count < count {
      streams.append(try await server.stream.updates(of: "s", after: nil))
    }
    await speaker.value
    let expected = server.messages(of: "s").map(\.id)
    for stream in streams {
      var told: [String] = []
      for try await update in stream {
        switch update {
        case .missed(let messages): told += messages.map(\.id)
        case .event(.message(let message)): told.append(message.id)
        default: break
        }
        if told.count >= count { break }
      }
      #expect(told == expected)
      if told != expected { return }
    }
  }
}
