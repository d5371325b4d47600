extension SQLParser {
  /// What stands between operators: a literal, a name, a call, or something in parentheses.
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
        throw problem("a row of values is not understood.", "Compare the columns one by one.")
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

  /// What begins with a key word.
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
        "\(word.uppercased()) is not understood.",
        "Say the roles of a policy with TO, or compare auth.role().")
    case "interval":
      guard case .string = peek(1) else { return nil }
      throw problem("an interval is not understood.", "Add a number of days to a date.")
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
      if isNext(symbol: "*") { throw problem("a star is not understood here.", "Name a column.") }
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

  /// `trim([BOTH | LEADING | TRAILING] [characters] FROM text)`.
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

  /// A type that an expression can have.
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

  /// A type that a column can have.
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
    return problem("the type \(name) is not understood.", ColumnType.understoodNames + instead, at: start)
  }

  /// The name of a type in one spelling, without a length.
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
