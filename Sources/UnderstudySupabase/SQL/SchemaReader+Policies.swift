extension SchemaReader {
  mutating func createPolicy() throws(SQLProblem) {
    let start = parser.location
    let name = try parser.name("the name of a policy")
    try parser.expect("on")
    let here = parser.location
    let table = try parser.qualifiedName("a table")
    guard let place = tables.firstIndex(where: { $0.name == table }) else {
      throw missingTable(table, at: here)
    }
    guard !tables[place].policies.contains(where: { $0.name == name }) else {
      throw parser.problem(
        "policy \"\(name)\" for table \"\(tables[place].relation)\" already exists.", "Give it another name.",
        at: start)
    }
    var isRestrictive = false
    if parser.skip("as") {
      isRestrictive = parser.skip("restrictive")
      if !isRestrictive { try parser.expect("permissive") }
    }
    let kinds = parser.skip("for") ? try kinds() : Set(StatementKind.allCases)
    let roles = parser.skip("to") ? try roles() : Set(DatabasePolicy.Role.allCases)
    var using: SQLExpression?
    var check: SQLExpression?
    if parser.isNext("using") {
      let location = parser.location
      if kinds == [.insert] {
        throw parser.problem(
          "only WITH CHECK expression allowed for INSERT.", "Write WITH CHECK.", at: location)
      }
      parser.advance()
      using = try condition(of: tables[place])
    }
    if parser.isNext("with", "check") {
      if kinds == [.select] || kinds == [.delete] {
        throw parser.problem("WITH CHECK cannot be applied to SELECT or DELETE.", "Write USING.")
      }
      parser.advance()
      parser.advance()
      check = try condition(of: tables[place])
    }
    tables[place].policies.append(
      DatabasePolicy(
        name, for: kinds, to: roles, isRestrictive: isRestrictive,
        using: using.map { DatabasePolicy.Condition(expression: $0) },
        check: check.map { DatabasePolicy.Condition(expression: $0) }))
  }

  private mutating func condition(of table: TableDraft) throws(SQLProblem) -> SQLExpression {
    try parser.expect(symbol: "(")
    let expression = try parser.expression()
    try parser.expect(symbol: ")")
    try check(expression, of: table, in: "POLICY")
    return expression
  }

  private mutating func kinds() throws(SQLProblem) -> Set<StatementKind> {
    if parser.skip("all") { return Set(StatementKind.allCases) }
    for kind in StatementKind.allCases where parser.skip(kind.rawValue) { return [kind] }
    throw parser.unexpected("ALL, SELECT, INSERT, UPDATE or DELETE")
  }

  /// Parses the roles of a policy, without those that are not subject to policies.
  private mutating func roles() throws(SQLProblem) -> Set<DatabasePolicy.Role> {
    var roles: Set<DatabasePolicy.Role> = []
    repeat {
      let start = parser.location
      let name = try parser.name("a role")
      if name == "public" {
        roles.formUnion(DatabasePolicy.Role.allCases)
      } else if let role = DatabasePolicy.Role(rawValue: name) {
        roles.insert(role)
      } else if !["service_role", "postgres", "supabase_admin", "dashboard_user"].contains(name) {
        throw parser.problem(
          "the role \(name) does not exist.",
          "The roles of clients are anon, authenticated and service_role.",
          at: start)
      }
    } while parser.skip(symbol: ",")
    return roles
  }
}

extension SchemaReader {
  /// Parses a function that sets columns of the new row to `now()`, for a trigger before updates.
  mutating func createFunction() throws(SQLProblem) {
    let start = parser.location
    let name = try parser.qualifiedName("the name of a function")
    try parser.expect(symbol: "(")
    guard parser.skip(symbol: ")"), parser.skip("returns"), parser.skip("trigger") else {
      throw parser.problem(
        "a function that does not return trigger is not supported.",
        "Remove it; functions that clients call are edge functions of the emulator, in Swift.", at: start)
    }
    var body: (text: String, location: SQLLocation)?
    while !parser.isAtEnd, !parser.isNext(symbol: ";") {
      if parser.skip("as") {
        let location = parser.location
        body = (try parser.string("the body of the function"), location)
      } else if parser.skip("language") {
        guard parser.skip("plpgsql") else { throw parser.unexpected("plpgsql") }
      } else if parser.skip("set") {
        _ = try parser.name("a setting")
        guard parser.skip(symbol: "=") || parser.skip("to") else { throw parser.unexpected("=") }
        repeat { parser.advance() } while parser.skip(symbol: ",")
      } else if parser.skip("security") {
        guard parser.skip("definer") || parser.skip("invoker") else {
          throw parser.unexpected("DEFINER or INVOKER")
        }
      } else if ["volatile", "stable", "immutable"].contains(where: { parser.isNext($0) }) {
        parser.advance()
      } else {
        throw parser.unexpected("AS or LANGUAGE")
      }
    }
    guard let body else { throw parser.unexpected("AS and the body of the function") }
    guard let columns = try Self.columnsSet(by: body.text) else {
      throw parser.problem(
        "the body of the function is not supported.",
        "Supported: BEGIN NEW.column = now(); RETURN NEW; END, with one or more columns.",
        at: body.location)
    }
    triggerFunctions[name] = columns
  }

  /// Returns the columns that a body sets to `now()`; `nil` if it does anything else.
  private static func columnsSet(by body: String) throws(SQLProblem) -> [String]? {
    var parser = try SQLParser(body)
    guard parser.skip("begin") else { return nil }
    var columns: [String] = []
    while parser.skip("new"), parser.skip(symbol: ".") {
      columns.append(try parser.name("a column"))
      guard parser.skip(symbol: "=") || parser.skip(symbol: ":="), case .now? = try moment(&parser),
        parser.skip(symbol: ";")
      else { return nil }
    }
    guard parser.skip("return", "new"), parser.skip(symbol: ";"), parser.skip("end") else { return nil }
    _ = parser.skip(symbol: ";")
    return parser.isAtEnd && !columns.isEmpty ? columns : nil
  }

  private static func moment(_ parser: inout SQLParser) throws(SQLProblem) -> BoundExpression.Node? {
    let expression = try parser.expression()
    return try? ExpressionBinder().bind(expression).node
  }

  mutating func createTrigger() throws(SQLProblem) {
    let name = try parser.name("the name of a trigger")
    let start = parser.location
    guard parser.skip("before", "update", "on") else {
      throw parser.problem(
        "a trigger other than BEFORE UPDATE is not supported.",
        "Supported: CREATE TRIGGER … BEFORE UPDATE ON … FOR EACH ROW EXECUTE FUNCTION …, which sets columns to now().",
        at: start)
    }
    let here = parser.location
    let table = try parser.qualifiedName("a table")
    guard let place = tables.firstIndex(where: { $0.name == table }) else {
      throw missingTable(table, at: here)
    }
    try parser.expect("for")
    _ = parser.skip("each")
    try parser.expect("row", "execute")
    guard parser.skip("function") || parser.skip("procedure") else { throw parser.unexpected("FUNCTION") }
    let location = parser.location
    let function = try parser.qualifiedName("a function")
    try parser.expect(symbol: "(")
    try parser.expect(symbol: ")")
    guard let columns = triggerFunctions[function] else {
      throw parser.problem(
        "the function \(function) does not exist.", "Create it before the trigger.", at: location)
    }
    for column in columns {
      guard let index = tables[place].column(column), tables[place].columns[index].type == .timestamp else {
        throw parser.problem(
          "the table \(table) has no column \(column) of type timestamptz, which the function sets.",
          "Add the column, or remove the trigger.", at: location)
      }
      tables[place].columns[index].isSetOnUpdate = true
    }
    tables[place].triggers.append(name)
  }
}
