/// What happened to the list of a forum: the new list, and the rows that lead to it, as a table view wants them (seed
/// 002, `NSFetchedResultsController`).
public struct ThreadListChange: Sendable, Hashable {
  /// A place in the list: the sticky threads are section 0, the others section 1.
  public struct IndexPath: Sendable, Hashable {
    /// 0 for the sticky threads, 1 for the others.
    public var section: Int
    /// From 0.
    public var row: Int

    /// A place.
    public init(section: Int, row: Int) {
      self.section = section
      self.row = row
    }
  }

  /// What happened to a row.
  public enum Row: Sendable, Hashable {
    /// A thread came; with its place in the new list.
    case insert(ForumThread, at: IndexPath)
    /// A thread stays in its place and looks otherwise; with its place in the old list.
    case update(ForumThread, at: IndexPath)
    /// A thread went; with its place in the old list.
    case delete(ForumThread, at: IndexPath)
    /// A thread went from its place in the old list to one in the new list, and may look otherwise.
    case move(ForumThread, from: IndexPath, to: IndexPath)
  }

  /// The sticky threads and the others, after the change.
  public var sections: [[ForumThread]]
  /// What happened; empty for the first value of an observation.
  public var rows: [Row]

  /// A change.
  public init(sections: [[ForumThread]], rows: [Row]) {
    self.sections = sections
    self.rows = rows
  }
}
