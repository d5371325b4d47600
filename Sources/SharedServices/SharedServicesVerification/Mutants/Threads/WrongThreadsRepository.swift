import Foundation
import SharedServices
import Understudy

/// A threads repository with one mistake.
final class WrongThreadsRepository: ThreadsRepository {
  /// The mistake that the service makes.
  enum Mistake: String, CaseIterable, Sendable {
    // Storing.
    case knowsFiveColours
    case neverMakesSticky
    case keepsTheFirstForum
    case forgetsForums
    case firstOfTwoCounts
    case keepsCountsIn32Bits
    case keepsDatesInMilliseconds
    case writesNoMoreThanVariables
    case storesUpToWhatIsRefused
    // Reading.
    case mixesStickyThreads
    case leastIDFirst
    case takesNegativeLimitsForNone
    case listsThreadsOfNoForum
    // Changing.
    case marksEveryThread
    case marksIn32Bits
    case marksUnreadAsSeen
    case losesBookmarksOfMarked
    case insertsWhatItMarks
    case keepsTheFirstBookmark
    case bookmarksEveryThread
    case insertsWhatItBookmarks
    case stopsAtWhatIsAbsent
    case remembersForumsOfDeleted
    case replacesEveryForum
    case keepsWhatIsReplaced
    case trustsTheForumOfThreads
    // Delivering changes.
    case tellsInsertionsFirst
    case reloadsEverything
    case forgetsThreadsThatLeave
    case endsQuietly
    case tellsPlacesAfterDeletions
    case forgetsMoves
    case tellsWhatDidNotChange
    case tellsWhatIsRefused
    case queuesEveryChange
    case endsAllWhenOneIsBehind
    case hasOneObserver
    case endsAllWithOne
    case keepsObserversOfLeavers
    // Concurrency and errors.
    case ignoresCancellation
    case savesInHalves
    case losesSavesOfOthers
    case showsHalfReplacedLists
    case readsFromACache
  }

  typealias Changes = AsyncThrowingStream<ThreadListChange, any Error>

  let base: any ThreadsRepository
  let mistake: Mistake
  /// The list that is returned in place of the base's.
  private let list = Locked<[ForumThread]?>(nil)
  /// The forum of each thread that was saved.
  private let forums = Locked<[Int: Int?]>([:])
  let told: WrongThreadsObservers

  init(base: any ThreadsRepository, mistake: Mistake) {
    self.base = base
    self.mistake = mistake
    told = WrongThreadsObservers(base: base, mistake: mistake)
  }

  func save(_ threads: [ForumThread]) async throws(DataError) {
    var threads = threads
    switch mistake {
    case .forgetsForums:
      try await base.delete(threadIDs: threads.filter { $0.forumID == nil }.map(\.id))
    case .storesUpToWhatIsRefused:
      for thread in threads { try await base.save([thread]) }
    case .neverMakesSticky, .keepsTheFirstForum:
      for place in threads.indices {
        guard let stored = try await base.thread(id: threads[place].id) else { continue }
        if mistake == .neverMakesSticky { threads[place].isSticky = stored.isSticky }
        if mistake == .keepsTheFirstForum { threads[place].forumID = stored.forumID }
      }
    case .remembersForumsOfDeleted:
      for place in threads.indices where threads[place].forumID == nil {
        let id = threads[place].id
        threads[place].forumID = forums.withLock { $0[id] } ?? nil
      }
    case .savesInHalves where threads.count > 100:
      try await base.save(Array(threads.prefix(threads.count / 2)))
      // Only the clause about a cancelled save stores this many threads.
      let (cancellation, continuation) = AsyncStream<Never>.makeStream()
      for await _ in cancellation {}
      withExtendedLifetime(continuation) {}
    case .losesSavesOfOthers:
      let others = try await overlapping { [base] () async throws(DataError) in
        try await base.threads(inForum: 1, offset: 0, limit: nil)
      }
      return try await base.replaceThreads(inForum: 1, with: others + threads)
    default: break
    }
    threads = altered(threads)
    let saved = threads
    forums.withLock { for thread in saved { $0[thread.id] = thread.forumID } }
    do throws(DataError) {
      try await write { base throws(DataError) in try await base.save(saved) }
    } catch {
      if case .storeError = error { told.refused(saved) }
      throw error
    }
  }

  func replaceThreads(inForum forumID: Int, with threads: [ForumThread]) async throws(DataError) {
    switch mistake {
    case .replacesEveryForum:
      try await base.delete(threadIDs: Array(-100...100))
    case .keepsWhatIsReplaced:
      return try await base.save(threads)
    case .trustsTheForumOfThreads:
      try await base.replaceThreads(inForum: forumID, with: [])
      return try await base.save(threads)
    case .showsHalfReplacedLists:
      list.withLock { $0 = Array(threads.prefix(threads.count / 2)) }
    default: break
    }
    let altered = altered(threads)
    try await write { base throws(DataError) in
      try await base.replaceThreads(inForum: forumID, with: altered)
    }
  }

  func threads(inForum forumID: Int, offset: Int, limit: Int?) async throws(DataError) -> [ForumThread] {
    if mistake == .showsHalfReplacedLists, let half = list.withLock({ $0.take() }) { return half }
    if mistake == .readsFromACache, let cached = list.withLock({ $0 }) { return cached }
    var limit = limit
    if mistake == .takesNegativeLimitsForNone, let number = limit, number < 0 { limit = nil }
    var threads = try await base.threads(inForum: forumID, offset: offset, limit: limit)
    switch mistake {
    case .mixesStickyThreads: threads.sort { $0.lastPostDate > $1.lastPostDate }
    case .leastIDFirst: threads.sort { $0.id < $1.id }
    case .listsThreadsOfNoForum:
      for id in forums.withLock({ $0.filter { $0.value == nil }.keys.sorted() }) {
        if let thread = try await base.thread(id: id), thread.forumID == nil { threads.append(thread) }
      }
    case .readsFromACache:
      let read = threads
      list.withLock { $0 = read }
    default: break
    }
    return threads
  }

  func thread(id: Int) async throws(DataError) -> ForumThread? { try await base.thread(id: id) }

  func markRead(threadID: Int, upTo index: Int?) async throws(DataError) {
    var index = index
    switch mistake {
    case .marksEveryThread:
      for id in 1...20 { try await base.markRead(threadID: id, upTo: index) }
    case .marksIn32Bits: index = index.map { Int(Int32(clamping: $0)) }
    case .marksUnreadAsSeen: index = index ?? 1
    case .losesBookmarksOfMarked:
      if var thread = try await base.thread(id: threadID) {
        thread.bookmark = nil
        try await base.save([thread])
      }
    case .insertsWhatItMarks:
      guard try await base.thread(id: threadID) == nil else { break }
      try await base.save([.blank(threadID)])
    default: break
    }
    let settled = index
    try await write { base throws(DataError) in try await base.markRead(threadID: threadID, upTo: settled) }
  }

  func setBookmark(_ bookmark: ForumThread.Bookmark?, threadID: Int) async throws(DataError) {
    switch mistake {
    case .keepsTheFirstBookmark:
      if try await base.thread(id: threadID)?.bookmark != nil { return }
    case .bookmarksEveryThread:
      for id in 1...20 { try await base.setBookmark(bookmark, threadID: id) }
    case .insertsWhatItBookmarks:
      guard try await base.thread(id: threadID) == nil else { break }
      try await base.save([.blank(threadID)])
    default: break
    }
    try await write { base throws(DataError) in
      try await base.setBookmark(bookmark, threadID: threadID)
    }
  }

  func delete(threadIDs: [Int]) async throws(DataError) {
    var ids = threadIDs
    if mistake == .stopsAtWhatIsAbsent {
      for (place, id) in ids.enumerated() where try await base.thread(id: id) == nil {
        ids = Array(ids[..<place])
        break
      }
    }
    let settled = ids
    try await write { base throws(DataError) in try await base.delete(threadIDs: settled) }
  }

  func changes(inForum forumID: Int) async throws(DataError) -> Changes {
    try await told.changes(inForum: forumID)
  }

  private func altered(_ threads: [ForumThread]) -> [ForumThread] {
    var threads = threads
    // The number of parameters that a statement of SQLite has at most (sqlite.org/limits.html §9).
    if mistake == .writesNoMoreThanVariables { threads = Array(threads.prefix(32_766)) }
    if mistake == .firstOfTwoCounts {
      var ids: Set<Int> = []
      threads = threads.filter { ids.insert($0.id).inserted }
    }
    return threads.map { thread in
      var thread = thread
      switch mistake {
      case .knowsFiveColours: if thread.bookmark == .purple { thread.bookmark = nil }
      case .keepsDatesInMilliseconds:
        let milliseconds = thread.lastPostDate.timeIntervalSinceReferenceDate * 1_000
        thread.lastPostDate = Date(timeIntervalSinceReferenceDate: milliseconds.rounded() / 1_000)
      case .keepsCountsIn32Bits: thread.replyCount = Int(Int32(clamping: thread.replyCount))
      default: break
      }
      return thread
    }
  }

  private func write(
    _ call: @escaping @Sendable (any ThreadsRepository) async throws(DataError) -> Void
  ) async throws(DataError) {
    if mistake == .ignoresCancellation {
      // The caller's cancellation does not reach a separate task.
      let result = await Task { [base] () async -> Result<Void, DataError> in
        do throws(DataError) { return .success(try await call(base)) } catch { return .failure(error) }
      }.value
      return try result.get()
    }
    try await call(base)
    try await told.written()
  }
}

extension ForumThread {
  /// A thread of no forum without a title.
  fileprivate static func blank(_ id: Int) -> ForumThread {
    ForumThread(
      id: id, forumID: nil, title: "", author: ForumUser(id: 0, name: ""), lastPostDate: .now,
      lastPostAuthor: "")
  }
}
