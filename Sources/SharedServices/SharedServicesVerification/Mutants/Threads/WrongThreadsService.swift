import Foundation
import SharedServices
import Understudy

/// A threads service with one mistake.
struct WrongThreadsService: ThreadsService {
  /// The mistake that the service makes.
  enum Mistake: String, CaseIterable, Sendable {
    // Loading.
    case showsTheLastPage
    case emptyBeyondTheEnd
    case forgetsTheOtherForum
    case answersForTheLastCall
    // Changing a thread.
    case marksAllThatIsStored
    case marksUnreadAsSeen
    case editsWhatItShowed
    // Reporting failures.
    case repeatsFailedMarks
    case losesTheWords
    case loadsToRead
    case asksTheStoreFirst
    case staysOffline
    case hidesLostAnswers
    // Cancellation and concurrency.
    case ignoresCancellation
    case emptyWhenCancelled
    case throwsAfterItStored
    case sharesCancellation
    case marksUnreadDuringLoads
    // Observation.
    case reportsEveryLoad
  }

  private struct State: Sendable {
    var lastPage: [Int: ThreadListPage] = [:]
    var lastAsked = [0, 0]
    var shown: Set<Int> = []
    var failedMarks: [ForumThread] = []
    var loadsUnderWay = 0
    var loadsBegun = 0
    var isOffline = false
    var cancellations = 0
  }

  let base: any ThreadsService
  let mistake: Mistake
  private let state = Locked(State())

  init(base: any ThreadsService, mistake: Mistake) {
    self.base = base
    self.mistake = mistake
  }

  func loadThreads(inForum forumID: Int, page: Int) async throws(DataError) -> ThreadListPage {
    let empty = ThreadListPage(forumID: forumID, number: page, pageCount: max(1, page), threads: [])
    state.withLock { state in
      state.lastAsked = [forumID, page]
      state.loadsBegun += 1
    }
    state.withLock { $0.loadsUnderWay += 1 }
    defer { state.withLock { $0.loadsUnderWay -= 1 } }
    let loaded = try await meddling(with: empty) { () async throws(DataError) in
      try await base.loadThreads(inForum: forumID, page: page)
    }
    state.withLock { state in
      state.lastPage[forumID] = loaded
      state.shown.formUnion(loaded.threads.map(\.id))
    }
    switch mistake {
    case .emptyBeyondTheEnd where page > loaded.pageCount: return empty
    case .answersForTheLastCall:
      let last = state.withLock(\.lastAsked)
      return try await base.loadThreads(inForum: last[0], page: last[1])
    default: break
    }
    return loaded
  }

  func loadBookmarks(page: Int) async throws(DataError) -> ThreadListPage {
    let empty = ThreadListPage(forumID: nil, number: page, pageCount: max(1, page), threads: [])
    return try await meddling(with: empty) { () async throws(DataError) in
      try await base.loadBookmarks(page: page)
    }
  }

  func markRead(_ thread: ForumThread) async throws(DataError) {
    var thread = thread
    if mistake == .marksAllThatIsStored { thread.replyCount = .max }
    let shown = thread
    do throws(DataError) {
      let isLoading = state.withLock(\.loadsUnderWay) > 0
      try await edit(shown) { () async throws(DataError) in
        if mistake == .marksUnreadDuringLoads, isLoading {
          try await base.markUnread(shown)
        } else {
          try await base.markRead(shown)
        }
      }
    } catch .networkError(.noConnection) where mistake == .repeatsFailedMarks {
      state.withLock { $0.failedMarks.append(shown) }
      throw .networkError(.noConnection)
    }
  }

  func markUnread(_ thread: ForumThread) async throws(DataError) {
    try await edit(thread) { () async throws(DataError) in
      guard mistake == .marksUnreadAsSeen else { return try await base.markUnread(thread) }
      var first = thread
      first.replyCount = 0
      try await base.markRead(first)
    }
  }

  func setBookmark(_ bookmark: ForumThread.Bookmark?, of thread: ForumThread) async throws(DataError) {
    try await edit(thread) { () async throws(DataError) in try await base.setBookmark(bookmark, of: thread) }
  }

  func sections(ofForum forumID: Int) async throws(DataError) -> [[ForumThread]] {
    switch mistake {
    case .showsTheLastPage:
      if let page = state.withLock({ $0.lastPage[forumID] }) { return page.threads.sections }
    case .forgetsTheOtherForum:
      if state.withLock({ $0.lastAsked[0] != forumID }) { return [[], []] }
    case .loadsToRead: try await base.loadThreads(inForum: forumID, page: 1)
    case .repeatsFailedMarks:
      for thread in state.withLock({ state in
        defer { state.failedMarks = [] }
        return state.failedMarks
      }) {
        try await base.markRead(thread)
      }
    case .ignoresCancellation:
      let base = base
      let task = Task { () async throws -> [[ForumThread]] in try await base.sections(ofForum: forumID) }
      do { return try await task.value } catch { throw error as? DataError ?? .cancelled }
    default: break
    }
    return try await base.sections(ofForum: forumID)
  }

  func changes(
    inForum forumID: Int
  ) async throws(DataError) -> AsyncThrowingStream<ThreadListChange, any Error> {
    let changes = try await base.changes(inForum: forumID)
    guard mistake == .reportsEveryLoad else { return changes }
    let reported = Locked(state.withLock(\.loadsBegun))
    return AsyncThrowingStream {
      let begun = state.withLock(\.loadsBegun)
      let isNew = reported.withLock { reported in
        defer { reported = begun }
        return reported != begun
      }
      if isNew { return ThreadListChange(sections: [[], []], rows: []) }
      var iterator = changes.makeAsyncIterator()
      return try await iterator.next()
    }
  }

  private func edit(
    _ thread: ForumThread, _ call: @escaping @Sendable () async throws(DataError) -> Void
  ) async throws(DataError) {
    if mistake == .editsWhatItShowed, !state.withLock({ $0.shown.contains(thread.id) }) { return }
    try await meddling(with: (), call)
    if mistake == .throwsAfterItStored, Task.isCancelled { throw .cancelled }
  }

  /// Performs a call, with the mistakes that are independent of its result.
  ///
  /// - Parameter excuse: The value that is returned in place of a hidden error.
  private func meddling<Value: Sendable>(
    with excuse: Value, _ call: @escaping @Sendable () async throws(DataError) -> Value
  ) async throws(DataError) -> Value {
    let cancellations = state.withLock(\.cancellations)
    switch mistake {
    case .asksTheStoreFirst: _ = try await base.sections(ofForum: 0)
    case .staysOffline
    where state.withLock({ state in
      defer { state.isOffline = false }
      return state.isOffline
    }):
      throw .networkError(.noConnection)
    default: break
    }
    do throws(DataError) {
      let value = try await call()
      if mistake == .sharesCancellation, state.withLock(\.cancellations) != cancellations { throw .cancelled }
      return value
    } catch {
      switch (mistake, error) {
      case (.losesTheWords, .refused(.other)): throw .refused(.other("Something went wrong."))
      case (.hidesLostAnswers, .networkError(.connectionLost)): return excuse
      case (.emptyWhenCancelled, .cancelled): return excuse
      case (.staysOffline, .networkError(.noConnection)): state.withLock { $0.isOffline = true }
      case (.sharesCancellation, .cancelled): state.withLock { $0.cancellations += 1 }
      default: break
      }
      throw error
    }
  }
}

/// The service of seed 002: it stores what the forum has sent, and knows nothing of what happens meanwhile.
struct PlainThreadsService: ThreadsService {
  let client: any ForumsClient
  let repository: any ThreadsRepository

  func loadThreads(inForum forumID: Int, page: Int) async throws(DataError) -> ThreadListPage {
    let loaded = try await client.threads(inForum: forumID, page: page)
    if page <= 1 {
      try await repository.replaceThreads(inForum: forumID, with: loaded.threads)
    } else {
      try await repository.save(loaded.threads)
    }
    return loaded
  }

  func loadBookmarks(page: Int) async throws(DataError) -> ThreadListPage {
    let loaded = try await client.bookmarks(page: page)
    try await repository.save(loaded.threads)
    return loaded
  }

  func markRead(_ thread: ForumThread) async throws(DataError) {
    try await client.markSeen(threadID: thread.id, upTo: thread.lastPostIndex)
    try await repository.markRead(threadID: thread.id, upTo: thread.lastPostIndex)
  }

  func markUnread(_ thread: ForumThread) async throws(DataError) {
    try await client.markUnseen(threadID: thread.id)
    try await repository.markRead(threadID: thread.id, upTo: nil)
  }

  func setBookmark(_ bookmark: ForumThread.Bookmark?, of thread: ForumThread) async throws(DataError) {
    try await client.setBookmark(bookmark, threadID: thread.id)
    try await repository.setBookmark(bookmark, threadID: thread.id)
  }

  func sections(ofForum forumID: Int) async throws(DataError) -> [[ForumThread]] {
    try await repository.threads(inForum: forumID, offset: 0, limit: nil).sections
  }

  func changes(
    inForum forumID: Int
  ) async throws(DataError) -> AsyncThrowingStream<ThreadListChange, any Error> {
    try await repository.changes(inForum: forumID)
  }
}
