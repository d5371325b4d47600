public import SharedServices
public import Understudy

extension Contract where Subject == any ForumsClient {
  /// The contract of every ``/SharedServices/ForumsClient`` implementation.
  public static var forumsClient: Self {
    Contract("forum") {
      Clause.forumThreads
      Clause.forumPages
      Clause.forumBookmarks
      Clause.forumReaders
      Clause.forumMarks
      Clause.forumRefusals
      Clause.forumFailures
      Clause.forumConcurrency
    }
  }
}

extension ServiceCall where Service == any ForumsClient {
  /// The calls that return lists of threads.
  static func lists(ofForum forum: Int) -> [ServiceCall] {
    [
      ServiceCall(name: "threads") { _ = try await $0.threads(inForum: forum, page: 1) },
      ServiceCall(name: "threads on page 2") { _ = try await $0.threads(inForum: forum, page: 2) },
      ServiceCall(name: "bookmarks") { _ = try await $0.bookmarks(page: 1) },
      ServiceCall(name: "bookmarks on page 2") { _ = try await $0.bookmarks(page: 2) },
    ]
  }

  /// The calls that mark or bookmark a thread.
  static func marks(seen: Int, unseen: Int) -> [ServiceCall] {
    [
      ServiceCall(name: "markSeen") { try await $0.markSeen(threadID: seen, upTo: 1) },
      ServiceCall(name: "markUnseen") { try await $0.markUnseen(threadID: unseen) },
      ServiceCall(name: "setBookmark") { try await $0.setBookmark(.green, threadID: seen) },
      ServiceCall(name: "setBookmark to none") { try await $0.setBookmark(nil, threadID: unseen) },
    ]
  }
}

/// The forum with threads of all kinds, and calls that would show or change it.
struct ForumLists: Sendable {
  let forumID: Int
  /// The pages before the calls.
  let page: ThreadListPage
  let bookmarks: ThreadListPage
  /// A thread that was never read, and one that was read in part: a mark by ``calls`` changes either.
  let unread: ForumThread
  let read: ForumThread

  /// One call of each kind.
  var calls: [ServiceCall<any ForumsClient>] { lists + marks }
  /// Those that return lists.
  var lists: [ServiceCall<any ForumsClient>] { ServiceCall.lists(ofForum: forumID) }
  /// Those that mark and bookmark threads.
  var marks: [ServiceCall<any ForumsClient>] { ServiceCall.marks(seen: unread.id, unseen: read.id) }

  /// The lists after ``marks``.
  var marked: ForumReaders.Lists {
    let seen = ForumThread.Reading.seen(unreadCount: unread.replyCount)
    var lists = ForumReaders.Lists(
      forum: page.with(seen, of: unread.id).with(.never, of: read.id),
      bookmarks: bookmarks.with(seen, of: unread.id))
    lists.bookmark(.green, unread.id)
    lists.bookmark(nil, read.id)
    return lists
  }
}

extension ForumReaders.Lists {
  /// Bookmarks a thread of the forum, or removes its bookmark.
  mutating func bookmark(_ bookmark: ForumThread.Bookmark?, _ id: Int) {
    for place in forum.threads.indices where forum.threads[place].id == id {
      forum.threads[place].bookmark = bookmark
    }
    bookmarks.threads.removeAll { $0.id == id }
    guard bookmark != nil, var thread = forum.threads.first(where: { $0.id == id }) else { return }
    thread.forumID = nil
    let order = { (thread: ForumThread) in (thread.lastPostDate, thread.id) }
    let place = bookmarks.threads.firstIndex { order($0) < order(thread) } ?? bookmarks.threads.endIndex
    bookmarks.threads.insert(thread, at: place)
  }
}

extension ThreadListPage {
  /// The Unicode scalars of the titles and the names: the equality of strings ignores the normalization form.
  var scalars: [[Unicode.Scalar]] {
    threads.flatMap { [$0.title, $0.author.name, $0.lastPostAuthor] }.map { Array($0.unicodeScalars) }
  }

  /// Returns the page with another reading state of a thread.
  func with(_ reading: ForumThread.Reading, of id: Int) -> ThreadListPage {
    var page = self
    for place in threads.indices where threads[place].id == id { page.threads[place].reading = reading }
    return page
  }
}

extension Trial where Subject == any ForumsClient {
  /// Returns the id and the expected page of the forum with threads of all kinds.
  func forumWithThreads() async throws -> (id: Int, page: ThreadListPage) {
    let page = try await given(.forumHasThreads)
    return (try require(page.forumID, "Expected the page of a forum."), page)
  }

  /// Returns the page of the forum with threads of all kinds and the bookmarks.
  func forumReaderLists() async throws -> ForumReaders.Lists {
    ForumReaders.Lists(
      forum: try await forumWithThreads().page, bookmarks: try await given(.bookmarksAreSet))
  }

  /// Returns the lists with threads of all kinds, and a call of each kind.
  func forumLists() async throws -> ForumLists {
    let (id, page) = try await forumWithThreads()
    return ForumLists(
      forumID: id, page: page, bookmarks: try await given(.bookmarksAreSet),
      unread: try thread(of: page, "never read") { $0.reading == .never },
      read: try thread(of: page, "read in part") { $0.reading != .never && $0.hasUnreadPosts })
  }

  /// Expects the lists to be as they were before the calls.
  func expectUnchanged(_ lists: ForumLists, fileID: String = #fileID, line: Int = #line) async throws {
    try await expect(
      ForumReaders.Lists(forum: lists.page, bookmarks: lists.bookmarks), after: "it", fileID: fileID,
      line: line)
  }

  /// Expects the forum with threads of all kinds and the bookmarks to be these.
  func expect(
    _ lists: ForumReaders.Lists, after what: String, fileID: String = #fileID, line: Int = #line
  ) async throws {
    let id = try require(lists.forum.forumID, "Expected the page of a forum.", fileID: fileID, line: line)
    expect(
      try await subject.threads(inForum: id, page: 1), equals: lists.forum, "the page after \(what)",
      fileID: fileID, line: line)
    expect(
      try await subject.bookmarks(page: 1), equals: lists.bookmarks, "the bookmarks after \(what)",
      fileID: fileID, line: line)
  }

  /// Returns the first thread of a page that satisfies a predicate.
  func thread(of page: ThreadListPage, _ what: String, where matches: (ForumThread) -> Bool) throws
    -> ForumThread
  {
    try require(page.threads.first(where: matches), "The condition gave no thread that is \(what).")
  }

  /// Expects a thread to be in the list of a forum, with a certain reading state.
  func expect(
    reading: ForumThread.Reading?, of id: Int, inForum forum: Int, fileID: String = #fileID, line: Int = #line
  ) async throws {
    let found = try await subject.threads(inForum: forum, page: 1).threads.first { $0.id == id }?.reading
    expect(
      found, equals: reading, "what the reader has seen of the thread \(id)", fileID: fileID, line: line)
  }
}
