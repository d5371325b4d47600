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
    let roles = parser.skip("to") ? try roles() : Set(Policy.Role.allCases)
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
      Policy(
        name, for: kinds, to: roles, isRestrictive: isRestrictive,
        using: using.map { Policy.Condition(expression: $0) },
        check: check.map { Policy.Condition(expression: $0) }))
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

  /// The roles that policies bind; one that is bound by none is left out.
  private mutating func roles() throws(SQLProblem) -> Set<Policy.Role> {
    var roles: Set<Policy.Role> = []
    repeat {
      let start = parser.location
      let name = try parser.name("a role")
      if name == "public" {
        roles.formUnion(Policy.Role.allCases)
      } else if let role = Policy.Role(rawValue: name) {
        roles.insert(role)
      } else if !["service_role", "postgres", "supabase_admin", "dashboard_user"].contains(name) {
        throw parser.problem(
          "there is no role \(name).", "The roles of clients are anon, authenticated and service_role.",
          at: start)
      }
    } while parser.skip(symbol: ",")
    return roles
  }
}
