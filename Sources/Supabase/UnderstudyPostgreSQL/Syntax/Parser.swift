/// Reads the tokens of a statement by recursive descent, after PostgreSQL's grammar (`gram.y` of PostgreSQL 15).
///
/// Extensions read expressions, queries, and the other statements. Each function starts at its first token and leaves
/// the index behind its last one. A failed function throws, so that the parser is of no further use.
package struct Parser: Sendable {
  /// How many expressions, queries and parentheses can be open: several times what real scripts have.
  static let maximumNesting = 100
  /// The height of a tree, because every walk recurses.
  ///
  /// A long chain of operators is high, too.
  static let maximumHeight = 200
  /// The bytes of stack that a parser uses at most.
  ///
  /// Threads of Apple platforms have 512 KB, and a build for debugging needs several for each level. PostgreSQL
  /// checks its stack likewise.
  static let maximumStack: UInt = 320 * 1024

  let tokens: [Token]
  let source: [UInt8]
  /// The lexer's error at the last token, if that is invalid.
  let failure: PostgreSQLError?
  var index = 0
  /// How many expressions, queries and parentheses are open.
  private(set) var nesting = 0
  /// The address of the stack where parsing began.
  var stackBase = Self.stackAddress()
  /// The height of the tree of the innermost open expression.
  private var height = 0
  /// Where `SELECT … INTO` puts its rows, if it is allowed, and what it found.
  var into: IntoClause = .forbidden
  /// The first error that PostgreSQL finds only after it has parsed the whole statement.
  private(set) var laterError: PostgreSQLError?

  enum IntoClause: Sendable {
    case forbidden
    case allowed
    case found(QualifiedName)
  }

  init(_ list: TokenList, source: [UInt8]) {
    precondition(
      list.tokens.last.map { $0.kind == .end || $0.kind == .invalid } == true,
      "The tokens of a statement must have an end.")
    tokens = list.tokens
    failure = list.failure
    self.source = source
  }
}

// MARK: - The cursor

extension Parser {
  var current: Token { tokens[index] }

  func peek(_ offset: Int = 1) -> Token { tokens[min(index + offset, tokens.count - 1)] }

  mutating func advance() {
    if index < tokens.count - 1 { index += 1 }
  }

  var isAtEnd: Bool { current.kind == .end }

  func at(_ word: String) -> Bool { current.kind == .word && current.text == word }

  /// Whether these words follow.
  func at(_ words: String...) -> Bool {
    for (offset, word) in words.enumerated() {
      let token = peek(offset)
      guard token.kind == .word, token.text == word else { return false }
    }
    return true
  }

  func at(anyOf words: [String]) -> Bool { current.kind == .word && words.contains(current.text) }

  func atPunctuation(_ text: String) -> Bool { current.kind == .punctuation && current.text == text }

  func atOperator(_ text: String) -> Bool { current.kind == .operator && current.text == text }

  /// Goes on if the word is next.
  mutating func take(_ word: String) -> Bool {
    guard at(word) else { return false }
    advance()
    return true
  }

  /// Goes on if all of these words are next.
  mutating func take(_ words: String...) -> Bool {
    for (offset, word) in words.enumerated() {
      let token = peek(offset)
      guard token.kind == .word, token.text == word else { return false }
    }
    for _ in words { advance() }
    return true
  }

  /// Goes on if one of the words is next, and returns it.
  mutating func take(anyOf words: [String]) -> String? {
    guard at(anyOf: words) else { return nil }
    defer { advance() }
    return current.text
  }

  mutating func takePunctuation(_ text: String) -> Bool {
    guard atPunctuation(text) else { return false }
    advance()
    return true
  }

  mutating func takeOperator(_ text: String) -> Bool {
    guard atOperator(text) else { return false }
    advance()
    return true
  }

  mutating func expect(_ words: String...) throws(PostgreSQLError) {
    for word in words {
      guard take(word) else { throw syntaxError() }
    }
  }

  mutating func expectPunctuation(_ text: String) throws(PostgreSQLError) {
    guard takePunctuation(text) else { throw syntaxError() }
  }

  func expectEnd() throws(PostgreSQLError) {
    guard isAtEnd else { throw syntaxError() }
    if let laterError { throw laterError }
  }

  /// `IF NOT EXISTS`, or nothing.
  mutating func takeIfNotExists() throws(PostgreSQLError) -> Bool {
    guard at("if", "not") else { return false }
    try expect("if", "not", "exists")
    return true
  }
}

// MARK: - Errors

extension Parser {
  /// PostgreSQL's error at the next token.
  func syntaxError() -> PostgreSQLError {
    if let failure, current.kind == .invalid { return failure }
    let start = current.range.lowerBound
    guard current.kind != .end || current.text == ";" else {
      return PostgreSQLError("42601", "syntax error at end of input", position: start)
    }
    return PostgreSQLError(
      "42601", "syntax error at or near \"\(text(current.range))\"", position: start)
  }

  func text(_ range: Range<Int>) -> String { String(decoding: source[range], as: UTF8.self) }

  /// The error of a construct that PostgreSQL accepts.
  func notSupported(_ what: String, instead: String? = nil) -> PostgreSQLError {
    .notSupported(what, instead: instead, position: current.range.lowerBound)
  }

  func error(_ message: String, code: String = "42601", at token: Token? = nil) -> PostgreSQLError {
    PostgreSQLError(code, message, position: (token ?? current).range.lowerBound)
  }

  /// Notes an error that PostgreSQL finds after it has parsed the statement, so that syntax errors come first.
  mutating func noteForLater(_ error: PostgreSQLError) {
    if laterError == nil { laterError = error }
  }

  private func depthError() -> PostgreSQLError {
    PostgreSQLError(
      "54001", "stack depth limit exceeded",
      hint: "Use fewer levels of parentheses, subqueries and blocks, or shorter chains of operators.",
      position: current.range.lowerBound)
  }

  /// Opens an expression, a query or a pair of parentheses.
  ///
  /// Returns the height to give to ``leave(_:)``.
  mutating func enter() throws(PostgreSQLError) -> Int {
    nesting += 1
    let address = Self.stackAddress()
    let stack = max(address, stackBase) - min(address, stackBase)
    if nesting > Self.maximumNesting || stack > Self.maximumStack { throw depthError() }
    defer { height = 0 }
    return height
  }

  @inline(never) private static func stackAddress() -> UInt {
    var marker: UInt8 = 0
    return withUnsafeMutablePointer(to: &marker) { UInt(bitPattern: $0) }
  }

  mutating func leave(_ outer: Int) {
    nesting -= 1
    height = max(outer, height + 1)
  }

  /// Notes that the tree so far becomes the child of another node.
  mutating func deepen() throws(PostgreSQLError) {
    height += 1
    if height > Self.maximumHeight { throw depthError() }
  }
}

// MARK: - Names

extension Parser {
  /// Whether a token can be the name of a column, a table, or another object: `ColId`.
  static func isName(_ token: Token) -> Bool {
    switch token.kind {
    case .quotedIdentifier: true
    case .word: token.category == nil || token.category == .unreserved || token.category == .columnName
    default: false
    }
  }

  /// Whether a token can be the name of a function or a type: `type_function_name`.
  static func isFunctionName(_ token: Token) -> Bool {
    switch token.kind {
    case .quotedIdentifier: true
    case .word: token.category == nil || token.category == .unreserved || token.category == .functionName
    default: false
    }
  }

  /// Whether a token can be a name after `AS` or a point: `ColLabel`.
  static func isLabel(_ token: Token) -> Bool { token.kind == .word || token.kind == .quotedIdentifier }

  mutating func parseName() throws(PostgreSQLError) -> String {
    guard Self.isName(current) else { throw syntaxError() }
    defer { advance() }
    return current.text
  }

  mutating func parseLabel() throws(PostgreSQLError) -> String {
    guard Self.isLabel(current) else { throw syntaxError() }
    defer { advance() }
    return current.text
  }

  /// A name that a point and labels may follow, as written.
  mutating func parseNameParts() throws(PostgreSQLError) -> [String] {
    var parts = [try parseName()]
    while takePunctuation(".") { parts.append(try parseLabel()) }
    return parts
  }

  mutating func parseQualifiedName() throws(PostgreSQLError) -> QualifiedName {
    let start = current
    return try qualifiedName(try parseNameParts(), at: start)
  }

  /// The name of a function, which may be a keyword such as `left`.
  mutating func parseFunctionName() throws(PostgreSQLError) -> QualifiedName {
    let start = current
    guard Self.isFunctionName(current) || Self.isName(current) else { throw syntaxError() }
    let isBare = Self.isFunctionName(current)
    advance()
    var parts = [start.text]
    while takePunctuation(".") { parts.append(try parseLabel()) }
    guard parts.count > 1 || isBare else { throw syntaxError() }
    return try qualifiedName(parts, at: start)
  }

  mutating func qualifiedName(_ parts: [String], at start: Token) throws(PostgreSQLError) -> QualifiedName {
    switch parts.count {
    case 1: return QualifiedName(parts[0])
    case 2: return QualifiedName(schema: parts[0], parts[1])
    case 3:
      noteForLater(
        error(
          "cross-database references are not implemented: \"\(parts.joined(separator: "."))\"", code: "0A000",
          at: start))
      return QualifiedName(schema: parts[1], parts[2])
    default:
      throw error(
        "improper qualified name (too many dotted names): \(parts.joined(separator: "."))", at: start)
    }
  }

  /// Names between parentheses, separated by commas.
  mutating func parseNamesInParentheses() throws(PostgreSQLError) -> [String] {
    try expectPunctuation("(")
    let names = try parseNames()
    try expectPunctuation(")")
    return names
  }

  mutating func parseNames() throws(PostgreSQLError) -> [String] {
    var names = [try parseName()]
    while takePunctuation(",") { names.append(try parseName()) }
    return names
  }

  mutating func parseQualifiedNames() throws(PostgreSQLError) -> [QualifiedName] {
    var names = [try parseQualifiedName()]
    while takePunctuation(",") { names.append(try parseQualifiedName()) }
    return names
  }

  mutating func parseString() throws(PostgreSQLError) -> String {
    guard current.kind == .string else { throw syntaxError() }
    defer { advance() }
    return current.text
  }

  /// An integer with an optional sign.
  mutating func parseInteger() throws(PostgreSQLError) -> Int64 {
    let isNegative = takeOperator("-")
    if !isNegative { _ = takeOperator("+") }
    guard current.kind == .integer else { throw syntaxError() }
    guard let value = Int64((isNegative ? "-" : "") + current.text) else {
      throw error("value \"\(current.text)\" is out of range for type bigint", code: "22003")
    }
    advance()
    return value
  }
}
