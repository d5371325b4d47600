/// What a statement did to one row.
public enum DatabaseChange: Sendable, Equatable {
  /// The row was added; it is stored as given.
  case insert(DatabaseRow)
  /// The row was written again; it is now as given.
  case update(DatabaseRow)
  /// The row was removed; it was as given.
  case delete(DatabaseRow)
}

/// The consumer of a change feed was so far behind that changes had to be dropped, so the feed ended.
public struct ChangeFeedOverflow: Error, Sendable, Equatable, CustomStringConvertible {
  /// How many changes were kept for it.
  public let bufferSize: Int

  /// An overflow of so many changes.
  public init(bufferSize: Int) {
    self.bufferSize = bufferSize
  }

  /// What happened, and what to do.
  public var description: String {
    "The change feed ended because more than \(bufferSize) changes waited to be read. Read faster, or keep more."
  }
}
