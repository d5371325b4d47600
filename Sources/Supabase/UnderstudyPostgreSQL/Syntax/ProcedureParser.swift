/// Reads the body of a function in PL/pgSQL (PostgreSQL documentation, 43; `pl_gram.y`).
///
/// As in PostgreSQL, an expression or a statement of SQL goes to the word or the semicolon that ends it, and is parsed
/// on its own.
package struct ProcedureParser {
  /// The tokens of the body.
  var cursor: Parser
  /// The queries of cursors by name, which loops use.
  var cursors: [String: Query] = [:]
  /// The open blocks and loops, from the outermost.
  var scopes: [Scope] = []

  struct Scope {
    var label: String?
    var isLoop: Bool
  }

  /// The block of a body.
  package static func parse(_ body: String) throws(PostgreSQLError) -> Procedure.Block {
    var parser = ProcedureParser(cursor: Parser(body))
    var conflict = Procedure.VariableConflict.error
    while parser.cursor.takeOperator("#") {
      // Options for the compiler, such as `#variable_conflict use_column`.
      let options = ["option", "print_strict_params", "variable_conflict"]
      let values = ["dump", "on", "off", "error", "use_variable", "use_column"]
      guard let option = parser.cursor.take(anyOf: options), let value = parser.cursor.take(anyOf: values)
      else { throw parser.cursor.syntaxError() }
      if option == "variable_conflict" { conflict = Procedure.VariableConflict(rawValue: value) ?? .error }
    }
    let label = try parser.parseLabelBefore()
    var block = try parser.parseBlock(label: label)
    block.conflict = conflict
    _ = parser.cursor.takePunctuation(";")
    try parser.cursor.expectEnd()
    return block
  }
}

// MARK: - Parts of SQL

extension ProcedureParser {
  /// Where the tokens to one of the words, or to the semicolon, end.
  ///
  /// Words in parentheses do not count.
  func end(before words: [String], what: String = "expression") throws(PostgreSQLError) -> Int {
    var depth = 0
    var position = cursor.index
    while true {
      let token = cursor.tokens[position]
      switch token.kind {
      case .end:
        throw PostgreSQLError(
          "42601", "unexpected end of function definition at end of input", position: token.range.lowerBound)
      case .invalid: return position
      case .punctuation where token.text == "(" || token.text == "[": depth += 1
      case .punctuation where token.text == ")" || token.text == "]":
        depth -= 1
        if depth < 0 {
          throw PostgreSQLError(
            "42601", "mismatched parentheses at or near \"\(token.text)\"", position: token.range.lowerBound)
        }
      case .punctuation where token.text == ";":
        if depth > 0 {
          throw PostgreSQLError(
            "42601", "mismatched parentheses at or near \";\"", position: token.range.lowerBound)
        }
        if words.contains(";") { return position }
        let missing = words.first?.uppercased() ?? ";"
        throw PostgreSQLError(
          "42601", "missing \"\(missing)\" at end of SQL \(what)", position: token.range.lowerBound)
      case .punctuation where depth == 0 && words.contains(token.text): return position
      case .word where depth == 0 && words.contains(token.text): return position
      default: break
      }
      position += 1
    }
  }

  /// A parser of the tokens to a position, which the cursor goes to.
  ///
  /// - Parameter prefix: Words that are put before them.
  mutating func part(to end: Int, prefix: String? = nil) -> Parser {
    let slice = cursor.tokens[cursor.index..<end]
    let last = cursor.tokens[end]
    var tokens = Array(slice)
    if let prefix { tokens.insert(Token(.word, prefix, cursor.current.range), at: 0) }
    tokens.append(
      last.kind == .invalid ? last : Token(.end, "", last.range.lowerBound..<last.range.lowerBound))
    cursor.index = end
    var parser = Parser(TokenList(tokens: tokens, failure: cursor.failure), source: cursor.source)
    parser.stackBase = cursor.stackBase
    return parser
  }

  /// An expression to one of the words.
  ///
  /// PostgreSQL puts `SELECT` before it, so that `count(*) FROM t` is an expression too.
  mutating func parseExpression(before words: String...) throws(PostgreSQLError) -> SQLExpression {
    let end = try end(before: words)
    guard end > cursor.index else {
      throw PostgreSQLError(
        "42601", "missing expression at or near \"\(cursor.text(cursor.current.range))\"",
        position: cursor.current.range.lowerBound)
    }
    var part = part(to: end, prefix: "select")
    let query = try part.parseQuery()
    try part.expectEnd()
    if case .select(let select) = query.body, select.items.count == 1,
      query == Query(.select(Select(select.items)))
    {
      return select.items[0].expression
    }
    return .subquery(query)
  }

  /// The arguments after `USING`, to a semicolon or a word.
  mutating func parseArguments(before word: String = ";") throws(PostgreSQLError) -> [SQLExpression] {
    var arguments: [SQLExpression] = []
    repeat { arguments.append(try parseExpression(before: ",", ";", word)) } while cursor.takePunctuation(",")
    return arguments
  }

  /// Expressions, separated by commas, to one of the words.
  mutating func parseExpressions(before words: String...) throws(PostgreSQLError) -> [SQLExpression] {
    var part = part(to: try end(before: words))
    let expressions = try part.parseExpressions()
    try part.expectEnd()
    return expressions
  }

  mutating func parseDataStatement(before word: String, prefix: String? = nil) throws(PostgreSQLError)
    -> DataStatement
  {
    var part = part(to: try end(before: [word], what: "statement"), prefix: prefix)
    let statement = try part.parseDataStatement()
    try part.expectEnd()
    return statement
  }

  mutating func expectSemicolon() throws(PostgreSQLError) { try cursor.expectPunctuation(";") }

  /// A variable, or a field of one.
  mutating func parseTarget() throws(PostgreSQLError) -> Procedure.Target {
    if cursor.current.kind == .parameter {
      let name = "$" + cursor.current.text
      cursor.advance()
      return [name]
    }
    // The words that PL/pgSQL reserves besides those of SQL.
    let reserved = [
      "begin", "by", "declare", "execute", "foreach", "if", "loop", "strict", "while",
    ]
    if cursor.at(anyOf: reserved) { throw cursor.syntaxError() }
    return try cursor.parseNameParts()
  }

  mutating func parseTargets() throws(PostgreSQLError) -> [Procedure.Target] {
    var targets = [try parseTarget()]
    while cursor.takePunctuation(",") { targets.append(try parseTarget()) }
    return targets
  }
}

// MARK: - Blocks

extension ProcedureParser {
  /// `<<label>>`, or nothing.
  mutating func parseLabelBefore() throws(PostgreSQLError) -> String? {
    guard cursor.takeOperator("<<") else { return nil }
    let label = try cursor.parseLabel()
    guard cursor.takeOperator(">>") else { throw cursor.syntaxError() }
    return label
  }

  /// The label after `END` or `END LOOP`, which must be the one before.
  mutating func parseLabelAfter(_ label: String?) throws(PostgreSQLError) {
    guard Parser.isLabel(cursor.current) else { return }
    let start = cursor.current
    let end = try cursor.parseLabel()
    guard let label else {
      throw cursor.error("end label \"\(end)\" specified for unlabeled block", at: start)
    }
    guard end == label else {
      throw cursor.error("end label \"\(end)\" differs from block's label \"\(label)\"", at: start)
    }
  }

  /// A block to the label after its `END`.
  mutating func parseBlock(label: String?) throws(PostgreSQLError) -> Procedure.Block {
    let outer = try cursor.enter()
    let outerCursors = cursors
    var block = Procedure.Block(label: label, [])
    scopes.append(Scope(label: label, isLoop: false))
    if cursor.take("declare") {
      while !cursor.at("begin") {
        if cursor.take("declare") { continue }
        block.declarations.append(try parseDeclaration())
      }
    }
    try cursor.expect("begin")
    block.statements = try parseStatements(to: ["exception", "end"])
    if cursor.take("exception") {
      repeat {
        try cursor.expect("when")
        block.handlers.append(try parseHandler())
      } while cursor.at("when")
    }
    try cursor.expect("end")
    try parseLabelAfter(label)
    cursors = outerCursors
    scopes.removeLast()
    cursor.leave(outer)
    return block
  }

  private mutating func parseHandler() throws(PostgreSQLError) -> Procedure.Handler {
    var conditions: [String] = []
    repeat {
      if cursor.take("sqlstate") {
        let start = cursor.current
        let code = try cursor.parseString()
        guard Self.isCode(code) else { throw cursor.error("invalid SQLSTATE code", at: start) }
        conditions.append(code)
      } else {
        conditions.append(try cursor.parseLabel())
      }
    } while cursor.take("or")
    try cursor.expect("then")
    return Procedure.Handler(conditions, try parseStatements(to: ["when", "end"]))
  }

  static func isCode(_ text: String) -> Bool {
    text.utf8.count == 5
      && text.utf8.allSatisfy { byte in
        Lexer.isDigit(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      }
  }

  private mutating func parseDeclaration() throws(PostgreSQLError) -> Procedure.Declaration {
    guard Parser.isLabel(cursor.current), cursor.current.category != .reserved else {
      throw cursor.syntaxError()
    }
    let name = try cursor.parseLabel()
    if cursor.take("alias") {
      try cursor.expect("for")
      let other = try parseTarget().joined(separator: ".")
      try expectSemicolon()
      return .alias(name, of: other)
    }
    if cursor.at("cursor") || cursor.at("no", "scroll") || cursor.at("scroll", "cursor") {
      _ = cursor.take("no")
      _ = cursor.take("scroll")
      try cursor.expect("cursor")
      if cursor.atPunctuation("(") { throw cursor.notSupported("A cursor with parameters") }
      guard cursor.take("for") || cursor.take("is") else { throw cursor.syntaxError() }
      guard case .query(let query) = try parseDataStatement(before: ";") else { throw cursor.syntaxError() }
      try expectSemicolon()
      cursors[name] = query
      return .cursor(name, query)
    }
    let isConstant = cursor.take("constant")
    var variable = Procedure.Variable(
      name, try cursor.parseTypeName(allowsReference: true), isConstant: isConstant)
    if cursor.take("collate") { _ = try cursor.parseQualifiedName() }
    if cursor.take("not") {
      try cursor.expect("null")
      variable.isNotNull = true
    }
    if cursor.take("default") || cursor.takePunctuation(":=") || cursor.takeOperator("=") {
      variable.initial = try parseExpression(before: ";")
    }
    if variable.isNotNull, variable.initial == nil {
      throw cursor.error(
        "variable \"\(name)\" must have a default value, since it's declared NOT NULL", code: "22004")
    }
    try expectSemicolon()
    return .variable(variable)
  }

  /// Statements to one of the words, which is not taken.
  mutating func parseStatements(to words: [String]) throws(PostgreSQLError) -> [Procedure.Statement] {
    var statements: [Procedure.Statement] = []
    while !cursor.at(anyOf: words) || isAtAssignment {
      if cursor.isAtEnd { throw cursor.syntaxError() }
      statements.append(try parseStatement())
    }
    return statements
  }
}
