import Foundation
import SharedServices

/// The mapping between threads and their table.
enum StoredThreadRow {
  static let columns = [
    "id", "forum_id", "title", "is_sticky", "is_closed", "icons", "bookmark", "author_id", "author_name",
    "reply_count", "rating_vote_count", "rating_average", "unread_count", "last_post_date",
    "last_post_author",
  ]

  /// Inserts a thread, or updates all values of a stored one, except the forum if the new value has none.
  static let upsert = """
    INSERT INTO threads (\(columns.joined(separator: ", ")))
    VALUES (\(columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")))
    ON CONFLICT (id) DO UPDATE SET forum_id = coalesce(excluded.forum_id, forum_id),
    \(columns.dropFirst(2).map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
    """

  /// Selects threads; precedes a `WHERE`.
  static let select = "SELECT \(columns.joined(separator: ", ")) FROM threads"

  /// Selects a part of a forum's list; the parameters are the forum, the limit and the offset.
  static let page =
    select + " WHERE forum_id = ?1 ORDER BY is_sticky DESC, last_post_date DESC, id DESC LIMIT ?2 OFFSET ?3"

  /// Marks a thread; the parameters are the id and the number of replies read.
  ///
  /// NULL marks it as never read, which sets `unread_count` to NULL.
  static let mark = "UPDATE threads SET unread_count = max(?2, reply_count) - ?2 WHERE id = ?1"

  /// Binds the values of all columns.
  static func bind(
    _ thread: ForumThread, inForum forumID: Int?, to statement: Statement
  ) throws(SQLiteError) {
    try statement.bind(thread.id, at: 1)
    try statement.bind(forumID, at: 2)
    try statement.bind(thread.title, at: 3)
    try statement.bind(thread.isSticky, at: 4)
    try statement.bind(thread.isClosed, at: 5)
    try statement.bind(text(of: thread.icons), at: 6)
    try statement.bind(thread.bookmark?.rawValue, at: 7)
    try statement.bind(thread.author.id, at: 8)
    try statement.bind(thread.author.name, at: 9)
    try statement.bind(thread.replyCount, at: 10)
    try statement.bind(thread.rating?.voteCount, at: 11)
    try statement.bind(thread.rating?.average, at: 12)
    try statement.bind(unreadCount(of: thread.reading), at: 13)
    try statement.bind(thread.lastPostDate.timeIntervalSinceReferenceDate, at: 14)
    try statement.bind(thread.lastPostAuthor, at: 15)
  }

  /// Returns the thread in the current row of a statement.
  static func thread(_ row: Statement) -> ForumThread {
    ForumThread(
      id: row.int(0), forumID: row.optionalInt(1), title: row.text(2), isSticky: row.bool(3),
      isClosed: row.bool(4), icons: icons(in: row.text(5)),
      bookmark: row.optionalInt(6).flatMap(ForumThread.Bookmark.init),
      author: ForumUser(id: row.int(7), name: row.text(8)), replyCount: row.int(9),
      rating: row.optionalInt(10).map { ForumThread.Rating(voteCount: $0, average: row.double(11)) },
      reading: row.optionalInt(12).map { .seen(unreadCount: $0) } ?? .never,
      lastPostDate: Date(timeIntervalSinceReferenceDate: row.double(13)), lastPostAuthor: row.text(14))
  }

  /// The value of `unread_count`: NULL for a thread that was never opened.
  private static func unreadCount(of reading: ForumThread.Reading) -> Int? {
    switch reading {
    case .never: nil
    case .seen(let unreadCount): unreadCount
    }
  }

  /// Joins the icons in one text with a slash after each, because file names contain none.
  ///
  /// A slash in a name is escaped as in URLs.
  ///
  /// By scalars, because a slash and a following combining mark form one character.
  private static func text(of icons: [String]) -> String {
    var text = String.UnicodeScalarView()
    for icon in icons {
      for scalar in icon.unicodeScalars {
        switch scalar {
        case "%": text.append(contentsOf: "%25".unicodeScalars)
        case "/": text.append(contentsOf: "%2F".unicodeScalars)
        default: text.append(scalar)
        }
      }
      text.append("/")
    }
    return String(text)
  }

  private static func icons(in text: String) -> [String] {
    if text.isEmpty { return [] }
    return text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).dropLast().map {
      icon in
      var name = String.UnicodeScalarView()
      var rest = icon[...]
      while let scalar = rest.popFirst() {
        guard scalar == "%" else {
          name.append(scalar)
          continue
        }
        name.append(rest.starts(with: "2F".unicodeScalars) ? "/" : "%")
        rest = rest.dropFirst(2)
      }
      return String(name)
    }
  }
}
