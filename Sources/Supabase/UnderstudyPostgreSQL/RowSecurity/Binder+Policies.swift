/// Row-level security (PostgreSQL documentation, 5.8).
extension Binder {
  /// The condition that rows of a table must satisfy to be read, changed or removed; nil without restriction.
  func policy(_ table: Table, _ command: CreatePolicy.Command) throws(PostgreSQLError) -> Bound? {
    try combine(table, command) { ($0.using, $0.usingNames) }.map { restriction in
      conjunction(restriction.map(\.condition))
    }
  }

  /// The conditions that a new row must satisfy to be read, with the names of restrictive policies.
  func readingChecks(_ table: Table) throws(PostgreSQLError) -> [(condition: Bound, name: String?)] {
    try combine(table, .select) { ($0.using, $0.usingNames) } ?? []
  }

  /// The conditions that a new row must satisfy, with the names of restrictive policies.
  func checks(
    _ table: Table, _ command: CreatePolicy.Command
  ) throws(PostgreSQLError) -> [(condition: Bound, name: String?)] {
    // Without a condition of its own a policy tests new rows by its other one (CREATE POLICY).
    try combine(table, command) { $0.check == nil ? ($0.using, $0.usingNames) : ($0.check, $0.checkNames) }
      ?? []
  }

  private func combine(
    _ table: Table, _ command: CreatePolicy.Command,
    _ expression: (CreatePolicy) -> (SQLExpression?, DefinedNames)
  ) throws(PostgreSQLError) -> [(condition: Bound, name: String?)]? {
    guard table.isSecured, !ignoresPolicies else { return nil }
    return try entering(table.name, "policy") { () throws(PostgreSQLError) in
      try combined(table, command, expression)
    }
  }

  private func combined(
    _ table: Table, _ command: CreatePolicy.Command,
    _ expression: (CreatePolicy) -> (SQLExpression?, DefinedNames)
  ) throws(PostgreSQLError) -> [(condition: Bound, name: String?)] {
    let applicable = table.policies.filter { policy in
      (policy.command == .all || policy.command == command)
        && (policy.roles.isEmpty || policy.roles.contains(role) || policy.roles.contains("public"))
    }
    var permissive: [Bound] = []
    var combined: [(condition: Bound, name: String?)] = []
    for policy in applicable {
      guard case (let expression?, let names) = expression(policy) else {
        // `USING` is absent in a policy for INSERT, and an absent condition allows everything.
        if policy.isPermissive { permissive.append(.constant(.boolean(true), .boolean)) }
        continue
      }
      let condition = try with(names) { () throws(PostgreSQLError) in
        try self.condition(expression, scope(of: table), "POLICY")
      }
      if policy.isPermissive {
        permissive.append(condition)
      } else {
        combined.append((condition, policy.name))
      }
    }
    // Without a permissive policy nothing is allowed.
    let allowed = permissive.isEmpty ? Bound.constant(.boolean(false), .boolean) : disjunction(permissive)
    return [(allowed, nil)] + combined
  }
}
