import Foundation
import SharedServices
import Understudy

/// A forum client with one mistake.
struct WrongForumsClient: ForumsClient {
  /// The mistake that the service makes.
  enum Mistake: String, CaseIterable, Sendable {
    // Reading.
    case newestFirst
    case closesSticky
    case takesNeverForRead
    case takesNoonForMidnight
    case repeatsAnnouncements
    case alwaysTakesThreads
    case emptyBeyondTheEnd
    case knowsOneColour
    case keepsHiddenForums
    case losesBookmarksOfMarked
    case collapsesSpaces
    // Marking.
    case marksIn32Bits
    case marksAllBehindTheFirstPage
    case neverMovesBack
    case marksUnseenAsUnread
    case tiresAfterThreeMarks
    case takesLostMarksBack
    // Bookmarking.
    case togglesBookmarks
    case bookmarksWhatItShowedFirst
    // Reporting failures.
    case losesTheWords
    case forgetsTheDelay
    case takesHalfForWhole
    case takesAnyPageForSuccess
    case takesGuestsForReaders
    case ignoresProbations
    case staysOffline
    // Cancellation.
    case ignoresCancellation
    case sharesCancellation
    // More than one reader, forum, page or request.
    case keepsListsOfAnyReader
    case keepsMarksOfAnyReader
    case knowsOneForum
    case answersForTheLastCall
    case marksWhatItShowedFirst
    case triesAgain
    case asksInVain
    case marksLater
    case emptyBeforeTheStart
  }

  let base: any ForumsClient
  let mistake: Mistake
  private let marks = Locked<[(threadID: Int, index: Int)]>([])
  private let lost = Locked<Set<Int>>([])
  private let wasOffline = Locked(false)
  private let cancellations = Locked(0)
  private let lists = Locked<[Int: ThreadListPage]>([:])
  private let firstPages = Locked<Set<Int>>([])
  /// The list of the last call.
  private let lastAsked = Locked([0, 0])
  /// The threads whose marks failed.
  private let failedMarks = Locked<[Int]>([])

  init(base: any ForumsClient, mistake: Mistake) {
    self.base = base
    self.mistake = mistake
  }

  func threads(inForum forumID: Int, page: Int) async throws(DataError) -> ThreadListPage {
    for id in lost.withLock({ $0 }) + failedMarks.withLock({ $0 }) { try await base.markUnseen(threadID: id) }
    let empty = ThreadListPage(forumID: forumID, number: page, pageCount: page, threads: [])
    let key = mistake == .knowsOneForum ? page : forumID * 1_000 + page
    if let list = lists.withLock({ $0[key] }) { return list }
    lastAsked.withLock { $0 = [forumID, page] }
    var list = try await meddling(with: empty) { () async throws(DataError) in
      try await base.threads(inForum: forumID, page: page)
    }
    if list.number == 1 { firstPages.withLock { $0.formUnion(list.threads.map(\.id)) } }
    switch mistake {
    case .keepsListsOfAnyReader, .knowsOneForum:
      let kept = list
      lists.withLock { $0[key] = kept }
    case .answersForTheLastCall where lastAsked.withLock({ $0 }) != [forumID, page]:
      let last = lastAsked.withLock { $0 }
      return try await base.threads(inForum: last[0], page: last[1])
    case .newestFirst: list.threads.sort { $0.lastPostDate > $1.lastPostDate }
    case .repeatsAnnouncements where list.number > 1:
      list.announcements = try await base.threads(inForum: forumID, page: 1).announcements
    case .alwaysTakesThreads: list.acceptsNewThreads = true
    case .emptyBeforeTheStart where page < 1: return empty
    case .emptyBeyondTheEnd where page > list.pageCount: return empty
    default: list.threads = list.threads.map(spoiled)
    }
    return list
  }

  func bookmarks(page: Int) async throws(DataError) -> ThreadListPage {
    let empty = ThreadListPage(forumID: nil, number: page, pageCount: page, threads: [])
    var list = try await meddling(with: empty) { () async throws(DataError) in
      try await base.bookmarks(page: page)
    }
    if mistake == .keepsHiddenForums { list.threads.removeAll { $0.id == 200 } }
    list.threads = list.threads.map(spoiled)
    return list
  }

  func markSeen(threadID: Int, upTo index: Int) async throws(DataError) {
    lists.withLock { $0 = [:] }
    let earlier = marks.withLock { marks in
      defer { marks.append((threadID, index)) }
      return marks
    }
    var index = index
    switch mistake {
    case .marksIn32Bits: index = Int(Int32(truncatingIfNeeded: index &+ 1)) - 1
    case .marksAllBehindTheFirstPage where index > 40: index = .max
    case .neverMovesBack: index = max(index, earlier.map(\.index).max() ?? 0)
    case .marksWhatItShowedFirst where !firstPages.withLock({ $0.contains(threadID) }): return
    case .tiresAfterThreeMarks where earlier.count >= 3: return
    default: break
    }
    let settled = index
    do throws(DataError) {
      try await meddling(with: ()) { () async throws(DataError) in
        try await base.markSeen(threadID: threadID, upTo: settled)
      }
    } catch .networkError(.connectionLost) where mistake == .takesLostMarksBack {
      lost.withLock { _ = $0.insert(threadID) }
      throw .networkError(.connectionLost)
    }
  }

  func markUnseen(threadID: Int) async throws(DataError) {
    lists.withLock { $0 = [:] }
    if mistake == .keepsMarksOfAnyReader { marks.withLock { $0.removeAll { $0.threadID == threadID } } }
    do throws(DataError) {
      try await meddling(with: ()) { () async throws(DataError) in
        if mistake == .marksUnseenAsUnread {
          try await base.markSeen(threadID: threadID, upTo: 0)
        } else {
          try await base.markUnseen(threadID: threadID)
        }
      }
    } catch .networkError(.noConnection) where mistake == .marksLater {
      failedMarks.withLock { $0.append(threadID) }
      throw .networkError(.noConnection)
    }
  }

  func setBookmark(_ bookmark: ForumThread.Bookmark?, threadID: Int) async throws(DataError) {
    lists.withLock { $0 = [:] }
    var bookmark = bookmark
    switch mistake {
    case .togglesBookmarks:
      let found = try await base.bookmarks(page: 1).threads.first { $0.id == threadID }
      if let color = found?.bookmark, color == bookmark { bookmark = nil }
    case .bookmarksWhatItShowedFirst where !firstPages.withLock({ $0.contains(threadID) }): return
    default: break
    }
    let settled = bookmark
    try await meddling(with: ()) { () async throws(DataError) in
      try await base.setBookmark(settled, threadID: threadID)
    }
  }

  private func spoiled(_ thread: ForumThread) -> ForumThread {
    var thread = thread
    switch mistake {
    case .closesSticky: thread.isClosed = thread.isClosed || thread.isSticky
    case .takesNeverForRead: if thread.reading == .never { thread.reading = .seen(unreadCount: 0) }
    case .takesNoonForMidnight:
      if Int(thread.lastPostDate.timeIntervalSince1970) % 86_400 == 43_200 { thread.lastPostDate -= 43_200 }
    case .keepsMarksOfAnyReader:
      guard let index = marks.withLock({ $0.last { $0.threadID == thread.id } })?.index else { break }
      thread.reading = .seen(unreadCount: thread.replyCount + 1 - min(index, thread.replyCount + 1))
    case .knowsOneColour: if thread.bookmark != nil { thread.bookmark = .orange }
    case .collapsesSpaces:
      thread.title = thread.title.split(separator: " ").joined(separator: " ")
      thread.lastPostAuthor = thread.lastPostAuthor.split(separator: " ").joined(separator: " ")
    case .losesBookmarksOfMarked:
      if marks.withLock({ $0.contains { $0.threadID == thread.id } }) { thread.bookmark = nil }
    default: break
    }
    return thread
  }

  /// Performs a call, with the mistakes that are independent of its result.
  ///
  /// - Parameter excuse: The value that is returned in place of a hidden error.
  private func meddling<Value: Sendable>(
    with excuse: Value, _ call: @escaping @Sendable () async throws(DataError) -> Value
  ) async throws(DataError) -> Value {
    if mistake == .staysOffline, wasOffline.withLock({ $0.take() }) { throw .networkError(.noConnection) }
    if mistake == .asksInVain, Task.isCancelled { _ = try? await uncancelled(call) }
    let cancelledBefore = cancellations.withLock { $0 }
    do throws(DataError) {
      let value = try await mistake == .ignoresCancellation ? uncancelled(call) : call()
      guard mistake != .sharesCancellation || cancellations.withLock({ $0 }) == cancelledBefore else {
        throw .cancelled
      }
      return value
    } catch {
      if error == .cancelled { cancellations.withLock { $0 += 1 } }
      if error == .networkError(.noConnection) { wasOffline.withLock { $0 = true } }
      if mistake == .triesAgain, error == .networkError(.timeout) { return try await call() }
      if mistake.ignores(error) { return excuse }
      throw altered(error)
    }
  }

  /// Runs a call in a separate task, which the caller's cancellation does not reach.
  private func uncancelled<Value: Sendable>(
    _ call: @escaping @Sendable () async throws(DataError) -> Value
  ) async throws(DataError) -> Value {
    try await Task { () async -> Result<Value, DataError> in
      do throws(DataError) { return .success(try await call()) } catch { return .failure(error) }
    }.value.get()
  }

  private func altered(_ error: DataError) -> DataError {
    switch (mistake, error) {
    case (.losesTheWords, .refused(.other)): .refused(.other("Something went wrong."))
    case (.takesGuestsForReaders, .refused(.notSignedIn(let words))): .refused(.other(words))
    case (.forgetsTheDelay, .networkError(.rateLimited)): .networkError(.rateLimited(retryAfter: nil))
    default: error
    }
  }
}

extension WrongForumsClient.Mistake {
  /// Whether the mistake is to hide an error.
  fileprivate func ignores(_ error: DataError) -> Bool {
    switch (self, error) {
    case (.takesHalfForWhole, .parsingError(let message)): message.contains("cut off")
    case (.takesAnyPageForSuccess, .parsingError(let message)): message.contains("leads back")
    case (.ignoresProbations, .refused(.other(let words))): words.contains("probation")
    default: false
    }
  }
}

extension Bool {
  /// Returns whether the flag was set, and clears it.
  fileprivate mutating func take() -> Bool {
    defer { self = false }
    return self
  }
}
