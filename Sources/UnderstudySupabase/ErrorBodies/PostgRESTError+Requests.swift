extension PostgRESTError {
  /// A query parameter that cannot be read (PGRST100).
  ///
  /// - Parameters:
  ///   - what: Such as `filter` or `order`.
  ///   - column: Where reading stopped, counted from 1.
  package static func unreadable(
    _ what: String, _ text: String, column: Int, details: String
  ) -> PostgRESTError {
    PostgRESTError(
      code: "PGRST100", message: "\"failed to parse \(what) (\(text))\" (line 1, column \(column))",
      details: details)
  }

  /// A body that cannot be used (PGRST102).
  package static func unusableBody(_ message: String = "Empty or invalid json") -> PostgRESTError {
    PostgRESTError(code: "PGRST102", message: message)
  }

  /// A range that the result does not have (PGRST103).
  package static func rangeNotSatisfiable(_ details: String) -> PostgRESTError {
    PostgRESTError(code: "PGRST103", message: "Requested range not satisfiable", details: details)
  }

  /// A schema that is not exposed (PGRST106).
  package static func unknownSchema(_ schema: String) -> PostgRESTError {
    PostgRESTError(
      code: "PGRST106", message: "Invalid schema: \(schema)",
      hint: "Only the following schemas are exposed: public")
  }

  /// No media type that the client takes (PGRST107).
  package static func unavailableMediaType(_ accept: String) -> PostgRESTError {
    PostgRESTError(code: "PGRST107", message: "None of these media types are available: \(accept)")
  }

  /// A filter on something that the request does not embed (PGRST108).
  package static func notEmbedded(_ resource: String) -> PostgRESTError {
    PostgRESTError(
      code: "PGRST108", message: "'\(resource)' is not an embedded resource in this request",
      hint: "Verify that '\(resource)' is included in the 'select' query parameter.")
  }

  /// A method that no table answers (PGRST117).
  package static func unsupportedMethod(_ method: String) -> PostgRESTError {
    PostgRESTError(code: "PGRST117", message: "Unsupported HTTP method: \(method)")
  }

  /// A path that names no table (PGRST125).
  package static let invalidPath = PostgRESTError(
    code: "PGRST125", message: "Invalid path specified in request URL")

  /// Two tables that no foreign key joins (PGRST200).
  package static func unknownRelationship(_ table: String, _ other: String) -> PostgRESTError {
    PostgRESTError(
      code: "PGRST200",
      message: "Could not find a relationship between '\(table)' and '\(other)' in the schema cache",
      details: "Searched for a foreign key relationship between '\(table)' and '\(other)' in the schema"
        + " 'public', but no matches were found.")
  }

  /// A column of the body, or of `columns`, that the table does not have (PGRST204).
  package static func columnNotInCache(_ column: String, table: String) -> PostgRESTError {
    PostgRESTError(
      code: "PGRST204",
      message: "Could not find the '\(column)' column of '\(table)' in the schema cache")
  }

  /// A token that cannot be read (PGRST301).
  package static func malformedToken(_ message: String) -> PostgRESTError {
    PostgRESTError(code: "PGRST301", message: message)
  }

  /// A token that another key signed (PGRST301).
  package static let unverifiedToken = PostgRESTError(
    code: "PGRST301", message: "No suitable key or wrong key type",
    details: "None of the keys was able to decode the JWT")

  /// A token whose claims are not of their types (PGRST303).
  package static let malformedClaims = PostgRESTError(
    code: "PGRST303", message: "Parsing claims failed")
}
