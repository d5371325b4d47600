import SharedServices
import TestSupport
import Understudy

/// A repository whose first observer hears of nothing after the first value, and of a failure when a test says so.
struct UncancellableRepository: ThreadsRepository {
  let base: any ThreadsRepository
  private let left = Latch()
  private let leftByTheSecond = Latch()
  private let first = Locked<AsyncThrowingStream<ThreadListChange, any Error>.Continuation?>(nil)

  init(base: any ThreadsRepository) {
    self.base = base
  }

  /// Ends the first observation with an error.
  func fail() {
    first.withLock { $0 }?.finish(throwing: DataError.storeError("The store is gone."))
  }

  /// Waits until the first observer has left.
  func isLeft() async { await left.wait() }

  /// Waits until a later observer has left.
  func isLeftByTheSecond() async { await leftByTheSecond.wait() }

  func changes(
    inForum forumID: Int
  ) async throws(DataError) -> AsyncThrowingStream<ThreadListChange, any Error> {
    let (changes, continuation) = AsyncThrowingStream<ThreadListChange, any Error>.makeStream()
    let isFirst = first.withLock { first in
      defer { if first == nil { first = continuation } }
      return first == nil
    }
    guard isFirst else {
      let observer = Observer(leftByTheSecond)
      let changes = try await base.changes(inForum: forumID)
      return AsyncThrowingStream {
        defer { withExtendedLifetime(observer) {} }
        var iterator = changes.makeAsyncIterator()
        return try await iterator.next()
      }
    }
    continuation.onTermination = { [left] _ in left.open() }
    continuation.yield(ThreadListChange(sections: [[], []], rows: []))
    return changes
  }

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

  /// Opens a door when its stream is released.
  private final class Observer: Sendable {
    private let left: Latch

    init(_ left: Latch) { self.left = left }

    deinit { left.open() }
  }
}
