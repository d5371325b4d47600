import Foundation
import Understudy
import UnderstudyHTTP
import UnderstudyPostgreSQL

/// A subscription that a channel requests: an element of `config.postgres_changes`.
struct RealtimeBinding: Sendable {
  /// `INSERT`, `UPDATE`, `DELETE`, or `*`.
  let event: String
  let schema: String
  let table: String
  let conditions: [RealtimeCondition]
  /// The conditions for each table, which are bound once and again after a change of the table's columns.
  private let bound = Locked<[QualifiedName: BoundConditions]>([:])
  /// The columns to send in addition to the primary key; `nil` for all.
  let selected: [String]?

  private struct BoundConditions: Sendable {
    let columns: [Column]
    let conditions: [RowCondition]

    func isCurrent(for table: Table) -> Bool {
      columns.elementsEqual(table.columns) { $0.name == $1.name && $0.type == $1.type }
    }
  }

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

  /// Returns the matching tables among those that the publication `supabase_realtime` contains.
  ///
  /// - Throws: A refusal if no table matches, or if one does not have the requested columns.
  func tables(of session: Session) throws(Refusal) -> Set<QualifiedName> {
    var names: Set<QualifiedName> = []
    for table in session.state.catalogue.publishedTables
    where ["*", table.name.schema].contains(schema) && ["*", table.name.name].contains(self.table) {
      names.insert(table.name)
      do throws(PostgRESTError) {
        _ = try conditions(on: table, session)
        for name in selected ?? [] where table.column(name) == nil {
          throw PostgRESTError(code: "P0001", message: "invalid column for select \(name)")
        }
      } catch {
        throw refusal(error)
      }
    }
    guard !names.isEmpty else {
      throw Refusal(
        message: "Unable to subscribe to changes with given parameters. Please check Realtime is enabled for "
          + "the given connect parameters: [\(description)]")
    }
    return names
  }

  /// Returns the conditions for the rows of a table.
  private func conditions(on table: Table, _ session: Session) throws(PostgRESTError) -> [RowCondition] {
    if let known = bound.withLock({ $0[table.name] }), known.isCurrent(for: table) {
      return known.conditions
    }
    var made: [RowCondition] = []
    for condition in conditions { made.append(try condition.condition(on: table, session)) }
    bound.withLock { [made] in $0[table.name] = BoundConditions(columns: table.columns, conditions: made) }
    return made
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
    guard ["*", change.table.name.schema].contains(schema), ["*", change.table.name.name].contains(table)
    else {
      return false
    }
    let row = change.change.row
    if case .delete = change.change {
      guard conditions.allSatisfy({ row.primaryKey.contains($0.column) }) else { return false }
    }
    guard event == "*" || event == change.change.kind else { return false }
    guard !conditions.isEmpty else { return true }
    let session = change.session()
    guard let conditions = try? conditions(on: change.table, session) else { return false }
    return conditions.allSatisfy { session.satisfies(row.values, $0) }
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

  private static let comparisons = ["eq": "=", "neq": "<>", "lt": "<", "lte": "<=", "gt": ">", "gte": ">="]
  private static let patterns = ["like": "~~", "ilike": "~~*", "match": "~", "imatch": "~*"]

  /// Returns the condition for the rows of a table (`realtime.check_equality_op`,
  /// `realtime.subscription_check_filters`).
  ///
  /// - Throws: P0001 for a column or a value that the server refuses; class 22 for a value that is invalid for the
  ///   column's type.
  func condition(on table: Table, _ session: Session) throws(PostgRESTError) -> RowCondition {
    guard table.column(column) != nil else {
      throw PostgRESTError(code: "P0001", message: "invalid column for filter \(column)")
    }
    let name = SQLExpression.name([column])
    let expression: SQLExpression
    switch operation {
    case "in":
      expression = .quantified(name, operator: "=", .any, .array(.string(value)))
      guard value.count(where: { $0 == "," }) < 100 else {
        throw PostgRESTError(code: "P0001", message: "too many values for `in` filter. Maximum 100")
      }
    case "is":
      guard let test = IsTest(rawValue: value) else {
        throw PostgRESTError(
          code: "P0001", message: "invalid value for is filter: must be null, true, false, or unknown")
      }
      expression = .isTest(name, test, negated: false)
    case "isdistinct": expression = .isDistinct(name, .string(value), negated: false)
    default:
      guard let symbol = Self.comparisons[operation] ?? Self.patterns[operation] else {
        throw .notSupported("the operator \(operation) in filters")
      }
      expression = .infix(symbol, name, .string(value))
    }
    do throws(PostgreSQLError) {
      return try session.condition(isNegated ? .not(expression) : expression, on: table.name)
    } catch {
      throw PostgRESTError(error)
    }
  }

  /// The notation in the server's messages.
  var description: String { "{\"\(column)\", \"\(operation)\", \"\(value)\", \(isNegated)}" }
}
