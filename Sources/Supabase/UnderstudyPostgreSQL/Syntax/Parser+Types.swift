// The names of types (PostgreSQL documentation, 8 and 4.1; `Typename` of the grammar).
extension Parser {
  /// A type.
  ///
  /// - Parameter allowsReference: Whether `table.column%TYPE` and `table%ROWTYPE` are types.
  mutating func parseTypeName(allowsReference: Bool = false) throws(PostgreSQLError) -> TypeName {
    let isSet = take("setof")
    var type = try parseSimpleType(allowsReference: allowsReference)
    type.isSet = isSet
    if take("array") {
      type.arrayDimensions = 1
      if takePunctuation("[") {
        guard current.kind == .integer else { throw syntaxError() }
        advance()
        try expectPunctuation("]")
      }
    } else {
      while takePunctuation("[") {
        if current.kind == .integer { advance() }
        try expectPunctuation("]")
        type.arrayDimensions += 1
      }
    }
    return type
  }

  private mutating func parseSimpleType(allowsReference: Bool) throws(PostgreSQLError) -> TypeName {
    if current.kind == .word, let type = try parseStandardType() { return type }
    let start = current
    guard Self.isFunctionName(current) else { throw syntaxError() }
    advance()
    var parts = [start.text]
    while takePunctuation(".") { parts.append(try parseLabel()) }
    if allowsReference, takeOperator("%") {
      guard let kind = take(anyOf: ["type", "rowtype"]) else { throw syntaxError() }
      guard kind == "type" else { return TypeName(try qualifiedName(parts, at: start), isRowType: true) }
      guard parts.count > 1 else { return TypeName(QualifiedName(parts[0]), columnOfType: "") }
      let column = parts.removeLast()
      return TypeName(try qualifiedName(parts, at: start), columnOfType: column)
    }
    return TypeName(try qualifiedName(parts, at: start), modifiers: try parseModifiers())
  }

  /// The types of the standard, whose names are keywords.
  ///
  /// Nil if the next word names none of them.
  private mutating func parseStandardType() throws(PostgreSQLError) -> TypeName? {
    switch current.text {
    case "int", "integer": return takeType("int4")
    case "smallint": return takeType("int2")
    case "bigint": return takeType("int8")
    case "real": return takeType("float4")
    case "boolean": return takeType("bool")
    case "double":
      guard peek().kind == .word, peek().text == "precision" else { return nil }
      advance()
      return takeType("float8")
    case "float":
      advance()
      guard takePunctuation("(") else { return TypeName(QualifiedName("float8")) }
      let start = current
      let digits = try parseInteger()
      try expectPunctuation(")")
      guard digits >= 1 else {
        throw error("precision for type float must be at least 1 bit", code: "22023", at: start)
      }
      guard digits <= 53 else {
        throw error("precision for type float must be less than 54 bits", code: "22023", at: start)
      }
      return TypeName(QualifiedName(digits <= 24 ? "float4" : "float8"))
    case "decimal", "dec", "numeric":
      advance()
      return TypeName(QualifiedName("numeric"), modifiers: try parseModifiers())
    case "bit":
      advance()
      let isVarying = take("varying")
      let modifiers = try parseModifiers()
      return TypeName(
        QualifiedName(isVarying ? "varbit" : "bit"),
        modifiers: modifiers.isEmpty && !isVarying ? [1] : modifiers)
    case "character", "char", "nchar":
      advance()
      return try parseLength(isVarying: take("varying"))
    case "national":
      advance()
      guard take(anyOf: ["character", "char"]) != nil else { throw syntaxError() }
      return try parseLength(isVarying: take("varying"))
    case "varchar":
      advance()
      return try parseLength(isVarying: true)
    case "timestamp", "time":
      let name = current.text
      advance()
      let modifiers = try parsePrecision()
      var hasZone = false
      if at("with", "time") || at("without", "time") {
        hasZone = at("with")
        advance()
        try expect("time", "zone")
      }
      return TypeName(QualifiedName(name + (hasZone ? "tz" : "")), modifiers: modifiers)
    case "interval":
      advance()
      if atPunctuation("(") { return TypeName(QualifiedName("interval"), modifiers: try parsePrecision()) }
      var type = TypeName(QualifiedName("interval"))
      try parseIntervalFields(into: &type)
      return type
    default: return nil
    }
  }

  private mutating func takeType(_ name: String) -> TypeName {
    advance()
    return TypeName(QualifiedName(name))
  }

  private mutating func parseLength(isVarying: Bool) throws(PostgreSQLError) -> TypeName {
    let modifiers = try parsePrecision()
    guard !isVarying else { return TypeName(QualifiedName("varchar"), modifiers: modifiers) }
    return TypeName(QualifiedName("bpchar"), modifiers: modifiers.isEmpty ? [1] : modifiers)
  }

  /// `(n)`, or nothing.
  private mutating func parsePrecision() throws(PostgreSQLError) -> [Int] {
    guard takePunctuation("(") else { return [] }
    guard current.kind == .integer, let value = Int(current.text) else { throw syntaxError() }
    advance()
    try expectPunctuation(")")
    return [value]
  }

  /// `(…)`, or nothing.
  ///
  /// PostgreSQL reads expressions; words such as those of `geography(point, 4326)` are left out.
  private mutating func parseModifiers() throws(PostgreSQLError) -> [Int] {
    guard takePunctuation("(") else { return [] }
    var modifiers: [Int] = []
    repeat {
      switch try parseExpression() {
      case .number(let digits): if let value = Int(digits) { modifiers.append(value) }
      case .prefix("-", .number(let digits)): if let value = Int("-" + digits) { modifiers.append(value) }
      default: break
      }
    } while takePunctuation(",")
    try expectPunctuation(")")
    return modifiers
  }

  /// `YEAR TO MONTH` and so on after `interval`, with the precision of seconds.
  mutating func parseIntervalFields(into type: inout TypeName) throws(PostgreSQLError) {
    guard let first = take(anyOf: ["year", "month", "day", "hour", "minute", "second"]) else { return }
    var last = first
    let following = [
      "year": ["month"], "day": ["hour", "minute", "second"], "hour": ["minute", "second"],
      "minute": ["second"],
    ]
    if at("to"), let fields = following[first] {
      advance()
      guard let field = take(anyOf: fields) else { throw syntaxError() }
      last = field
    }
    type.intervalFields = IntervalFields(rawValue: first == last ? first : "\(first) to \(last)")
    if last == "second" { type.modifiers = try parsePrecision() }
  }

  /// The type before the string of a typed literal, such as `double precision '1'`.
  ///
  /// Nil, and the parser is unchanged, if the word is the name of a column.
  mutating func parseLiteralType() throws(PostgreSQLError) -> TypeName? {
    guard isAtLiteralType else { return nil }
    let type: TypeName?
    if take("interval") {
      // The fields of an interval follow its string.
      type = TypeName(QualifiedName("interval"), modifiers: try parsePrecision())
    } else {
      type = try parseStandardType()
    }
    guard current.kind == .string else { throw syntaxError() }
    return type
  }

  /// Whether the word and the next one name a type, because no column is followed by the latter.
  private var isAtLiteralType: Bool {
    let next = peek()
    let hasParentheses = next.kind == .punctuation && next.text == "("
    switch current.text {
    case "double": return next.kind == .word && next.text == "precision"
    case "int", "integer", "smallint", "bigint", "real", "boolean": return next.kind == .string
    case "float", "decimal", "dec", "numeric", "varchar", "interval":
      return next.kind == .string || hasParentheses
    case "bit", "character", "char", "nchar":
      return next.kind == .string || hasParentheses || (next.kind == .word && next.text == "varying")
    case "national": return next.kind == .word && ["character", "char"].contains(next.text)
    case "timestamp", "time":
      let hasZone =
        next.kind == .word && (next.text == "with" || next.text == "without") && peek(2).text == "time"
      return next.kind == .string || hasParentheses || hasZone
    default: return false
    }
  }
}
