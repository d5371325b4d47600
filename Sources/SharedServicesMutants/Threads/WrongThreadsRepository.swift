import Foundation
import SharedServices
import UnderstudyPrimitives

/// A repository of threads that is right but for one thing.
final class WrongThreadsRepository: ThreadsRepository {
  /// What it does wrong.
  enum Mistake: String, CaseIterable, Sendable {
    case losesIcons
    case composesCharacters
    case forgetsForums
    case storesUpToWhatIsRefused
    case oldestFirst
    case mixesStickyThreads
    case leastIDFirst
    case leavesOneOut
    case takesNegativeLimitsForNone
    case marksEveryThread
    case marksToTheEnd
    case insertsWhatItMarks
    case deletesFromTheEnd
    case replacesEveryForum
    case keepsWhatIsReplaced
    case trustsTheForumOfThreads
    case reloadsEverything
    case tellsNewPlacesOfUpdates
    case forgetsMoves
    case tellsWhatDidNotChange
    case queuesEveryChange
    case keepsObserversOfLeavers
    case ignoresCancellation
    case showsHalfReplacedLists
    case readsFromACache
    case emptyWhenItFails
    case hidesFailedWrites
  }

  typealias Changes = AsyncThrowingStream<ThreadListChange, any Error>

  let base: any ThreadsRepository
  let mistake: Mistake
  private let kept = Locked<[Changes]>([])
  /// What is returned in place of a list of the base.
  private let list = Locked<[ForumThread]?>(nil)
  private let queue = Locked<(sections: [[ForumThread]], changes: Changes.Continuation)?>(nil)

  init(base: any ThreadsRepository, mistake: Mistake) {
    self.base = base
    self.mistake = mistake
  }

  func save(_ threads: [ForumThread]) async throws(DataError) {
    if mistake == .forgetsForums {
      try await base.delete(threadIDs: threads.filter { $0.forumID == nil }.map(\.id))
    }
    if mistake == .storesUpToWhatIsRefused {
      for thread in threads { try await base.save([thread]) }
    }
    let altered = threads.map(altered)
    try await write { base throws(DataError) in try await base.save(altered) }
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
    try await write { base throws(DataError) in
      try await base.replaceThreads(inForum: forumID, with: threads)
    }
  }

  func threads(inForum forumID: Int, offset: Int, limit: Int?) async throws(DataError) -> [ForumThread] {
    if mistake == .showsHalfReplacedLists, let half = list.withLock({ $0.take() }) { return half }
    if mistake == .readsFromACache, let cached = list.withLock({ $0 }) { return cached }
    var limit = limit
    if mistake == .takesNegativeLimitsForNone, let number = limit, number < 0 { limit = nil }
    if mistake == .leavesOneOut, let number = limit { limit = number - 1 }
    var threads: [ForumThread]
    do throws(DataError) {
      threads = try await base.threads(inForum: forumID, offset: offset, limit: limit)
    } catch .storeError where mistake == .emptyWhenItFails {
      return []
    }
    switch mistake {
    case .oldestFirst: threads.reverse()
    case .mixesStickyThreads: threads.sort { $0.lastPostDate > $1.lastPostDate }
    case .leastIDFirst: threads.sort { $0.id < $1.id }
    case .readsFromACache:
      let read = threads
      list.withLock { $0 = read }
    default: break
    }
    return threads
  }

  func thread(id: Int) async throws(DataError) -> ForumThread? { try await base.thread(id: id) }

  func markRead(threadID: Int, upTo index: Int?) async throws(DataError) {
    if mistake == .marksEveryThread {
      for id in 1...20 { try await base.markRead(threadID: id, upTo: index) }
    }
    if mistake == .insertsWhatItMarks, try await base.thread(id: threadID) == nil {
      let author = ForumUser(id: 0, name: "")
      try await base.save([
        ForumThread(
          id: threadID, forumID: nil, title: "", author: author, lastPostDate: .now, lastPostAuthor: "")
      ])
    }
    let settled = mistake == .marksToTheEnd ? index.map { _ in Int.max } : index
    try await write { base throws(DataError) in try await base.markRead(threadID: threadID, upTo: settled) }
  }

  func delete(threadIDs: [Int]) async throws(DataError) {
    let ids = mistake == .deletesFromTheEnd ? Array(threadIDs.suffix(1)) : threadIDs
    try await write { base throws(DataError) in try await base.delete(threadIDs: ids) }
  }

  func changes(inForum forumID: Int) async throws(DataError) -> Changes {
    let changes = try await base.changes(inForum: forumID)
    let last = Locked<ThreadListChange?>(nil)
    switch mistake {
    case .keepsObserversOfLeavers:
      kept.withLock { $0.append(changes) }
      return changes
    case .queuesEveryChange:
      let sections = try await base.threads(inForum: forumID, offset: 0, limit: nil).sections
      let (all, continuation) = Changes.makeStream()
      continuation.yield(ThreadListChange(sections: sections, rows: []))
      queue.withLock { $0 = (sections, continuation) }
      return all
    case .tellsWhatDidNotChange:
      return AsyncThrowingStream {
        if let again = last.withLock({ $0.take() }) {
          return ThreadListChange(sections: again.sections, rows: [])
        }
        let change = try await changes.next()
        last.withLock { $0 = change }
        return change
      }
    case .reloadsEverything, .tellsNewPlacesOfUpdates, .forgetsMoves:
      return AsyncThrowingStream { [mistake] in
        guard let change = try await changes.next() else { return nil }
        let old = last.withLock { last in
          defer { last = change }
          return last?.sections
        }
        return old.map { Self.spoil(change, from: $0, by: mistake) } ?? change
      }
    default: return changes
    }
  }

  private static func spoil(
    _ change: ThreadListChange, from old: [[ForumThread]], by mistake: Mistake
  ) -> ThreadListChange {
    var change = change
    switch mistake {
    case .reloadsEverything:
      change.rows =
        ThreadListChange(from: old, to: [[], []]).rows
        + ThreadListChange(from: [[], []], to: change.sections).rows
    case .forgetsMoves:
      change.rows.removeAll { if case .move = $0 { true } else { false } }
    default:
      change.rows = change.rows.map { row in
        guard case .update(let thread, var place) = row else { return row }
        place.row += 1
        return .update(thread, at: place)
      }
    }
    return change
  }

  private func altered(_ thread: ForumThread) -> ForumThread {
    var thread = thread
    if mistake == .losesIcons { thread.icons = [] }
    if mistake == .composesCharacters { thread.title = thread.title.precomposedStringWithCanonicalMapping }
    return thread
  }

  private func write(
    _ call: @escaping @Sendable (any ThreadsRepository) async throws(DataError) -> Void
  ) async throws(DataError) {
    if mistake == .ignoresCancellation {
      // A task of its own does not hear of the caller's cancellation.
      let result = await Task { [base] () async -> Result<Void, DataError> in
        do throws(DataError) { return .success(try await call(base)) } catch { return .failure(error) }
      }.value
      return try result.get()
    }
    do throws(DataError) {
      try await call(base)
    } catch .storeError where mistake == .hidesFailedWrites {
      return
    }
    guard mistake == .queuesEveryChange else { return }
    let new = try await base.threads(inForum: 1, offset: 0, limit: nil).sections
    queue.withLock { queue in
      guard let old = queue else { return }
      old.changes.yield(ThreadListChange(from: old.sections, to: new))
      queue?.sections = new
    }
  }
}
