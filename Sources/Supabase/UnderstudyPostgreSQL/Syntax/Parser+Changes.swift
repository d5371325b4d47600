// INSERT, UPDATE and DELETE (PostgreSQL documentation, 6 and VI.I).
extension Parser {
  /// Whether a statement that reads or changes rows begins here.
  var isAtDataStatement: Bool {
    isAtQuery || at("insert") || at("update") || at("delete") || atPunctuation("(")
  }

  mutating func parseDataStatement() throws(PostgreSQLError) -> DataStatement {
    let start = index
    let with = try parseWith()
    if let change = try parseChange(with: with) { return change }
    return .query(try parseQuery(with: with, at: start))
  }

  /// Nil, and the parser is unchanged, if no change of rows follows.
  private mutating func parseChange(with: WithClause?) throws(PostgreSQLError) -> DataStatement? {
    if at("insert") { return .insert(try parseInsert(with: with)) }
    if at("update") { return .update(try parseUpdate(with: with)) }
    if at("delete") { return .delete(try parseDelete(with: with)) }
    if at("merge") { throw notSupported("MERGE") }
    return nil
  }

  private mutating func parseInsert(with: WithClause?) throws(PostgreSQLError) -> Insert {
    try expect("insert", "into")
    var insert = Insert(with: with, into: try parseQualifiedName(), .defaultValues)
    if take("as") { insert.alias = try parseName() }
    if atPunctuation("("), !isColumnListAQuery {
      try expectPunctuation("(")
      repeat {
        insert.columns.append(try parseName())
        if atPunctuation(".") || atPunctuation("[") { throw notSupported("INSERT into a part of a column") }
      } while takePunctuation(",")
      try expectPunctuation(")")
    }
    if take("overriding") {
      guard let kind = take(anyOf: ["system", "user"]) else { throw syntaxError() }
      insert.overriding = kind == "system" ? .system : .user
      try expect("value")
    }
    if insert.columns.isEmpty, insert.overriding == nil, take("default") {
      try expect("values")
    } else {
      insert.source = .query(try parseQuery())
    }
    if take("on") { insert.conflict = try parseConflict() }
    if take("returning") { insert.returning = try parseItems() }
    return insert
  }

  private var isColumnListAQuery: Bool {
    var offset = 0
    while peek(offset).kind == .punctuation, peek(offset).text == "(" { offset += 1 }
    let token = peek(offset)
    return offset > 1
      || (token.kind == .word && ["select", "with", "table", "values"].contains(token.text)
        && !(token.text == "values" && peek(offset + 1).text != "("))
  }

  private mutating func parseConflict() throws(PostgreSQLError) -> Insert.Conflict {
    try expect("conflict")
    var conflict = Insert.Conflict(.doNothing)
    if take("on") {
      try expect("constraint")
      conflict.target = .constraint(try parseName())
    } else if atPunctuation("(") {
      let keys = try parseIndexKeys().map(\.expression)
      conflict.target = .keys(keys, where: take("where") ? try parseExpression() : nil)
    }
    try expect("do")
    if take("nothing") { return conflict }
    let start = current
    try expect("update", "set")
    let assignments = try parseAssignments()
    conflict.action = .update(assignments, where: take("where") ? try parseExpression() : nil)
    if conflict.target == nil {
      var failure = error(
        "ON CONFLICT DO UPDATE requires inference specification or constraint name", at: start)
      failure.hint = "For example, ON CONFLICT (column_name)."
      noteForLater(failure)
    }
    return conflict
  }

  private mutating func parseAssignments() throws(PostgreSQLError) -> [Assignment] {
    var assignments: [Assignment] = []
    repeat {
      if atPunctuation("(") {
        let columns = try parseNamesInParentheses()
        guard takeOperator("=") else { throw syntaxError() }
        let start = current
        let value = try parseExpression()
        switch value {
        case .row(let members):
          if members.count != columns.count {
            noteForLater(error("number of columns does not match number of values", at: start))
          }
        case .subquery: break
        default:
          noteForLater(
            error(
              "source for a multiple-column UPDATE item must be a sub-SELECT or ROW() expression",
              code: "0A000",
              at: start))
        }
        assignments.append(Assignment(columns, value))
      } else {
        let column = try parseName()
        let path = try parseAssignmentPath()
        guard takeOperator("=") else { throw syntaxError() }
        assignments.append(Assignment([column], path: path, try parseExpression()))
      }
    } while takePunctuation(",")
    return assignments
  }

  /// The subscripts and fields of what is assigned.
  mutating func parseAssignmentPath() throws(PostgreSQLError) -> [Assignment.Step] {
    var path: [Assignment.Step] = []
    while true {
      if atPunctuation("[") {
        path.append(.element(try parseSubscript()))
      } else if takePunctuation(".") {
        path.append(.field(try parseLabel()))
      } else {
        return path
      }
    }
  }

  private mutating func parseUpdate(with: WithClause?) throws(PostgreSQLError) -> Update {
    try expect("update")
    let (table, _) = try parseRelation()
    let alias = try parseAliasOfTarget()
    try expect("set")
    var update = Update(with: with, table, alias: alias, set: try parseAssignments())
    if take("from") { update.from = try parseTableReferences() }
    update.filter = try parseFilterOfTarget()
    if take("returning") { update.returning = try parseItems() }
    return update
  }

  private mutating func parseDelete(with: WithClause?) throws(PostgreSQLError) -> Delete {
    try expect("delete", "from")
    let (table, _) = try parseRelation()
    var delete = Delete(with: with, from: table, alias: try parseAliasOfTarget())
    if take("using") { delete.using = try parseTableReferences() }
    delete.filter = try parseFilterOfTarget()
    if take("returning") { delete.returning = try parseItems() }
    return delete
  }

  private mutating func parseAliasOfTarget() throws(PostgreSQLError) -> String? {
    if take("as") { return try parseName() }
    return Self.isName(current) && !at("set") ? try parseName() : nil
  }

  private mutating func parseFilterOfTarget() throws(PostgreSQLError) -> SQLExpression? {
    guard take("where") else { return nil }
    if at("current", "of") { throw notSupported("WHERE CURRENT OF") }
    return try parseExpression()
  }

  /// The keys of an index, or of the target of a conflict, in parentheses.
  mutating func parseIndexKeys() throws(PostgreSQLError) -> [CreateIndex.Key] {
    try expectPunctuation("(")
    var keys = [try parseIndexKey()]
    while takePunctuation(",") { keys.append(try parseIndexKey()) }
    try expectPunctuation(")")
    return keys
  }

  mutating func parseIndexKey() throws(PostgreSQLError) -> CreateIndex.Key {
    let expression: SQLExpression
    if takePunctuation("(") {
      expression = try parseExpression()
      try expectPunctuation(")")
    } else if Self.isName(current),
      !(peek().kind == .punctuation && (peek().text == "(" || peek().text == "."))
    {
      expression = .name([try parseName()])
    } else {
      let primary = try parsePrimary()
      guard case .call = primary else { throw syntaxError() }
      expression = primary
    }
    var key = CreateIndex.Key(expression)
    if take("collate") { key.expression = .collate(key.expression, try parseQualifiedName()) }
    // The class of operators, with options.
    if Self.isName(current), !isAtNullsPlace {
      _ = try parseQualifiedName()
      if atPunctuation("(") { _ = try parseOptions() }
    }
    if take("desc") { key.isDescending = true } else { _ = take("asc") }
    if isAtNullsPlace {
      advance()
      advance()
    }
    return key
  }

  /// Options in parentheses, such as `(fillfactor = 70)`: their names without a prefix, and their values.
  mutating func parseOptions() throws(PostgreSQLError) -> [(name: String, value: String)] {
    var options: [(name: String, value: String)] = []
    try expectPunctuation("(")
    repeat {
      var name = try parseLabel()
      if takePunctuation(".") { name = try parseLabel() }
      var value = "true"
      if takeOperator("=") {
        let isNegative = atOperator("-") && peek().kind != .punctuation
        if isNegative { advance() }
        guard current.kind != .punctuation, current.kind != .end, current.kind != .invalid else {
          throw syntaxError()
        }
        value = (isNegative ? "-" : "") + current.text
        advance()
      }
      options.append((name, value))
    } while takePunctuation(",")
    try expectPunctuation(")")
    return options
  }
}
