/// A cursor over the tokens of a text, with the syntax that all statements have in common.
struct SQLParser {
  private let tokens: [SQLToken]
  private(set) var position = 0
  /// The nesting depth of the current expression.
  var depth = 0

  /// - Throws: For an unterminated quote or comment, or an unexpected character.
  init(_ text: String) throws(SQLProblem) {
    tokens = try SQLTokenizer.tokens(of: text)
  }

  /// Creates a parser of an empty text.
  init() {
    tokens = [SQLToken(kind: .end, location: SQLLocation(line: 1, column: 1))]
  }

  var token: SQLToken { tokens[min(position, tokens.count - 1)] }
  var location: SQLLocation { token.location }
  var isAtEnd: Bool { token.kind == .end }

  func peek(_ distance: Int) -> SQLToken.Kind { tokens[min(position + distance, tokens.count - 1)].kind }

  mutating func advance() {
    if position < tokens.count - 1 { position += 1 }
  }

  // MARK: Words and marks

  func isNext(_ words: String...) -> Bool {
    words.enumerated().allSatisfy { peek($0.offset) == .word($0.element) }
  }

  func isNext(symbol: String) -> Bool { token.kind == .symbol(symbol) }

  /// Consumes the words if they come next.
  mutating func skip(_ words: String...) -> Bool {
    guard words.enumerated().allSatisfy({ peek($0.offset) == .word($0.element) }) else { return false }
    position += words.count
    return true
  }

  mutating func skip(symbol: String) -> Bool {
    guard isNext(symbol: symbol) else { return false }
    advance()
    return true
  }

  mutating func expect(_ words: String...) throws(SQLProblem) {
    for word in words {
      guard token.kind == .word(word) else { throw unexpected(word.uppercased()) }
      advance()
    }
  }

  mutating func expect(symbol: String) throws(SQLProblem) {
    guard skip(symbol: symbol) else { throw unexpected("\"\(symbol)\"") }
  }

  /// Parses a name, with or without quotes.
  mutating func name(_ what: String) throws(SQLProblem) -> String {
    let name: String
    switch token.kind {
    case .word(let word) where !SQLKeywords.isReserved(word): name = word
    case .name(let text): name = text
    default: throw unexpected(what)
    }
    advance()
    return ConstraintNames.cut(name, to: 63)
  }

  /// Parses the name of a table or a function, and returns it with its schema unless that is `public`.
  mutating func qualifiedName(_ what: String) throws(SQLProblem) -> String {
    let first = try name(what)
    guard skip(symbol: ".") else { return first }
    let second = try name(what)
    return ["public", "pg_catalog"].contains(first) ? second : "\(first).\(second)"
  }

  /// Parses the names between parentheses.
  mutating func names(_ what: String) throws(SQLProblem) -> [String] {
    try expect(symbol: "(")
    var names: [String] = []
    repeat { names.append(try name(what)) } while skip(symbol: ",")
    try expect(symbol: ")")
    return names
  }

  mutating func string(_ what: String) throws(SQLProblem) -> String {
    guard case .string(let text) = token.kind else { throw unexpected(what) }
    advance()
    return text
  }

  /// Skips to the end of the statement.
  mutating func skipStatement() {
    while !isAtEnd, !isNext(symbol: ";") { advance() }
  }

  /// Returns the beginning of the statement that starts at a token, for a message.
  func beginning(from start: Int) -> String {
    var text = ""
    for token in tokens[min(start, tokens.count - 1)...].prefix(8) {
      let isMark = token.kind == .symbol(".") || text.hasSuffix(".")
      switch token.kind {
      case .word(let word):
        text +=
          (text.isEmpty || isMark ? "" : " ")
          + (isMark || !Self.shownInCapitals.contains(word) ? word : word.uppercased())
      case .name: text += (text.isEmpty || isMark ? "" : " ") + token.description
      case .symbol("."): text += "."
      default: return text
      }
    }
    return text
  }

  // MARK: Problems

  func unexpected(_ expected: String, advice: String? = nil) -> SQLProblem {
    problem("expected \(expected), found \(token.description).", advice ?? "Write \(expected) here.")
  }

  func problem(_ problem: String, _ advice: String, at location: SQLLocation? = nil) -> SQLProblem {
    SQLProblem(location: location ?? self.location, problem: problem, advice: advice)
  }

  private static let shownInCapitals: Set<String> = SQLKeywords.reserved.union([
    "alter", "add", "comment", "drop", "enable", "exists", "extension", "force", "function", "if", "index",
    "insert",
    "level", "policy", "publication", "replace", "revoke", "row", "schema", "security", "trigger", "type",
    "update",
    "view", "delete", "set", "begin", "commit",
  ])
}

extension SQLParser {
  /// Parses a `SELECT` in an expression: at most one value, from joined tables, with a condition.
  mutating func query() throws(SQLProblem) -> SQLQuery {
    try nested { (parser) throws(SQLProblem) in try parser.select() }
  }

  private mutating func select() throws(SQLProblem) -> SQLQuery {
    try expect("select")
    // Duplicate rows do not change a condition.
    _ = skip("distinct")
    var value: SQLExpression?
    if skip(symbol: "*") {
    } else if !isNext("from"), !isNext(symbol: ")") {
      value = try expression()
      if isNext(symbol: ",") {
        throw problem("a query of several columns is not supported.", "Select one expression.")
      }
      if skip("as") { _ = try name("a name") }
    }
    var sources: [SQLQuery.Source] = []
    var conditions: [SQLExpression] = []
    if skip("from") {
      repeat {
        sources.append(try source())
        while isNext("join") || isNext("inner") || isNext("cross") {
          let isCross = skip("cross")
          _ = skip("inner")
          try expect("join")
          sources.append(try source())
          if !isCross {
            guard skip("on") else { throw unexpected("ON", advice: "Write JOIN … ON and a condition.") }
            conditions.append(try expression())
          }
        }
      } while skip(symbol: ",")
    }
    if skip("where") { conditions.append(try expression()) }
    if isNext("limit"), peek(1) == .number("1") {
      advance()
      advance()
    }
    guard isNext(symbol: ")") else {
      throw unexpected(
        "\")\"",
        advice: "Supported in a query: SELECT, FROM, JOIN … ON and WHERE.")
    }
    let condition = conditions.count > 1 ? SQLExpression(.and(conditions)) : conditions.first
    return SQLQuery(value: value, sources: sources, condition: condition)
  }

  private mutating func source() throws(SQLProblem) -> SQLQuery.Source {
    let start = location
    if isNext(symbol: "(") {
      throw problem("a query in FROM is not supported.", "Name a table.")
    }
    let table = try qualifiedName("a table")
    var alias = String(table.split(separator: ".").last ?? "")
    if skip("as") {
      alias = try name("an alias")
    } else if case .word(let word) = token.kind, !SQLKeywords.isReserved(word) {
      alias = try name("an alias")
    } else if case .name = token.kind {
      alias = try name("an alias")
    }
    return SQLQuery.Source(table: table, alias: alias, location: start)
  }
}

/// An error in SQL, with its location, the problem and the remedy.
public struct SQLError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line, counted from 1.
  package let line: Int
  /// The column within the line, in Unicode scalars, counted from 1.
  package let column: Int
  /// The beginning of the statement, such as `CREATE TABLE public.todos`.
  package let statement: String
  /// The problem.
  package let problem: String
  /// The supported syntax, or the remedy.
  package let advice: String
  /// The line of SQL.
  package let source: String

  /// The location, the problem, the line of SQL with a mark below the position, and the remedy.
  public var description: String {
    let mark = String(repeating: " ", count: min(column, source.unicodeScalars.count + 1) - 1) + "^"
    return """
      line \(line), column \(column), in \(statement.isEmpty ? "the SQL" : statement): \(problem)
        \(source)
        \(mark)
      \(advice)
      """
  }
}

/// A location in a text, counted from 1.
struct SQLLocation: Hashable, Sendable {
  let line: Int
  let column: Int
}

/// An error at a location, without its statement and line of text.
struct SQLProblem: Error {
  let location: SQLLocation
  let problem: String
  let advice: String
}
