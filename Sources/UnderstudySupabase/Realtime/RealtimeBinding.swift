import Foundation
import UnderstudyHTTP

/// A subscription that a channel requests: an element of `config.postgres_changes`.
struct RealtimeBinding: Sendable {
  /// `INSERT`, `UPDATE`, `DELETE`, or `*`.
  let event: String
  let schema: String
  let table: String
  let conditions: [RealtimeCondition]
  /// The columns to send in addition to the primary key; `nil` for all.
  let selected: [String]?

  /// The error of a subscription, with the text of the `system` message.
  struct Refusal: Error {
    let message: String
  }

  /// The identifier of the binding in events.
  let id: Int

  /// Returns an identifier of 27 bits that depends only on the parameters, like `phash2`.
  static func id(of parameters: JSONValue) -> Int {
    let hash = parameters.normalized().text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    // A client treats 0 as missing.
    return max(1, Int((hash ^ hash >> 32) & 0x7FF_FFFF))
  }

  /// Parses the parameters of a client (`Subscriptions.parse_subscription_params`).
  ///
  /// - Throws: A refusal for parameters with neither a schema nor a table, and for an invalid filter.
  init(_ parameters: JSONValue) throws(Refusal) {
    id = Self.id(of: parameters)
    let event = parameters["event"]?.stringValue?.uppercased() ?? "*"
    self.event = ["INSERT", "UPDATE", "DELETE"].contains(event) ? event : "*"
    switch parameters["select"] {
    case .array(let names)?:
      let names = names.compactMap(\.stringValue)
      selected = names.isEmpty ? nil : names.sorted()
    case .string?:
      throw Refusal(
        message: "Error parsing `select` params: expected a list of column name strings, "
          + #"e.g. select: ["col1", "col2"]"#)
    default: selected = nil
    }
    let (schema, table) = (parameters["schema"]?.stringValue, parameters["table"]?.stringValue)
    switch (parameters["schema"], parameters["table"], parameters["filter"]) {
    case (.string?, .string?, .string(let filter)?):
      do throws(RealtimeCondition.Malformed) {
        conditions = try RealtimeCondition.list(filter)
      } catch {
        throw Refusal(message: "Error parsing `filter` params: \(error.reason)")
      }
    case (.string?, .string?, nil), (.string?, nil, nil), (nil, .string?, nil): conditions = []
    default:
      throw Refusal(
        message:
          "No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: "
          + parameters.compactText)
    }
    self.schema = schema ?? "public"
    self.table = table ?? "*"
    if selected != nil, self.schema == "*" || self.table == "*" {
      throw Refusal(
        message: "Column selection is not supported for wildcard subscriptions. "
          + "Provide an explicit schema and table name.")
    }
  }

  /// Returns the indices of the matching tables among the published ones: all of the schema `public`.
  ///
  /// - Throws: A refusal if no table matches, or if one does not have the requested columns.
  func tables(among tables: [DatabaseTable]) throws(Refusal) -> Set<Int> {
    var places: Set<Int> = []
    for (place, table) in tables.enumerated()
    where table.isExposed && ["*", "public"].contains(schema) && ["*", table.name].contains(self.table) {
      places.insert(place)
      do throws(PostgRESTError) {
        for condition in conditions { _ = try condition.filter(for: table.layout) }
        for name in selected ?? [] where table.layout.positions[name] == nil {
          throw PostgRESTError(code: "P0001", message: "invalid column for select \(name)")
        }
      } catch {
        throw refusal(error)
      }
    }
    guard !places.isEmpty else {
      throw Refusal(
        message: "Unable to subscribe to changes with given parameters. Please check Realtime is enabled for "
          + "the given connect parameters: [\(description)]")
    }
    return places
  }

  /// Returns the refusal for an error of the database.
  func refusal(_ error: PostgRESTError) -> Refusal {
    Refusal(
      message:
        "Unable to subscribe to changes with given parameters. An exception happened so please check your "
        + "connect parameters: [\(description)]. Exception: ERROR \(error.code) \(error.message)")
  }

  /// Returns whether a change matches the binding.
  ///
  /// Of a deletion only the primary key is known, so a condition on another column does not match
  /// (`realtime.is_visible_through_filters`).
  func matches(_ change: RowChange) -> Bool {
    guard ["*", "public"].contains(schema), ["*", change.table.name].contains(table) else { return false }
    let row: DatabaseRow
    switch change.change {
    case .insert(let new), .update(let new): row = new
    case .delete(let old):
      guard conditions.allSatisfy({ change.table.primaryKey.contains($0.column) }) else { return false }
      row = old
    }
    guard event == "*" || event == change.change.kind else { return false }
    return conditions.allSatisfy { condition in
      (try? condition.filter(for: change.table.layout).holds(for: row.values)) == true
    }
  }

  private var description: String {
    let select = selected.map { "[\($0.map { "\"\($0)\"" }.joined(separator: ", "))]" } ?? "nil"
    return "event: \(event), schema: \(schema), table: \(table), "
      + "filters: [\(conditions.map(\.description).joined(separator: ", "))], select: \(select)"
  }
}

extension DatabaseChange {
  /// The name of the event on the wire.
  var kind: String {
    switch self {
    case .insert: "INSERT"
    case .update: "UPDATE"
    case .delete: "DELETE"
    }
  }
}

/// One condition of a binding's `filter`: `name=eq.Mia`, `age=not.in.(6,7)`.
struct RealtimeCondition: Sendable, CustomStringConvertible {
  let column: String
  private let operation: String
  private let value: String
  private let isNegated: Bool

  /// The error of an invalid condition.
  struct Malformed: Error {
    let reason: String
  }

  private static let operations: Set = [
    "eq", "neq", "lt", "lte", "gt", "gte", "in", "like", "ilike", "is", "match", "imatch", "isdistinct",
  ]

  /// Parses comma-separated conditions, all of which a row must match.
  static func list(_ text: String) throws(Malformed) -> [RealtimeCondition] {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if text.isEmpty { return [] }
    var conditions: [RealtimeCondition] = []
    for part in parts(of: text) { conditions.append(try RealtimeCondition(part)) }
    return conditions
  }

  /// Splits at the commas outside parentheses and quotes.
  private static func parts(of text: String) -> [String] {
    var parts = [""]
    var (depth, isQuoted, isEscaped) = (0, false, false)
    var last: Character?
    for character in text {
      if isEscaped {
        isEscaped = false
      } else if isQuoted {
        if character == "\\" { isEscaped = true }
        if character == "\"" { isQuoted = false }
      } else if character == "\"" {
        // Elsewhere a quote is an ordinary character.
        if let last, ".(,".contains(last) { isQuoted = true }
      } else if character == "(" {
        depth += 1
      } else if character == ")" {
        depth = max(0, depth - 1)
      } else if character == ",", depth == 0 {
        parts.append("")
        last = nil
        continue
      }
      parts[parts.count - 1].append(character)
      last = character
    }
    return parts
  }

  private init(_ text: String) throws(Malformed) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty else {
      throw Malformed(reason: "filter must not contain empty segments (check for extra commas)")
    }
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard sides.count == 2 else { throw Malformed(reason: "[\"\(text)\"]") }
    isNegated = sides[1].hasPrefix("not.")
    let parts = (isNegated ? sides[1].dropFirst(4) : sides[1][...])
      .split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, Self.operations.contains(parts[0]) else {
      throw Malformed(reason: "[\(parts.map { "\"\($0)\"" }.joined(separator: ", "))]")
    }
    column = sides[0]
    operation = parts[0]
    if operation == "in" {
      guard parts[1].count >= 2, parts[1].hasPrefix("("), parts[1].hasSuffix(")") else {
        throw Malformed(reason: "`in` filter value must be wrapped by parentheses")
      }
      value = "{" + parts[1].dropFirst().dropLast() + "}"
    } else {
      value = Self.unquoted(parts[1])
    }
  }

  /// Returns the content of the quotes, if they enclose the whole text.
  private static func unquoted(_ text: String) -> String {
    guard text.first == "\"" else { return text }
    var content = ""
    var isEscaped = false
    for (index, character) in text.enumerated().dropFirst() {
      if isEscaped {
        content.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        return index == text.count - 1 ? content : text
      } else {
        content.append(character)
      }
    }
    return text
  }

  /// Returns the condition for the rows of a table (`realtime.check_equality_op`,
  /// `realtime.subscription_check_filters`).
  ///
  /// - Throws: P0001 for a column or a value that the server refuses; class 22 for a value that is invalid for the
  ///   column's type; `UNDERSTUDY` for a regular expression.
  func filter(for layout: RowLayout) throws(PostgRESTError) -> RowFilter {
    guard layout.positions[column] != nil else {
      throw PostgRESTError(code: "P0001", message: "invalid column for filter \(column)")
    }
    let filter: DatabaseFilter
    switch operation {
    case "in":
      let values = try ArrayLiteral.elements(of: value)
      guard values.count <= 100 else {
        throw PostgRESTError(code: "P0001", message: "too many values for `in` filter. Maximum 100")
      }
      filter = .among(column: column, values.map { $0.map(ColumnValue.text) ?? .null })
    case "is":
      guard let state = DatabaseFilter.State(rawValue: value), state != .notNull else {
        throw PostgRESTError(
          code: "P0001", message: "invalid value for is filter: must be null, true, false, or unknown")
      }
      filter = .state(column: column, state)
    case "like", "ilike":
      filter = .like(column: column, pattern: value, ignoresCase: operation == "ilike")
    default:
      guard let comparison = DatabaseFilter.Comparison(rawValue: operation) else {
        throw .notSupported("the operator \(operation) in filters")
      }
      filter = .comparison(column: column, comparison, .text(value))
    }
    return try RowFilter(isNegated ? .not(filter) : filter, for: layout)
  }

  /// The notation in the server's messages.
  var description: String { "{\"\(column)\", \"\(operation)\", \"\(value)\", \(isNegated)}" }
}
