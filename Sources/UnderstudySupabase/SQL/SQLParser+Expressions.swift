/// How tightly an operator binds (PostgreSQL, "Operator Precedence").
private enum Binding: Int {
  case or = 1
  case and, not, state, comparison, range, other, sum, product, zone, sign, cast
}

extension SQLParser {
  /// - Throws: For what is no expression, and for one that is not understood.
  mutating func expression() throws(SQLProblem) -> SQLExpression {
    try expression(above: 0)
  }

  private mutating func expression(above least: Int) throws(SQLProblem) -> SQLExpression {
    try nested { (parser) throws(SQLProblem) in
      var left = try parser.prefixed()
      while let next = try parser.infix(left, above: least) {
        left = next
        // Each operator makes the expression a level deeper, on its left side.
        guard left.height <= SQLExpression.greatestHeight else { throw parser.tooDeep }
      }
      guard left.height <= SQLExpression.greatestHeight else { throw parser.tooDeep }
      return left
    }
  }

  /// Reads what nests, as deep as the stack of any thread allows.
  mutating func nested<Value>(
    _ read: (inout SQLParser) throws(SQLProblem) -> Value
  ) throws(SQLProblem) -> Value {
    guard depth < 24 else { throw tooDeep }
    depth += 1
    defer { depth -= 1 }
    return try read(&self)
  }

  private var tooDeep: SQLProblem {
    problem(
      "the expression nests too deeply.",
      "Write it with fewer parentheses or operators, or in two constraints.")
  }

  private mutating func prefixed() throws(SQLProblem) -> SQLExpression {
    let start = location
    if skip("not") {
      return SQLExpression(.not(try expression(above: Binding.not.rawValue - 1)), at: start)
    }
    if skip(symbol: "-") {
      return SQLExpression(.negative(try expression(above: Binding.sign.rawValue)), at: start)
    }
    if skip(symbol: "+") { return try expression(above: Binding.sign.rawValue) }
    return try operand()
  }

  /// The expression that an operator makes of what is left of it; `nil` if no operator follows that binds tightly enough.
  private mutating func infix(_ left: SQLExpression, above least: Int) throws(SQLProblem) -> SQLExpression? {
    let start = location
    func binds(_ binding: Binding) -> Bool { binding.rawValue > least }
    if case .symbol(let symbol) = token.kind {
      guard let binding = Self.binding(of: symbol), binds(binding) else { return nil }
      advance()
      if symbol == "::" { return SQLExpression(.cast(left, try type()), at: start) }
      if let quantifier = try quantifier(of: symbol, left, at: start) { return quantifier }
      let right = try expression(above: binding.rawValue)
      if binding == .comparison, case .symbol(let next) = token.kind, Self.binding(of: next) == .comparison {
        throw problem("a comparison is compared with something.", "Write parentheses around one of them.")
      }
      return SQLExpression(.binary(symbol, left, right), at: start)
    }
    if isNext("and"), binds(.and) { return try chain("and", .and, left, at: start) { .and($0) } }
    if isNext("or"), binds(.or) { return try chain("or", .or, left, at: start) { .or($0) } }
    if isNext("is") || isNext("isnull") || isNext("notnull") {
      guard binds(.state) else { return nil }
      return try state(left, at: start)
    }
    if isNext("at", "time", "zone"), binds(.zone) {
      position(by: 3)
      let zone = try expression(above: Binding.zone.rawValue)
      return SQLExpression(.call("timezone", [zone, left]), at: start)
    }
    if isNext("collate") {
      throw problem("COLLATE is not understood.", "Texts are ordered by their code points.")
    }
    guard binds(.range) else { return nil }
    let isNegated = isNext("not") && ["between", "in", "like", "ilike"].contains { peek(1) == .word($0) }
    if isNegated { advance() }
    guard let tested = try range(left, at: start) else { return nil }
    return isNegated ? SQLExpression(.not(tested), at: start) : tested
  }

  private mutating func position(by tokens: Int) {
    for _ in 0..<tokens { advance() }
  }

  private static func binding(of symbol: String) -> Binding? {
    switch symbol {
    case "::": .cast
    case "*", "/", "%": .product
    case "+", "-": .sum
    case "<", ">", "=", "<=", ">=", "<>", "!=": .comparison
    case "(", ")", "[", "]", ",", ";", ".", ":", ":=": nil
    default: .other
    }
  }

  /// `a AND b AND c` as one condition of three, so that a long one is not a deep one.
  private mutating func chain(
    _ word: String, _ binding: Binding, _ left: SQLExpression, at start: SQLLocation,
    _ node: ([SQLExpression]) -> SQLExpression.Node
  ) throws(SQLProblem) -> SQLExpression {
    var operands = [left]
    while skip(word) { operands.append(try expression(above: binding.rawValue)) }
    return SQLExpression(node(operands), at: start)
  }

  private mutating func state(_ left: SQLExpression, at start: SQLLocation) throws(SQLProblem)
    -> SQLExpression
  {
    if skip("isnull") { return SQLExpression(.state(left, .null), at: start) }
    if skip("notnull") { return SQLExpression(.state(left, .notNull), at: start) }
    advance()
    let isNegated = skip("not")
    let tested: SQLExpression
    if skip("distinct", "from") {
      tested = SQLExpression(.distinct(left, try expression(above: Binding.state.rawValue)), at: start)
    } else if skip("null") {
      return SQLExpression(.state(left, isNegated ? .notNull : .null), at: start)
    } else if skip("true") {
      tested = SQLExpression(.state(left, .true), at: start)
    } else if skip("false") {
      tested = SQLExpression(.state(left, .false), at: start)
    } else if skip("unknown") {
      tested = SQLExpression(.state(left, .unknown), at: start)
    } else {
      throw unexpected("NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM")
    }
    return isNegated ? SQLExpression(.not(tested), at: start) : tested
  }

  /// `BETWEEN`, `IN`, `LIKE` or `ILIKE`, which may have had a `NOT` before.
  private mutating func range(_ left: SQLExpression, at start: SQLLocation) throws(SQLProblem)
    -> SQLExpression?
  {
    if skip("between") {
      _ = skip("asymmetric")
      if isNext("symmetric") {
        throw problem("BETWEEN SYMMETRIC is not understood.", "Write the smaller end first.")
      }
      let low = try expression(above: Binding.range.rawValue)
      try expect("and")
      let high = try expression(above: Binding.range.rawValue)
      return SQLExpression(
        .and([
          SQLExpression(.binary(">=", left, low), at: start),
          SQLExpression(.binary("<=", left, high), at: start),
        ]), at: start)
    }
    if skip("in") {
      try expect(symbol: "(")
      if isNext("select") {
        let query = try query()
        try expect(symbol: ")")
        return SQLExpression(.amongRows(left, query), at: start)
      }
      let values = try expressions()
      try expect(symbol: ")")
      return SQLExpression(.among(left, values), at: start)
    }
    for (word, symbol) in [("like", "~~"), ("ilike", "~~*")] where skip(word) {
      let pattern = try expression(above: Binding.range.rawValue)
      if isNext("escape") { throw problem("ESCAPE is not understood.", "Escape with a backslash.") }
      return SQLExpression(.binary(symbol, left, pattern), at: start)
    }
    if isNext("similar") {
      throw problem("SIMILAR TO is not understood.", "Write a regular expression with ~.")
    }
    return nil
  }

  /// `ANY (…)` or `ALL (…)` after an operator.
  private mutating func quantifier(
    of symbol: String, _ left: SQLExpression, at start: SQLLocation
  ) throws(SQLProblem) -> SQLExpression? {
    guard isNext("any") || isNext("some") || isNext("all"), peek(1) == .symbol("(") else { return nil }
    let isAny = !isNext("all")
    position(by: 2)
    if isNext("select") {
      guard isAny, symbol == "=" else {
        throw problem("of ANY and ALL with a query only = ANY is understood.", "Write EXISTS (SELECT …).")
      }
      let query = try query()
      try expect(symbol: ")")
      return SQLExpression(.amongRows(left, query), at: start)
    }
    let array = try expression()
    try expect(symbol: ")")
    return SQLExpression(.quantified(left, symbol, array, isAny: isAny), at: start)
  }

  /// Expressions between commas.
  mutating func expressions() throws(SQLProblem) -> [SQLExpression] {
    var all: [SQLExpression] = []
    repeat { all.append(try expression()) } while skip(symbol: ",")
    return all
  }
}
