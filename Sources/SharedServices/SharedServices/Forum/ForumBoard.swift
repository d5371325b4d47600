/// A list of threads, which the forum calls a forum: what its pages show beside the threads.
public struct ForumBoard: Sendable, Hashable {
  /// The forum's id of it.
  public var id: Int
  /// The name.
  public var name: String
  /// The names of its parents, from the front page down.
  public var path: [String]
  /// Whether the reader may start a thread.
  public var acceptsNewThreads: Bool
  /// The announcements above the first page.
  public var announcements: [ForumAnnouncement]

  /// Creates a board.
  public init(
    id: Int, name: String, path: [String] = ["The Forums"], acceptsNewThreads: Bool = true,
    announcements: [ForumAnnouncement] = []
  ) {
    self.id = id
    self.name = name
    self.path = path
    self.acceptsNewThreads = acceptsNewThreads
    self.announcements = announcements
  }
}
