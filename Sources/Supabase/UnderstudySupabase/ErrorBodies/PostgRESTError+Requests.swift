extension PostgRESTError {
  /// Returns the error for an invalid query parameter (PGRST100).
  ///
  /// - Parameters:
  ///   - what: The parsed part, such as `filter` or `order`.
  ///   - column: The column at which parsing stopped, from 1.
  package static func unreadable(
    _ what: String, _ text: String, column: Int, details: String
  ) -> PostgRESTError {
    PostgRESTError(
      code: "PGRST100", message: "\"failed to parse \(what) (\(text))\" (line 1, column \(column))",
      details: details)
  }

  /// Returns the error for a method that calls no function (PGRST101).
  package static func invalidCallMethod(_ method: String) -> PostgRESTError {
    PostgRESTError(code: "PGRST101", message: "Cannot use the \(method) method on RPC")
  }

  /// The error for a PUT whose filters are not the primary key (PGRST105).
  package static let invalidPutFilters = PostgRESTError(
    code: "PGRST105", message: "Filters must include all and only primary key columns with 'eq' operators")

  /// The error for a PUT with a limit (PGRST114).
  package static let putLimitNotAllowed = PostgRESTError(
    code: "PGRST114", message: "limit/offset querystring parameters are not allowed for PUT")

  /// The error for a PUT whose body has another key than its filters (PGRST115).
  package static let putKeyMismatch = PostgRESTError(
    code: "PGRST115", message: "Payload values do not match URL in primary key column(s)")

  /// The error for a limit of changed rows on a function that returns a single value (PGRST128).
  package static let maximumAffectedOfSingle = PostgRESTError(
    code: "PGRST128",
    message: "Function must return SETOF or TABLE when max-affected preference is used with handling=strict")

  /// Returns the error for an invalid body (PGRST102).
  package static func unusableBody(_ message: String = "Empty or invalid json") -> PostgRESTError {
    PostgRESTError(code: "PGRST102", message: message)
  }

  /// Returns the error for a range outside the result (PGRST103).
  package static func rangeNotSatisfiable(_ details: String) -> PostgRESTError {
    PostgRESTError(code: "PGRST103", message: "Requested range not satisfiable", details: details)
  }

  /// Returns the error for a schema that is not exposed (PGRST106).
  package static func unknownSchema(_ schema: String, exposed: [String] = ["public"]) -> PostgRESTError {
    PostgRESTError(
      code: "PGRST106", message: "Invalid schema: \(schema)",
      hint: "Only the following schemas are exposed: \(exposed.joined(separator: ", "))")
  }

  /// Returns the error for media types that are not available (PGRST107).
  package static func unavailableMediaType(_ accept: String) -> PostgRESTError {
    PostgRESTError(code: "PGRST107", message: "None of these media types are available: \(accept)")
  }

  /// Returns the error for a filter on a resource that the request does not embed (PGRST108).
  package static func notEmbedded(_ resource: String) -> PostgRESTError {
    PostgRESTError(
      code: "PGRST108", message: "'\(resource)' is not an embedded resource in this request",
      hint: "Verify that '\(resource)' is included in the 'select' query parameter.")
  }

  /// Returns the error for unknown preferences with `handling=strict` (PGRST122).
  package static func invalidPreferences(_ preferences: [String]) -> PostgRESTError {
    PostgRESTError(
      code: "PGRST122", message: "Invalid preferences given with handling=strict",
      details: "Invalid preferences: \(preferences.joined(separator: ", "))")
  }

  /// The error for aggregate functions, which are disabled by default (PGRST123).
  package static let aggregatesNotAllowed = PostgRESTError(
    code: "PGRST123", message: "Use of aggregate functions is not allowed")

  /// The error for aggregate functions in a spread relation with several rows (PGRST127).
  package static let aggregatesOfSpread = PostgRESTError(
    code: "PGRST127", message: "Feature not implemented",
    details: "Aggregates are not implemented for one-to-many or many-to-many spreads.")

  /// Returns the error for an update or a delete of more rows than `max-affected` allows (PGRST124).
  package static func tooManyAffected(rows: Int) -> PostgRESTError {
    PostgRESTError(
      code: "PGRST124", message: "Query result exceeds max-affected preference constraint",
      details: "The query affects \(rows) rows")
  }

  /// Returns the error for an unsupported method (PGRST117).
  package static func unsupportedMethod(_ method: String) -> PostgRESTError {
    PostgRESTError(code: "PGRST117", message: "Unsupported HTTP method: \(method)")
  }

  /// The error for an invalid path (PGRST125).
  package static let invalidPath = PostgRESTError(
    code: "PGRST125", message: "Invalid path specified in request URL")

  /// Returns the error for two relations without a relationship between them (PGRST200).
  package static func unknownRelationship(
    _ origin: String, _ target: String, hint: String? = nil, schema: String = "public",
    suggestion: String? = nil
  ) -> PostgRESTError {
    PostgRESTError(
      code: "PGRST200",
      message: "Could not find a relationship between '\(origin)' and '\(target)' in the schema cache",
      details: "Searched for a foreign key relationship between '\(origin)' and '\(target)"
        + (hint.map { "' using the hint '\($0)" } ?? "")
        + "' in the schema '\(schema)', but no matches were found.",
      hint: suggestion)
  }

  /// Returns the error for an embedding that could mean several relationships (PGRST201).
  ///
  /// - Parameter choices: What would choose each of them: `'target!constraint'`.
  package static func ambiguousRelationship(
    _ origin: String, _ target: String, _ candidates: [Candidate], choices: [String]
  ) -> PostgRESTError {
    PostgRESTError(
      code: "PGRST201",
      message: "Could not embed because more than one relationship was found for '\(origin)' and '\(target)'",
      hint: "Try changing '\(target)' to one of the following: \(choices.joined(separator: ", "))."
        + " Find the desired relationship in the 'details' key.",
      candidates: candidates)
  }

  /// Returns the error for an order by an embedded relation that has several rows (PGRST118).
  package static func relatedOrderNotToOne(_ origin: String, _ target: String) -> PostgRESTError {
    PostgRESTError(
      code: "PGRST118", message: "A related order on '\(target)' is not possible",
      details: "'\(origin)' and '\(target)' do not form a many-to-one or one-to-one relationship")
  }

  /// Returns the error for an unknown function (PGRST202).
  ///
  /// - Parameters:
  ///   - parameters: The given parameters, in the message.
  ///   - searched: What was searched for, in the details.
  package static func unknownFunction(
    _ function: String, parameters: String, searched: String, hint: String?
  ) -> PostgRESTError {
    PostgRESTError(
      code: "PGRST202", message: "Could not find the function \(function)\(parameters) in the schema cache",
      details:
        "Searched for the function \(function)\(searched), but no matches were found in the schema cache.",
      hint: hint)
  }

  /// Returns the error for a call that several functions could answer (PGRST203).
  package static func ambiguousFunction(_ signatures: [String]) -> PostgRESTError {
    PostgRESTError(
      code: "PGRST203",
      message: "Could not choose the best candidate function between: \(signatures.joined(separator: ", "))",
      hint:
        "Try renaming the parameters or the function itself in the database so function overloading can be"
        + " resolved")
  }

  /// Returns the error for an unknown column in the body or in `columns` (PGRST204).
  package static func columnNotInCache(_ column: String, table: String) -> PostgRESTError {
    PostgRESTError(
      code: "PGRST204",
      message: "Could not find the '\(column)' column of '\(table)' in the schema cache")
  }

  /// Returns the error of the extension `safeupdate` for a change of every row (21000, status 400).
  ///
  /// - Parameter statement: `UPDATE` or `DELETE`.
  package static func unfilteredChange(_ statement: String) -> PostgRESTError {
    PostgRESTError(code: "21000", message: "\(statement) requires a WHERE clause")
  }

  /// Returns the error for a malformed token (PGRST301).
  package static func malformedToken(_ message: String) -> PostgRESTError {
    PostgRESTError(code: "PGRST301", message: message)
  }

  /// The error for a token with the signature of another key (PGRST301).
  package static let unverifiedToken = PostgRESTError(
    code: "PGRST301", message: "No suitable key or wrong key type",
    details: "None of the keys was able to decode the JWT")

  /// The error for a token with claims of invalid types (PGRST303).
  package static let malformedClaims = PostgRESTError(
    code: "PGRST303", message: "Parsing claims failed")
}
