public import Foundation

extension Notification.Name {
  /// A thread was marked as read or unread; the object is the updated ``ForumThread`` (seed 002).
  public static let threadUpdated = Notification.Name("threadUpdated")
}

/// The threads for the screens: loaded from the forum and stored in the repository (seed 002, `ThreadsService`).
///
/// A list that was requested before a thread was marked does not undo the mark. Every method throws a `DataError` that
/// distinguishes failures of the forum and of the store; earlier stored values stay.
public actor ThreadsService {
  private let client: any ForumsClient
  private let repository: any ThreadsRepository
  private let notifications: NotificationCenter

  /// The marks made since the oldest load in progress began.
  private var marks: [Mark] = []
  private var loadsUnderWay = 0

  private struct Mark: Sendable {
    let threadID: Int
    /// The number of the last seen post; `nil` for none.
    let index: Int?
  }

  /// Creates a service from a client and a repository.
  ///
  /// - Parameters:
  ///   - client: The client of the forum.
  ///   - repository: The threads stored on the device.
  ///   - notifications: The center to which ``Foundation/NSNotification/Name/threadUpdated`` is posted.
  public init(
    client: any ForumsClient, repository: any ThreadsRepository, notifications: NotificationCenter = .default
  ) {
    self.client = client
    self.repository = repository
    self.notifications = notifications
  }

  /// Loads a page of a forum: the first page replaces the stored threads of the forum, other pages are added to them.
  ///
  /// - Parameter page: The number of the page, from 1.
  /// - Returns: The page from the forum.
  @discardableResult
  public func loadThreads(inForum forumID: Int, page: Int) async throws(DataError) -> ThreadListPage {
    try await load { client throws(DataError) in
      try await client.threads(inForum: forumID, page: page)
    } storing: { repository, threads throws(DataError) in
      if page <= 1 {
        try await repository.replaceThreads(inForum: forumID, with: threads)
      } else {
        try await repository.save(threads)
      }
    }
  }

  /// Loads a page of the bookmarked threads; stored threads keep their forums.
  ///
  /// - Parameter page: The number of the page, from 1.
  /// - Returns: The page from the forum.
  @discardableResult
  public func loadBookmarks(page: Int) async throws(DataError) -> ThreadListPage {
    try await load { client throws(DataError) in
      try await client.bookmarks(page: page)
    } storing: { repository, threads throws(DataError) in
      try await repository.save(threads)
    }
  }

  /// Marks the posts that a thread has here as seen: in the forum, and then on the device.
  ///
  /// Newer posts, which the stored thread may have, stay unread. Once the forum has accepted the mark, cancellation
  /// does not prevent it from being stored.
  public func markRead(_ thread: ForumThread) async throws(DataError) {
    // The first post is not counted as a reply.
    let index = thread.replyCount < .max ? max(1, thread.replyCount + 1) : thread.replyCount
    try await client.markSeen(threadID: thread.id, upTo: index)
    try await keep(Mark(threadID: thread.id, index: index), of: thread)
  }

  /// Marks a thread as never seen: in the forum, and then on the device, even if the task is cancelled in between.
  public func markUnread(_ thread: ForumThread) async throws(DataError) {
    try await client.markUnseen(threadID: thread.id)
    try await keep(Mark(threadID: thread.id, index: nil), of: thread)
  }

  /// Returns the stored threads of a forum, in their sections.
  public func sections(ofForum forumID: Int) async throws(DataError) -> [[ForumThread]] {
    try await repository.threads(inForum: forumID, offset: 0, limit: nil).sections
  }

  /// Returns the stored threads of a forum and every change; see ``ThreadsRepository/changes(inForum:)``.
  public func changes(
    inForum forumID: Int
  ) async throws(DataError) -> AsyncThrowingStream<ThreadListChange, any Error> {
    try await repository.changes(inForum: forumID)
  }

  private func load(
    _ ask: @Sendable (any ForumsClient) async throws(DataError) -> ThreadListPage,
    storing store: @Sendable (any ThreadsRepository, [ForumThread]) async throws(DataError) -> Void
  ) async throws(DataError) -> ThreadListPage {
    let begin = marks.count
    loadsUnderWay += 1
    defer {
      loadsUnderWay -= 1
      if loadsUnderWay == 0 { marks = [] }
    }
    var page = try await ask(client)
    let known = marks.count
    for mark in marks[begin..<known] {
      for place in page.threads.indices where page.threads[place].id == mark.threadID {
        page.threads[place].mark(readUpTo: mark.index)
      }
    }
    try await store(repository, page.threads)
    try await keepMarks(since: known)
    return page
  }

  /// Stores the marks again that were made while a page was stored, which may have overwritten them.
  ///
  /// Marks that are made meanwhile follow, so that the latest one wins.
  private func keepMarks(since first: Int) async throws(DataError) {
    try await uncancelled { service async throws(DataError) in
      var next = first
      while next < service.marks.count {
        let mark = service.marks[next]
        next += 1
        try await service.repository.markRead(threadID: mark.threadID, upTo: mark.index)
      }
    }
  }

  private func keep(_ mark: Mark, of thread: ForumThread) async throws(DataError) {
    if loadsUnderWay > 0 { marks.append(mark) }
    let stored = try await uncancelled { service async throws(DataError) in
      try await service.repository.markRead(threadID: mark.threadID, upTo: mark.index)
      return try? await service.repository.thread(id: mark.threadID)
    }
    var thread = thread
    thread.mark(readUpTo: mark.index)
    notifications.post(name: .threadUpdated, object: stored ?? thread)
  }

  /// Runs `body` to its end, even if the task is cancelled.
  private func uncancelled<Result: Sendable>(
    _ body: @escaping @Sendable (isolated ThreadsService) async throws(DataError) -> Result
  ) async throws(DataError) -> Result {
    let task = Task { () async -> Swift.Result<Result, DataError> in
      do throws(DataError) { return .success(try await body(self)) } catch { return .failure(error) }
    }
    return try await task.value.get()
  }
}
