import Foundation
import UnderstudyPostgreSQL

/// The form of the rows in a body, as selected by `Accept` (`MediaType.hs`, `Plan/Negotiate.hs`).
enum ResponseForm: Hashable, Sendable {
  case array(stripsNulls: Bool)
  case object(stripsNulls: Bool)
  case csv

  var isSingular: Bool { if case .object = self { true } else { false } }

  var contentType: String {
    switch self {
    case .array(false): "application/json; charset=utf-8"
    case .array(true): "application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8"
    case .object(let stripsNulls):
      "application/vnd.pgrst.object+json\(stripsNulls ? ";nulls=stripped" : ""); charset=utf-8"
    case .csv: "text/csv; charset=utf-8"
    }
  }

  /// Reads the first accepted media type that is supported.
  ///
  /// - Throws: PGRST107; 501 if PostgREST would respond with a type that the emulator does not support.
  init(accept: String?, allowsPlans: Bool) throws(PostgRESTError) {
    guard let accept else {
      self = .array(stripsNulls: false)
      return
    }
    var unsupported: String?
    for (name, parameters) in Self.types(in: accept) {
      let stripsNulls = parameters.contains("nulls=stripped")
      switch name {
      case "application/vnd.pgrst.object+json", "application/vnd.pgrst.object":
        self = .object(stripsNulls: stripsNulls)
        return
      case "application/vnd.pgrst.array+json", "application/vnd.pgrst.array":
        self = .array(stripsNulls: stripsNulls)
        return
      case "application/json", "application/*", "*/*":
        self = .array(stripsNulls: false)
        return
      case "text/csv":
        self = .csv
        return
      case "application/vnd.pgrst.plan", "application/vnd.pgrst.plan+text", "application/vnd.pgrst.plan+json":
        // There is no planner whose decisions a plan could show.
        if allowsPlans { throw .notSupported("the plan of a statement (EXPLAIN)") }
      case "application/geo+json": unsupported = unsupported ?? name
      default: continue
      }
    }
    if let unsupported { throw .notSupported("responses of the type \(unsupported)") }
    throw .unavailableMediaType(accept)
  }

  /// The accepted types with their parameters, the preferred ones first (RFC 9110 §12.5.1).
  private static func types(in accept: String) -> [(name: String, parameters: [String])] {
    let types = accept.split(separator: ",").map { type in
      let parts = type.split(separator: ";").map { part in
        part.lowercased().filter { $0 != " " && $0 != "\"" }
      }
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
      return (name: parts.first ?? "", parameters: Array(parts.dropFirst()), quality: quality)
    }
    return types.enumerated().filter { $0.element.quality > 0 }
      .sorted { ($1.element.quality, $0.offset) < ($0.element.quality, $1.offset) }
      .map { ($0.element.name, $0.element.parameters) }
  }

  /// What a function returns, as far as the body depends on it.
  enum Result: Hashable, Sendable {
    case rows
    /// One row of a table or of columns.
    case row
    case scalar
    case scalars
  }

  /// The body as an expression over the rows `_postgrest_t` (`Query/SqlFragment.hs`, `handlerF`).
  func body(of result: Result) -> SQLExpression {
    // A single object of a function that returns a set of values is a row with one column.
    let isValue = result == .scalar || result == .scalars && !isSingular
    let rows = SQLExpression.name(isValue ? [Self.rows, Self.scalar] : [Self.rows])
    func stripped(_ value: SQLExpression, _ strips: Bool) -> SQLExpression {
      strips ? .call("json_strip_nulls", value) : value
    }
    func first(_ value: SQLExpression) -> SQLExpression {
      .infix("->", value, .number("0"))
    }
    let all = SQLExpression.call("json_agg", rows)
    let text: SQLExpression =
      switch (self, result) {
      case (.csv, _): Self.lines
      case (.array(let strips), .rows), (.array(let strips), .scalars):
        .call("coalesce", stripped(all, strips), .string("[]"))
      case (.array(let strips), _), (.object(let strips), _):
        .call("coalesce", stripped(first(all), strips), .string("null"))
      }
    return text.cast(to: "text")
  }

  /// The name of the rows of which the body is made.
  static let rows = "_postgrest_t"
  /// The name of the column with the result of a function that returns single values.
  static let scalar = "pgrst_scalar"

  /// The header of the columns, and a line for each row as PostgreSQL writes records.
  private static let lines: SQLExpression = {
    do {
      return try Script.expression(
        """
        (SELECT coalesce(string_agg(k, ','), '')
          FROM (SELECT row_to_json(hh) AS r FROM pgrst_source AS hh LIMIT 1) s, json_object_keys(s.r) AS k)
        || E'\\n'
        || coalesce(string_agg(substring(_postgrest_t::text, 2, length(_postgrest_t::text) - 2), E'\\n'), '')
        """)
    } catch {
      preconditionFailure("The expression of a CSV body is valid: \(error)")
    }
  }()
}
