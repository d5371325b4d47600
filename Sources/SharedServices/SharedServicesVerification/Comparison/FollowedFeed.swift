import SharedServices
import SharedServicesBackends
import SharedServicesContracts
import SharedServicesDoubles
package import Understudy

/// A session with its history, its stream and its speaker, which a comparison needs together: without a new message, a
/// stream has nothing to deliver.
package struct FollowedFeed: Sendable {
  let history: any MessageHistoryService
  let stream: any MessageStreamService
  let speaker: FeedSpeaker
  /// The answers that are being written.
  private let answers = Locked<[String]>([])

  init(_ history: any MessageHistoryService, _ stream: any MessageStreamService, _ speaker: FeedSpeaker) {
    (self.history, self.stream, self.speaker) = (history, stream, speaker)
  }

  func begin() {
    let id = speaker.begin()
    answers.withLock { $0.append(id) }
  }

  func write(_ text: String) {
    if let id = answers.withLock(\.last) { speaker.write(text, id) }
  }

  func finish() {
    if let id = answers.withLock({ $0.popLast() }) { speaker.finish(id) }
  }
}

extension Implementation where Subject == FollowedFeed {
  /// The doubles.
  package static var inMemory: Self {
    Implementation("in-memory") { trial in
      let feed = FeedTrial<MessageFeedServer>(trial)
      feed.setUpConditions()
      return FollowedFeed(feed.server.history, feed.server.stream, feed.speaker)
    }
  }

  /// The live services over the emulator.
  package static var live: Self {
    Implementation("live-over-emulator") { trial in
      let feed = FeedTrial<MessageFeedEmulator>(trial)
      let connection = try await feed.connection(over: .emulator)
      feed.setUpConditions()
      return FollowedFeed(connection.history(), connection.stream(), feed.speaker)
    }
  }
}

extension Contract where Subject == FollowedFeed {
  /// The calls whose arguments a comparison varies.
  package static var followedFeed: Self {
    Contract("followed-feed") {
      Clause("followed-feed.calls", "A chat that opens shows what was said and what is said.") { trial in
        let (history, stream) = (trial.subject.history, trial.subject.stream)
        let id = trial.subject.speaker.sessionID
        for text in ["One", "Two", "Three"] { _ = trial.subject.speaker.say(.user(text)) }
        let first = try await history.page(of: id, after: nil, limit: 2)
        _ = try await history.page(of: id, after: first.messages.last?.id, limit: 50)
        _ = try await stream.updates(of: id, after: nil)
        let updates = try await stream.updates(of: id, after: first.messages.last?.id)
        trial.expect(try await updates.first { _ in true } != nil, "Expected an update.")
      }
    }
  }
}

extension ServiceOperations where Subject == FollowedFeed {
  /// The calls of both services, and what is said.
  package static var followedFeed: Self {
    Self(
      observing: { base, observer in
        func observed(_ base: some MessageHistoryService) -> any MessageHistoryService {
          Intercepted(base, by: .observer(observer))
        }
        func observed(_ base: some MessageStreamService) -> any MessageStreamService {
          Intercepted(base, by: .observer(observer))
        }
        return FollowedFeed(observed(base.history), observed(base.stream), base.speaker)
      },
      ServiceOperation("page(of:after:limit:)") { base, sessionID, cursor, limit in
        try await base.history.page(of: sessionID, after: cursor, limit: limit)
      },
      ServiceOperation(stream: "updates(of:after:)") { base, sessionID, messageID in
        try await base.stream.updates(of: sessionID, after: messageID)
      },
      ServiceOperation("sayHello()") { base in _ = base.speaker.say(.user("Hello")) },
      ServiceOperation("useTool()") { base in
        _ = base.speaker.say(.toolUse(id: "t1", name: "search", input: "{\"for\":\"e\u{301}\"}"))
      },
      ServiceOperation("ping()") { base in base.speaker.announce(.control(.ping)) },
      ServiceOperation("beginAnswer()") { base in base.begin() },
      ServiceOperation("writeCombining()") { base in base.write("e\u{301} ") },
      ServiceOperation("writeNothing()") { base in base.write("") },
      ServiceOperation("finishAnswer()") { base in base.finish() })
  }
}
