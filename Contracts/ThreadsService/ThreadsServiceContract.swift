public import SharedServices
public import Understudy

extension Contract where Subject == any ThreadsService {
  /// The contract of every ``/SharedServices/ThreadsService`` implementation.
  public static var threadsService: Self {
    Contract("threads-service") {
      Clause.loadingThreads
      Clause.loadingBookmarks
      Clause.editingThreads
      Clause.servingOtherReaders
      Clause.failingForum
      Clause.failingStore
      Clause.cancellingThreads
      Clause.racingThreads
      Clause.observingService
    }
  }
}

/// A forum of which a page is stored, and one call of each kind that would change what is stored or in the forum.
struct LoadedForum: Sendable {
  let id: Int
  /// What the forum shows, and what is stored.
  var lists: ForumReaders.Lists
  /// A thread that was never read, and one that was read in part.
  let unread: ForumThread
  let read: ForumThread

  typealias Call = ServiceCall<any ThreadsService>

  /// The calls that load.
  var loads: [Call] {
    [
      Call(name: "loadThreads") { [id] in try await $0.loadThreads(inForum: id, page: 1) },
      Call(name: "loadThreads on page 2") { [id] in try await $0.loadThreads(inForum: id, page: 2) },
      Call(name: "loadBookmarks") { try await $0.loadBookmarks(page: 1) },
    ]
  }

  /// The calls that change a thread.
  var edits: [Call] {
    [
      Call(name: "markRead") { [unread] in try await $0.markRead(unread) },
      Call(name: "markUnread") { [read] in try await $0.markUnread(read) },
      Call(name: "setBookmark") { [unread] in try await $0.setBookmark(.green, of: unread) },
      Call(name: "setBookmark to none") { [read] in try await $0.setBookmark(nil, of: read) },
    ]
  }

  /// The calls that only the store answers.
  var reads: [Call] {
    [
      Call(name: "sections") { [id] in _ = try await $0.sections(ofForum: id) },
      Call(name: "changes") { [id] in _ = try await $0.changes(inForum: id) },
    ]
  }

  /// What the forum shows after ``edits``.
  var edited: ForumReaders.Lists {
    var lists = lists
    lists.mark(.seen(unreadCount: 0), unread.id)
    lists.mark(.never, read.id)
    lists.bookmark(.green, unread.id)
    lists.bookmark(nil, read.id)
    return lists
  }
}

extension ForumReaders.Lists {
  /// Changes the reading state of a thread.
  mutating func mark(_ reading: ForumThread.Reading, _ id: Int) {
    forum = forum.with(reading, of: id)
    bookmarks = bookmarks.with(reading, of: id)
  }
}

extension [ForumThread] {
  /// The Unicode scalars of the titles and the names: the equality of strings ignores the normalization form.
  var scalars: [[Unicode.Scalar]] {
    flatMap { [$0.title, $0.author.name, $0.lastPostAuthor] }.map { [Unicode.Scalar]($0.unicodeScalars) }
  }
}

extension Trial where Subject == any ThreadsService {
  /// Returns the lists of the forum with threads of all kinds.
  func forumLists() async throws -> (id: Int, lists: ForumReaders.Lists) {
    let page = try await given(.forumHasThreads)
    let lists = ForumReaders.Lists(forum: page, bookmarks: try await given(.bookmarksAreSet))
    return (try require(page.forumID, "Expected the page of a forum."), lists)
  }

  /// Loads the forum with threads of all kinds.
  func loadedForum() async throws -> LoadedForum {
    let (id, lists) = try await forumLists()
    _ = try await require("to load the forum") { try await subject.loadThreads(inForum: id, page: 1) }
    return LoadedForum(
      id: id, lists: lists, unread: try thread(of: lists.forum, "never read") { $0.reading == .never },
      read: try thread(of: lists.bookmarks, "read in part") { $0.reading != .never && $0.hasUnreadPosts })
  }

  /// Returns the pages of the long forum, at least three.
  func longForum() async throws -> (id: Int, pages: [ThreadListPage]) {
    let pages = try await given(.forumIsLong)
    return (try require(pages.first?.forumID, "Expected the pages of a forum."), pages)
  }

  /// Returns the first thread of a page that satisfies a predicate.
  func thread(of page: ThreadListPage, _ what: String, where matches: (ForumThread) -> Bool) throws
    -> ForumThread
  {
    try require(page.threads.first(where: matches), "The condition gave no thread that is \(what).")
  }

  /// Expects these threads of a forum to be stored, and no others.
  func expectStored(
    _ threads: [ForumThread], inForum id: Int, _ when: String, fileID: String = #fileID, line: Int = #line
  ) async throws {
    let stored = try await subject.sections(ofForum: id)
    expect(stored, equals: threads.sections, "what is stored \(when)", fileID: fileID, line: line)
    expect(
      Array(stored.joined()).scalars, equals: threads.scalars, "the scalars of what is stored \(when)",
      fileID: fileID, line: line)
  }

  /// Expects the forum to show these lists to the reader, on another device.
  func expectInForum(
    _ lists: ForumReaders.Lists, _ when: String, fileID: String = #fileID, line: Int = #line
  ) async throws {
    let id = try require(lists.forum.forumID, "Expected the page of a forum.", fileID: fileID, line: line)
    let device = try await given(.readersOtherDevice)
    expect(
      try await device.loadThreads(inForum: id, page: 1), equals: lists.forum, "the forum's page \(when)",
      fileID: fileID, line: line)
    expect(
      try await device.loadBookmarks(page: 1), equals: lists.bookmarks, "the forum's bookmarks \(when)",
      fileID: fileID, line: line)
  }

  /// Expects the store and the forum to have these lists.
  func expect(
    _ lists: ForumReaders.Lists, inForum id: Int, _ when: String, fileID: String = #fileID, line: Int = #line
  ) async throws {
    try await expectStored(lists.forum.threads, inForum: id, when, fileID: fileID, line: line)
    try await expectInForum(lists, when, fileID: fileID, line: line)
  }

  /// Expects each call to throw an error, and to store and post nothing.
  ///
  /// - Parameter inForum: What the forum shows afterwards; `nil` if it is unchanged.
  func expectNothingStored(
    by calls: [ServiceCall<Subject>], of forum: LoadedForum, inForum changed: ForumReaders.Lists? = nil,
    _ when: String, fileID: String = #fileID, line: Int = #line,
    _ body: ([ServiceCall<Subject>]) async throws -> Void
  ) async throws {
    let updates = try await given(.updatesAreReceived)
    try await body(calls)
    expect(updates.posted(), equals: [], "what is posted \(when)", fileID: fileID, line: line)
    try await expectStored(
      forum.lists.forum.threads, inForum: forum.id, when, fileID: fileID, line: line)
    try await expectInForum(changed ?? forum.lists, when, fileID: fileID, line: line)
  }

  /// Observes a forum and reads the first value.
  func observation(ofForum id: Int) async throws -> ThreadsObservation {
    let changes = try await subject.changes(inForum: id)
    var iterator = changes.makeAsyncIterator()
    let first = try require(try await iterator.next(), "Expected the list at first, found the end.")
    return ThreadsObservation(changes: changes, first: first)
  }
}
