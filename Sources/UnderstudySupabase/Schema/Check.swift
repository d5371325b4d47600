import Foundation

/// A condition on each row of a table.
///
/// As in SQL, it holds where a value is `NULL`.
public struct Check: Sendable {
  /// `nil` until the table gives it the one that PostgreSQL would: `<table>_<column>_check`.
  let name: String?
  let expression: SQLExpression

  init(name: String?, _ expression: SQLExpression) {
    self.name = name
    self.expression = expression
  }

  /// A number within a range, both ends included.
  public static func range(
    _ column: String, _ range: ClosedRange<Int>, name: String? = nil
  ) -> Check {
    let bounds = [(">=", range.lowerBound), ("<=", range.upperBound)]
    return Check(
      name: name,
      SQLExpression(
        .and(
          bounds.map { symbol, bound in
            SQLExpression(.binary(symbol, .column(column), SQLExpression(.number(String(bound)))))
          })))
  }

  /// One of several texts.
  public static func oneOf(_ column: String, _ values: [String], name: String? = nil) -> Check {
    Check(name: name, SQLExpression(.among(.column(column), values.map { SQLExpression(.string($0)) })))
  }

  /// A date that is today, in UTC, or before.
  public static func notAfterToday(_ column: String, name: String? = nil) -> Check {
    Check(name: name, SQLExpression(.binary("<=", .column(column), .call("current_date"))))
  }

  /// A text with more in it than white space: `… ~ '[^[:space:]]'`.
  public static func notBlank(_ column: String, name: String? = nil) -> Check {
    Check(
      name: name, SQLExpression(.binary("~", .column(column), SQLExpression(.string("[^[:space:]]")))))
  }

  /// Any condition.
  ///
  /// - Parameters:
  ///   - name: The constraint's name.
  ///   - condition: Whether a row may be stored, on this day in UTC. It must not call the database.
  public static func that(
    _ name: String, _ condition: @escaping @Sendable (DatabaseRow, _ today: CivilDate) -> Bool
  ) -> Check {
    Check(
      name: name,
      SQLExpression(.custom { row, context in context.now.day.map { condition(row, $0) } ?? true }))
  }
}
