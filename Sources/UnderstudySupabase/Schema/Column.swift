/// A column of a table.
public struct Column: Sendable, Hashable {
  /// What a row that names no value of its own gets.
  public enum Default: Sendable, Hashable {
    /// Always the same.
    case value(DatabaseValue)
    /// A new version 4 UUID, from the database's seed (`gen_random_uuid()`).
    case generatedUUID
    /// The moment of the statement (`now()`).
    case now
    /// The user, or `NULL` where nobody is signed in (`auth.uid()`).
    case userID
  }

  /// As it is written in SQL.
  public let name: String
  /// What it holds.
  public let type: ColumnType
  /// Whether it may be `NULL`.
  public let isNullable: Bool
  /// What it holds when a new row says nothing; `nil` is `NULL`.
  public let defaultValue: Default?
  /// Whether every update sets it to the moment of the statement, as a trigger would.
  public let isSetOnUpdate: Bool

  /// A column, `NOT NULL` unless it is said otherwise.
  public init(
    _ name: String, _ type: ColumnType, isNullable: Bool = false, default defaultValue: Default? = nil,
    isSetOnUpdate: Bool = false
  ) {
    self.name = name
    self.type = type
    self.isNullable = isNullable
    self.defaultValue = defaultValue
    self.isSetOnUpdate = isSetOnUpdate
  }
}
