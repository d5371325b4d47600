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

  /// Returns the error for a row that refers to a missing row (23503).
  ///
  /// - Parameter key: The columns and their values; `nil` if row-level security hides them.
  package static func missingReference(
    constraint: String, table: String, key: (columns: [String], values: [String])?, in referenced: String
  ) -> PostgRESTError {
    PostgRESTError(
      code: "23503",
      message: "insert or update on table \"\(table)\" violates foreign key constraint \"\(constraint)\"",
      details: "Key \(key.map(Self.key) ?? "")is not present in table \"\(referenced)\".")
  }

  /// Returns the error for a row that cannot be deleted because another row refers to it (23503).
  ///
  /// - Parameter key: The columns and their values; `nil` if row-level security hides them.
  package static func stillReferenced(
    constraint: String, table: String, key: (columns: [String], values: [String])?, from referring: String
  ) -> PostgRESTError {
    PostgRESTError(
      code: "23503",
      message: "update or delete on table \"\(table)\" violates foreign key constraint \"\(constraint)\""
        + " on table \"\(referring)\"",
      details: "Key \(key.map(Self.key) ?? "")is still referenced from table \"\(referring)\".")
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

  /// Returns the error for a value of another type than the column (42804).
  package static func mismatchedType(column: String, expected: String, found: String) -> PostgRESTError {
    PostgRESTError(
      code: "42804",
      message: "column \"\(column)\" is of type \(expected) but expression is of type \(found)",
      hint: "You will need to rewrite or cast the expression.")
  }

  /// Returns the error for reading a column that does not exist (42703).
  package static func unknownColumn(_ column: String, table: String) -> PostgRESTError {
    PostgRESTError(code: "42703", message: "column \(table).\(column) does not exist")
  }

  /// Returns the error for writing a column that does not exist (42703).
  package static func unknownTarget(_ column: String, table: String) -> PostgRESTError {
    PostgRESTError(
      code: "42703", message: "column \"\(column)\" of relation \"\(table)\" does not exist")
  }

  /// The error for an upsert on columns without a unique constraint (42P10).
  package static let unmatchedConflictTarget = PostgRESTError(
    code: "42P10",
    message: "there is no unique or exclusion constraint matching the ON CONFLICT specification")

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

  /// Returns the error for an upsert of a row that the policies hide (42501).
  package static func refusedByUsing(table: String) -> PostgRESTError {
    PostgRESTError(
      code: "42501",
      message: "new row violates row-level security policy (USING expression) for table \"\(table)\"")
  }

  /// Returns the error for a new or changed row that a restrictive policy refuses (42501).
  package static func refusedByPolicy(named policy: String, table: String) -> PostgRESTError {
    PostgRESTError(
      code: "42501",
      message: "new row violates row-level security policy \"\(policy)\" for table \"\(table)\"")
  }

  /// Returns the error for a table without privileges for the role, independent of policies (42501).
  package static func permissionDenied(table: String) -> PostgRESTError {
    PostgRESTError(code: "42501", message: "permission denied for table \(table)")
  }

  private static func failingRow(_ values: [String]) -> String {
    "Failing row contains (\(values.map(shortened).joined(separator: ", ")))."
  }

  private static func key(columns: [String], values: [String]) -> String {
    "(\(columns.joined(separator: ", ")))=(\(values.joined(separator: ", "))) "
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
