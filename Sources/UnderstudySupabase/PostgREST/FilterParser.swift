import UnderstudyHTTP

/// A parser of the filters of a query string: `age=gte.6`, and `or=(age.eq.6,and(name.like.M*,not.age.is.null))`.
struct FilterParser {
  private let text: String
  /// The name of the parsed part, for messages.
  private let what: String
  private let scalars: [Unicode.Scalar]
  private var position = 0

  private init(_ text: String, _ what: String) {
    self.text = text
    self.what = what
    scalars = Array(text.unicodeScalars)
  }

  /// Parses the filter of an operator and an operand, such as `not.eq.5`.
  ///
  /// - Throws: PGRST100.
  static func filter(on column: String, _ text: String) throws(PostgRESTError) -> DatabaseFilter {
    var parser = FilterParser(text, "filter")
    return try parser.condition(on: column, isNested: false)
  }

  /// Parses the filter in the value of `and`, `or`, `not.and` or `not.or`.
  ///
  /// - Throws: PGRST100.
  static func logic(_ name: String, _ text: String) throws(PostgRESTError) -> DatabaseFilter {
    var parser = FilterParser(text, "logic tree")
    let filters = try parser.list(depth: 0)
    guard parser.position == parser.scalars.count else { throw parser.unexpected("end of input") }
    let filter: DatabaseFilter = name.hasSuffix("and") ? .and(filters) : .or(filters)
    return name.hasPrefix("not.") ? .not(filter) : filter
  }

  // MARK: Logic

  private mutating func list(depth: Int) throws(PostgRESTError) -> [DatabaseFilter] {
    guard depth < 64, skip("(") else { throw unexpected("\"(\"") }
    var filters: [DatabaseFilter] = []
    repeat {
      skipSpaces()
      filters.append(try node(depth: depth))
      skipSpaces()
    } while skip(",")
    guard skip(")") else { throw unexpected("\",\" or \")\"") }
    return filters
  }

  private mutating func node(depth: Int) throws(PostgRESTError) -> DatabaseFilter {
    for (word, negates, joins) in [
      ("and(", false, true), ("or(", false, false), ("not.and(", true, true), ("not.or(", true, false),
    ] where isNext(word) {
      position += word.unicodeScalars.count - 1
      let filters = try list(depth: depth + 1)
      let filter: DatabaseFilter = joins ? .and(filters) : .or(filters)
      return negates ? .not(filter) : filter
    }
    let column = peek == "\"" ? try quoted() : take { !".,()".unicodeScalars.contains($0) }
    guard !column.isEmpty else { throw unexpected("field name (* or [a..z0..9_$])") }
    if column.contains("->") { throw .notSupported("JSON paths (\(column))") }
    guard skip(".") else { throw unexpected("delimiter (.)") }
    return try condition(on: column, isNested: true)
  }

  // MARK: Conditions

  /// The operators of PostgREST that the emulator does not support: full-text search, regular expressions, ranges.
  private static let unsupported: Set = [
    "fts", "plfts", "phfts", "wfts", "match", "imatch", "sl", "sr", "nxr", "nxl", "adj",
  ]

  private mutating func condition(on column: String, isNested: Bool) throws(PostgRESTError) -> DatabaseFilter
  {
    if isNext("not.") {
      position += 4
      return .not(try condition(on: column, isNested: isNested, negated: true))
    }
    return try condition(on: column, isNested: isNested, negated: false)
  }

  private mutating func condition(
    on column: String, isNested: Bool, negated: Bool
  ) throws(PostgRESTError) -> DatabaseFilter {
    let start = position
    let name = take { !".(,)".unicodeScalars.contains($0) }
    if Self.unsupported.contains(name), peek == "." || peek == "(" {
      throw .notSupported("the operator \(name) in filters")
    }
    var quantifier: String?
    if skip("(") {
      quantifier = take { $0 != ")" }
      guard skip(")"), let quantifier, ["any", "all"].contains(quantifier) else {
        throw unexpected("any or all")
      }
    }
    let isKnown =
      name == "in" || name == "is" || name == "like" || name == "ilike"
      || DatabaseFilter.Comparison(rawValue: name) != nil || DatabaseFilter.Containment(rawValue: name) != nil
    guard isKnown, skip(".") else {
      position = start
      throw unexpected((negated ? "" : "\"not\" or ") + "operator (eq, gt, ...)")
    }
    if let quantifier {
      guard name != "in", name != "is", DatabaseFilter.Containment(rawValue: name) == nil else {
        position = start
        throw unexpected("an operator that takes \(quantifier)")
      }
      let elements = try ArrayLiteral.elements(of: try operand(isNested: isNested))
      var filters: [DatabaseFilter] = []
      for element in elements {
        filters.append(try filter(column, name, element.map { .text($0) } ?? .null))
      }
      return quantifier == "any" ? .or(filters) : .and(filters)
    }
    switch name {
    case "in":
      return .among(column: column, try values().map { .text($0) })
    case "is":
      let word = try operand(isNested: isNested).lowercased()
      guard let state = DatabaseFilter.State(rawValue: word) else {
        position = start
        throw unexpected("null, not_null, true, false or unknown")
      }
      return .state(column: column, state)
    default:
      return try filter(column, name, .text(try operand(isNested: isNested)))
    }
  }

  private func filter(
    _ column: String, _ name: String, _ value: ColumnValue
  ) throws(PostgRESTError) -> DatabaseFilter {
    if name == "like" || name == "ilike" {
      // Nothing is like NULL.
      guard let text = value.textValue else { return .comparison(column: column, .equal, .null) }
      // An asterisk is an alias of the percent sign, which clients would have to encode.
      let pattern = text.replacing("*", with: "%")
      return .like(column: column, pattern: pattern, ignoresCase: name == "ilike")
    }
    if let comparison = DatabaseFilter.Comparison(rawValue: name) {
      return .comparison(column: column, comparison, value)
    }
    if let containment = DatabaseFilter.Containment(rawValue: name) {
      return .containment(column: column, containment, value)
    }
    throw unexpected("operator (eq, gt, ...)")
  }

  /// Consumes the rest of the text, or within a logic tree the text before the next comma or parenthesis.
  private mutating func operand(isNested: Bool) throws(PostgRESTError) -> String {
    guard isNested else { return take { _ in true } }
    if peek == "\"" { return try quoted() }
    if peek == "{" {
      // An array or a document: its commas do not separate conditions.
      var text = ""
      var (depth, isQuoted, isEscaped) = (0, false, false)
      while let next = peek {
        text.unicodeScalars.append(next)
        position += 1
        if isEscaped {
          isEscaped = false
        } else if next == "\\" {
          isEscaped = true
        } else if next == "\"" {
          isQuoted.toggle()
        } else if !isQuoted {
          if next == "{" { depth += 1 }
          if next == "}" { depth -= 1 }
          if depth == 0 { return text }
        }
      }
      throw unexpected("\"}\"")
    }
    return take { $0 != "," && $0 != ")" }
  }

  /// Consumes the values of an `in`: `(a,"b,c")`.
  private mutating func values() throws(PostgRESTError) -> [String] {
    guard skip("(") else { throw unexpected("\"(\"") }
    if skip(")") { return [] }
    var values: [String] = []
    repeat {
      values.append(peek == "\"" ? try quoted() : take { $0 != "," && $0 != ")" })
    } while skip(",")
    guard skip(")") else { throw unexpected("\")\"") }
    return values
  }

  private mutating func quoted() throws(PostgRESTError) -> String {
    position += 1
    var text = ""
    while let next = peek {
      position += 1
      if next == "\"" { return text }
      if next == "\\", let escaped = peek {
        text.unicodeScalars.append(escaped)
        position += 1
      } else {
        text.unicodeScalars.append(next)
      }
    }
    throw unexpected("\"\\\"\"")
  }

  // MARK: Scanning

  private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private func isNext(_ word: String) -> Bool {
    scalars[position...].starts(with: word.unicodeScalars)
  }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    position += 1
    return true
  }

  private mutating func skipSpaces() {
    while skip(" ") {}
  }

  private mutating func take(while condition: (Unicode.Scalar) -> Bool) -> String {
    var text = ""
    while let next = peek, condition(next) {
      text.unicodeScalars.append(next)
      position += 1
    }
    return text
  }

  private func unexpected(_ expected: String) -> PostgRESTError {
    let found = peek.map { "\"\($0)\"" } ?? "end of input"
    return .unreadable(what, text, column: position + 1, details: "unexpected \(found) expecting \(expected)")
  }
}
