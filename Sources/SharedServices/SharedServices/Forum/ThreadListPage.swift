/// A page of a list of threads.
public struct ThreadListPage: Sendable, Hashable, Codable {
  /// The forum of the list; `nil` for the bookmarks.
  public var forumID: Int?
  /// The number of the page, from 1.
  public var number: Int
  /// The number of pages, at least 1.
  public var pageCount: Int
  /// The names of the pages from the front page to the forum.
  public var breadcrumbs: [String]
  /// Whether the reader may start a thread here.
  public var acceptsNewThreads: Bool
  /// The moderators' announcements above the threads; usually on the first page only.
  public var announcements: [ForumAnnouncement]
  /// The threads in the order of the page, sticky ones first.
  public var threads: [ForumThread]

  /// Creates a page.
  public init(
    forumID: Int?, number: Int, pageCount: Int, breadcrumbs: [String] = [], acceptsNewThreads: Bool = false,
    announcements: [ForumAnnouncement] = [], threads: [ForumThread]
  ) {
    self.forumID = forumID
    self.number = number
    self.pageCount = pageCount
    self.breadcrumbs = breadcrumbs
    self.acceptsNewThreads = acceptsNewThreads
    self.announcements = announcements
    self.threads = threads
  }
}

/// An announcement of the moderators above the threads of a forum.
public struct ForumAnnouncement: Sendable, Hashable, Codable {
  /// The title.
  public var title: String
  /// The author's name.
  public var author: String

  /// Creates an announcement.
  public init(title: String, author: String) {
    self.title = title
    self.author = author
  }
}
