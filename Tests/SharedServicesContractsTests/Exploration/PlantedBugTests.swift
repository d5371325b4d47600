import SharedServices
import SharedServicesContracts
import Testing
import UnderstudyContracts

/// Services that are wrong in one thing: the default exploration finds each, and shrinks it to what shows the mistake.
struct PlantedBugTests {
  // MARK: - The three kinds

  /// A mark that is made of a read and a write loses what was written between them.
  @Test func aLostUpdate() async throws {
    let finding = try await Exploration.threadsRepository.explore(
      Implementation.inMemory.wrapping(as: "loses-updates") { LosingThreadsRepository(base: $0) }
    ).finding
    let program = try #require(finding?.program)
    // The mark, and what it loses; then one look at it.
    #expect(program.together.count == 2, "\(finding?.swift ?? "")")
    #expect(program.together.allSatisfy { $0.count == 1 })
    #expect(program.together.contains { if case .mark = $0[0] { true } else { false } })
    #expect(program.before.count == 1 && program.after.count == 1)
  }

  @Test func aStaleRead() async throws {
    let finding = try await Exploration.threadsRepository.explore(.wrong(.readsFromACache)).finding
    #expect(
      finding?.program
        == ExplorationProgram(before: [
          .replace(inForum: 1, [.init(1, inForum: 1)]), .list(2, offset: 0, limit: nil),
          .list(1, offset: 0, limit: nil),
        ]))
  }

  @Test func aDoubleDelivery() async throws {
    let finding = try await Exploration.conversationService.explore(.wrong(.repeatsMessages)).finding
    #expect(
      finding?.program == ExplorationProgram(before: [.start, .say("Hello", in: 0), .history(0)]))
  }

  // MARK: - What else an exploration finds without a clause about it

  private static let wrongChildrenServices: [(WrongChildrenService.Mistake, [ChildrenCommand])] = [
    (.losesGoals, [.create("Kim", age: 6)]),
    (.clampsAge, [.create("Kim", age: 5)]),
    (.oldestFirst, [.create("Robin", age: 6), .create("Kim", age: 6), .fetch]),
    (.returnsWhatItWasGiven, [.create("Kim", age: 6), .rename(0, to: "Kim"), .fetch]),
    (.refusesToDeleteTwice, [.deleteNobody]),
  ]

  @Test(arguments: wrongChildrenServices)
  func aWrongChildrenService(_ mistake: WrongChildrenService.Mistake, _ program: [ChildrenCommand])
    async throws
  {
    let finding = try await Exploration.childrenService.explore(.wrong(mistake)).finding
    #expect(finding?.program.before == program)
  }

  private static let wrongAuthServices: [(WrongAuthService.Mistake, [AuthCommand])] = [
    (.tellsWhichAddressesExist, [.signIn(.stranger)]),
    (.signsOutBeforeSigningIn, [.signIn(.first), .signIn(.banned), .refresh]),
    (.failsToSignOutTwice, [.signOut]),
    (.invitesAGuest, [.currentUser]),
  ]

  @Test(arguments: wrongAuthServices)
  func aWrongAuthService(_ mistake: WrongAuthService.Mistake, _ program: [AuthCommand]) async throws {
    let finding = try await Exploration.authService.explore(.wrong(mistake)).finding
    #expect(finding?.program.before == program)
  }

  private static let wrongThreadsRepositories: [(WrongThreadsRepository.Mistake, [ThreadsCommand])] = [
    (
      .leastIDFirst,
      [.save([.init(1, inForum: 1)]), .save([.init(2, inForum: 1)]), .list(1, offset: 0, limit: nil)]
    ),
    (.leavesOneOut, [.replace(inForum: 1, [.init(1, inForum: 1)]), .list(1, offset: 0, limit: 1)]),
    (.insertsWhatItMarks, [.mark(1, isRead: false), .thread(1)]),
    (
      .replacesEveryForum,
      [
        .replace(inForum: 1, [.init(1, inForum: 1)]), .replace(inForum: 2, []),
        .list(1, offset: 0, limit: nil),
      ]
    ),
    (
      .trustsTheForumOfThreads,
      [.replace(inForum: 1, [.init(1, inForum: 2)]), .list(1, offset: 0, limit: nil)]
    ),
  ]

  @Test(arguments: wrongThreadsRepositories)
  func aWrongThreadsRepository(
    _ mistake: WrongThreadsRepository.Mistake, _ program: [ThreadsCommand]
  ) async throws {
    let finding = try await Exploration.threadsRepository.explore(.wrong(mistake)).finding
    #expect(finding?.program.before == program)
  }

  private static let wrongForumsClients: [(WrongForumsClient.Mistake, [ForumCommand])] = [
    (.closesSticky, [.firstForum]), (.emptyBeyondTheEnd, [.page(4)]), (.keepsHiddenForums, [.bookmarks]),
    (.marksOneMore, [.markSeen(1, upTo: 1), .firstForum]),
  ]

  @Test(arguments: wrongForumsClients)
  func aWrongForumsClient(_ mistake: WrongForumsClient.Mistake, _ program: [ForumCommand]) async throws {
    let finding = try await Exploration.forumsClient.explore(.wrong(mistake)).finding
    #expect(finding?.program.before == program)
  }

  private static let wrongHistories: [(WrongMessageHistoryService.Mistake, [HistoryCommand])] = [
    (.saysThatThereIsAlwaysMore, [.first(limit: 1)]), (.clampsTheLimit, [.first(limit: 0)]),
    (.beginsAnewForAnUnknownCursor, [.pageAfterNothing]),
  ]

  @Test(arguments: wrongHistories)
  func aWrongHistory(_ mistake: WrongMessageHistoryService.Mistake, _ program: [HistoryCommand]) async throws
  {
    let finding = try await Exploration.messageHistory.explore(.wrong(mistake)).finding
    #expect(finding?.program.before == program)
  }
}

extension Implementation where Subject == any ChildrenService {
  fileprivate static func wrong(_ mistake: WrongChildrenService.Mistake) -> Self {
    inMemory.wrapping(as: mistake.rawValue) { WrongChildrenService(base: $0, mistake: mistake) }
  }
}

extension Implementation where Subject == any AuthService {
  fileprivate static func wrong(_ mistake: WrongAuthService.Mistake) -> Self {
    inMemory.wrapping(as: mistake.rawValue) { WrongAuthService(base: $0, mistake: mistake) }
  }
}

extension Implementation where Subject == any ConversationService {
  fileprivate static func wrong(_ mistake: WrongConversationService.Mistake) -> Self {
    inMemory.wrapping(as: mistake.rawValue) { WrongConversationService(base: $0, mistake: mistake) }
  }
}

extension Implementation where Subject == any ThreadsRepository {
  fileprivate static func wrong(_ mistake: WrongThreadsRepository.Mistake) -> Self {
    inMemory.wrapping(as: mistake.rawValue) { WrongThreadsRepository(base: $0, mistake: mistake) }
  }
}

extension Implementation where Subject == any ForumsClient {
  fileprivate static func wrong(_ mistake: WrongForumsClient.Mistake) -> Self {
    inMemory.wrapping(as: mistake.rawValue) { WrongForumsClient(base: $0, mistake: mistake) }
  }
}

extension Implementation where Subject == any MessageHistoryService {
  fileprivate static func wrong(_ mistake: WrongMessageHistoryService.Mistake) -> Self {
    inMemory.wrapping(as: mistake.rawValue) { WrongMessageHistoryService(base: $0, mistake: mistake) }
  }
}

/// A repository that marks a thread by reading it and writing it back.
private struct LosingThreadsRepository: ThreadsRepository {
  let base: any ThreadsRepository

  func save(_ threads: [ForumThread]) async throws(DataError) { try await base.save(threads) }

  func replaceThreads(inForum forumID: Int, with threads: [ForumThread]) async throws(DataError) {
    try await base.replaceThreads(inForum: forumID, with: threads)
  }

  func threads(inForum forumID: Int, offset: Int, limit: Int?) async throws(DataError) -> [ForumThread] {
    try await base.threads(inForum: forumID, offset: offset, limit: limit)
  }

  func thread(id: Int) async throws(DataError) -> ForumThread? { try await base.thread(id: id) }

  func markRead(threadID: Int, _ isRead: Bool) async throws(DataError) {
    guard var thread = try await base.thread(id: threadID) else { return }
    await Task.yield()
    thread.reading = isRead ? .seen(unreadCount: 0) : .never
    try await base.save([thread])
  }

  func delete(threadIDs: [Int]) async throws(DataError) { try await base.delete(threadIDs: threadIDs) }

  func changes(
    inForum forumID: Int
  ) async throws(DataError) -> AsyncThrowingStream<ThreadListChange, any Error> {
    try await base.changes(inForum: forumID)
  }
}
