import Foundation
public import SharedServices
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
  package func recorded() -> [[ArchivedThreadListPage]] {
    lists.map { [ArchivedThreadListPage($0.forum), ArchivedThreadListPage($0.bookmarks)] }
  }

  /// Recreates the fixture; the recorded answers are those of the readers in turn.
  package static func replayed(
    _ archived: [[ArchivedThreadListPage]], in trial: TrialEnvironment
  ) -> ForumReaders {
    ForumReaders(lists: archived.map { Lists(forum: $0[0].page, bookmarks: $0[1].page) }) { _ in }
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

extension ThreadListPage: RecordableFixture {
  /// The value that a recording stores.
  public func recorded() -> ArchivedThreadListPage { ArchivedThreadListPage(self) }

  /// Recreates the fixture.
  public static func replayed(_ archived: ArchivedThreadListPage, in trial: TrialEnvironment)
    -> ThreadListPage
  {
    archived.page
  }
}

extension Array: RecordableFixture where Element == ThreadListPage {
  /// The value that a recording stores.
  public func recorded() -> [ArchivedThreadListPage] { map(ArchivedThreadListPage.init) }

  /// Recreates the fixture.
  public static func replayed(_ archived: [ArchivedThreadListPage], in trial: TrialEnvironment)
    -> [ThreadListPage]
  {
    archived.map(\.page)
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

/// The recordable form of a page of threads.
public struct ArchivedThreadListPage: Codable, Sendable {
  private struct Announcement: Codable {
    let title: String
    let author: String
  }

  private struct Row: Codable {
    let id: Int
    let forumID: Int?
    let title: String
    let isSticky: Bool
    let isClosed: Bool
    let icons: [String]
    let bookmark: ForumThread.Bookmark?
    let author: ForumUser
    let replyCount: Int
    let rating: ForumThread.Rating?
    /// `nil` for a thread that was never read.
    let unreadCount: Int?
    let lastPostDate: Date
    let lastPostAuthor: String
  }

  private let forumID: Int?
  private let number: Int
  private let pageCount: Int
  private let breadcrumbs: [String]
  private let acceptsNewThreads: Bool
  private let announcements: [Announcement]
  private let threads: [Row]

  init(_ page: ThreadListPage) {
    (forumID, number, pageCount) = (page.forumID, page.number, page.pageCount)
    (breadcrumbs, acceptsNewThreads) = (page.breadcrumbs, page.acceptsNewThreads)
    announcements = page.announcements.map { Announcement(title: $0.title, author: $0.author) }
    threads = page.threads.map { thread in
      let unreadCount: Int? = if case .seen(let count) = thread.reading { count } else { nil }
      return Row(
        id: thread.id, forumID: thread.forumID, title: thread.title, isSticky: thread.isSticky,
        isClosed: thread.isClosed, icons: thread.icons, bookmark: thread.bookmark, author: thread.author,
        replyCount: thread.replyCount, rating: thread.rating, unreadCount: unreadCount,
        lastPostDate: thread.lastPostDate, lastPostAuthor: thread.lastPostAuthor)
    }
  }

  var page: ThreadListPage {
    ThreadListPage(
      forumID: forumID, number: number, pageCount: pageCount, breadcrumbs: breadcrumbs,
      acceptsNewThreads: acceptsNewThreads,
      announcements: announcements.map { ForumAnnouncement(title: $0.title, author: $0.author) },
      threads: threads.map { row in
        ForumThread(
          id: row.id, forumID: row.forumID, title: row.title, isSticky: row.isSticky, isClosed: row.isClosed,
          icons: row.icons, bookmark: row.bookmark, author: row.author, replyCount: row.replyCount,
          rating: row.rating, reading: row.unreadCount.map { .seen(unreadCount: $0) } ?? .never,
          lastPostDate: row.lastPostDate, lastPostAuthor: row.lastPostAuthor)
      })
  }
}
