// FROM (PostgreSQL documentation, 7.2.1; `table_ref` of the grammar).
extension Parser {
  mutating func parseTableReferences() throws(PostgreSQLError) -> [TableReference] {
    var references = [try parseTableReference()]
    while takePunctuation(",") { references.append(try parseTableReference()) }
    return references
  }

  /// An entry with its joins.
  mutating func parseTableReference() throws(PostgreSQLError) -> TableReference {
    let outer = try enter()
    let reference = try parseJoins(after: try parseTablePrimary())
    leave(outer)
    return reference
  }

  private mutating func parseJoins(after first: TableReference) throws(PostgreSQLError) -> TableReference {
    var left = first
    while let join = try parseJoinWords() {
      try deepen()
      left = .join(try parseJoin(join, after: left))
    }
    return left
  }

  private struct JoinWords {
    var kind: Join.Kind
    var isNatural: Bool
  }

  /// The words before the right side of a join; nil if no join follows.
  private mutating func parseJoinWords() throws(PostgreSQLError) -> JoinWords? {
    if take("cross") {
      try expect("join")
      return JoinWords(kind: .cross, isNatural: false)
    }
    var join = JoinWords(kind: .inner, isNatural: take("natural"))
    if let word = take(anyOf: ["left", "right", "full"]), let outer = Join.Kind(rawValue: word) {
      join.kind = outer
      _ = take("outer")
    } else if !take("inner"), !at("join") {
      if join.isNatural { throw syntaxError() }
      return nil
    }
    try expect("join")
    return join
  }

  private mutating func parseJoin(_ words: JoinWords, after left: TableReference) throws(PostgreSQLError)
    -> Join
  {
    if words.kind == .cross { return Join(.cross, left, try parseTablePrimary()) }
    if words.isNatural { return Join(words.kind, left, try parseTablePrimary(), condition: .natural) }
    // `a JOIN b JOIN c ON … ON …` nests to the right.
    let right = try parseTableReference()
    return Join(words.kind, left, right, condition: try parseJoinCondition())
  }

  private mutating func parseJoinCondition() throws(PostgreSQLError) -> Join.Condition {
    if take("using") {
      let columns = try parseNamesInParentheses()
      if at("as") { throw notSupported("An alias of USING") }
      return .using(columns)
    }
    try expect("on")
    return .on(try parseExpression())
  }

  private static let wordsAfterTable: [String] =
    wordsAfterQuery + [
      "cross", "natural", "left", "right", "full", "inner", "join", "on", "using", "where", "group", "having",
      "window",
      "returning",
    ]

  private enum ParenthesizedTable {
    /// A query, and the index of its first token.
    case query(Query, Int)
    case table(TableReference)
  }

  private mutating func parseTablePrimary() throws(PostgreSQLError) -> TableReference {
    if take("lateral") {
      guard atPunctuation("(") else { return try parseTableFunction(isLateral: true) }
      let start = index + 1
      return try parseAlias(of: try parseQueryInParentheses(), at: start, isLateral: true)
    }
    if atPunctuation("(") { return try parseParenthesizedTable() }
    if isAtTableFunction { return try parseTableFunction(isLateral: false) }
    return try parseNamedTable()
  }

  private mutating func parseParenthesizedTable() throws(PostgreSQLError) -> TableReference {
    switch try parseTableInParentheses() {
    case .query(let query, let start): return try parseAlias(of: query, at: start, isLateral: false)
    case .table(let table): return try parseAlias(ofJoin: table)
    }
  }

  private mutating func parseNamedTable() throws(PostgreSQLError) -> TableReference {
    if current.category == .functionName {
      // Only a parenthesis could follow.
      advance()
      throw syntaxError()
    }
    let (name, isOnly) = try parseRelation()
    if isOnly { throw notSupported("ONLY in FROM") }
    let alias = try parseAlias()
    if at("tablesample") { throw notSupported("TABLESAMPLE") }
    return .table(name, alias)
  }

  /// A table with `ONLY`, or with the star that means its children.
  mutating func parseRelation() throws(PostgreSQLError) -> (QualifiedName, isOnly: Bool) {
    if take("only") {
      let hasParentheses = takePunctuation("(")
      let name = try parseQualifiedName()
      if hasParentheses { try expectPunctuation(")") }
      return (name, true)
    }
    let name = try parseQualifiedName()
    _ = takeOperator("*")
    return (name, false)
  }

  /// A query or a join between parentheses.
  ///
  /// Which of them it is shows only behind inner parentheses.
  private mutating func parseTableInParentheses() throws(PostgreSQLError) -> ParenthesizedTable {
    let outer = try enter()
    try expectPunctuation("(")
    let start = index
    var result: ParenthesizedTable
    if isAtQuery {
      result = .query(try parseQuery(), start)
    } else if atPunctuation("(") {
      result = try parseAfterInnerTable()
    } else {
      result = .table(try parseTableReference())
    }
    if case .table(let table) = result {
      guard case .join = table else { throw syntaxError() }
    }
    try expectPunctuation(")")
    leave(outer)
    return result
  }

  private mutating func parseAfterInnerTable() throws(PostgreSQLError) -> ParenthesizedTable {
    switch try parseTableInParentheses() {
    case .table(let table): return .table(try parseJoins(after: try parseAlias(ofJoin: table)))
    case .query(let query, let start):
      if atPunctuation(")") { return .query(query, start) }
      if at(anyOf: Self.wordsAfterQuery) { return .query(try parseQuery(after: query), start) }
      let table = try parseAlias(of: query, at: start, isLateral: false, isInner: true)
      return .table(try parseJoins(after: table))
    }
  }

  /// - Parameter isInner: Whether parentheses around it could also belong to a query.
  private mutating func parseAlias(
    of query: Query, at start: Int, isLateral: Bool, isInner: Bool = false
  ) throws(PostgreSQLError) -> TableReference {
    guard let alias = try parseAlias() else {
      let canEnd = isAtEnd || atPunctuation(")") || atPunctuation(",") || at(anyOf: Self.wordsAfterTable)
      guard canEnd || !isInner else { throw syntaxError() }
      let isValues = if case .values = query.body { true } else { false }
      var failure = error("\(isValues ? "VALUES" : "subquery") in FROM must have an alias", at: tokens[start])
      failure.hint = "For example, FROM (\(isValues ? "VALUES ..." : "SELECT ...")) [AS] foo."
      throw failure
    }
    return .query(query, alias, isLateral: isLateral)
  }

  private mutating func parseAlias(ofJoin table: TableReference) throws(PostgreSQLError) -> TableReference {
    guard case .join(var join) = table, let alias = try parseAlias() else { return table }
    join.alias = alias
    return .join(join)
  }

  private mutating func parseAlias() throws(PostgreSQLError) -> TableAlias? {
    guard take("as") || Self.isName(current) else { return nil }
    let name = try parseName()
    return TableAlias(name, columns: atPunctuation("(") ? try parseNamesInParentheses() : [])
  }
}

// MARK: - Functions in FROM

extension Parser {
  private static let functionsWithoutParentheses: [String] = [
    "current_date", "current_role", "current_user", "user", "session_user", "current_catalog", "current_time",
    "current_timestamp", "localtime", "localtimestamp", "current_schema", "cast",
  ]

  private var isAtTableFunction: Bool {
    if at("rows", "from") || at(anyOf: Self.functionsWithoutParentheses) { return true }
    guard Self.isLabel(current) else { return false }
    var offset = 1
    while peek(offset).kind == .punctuation, peek(offset).text == ".", Self.isLabel(peek(offset + 1)) {
      offset += 2
    }
    return peek(offset).kind == .punctuation && peek(offset).text == "("
  }

  private mutating func parseTableFunction(isLateral: Bool) throws(PostgreSQLError) -> TableReference {
    var function = TableFunction([])
    if at("rows", "from") {
      advance()
      advance()
      try expectPunctuation("(")
      repeat {
        function.calls.append(try parseFunctionOfTable())
        if at("as") { throw notSupported("Column definitions in ROWS FROM") }
      } while takePunctuation(",")
      try expectPunctuation(")")
    } else {
      function.calls = [try parseFunctionOfTable()]
    }
    function.hasOrdinality = take("with", "ordinality")
    let hasWord = take("as")
    if Self.isName(current) {
      function.alias = TableAlias(try parseName())
    } else if hasWord, !atPunctuation("(") {
      throw syntaxError()
    }
    if (hasWord || function.alias != nil), takePunctuation("(") {
      try parseColumns(of: &function)
      try expectPunctuation(")")
    }
    return .function(function, isLateral: isLateral)
  }

  private mutating func parseFunctionOfTable() throws(PostgreSQLError) -> Call {
    if at("xmltable") { throw notSupported("XMLTABLE") }
    if at(anyOf: Self.functionsWithoutParentheses)
      || (current.kind == .word && current.category == .columnName)
    {
      guard case .call(let call) = try parsePrimary() else {
        throw syntaxError()
      }
      return call
    }
    var call = Call(try parseFunctionName())
    try parseArguments(into: &call)
    return call
  }

  /// The names of an alias, or names with types.
  private mutating func parseColumns(of function: inout TableFunction) throws(PostgreSQLError) {
    let isDefinition = !(peek().kind == .punctuation && (peek().text == "," || peek().text == ")"))
    guard isDefinition || function.alias == nil else {
      function.alias?.columns = try parseNames()
      return
    }
    repeat {
      let name = try parseName()
      function.definitions.append(.init(name, try parseTypeName()))
      if take("collate") { _ = try parseQualifiedName() }
    } while takePunctuation(",")
  }
}
