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

  /// - Parameter tables: The tables of the project, some of which a request could embed.
  /// - Throws: PGRST100, PGRST103, PGRST108, PGRST123 or PGRST200; 501 for what the emulator does not support.
  init(
    _ items: [RequestTarget.Item], table: String, among tables: [DatabaseTable]
  ) throws(PostgRESTError) {
    var filters: [DatabaseFilter] = []
    for item in items {
      switch item.name {
      case "select": selected = try Self.selection(item.value, table: table, among: tables)
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
        try Self.checkPath(item.name)
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

  /// - Throws: 501 for a path into a document, such as `extra->a`.
  private static func checkPath(_ name: String) throws(PostgRESTError) {
    if !name.hasPrefix("\""), name.contains("->") { throw .notSupported("JSON paths (\(name))") }
  }

  /// The functions of an aggregate (`QueryParams.hs`, `pAggregation`).
  private static let aggregates: Set = ["avg", "count", "max", "min", "sum"]

  private static func selection(
    _ text: String, table: String, among tables: [DatabaseTable]
  ) throws(PostgRESTError) -> [Selected]? {
    var selected: [Selected] = []
    for part in parts(of: text) {
      if part == "*", text == "*" { return nil }
      var name = part
      var alias: String?
      if let colon = part.firstIndex(of: ":"), !part[colon...].hasPrefix("::") {
        alias = String(part[..<colon])
        name = String(part[part.index(after: colon)...])
      }
      try checkPath(name)
      if let parenthesis = name.firstIndex(of: "(") {
        let word = name[..<parenthesis].split(separator: ".").last.map(String.init) ?? ""
        // Aggregates are disabled by default (`db-aggregates-enabled`), also in Supabase.
        if name[parenthesis...].hasPrefix("()"), aggregates.contains(word) { throw .aggregatesNotAllowed }
        let embedded = String(name[..<parenthesis].prefix { $0 != "!" }.drop { $0 == "." })
        throw couldEmbed(unquoted(embedded), in: table, among: tables)
          ? .notSupported("embedding other tables (\(part))") : .unknownRelationship(table, embedded)
      }
      if !name.hasPrefix("\""), name.contains("::") { throw .notSupported("casts (\(part))") }
      guard !name.isEmpty else {
        throw .unreadable(
          "select parameter", text, column: 1,
          details: "unexpected \"\(part)\" expecting field name (* or [a..z0..9_$])")
      }
      name = unquoted(name)
      selected.append(Selected(name: alias.map(unquoted) ?? name, column: name))
    }
    return selected
  }

  /// Returns whether a relationship could have a name: that of a table, a foreign key or its column.
  private static func couldEmbed(_ name: String, in table: String, among tables: [DatabaseTable]) -> Bool {
    tables.contains { other in
      other.name == name
        || (other.name == table && other.foreignKeys.contains { $0.name == name || $0.columns == [name] })
    }
  }

  private static func orderings(_ text: String) throws(PostgRESTError) -> [DatabaseOrdering] {
    var orderings: [DatabaseOrdering] = []
    for part in parts(of: text) {
      try checkPath(part)
      if !part.hasPrefix("\""), part.contains("(") {
        throw .notSupported("ordering by another table (\(part))")
      }
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

/// The requested range of rows, from the query string and the `Range` field (`RangeQuery.hs`).
struct RowRange {
  let offset: Int
  let limit: Int?

  /// - Parameter field: The field of a GET; one that is not two numbers, such as `items=0-9`, is ignored.
  /// - Throws: PGRST103.
  init(_ parameters: QueryParameters, _ field: String?) throws(PostgRESTError) {
    var lower = parameters.offset
    var upper = parameters.limit.map { lower.addingReportingOverflow($0) }.flatMap {
      $0.overflow ? nil : $0.partialValue
    }
    if let field, let match = field.wholeMatch(of: /([0-9]+)-([0-9]*)/) {
      // A number that is too large for a row is past every row.
      lower = max(lower, Int(match.1) ?? .max)
      if !match.2.isEmpty {
        let (first, last) = (Int(match.1) ?? .max, Int(match.2) ?? .max)
        guard first <= last else {
          throw .rangeNotSatisfiable(
            "The lower boundary must be lower than or equal to the upper boundary in the Range header.")
        }
        let end = last == .max ? last : last + 1
        upper = min(upper ?? end, end)
      }
      // A field and a limit without a row in common are refused, unless the limit itself is 0.
      if let upper, upper <= lower, parameters.limit != 0 {
        throw .rangeNotSatisfiable("Limit should be greater than or equal to zero.")
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
