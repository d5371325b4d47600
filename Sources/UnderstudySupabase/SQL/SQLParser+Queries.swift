extension SQLParser {
  /// A `SELECT` within an expression: one value at most, from tables that are joined, where a condition is true.
  mutating func query() throws(SQLProblem) -> SQLQuery {
    try nested { (parser) throws(SQLProblem) in try parser.select() }
  }

  private mutating func select() throws(SQLProblem) -> SQLQuery {
    try expect("select")
    // Whether rows come twice matters to no condition.
    _ = skip("distinct")
    var value: SQLExpression?
    if skip(symbol: "*") {
    } else if !isNext("from"), !isNext(symbol: ")") {
      value = try expression()
      if isNext(symbol: ",") {
        throw problem("a query of several columns is not understood.", "Select one expression.")
      }
      if skip("as") { _ = try name("a name") }
    }
    var sources: [SQLQuery.Source] = []
    var conditions: [SQLExpression] = []
    if skip("from") {
      repeat {
        sources.append(try source())
        while isNext("join") || isNext("inner") || isNext("cross") {
          let isCross = skip("cross")
          _ = skip("inner")
          try expect("join")
          sources.append(try source())
          if !isCross {
            guard skip("on") else { throw unexpected("ON", advice: "Write JOIN … ON and a condition.") }
            conditions.append(try expression())
          }
        }
      } while skip(symbol: ",")
    }
    if skip("where") { conditions.append(try expression()) }
    if isNext("limit"), peek(1) == .number("1") {
      advance()
      advance()
    }
    guard isNext(symbol: ")") else {
      throw unexpected(
        "\")\"",
        advice: "Of a query SELECT, FROM, JOIN … ON and WHERE are understood.")
    }
    let condition = conditions.count > 1 ? SQLExpression(.and(conditions)) : conditions.first
    return SQLQuery(value: value, sources: sources, condition: condition)
  }

  private mutating func source() throws(SQLProblem) -> SQLQuery.Source {
    let start = location
    if isNext(symbol: "(") {
      throw problem("a query in FROM is not understood.", "Name a table.")
    }
    let table = try qualifiedName("a table")
    var alias = String(table.split(separator: ".").last ?? "")
    if skip("as") {
      alias = try name("an alias")
    } else if case .word(let word) = token.kind, !SQLKeywords.isReserved(word) {
      alias = try name("an alias")
    } else if case .name = token.kind {
      alias = try name("an alias")
    }
    return SQLQuery.Source(table: table, alias: alias, location: start)
  }
}
