// Operands of operators: `c_expr` of the grammar.
extension Parser {
  mutating func parsePrimary() throws(PostgreSQLError) -> SQLExpression {
    if atPunctuation("(") { return try parseParenthesizedPrimary() }
    if let constant = try parseConstant() { return constant }
    if current.kind == .parameter { return try parseParameter() }
    if let result = try parseKeyword() { return result }
    return try parseNameOrCall()
  }

  private mutating func parseParenthesizedPrimary() throws(PostgreSQLError) -> SQLExpression {
    switch try parseParenthesized() {
    case .query(let query): return try parseIndirection(of: .subquery(query))
    case .expressions(let members): return try parseAfterParentheses(members)
    }
  }

  /// A literal, or a keyword without operands; nil if none is next.
  private mutating func parseConstant() throws(PostgreSQLError) -> SQLExpression? {
    let text = current.text
    let result: SQLExpression
    switch current.kind {
    case .integer, .decimal: result = .number(text)
    case .string: result = .string(text)
    case .bits: result = .cast(.string(text), TypeName(QualifiedName("bit")))
    case .word:
      switch text {
      case "null": result = .null
      case "true", "false": result = .boolean(text == "true")
      case "current_date", "current_role", "current_user", "user", "session_user", "current_catalog":
        result = .call(Call(QualifiedName(text)))
      case "current_schema" where !isBeforeParenthesis: result = .call(Call(QualifiedName(text)))
      case "current_time", "current_timestamp", "localtime", "localtimestamp": return try parseCurrentTime()
      default: return nil
      }
    default: return nil
    }
    advance()
    return result
  }

  /// Whether the token after the next one is an opening parenthesis.
  private var isBeforeParenthesis: Bool { peek().kind == .punctuation && peek().text == "(" }

  private mutating func parseCurrentTime() throws(PostgreSQLError) -> SQLExpression {
    var call = Call(QualifiedName(current.text))
    advance()
    if takePunctuation("(") {
      guard current.kind == .integer else { throw syntaxError() }
      call.arguments = [.init(.number(current.text))]
      advance()
      try expectPunctuation(")")
    }
    return .call(call)
  }

  private mutating func parseParameter() throws(PostgreSQLError) -> SQLExpression {
    guard let number = Int(current.text) else {
      throw error("there is no parameter $\(current.text)", code: "42P02")
    }
    advance()
    return try parseIndirection(of: .parameter(number))
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
          try takeStar()
          if case .name(let names) = result { return .wildcard(names) }
          return .field(result, "*")
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

  /// A name that is not known to be that of a column, a function, or a type.
  private struct Reference {
    var names: [String]
    var start: Int
    var canBeColumn: Bool
    /// Whether it can be a function or a type.
    var canBeFunction: Bool
    var isWildcard = false
  }

  /// A column, a call, or a string with the name of its type before it.
  private mutating func parseNameOrCall() throws(PostgreSQLError) -> SQLExpression {
    let reference = try parseReference()
    if reference.isWildcard { return .wildcard(reference.names) }
    if reference.canBeFunction {
      if atPunctuation("(") { return try parseCall(of: reference) }
      if current.kind == .string { return try parseLiteral(of: reference) }
    }
    return try parseColumn(reference)
  }

  private mutating func parseReference() throws(PostgreSQLError) -> Reference {
    var result = Reference(
      names: [current.text], start: index, canBeColumn: Self.isName(current),
      canBeFunction: Self.isFunctionName(current))
    guard result.canBeColumn || result.canBeFunction else { throw syntaxError() }
    advance()
    while takePunctuation(".") {
      result.canBeFunction = true
      if atOperator("*") {
        try takeStar()
        result.isWildcard = true
        return result
      }
      result.names.append(try parseLabel())
    }
    return result
  }

  private mutating func parseColumn(_ reference: Reference) throws(PostgreSQLError) -> SQLExpression {
    guard reference.canBeColumn else { throw syntaxError() }
    guard reference.names.count <= 4 else {
      throw error(
        "improper qualified name (too many dotted names): \(reference.names.joined(separator: "."))",
        at: tokens[reference.start])
    }
    return try parseIndirection(of: .name(reference.names))
  }

  private mutating func parseLiteral(of reference: Reference) throws(PostgreSQLError) -> SQLExpression {
    let type = TypeName(try qualifiedName(reference.names, at: tokens[reference.start]))
    return .cast(.string(try parseString()), type)
  }

  private mutating func parseCall(of reference: Reference) throws(PostgreSQLError) -> SQLExpression {
    var call = Call(try qualifiedName(reference.names, at: tokens[reference.start]))
    try parseArguments(into: &call)
    if current.kind == .string, !call.arguments.isEmpty {
      return .cast(.string(try parseString()), Self.type(of: call))
    }
    try parseCallClauses(of: &call)
    return .call(call)
  }

  /// The type of `name(10, 2) '…'`, which begins like a call.
  private static func type(of call: Call) -> TypeName {
    TypeName(
      call.name,
      modifiers: call.arguments.compactMap { argument in
        if case .number(let digits) = argument.value { Int(digits) } else { nil }
      })
  }

  private enum KeywordForm {
    case conditional, array, cast, collation, typed
  }

  /// What begins with a keyword and is not a name; nil, and the parser is unchanged, if that does not follow.
  private mutating func parseKeyword() throws(PostgreSQLError) -> SQLExpression? {
    switch try keywordForm() {
    case nil: return nil
    case .conditional: return try parseCase()
    case .array: return try parseArray()
    case .cast: return try parseCastCall()
    case .collation: return try parseCollationFor()
    case .typed: break
    }
    if isBeforeParenthesis, let result = try parseSpecialCall() { return result }
    return try parseTypedLiteral()
  }

  private func keywordForm() throws(PostgreSQLError) -> KeywordForm? {
    guard current.kind == .word else { return nil }
    switch current.text {
    case "case": return .conditional
    case "array": return .array
    case "cast": return .cast
    case "collation" where peek().text == "for": return .collation
    case "unique" where isBeforeParenthesis: throw notSupported("The UNIQUE predicate")
    case "double": return .typed
    default: return current.category == .columnName ? .typed : nil
    }
  }

  private mutating func parseTypedLiteral() throws(PostgreSQLError) -> SQLExpression? {
    guard var type = try parseLiteralType() else { return nil }
    let text = try parseString()
    if type.name.name == "interval", type.modifiers.isEmpty { try parseIntervalFields(into: &type) }
    return .cast(.string(text), type)
  }

  private mutating func parseCastCall() throws(PostgreSQLError) -> SQLExpression {
    try expect("cast")
    try expectPunctuation("(")
    let operand = try parseExpression()
    try expect("as")
    let type = try parseTypeName()
    try expectPunctuation(")")
    return .cast(operand, type)
  }

  private mutating func parseCollationFor() throws(PostgreSQLError) -> SQLExpression {
    try expect("collation", "for")
    try expectPunctuation("(")
    return try finishCall("pg_collation_for", [try parseExpression()])
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
  /// `func_expr_common_subexpr` of the grammar.
  ///
  /// Nil, and the parser is unchanged, if the word is not such a function.
  private mutating func parseSpecialCall() throws(PostgreSQLError) -> SQLExpression? {
    switch current.text {
    case "exists": return .exists(try parseQueryOfExists())
    case "row": return try parseRow()
    case "coalesce", "greatest", "least", "grouping", "nullif": return try parseListCall()
    case "extract": return try parseExtract()
    case "normalize": return try parseNormalize()
    case "overlay": return try parseOverlay()
    case "position": return try parsePosition()
    case "substring": return try parseSubstring()
    case "trim": return try parseTrim()
    case "treat": throw notSupported("TREAT")
    case "xmlattributes", "xmlconcat", "xmlelement", "xmlexists", "xmlforest", "xmlnamespaces", "xmlparse",
      "xmlpi",
      "xmlroot", "xmlserialize", "xmltable":
      throw notSupported("XML")
    default: return nil
    }
  }

  private mutating func parseQueryOfExists() throws(PostgreSQLError) -> Query {
    advance()
    return try parseQueryInParentheses()
  }

  private mutating func parseRow() throws(PostgreSQLError) -> SQLExpression {
    advance()
    return try parseOverlaps(after: try parseRowMembers())
  }

  private mutating func parseListCall() throws(PostgreSQLError) -> SQLExpression {
    let name = current.text
    advance()
    try expectPunctuation("(")
    if name != "nullif" { return try finishCall(name, try parseExpressions()) }
    let first = try parseExpression()
    try expectPunctuation(",")
    return try finishCall(name, [first, try parseExpression()])
  }

  private mutating func parseExtract() throws(PostgreSQLError) -> SQLExpression {
    advance()
    try expectPunctuation("(")
    let field = try parseField()
    try expect("from")
    return try finishCall("extract", [.string(field), try parseExpression()])
  }

  /// The field of `extract`: a string, a word that is not a keyword, or a field of intervals.
  private mutating func parseField() throws(PostgreSQLError) -> String {
    let isField =
      current.kind == .string || current.kind == .quotedIdentifier
      || (current.kind == .word && current.category == nil)
      || at(anyOf: ["year", "month", "day", "hour", "minute", "second"])
    guard isField else { throw syntaxError() }
    defer { advance() }
    return current.text
  }

  private mutating func parseNormalize() throws(PostgreSQLError) -> SQLExpression {
    advance()
    try expectPunctuation("(")
    var arguments = [try parseExpression()]
    if takePunctuation(",") {
      guard let form = take(anyOf: ["nfc", "nfd", "nfkc", "nfkd"]) else { throw syntaxError() }
      arguments.append(.string(form.uppercased()))
    }
    return try finishCall("normalize", arguments)
  }

  private mutating func parsePosition() throws(PostgreSQLError) -> SQLExpression {
    advance()
    try expectPunctuation("(")
    let part = try parseExpression(isRestricted: true)
    try expect("in")
    return try finishCall("position", [try parseExpression(isRestricted: true), part])
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
    let start = index
    try expectPunctuation("(")
    if atPunctuation(")") { return .call(try parseArguments(of: name, from: start)) }
    let text = try parseExpression()
    guard take("placing") else { return .call(try parseArguments(of: name, from: start)) }
    var arguments = [text, try parseExpression()]
    try expect("from")
    arguments.append(try parseExpression())
    if take("for") { arguments.append(try parseExpression()) }
    return try finishCall(name.name, arguments)
  }

  private mutating func parseSubstring() throws(PostgreSQLError) -> SQLExpression {
    let name = QualifiedName(current.text)
    advance()
    let start = index
    try expectPunctuation("(")
    if atPunctuation(")") { return .call(try parseArguments(of: name, from: start)) }
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
    default: return .call(try parseArguments(of: name, from: start))
    }
  }

  /// The arguments of a call with commas, read again from the parenthesis.
  private mutating func parseArguments(of name: QualifiedName, from start: Int) throws(PostgreSQLError)
    -> Call
  {
    index = start
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
