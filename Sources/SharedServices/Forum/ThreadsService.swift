public import Foundation

extension Notification.Name {
  /// A thread was marked as read or unread; the object is the ``ForumThread`` as it is then (seed 002).
  public static let threadUpdated = Notification.Name("threadUpdated")
}

/// Threads as screens use them: asked of the forum, and kept in the repository (seed 002, `ThreadsService`).
///
/// A list that was on its way while a thread was marked does not undo the mark. Every method throws `DataError`, and says
/// whether the forum or the store failed; what was stored before stays.
public actor ThreadsService {
  private let client: any ForumsClient
  private let repository: any ThreadsRepository
  private let notifications: NotificationCenter

  /// What was marked since the oldest load that is under way began.
  private var marks: [Mark] = []
  private var loadsUnderWay = 0

  private struct Mark: Sendable {
    let threadID: Int
    /// The number of the last post that was seen; `nil` for none.
    let index: Int?
  }

  /// A service over a client and a repository.
  ///
  /// - Parameters:
  ///   - client: The forum.
  ///   - repository: What is kept on the device.
  ///   - notifications: Where ``Foundation/NSNotification/Name/threadUpdated`` is posted.
  public init(
    client: any ForumsClient, repository: any ThreadsRepository, notifications: NotificationCenter = .default
  ) {
    self.client = client
    self.repository = repository
    self.notifications = notifications
  }

  /// Loads a page of a forum: the first one replaces what is stored of the forum, the others are added to it.
  ///
  /// - Parameter page: From 1.
  /// - Returns: What the forum sent.
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

  /// Loads a page of the bookmarked threads, whose forums stay as they are known.
  ///
  /// - Parameter page: From 1.
  /// - Returns: What the forum sent.
  @discardableResult
  public func loadBookmarks(page: Int) async throws(DataError) -> ThreadListPage {
    try await load { client throws(DataError) in
      try await client.bookmarks(page: page)
    } storing: { repository, threads throws(DataError) in
      try await repository.save(threads)
    }
  }

  /// Marks the posts of a thread that it has here as seen: in the forum, and once that knows, on the device.
  ///
  /// Those that came since, and that the stored thread may have, stay unread. Once the forum knows, no cancellation keeps
  /// the device from it.
  public func markRead(_ thread: ForumThread) async throws(DataError) {
    // The first post is no reply.
    let index = thread.replyCount < .max ? max(1, thread.replyCount + 1) : thread.replyCount
    try await client.markSeen(threadID: thread.id, upTo: index)
    try await keep(Mark(threadID: thread.id, index: index), of: thread)
  }

  /// Marks a thread as never seen: in the forum, and once that knows, on the device, whatever is cancelled then.
  public func markUnread(_ thread: ForumThread) async throws(DataError) {
    try await client.markUnseen(threadID: thread.id)
    try await keep(Mark(threadID: thread.id, index: nil), of: thread)
  }

  /// The stored threads of a forum, in their sections.
  public func sections(ofForum forumID: Int) async throws(DataError) -> [[ForumThread]] {
    try await repository.threads(inForum: forumID, offset: 0, limit: nil).sections
  }

  /// The stored threads of a forum as they are, and every change; see ``ThreadsRepository/changes(inForum:)``.
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

  /// Keeps the marks once more that came while a page was stored, which may have overwritten them, and those that come
  /// meanwhile, so that the last one stays the last.
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

  /// Runs `body` to its end, also where the task is cancelled.
  private func uncancelled<Result: Sendable>(
    _ body: @escaping @Sendable (isolated ThreadsService) async throws(DataError) -> Result
  ) async throws(DataError) -> Result {
    let task = Task { () async -> Swift.Result<Result, DataError> in
      do throws(DataError) { return .success(try await body(self)) } catch { return .failure(error) }
    }
    return try await task.value.get()
  }
}
