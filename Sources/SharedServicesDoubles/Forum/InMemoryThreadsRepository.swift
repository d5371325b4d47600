public import SharedServices
import Understudy

/// Threads in memory, without persistence.
///
/// It meets the contract of `SQLiteThreadsRepository`, without persistence.
public final class InMemoryThreadsRepository: ThreadsRepository {
  private struct State: Sendable {
    var threads: [Int: ForumThread] = [:]
    /// The lists that were requested since the last change, by forum.
    var lists: [Int: [ForumThread]] = [:]
  }

  private let state = Locked(State())
  private let observers = Locked(ThreadListObservers())

  /// An empty repository.
  public init() {}

  /// The number of observers.
  package var observerCount: Int { observers.withLock(\.count) }

  /// Stores threads; see `ThreadsRepository`.
  public func save(_ threads: [ForumThread]) async throws(DataError) {
    try change(storing: threads) { stored in
      for var thread in threads {
        if thread.forumID == nil { thread.forumID = stored[thread.id]?.forumID }
        stored[thread.id] = thread
      }
    }
  }

  /// Replaces the threads of a forum; see `ThreadsRepository`.
  public func replaceThreads(inForum forumID: Int, with threads: [ForumThread]) async throws(DataError) {
    try change(storing: threads) { stored in
      stored = stored.filter { $0.value.forumID != forumID }
      for var thread in threads {
        thread.forumID = forumID
        stored[thread.id] = thread
      }
    }
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
    return state.withLock { $0.threads[id] }
  }

  /// Marks a thread; see `ThreadsRepository`.
  public func markRead(threadID: Int, upTo index: Int?) async throws(DataError) {
    try change { $0[threadID]?.mark(readUpTo: index) }
  }

  /// Removes threads; see `ThreadsRepository`.
  public func delete(threadIDs: [Int]) async throws(DataError) {
    try change { stored in
      for id in threadIDs { stored[id] = nil }
    }
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

  private func change(
    storing threads: [ForumThread] = [], _ body: (inout [Int: ForumThread]) -> Void
  ) throws(DataError) {
    if Task.isCancelled { throw .cancelled }
    for thread in threads { try thread.checkIsStorable() }
    state.withLock { state in
      body(&state.threads)
      state.lists = [:]
    }
    observers.withLock { $0.signal() }
  }

  private func list(ofForum forumID: Int) throws(DataError) -> [ForumThread] {
    if Task.isCancelled { throw .cancelled }
    return state.withLock { state in
      if let list = state.lists[forumID] { return list }
      let list = state.threads.values.filter { $0.forumID == forumID }.sorted { $0.isListed(before: $1) }
      state.lists[forumID] = list
      return list
    }
  }
}
