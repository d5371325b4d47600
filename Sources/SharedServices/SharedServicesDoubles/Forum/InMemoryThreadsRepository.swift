public import SharedServices
import Understudy

/// Threads in memory, without persistence.
///
/// It meets the contract of `SQLiteThreadsRepository`, without persistence.
public final class InMemoryThreadsRepository: ThreadsRepository {
  private let state = Locked(StoredThreads())
  private let observers = Locked(ThreadListObservers())

  /// An empty repository.
  public init() {}

  /// The number of observers.
  package var observerCount: Int { observers.withLock(\.count) }

  /// Stores threads; see `ThreadsRepository`.
  public func save(_ threads: [ForumThread]) async throws(DataError) {
    try change { (stored) throws(DataError) in try stored.save(threads) }
  }

  /// Replaces the threads of a forum; see `ThreadsRepository`.
  public func replaceThreads(inForum forumID: Int, with threads: [ForumThread]) async throws(DataError) {
    try change { (stored) throws(DataError) in try stored.replace(inForum: forumID, with: threads) }
  }

  /// The threads of a forum; see `ThreadsRepository`.
  public func threads(
    inForum forumID: Int, offset: Int, limit: Int?
  ) async throws(DataError) -> [ForumThread] {
    let rest = try list(ofForum: forumID).dropFirst(max(0, offset))
    return Array(limit.map { rest.prefix(max(0, $0)) } ?? rest)
  }

  /// A thread; see `ThreadsRepository`.
  public func thread(id: Int) async throws(DataError) -> ForumThread? {
    if Task.isCancelled { throw .cancelled }
    return state.withLock { $0.thread(id: id) }
  }

  /// Marks a thread; see `ThreadsRepository`.
  public func markRead(threadID: Int, upTo index: Int?) async throws(DataError) {
    try change { $0.update(threadID) { $0.mark(readUpTo: index) } }
  }

  /// Sets or removes a bookmark; see `ThreadsRepository`.
  public func setBookmark(
    _ bookmark: ForumThread.Bookmark?, threadID: Int
  ) async throws(DataError) {
    try change { $0.update(threadID) { $0.bookmark = bookmark } }
  }

  /// Removes threads; see `ThreadsRepository`.
  public func delete(threadIDs: [Int]) async throws(DataError) {
    try change { $0.delete(threadIDs) }
  }

  /// The list of a forum and every change to it; see `ThreadsRepository`.
  public func changes(
    inForum forumID: Int
  ) async throws(DataError) -> AsyncThrowingStream<ThreadListChange, any Error> {
    let signals = observers.withLock { all in
      all.add { [weak observers] id in observers?.withLock { $0.remove(id) } }
    }
    return signals.changes(from: try list(ofForum: forumID).sections) { () throws(DataError) in
      try self.list(ofForum: forumID).sections
    }
  }

  private func change(_ body: (inout StoredThreads) throws(DataError) -> Void) throws(DataError) {
    if Task.isCancelled { throw .cancelled }
    try state.withLock { (state) throws(DataError) in try body(&state) }
    observers.withLock { $0.signal() }
  }

  private func list(ofForum forumID: Int) throws(DataError) -> [ForumThread] {
    if Task.isCancelled { throw .cancelled }
    return state.withLock { $0.list(ofForum: forumID) }
  }
}
