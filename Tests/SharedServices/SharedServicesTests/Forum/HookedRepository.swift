import SharedServices
import Understudy

/// A repository of threads in which something happens between its calls.
final class HookedRepository: ThreadsRepository {
  struct Hooks: Sendable {
    var beforeReplacing: @Sendable () async -> Void = {}
    var afterReplacing: @Sendable () async -> Void = {}
    var beforeMarking: @Sendable () async -> Void = {}
  }

  private let base: any ThreadsRepository
  private let hooks = Locked(Hooks())

  init(base: any ThreadsRepository) {
    self.base = base
  }

  func write(_ change: (inout Hooks) -> Void) { hooks.withLock { change(&$0) } }

  func save(_ threads: [ForumThread]) async throws(DataError) { try await base.save(threads) }

  func replaceThreads(inForum forumID: Int, with threads: [ForumThread]) async throws(DataError) {
    await hooks.withLock(\.beforeReplacing)()
    try await base.replaceThreads(inForum: forumID, with: threads)
    await hooks.withLock(\.afterReplacing)()
  }

  func threads(inForum forumID: Int, offset: Int, limit: Int?) async throws(DataError) -> [ForumThread] {
    try await base.threads(inForum: forumID, offset: offset, limit: limit)
  }

  func thread(id: Int) async throws(DataError) -> ForumThread? { try await base.thread(id: id) }

  func markRead(threadID: Int, upTo index: Int?) async throws(DataError) {
    await hooks.withLock(\.beforeMarking)()
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
