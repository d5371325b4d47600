// Loops, and RAISE (PostgreSQL documentation, 43.6.5, 43.6.6 and 43.9).
extension ProcedureParser {
  /// A loop; nil, and the parser is unchanged, if none begins here.
  mutating func parseLoop(label: String?) throws(PostgreSQLError) -> Procedure.Statement? {
    guard cursor.at(anyOf: ["loop", "while", "for", "foreach"]) else { return nil }
    let outer = try cursor.enter()
    let loop: Procedure.Loop
    if cursor.at("loop") {
      loop = .forever
    } else if cursor.take("while") {
      loop = .whileTrue(try parseExpression(before: "loop"))
    } else if cursor.take("foreach") {
      loop = try parseForeach()
    } else {
      cursor.advance()
      loop = try parseFor()
    }
    try cursor.expect("loop")
    scopes.append(Scope(label: label, isLoop: true))
    let statements = try parseStatements(to: ["end"])
    scopes.removeLast()
    try cursor.expect("end", "loop")
    try parseLabelAfter(label)
    try expectSemicolon()
    cursor.leave(outer)
    return .loop(loop, label: label, statements)
  }

  private mutating func parseForeach() throws(PostgreSQLError) -> Procedure.Loop {
    let targets = try parseTargets()
    guard targets.count == 1 else { throw cursor.notSupported("FOREACH with several variables") }
    var slice = 0
    if cursor.take("slice") {
      guard cursor.current.kind == .integer, let value = Int(cursor.current.text) else {
        throw cursor.syntaxError()
      }
      cursor.advance()
      slice = value
    }
    try cursor.expect("in", "array")
    return .elements(targets[0], slice: slice, of: try parseExpression(before: "loop"))
  }

  private mutating func parseFor() throws(PostgreSQLError) -> Procedure.Loop {
    let start = cursor.current
    let targets = try parseTargets()
    try cursor.expect("in")
    if cursor.take("execute") {
      let query = try parseExpression(before: "loop", "using")
      let arguments = cursor.take("using") ? try parseArguments(before: "loop") : []
      return .execute(targets, query, using: arguments)
    }
    let isReverse = cursor.at("reverse")
    let stop = try end(before: ["loop", ".."])
    if cursor.tokens[stop].text == ".." {
      if isReverse { cursor.advance() }
      guard targets.count == 1, targets[0].count == 1 else {
        throw cursor.error("integer FOR loop must have only one target variable", at: start)
      }
      let first = try parseExpression(before: "..")
      try cursor.expectPunctuation("..")
      let last = try parseExpression(before: "loop", "by")
      let step = cursor.take("by") ? try parseExpression(before: "loop") : nil
      return .range(variable: targets[0][0], from: first, to: last, by: step, isReverse: isReverse)
    }
    if isReverse { throw cursor.error("cannot specify REVERSE in query FOR loop") }
    if Parser.isName(cursor.current), stop == cursor.index + 1, let query = cursors[cursor.current.text] {
      cursor.advance()
      return .query(targets, .query(query))
    }
    return .query(targets, try parseDataStatement(before: "loop"))
  }
}

// MARK: - RAISE

extension ProcedureParser {
  mutating func parseRaise() throws(PostgreSQLError) -> Procedure.Statement {
    let start = cursor.current
    cursor.advance()
    var raise = Procedure.Raise()
    if cursor.takePunctuation(";") { return .raise(raise) }
    if let word = cursor.take(anyOf: ["debug", "log", "info", "notice", "warning", "exception"]),
      let level = Procedure.Raise.Level(rawValue: word)
    {
      raise.level = level
      if cursor.atPunctuation(";") { throw cursor.syntaxError() }
    }
    if cursor.current.kind == .string {
      let format = try cursor.parseString()
      raise.format = format
      while cursor.takePunctuation(",") {
        raise.arguments.append(try parseExpression(before: ",", ";", "using"))
      }
      let places = Self.places(in: format)
      if raise.arguments.count > places {
        throw cursor.error("too many parameters specified for RAISE", at: start)
      }
      if raise.arguments.count < places {
        throw cursor.error("too few parameters specified for RAISE", at: start)
      }
    } else if cursor.take("sqlstate") {
      let token = cursor.current
      let code = try cursor.parseString()
      guard Self.isCode(code) else { throw cursor.error("invalid SQLSTATE code", at: token) }
      raise.condition = code
    } else if !cursor.at("using"), Parser.isLabel(cursor.current) {
      raise.condition = try cursor.parseLabel()
    }
    if cursor.take("using") {
      repeat {
        let name = try cursor.parseLabel()
        guard cursor.takeOperator("=") || cursor.takePunctuation(":=") else { throw cursor.syntaxError() }
        raise.options.append(.init(name, try parseExpression(before: ",", ";")))
      } while cursor.takePunctuation(",")
    }
    try expectSemicolon()
    return .raise(raise)
  }

  /// How many arguments a format takes; `%%` is a percent sign.
  private static func places(in format: String) -> Int {
    var count = 0
    var bytes = Array(format.utf8)[...]
    while let byte = bytes.popFirst() {
      guard byte == UInt8(ascii: "%") else { continue }
      if bytes.first == byte { bytes.removeFirst() } else { count += 1 }
    }
    return count
  }
}
