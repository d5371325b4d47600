extension PostgRESTError {
  /// A column that must not be `NULL` would be (23502).
  ///
  /// - Parameter row: The values as PostgreSQL prints them; `nil` when row-level security hides them.
  package static func nullValue(column: String, table: String, row: [String]?) -> PostgRESTError {
    PostgRESTError(
      code: "23502",
      message: "null value in column \"\(column)\" of relation \"\(table)\" violates not-null constraint",
      details: row.map(failingRow))
  }

  /// A row that a check constraint refuses (23514).
  ///
  /// - Parameter row: The values as PostgreSQL prints them; `nil` when row-level security hides them.
  package static func violatedCheck(_ constraint: String, table: String, row: [String]?) -> PostgRESTError {
    PostgRESTError(
      code: "23514",
      message: "new row for relation \"\(table)\" violates check constraint \"\(constraint)\"",
      details: row.map(failingRow))
  }

  /// A row that refers to one that is not there (23503).
  ///
  /// - Parameter key: The columns and their values; `nil` when row-level security hides them.
  package static func missingReference(
    constraint: String, table: String, key: (columns: [String], values: [String])?, in referenced: String
  ) -> PostgRESTError {
    PostgRESTError(
      code: "23503",
      message: "insert or update on table \"\(table)\" violates foreign key constraint \"\(constraint)\"",
      details: "Key \(key.map(Self.key) ?? "")is not present in table \"\(referenced)\".")
  }

  /// A row cannot go, because another refers to it (23503).
  ///
  /// - Parameter key: The columns and their values; `nil` when row-level security hides them.
  package static func stillReferenced(
    constraint: String, table: String, key: (columns: [String], values: [String])?, from referring: String
  ) -> PostgRESTError {
    PostgRESTError(
      code: "23503",
      message: "update or delete on table \"\(table)\" violates foreign key constraint \"\(constraint)\""
        + " on table \"\(referring)\"",
      details: "Key \(key.map(Self.key) ?? "")is still referenced from table \"\(referring)\".")
  }

  /// A text that the type does not have (22P02).
  package static func invalidInput(
    _ text: String, type: String, showingText: Bool = true
  ) -> PostgRESTError {
    PostgRESTError(
      code: "22P02", message: "invalid input syntax for type \(type)" + (showingText ? ": \"\(text)\"" : ""))
  }

  /// A number beyond what the type holds (22003).
  package static func outOfRange(_ text: String, type: String) -> PostgRESTError {
    PostgRESTError(code: "22003", message: "value \"\(text)\" is out of range for type \(type)")
  }

  /// A value of one type for a column of another (42804).
  package static func mismatchedType(column: String, expected: String, found: String) -> PostgRESTError {
    PostgRESTError(
      code: "42804",
      message: "column \"\(column)\" is of type \(expected) but expression is of type \(found)",
      hint: "You will need to rewrite or cast the expression.")
  }

  /// A column that the table does not have, where one is read (42703).
  package static func unknownColumn(_ column: String, table: String) -> PostgRESTError {
    PostgRESTError(code: "42703", message: "column \(table).\(column) does not exist")
  }

  /// A column that the table does not have, where one is written (42703).
  package static func unknownTarget(_ column: String, table: String) -> PostgRESTError {
    PostgRESTError(
      code: "42703", message: "column \"\(column)\" of relation \"\(table)\" does not exist")
  }

  /// An upsert on columns that no constraint makes unique (42P10).
  package static let unmatchedConflictTarget = PostgRESTError(
    code: "42P10",
    message: "there is no unique or exclusion constraint matching the ON CONFLICT specification")

  /// An upsert that holds the same key twice (21000).
  package static let repeatedConflict = PostgRESTError(
    code: "21000", message: "ON CONFLICT DO UPDATE command cannot affect row a second time",
    hint: "Ensure that no rows proposed for insertion within the same command have duplicate constrained"
      + " values.")

  /// An upsert that would change a row which the policies hide (42501).
  package static func refusedByUsing(table: String) -> PostgRESTError {
    PostgRESTError(
      code: "42501",
      message: "new row violates row-level security policy (USING expression) for table \"\(table)\"")
  }

  /// A new or changed row that a restrictive policy refuses (42501).
  package static func refusedByPolicy(named policy: String, table: String) -> PostgRESTError {
    PostgRESTError(
      code: "42501",
      message: "new row violates row-level security policy \"\(policy)\" for table \"\(table)\"")
  }

  /// A table that the role has no right to, whatever its policies say (42501).
  package static func permissionDenied(table: String) -> PostgRESTError {
    PostgRESTError(code: "42501", message: "permission denied for table \(table)")
  }

  private static func failingRow(_ values: [String]) -> String {
    "Failing row contains (\(values.map(shortened).joined(separator: ", ")))."
  }

  private static func key(columns: [String], values: [String]) -> String {
    "(\(columns.joined(separator: ", ")))=(\(values.joined(separator: ", "))) "
  }

  /// PostgreSQL shows no more than 64 bytes of a value (`ExecBuildSlotValueDescription`).
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
