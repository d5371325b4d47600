/// How tightly operators bind (PostgreSQL documentation, 4.1.6; the table of precedences in `gram.y`).
enum Precedence: Int, Comparable {
  case lowest
  case or
  case and
  case not
  /// `IS`, `ISNULL` and `NOTNULL`.
  case isTest
  case comparison
  /// `BETWEEN`, `IN`, `LIKE`, `ILIKE` and `SIMILAR`.
  case pattern
  /// Operators without a level of their own.
  case other
  case additive
  case multiplicative
  case power
  case atTimeZone
  case collate
  /// The prefix operators `+` and `-`.
  case sign
  case cast
  /// What no operator can take apart.
  case primary

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The level of the right operand of an operator that associates to the left.
  var tighter: Precedence { Precedence(rawValue: rawValue + 1) ?? .primary }

  /// The level of an operator that is not a word.
  static func infix(_ name: String) -> Precedence {
    switch name {
    case "<", ">", "=", "<=", ">=", "<>": .comparison
    case "+", "-": .additive
    case "*", "/", "%": .multiplicative
    case "^": .power
    default: .other
    }
  }

  /// Whether an operator of this level cannot follow another one without parentheses.
  var isNonAssociative: Bool { self == .isTest || self == .comparison || self == .pattern }
}

// Operators. Primaries are in Parser+Primaries.
extension Parser {
  private static let patternWords: [String] = ["between", "in", "like", "ilike", "similar"]

  /// An expression.
  ///
  /// - Parameters:
  ///   - minimum: The least binding operators that belong to it.
  ///   - isRestricted: Whether `AND`, `OR`, `NOT`, `IN`, `LIKE` and the like end it: `b_expr` of the grammar.
  mutating func parseExpression(_ minimum: Precedence = .lowest, isRestricted: Bool = false)
    throws(PostgreSQLError)
    -> SQLExpression
  {
    let outer = try enter()
    let left = try parsePrefix(isRestricted: isRestricted)
    let expression = try parseOperators(after: left, minimum, isRestricted: isRestricted)
    leave(outer)
    return expression
  }

  /// The rest of an expression whose first operand is known.
  mutating func parseExpression(after left: SQLExpression) throws(PostgreSQLError) -> SQLExpression {
    let outer = try enter()
    try deepen()
    let expression = try parseOperators(after: left, .lowest, isRestricted: false)
    leave(outer)
    return expression
  }

  mutating func parseExpressions() throws(PostgreSQLError) -> [SQLExpression] {
    var expressions = [try parseExpression()]
    while takePunctuation(",") { expressions.append(try parseExpression()) }
    return expressions
  }

  // What recurses is kept apart from what decides, because a build for debugging gives a function stack for all of its
  // branches at once.
  private mutating func parsePrefix(isRestricted: Bool) throws(PostgreSQLError) -> SQLExpression {
    guard isAtPrefix(isRestricted: isRestricted) else { return try parsePrimary() }
    if take("not") { return .not(try parseExpression(.not)) }
    if take("default") { return .defaultValue }
    return try parsePrefixOperator(isRestricted: isRestricted)
  }

  private func isAtPrefix(isRestricted: Bool) -> Bool {
    current.kind == .operator || (!isRestricted && (at("not") || at("default"))) || isAtQualifiedOperator
  }

  private var isAtQualifiedOperator: Bool {
    at("operator") && peek().kind == .punctuation && peek().text == "("
  }

  private mutating func parsePrefixOperator(isRestricted: Bool) throws(PostgreSQLError) -> SQLExpression {
    let (name, precedence) = try parsePrefixName()
    return .prefix(name, try parseExpression(precedence, isRestricted: isRestricted))
  }

  /// A prefix operator, and the least precedence of its operand.
  private mutating func parsePrefixName() throws(PostgreSQLError) -> (String, Precedence) {
    if at("operator") { return (try parseQualifiedOperator(), .additive) }
    let name = current.text
    let precedence = Precedence.infix(name)
    guard precedence == .additive || precedence == .other else { throw syntaxError() }
    advance()
    return (name, precedence == .additive ? .sign : .additive)
  }

  /// The level of the next token as an operator after an operand; nil of another token.
  private func nextPrecedence(isRestricted: Bool) -> Precedence? {
    let token = current
    switch token.kind {
    case .operator: return Precedence.infix(token.text)
    case .punctuation: return token.text == "::" ? .cast : nil
    case .word:
      switch token.text {
      case "is": return .isTest
      case "operator": return peek().kind == .punctuation && peek().text == "(" ? .other : nil
      case _ where isRestricted: return nil
      case "and": return .and
      case "or": return .or
      case "isnull", "notnull": return .isTest
      case "between", "in", "like", "ilike": return .pattern
      case "similar": return peek().kind == .word && peek().text == "to" ? .pattern : nil
      case "not": return peek().kind == .word && Self.patternWords.contains(peek().text) ? .pattern : nil
      case "collate": return .collate
      case "at": return at("at", "time") ? .atTimeZone : nil
      default: return nil
      }
    default: return nil
    }
  }

  private mutating func parseOperators(
    after first: SQLExpression, _ minimum: Precedence, isRestricted: Bool
  ) throws(PostgreSQLError) -> SQLExpression {
    var left = first
    while let precedence = nextPrecedence(isRestricted: isRestricted), precedence >= minimum {
      try deepen()
      let endsOpen = try parseOperator(after: &left, precedence, isRestricted: isRestricted)
      if endsOpen, precedence.isNonAssociative, nextPrecedence(isRestricted: isRestricted) == precedence {
        throw syntaxError()
      }
    }
    return left
  }

  /// An operator and what follows it.
  ///
  /// Returns whether that ends with an operand, so that another operator of the same level is ambiguous if the
  /// level is not associative.
  private mutating func parseOperator(
    after left: inout SQLExpression, _ precedence: Precedence, isRestricted: Bool
  ) throws(PostgreSQLError) -> Bool {
    switch precedence {
    case .cast: try parseCast(of: &left)
    case .and, .or: left = try parseConnective(after: left, precedence)
    case .isTest: return try parseIsTest(after: &left, isRestricted: isRestricted)
    case .pattern: return try parsePattern(after: &left)
    case .collate: try parseCollation(of: &left)
    case .atTimeZone: try parseTimeZone(of: &left)
    default: return try parseInfix(after: &left, precedence, isRestricted: isRestricted)
    }
    return true
  }

  private mutating func parseCast(of operand: inout SQLExpression) throws(PostgreSQLError) {
    advance()
    operand = .cast(operand, try parseTypeName())
  }

  private mutating func parseCollation(of operand: inout SQLExpression) throws(PostgreSQLError) {
    advance()
    operand = .collate(operand, try parseQualifiedName())
  }

  private mutating func parseTimeZone(of operand: inout SQLExpression) throws(PostgreSQLError) {
    try expect("at", "time", "zone")
    let zone = try parseExpression(.collate)
    operand = .call(Call(QualifiedName("timezone"), [.init(zone), .init(operand)]))
  }

  private mutating func parseInfix(
    after left: inout SQLExpression, _ precedence: Precedence, isRestricted: Bool
  ) throws(PostgreSQLError) -> Bool {
    let name = try parseInfixName()
    if !isRestricted, let quantified = try parseQuantified(after: left, operator: name) {
      left = quantified
      return false
    }
    left = .infix(name, left, try parseExpression(precedence.tighter, isRestricted: isRestricted))
    return true
  }

  private mutating func parseInfixName() throws(PostgreSQLError) -> String {
    if at("operator") { return try parseQualifiedOperator() }
    defer { advance() }
    return current.text
  }

  /// `AND` or `OR` with all the operands that follow.
  ///
  /// A chain is one node.
  private mutating func parseConnective(after left: SQLExpression, _ precedence: Precedence)
    throws(PostgreSQLError)
    -> SQLExpression
  {
    let word = precedence == .and ? "and" : "or"
    var operands: [SQLExpression]
    switch (left, precedence) {
    case (.and(let members), .and), (.or(let members), .or): operands = members
    default: operands = [left]
    }
    while take(word) { operands.append(try parseExpression(precedence.tighter)) }
    return precedence == .and ? .and(operands) : .or(operands)
  }

  private mutating func parseIsTest(after left: inout SQLExpression, isRestricted: Bool)
    throws(PostgreSQLError) -> Bool
  {
    if let negated = takeNullTest() {
      left = .isTest(left, .null, negated: negated)
      return false
    }
    try expect("is")
    let negated = take("not")
    if take("distinct") {
      try expect("from")
      left = .isDistinct(left, try parseExpression(.comparison, isRestricted: isRestricted), negated: negated)
      return true
    }
    if at("document") { throw notSupported("IS DOCUMENT") }
    if isRestricted { throw syntaxError() }
    if let word = take(anyOf: ["null", "true", "false", "unknown"]), let test = IsTest(rawValue: word) {
      left = .isTest(left, test, negated: negated)
    } else {
      try parseNormalized(of: &left, negated: negated)
    }
    return false
  }

  /// Whether `ISNULL` or `NOTNULL`, which is taken, is negated; nil if neither is next.
  private mutating func takeNullTest() -> Bool? {
    if take("isnull") { return false }
    return take("notnull") ? true : nil
  }

  private mutating func parseNormalized(of operand: inout SQLExpression, negated: Bool)
    throws(PostgreSQLError)
  {
    let form = take(anyOf: ["nfc", "nfd", "nfkc", "nfkd"])
    try expect("normalized")
    let arguments = [operand] + (form.map { [.string($0.uppercased())] } ?? [])
    let call = SQLExpression.call(Call(QualifiedName("is_normalized"), arguments.map { .init($0) }))
    operand = negated ? .not(call) : call
  }

  private mutating func parsePattern(after left: inout SQLExpression) throws(PostgreSQLError) -> Bool {
    let negated = take("not")
    if take("between") {
      try parseBetween(after: &left, negated: negated)
      return true
    }
    if take("in") {
      try parseIn(after: &left, negated: negated)
      return false
    }
    if take("similar") {
      try expect("to")
      let pattern = try parseEscaped(by: "similar_to_escape", isAlwaysCalled: true)
      left = .infix(negated ? "!~" : "~", left, pattern)
      return true
    }
    return try parseLike(after: &left, negated: negated)
  }

  private mutating func parseLike(after left: inout SQLExpression, negated: Bool) throws(PostgreSQLError)
    -> Bool
  {
    let name = (negated ? "!" : "") + (at("like") ? "~~" : "~~*")
    advance()
    if let quantified = try parseQuantified(after: left, operator: name) {
      left = quantified
      return false
    }
    left = .infix(name, left, try parseEscaped(by: "like_escape", isAlwaysCalled: false))
    return true
  }

  private mutating func parseBetween(after left: inout SQLExpression, negated: Bool) throws(PostgreSQLError) {
    let isSymmetric = take("symmetric")
    if !isSymmetric { _ = take("asymmetric") }
    let lower = try parseExpression(isRestricted: true)
    try expect("and")
    let upper = try parseExpression(Precedence.pattern.tighter)
    left = .between(left, lower, upper, symmetric: isSymmetric, negated: negated)
  }

  private mutating func parseIn(after left: inout SQLExpression, negated: Bool) throws(PostgreSQLError) {
    switch try parseParenthesized() {
    case .query(let query): left = .inQuery(left, query, negated: negated)
    case .expressions(let values): left = .inList(left, values, negated: negated)
    }
  }

  /// A pattern, and the call of a function that takes it and the character after `ESCAPE`.
  private mutating func parseEscaped(by function: String, isAlwaysCalled: Bool) throws(PostgreSQLError)
    -> SQLExpression
  {
    var arguments = [try parseExpression(Precedence.pattern.tighter)]
    if take("escape") { arguments.append(try parseExpression(Precedence.pattern.tighter)) }
    guard arguments.count > 1 || isAlwaysCalled else { return arguments[0] }
    return .call(Call(QualifiedName(function), arguments.map { .init($0) }))
  }

  private mutating func parseQuantified(after left: SQLExpression, operator name: String)
    throws(PostgreSQLError)
    -> SQLExpression?
  {
    guard let word = take(anyOf: ["any", "some", "all"]) else { return nil }
    let quantifier = word == "all" ? Quantifier.all : .any
    switch try parseParenthesized(isSingle: true) {
    case .query(let query): return .quantified(left, operator: name, quantifier, .query(query))
    case .expressions(let values): return .quantified(left, operator: name, quantifier, .array(values[0]))
    }
  }

  /// `OPERATOR(schema.name)`; the schema is left out.
  mutating func parseQualifiedOperator() throws(PostgreSQLError) -> String {
    try expect("operator")
    try expectPunctuation("(")
    while Self.isName(current) {
      advance()
      try expectPunctuation(".")
    }
    guard current.kind == .operator else { throw syntaxError() }
    let name = current.text
    advance()
    try expectPunctuation(")")
    return name
  }

  /// The content of parentheses.
  enum Parenthesized {
    case query(Query)
    case expressions([SQLExpression])
  }

  /// A query in parentheses, or expressions.
  ///
  /// `((SELECT 1) UNION SELECT 2)` and `((SELECT 1) + 2)` differ only behind the inner parentheses, so that an inner
  /// query is read before it is known which of them this is.
  ///
  /// - Parameter isSingle: Whether several expressions are an error.
  mutating func parseParenthesized(isSingle: Bool = false) throws(PostgreSQLError) -> Parenthesized {
    let outer = try enter()
    try expectPunctuation("(")
    let content: Parenthesized
    if isAtQuery {
      content = .query(try parseQuery())
    } else if atPunctuation("(") {
      content = try parseAfterInnerParentheses(isSingle: isSingle)
    } else {
      content = .expressions(try parseExpressions(after: try parseExpression(), isSingle: isSingle))
    }
    try expectPunctuation(")")
    leave(outer)
    return content
  }

  /// A query in one or more pairs of parentheses.
  mutating func parseQueryInParentheses() throws(PostgreSQLError) -> Query {
    let outer = try enter()
    try expectPunctuation("(")
    let query = atPunctuation("(") ? try parseInnerQuery() : try parseQueryWithoutParentheses()
    try expectPunctuation(")")
    leave(outer)
    return query
  }

  private mutating func parseInnerQuery() throws(PostgreSQLError) -> Query {
    let query = try parseQueryInParentheses()
    return at(anyOf: Self.wordsAfterQuery) ? try parseQuery(after: query) : query
  }

  private mutating func parseQueryWithoutParentheses() throws(PostgreSQLError) -> Query {
    guard at(anyOf: ["select", "values", "table", "with"]) else { throw syntaxError() }
    return try parseQuery()
  }

  private mutating func parseAfterInnerParentheses(isSingle: Bool) throws(PostgreSQLError) -> Parenthesized {
    let primary: SQLExpression
    switch try parseParenthesized() {
    case .query(let query):
      if atPunctuation(")") { return .query(query) }
      if at(anyOf: Self.wordsAfterQuery) { return .query(try parseQuery(after: query)) }
      primary = try parseIndirection(of: .subquery(query))
    case .expressions(let members): primary = try parseAfterParentheses(members)
    }
    return .expressions(
      try parseExpressions(after: try parseExpression(after: primary), isSingle: isSingle))
  }

  private mutating func parseExpressions(after first: SQLExpression, isSingle: Bool) throws(PostgreSQLError)
    -> [SQLExpression]
  {
    var expressions = [first]
    while !isSingle, takePunctuation(",") { expressions.append(try parseExpression()) }
    return expressions
  }
}
