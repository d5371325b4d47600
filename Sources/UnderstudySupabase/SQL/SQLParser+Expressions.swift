/// The precedence of an operator (PostgreSQL, "Operator Precedence").
private enum Binding: Int {
  case or = 1
  case and, not, state, comparison, range, other, sum, product, zone, sign, cast
}

extension SQLParser {
  /// - Throws: For an invalid or unsupported expression.
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

  /// Parses a nested part, up to a depth that fits on any thread's stack.
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
      "the expression is nested too deeply.",
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

  /// Parses the expression of the next operator and its left operand; `nil` without an operator of sufficient
  /// precedence.
  private mutating func infix(_ left: SQLExpression, above least: Int) throws(SQLProblem) -> SQLExpression? {
    let start = location
    func binds(_ binding: Binding) -> Bool { binding.rawValue > least }
    if case .symbol(let symbol) = token.kind {
      // An element of an array, which binds more tightly than any operator.
      if skip(symbol: "[") {
        let index = try expression()
        try expect(symbol: "]")
        return SQLExpression(.call(SQLExpression.subscriptName, [left, index]), at: start)
      }
      guard let binding = Self.binding(of: symbol), binds(binding) else { return nil }
      advance()
      if symbol == "::" { return SQLExpression(.cast(left, try type()), at: start) }
      if let quantifier = try quantifier(of: symbol, left, at: start) { return quantifier }
      let right = try expression(above: binding.rawValue)
      if binding == .comparison, case .symbol(let next) = token.kind, Self.binding(of: next) == .comparison {
        throw problem(
          "a comparison is the operand of another comparison.", "Write parentheses around one of them.")
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
      throw problem("COLLATE is not supported.", "Texts are always ordered by code point.")
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

  /// Parses `a AND b AND c` as one condition with three operands, so that a long condition is not deep.
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

  /// Parses `BETWEEN`, `IN`, `LIKE` or `ILIKE`, after an optional `NOT`.
  private mutating func range(_ left: SQLExpression, at start: SQLLocation) throws(SQLProblem)
    -> SQLExpression?
  {
    if skip("between") {
      _ = skip("asymmetric")
      if isNext("symmetric") {
        throw problem("BETWEEN SYMMETRIC is not supported.", "Write the smaller end first.")
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
      if isNext("escape") { throw problem("ESCAPE is not supported.", "Escape with a backslash.") }
      return SQLExpression(.binary(symbol, left, pattern), at: start)
    }
    if isNext("similar") {
      throw problem("SIMILAR TO is not supported.", "Write a regular expression with ~.")
    }
    return nil
  }

  /// Parses `ANY (…)` or `ALL (…)` after an operator.
  private mutating func quantifier(
    of symbol: String, _ left: SQLExpression, at start: SQLLocation
  ) throws(SQLProblem) -> SQLExpression? {
    guard isNext("any") || isNext("some") || isNext("all"), peek(1) == .symbol("(") else { return nil }
    let isAny = !isNext("all")
    position(by: 2)
    if isNext("select") {
      guard isAny, symbol == "=" else {
        throw problem("a query after ANY or ALL is supported only for = ANY.", "Write EXISTS (SELECT …).")
      }
      let query = try query()
      try expect(symbol: ")")
      return SQLExpression(.amongRows(left, query), at: start)
    }
    let array = try expression()
    try expect(symbol: ")")
    return SQLExpression(.quantified(left, symbol, array, isAny: isAny), at: start)
  }

  /// Parses expressions separated by commas.
  mutating func expressions() throws(SQLProblem) -> [SQLExpression] {
    var all: [SQLExpression] = []
    repeat { all.append(try expression()) } while skip(symbol: ",")
    return all
  }
}

extension SQLParser {
  /// Parses an operand: a literal, a name, a call, or an expression in parentheses.
  mutating func operand() throws(SQLProblem) -> SQLExpression {
    let start = location
    switch token.kind {
    case .number(let digits):
      advance()
      return SQLExpression(.number(digits), at: start)
    case .string(let text):
      advance()
      return SQLExpression(.string(text), at: start)
    case .symbol("("):
      advance()
      if isNext("select") {
        let query = try query()
        try expect(symbol: ")")
        return SQLExpression(.scalar(query), at: start)
      }
      let inner = try expression()
      if isNext(symbol: ",") {
        throw problem("a row of values is not supported.", "Compare the columns one by one.")
      }
      try expect(symbol: ")")
      return inner
    case .word(let word):
      if let special = try special(word, at: start) { return special }
    case .name: break
    default: throw unexpected("an expression")
    }
    return try nameOrCall(at: start)
  }

  /// Parses an operand that begins with a key word.
  private mutating func special(_ word: String, at start: SQLLocation) throws(SQLProblem) -> SQLExpression? {
    switch word {
    case "null":
      advance()
      return SQLExpression(.null, at: start)
    case "true", "false":
      advance()
      return SQLExpression(.boolean(word == "true"), at: start)
    case "current_timestamp", "current_date", "localtimestamp":
      advance()
      return SQLExpression(.call(word, []), at: start)
    case "cast":
      advance()
      try expect(symbol: "(")
      let operand = try expression()
      try expect("as")
      let type = try type()
      try expect(symbol: ")")
      return SQLExpression(.cast(operand, type), at: start)
    case "array":
      advance()
      guard skip(symbol: "[") else { throw unexpected("\"[\"") }
      let elements = isNext(symbol: "]") ? [] : try expressions()
      try expect(symbol: "]")
      return SQLExpression(.array(elements), at: start)
    case "exists":
      guard peek(1) == .symbol("(") else { return nil }
      advance()
      advance()
      let query = try query()
      try expect(symbol: ")")
      return SQLExpression(.exists(query), at: start)
    case "case":
      advance()
      return try choice(at: start)
    case "current_user", "session_user", "user", "current_role":
      throw problem(
        "\(word.uppercased()) is not supported.",
        "Name the roles of a policy with TO, or compare auth.role().")
    case "interval":
      guard case .string = peek(1) else { return nil }
      throw problem("an interval is not supported.", "Add a number of days to a date.")
    case "date", "timestamptz", "uuid", "text", "boolean", "bool", "jsonb", "integer", "int":
      // A literal with its type before it: DATE '2026-01-03'.
      guard case .string(let text) = peek(1), let type = ColumnType(sqlName: word) else { return nil }
      advance()
      let literal = SQLExpression(.string(text), at: location)
      advance()
      return SQLExpression(.cast(literal, .column(type)), at: start)
    default: return nil
    }
  }

  private mutating func choice(at start: SQLLocation) throws(SQLProblem) -> SQLExpression {
    let subject = isNext("when") ? nil : try expression()
    var branches: [(condition: SQLExpression, value: SQLExpression)] = []
    while skip("when") {
      let here = location
      var condition = try expression()
      if let subject { condition = SQLExpression(.binary("=", subject, condition), at: here) }
      try expect("then")
      branches.append((condition, try expression()))
    }
    guard !branches.isEmpty else { throw unexpected("WHEN") }
    let otherwise = skip("else") ? try expression() : nil
    try expect("end")
    return SQLExpression(.choice(branches, otherwise: otherwise), at: start)
  }

  private mutating func nameOrCall(at start: SQLLocation) throws(SQLProblem) -> SQLExpression {
    var parts = [try name("an expression")]
    while skip(symbol: ".") {
      if isNext(symbol: "*") { throw problem("* is not supported here.", "Name a column.") }
      parts.append(try name("a name"))
    }
    guard skip(symbol: "(") else {
      guard parts.count <= 3 else {
        throw problem("the name has too many parts.", "Write table.column.", at: start)
      }
      let column = parts.removeLast()
      return SQLExpression(.column(column, of: parts.last.map { .table($0) } ?? .any), at: start)
    }
    if let first = parts.first, ["public", "pg_catalog"].contains(first), parts.count > 1 {
      parts.removeFirst()
    }
    if parts == ["trim"] { return try trim(at: start) }
    var arguments: [SQLExpression] = []
    if !isNext(symbol: ")") { arguments = try expressions() }
    try expect(symbol: ")")
    return SQLExpression(.call(parts.joined(separator: "."), arguments), at: start)
  }

  /// Parses `trim([BOTH | LEADING | TRAILING] [characters] FROM text)`.
  private mutating func trim(at start: SQLLocation) throws(SQLProblem) -> SQLExpression {
    var function = "btrim"
    if skip("leading") {
      function = "ltrim"
    } else if skip("trailing") {
      function = "rtrim"
    } else {
      _ = skip("both")
    }
    var arguments = isNext("from") ? [] : try expressions()
    if skip("from") { arguments = [try expression()] + arguments }
    try expect(symbol: ")")
    return SQLExpression(.call(function, arguments), at: start)
  }

  // MARK: Types

  /// Parses a type that an expression can have.
  mutating func type() throws(SQLProblem) -> SQLType {
    let start = location
    let name = try typeName()
    if let type = ColumnType(sqlName: name) { return .column(type) }
    switch name {
    case "numeric", "decimal": return .numeric
    case "timestamp", "timestamp without time zone": return .localTimestamp
    default: throw unknownType(name, at: start)
    }
  }

  /// Parses a type that a column can have.
  mutating func columnType() throws(SQLProblem) -> ColumnType {
    let start = location
    let name = try typeName()
    guard let type = ColumnType(sqlName: name) else { throw unknownType(name, at: start) }
    return type
  }

  private func unknownType(_ name: String, at start: SQLLocation) -> SQLProblem {
    let instead =
      switch name.replacing("(…)", with: "") {
      case "varchar", "character varying", "char", "character", "citext":
        " Write text, and a CHECK (char_length(…) <= n) for its length."
      case "timestamp", "timestamp without time zone": " Write timestamptz."
      case "json": " Write jsonb."
      case "bigint", "int8", "smallint", "int2", "serial", "bigserial": " Write integer, or uuid for a key."
      case "numeric", "decimal", "real", "float4", "money": " Write double precision."
      default: ""
      }
    return problem("the type \(name) is not supported.", ColumnType.supportedNames + instead, at: start)
  }

  /// Parses the name of a type, and returns its normalized form without a length.
  private mutating func typeName() throws(SQLProblem) -> String {
    var name = try qualifiedName("a type")
    if name == "double", skip("precision") { name = "double precision" }
    if name == "character", skip("varying") { name = "character varying" }
    if skip(symbol: "(") {
      while !isAtEnd, !isNext(symbol: ")") { advance() }
      try expect(symbol: ")")
      if name == "float" || ColumnType(sqlName: name) == nil || name == "timestamptz" { name += "(…)" }
    }
    if ["timestamp", "time"].contains(name) {
      if skip("with", "time", "zone") { name += " with time zone" }
      if skip("without", "time", "zone") { name += " without time zone" }
    }
    while skip(symbol: "[") {
      if case .number = token.kind { advance() }
      try expect(symbol: "]")
      name += "[]"
    }
    if skip("array") { name += "[]" }
    return name
  }
}
