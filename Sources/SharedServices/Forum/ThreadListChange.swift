/// A change of a forum's list: the new list and the changed rows, in the form that a table view needs (seed 002,
/// `NSFetchedResultsController`).
public struct ThreadListChange: Sendable, Hashable {
  /// A place in the list, with the sticky threads in section 0 and the others in section 1.
  public struct IndexPath: Sendable, Hashable {
    /// 0 for the sticky threads, 1 for the others.
    public var section: Int
    /// The row, from 0.
    public var row: Int

    /// Creates a place.
    public init(section: Int, row: Int) {
      self.section = section
      self.row = row
    }
  }

  /// A change of a row.
  public enum Row: Sendable, Hashable {
    /// A thread was inserted at a place in the new list.
    case insert(ForumThread, at: IndexPath)
    /// A thread changed without moving; with its place in the old list.
    case update(ForumThread, at: IndexPath)
    /// A thread was deleted from a place in the old list.
    case delete(ForumThread, at: IndexPath)
    /// A thread moved from a place in the old list to a place in the new list, and may have changed.
    case move(ForumThread, from: IndexPath, to: IndexPath)
  }

  /// The sticky threads and the others, after the change.
  public var sections: [[ForumThread]]
  /// The changed rows; empty for the first value of an observation.
  public var rows: [Row]

  /// Creates a change.
  public init(sections: [[ForumThread]], rows: [Row]) {
    self.sections = sections
    self.rows = rows
  }
}
