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

extension Account: RecordableFixture {
  /// The value that a recording stores.
  public func recorded() -> ArchivedAccount { ArchivedAccount(self) }

  /// Recreates the fixture.
  public static func replayed(_ archived: ArchivedAccount, in trial: TrialEnvironment) -> Account {
    archived.account
  }
}

extension Child: RecordableFixture {
  /// The value that a recording stores.
  public func recorded() -> ArchivedChild { ArchivedChild(self) }

  /// Recreates the fixture.
  public static func replayed(_ archived: ArchivedChild, in trial: TrialEnvironment) -> Child {
    archived.child
  }
}

extension ForeignChild: RecordableFixture {
  /// The value that a recording stores.
  public func recorded() async throws -> ArchivedForeignChild {
    ArchivedForeignChild(before: ArchivedChild(child), after: try await current().map(ArchivedChild.init))
  }

  /// Recreates the fixture.
  public static func replayed(_ archived: ArchivedForeignChild, in trial: TrialEnvironment) -> ForeignChild {
    ForeignChild(child: archived.before.child, current: { archived.after?.child })
  }
}

extension ForeignConversation: RecordableFixture {
  /// The value that a recording stores.
  public func recorded() async throws -> ArchivedForeignConversation {
    ArchivedForeignConversation(conversation, history: try await history())
  }

  /// Recreates the fixture.
  public static func replayed(
    _ archived: ArchivedForeignConversation, in trial: TrialEnvironment
  ) -> ForeignConversation { archived.fixture }
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
    try await all().map { ArchivedForeignConversation($0.conversation, history: $0.messages) }
  }

  /// Recreates the fixture.
  package static func replayed(
    _ archived: [ArchivedForeignConversation], in trial: TrialEnvironment
  ) -> StoredConversations {
    StoredConversations {
      var entries: [Entry] = []
      for fixture in archived.map(\.fixture) {
        entries.append(
          Entry(conversation: fixture.conversation, messages: try await fixture.history()))
      }
      return entries
    }
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

/// The recordable form of a child.
public struct ArchivedChild: Codable, Sendable {
  private let id: UUID
  private let userID: UUID
  private let name: String
  private let age: Int
  private let birthday: CalendarDate
  private let goals: [String]
  private let topics: [String]
  private let temperament: Temperament
  private let talkativeness: Int
  private let sensitivity: Int
  private let accountability: Int
  private let createdAt: Date
  private let updatedAt: Date

  init(_ child: Child) {
    (id, userID, name, age, birthday) = (child.id, child.userID, child.name, child.age, child.birthday)
    (goals, topics, temperament) = (child.goals, child.topics, child.temperament)
    (talkativeness, sensitivity) = (child.talkativeness, child.sensitivity)
    (accountability, createdAt, updatedAt) = (child.accountability, child.createdAt, child.updatedAt)
  }

  var child: Child {
    Child(
      id: id, userID: userID, name: name, age: age, birthday: birthday, goals: goals, topics: topics,
      temperament: temperament, talkativeness: talkativeness, sensitivity: sensitivity,
      accountability: accountability, createdAt: createdAt, updatedAt: updatedAt)
  }
}

/// The recordable form of another user's child, before and after a clause.
public struct ArchivedForeignChild: Codable, Sendable {
  let before: ArchivedChild
  let after: ArchivedChild?
}

/// The recordable form of another user's conversation, with its messages after a clause.
public struct ArchivedForeignConversation: Codable, Sendable {
  private struct Said: Codable {
    let id: UUID
    let role: Message.Role
    let content: String
    let sources: [Citation]
    let createdAt: Date
  }

  private let id: UUID
  private let userID: UUID
  private let childID: UUID
  private let createdAt: Date
  private let said: [Said]

  init(_ conversation: Conversation, history: [Message]) {
    (id, userID) = (conversation.id, conversation.userID)
    (childID, createdAt) = (conversation.childID, conversation.createdAt)
    said = history.map {
      Said(id: $0.id, role: $0.role, content: $0.content, sources: $0.sources, createdAt: $0.createdAt)
    }
  }

  var fixture: ForeignConversation {
    let history = said.map {
      Message(
        id: $0.id, conversationID: id, role: $0.role, content: $0.content, sources: $0.sources,
        createdAt: $0.createdAt)
    }
    return ForeignConversation(
      conversation: Conversation(id: id, userID: userID, childID: childID, createdAt: createdAt)
    ) { history }
  }
}

/// The recordable form of an account; its password is synthetic, as its user is.
public struct ArchivedAccount: Codable, Sendable {
  private let email: String
  private let password: String
  private let userID: UUID

  init(_ account: Account) {
    (email, password, userID) = (account.email, account.password, account.userID)
  }

  var account: Account { Account(email: email, password: password, userID: userID) }
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
