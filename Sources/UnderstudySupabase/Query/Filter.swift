/// Which rows a statement is about: the condition of its `WHERE`.
///
/// As in SQL a condition on a `NULL` is neither true nor false, and only rows for which it is true are meant.
public indirect enum Filter: Sendable, Hashable {
  /// How a value is compared with a column's.
  public enum Comparison: String, Sendable, Hashable, CaseIterable {
    /// The same.
    case equal = "eq"
    /// Another.
    case notEqual = "neq"
    /// Smaller.
    case less = "lt"
    /// Smaller or the same.
    case lessOrEqual = "lte"
    /// Greater.
    case greater = "gt"
    /// Greater or the same.
    case greaterOrEqual = "gte"
    /// Differs, `NULL` being a value like any other.
    case distinct = "isdistinct"
  }

  /// What `IS` asks for.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// `NULL`.
    case null
    /// Any value.
    case notNull = "not_null"
    /// True; for a boolean.
    case `true`
    /// False; for a boolean.
    case `false`
    /// `NULL`; for a boolean.
    case unknown
  }

  /// How two arrays are compared.
  public enum Containment: String, Sendable, Hashable, CaseIterable {
    /// The column has every element of the value.
    case contains = "cs"
    /// The value has every element of the column.
    case containedBy = "cd"
    /// They share an element.
    case overlaps = "ov"
  }

  /// Every row.
  case all
  /// Rows whose column compares so with a value.
  case comparison(column: String, Comparison, DatabaseValue)
  /// Rows whose text is like a pattern.
  ///
  /// `%` stands for any characters, `_` for one, and `\` comes before one that is meant itself.
  case like(column: String, pattern: String, ignoresCase: Bool)
  /// Rows whose column is `NULL`, or is true or false.
  case state(column: String, State)
  /// Rows whose column is one of several values.
  case among(column: String, [DatabaseValue])
  /// Rows whose `text[]` compares so with another.
  case containment(column: String, Containment, DatabaseValue)
  /// Rows that a condition is false for.
  case not(Filter)
  /// Rows that every condition is true for.
  case and([Filter])
  /// Rows that some condition is true for.
  case or([Filter])

  /// Rows whose column has a value.
  public static func equals(_ column: String, _ value: DatabaseValue) -> Filter {
    .comparison(column: column, .equal, value)
  }
}

/// What rows are sorted by.
public struct Ordering: Sendable, Hashable {
  /// The column.
  public let column: String
  /// From the smallest value to the greatest.
  public let isAscending: Bool
  /// Whether `NULL` comes before every value.
  public let placesNullsFirst: Bool

  /// An order by a column.
  ///
  /// - Parameter placesNullsFirst: `nil` is PostgreSQL's default: last when ascending, first when descending.
  public init(_ column: String, isAscending: Bool = true, placesNullsFirst: Bool? = nil) {
    self.column = column
    self.isAscending = isAscending
    self.placesNullsFirst = placesNullsFirst ?? !isAscending
  }

  /// From the greatest value to the smallest.
  public static func descending(_ column: String) -> Ordering {
    Ordering(column, isAscending: false)
  }
}
