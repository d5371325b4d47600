public import Foundation

/// A thread of a forum, as the list of its forum shows it.
///
/// Not called `Thread`, which is Foundation's.
public struct ForumThread: Sendable, Hashable, Identifiable {
  /// What the forum calls it: the digits of `thread123`.
  public let id: Int
  /// The forum that it stands in; `nil` in a list that does not say, such as the bookmarks.
  public var forumID: Int?
  /// The title, its entities decoded.
  public var title: String
  /// Whether it stays above the others.
  public var isSticky: Bool
  /// Whether nobody may answer any more.
  public var isClosed: Bool
  /// The names of its icons, at most two: the file without folder and ending.
  public var icons: [String]
  /// The colour of its bookmark; `nil` where it is not bookmarked.
  public var bookmark: Bookmark?
  /// Who began it.
  public var author: ForumUser
  /// How many answers it has.
  public var replyCount: Int
  /// What readers think of it; `nil` without enough votes.
  public var rating: Rating?
  /// How much of it the reader has seen.
  public var reading: Reading
  /// When the last post was written.
  public var lastPostDate: Date
  /// Who wrote the last post.
  public var lastPostAuthor: String

  /// The colours of bookmarks, `bm0` to `bm5`.
  public enum Bookmark: Int, Sendable, Hashable, CaseIterable, Codable {
    case orange = 0
    case red, yellow, cyan, green, purple
  }

  /// The average of votes.
  public struct Rating: Sendable, Hashable, Codable {
    /// How many voted.
    public var voteCount: Int
    /// From 1 to 5.
    public var average: Double

    /// An average.
    public init(voteCount: Int, average: Double) {
      self.voteCount = voteCount
      self.average = average
    }
  }

  /// How much of a thread the reader has seen.
  public enum Reading: Sendable, Hashable {
    /// Never opened.
    case never
    /// Opened; so many posts have come since.
    case seen(unreadCount: Int)
  }

  /// A thread with all that a list knows of it.
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

  /// Whether there are posts that the reader has not seen (seed 002, `hasUnreadPosts`).
  public var hasUnreadPosts: Bool {
    switch reading {
    case .never: true
    case .seen(let unreadCount): unreadCount > 0
    }
  }
}

/// Somebody who writes in the forums.
public struct ForumUser: Sendable, Hashable, Codable {
  /// What the forum calls them.
  public var id: Int
  /// The name.
  public var name: String

  /// A user.
  public init(id: Int, name: String) {
    self.id = id
    self.name = name
  }
}
