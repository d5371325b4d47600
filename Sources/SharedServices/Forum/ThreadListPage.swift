/// One page of a list of threads.
public struct ThreadListPage: Sendable, Hashable {
  /// The forum whose list it is; `nil` for the bookmarks.
  public var forumID: Int?
  /// The number of the page, from 1.
  public var number: Int
  /// How many pages there are, at least 1.
  public var pageCount: Int
  /// The way from the front page to the forum, by name.
  public var breadcrumbs: [String]
  /// Whether the reader may begin a thread here.
  public var acceptsNewThreads: Bool
  /// What the moderators say above the threads; on the first page as a rule.
  public var announcements: [ForumAnnouncement]
  /// The threads, in the order of the page: the sticky ones first.
  public var threads: [ForumThread]

  /// A page.
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

/// What the moderators say above the threads of a forum.
public struct ForumAnnouncement: Sendable, Hashable {
  /// The title.
  public var title: String
  /// Who wrote it.
  public var author: String

  /// An announcement.
  public init(title: String, author: String) {
    self.title = title
    self.author = author
  }
}
