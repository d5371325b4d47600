package import SharedServices
public import SharedServicesContracts
public import Understudy
import UnderstudyHTTP
public import UnderstudyRecording

// Recordable forms of the conditions' fixtures; a fixture that is `Codable` is stored unchanged.

extension Refreshes: RecordableFixture {
  /// The value that a recording stores.
  public func recorded() -> Bool { true }

  /// Creates a count of token exchanges, starting from now.
  public static func replayed(_ recorded: Bool, in trial: TrialEnvironment) -> Refreshes {
    guard let log = trial.replayedRequests else {
      preconditionFailure("Only a trial that is being replayed has replayed fixtures.")
    }
    let before = log.count(of: .post("/auth/v1/token"))
    return Refreshes { log.count(of: .post("/auth/v1/token")) - before }
  }
}

extension Passage: RecordableFixture {
  /// The value that a recording stores.
  public func recorded() -> Bool { true }

  /// Recreates the fixture.
  public static func replayed(_ recorded: Bool, in trial: TrialEnvironment) -> Passage {
    Passage { [clock = trial.clock] in clock.advance(by: $0) }
  }
}

extension CallCount: RecordableFixture {
  package func recorded() -> Bool { true }

  /// Creates a count of requests, starting from now.
  package static func replayed(_ recorded: Bool, in trial: TrialEnvironment) -> CallCount {
    CallCount(count: trial.countOfReplayedRequests())
  }
}

extension ServerClock: RecordableFixture {
  package func recorded() -> Bool { true }

  /// Recreates the fixture.
  package static func replayed(_ recorded: Bool, in trial: TrialEnvironment) -> ServerClock {
    ServerClock { [clock = trial.clock] in clock.now }
  }
}

extension BrokenSubscription: RecordableFixture {
  /// The value that a recording stores.
  public func recorded() -> Int { changes }

  /// Recreates the fixture.
  public static func replayed(_ changes: Int, in trial: TrialEnvironment) -> BrokenSubscription {
    BrokenSubscription(afterChanges: changes)
  }
}

extension BrokenStream: RecordableFixture {
  /// The value that a recording stores.
  public func recorded() -> Int { chunks }

  /// Recreates the fixture.
  public static func replayed(_ chunks: Int, in trial: TrialEnvironment) -> BrokenStream {
    BrokenStream(afterChunks: chunks)
  }
}

extension ForeignChild: RecordableFixture {
  /// The value that a recording stores.
  public func recorded() async throws -> ArchivedForeignChild {
    ArchivedForeignChild(before: child, after: try await current())
  }

  /// Recreates the fixture.
  public static func replayed(_ archived: ArchivedForeignChild, in trial: TrialEnvironment) -> ForeignChild {
    ForeignChild(child: archived.before, current: { archived.after })
  }
}

extension ForeignConversation: RecordableFixture {
  /// The value that a recording stores.
  public func recorded() async throws -> ArchivedForeignConversation {
    ArchivedForeignConversation(conversation: conversation, history: try await history())
  }

  /// Recreates the fixture.
  public static func replayed(
    _ archived: ArchivedForeignConversation, in trial: TrialEnvironment
  ) -> ForeignConversation {
    ForeignConversation(conversation: archived.conversation) { archived.history }
  }
}

extension RequestCount: RecordableFixture {
  /// The value that a recording stores.
  package func recorded() -> Bool { true }

  /// Creates a count of the replayed requests, starting from now.
  package static func replayed(_ recorded: Bool, in trial: TrialEnvironment) -> RequestCount {
    RequestCount(trial.countOfReplayedRequests())
  }
}

extension TrialEnvironment {
  /// A count of the requests that are replayed from now on.
  fileprivate func countOfReplayedRequests() -> @Sendable () -> Int {
    guard let log = replayedRequests else {
      preconditionFailure("Only a trial that is being replayed has replayed fixtures.")
    }
    let before = log.count(of: .any)
    return { log.count(of: .any) - before }
  }
}

extension ForumReaders: RecordableFixture {
  /// The value that a recording stores.
  package func recorded() -> [[ThreadListPage]] { lists.map { [$0.forum, $0.bookmarks] } }

  /// Recreates the fixture; the recorded answers are those of the readers in turn.
  package static func replayed(_ recorded: [[ThreadListPage]], in trial: TrialEnvironment) -> ForumReaders {
    ForumReaders(lists: recorded.map { Lists(forum: $0[0], bookmarks: $0[1]) }) { _ in }
  }
}

extension StoredConversations: RecordableFixture {
  /// The value that a recording stores.
  package func recorded() async throws -> [ArchivedForeignConversation] {
    try await all().map { ArchivedForeignConversation(conversation: $0.conversation, history: $0.messages) }
  }

  /// Recreates the fixture.
  package static func replayed(
    _ archived: [ArchivedForeignConversation], in trial: TrialEnvironment
  ) -> StoredConversations {
    StoredConversations { archived.map { Entry(conversation: $0.conversation, messages: $0.history) } }
  }
}

/// The recordable form of another user's child, before and after a clause.
public struct ArchivedForeignChild: Codable, Sendable {
  let before: Child
  let after: Child?
}

/// The recordable form of another user's conversation, with its messages after a clause.
public struct ArchivedForeignConversation: Codable, Sendable {
  let conversation: Conversation
  let history: [Message]
}
