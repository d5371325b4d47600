import Foundation
import SharedServices
import UnderstudyPrimitives

/// A client of the forum that is right but for one thing.
struct WrongForumsClient: ForumsClient {
  /// What it does wrong.
  enum Mistake: String, CaseIterable, Sendable {
    case newestFirst
    case losesRatings
    case closesSticky
    case normalisesText
    case takesNeverForRead
    case takesNoonForMidnight
    case losesAnnouncements
    case emptyBeyondTheEnd
    case knowsOneColour
    case keepsHiddenForums
    case marksOneMore
    case neverMovesBack
    case emptyWhenBanned
    case losesTheWords
    case emptyWhenServerFails
    case emptyWhenUnrecognisable
    case takesLostMarksBack
    case tiresAfterThreeMarks
    case ignoresCancellation
  }

  let base: any ForumsClient
  let mistake: Mistake
  private let marks = Locked<[Int]>([])
  private let lost = Locked<Set<Int>>([])

  init(base: any ForumsClient, mistake: Mistake) {
    self.base = base
    self.mistake = mistake
  }

  func threads(inForum forumID: Int, page: Int) async throws(DataError) -> ThreadListPage {
    for id in lost.withLock({ $0 }) { try await base.markUnseen(threadID: id) }
    let empty = ThreadListPage(forumID: forumID, number: page, pageCount: page, threads: [])
    var list = try await excusing(with: empty) { () async throws(DataError) in
      try await base.threads(inForum: forumID, page: page)
    }
    switch mistake {
    case .newestFirst: list.threads.sort { $0.lastPostDate > $1.lastPostDate }
    case .losesAnnouncements: list.announcements = []
    case .emptyBeyondTheEnd where page > list.pageCount: return empty
    default: list.threads = list.threads.map(spoiled)
    }
    return list
  }

  func bookmarks(page: Int) async throws(DataError) -> ThreadListPage {
    let empty = ThreadListPage(forumID: nil, number: page, pageCount: page, threads: [])
    var list = try await excusing(with: empty) { () async throws(DataError) in
      try await base.bookmarks(page: page)
    }
    if mistake == .keepsHiddenForums { list.threads.removeAll { $0.id == 200 } }
    list.threads = list.threads.map(spoiled)
    return list
  }

  func markSeen(threadID: Int, upTo index: Int) async throws(DataError) {
    let earlier = marks.withLock { marks in
      defer { marks.append(index) }
      return marks
    }
    var index = index
    switch mistake {
    case .marksOneMore: index += 1
    case .neverMovesBack: index = max(index, earlier.max() ?? 0)
    case .tiresAfterThreeMarks where earlier.count >= 3: return
    default: break
    }
    let settled = index
    do throws(DataError) {
      try await excusing(with: ()) { () async throws(DataError) in
        try await base.markSeen(threadID: threadID, upTo: settled)
      }
    } catch .networkError(.connectionLost) where mistake == .takesLostMarksBack {
      lost.withLock { _ = $0.insert(threadID) }
      throw .networkError(.connectionLost)
    }
  }

  func markUnseen(threadID: Int) async throws(DataError) {
    try await excusing(with: ()) { () async throws(DataError) in try await base.markUnseen(threadID: threadID)
    }
  }

  private func spoiled(_ thread: ForumThread) -> ForumThread {
    var thread = thread
    switch mistake {
    case .losesRatings: thread.rating = nil
    case .closesSticky: thread.isClosed = thread.isClosed || thread.isSticky
    case .normalisesText: thread.title = thread.title.precomposedStringWithCanonicalMapping
    case .takesNeverForRead: if thread.reading == .never { thread.reading = .seen(unreadCount: 0) }
    case .takesNoonForMidnight:
      if Int(thread.lastPostDate.timeIntervalSince1970) % 86_400 == 43_200 { thread.lastPostDate -= 43_200 }
    case .knowsOneColour: if thread.bookmark != nil { thread.bookmark = .orange }
    default: break
    }
    return thread
  }

  private func excusing<Value: Sendable>(
    with excuse: Value, _ call: @escaping @Sendable () async throws(DataError) -> Value
  ) async throws(DataError) -> Value {
    do throws(DataError) {
      guard mistake == .ignoresCancellation else { return try await call() }
      // A task of its own does not hear of the caller's cancellation.
      let result = await Task { () async -> Result<Value, DataError> in
        do throws(DataError) { return .success(try await call()) } catch { return .failure(error) }
      }.value
      return try result.get()
    } catch .refused(.banned) where mistake == .emptyWhenBanned {
      return excuse
    } catch .refused(.other) where mistake == .losesTheWords {
      throw .refused(.other("Something went wrong."))
    } catch .networkError(.serverError) where mistake == .emptyWhenServerFails {
      return excuse
    } catch .parsingError where mistake == .emptyWhenUnrecognisable {
      return excuse
    }
  }
}
