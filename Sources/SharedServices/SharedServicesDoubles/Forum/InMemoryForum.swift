public import SharedServices
import Foundation
import Understudy

/// A forum in memory as one reader sees it, used through ``InMemoryForumsClient``.
///
/// ```swift
/// let forum = InMemoryForum(boards: [ForumBoard(id: 26, name: "Games")], threads: threads)
/// let client = InMemoryForumsClient(forum)
/// ```
public final class InMemoryForum: Sendable {
  private struct State {
    var boards: [Int: ForumBoard]
    var threads: [Int: ForumThread] = [:]
    var refusal: ForumRefusal?
  }

  /// The number of threads on a page.
  static let threadsPerPage = 40

  private let state: Locked<State>

  /// A forum with boards and threads; see ``store(_:)``.
  public init(boards: [ForumBoard], threads: [ForumThread] = []) {
    state = Locked(State(boards: Dictionary(boards.map { ($0.id, $0) }) { _, last in last }))
    for thread in threads { store(thread) }
  }

  // MARK: - Conditions for tests

  /// Stores a thread in place of the one with its id, if there is one.
  ///
  /// It is stored as a page can show it: dates to the minute, averages to the hundredth, two icons, and texts in one
  /// line, without spaces at their ends.
  public func store(_ thread: ForumThread) {
    state.withLock { $0.threads[thread.id] = thread.asShownOnPage }
  }

  /// Replaces threads by those that another reader sees, at once.
  ///
  /// - Returns: The replaced threads.
  package func exchange(_ threads: [ForumThread]) -> [ForumThread] {
    state.withLock { state in
      threads.compactMap { state.threads.updateValue($0.asShownOnPage, forKey: $0.id) }
    }
  }

  /// The thread with an id and its read state; `nil` if it does not exist.
  public func thread(id: Int) -> ForumThread? {
    state.withLock { $0.threads[id] }
  }

  /// Refuses every request from now on, as when the database is down or the reader is banned.
  ///
  /// - Parameter refusal: The refusal; `nil` accepts requests again.
  public func refuseRequests(with refusal: ForumRefusal?) {
    state.withLock { $0.refusal = refusal }
  }

  // MARK: - Requests of the client and of the service

  /// A page of a board: the sticky threads first, and of both kinds those with the newest post.
  func threads(inForum id: Int, page number: Int, perPage size: Int = threadsPerPage)
    throws(ForumRefusal)
    -> ThreadListPage
  {
    try answer { (state) throws(ForumRefusal) in
      guard let board = state.boards[id] else { throw .other("There is no such forum.") }
      let threads = state.threads.values.filter { $0.forumID == id }.sorted {
        $0.isSticky == $1.isSticky ? $0.isNewer(than: $1) : $0.isSticky
      }
      var page = ThreadListPage(of: threads, forumID: id, number: number, size: size)
      page.breadcrumbs = board.path + [board.name]
      page.acceptsNewThreads = board.acceptsNewThreads
      if page.number == 1 { page.announcements = board.announcements }
      return page
    }
  }

  /// A page of the threads that the reader has bookmarked, of all boards: first those with the newest post.
  func bookmarks(page number: Int, perPage size: Int = threadsPerPage) throws(ForumRefusal)
    -> ThreadListPage
  {
    try answer { (state) in
      var threads = state.threads.values.filter { $0.bookmark != nil }.sorted { $0.isNewer(than: $1) }
      // The list of bookmarks does not show the forums of its threads.
      for index in threads.indices { threads[index].forumID = nil }
      return ThreadListPage(of: threads, forumID: nil, number: number, size: size)
    }
  }

  /// Marks the posts of a thread as seen, up to and including the one at an index.
  ///
  /// The first post has the index 1. The index 0 marks no post, and an index beyond the last post marks all.
  func markSeen(threadID: Int, upTo index: Int) throws(ForumRefusal) {
    try change(threadID) { thread in
      // The first post is not a reply.
      let postCount = thread.replyCount < .max ? thread.replyCount + 1 : thread.replyCount
      thread.reading = .seen(unreadCount: postCount - min(max(0, index), postCount))
    }
  }

  /// Marks a thread as never seen.
  func markUnseen(threadID: Int) throws(ForumRefusal) {
    try change(threadID) { $0.reading = .never }
  }

  /// Bookmarks a thread, or removes its bookmark.
  func setBookmark(_ bookmark: ForumThread.Bookmark?, threadID: Int) throws(ForumRefusal) {
    try change(threadID) { $0.bookmark = bookmark }
  }

  private func change(_ id: Int, _ change: (inout ForumThread) -> Void) throws(ForumRefusal) {
    try answer { (state) throws(ForumRefusal) in
      guard var thread = state.threads[id] else { throw .other("There is no such thread.") }
      change(&thread)
      state.threads[id] = thread
    }
  }

  private func answer<Answer: Sendable>(
    _ body: (inout State) throws(ForumRefusal) -> Answer
  ) throws(ForumRefusal) -> Answer {
    try state.withLock { (state) throws(ForumRefusal) in
      if let refusal = state.refusal { throw refusal }
      return try body(&state)
    }
  }
}

extension ForumThread {
  fileprivate func isNewer(than other: ForumThread) -> Bool {
    (lastPostDate, id) > (other.lastPostDate, other.id)
  }

  fileprivate var asShownOnPage: ForumThread {
    var thread = self
    thread.title = title.inOneLine
    thread.author.name = author.name.inOneLine
    thread.lastPostAuthor = lastPostAuthor.inOneLine
    thread.icons = Array(icons.prefix(2))
    thread.replyCount = max(0, replyCount)
    let seconds = lastPostDate.timeIntervalSince1970
    thread.lastPostDate = Date(timeIntervalSince1970: (seconds / 60).rounded(.down) * 60)
    if let rating { thread.rating?.average = (rating.average * 100).rounded() / 100 }
    return thread
  }
}

extension String {
  /// The text with every other white space of ASCII as a space, and without spaces at its ends.
  fileprivate var inOneLine: String {
    let spaced = utf8.map { "\t\n\r\u{C}".utf8.contains($0) ? UInt8(ascii: " ") : $0 }
    let space = UInt8(ascii: " ")
    guard let first = spaced.firstIndex(where: { $0 != space }),
      let last = spaced.lastIndex(where: { $0 != space })
    else { return "" }
    return String(decoding: spaced[first...last], as: UTF8.self)
  }
}

extension ThreadListPage {
  /// A page of a list; a number beyond the last page is the last page, as in the real forum.
  fileprivate init(of threads: [ForumThread], forumID: Int?, number: Int, size: Int) {
    let size = min(max(1, size), 1000)
    let count = max(1, (threads.count + size - 1) / size)
    let number = min(max(1, number), count)
    self.init(
      forumID: forumID, number: number, pageCount: count,
      threads: Array(threads.dropFirst((number - 1) * size).prefix(size)))
  }
}

/// A client of an ``InMemoryForum`` that does not use HTML.
///
/// Calls do not suspend: a call in a cancelled task changes nothing, and any other runs to its end.
public struct InMemoryForumsClient: ForumsClient {
  private let forum: InMemoryForum
  private let threadsPerPage: Int

  /// A client of a forum, for its reader.
  public init(_ forum: InMemoryForum) {
    self.init(forum, threadsPerPage: InMemoryForum.threadsPerPage)
  }

  /// A client whose pages have another size.
  package init(_ forum: InMemoryForum, threadsPerPage: Int) {
    self.forum = forum
    self.threadsPerPage = threadsPerPage
  }

  /// A page of the threads of a forum; see `ForumsClient`.
  public func threads(inForum forumID: Int, page: Int) async throws(DataError) -> ThreadListPage {
    try answer { () throws(ForumRefusal) in
      try forum.threads(inForum: forumID, page: page, perPage: threadsPerPage)
    }
  }

  /// A page of the bookmarks; see `ForumsClient`.
  public func bookmarks(page: Int) async throws(DataError) -> ThreadListPage {
    try answer { () throws(ForumRefusal) in try forum.bookmarks(page: page, perPage: threadsPerPage) }
  }

  /// Marks posts as seen; see `ForumsClient`.
  public func markSeen(threadID: Int, upTo index: Int) async throws(DataError) {
    try answer { () throws(ForumRefusal) in try forum.markSeen(threadID: threadID, upTo: index) }
  }

  /// Marks a thread as never seen; see `ForumsClient`.
  public func markUnseen(threadID: Int) async throws(DataError) {
    try answer { () throws(ForumRefusal) in try forum.markUnseen(threadID: threadID) }
  }

  /// Bookmarks a thread, or removes its bookmark; see `ForumsClient`.
  public func setBookmark(_ bookmark: ForumThread.Bookmark?, threadID: Int) async throws(DataError) {
    try answer { () throws(ForumRefusal) in try forum.setBookmark(bookmark, threadID: threadID) }
  }

  private func answer<Answer>(_ ask: () throws(ForumRefusal) -> Answer) throws(DataError) -> Answer {
    if Task.isCancelled { throw .cancelled }
    do throws(ForumRefusal) {
      return try ask()
    } catch {
      throw .refused(error)
    }
  }
}
