import SharedServices
import SharedServicesContracts
@testable import SharedServicesVerification
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

/// Services that are wrong in one thing: the default exploration finds each, and shrinks it to what shows the mistake.
@Suite(.stallLimit()) struct PlantedBugTests {
  // MARK: - The three kinds

  /// A mark that is made of a read and a write loses what was written between them.
  @Test(Effort.needsAll) func aLostUpdate() async throws {
    let mutant = Implementation.inMemory.wrapping(as: "loses-updates") { LosingThreadsRepository(base: $0) }
    let failure = try await Exploration.threadsRepository.explore(mutant).failure
    #expect(failure?.program.before == [.replace(inForum: 2, [.init(1, inForum: 1)])])
    #expect(failure?.program.together == [[.save([.init(1, inForum: 1)])], [.mark(1, upTo: 1)]])
    #expect(failure?.program.after == [.list(1, offset: 0, limit: nil)])
  }

  @Test func aStaleRead() async throws {
    let failure = try await Exploration.threadsRepository.explore(
      .mutant(WrongThreadsRepository.Mistake.readsFromACache.rawValue, among: Mutant.all)
    ).failure
    #expect(
      failure?.program
        == ExplorationProgram(before: [
          .list(1, offset: 0, limit: nil), .save([.init(1, inForum: 1)]), .list(1, offset: 0, limit: nil),
        ]))
  }

  @Test func aDoubleDelivery() async throws {
    let failure = try await Exploration.conversationService.explore(
      .mutant(WrongConversationService.Mistake.repeatsMessages.rawValue, among: Mutant.all)
    ).failure
    #expect(
      failure?.program == ExplorationProgram(before: [.start, .say("Hello", in: 0), .history(0)]))
  }

  // MARK: - What else an exploration finds without a clause about it; some of them in a default run

  @Test(
    arguments: Effort.some(
      of: [
        (.losesGoals, 1), (.clampsAge, 1), (.overwritesOthers, 4), (.returnsWhatItWasGiven, 3),
        (.refusesToDeleteTwice, 1), (.renamesDuplicates, 2), (.keepsListsOfAllUsers, 5),
      ] as [(WrongChildrenService.Mistake, Int)], every: 7))
  func wrongChildren(_ mistake: WrongChildrenService.Mistake, _ count: Int) async throws {
    try await Exploration.childrenService.expectMinimum(
      of: count, on: .mutant(mistake.rawValue, among: Mutant.all))
  }

  @Test(
    arguments: Effort.some(
      of: [
        (.tellsWhichAddressesExist, 1), (.signsOutBeforeSigningIn, 3), (.failsToSignOutTwice, 1),
        (.invitesAGuest, 1), (.signsOutEverywhere, 3), (.signsOutHereAlone, 3),
      ] as [(WrongAuthService.Mistake, Int)], every: 3))
  func wrongAuthentication(_ mistake: WrongAuthService.Mistake, _ count: Int) async throws {
    try await Exploration.authService.expectMinimum(
      of: count, on: .mutant(mistake.rawValue, among: Mutant.all))
  }

  @Test(
    arguments: Effort.some(
      of: [
        (.repeatsMessages, 3), (.goesOnAfterDone, 3), (.failsInTheStream, 1), (.remembersHistories, 5),
      ] as [(WrongConversationService.Mistake, Int)], every: 3))
  func wrongConversations(_ mistake: WrongConversationService.Mistake, _ count: Int) async throws {
    try await Exploration.conversationService.expectMinimum(
      of: count, on: .mutant(mistake.rawValue, among: Mutant.all))
  }

  @Test(
    arguments: Effort.some(
      of: [
        (.forgetsForums, 3), (.mixesStickyThreads, 2), (.leastIDFirst, 2), (.marksEveryThread, 3),
        (.insertsWhatItMarks, 2), (.replacesEveryForum, 3), (.keepsWhatIsReplaced, 2),
        (.trustsTheForumOfThreads, 2), (.readsFromACache, 3), (.showsHalfReplacedLists, 3),
      ] as [(WrongThreadsRepository.Mistake, Int)], every: 3))
  func wrongThreads(_ mistake: WrongThreadsRepository.Mistake, _ count: Int) async throws {
    try await Exploration.threadsRepository.expectMinimum(
      of: count, on: .mutant(mistake.rawValue, among: Mutant.all))
  }

  @Test(
    arguments: Effort.some(
      of: [
        (.remembersIDs, 2), (.unwrapsOnce, 1), (.trimsContent, 1), (.takesDeltasForWholes, 1),
        (.takesResultsForNotes, 1), (.truncatesToMilliseconds, 1),
      ] as [(WrongMessageNormalizer.Mistake, Int)], every: 3))
  func wrongNormalizers(_ mistake: WrongMessageNormalizer.Mistake, _ count: Int) async throws {
    try await Exploration.messageNormalizer.expectMinimum(
      of: count, on: .mutant(mistake.rawValue, among: Mutant.all))
  }
}

extension Exploration {
  /// Expects that the default exploration finds a sequence of so many commands of which none can be left out.
  fileprivate func expectMinimum(
    of count: Int, on mutant: Implementation<Subject>, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let failure = try #require(try await explore(mutant).failure, sourceLocation: sourceLocation)
    #expect(failure.program.count == count, "\(failure)", sourceLocation: sourceLocation)
    #expect(failure.program.together == [], sourceLocation: sourceLocation)
    for place in failure.program.before.indices {
      var rest = failure.program
      rest.before.remove(at: place)
      #expect(
        try await self.failure(in: rest, on: mutant) == nil, "\(failure)", sourceLocation: sourceLocation)
    }
  }
}

extension Implementation {
  /// The mutant of a name.
  fileprivate static func mutant(_ name: String, among mutants: [Mutant<Subject>]) -> Self {
    mutants.first { $0.name == name }?.implementation
      ?? Implementation(name) { _ in throw NoSuchMutant(name: name) }
  }
}

private struct NoSuchMutant: Error {
  let name: String
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

  func markRead(threadID: Int, upTo index: Int?) async throws(DataError) {
    guard var thread = try await base.thread(id: threadID) else { return }
    // The scheduling point between reading and writing, at which another task can come in between.
    await Task.yield()
    thread.reading =
      index.map { .seen(unreadCount: max(0, thread.replyCount + 1 - max(1, $0))) } ?? .never
    try await base.save([thread])
  }

  func setBookmark(_ bookmark: ForumThread.Bookmark?, threadID: Int) async throws(DataError) {
    try await base.setBookmark(bookmark, threadID: threadID)
  }

  func delete(threadIDs: [Int]) async throws(DataError) { try await base.delete(threadIDs: threadIDs) }

  func changes(
    inForum forumID: Int
  ) async throws(DataError) -> AsyncThrowingStream<ThreadListChange, any Error> {
    try await base.changes(inForum: forumID)
  }
}
