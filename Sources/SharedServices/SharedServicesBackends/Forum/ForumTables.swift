import Foundation
import SharedServices

/// The tables of a forum's server, from which it makes its pages.
///
/// A row has what a thread is for everyone; what the reader has seen and bookmarked is in tables of its own.
struct ForumTables: Sendable {
  private struct Row: Sendable {
    let id: Int
    let forumID: Int?
    let title: String
    let isSticky: Bool
    let isClosed: Bool
    let icon: String?
    let secondIcon: String?
    let author: ForumUser
    /// The number of posts after the first one.
    let replyCount: Int
    /// The number of votes, and a hundred times their average.
    let votes: (count: Int, hundredths: Double)?
    /// The whole minutes from 1970 to the last post.
    let lastPostMinute: Double
    let lastPostAuthor: String
  }

  /// The refusal of every request, if there is one.
  var refusal: ForumRefusal?

  private var boards: [Int: ForumBoard] = [:]
  private var rows: [Int: Row] = [:]
  /// The number of replies that the reader has seen, for each opened thread; -1 without the first post.
  private var repliesSeen: [Int: Int] = [:]
  private var bookmarks: [Int: ForumThread.Bookmark] = [:]

  init(boards: [ForumBoard], threads: [ForumThread]) {
    for board in boards { self.boards[board.id] = board }
    for thread in threads { store(thread) }
  }

  // MARK: - Threads

  /// Stores a thread, with the texts as a form sends them.
  mutating func store(_ thread: ForumThread) {
    let row = Row(
      id: thread.id, forumID: thread.forumID, title: thread.title.fieldValue, isSticky: thread.isSticky,
      isClosed: thread.isClosed, icon: thread.icons.first, secondIcon: thread.icons.dropFirst().first,
      author: ForumUser(id: thread.author.id, name: thread.author.name.fieldValue),
      replyCount: max(0, thread.replyCount),
      votes: thread.rating.map { (count: $0.voteCount, hundredths: ($0.average * 100).rounded()) },
      lastPostMinute: (thread.lastPostDate.timeIntervalSince1970 / 60).rounded(.down),
      lastPostAuthor: thread.lastPostAuthor.fieldValue)
    rows[row.id] = row
    bookmarks[row.id] = thread.bookmark
    switch thread.reading {
    case .never: repliesSeen[row.id] = nil
    // Below -1 for more unread posts than there are.
    case .seen(let unreadCount): repliesSeen[row.id] = row.replyCount - max(0, unreadCount)
    }
  }

  /// The thread with an id as the reader sees it; `nil` if it does not exist.
  func thread(id: Int) -> ForumThread? {
    rows[id].map(shown)
  }

  private func shown(_ row: Row) -> ForumThread {
    ForumThread(
      id: row.id, forumID: row.forumID, title: row.title, isSticky: row.isSticky, isClosed: row.isClosed,
      icons: [row.icon, row.secondIcon].compactMap(\.self), bookmark: bookmarks[row.id], author: row.author,
      replyCount: row.replyCount,
      rating: row.votes.map { .init(voteCount: $0.count, average: $0.hundredths / 100) },
      reading: reading(of: row), lastPostDate: Date(timeIntervalSince1970: row.lastPostMinute * 60),
      lastPostAuthor: row.lastPostAuthor)
  }

  private func reading(of row: Row) -> ForumThread.Reading {
    guard let seen = repliesSeen[row.id] else { return .never }
    let (count, isTooGreat) = row.replyCount.subtractingReportingOverflow(seen)
    return .seen(unreadCount: isTooGreat ? .max : count)
  }

  // MARK: - Lists

  /// A page of a forum: the sticky threads, and then the others.
  func list(ofForum id: Int, page number: Int, perPage size: Int) throws(ForumRefusal) -> ThreadListPage {
    guard let board = boards[id] else { throw .other("There is no such forum.") }
    let newest = newestFirst { $0.forumID == id }
    var page = page(number, perPage: size, of: newest.filter(\.isSticky) + newest.filter { !$0.isSticky })
    page.forumID = id
    page.breadcrumbs = board.path + [board.name]
    page.acceptsNewThreads = board.acceptsNewThreads
    page.announcements = page.number > 1 ? [] : board.announcements
    return page
  }

  /// A page of the bookmarks of all forums.
  func listOfBookmarks(page number: Int, perPage size: Int) -> ThreadListPage {
    page(number, perPage: size, of: newestFirst { bookmarks[$0.id] != nil })
  }

  /// Some rows, first those with the newest post, and of the same minute the newest thread.
  private func newestFirst(where isListed: (Row) -> Bool) -> [Row] {
    rows.values.filter(isListed).sorted { ($0.lastPostMinute, $0.id) > ($1.lastPostMinute, $1.id) }
  }

  /// A page of rows: the first one for a number below 1, and the last one for a number beyond it.
  private func page(_ number: Int, perPage size: Int, of rows: [Row]) -> ThreadListPage {
    let size = min(max(1, size), 1000)
    let starts = Array(stride(from: 0, to: max(1, rows.count), by: size))
    let number = min(max(1, number), starts.count)
    return ThreadListPage(
      forumID: nil, number: number, pageCount: starts.count,
      threads: rows[starts[number - 1]...].prefix(size).map(shown))
  }

  // MARK: - What the reader does

  /// Marks the posts of a thread as seen, up to and including an index, from 1; 0 marks none.
  mutating func markSeen(_ id: Int, upTo index: Int) throws(ForumRefusal) -> ForumThread {
    let row = try row(id)
    repliesSeen[id] = min(max(0, index) - 1, row.replyCount)
    return shown(row)
  }

  /// Marks a thread as never opened.
  mutating func markUnseen(_ id: Int) throws(ForumRefusal) -> ForumThread {
    let row = try row(id)
    repliesSeen[id] = nil
    return shown(row)
  }

  /// Bookmarks a thread, or removes its bookmark.
  mutating func setBookmark(_ bookmark: ForumThread.Bookmark?, _ id: Int) throws(ForumRefusal) {
    let row = try row(id)
    bookmarks[row.id] = bookmark
  }

  private func row(_ id: Int) throws(ForumRefusal) -> Row {
    guard let row = rows[id] else { throw .other("There is no such thread.") }
    return row
  }
}

extension String {
  /// The text in one line, with a space for each white space of ASCII and none around it.
  fileprivate var fieldValue: String {
    let isBreak = { (scalar: Unicode.Scalar) in "\t\n\u{C}\r".unicodeScalars.contains(scalar) }
    var line = String.UnicodeScalarView(unicodeScalars.map { isBreak($0) ? " " : $0 })
    while line.first == " " { line.removeFirst() }
    while line.last == " " { line.removeLast() }
    return String(line)
  }
}
