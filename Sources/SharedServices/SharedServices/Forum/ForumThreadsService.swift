public import Foundation

/// A service over a client of the forum and a repository on the device.
///
/// Both belong to one reader. A reader who signs in after another one needs a repository of their own.
public actor ForumThreadsService: ThreadsService {
  private let client: any ForumsClient
  private let repository: any ThreadsRepository
  private let notifications: NotificationCenter

  /// The changes made since the oldest load in progress began.
  private var edits: [Edit] = []
  private var loadsUnderWay = 0

  /// A change of one thread that the forum has accepted.
  private struct Edit: Sendable {
    enum Value: Sendable {
      /// The number of the last seen post; `nil` for none.
      case mark(upTo: Int?)
      case bookmark(ForumThread.Bookmark?)
    }

    let threadID: Int
    let value: Value

    func apply(to thread: inout ForumThread) {
      switch value {
      case .mark(let index): thread.mark(readUpTo: index)
      case .bookmark(let bookmark): thread.bookmark = bookmark
      }
    }

    func store(in repository: any ThreadsRepository) async throws(DataError) {
      switch value {
      case .mark(let index): try await repository.markRead(threadID: threadID, upTo: index)
      case .bookmark(let bookmark): try await repository.setBookmark(bookmark, threadID: threadID)
      }
    }
  }

  // No default client and repository as in seed 002: a forgotten argument in a test would reach the real forum.
  /// Creates a service from a client and a repository.
  ///
  /// - Parameters:
  ///   - client: The client of the forum.
  ///   - repository: The threads stored on the device.
  ///   - notifications: The centre to which ``Foundation/NSNotification/Name/threadUpdated`` is posted.
  public init(
    client: any ForumsClient, repository: any ThreadsRepository, notifications: NotificationCenter = .default
  ) {
    self.client = client
    self.repository = repository
    self.notifications = notifications
  }

  /// Loads a page of a forum; see ``ThreadsService``.
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

  /// Loads a page of the bookmarks; see ``ThreadsService``.
  @discardableResult
  public func loadBookmarks(page: Int) async throws(DataError) -> ThreadListPage {
    try await load { client throws(DataError) in
      try await client.bookmarks(page: page)
    } storing: { repository, threads throws(DataError) in
      try await repository.save(threads)
    }
  }

  /// Marks a thread as read; see ``ThreadsService``.
  public func markRead(_ thread: ForumThread) async throws(DataError) {
    let index = thread.lastPostIndex
    try await client.markSeen(threadID: thread.id, upTo: index)
    try await keep(Edit(threadID: thread.id, value: .mark(upTo: index)), of: thread)
  }

  /// Marks a thread as never seen; see ``ThreadsService``.
  public func markUnread(_ thread: ForumThread) async throws(DataError) {
    try await client.markUnseen(threadID: thread.id)
    try await keep(Edit(threadID: thread.id, value: .mark(upTo: nil)), of: thread)
  }

  /// Bookmarks a thread, or removes its bookmark; see ``ThreadsService``.
  public func setBookmark(
    _ bookmark: ForumThread.Bookmark?, of thread: ForumThread
  ) async throws(DataError) {
    try await client.setBookmark(bookmark, threadID: thread.id)
    try await keep(Edit(threadID: thread.id, value: .bookmark(bookmark)), of: thread)
  }

  /// Returns the stored threads of a forum; see ``ThreadsService``.
  public func sections(ofForum forumID: Int) async throws(DataError) -> [[ForumThread]] {
    try await repository.threads(inForum: forumID, offset: 0, limit: nil).sections
  }

  /// Returns the stored threads of a forum and every change; see ``ThreadsService``.
  public func changes(
    inForum forumID: Int
  ) async throws(DataError) -> AsyncThrowingStream<ThreadListChange, any Error> {
    try await repository.changes(inForum: forumID)
  }

  private func load(
    _ ask: @Sendable (any ForumsClient) async throws(DataError) -> ThreadListPage,
    storing store: @Sendable (any ThreadsRepository, [ForumThread]) async throws(DataError) -> Void
  ) async throws(DataError) -> ThreadListPage {
    let begin = edits.count
    loadsUnderWay += 1
    defer {
      loadsUnderWay -= 1
      if loadsUnderWay == 0 { edits = [] }
    }
    var page = try await ask(client)
    let known = edits.count
    for edit in edits[begin..<known] {
      for place in page.threads.indices where page.threads[place].id == edit.threadID {
        edit.apply(to: &page.threads[place])
      }
    }
    try await store(repository, page.threads)
    try await keepEdits(since: known)
    return page
  }

  /// Stores the changes again that were made while a page was stored, which may have overwritten them.
  ///
  /// Changes that are made meanwhile follow, so that the latest one wins.
  private func keepEdits(since first: Int) async throws(DataError) {
    try await uncancelled { service async throws(DataError) in
      var next = first
      while next < service.edits.count {
        let edit = service.edits[next]
        next += 1
        try await edit.store(in: service.repository)
      }
    }
  }

  private func keep(_ edit: Edit, of thread: ForumThread) async throws(DataError) {
    if loadsUnderWay > 0 { edits.append(edit) }
    let stored = try await uncancelled { service async throws(DataError) in
      try await edit.store(in: service.repository)
      return try? await service.repository.thread(id: edit.threadID)
    }
    var thread = thread
    edit.apply(to: &thread)
    // Seed 002 posts from the client, before the forum and the store have the change, which may still fail.
    notifications.post(name: .threadUpdated, object: stored ?? thread)
  }

  /// Runs `body` to its end, even if the task is cancelled.
  private func uncancelled<Result: Sendable>(
    _ body: @escaping @Sendable (isolated ForumThreadsService) async throws(DataError) -> Result
  ) async throws(DataError) -> Result {
    let task = Task { () async -> Swift.Result<Result, DataError> in
      do throws(DataError) { return .success(try await body(self)) } catch { return .failure(error) }
    }
    return try await task.value.get()
  }
}
