import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

/// Wrong clients of the forums and wrong repositories.
@Suite(.stallLimit(), Effort.needsAll) struct ForumExamTests {
  @Test(arguments: clients) func aWrongForumsClientFails(_ service: WrongService<any ForumsClient>) async {
    await service.expectFailure(of: .forumsClient)
  }

  @Test(arguments: repositories)
  func aWrongThreadsRepositoryFails(_ service: WrongService<any ThreadsRepository>) async {
    await service.expectFailure(of: .threadsRepository)
  }

  private static let clients: [WrongService<any ForumsClient>] = [
    WrongService(
      "requested-number", "A page of bookmarks beyond the last one has the requested number.",
      around: .inMemory
    ) { RequestedNumber(base: $0) },
    WrongService(
      "cached-bookmarks", "The bookmarks are cached, and a mark does not change them.", around: .inMemory
    ) { CachedBookmarks(base: $0) },
    WrongService(
      "forward-marks", "A mark before the last one is ignored.", around: .inMemory
    ) { ForwardMarks(base: $0) },
    WrongService(
      "silent-unseen", "A refusal to mark a thread as never seen is ignored.", around: .inMemory
    ) { SilentUnseen(base: $0) },
    WrongService(
      "cached-forum", "A page of a forum is cached until a post is marked as seen, not as unseen.",
      around: .inMemory
    ) { CachedForum(base: $0) },
    WrongService(
      "first-bookmarks", "Every page of the bookmarks is the first one.", around: .inMemory
    ) { FirstBookmarks(base: $0) },
    WrongService(
      "repeated-announcements", "The announcements of the first page are on every page.", around: .inMemory
    ) { RepeatedAnnouncements(base: $0) },
    WrongService(
      "last-post-only", "A mark beyond the first page of posts marks all posts.", around: .inMemory
    ) { LastPostOnly(base: $0) },
  ]

  private static let repositories: [WrongService<any ThreadsRepository>] = [
    WrongService(
      "kept-reading", "A thread that was never read does not replace a stored reading state.",
      around: .inMemory
    ) { KeptReading(base: $0) },
    WrongService(
      "empty-replacement", "Replacing the threads of a forum with none changes nothing.", around: .inMemory
    ) { EmptyReplacement(base: $0) },
    WrongService(
      "one-by-one", "Threads are stored one by one, until one is refused.", around: .sqlite
    ) { OneByOne(base: $0) },
    WrongService(
      "no-empty-list", "An observer of an empty forum does not receive the empty list.", around: .inMemory
    ) { NoEmptyList(base: $0) },
    WrongService(
      "limit-zero", "A limit of zero returns all threads, as in Core Data.", around: .inMemory
    ) { LimitZero(base: $0) },
    WrongService(
      "first-twin", "Of two threads with the same id, the first one replaces.", around: .inMemory
    ) { FirstTwin(base: $0) },
    WrongService(
      "own-forum-only", "A replacement leaves out the threads that name another forum.", around: .sqlite
    ) { OwnForumOnly(base: $0) },
    WrongService(
      "known-deletions", "A deletion ends at the first unknown thread.", around: .inMemory
    ) { KnownDeletions(base: $0) },
    WrongService(
      "forward-reading", "A mark before the stored one is ignored.", around: .inMemory
    ) { ForwardReading(base: $0) },
    WrongService(
      "whole-second-posts", "Dates are stored in whole seconds.", around: .inMemory
    ) { WholeSecondPosts(base: $0) },
    WrongService(
      "reading-lost", "A replacement marks all threads as never read.", around: .inMemory
    ) { ReadingLost(base: $0) },
  ]
}

// MARK: - Clients

private protocol ForumsWrapper: ForumsClient {
  var base: any ForumsClient { get }
}

extension ForumsWrapper {
  func threads(inForum forumID: Int, page: Int) async throws(DataError) -> ThreadListPage {
    try await base.threads(inForum: forumID, page: page)
  }
  func bookmarks(page: Int) async throws(DataError) -> ThreadListPage { try await base.bookmarks(page: page) }
  func markSeen(threadID: Int, upTo index: Int) async throws(DataError) {
    try await base.markSeen(threadID: threadID, upTo: index)
  }
  func markUnseen(threadID: Int) async throws(DataError) { try await base.markUnseen(threadID: threadID) }
  func setBookmark(_ bookmark: ForumThread.Bookmark?, threadID: Int) async throws(DataError) {
    try await base.setBookmark(bookmark, threadID: threadID)
  }
}

private struct RequestedNumber: ForumsWrapper {
  let base: any ForumsClient

  func bookmarks(page number: Int) async throws(DataError) -> ThreadListPage {
    var page = try await base.bookmarks(page: number)
    page.number = number
    return page
  }
}

private struct CachedBookmarks: ForumsWrapper {
  let base: any ForumsClient
  private let pages = Locked<[Int: ThreadListPage]>([:])

  init(base: any ForumsClient) { self.base = base }

  func bookmarks(page number: Int) async throws(DataError) -> ThreadListPage {
    if let page = pages.withLock({ $0[number] }) { return page }
    let page = try await base.bookmarks(page: number)
    pages.withLock { $0[number] = page }
    return page
  }
}

private struct ForwardMarks: ForumsWrapper {
  let base: any ForumsClient
  private let marks = Locked<[Int: Int]>([:])

  init(base: any ForumsClient) { self.base = base }

  func markSeen(threadID: Int, upTo index: Int) async throws(DataError) {
    if let last = marks.withLock({ $0[threadID] }), index <= last { return }
    try await base.markSeen(threadID: threadID, upTo: index)
    marks.withLock { $0[threadID] = index }
  }

  func markUnseen(threadID: Int) async throws(DataError) {
    try await base.markUnseen(threadID: threadID)
    marks.withLock { $0[threadID] = nil }
  }
}

private struct SilentUnseen: ForumsWrapper {
  let base: any ForumsClient

  func markUnseen(threadID: Int) async throws(DataError) {
    do throws(DataError) {
      try await base.markUnseen(threadID: threadID)
    } catch {
      guard case .refused = error else { throw error }
    }
  }
}

private struct CachedForum: ForumsWrapper {
  private struct Key: Hashable {
    let forumID: Int
    let number: Int
  }

  let base: any ForumsClient
  private let pages = Locked<[Key: ThreadListPage]>([:])

  init(base: any ForumsClient) { self.base = base }

  func threads(inForum forumID: Int, page number: Int) async throws(DataError) -> ThreadListPage {
    let key = Key(forumID: forumID, number: number)
    if let page = pages.withLock({ $0[key] }) { return page }
    let page = try await base.threads(inForum: forumID, page: number)
    pages.withLock { $0[key] = page }
    return page
  }

  func markSeen(threadID: Int, upTo index: Int) async throws(DataError) {
    try await base.markSeen(threadID: threadID, upTo: index)
    pages.withLock { $0 = [:] }
  }
}

private struct FirstBookmarks: ForumsWrapper {
  let base: any ForumsClient

  func bookmarks(page: Int) async throws(DataError) -> ThreadListPage { try await base.bookmarks(page: 1) }
}

private struct RepeatedAnnouncements: ForumsWrapper {
  let base: any ForumsClient

  func threads(inForum forumID: Int, page number: Int) async throws(DataError) -> ThreadListPage {
    var page = try await base.threads(inForum: forumID, page: number)
    if page.number > 1 {
      page.announcements = try await base.threads(inForum: forumID, page: 1).announcements
    }
    return page
  }
}

private struct LastPostOnly: ForumsWrapper {
  let base: any ForumsClient

  func markSeen(threadID: Int, upTo index: Int) async throws(DataError) {
    try await base.markSeen(threadID: threadID, upTo: index > 40 ? .max : index)
  }
}

// MARK: - Repositories

private protocol RepositoryWrapper: ThreadsRepository {
  var base: any ThreadsRepository { get }
}

extension RepositoryWrapper {
  func save(_ threads: [ForumThread]) async throws(DataError) { try await base.save(threads) }
  func replaceThreads(inForum forumID: Int, with threads: [ForumThread]) async throws(DataError) {
    try await base.replaceThreads(inForum: forumID, with: threads)
  }
  func threads(inForum forumID: Int, offset: Int, limit: Int?) async throws(DataError) -> [ForumThread] {
    try await base.threads(inForum: forumID, offset: offset, limit: limit)
  }
  func thread(id: Int) async throws(DataError) -> ForumThread? { try await base.thread(id: id) }
  func markRead(threadID: Int, upTo index: Int?) async throws(DataError) {
    try await base.markRead(threadID: threadID, upTo: index)
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

private struct KeptReading: RepositoryWrapper {
  let base: any ThreadsRepository

  func save(_ threads: [ForumThread]) async throws(DataError) {
    var threads = threads
    for place in threads.indices where threads[place].reading == .never {
      if let stored = try await base.thread(id: threads[place].id) { threads[place].reading = stored.reading }
    }
    try await base.save(threads)
  }
}

/// Takes an empty page for an error of the forum.
private struct EmptyReplacement: RepositoryWrapper {
  let base: any ThreadsRepository

  func replaceThreads(inForum forumID: Int, with threads: [ForumThread]) async throws(DataError) {
    try await threads.isEmpty ? base.save([]) : base.replaceThreads(inForum: forumID, with: threads)
  }
}

private struct OneByOne: RepositoryWrapper {
  let base: any ThreadsRepository

  func save(_ threads: [ForumThread]) async throws(DataError) {
    for thread in threads { try await base.save([thread]) }
  }
}

private struct NoEmptyList: RepositoryWrapper {
  let base: any ThreadsRepository

  func changes(
    inForum forumID: Int
  ) async throws(DataError) -> AsyncThrowingStream<ThreadListChange, any Error> {
    try await base.changes(inForum: forumID).compactMapped { change in
      change.rows.isEmpty && change.sections.allSatisfy(\.isEmpty) ? nil : change
    }
  }
}

private struct LimitZero: RepositoryWrapper {
  let base: any ThreadsRepository

  func threads(inForum forumID: Int, offset: Int, limit: Int?) async throws(DataError) -> [ForumThread] {
    try await base.threads(inForum: forumID, offset: offset, limit: limit == 0 ? nil : limit)
  }
}

private struct FirstTwin: RepositoryWrapper {
  let base: any ThreadsRepository

  func replaceThreads(inForum forumID: Int, with threads: [ForumThread]) async throws(DataError) {
    var ids: Set<Int> = []
    try await base.replaceThreads(inForum: forumID, with: threads.filter { ids.insert($0.id).inserted })
  }
}

private struct OwnForumOnly: RepositoryWrapper {
  let base: any ThreadsRepository

  func replaceThreads(inForum forumID: Int, with threads: [ForumThread]) async throws(DataError) {
    try await base.replaceThreads(
      inForum: forumID, with: threads.filter { $0.forumID == nil || $0.forumID == forumID })
  }
}

private struct KnownDeletions: RepositoryWrapper {
  let base: any ThreadsRepository

  func delete(threadIDs: [Int]) async throws(DataError) {
    var known: [Int] = []
    for id in threadIDs {
      guard try await base.thread(id: id) != nil else { break }
      known.append(id)
    }
    try await base.delete(threadIDs: known)
  }
}

private struct ForwardReading: RepositoryWrapper {
  let base: any ThreadsRepository

  func markRead(threadID: Int, upTo index: Int?) async throws(DataError) {
    if let index, let thread = try await base.thread(id: threadID), case .seen(let count) = thread.reading,
      thread.replyCount + 1 - count > index
    {
      return
    }
    try await base.markRead(threadID: threadID, upTo: index)
  }
}

private struct WholeSecondPosts: RepositoryWrapper {
  let base: any ThreadsRepository

  func save(_ threads: [ForumThread]) async throws(DataError) {
    try await base.save(
      threads.map { thread in
        var thread = thread
        let seconds = thread.lastPostDate.timeIntervalSinceReferenceDate.rounded(.down)
        thread.lastPostDate = Date(timeIntervalSinceReferenceDate: seconds)
        return thread
      })
  }
}

private struct ReadingLost: RepositoryWrapper {
  let base: any ThreadsRepository

  func replaceThreads(inForum forumID: Int, with threads: [ForumThread]) async throws(DataError) {
    try await base.replaceThreads(
      inForum: forumID,
      with: threads.map { thread in
        var thread = thread
        thread.reading = .never
        return thread
      })
  }
}
