public import Foundation
public import SharedServices
import Understudy

/// A service of threads over an ``InMemoryForum``, without persistence.
///
/// A call asks the forum and stores the answer in one step that nothing interrupts.
public final class InMemoryThreadsService: ThreadsService {
  private struct State: Sendable {
    var threads = StoredThreads()
    var failsToStore = false

    func checkStore() throws(DataError) {
      if failsToStore { throw .storeError("The store in memory was made to fail.") }
    }
  }

  private let forum: InMemoryForum
  private let notifications: NotificationCenter
  private let state = Locked(State())
  private let observers = Locked(ThreadListObservers())

  /// Creates a service for the reader of a forum.
  ///
  /// - Parameters:
  ///   - forum: The forum.
  ///   - notifications: The center to which `threadUpdated` is posted.
  public init(_ forum: InMemoryForum, notifications: NotificationCenter = .default) {
    self.forum = forum
    self.notifications = notifications
  }

  /// Makes every call of the store fail, or succeed again.
  package func failStore(_ fails: Bool) {
    state.withLock { $0.failsToStore = fails }
  }

  /// Loads a page of a forum; see `ThreadsService`.
  @discardableResult
  public func loadThreads(inForum forumID: Int, page: Int) async throws(DataError) -> ThreadListPage {
    try step { (forum) throws(ForumRefusal) in
      try forum.threads(inForum: forumID, page: page)
    } storing: { (stored, answer) throws(DataError) in
      if page <= 1 {
        try stored.replace(inForum: forumID, with: answer.threads)
      } else {
        try stored.save(answer.threads)
      }
    }
  }

  /// Loads a page of the bookmarks; see `ThreadsService`.
  @discardableResult
  public func loadBookmarks(page: Int) async throws(DataError) -> ThreadListPage {
    try step { (forum) throws(ForumRefusal) in
      try forum.bookmarks(page: page)
    } storing: { (stored, answer) throws(DataError) in
      try stored.save(answer.threads)
    }
  }

  /// Marks a thread as read; see `ThreadsService`.
  public func markRead(_ thread: ForumThread) async throws(DataError) {
    let index = thread.lastPostIndex
    try change(thread) { (forum) throws(ForumRefusal) in
      try forum.markSeen(threadID: thread.id, upTo: index)
    } storing: {
      $0.mark(readUpTo: index)
    }
  }

  /// Marks a thread as never seen; see `ThreadsService`.
  public func markUnread(_ thread: ForumThread) async throws(DataError) {
    try change(thread) { (forum) throws(ForumRefusal) in
      try forum.markUnseen(threadID: thread.id)
    } storing: {
      $0.mark(readUpTo: nil)
    }
  }

  /// Bookmarks a thread, or removes its bookmark; see `ThreadsService`.
  public func setBookmark(
    _ bookmark: ForumThread.Bookmark?, of thread: ForumThread
  ) async throws(DataError) {
    try change(thread) { (forum) throws(ForumRefusal) in
      try forum.setBookmark(bookmark, threadID: thread.id)
    } storing: {
      $0.bookmark = bookmark
    }
  }

  /// The stored threads of a forum; see `ThreadsService`.
  public func sections(ofForum forumID: Int) async throws(DataError) -> [[ForumThread]] {
    try list(ofForum: forumID)
  }

  /// The stored threads of a forum and every change; see `ThreadsService`.
  public func changes(
    inForum forumID: Int
  ) async throws(DataError) -> AsyncThrowingStream<ThreadListChange, any Error> {
    let signals = observers.withLock { all in
      all.add { [weak observers] id in observers?.withLock { $0.remove(id) } }
    }
    return signals.changes(from: try list(ofForum: forumID)) { () throws(DataError) in
      try self.list(ofForum: forumID)
    }
  }

  private func change(
    _ thread: ForumThread, in ask: (InMemoryForum) throws(ForumRefusal) -> Void,
    storing store: (inout ForumThread) -> Void
  ) throws(DataError) {
    var updated = thread
    store(&updated)
    try step(asking: ask) { (stored, _) in
      stored.update(thread.id, store)
      updated = stored.thread(id: thread.id) ?? updated
    }
    notifications.post(name: .threadUpdated, object: updated)
  }

  /// Asks the forum and stores its answer, while no other call does.
  private func step<Answer: Sendable>(
    asking ask: (InMemoryForum) throws(ForumRefusal) -> Answer,
    storing store: (inout StoredThreads, Answer) throws(DataError) -> Void
  ) throws(DataError) -> Answer {
    if Task.isCancelled { throw .cancelled }
    let answer = try state.withLock { (state) throws(DataError) in
      let answer: Answer
      do throws(ForumRefusal) { answer = try ask(forum) } catch { throw .refused(error) }
      try state.checkStore()
      try store(&state.threads, answer)
      return answer
    }
    observers.withLock { $0.signal() }
    return answer
  }

  private func list(ofForum forumID: Int) throws(DataError) -> [[ForumThread]] {
    if Task.isCancelled { throw .cancelled }
    return try state.withLock { (state) throws(DataError) in
      try state.checkStore()
      return state.threads.list(ofForum: forumID).sections
    }
  }
}
