public import Foundation

/// A thread of a forum, as the forum lists it.
///
/// The name avoids a collision with Foundation's `Thread`.
public struct ForumThread: Sendable, Hashable, Identifiable, Codable {
  /// The id that the forum assigned: the digits of `thread123`.
  public let id: Int
  /// The thread's forum; `nil` in a list that does not include it, such as the bookmarks.
  ///
  /// An id, because a page of the forum has nothing else of it; seed 002 has an object of the store.
  public var forumID: Int?
  /// The title, with entities decoded.
  public var title: String
  /// Whether the thread is listed above the others.
  public var isSticky: Bool
  /// Whether the thread is closed to replies.
  public var isClosed: Bool
  /// The names of its icons, at most two: file names without folder and extension.
  public var icons: [String]
  /// The colour of its bookmark; `nil` if it is not bookmarked.
  public var bookmark: Bookmark?
  /// The author of the first post.
  public var author: ForumUser
  /// The number of replies.
  public var replyCount: Int
  /// The rating by readers; `nil` without enough votes.
  public var rating: Rating?
  /// The reading state.
  public var reading: Reading
  /// The date of the last post.
  public var lastPostDate: Date
  /// The author of the last post.
  public var lastPostAuthor: String

  /// The colors of bookmarks, `bm0` to `bm5`.
  public enum Bookmark: Int, Sendable, Hashable, CaseIterable, Codable {
    case orange = 0
    case red, yellow, cyan, green, purple
  }

  /// The average of votes.
  public struct Rating: Sendable, Hashable, Codable {
    /// The number of votes.
    public var voteCount: Int
    /// The average, from 1 to 5.
    public var average: Double

    /// Creates a rating.
    public init(voteCount: Int, average: Double) {
      self.voteCount = voteCount
      self.average = average
    }
  }

  /// The part of a thread that the reader has seen.
  public enum Reading: Sendable, Hashable, Codable {
    /// Never opened.
    case never
    /// Opened, with a number of newer posts.
    case seen(unreadCount: Int)
  }

  /// Creates a thread with all values of a list.
  public init(
    id: Int, forumID: Int?, title: String, isSticky: Bool = false, isClosed: Bool = false,
    icons: [String] = [], bookmark: Bookmark? = nil, author: ForumUser, replyCount: Int = 0,
    rating: Rating? = nil, reading: Reading = .never, lastPostDate: Date, lastPostAuthor: String
  ) {
    self.id = id
    self.forumID = forumID
    self.title = title
    self.isSticky = isSticky
    self.isClosed = isClosed
    self.icons = icons
    self.bookmark = bookmark
    self.author = author
    self.replyCount = replyCount
    self.rating = rating
    self.reading = reading
    self.lastPostDate = lastPostDate
    self.lastPostAuthor = lastPostAuthor
  }

  /// Whether the thread has posts that the reader has not seen (seed 002, `hasUnreadPosts`).
  public var hasUnreadPosts: Bool {
    switch reading {
    case .never: true
    case .seen(let unreadCount): unreadCount > 0
    }
  }
}

/// An author in the forums.
public struct ForumUser: Sendable, Hashable, Codable {
  /// The id that the forum assigned.
  public var id: Int
  /// The name.
  public var name: String

  /// Creates a user.
  public init(id: Int, name: String) {
    self.id = id
    self.name = name
  }
}

extension ForumThread {
  /// Whether the thread precedes another one in the list of a forum; see ``ThreadsRepository``.
  package func isListed(before other: ForumThread) -> Bool {
    // Seed 002 sorts by the date alone; the forum lists its sticky threads first.
    if isSticky != other.isSticky { return isSticky }
    if lastPostDate != other.lastPostDate { return lastPostDate > other.lastPostDate }
    return id > other.id
  }

  /// The number of the last post, from 1: the first post is not counted as a reply.
  package var lastPostIndex: Int { replyCount < .max ? max(1, replyCount + 1) : replyCount }

  /// Marks the posts up to and including an index as read, or the thread as never read; see ``ThreadsRepository``.
  package mutating func mark(readUpTo index: Int?) {
    guard let index else { return reading = .never }
    // The first post of a thread is not counted as a reply.
    let answersRead = max(1, index) - 1
    reading = .seen(unreadCount: max(answersRead, replyCount) - answersRead)
  }

  /// Throws for a thread that cannot be sorted: its date or its average is NaN.
  package func checkIsStorable() throws(DataError) {
    guard lastPostDate.timeIntervalSinceReferenceDate.isNaN || rating?.average.isNaN == true else { return }
    throw .storeError(
      "Thread \(id) has a date or a rating that is not a number (NaN). Nothing was stored."
    )
  }
}

extension [ForumThread] {
  /// The sticky threads and the others, for a list that is sorted.
  package var sections: [[ForumThread]] {
    let end = firstIndex { !$0.isSticky } ?? endIndex
    return [Array(self[..<end]), Array(self[end...])]
  }
}
