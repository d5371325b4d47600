// The statements of PL/pgSQL (PostgreSQL documentation, 43.5 and 43.6).
extension ProcedureParser {
  /// Whether a variable is assigned here, whatever its name.
  var isAtAssignment: Bool {
    let token = cursor.current
    if token.kind == .parameter { return true }
    guard Parser.isName(token) || Parser.isFunctionName(token) else { return false }
    let next = cursor.peek()
    switch next.kind {
    case .operator: return next.text == "="
    case .punctuation: return [":=", ".", "["].contains(next.text)
    default: return false
    }
  }

  mutating func parseStatement() throws(PostgreSQLError) -> Procedure.Statement {
    if cursor.atOperator("<<") {
      let label = try parseLabelBefore()
      if let loop = try parseLoop(label: label) { return loop }
      return try parseNestedBlock(label: label)
    }
    if isAtAssignment { return try parseAssignment() }
    if let loop = try parseLoop(label: nil) { return loop }
    if cursor.at("declare") || cursor.at("begin") { return try parseNestedBlock(label: nil) }
    if cursor.at("if") { return try parseIf() }
    if cursor.at("case") { return try parseCase() }
    return try parseSimpleStatement()
  }

  /// A statement without statements in it.
  private mutating func parseSimpleStatement() throws(PostgreSQLError) -> Procedure.Statement {
    guard cursor.current.kind == .word else {
      // A query may begin with a parenthesis.
      guard cursor.atPunctuation("(") else { throw cursor.syntaxError() }
      return try parseSQL()
    }
    switch cursor.current.text {
    case "exit", "continue": return try parseJump()
    case "return": return try parseReturn()
    case "raise": return try parseRaise()
    case "assert": return try parseAssert()
    case "execute": return try parseExecute()
    case "perform":
      cursor.advance()
      let statement = try parseDataStatement(before: ";", prefix: "select")
      try expectSemicolon()
      return .sql(statement, into: nil)
    case "get": return try parseGetDiagnostics()
    case "null" where cursor.peek().text == ";":
      cursor.advance()
      try expectSemicolon()
      return .nothing
    case "open", "fetch", "move", "close":
      throw cursor.notSupported("\(cursor.current.text.uppercased()) of a cursor")
    case "table", "end", "else", "elsif", "elseif", "exception", "when", "then": throw cursor.syntaxError()
    default: return try parseSQL()
    }
  }

  private mutating func parseNestedBlock(label: String?) throws(PostgreSQLError) -> Procedure.Statement {
    let block = try parseBlock(label: label)
    try expectSemicolon()
    return .block(block)
  }

  private mutating func parseAssignment() throws(PostgreSQLError) -> Procedure.Statement {
    var target: Procedure.Target
    if cursor.current.kind == .parameter {
      target = try parseTarget()
    } else {
      target = [try cursor.parseLabel()]
      while cursor.takePunctuation(".") { target.append(try cursor.parseLabel()) }
    }
    let path = try cursor.parseAssignmentPath()
    guard cursor.takePunctuation(":=") || cursor.takeOperator("=") else { throw cursor.syntaxError() }
    let value = try parseExpression(before: ";")
    try expectSemicolon()
    return .assign(target, path: path, value)
  }

  private mutating func parseIf() throws(PostgreSQLError) -> Procedure.Statement {
    let outer = try cursor.enter()
    var branches: [Procedure.Branch] = []
    var otherwise: [Procedure.Statement] = []
    cursor.advance()
    repeat {
      let condition = try parseExpression(before: "then")
      try cursor.expect("then")
      branches.append(.init(condition, try parseStatements(to: ["elsif", "elseif", "else", "end"])))
    } while cursor.take(anyOf: ["elsif", "elseif"]) != nil
    if cursor.take("else") { otherwise = try parseStatements(to: ["end"]) }
    try cursor.expect("end", "if")
    try expectSemicolon()
    cursor.leave(outer)
    return .conditional(branches, otherwise: otherwise)
  }

  private mutating func parseCase() throws(PostgreSQLError) -> Procedure.Statement {
    let outer = try cursor.enter()
    cursor.advance()
    let operand = cursor.at("when") ? nil : try parseExpression(before: "when")
    var branches: [Procedure.Selected] = []
    var otherwise: [Procedure.Statement]?
    repeat {
      try cursor.expect("when")
      let values =
        operand == nil ? [try parseExpression(before: "then")] : try parseExpressions(before: "then")
      try cursor.expect("then")
      branches.append(.init(values, try parseStatements(to: ["when", "else", "end"])))
    } while cursor.at("when")
    if cursor.take("else") { otherwise = try parseStatements(to: ["end"]) }
    try cursor.expect("end", "case")
    try expectSemicolon()
    cursor.leave(outer)
    return .selection(operand: operand, branches, otherwise: otherwise)
  }

  private mutating func parseJump() throws(PostgreSQLError) -> Procedure.Statement {
    let start = cursor.current
    let isExit = cursor.at("exit")
    cursor.advance()
    var label: String?
    if Parser.isLabel(cursor.current), !cursor.at("when") { label = try cursor.parseLabel() }
    let condition = cursor.take("when") ? try parseExpression(before: ";") : nil
    try checkJump(to: label, isExit: isExit, at: start)
    try expectSemicolon()
    return isExit ? .exit(label: label, when: condition) : .next(label: label, when: condition)
  }

  private func checkJump(to label: String?, isExit: Bool, at start: Token) throws(PostgreSQLError) {
    guard let label else {
      guard scopes.contains(where: \.isLoop) else {
        throw cursor.error(
          isExit
            ? "EXIT cannot be used outside a loop, unless it has a label"
            : "CONTINUE cannot be used outside a loop",
          at: start)
      }
      return
    }
    guard let scope = scopes.last(where: { $0.label == label }) else {
      throw cursor.error(
        "there is no label \"\(label)\" attached to any block or loop enclosing this statement", at: start)
    }
    if !isExit, !scope.isLoop {
      throw cursor.error("block label \"\(label)\" cannot be used in CONTINUE", at: start)
    }
  }

  private mutating func parseReturn() throws(PostgreSQLError) -> Procedure.Statement {
    cursor.advance()
    let statement: Procedure.Statement
    if cursor.atPunctuation(";") {
      statement = .returnValue(nil)
    } else if cursor.take("next") {
      statement = .returnNext(cursor.atPunctuation(";") ? nil : try parseExpression(before: ";"))
    } else if cursor.take("query") {
      if cursor.take("execute") {
        let query = try parseExpression(before: ";", "using")
        statement = .returnExecute(
          query, using: cursor.take("using") ? try parseArguments() : [])
      } else {
        statement = .returnQuery(try parseDataStatement(before: ";"))
      }
    } else {
      statement = .returnValue(try parseExpression(before: ";"))
    }
    try expectSemicolon()
    return statement
  }

  private mutating func parseAssert() throws(PostgreSQLError) -> Procedure.Statement {
    cursor.advance()
    let condition = try parseExpression(before: ",", ";")
    let message = cursor.takePunctuation(",") ? try parseExpression(before: ";") : nil
    try expectSemicolon()
    return .assert(condition, message: message)
  }

  private mutating func parseExecute() throws(PostgreSQLError) -> Procedure.Statement {
    cursor.advance()
    let query = try parseExpression(before: ";", "into", "using")
    var into: Procedure.Into?
    var arguments: [SQLExpression] = []
    while true {
      if into == nil, cursor.take("into") {
        let isStrict = cursor.take("strict")
        into = Procedure.Into(try parseTargets(), isStrict: isStrict)
      } else if arguments.isEmpty, cursor.take("using") {
        arguments = try parseArguments(before: "into")
      } else {
        break
      }
    }
    try expectSemicolon()
    return .execute(query, into: into, using: arguments)
  }

  private static let itemsOfStatements: Set<String> = ["row_count", "pg_context"]
  private static let itemsOfErrors: Set<String> = [
    "returned_sqlstate", "column_name", "constraint_name", "pg_datatype_name", "message_text", "table_name",
    "schema_name", "pg_exception_detail", "pg_exception_hint", "pg_exception_context",
  ]

  private mutating func parseGetDiagnostics() throws(PostgreSQLError) -> Procedure.Statement {
    cursor.advance()
    let isStacked = cursor.take("stacked")
    if !isStacked { _ = cursor.take("current") }
    try cursor.expect("diagnostics")
    var items: [Procedure.Diagnostic] = []
    repeat {
      let target = try parseTarget()
      guard cursor.takeOperator("=") || cursor.takePunctuation(":=") else { throw cursor.syntaxError() }
      let start = cursor.current
      let item = try cursor.parseLabel()
      let isOfError = Self.itemsOfErrors.contains(item)
      guard isOfError || Self.itemsOfStatements.contains(item) else {
        throw cursor.error("unrecognized GET DIAGNOSTICS item", at: start)
      }
      if isOfError != isStacked {
        throw cursor.error(
          "diagnostics item \(item.uppercased()) is not allowed in GET \(isStacked ? "STACKED" : "CURRENT") DIAGNOSTICS",
          at: start)
      }
      items.append(.init(target, item))
    } while cursor.takePunctuation(",")
    try expectSemicolon()
    return .getDiagnostics(items, isStacked: isStacked)
  }

  /// A statement of SQL, out of which the targets after `INTO` are taken.
  private mutating func parseSQL() throws(PostgreSQLError) -> Procedure.Statement {
    let start = cursor.index
    let end = try endOfStatement()
    var tokens = Array(cursor.tokens[start..<end])
    var into: Procedure.Into?
    let isDefinition = ["create", "alter", "drop", "grant", "revoke", "comment", "copy"].contains(
      tokens[0].text)
    if !isDefinition, let position = Self.positionOfInto(tokens) {
      cursor.index = start + position + 1
      let isStrict = cursor.take("strict")
      into = Procedure.Into(try parseTargets(), isStrict: isStrict)
      tokens.removeSubrange(position..<(cursor.index - start))
    }
    let last = cursor.tokens[end]
    tokens.append(
      last.kind == .invalid ? last : Token(.end, "", last.range.lowerBound..<last.range.lowerBound))
    cursor.index = end
    var parser = Parser(TokenList(tokens: tokens, failure: cursor.failure), source: cursor.source)
    parser.stackBase = cursor.stackBase
    let statement = try parser.parseStatement()
    try parser.expectEnd()
    try expectSemicolon()
    switch statement {
    case .data(let data): return .sql(data, into: into)
    default:
      if into != nil { throw PostgreSQLError("42601", "INTO used with a command that cannot return data") }
      return .other(statement)
    }
  }

  /// The next semicolon, whatever the parentheses.
  private func endOfStatement() throws(PostgreSQLError) -> Int {
    var position = cursor.index
    while true {
      let token = cursor.tokens[position]
      if token.kind == .invalid || (token.kind == .punctuation && token.text == ";") { return position }
      if token.kind == .end {
        throw PostgreSQLError(
          "42601", "unexpected end of function definition at end of input", position: token.range.lowerBound)
      }
      position += 1
    }
  }

  private static func positionOfInto(_ tokens: [Token]) -> Int? {
    tokens.indices.first { position in
      guard tokens[position].kind == .word, tokens[position].text == "into", position > 0 else {
        return false
      }
      return !["insert", "merge"].contains(tokens[position - 1].text)
    }
  }
}
