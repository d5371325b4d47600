import Foundation

/// A condition on each row of a table.
///
/// As in SQL, it holds where a value is `NULL`.
public struct Check: Sendable {
  private enum Expression: Sendable {
    case range(column: String, ClosedRange<Int>)
    case oneOf(column: String, [String])
    case notAfterToday(column: String)
    case notBlank(column: String)
    case custom(@Sendable (DatabaseRow, CivilDate) -> Bool)
  }

  private let givenName: String?
  private let expression: Expression

  /// A number within a range, both ends included.
  public static func range(
    _ column: String, _ range: ClosedRange<Int>, name: String? = nil
  ) -> Check {
    Check(givenName: name, expression: .range(column: column, range))
  }

  /// One of several texts.
  public static func oneOf(_ column: String, _ values: [String], name: String? = nil) -> Check {
    Check(givenName: name, expression: .oneOf(column: column, values))
  }

  /// A date that is today, in UTC, or before.
  public static func notAfterToday(_ column: String, name: String? = nil) -> Check {
    Check(givenName: name, expression: .notAfterToday(column: column))
  }

  /// A text with more in it than white space: `… ~ '[^[:space:]]'`.
  public static func notBlank(_ column: String, name: String? = nil) -> Check {
    Check(givenName: name, expression: .notBlank(column: column))
  }

  /// Any condition.
  ///
  /// - Parameters:
  ///   - name: The constraint's name.
  ///   - condition: Whether a row may be stored, on this day in UTC. It must not call the database.
  public static func that(
    _ name: String, _ condition: @escaping @Sendable (DatabaseRow, _ today: CivilDate) -> Bool
  ) -> Check {
    Check(givenName: name, expression: .custom(condition))
  }

  /// Its own name, or the one that PostgreSQL gives to a check on one column: `<table>_<column>_check`.
  func name(in table: String) -> String {
    if let givenName { return givenName }
    return [table, column, "check"].compactMap { $0 }.joined(separator: "_")
  }

  /// The column that it is about, if it is about one.
  var column: String? {
    switch expression {
    case .range(let column, _), .oneOf(let column, _), .notAfterToday(let column), .notBlank(let column):
      column
    case .custom: nil
    }
  }

  func holds(for row: DatabaseRow, today: CivilDate) -> Bool {
    switch expression {
    case .range(let column, let range):
      switch row[column] {
      case .integer(let number): range.contains(number)
      case .double(let number): number >= Double(range.lowerBound) && number <= Double(range.upperBound)
      default: true
      }
    case .oneOf(let column, let values): row[column].textValue.map(values.contains) ?? true
    case .notAfterToday(let column): row[column].dateValue.map { $0 <= today } ?? true
    case .notBlank(let column): row[column].textValue.map { $0.contains { !$0.isWhitespace } } ?? true
    case .custom(let condition): condition(row, today)
    }
  }
}
