extension PostgRESTError {
  /// Returns the error for `NULL` in a column that does not allow it (23502).
  ///
  /// - Parameter row: The values in the notation of PostgreSQL; `nil` if row-level security hides them.
  package static func nullValue(column: String, table: String, row: [String]?) -> PostgRESTError {
    PostgRESTError(
      code: "23502",
      message: "null value in column \"\(column)\" of relation \"\(table)\" violates not-null constraint",
      details: row.map(failingRow))
  }

  /// Returns the error for a row that violates a check constraint (23514).
  ///
  /// - Parameter row: The values in the notation of PostgreSQL; `nil` if row-level security hides them.
  package static func violatedCheck(_ constraint: String, table: String, row: [String]?) -> PostgRESTError {
    PostgRESTError(
      code: "23514",
      message: "new row for relation \"\(table)\" violates check constraint \"\(constraint)\"",
      details: row.map(failingRow))
  }

  /// Returns the error for a text that is invalid for the type (22P02).
  package static func invalidInput(
    _ text: String, type: String, showingText: Bool = true
  ) -> PostgRESTError {
    PostgRESTError(
      code: "22P02", message: "invalid input syntax for type \(type)" + (showingText ? ": \"\(text)\"" : ""))
  }

  /// Returns the error for a number outside the range of the type (22003).
  package static func outOfRange(_ text: String, type: String) -> PostgRESTError {
    PostgRESTError(code: "22003", message: "value \"\(text)\" is out of range for type \(type)")
  }

  /// The error for an upsert with the same key twice (21000).
  package static let repeatedConflict = PostgRESTError(
    code: "21000", message: "ON CONFLICT DO UPDATE command cannot affect row a second time",
    hint: "Ensure that no rows proposed for insertion within the same command have duplicate constrained"
      + " values.")

  /// Returns the error of the extension `safeupdate` for a change of every row (21000, status 400).
  ///
  /// - Parameter statement: `UPDATE` or `DELETE`.
  package static func unfilteredChange(_ statement: String) -> PostgRESTError {
    PostgRESTError(code: "21000", message: "\(statement) requires a WHERE clause")
  }

  /// Returns the error for a new or changed row that a restrictive policy refuses (42501).
  package static func refusedByPolicy(named policy: String, table: String) -> PostgRESTError {
    PostgRESTError(
      code: "42501",
      message: "new row violates row-level security policy \"\(policy)\" for table \"\(table)\"")
  }

  private static func failingRow(_ values: [String]) -> String {
    "Failing row contains (\(values.map(shortened).joined(separator: ", ")))."
  }

  /// Truncates a value to 64 bytes, as PostgreSQL does (`ExecBuildSlotValueDescription`).
  private static func shortened(_ value: String) -> String {
    guard value.utf8.count > 64 else { return value }
    var kept = ""
    for scalar in value.unicodeScalars {
      guard kept.utf8.count + String(scalar).utf8.count <= 64 else { break }
      kept.unicodeScalars.append(scalar)
    }
    return kept + "..."
  }
}
