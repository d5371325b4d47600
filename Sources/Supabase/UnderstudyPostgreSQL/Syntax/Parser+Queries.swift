// SELECT, VALUES and their combinations (PostgreSQL documentation, 7 and VI.I).
extension Parser {
  static let wordsAfterQuery: [String] = [
    "union", "intersect", "except", "order", "limit", "offset", "fetch", "for",
  ]

  /// Whether a query begins here without parentheses.
  var isAtQuery: Bool {
    at("select") || at("with") || at("table")
      || (at("values") && peek().kind == .punctuation && peek().text == "(")
  }

  /// A query with its `WITH`, `ORDER BY` and `LIMIT`.
  mutating func parseQuery() throws(PostgreSQLError) -> Query {
    let start = index
    return try parseQuery(with: try parseWith(), at: start)
  }

  /// A query whose `WITH` is known, at the index of its first token.
  mutating func parseQuery(with: WithClause?, at start: Int) throws(PostgreSQLError) -> Query {
    let outer = try enter()
    var query = try parseSetOperations(after: try parseSetOperand())
    if let with {
      if query.with != nil { throw error("multiple WITH clauses not allowed", at: tokens[start]) }
      query.with = with
    }
    try parseQueryOptions(of: &query)
    leave(outer)
    return query
  }

  /// The rest of a query whose first operand is in parentheses.
  mutating func parseQuery(after first: Query) throws(PostgreSQLError) -> Query {
    let outer = try enter()
    try deepen()
    var query = try parseSetOperations(after: first)
    try parseQueryOptions(of: &query)
    leave(outer)
    return query
  }

  mutating func parseWith() throws(PostgreSQLError) -> WithClause? {
    guard take("with") else { return nil }
    let permission = into
    into = .forbidden
    defer { into = permission }
    let isName = peek().text == "as" || peek().text == "("
    var clause = WithClause(isRecursive: !isName && take("recursive"), [])
    repeat { clause.tables.append(try parseCommonTable()) } while takePunctuation(",")
    return clause
  }

  private mutating func parseCommonTable() throws(PostgreSQLError) -> CommonTable {
    let outer = try enter()
    let name = try parseName()
    let columns = atPunctuation("(") ? try parseNamesInParentheses() : []
    try expect("as")
    if take("not") { try expect("materialized") } else { _ = take("materialized") }
    try expectPunctuation("(")
    let statement = try parseDataStatement()
    try expectPunctuation(")")
    if at("search") || at("cycle") {
      throw notSupported("\(current.text.uppercased()) of a common table expression")
    }
    leave(outer)
    return CommonTable(name, columns: columns, statement)
  }

  private mutating func parseSetOperations(after first: Query) throws(PostgreSQLError) -> Query {
    var left = try parseIntersections(after: first)
    while let word = take(anyOf: ["union", "except"]) {
      try deepen()
      let isAll = takeAll()
      let right = try parseIntersections(after: try parseSetOperand())
      left = Query(.setOperation(word == "union" ? .union : .except, isAll: isAll, left, right))
    }
    return left
  }

  private mutating func parseIntersections(after first: Query) throws(PostgreSQLError) -> Query {
    var left = first
    while take("intersect") {
      try deepen()
      let isAll = takeAll()
      left = Query(.setOperation(.intersect, isAll: isAll, left, try parseSetOperand()))
    }
    return left
  }

  private mutating func takeAll() -> Bool {
    let isAll = take("all")
    if !isAll { _ = take("distinct") }
    return isAll
  }

  private mutating func parseSetOperand() throws(PostgreSQLError) -> Query {
    if atPunctuation("(") { return try parseQueryInParentheses() }
    return Query(try parseSimpleQuery())
  }

  private mutating func parseSimpleQuery() throws(PostgreSQLError) -> Query.Body {
    if at("select") { return .select(try parseSelect()) }
    if at("values") { return .values(try parseValues()) }
    try expect("table")
    return .select(Select([.init(.wildcard([]))], from: [.table(try parseRelation().0, nil)]))
  }

  private mutating func parseValues() throws(PostgreSQLError) -> [[SQLExpression]] {
    let start = current
    try expect("values")
    var rows: [[SQLExpression]] = []
    repeat {
      try expectPunctuation("(")
      rows.append(try parseExpressions())
      try expectPunctuation(")")
    } while takePunctuation(",")
    if rows.contains(where: { $0.count != rows[0].count }) {
      noteForLater(error("VALUES lists must all be the same length", at: start))
    }
    return rows
  }

  /// `ORDER BY`, `LIMIT`, `OFFSET`, `FETCH` and `FOR UPDATE`.
  private mutating func parseQueryOptions(of query: inout Query) throws(PostgreSQLError) {
    while true {
      let start = current
      switch true {
      case at("order"):
        guard query.order.isEmpty else { throw error("multiple ORDER BY clauses not allowed", at: start) }
        try expect("order", "by")
        query.order = try parseSortKeys()
      case at("limit"):
        advance()
        let limit = take("all") ? nil : try parseExpression()
        guard query.limit == nil else { throw error("multiple LIMIT clauses not allowed", at: start) }
        if atPunctuation(",") {
          var failure = error("LIMIT #,# syntax is not supported")
          failure.hint = "Use separate LIMIT and OFFSET clauses."
          throw failure
        }
        query.limit = limit
      case at("offset"):
        advance()
        guard query.offset == nil else { throw error("multiple OFFSET clauses not allowed", at: start) }
        query.offset = try parseExpression()
        _ = take(anyOf: ["row", "rows"])
      case at("fetch"):
        advance()
        guard take(anyOf: ["first", "next"]) != nil else { throw syntaxError() }
        guard query.limit == nil else { throw error("multiple LIMIT clauses not allowed", at: start) }
        query.limit = at(anyOf: ["row", "rows"]) ? .number("1") : try parsePrimary()
        guard take(anyOf: ["row", "rows"]) != nil else { throw syntaxError() }
        if at("with") { throw notSupported("FETCH … WITH TIES") }
        try expect("only")
      case at("for"): try parseLocking()
      default: return
      }
    }
  }

  /// `FOR UPDATE` and the like, which change nothing where transactions do not run side by side.
  private mutating func parseLocking() throws(PostgreSQLError) {
    try expect("for")
    if take("read") { return try expect("only") }
    if take("no") {
      try expect("key", "update")
    } else if take("key") {
      try expect("share")
    } else if take(anyOf: ["update", "share"]) == nil {
      throw syntaxError()
    }
    if take("of") { _ = try parseQualifiedNames() }
    if take("skip") { try expect("locked") } else { _ = take("nowait") }
  }
}

// MARK: - SELECT

extension Parser {
  private static let wordsAfterItems: [String] = [
    "from", "into", "where", "group", "having", "window", "union", "intersect", "except", "order", "limit",
    "offset",
    "fetch", "for", "on", "returning", "with",
  ]

  private mutating func parseSelect() throws(PostgreSQLError) -> Select {
    let permission = into
    into = .forbidden
    try expect("select")
    var select = Select([])
    try parseDistinct(of: &select)
    if hasItems || select.distinct != nil { select.items = try parseItems() }
    if at("into") { try parseInto(permission) }
    if take("from") { select.from = try parseTableReferences() }
    if take("where") { select.filter = try parseExpression() }
    if at("group") { try parseGroupBy(of: &select) }
    if take("having") { select.having = try parseExpression() }
    if at("window") { try parseWindows(of: &select) }
    return select
  }

  private var hasItems: Bool {
    !isAtEnd && !atPunctuation(")") && !atPunctuation(";") && !at(anyOf: Self.wordsAfterItems)
  }

  private mutating func parseDistinct(of select: inout Select) throws(PostgreSQLError) {
    guard take("distinct") else {
      _ = take("all")
      return
    }
    select.distinct = .all
    if take("on") {
      try expectPunctuation("(")
      select.distinct = .on(try parseExpressions())
      try expectPunctuation(")")
    }
  }

  private mutating func parseGroupBy(of select: inout Select) throws(PostgreSQLError) {
    try expect("group", "by")
    if at("distinct") { throw notSupported("GROUP BY DISTINCT") }
    _ = take("all")
    select.grouping = try parseGrouping(isSet: false)
  }

  private mutating func parseWindows(of select: inout Select) throws(PostgreSQLError) {
    try expect("window")
    repeat {
      let name = try parseName()
      try expect("as")
      select.windows.append(.init(name, try parseWindow()))
    } while takePunctuation(",")
  }

  private mutating func parseInto(_ permission: IntoClause) throws(PostgreSQLError) {
    let start = current
    try expect("into")
    _ = take(anyOf: ["temporary", "temp", "unlogged"])
    _ = take("table")
    let name = try parseQualifiedName()
    if case .allowed = permission {
      into = .found(name)
    } else {
      noteForLater(error("SELECT ... INTO is not allowed here", at: start))
    }
  }

  mutating func parseItems() throws(PostgreSQLError) -> [Select.Item] {
    var items: [Select.Item] = []
    repeat {
      if takeOperator("*") {
        items.append(.init(.wildcard([])))
        continue
      }
      let expression = try parseExpression()
      if take("as") {
        items.append(.init(expression, as: try parseLabel()))
      } else if current.kind == .quotedIdentifier
        || (current.kind == .word && Keyword.canBeLabel(current.text))
      {
        items.append(.init(expression, as: try parseLabel()))
      } else {
        items.append(.init(expression))
      }
    } while takePunctuation(",")
    return items
  }

  private mutating func parseGrouping(isSet: Bool) throws(PostgreSQLError) -> [Select.Grouping] {
    var result: [Select.Grouping] = []
    repeat {
      if atPunctuation("("), peek().kind == .punctuation, peek().text == ")" {
        advance()
        advance()
        result.append(.set([]))
      } else if at("rollup") || at("cube"), peek().kind == .punctuation, peek().text == "(" {
        let isCube = at("cube")
        advance()
        try expectPunctuation("(")
        let keys = try parseExpressions().map { key -> [SQLExpression] in
          if case .row(let members) = key { members } else { [key] }
        }
        try expectPunctuation(")")
        result.append(isCube ? .cube(keys) : .rollup(keys))
      } else if at("grouping", "sets") {
        let outer = try enter()
        advance()
        advance()
        try expectPunctuation("(")
        result.append(.sets(try parseGrouping(isSet: true)))
        try expectPunctuation(")")
        leave(outer)
      } else {
        switch (try parseExpression(), isSet) {
        case (.row(let members), true): result.append(.set(members))
        case (.row(let members), false): result += members.map { .expression($0) }
        case (let key, true): result.append(.set([key]))
        case (let key, false): result.append(.expression(key))
        }
      }
    } while takePunctuation(",")
    return result
  }
}
