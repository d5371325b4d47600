import UnderstudyHTTP

/// The query string of a request to a table.
struct QueryParameters {
  /// A column of the result.
  struct Selected {
    let name: String
    let column: String
  }

  var filter = DatabaseFilter.all
  var orderings: [DatabaseOrdering] = []
  /// The selected columns; `nil` for every column.
  var selected: [Selected]?
  var limit: Int?
  var offset = 0
  /// The columns to read from a body; `nil` for the columns in the body.
  var columns: [String]?
  /// The columns of `on_conflict`.
  var conflictColumns: [String]?

  /// - Throws: PGRST100, PGRST103, PGRST108 or PGRST200.
  init(_ items: [RequestTarget.Item], table: String) throws(PostgRESTError) {
    var filters: [DatabaseFilter] = []
    for item in items {
      switch item.name {
      case "select": selected = try Self.selection(item.value, table: table)
      case "order": orderings = try Self.orderings(item.value)
      case "limit":
        guard let limit = Int(item.value) else { continue }
        guard limit >= 0 else { throw .rangeNotSatisfiable("Limit should be greater than or equal to zero.") }
        self.limit = limit
      // PostgREST ignores a limit or an offset that is not a number.
      case "offset": offset = max(0, Int(item.value) ?? 0)
      case "columns": columns = Self.names(item.value)
      case "on_conflict": conflictColumns = Self.names(item.value)
      case "and", "or", "not.and", "not.or": filters.append(try FilterParser.logic(item.name, item.value))
      case "apikey": continue
      default:
        if item.name.contains(".") {
          throw .notEmbedded(String(item.name.prefix { $0 != "." }))
        }
        filters.append(try FilterParser.filter(on: Self.unquoted(item.name), item.value))
      }
    }
    if !filters.isEmpty { filter = .and(filters) }
  }

  /// Returns the names between commas, with or without quotes.
  private static func names(_ text: String) -> [String] {
    parts(of: text).map(unquoted)
  }

  private static func unquoted(_ name: String) -> String {
    name.count >= 2 && name.hasPrefix("\"") && name.hasSuffix("\"")
      ? String(name.dropFirst().dropLast()) : name
  }

  /// Returns the parts between the commas outside quotes and parentheses.
  private static func parts(of text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    var parts = [""]
    var depth = 0
    var isQuoted = false
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if !isQuoted, character == "(" { depth += 1 }
      if !isQuoted, character == ")" { depth -= 1 }
      if character == ",", !isQuoted, depth <= 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }

  private static func selection(_ text: String, table: String) throws(PostgRESTError) -> [Selected]? {
    var selected: [Selected] = []
    for part in parts(of: text) {
      if part == "*", text == "*" { return nil }
      var name = part
      var alias: String?
      if let colon = part.firstIndex(of: ":"), !part[colon...].hasPrefix("::") {
        alias = String(part[..<colon])
        name = String(part[part.index(after: colon)...])
      }
      if let parenthesis = name.firstIndex(of: "(") {
        let embedded = name[..<parenthesis].prefix { $0 != "!" }.drop { $0 == "." }
        throw .unknownRelationship(table, String(embedded))
      }
      guard !name.isEmpty, !name.contains("::") else {
        throw .unreadable(
          "select parameter", text, column: 1,
          details: "unexpected \"\(part)\" expecting field name (* or [a..z0..9_$])")
      }
      name = unquoted(name)
      selected.append(Selected(name: alias.map(unquoted) ?? name, column: name))
    }
    return selected
  }

  private static func orderings(_ text: String) throws(PostgRESTError) -> [DatabaseOrdering] {
    var orderings: [DatabaseOrdering] = []
    for part in parts(of: text) {
      var words = part.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      let column = unquoted(words.removeFirst())
      var isAscending = true
      var placesNullsFirst: Bool?
      if let direction = words.first, direction == "asc" || direction == "desc" {
        isAscending = direction == "asc"
        words.removeFirst()
      }
      if let nulls = words.first, nulls == "nullsfirst" || nulls == "nullslast" {
        placesNullsFirst = nulls == "nullsfirst"
        words.removeFirst()
      }
      guard words.isEmpty, !column.isEmpty else {
        throw .unreadable(
          "order", text, column: 1,
          details:
            "unexpected \"\(words.first ?? part)\" expecting asc, desc, nullsfirst or nullslast"
        )
      }
      orderings.append(DatabaseOrdering(column, isAscending: isAscending, placesNullsFirst: placesNullsFirst))
    }
    return orderings
  }
}

/// The requested range of rows, from the query string and the `Range` field.
struct RowRange {
  let offset: Int
  let limit: Int?

  /// - Throws: PGRST103.
  init(_ parameters: QueryParameters, _ field: String?) throws(PostgRESTError) {
    var lower = parameters.offset
    var upper = parameters.limit.map { lower.addingReportingOverflow($0) }.flatMap {
      $0.overflow ? nil : $0.partialValue
    }
    if let field {
      let numbers =
        field.split(separator: "=").last?.split(separator: "-", omittingEmptySubsequences: false) ?? []
      if numbers.count == 2, let first = Int(numbers[0]), first >= 0 {
        lower = max(lower, first)
        if let last = Int(numbers[1]) {
          guard first <= last else {
            throw .rangeNotSatisfiable(
              "The lower boundary must be lower than or equal to the upper boundary in the Range header.")
          }
          let end = last == .max ? last : last + 1
          upper = min(upper ?? end, end)
        }
      }
    }
    offset = lower
    limit = upper.map { max(0, $0 - lower) }
  }

  /// Returns the value of `Content-Range`: `0-9/*`, or `*` without rows.
  static func contentRange(offset: Int, rows: Int, total: Int?) -> String {
    let range = rows > 0 && total != 0 ? "\(offset)-\(offset + rows - 1)" : "*"
    return range + "/" + (total.map(String.init) ?? "*")
  }

  /// Returns the status, which is 206 if the result has more rows than were sent.
  static func status(rows: Int, total: Int?) -> Int {
    total.map { rows < $0 ? 206 : 200 } ?? 200
  }
}
