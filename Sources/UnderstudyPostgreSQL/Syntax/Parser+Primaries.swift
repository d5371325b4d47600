// Operands of operators: `c_expr` of the grammar.
extension Parser {
  mutating func parsePrimary() throws(PostgreSQLError) -> SQLExpression {
    let token = current
    switch token.kind {
    case .integer, .decimal:
      advance()
      return .number(token.text)
    case .string:
      advance()
      return .string(token.text)
    case .bits:
      advance()
      return .cast(.string(token.text), TypeName(QualifiedName("bit")))
    case .parameter:
      guard let number = Int(token.text) else {
        throw error("there is no parameter $\(token.text)", code: "42P02")
      }
      advance()
      return try parseIndirection(of: .parameter(number))
    case .punctuation where token.text == "(":
      switch try parseParenthesized() {
      case .query(let query): return try parseIndirection(of: .subquery(query))
      case .expressions(let members): return try parseAfterParentheses(members)
      }
    case .word: return try parseWord()
    case .quotedIdentifier: return try parseNameOrCall()
    default: throw syntaxError()
    }
  }

  /// What follows `(a)` or `(a, b)`.
  mutating func parseAfterParentheses(_ members: [SQLExpression]) throws(PostgreSQLError) -> SQLExpression {
    guard members.count == 1 else { return try parseOverlaps(after: members) }
    return try parseIndirection(of: members[0])
  }

  /// A row, or `(start, end) OVERLAPS (start, end)`, which is a call.
  private mutating func parseOverlaps(after left: [SQLExpression]) throws(PostgreSQLError) -> SQLExpression {
    let start = current
    guard take("overlaps") else { return .row(left) }
    let right: [SQLExpression]
    if take("row") {
      right = try parseRowMembers()
    } else {
      guard case .expressions(let members) = try parseParenthesized(), members.count > 1 else {
        throw syntaxError()
      }
      right = members
    }
    for (side, members) in [("left", left), ("right", right)] where members.count != 2 {
      throw error("wrong number of parameters on \(side) side of OVERLAPS expression", at: start)
    }
    return .call(Call(QualifiedName("overlaps"), (left + right).map { .init($0) }))
  }

  private mutating func parseRowMembers() throws(PostgreSQLError) -> [SQLExpression] {
    try expectPunctuation("(")
    if takePunctuation(")") { return [] }
    let members = try parseExpressions()
    try expectPunctuation(")")
    return members
  }

  /// Subscripts and fields of an operand.
  mutating func parseIndirection(of base: SQLExpression) throws(PostgreSQLError) -> SQLExpression {
    var result = base
    while true {
      if atPunctuation("[") {
        try deepen()
        result = .element(result, try parseSubscript())
      } else if takePunctuation(".") {
        try deepen()
        if atOperator("*") {
          guard case .name(let names) = result else {
            throw notSupported("The expansion of a value with \".*\"")
          }
          try takeStar()
          return .wildcard(names)
        }
        result = .field(result, try parseLabel())
      } else {
        return result
      }
    }
  }

  mutating func parseSubscript() throws(PostgreSQLError) -> Subscript {
    try expectPunctuation("[")
    var result = Subscript(lower: nil)
    if !atPunctuation(":") { result.lower = try parseExpression() }
    if takePunctuation(":") {
      result.isSlice = true
      if !atPunctuation("]") { result.upper = try parseExpression() }
    }
    try expectPunctuation("]")
    return result
  }

  private mutating func takeStar() throws(PostgreSQLError) {
    guard takeOperator("*") else { throw syntaxError() }
    if atPunctuation(".") || atPunctuation("[") { throw error("improper use of \"*\"") }
  }

  /// A column, a call, or a string with the name of its type before it.
  private mutating func parseNameOrCall() throws(PostgreSQLError) -> SQLExpression {
    let start = current
    let canBeColumn = Self.isName(start)
    let canBeFunction = Self.isFunctionName(start)
    guard canBeColumn || canBeFunction else { throw syntaxError() }
    advance()
    var names = [start.text]
    while atPunctuation("."), canBeColumn || canBeFunction {
      guard Self.isLabel(peek()) || (peek().kind == .operator && peek().text == "*") else {
        advance()
        throw syntaxError()
      }
      advance()
      if atOperator("*") {
        try takeStar()
        return .wildcard(names)
      }
      names.append(try parseLabel())
    }
    if atPunctuation("("), canBeFunction || names.count > 1 {
      let call = try parseCall(try qualifiedName(names, at: start))
      if current.kind == .string, !call.arguments.isEmpty, call.over == nil, call.filter == nil {
        let modifiers = call.arguments.compactMap { argument -> Int? in
          if case .number(let digits) = argument.value { Int(digits) } else { nil }
        }
        return .cast(.string(try parseString()), TypeName(call.name, modifiers: modifiers))
      }
      return .call(call)
    }
    if current.kind == .string, canBeFunction || names.count > 1 {
      let type = TypeName(try qualifiedName(names, at: start))
      return .cast(.string(try parseString()), type)
    }
    guard canBeColumn else { throw syntaxError() }
    guard names.count <= 4 else {
      throw error(
        "improper qualified name (too many dotted names): \(names.joined(separator: "."))", at: start)
    }
    return try parseIndirection(of: .name(names))
  }

  private mutating func parseWord() throws(PostgreSQLError) -> SQLExpression {
    let word = current.text
    switch word {
    case "null":
      advance()
      return .null
    case "true", "false":
      advance()
      return .boolean(word == "true")
    case "case": return try parseCase()
    case "array": return try parseArray()
    case "cast":
      advance()
      try expectPunctuation("(")
      let operand = try parseExpression()
      try expect("as")
      let type = try parseTypeName()
      try expectPunctuation(")")
      return .cast(operand, type)
    case "current_date", "current_role", "current_user", "user", "session_user", "current_catalog":
      advance()
      return .call(Call(QualifiedName(word)))
    case "current_time", "current_timestamp", "localtime", "localtimestamp":
      advance()
      guard takePunctuation("(") else { return .call(Call(QualifiedName(word))) }
      guard current.kind == .integer else { throw syntaxError() }
      let precision = current.text
      advance()
      try expectPunctuation(")")
      return .call(Call(QualifiedName(word), [.init(.number(precision))]))
    case "current_schema" where !(peek().kind == .punctuation && peek().text == "("):
      advance()
      return .call(Call(QualifiedName(word)))
    case "collation" where peek().text == "for":
      advance()
      advance()
      try expectPunctuation("(")
      let operand = try parseExpression()
      try expectPunctuation(")")
      return .call(Call(QualifiedName("pg_collation_for"), [.init(operand)]))
    case "unique" where peek().text == "(": throw notSupported("The UNIQUE predicate")
    default: break
    }
    if current.category == .columnName || word == "double" {
      if peek().kind == .punctuation, peek().text == "(", let result = try parseSpecialCall() {
        return result
      }
      if let type = try parseLiteralType() {
        var result = type
        let text = try parseString()
        if type.name.name == "interval", type.modifiers.isEmpty { try parseIntervalFields(into: &result) }
        return .cast(.string(text), result)
      }
    }
    return try parseNameOrCall()
  }

  private mutating func parseCase() throws(PostgreSQLError) -> SQLExpression {
    try expect("case")
    var conditional = Conditional([])
    if !at("when") { conditional.operand = try parseExpression() }
    repeat {
      try expect("when")
      let condition = try parseExpression()
      try expect("then")
      conditional.branches.append(.init(condition, try parseExpression()))
    } while at("when")
    if take("else") { conditional.otherwise = try parseExpression() }
    try expect("end")
    return .conditional(conditional)
  }

  private mutating func parseArray() throws(PostgreSQLError) -> SQLExpression {
    try expect("array")
    if atPunctuation("(") { return .arrayQuery(try parseQueryInParentheses()) }
    return try parseArrayMembers()
  }

  /// `[a, b]` or `[[a], [b]]`.
  private mutating func parseArrayMembers() throws(PostgreSQLError) -> SQLExpression {
    let outer = try enter()
    try expectPunctuation("[")
    var members: [SQLExpression] = []
    if !atPunctuation("]") {
      let isNested = atPunctuation("[")
      repeat {
        members.append(isNested ? try parseArrayMembers() : try parseExpression())
      } while takePunctuation(",")
    }
    try expectPunctuation("]")
    leave(outer)
    return .array(members)
  }
}

// MARK: - Calls with a syntax of their own

extension Parser {
  /// `func_expr_common_subexpr` of the grammar. Nil, and the parser is unchanged, if the word is not such a function.
  private mutating func parseSpecialCall() throws(PostgreSQLError) -> SQLExpression? {
    let word = current.text
    switch word {
    case "exists":
      advance()
      return .exists(try parseQueryInParentheses())
    case "row":
      advance()
      return try parseOverlaps(after: try parseRowMembers())
    case "coalesce", "greatest", "least", "grouping":
      advance()
      try expectPunctuation("(")
      return try finishCall(word, try parseExpressions())
    case "nullif":
      advance()
      try expectPunctuation("(")
      let first = try parseExpression()
      try expectPunctuation(",")
      return try finishCall(word, [first, try parseExpression()])
    case "extract":
      advance()
      try expectPunctuation("(")
      guard current.kind == .string || Self.isLabel(current) else { throw syntaxError() }
      let isField =
        current.kind != .word || current.category == nil
        || ["year", "month", "day", "hour", "minute", "second"].contains(current.text)
      guard isField else { throw syntaxError() }
      let field = current.text
      advance()
      try expect("from")
      return try finishCall(word, [.string(field), try parseExpression()])
    case "normalize":
      advance()
      try expectPunctuation("(")
      var arguments = [try parseExpression()]
      if takePunctuation(",") {
        guard let form = take(anyOf: ["nfc", "nfd", "nfkc", "nfkd"]) else { throw syntaxError() }
        arguments.append(.string(form.uppercased()))
      }
      return try finishCall(word, arguments)
    case "overlay": return try parseOverlay()
    case "position":
      advance()
      try expectPunctuation("(")
      let part = try parseExpression(isRestricted: true)
      try expect("in")
      return try finishCall(word, [try parseExpression(isRestricted: true), part])
    case "substring": return try parseSubstring()
    case "trim": return try parseTrim()
    case "treat": throw notSupported("TREAT")
    case _ where word.hasPrefix("xml"): throw notSupported("XML")
    default: return nil
    }
  }

  private mutating func finishCall(_ name: String, _ arguments: [SQLExpression]) throws(PostgreSQLError)
    -> SQLExpression
  {
    try expectPunctuation(")")
    return .call(Call(QualifiedName(name), arguments.map { .init($0) }))
  }

  private mutating func parseOverlay() throws(PostgreSQLError) -> SQLExpression {
    let name = QualifiedName(current.text)
    advance()
    let start = self
    try expectPunctuation("(")
    if atPunctuation(")") { return .call(try parseArguments(of: name, after: start)) }
    let text = try parseExpression()
    guard take("placing") else { return .call(try parseArguments(of: name, after: start)) }
    var arguments = [text, try parseExpression()]
    try expect("from")
    arguments.append(try parseExpression())
    if take("for") { arguments.append(try parseExpression()) }
    return try finishCall(name.name, arguments)
  }

  private mutating func parseSubstring() throws(PostgreSQLError) -> SQLExpression {
    let name = QualifiedName(current.text)
    advance()
    let start = self
    try expectPunctuation("(")
    if atPunctuation(")") { return .call(try parseArguments(of: name, after: start)) }
    let text = try parseExpression()
    switch true {
    case take("from"):
      let first = try parseExpression()
      guard take("for") else { return try finishCall(name.name, [text, first]) }
      return try finishCall(name.name, [text, first, try parseExpression()])
    case take("for"):
      let length = try parseExpression()
      guard take("from") else { return try finishCall(name.name, [text, .number("1"), length]) }
      return try finishCall(name.name, [text, try parseExpression(), length])
    case take("similar"):
      let pattern = try parseExpression()
      try expect("escape")
      return try finishCall(name.name, [text, pattern, try parseExpression()])
    default: return .call(try parseArguments(of: name, after: start))
    }
  }

  /// The arguments of a call with commas, read again from before the parenthesis.
  private mutating func parseArguments(of name: QualifiedName, after start: Parser) throws(PostgreSQLError)
    -> Call
  {
    self = start
    var call = Call(name)
    try parseArguments(into: &call)
    return call
  }

  private mutating func parseTrim() throws(PostgreSQLError) -> SQLExpression {
    advance()
    try expectPunctuation("(")
    let side = take(anyOf: ["both", "leading", "trailing"])
    let name = side == "leading" ? "ltrim" : side == "trailing" ? "rtrim" : "btrim"
    if take("from") { return try finishCall(name, try parseExpressions()) }
    let first = try parseExpression()
    if take("from") { return try finishCall(name, try parseExpressions() + [first]) }
    var arguments = [first]
    while takePunctuation(",") { arguments.append(try parseExpression()) }
    return try finishCall(name, arguments)
  }
}
