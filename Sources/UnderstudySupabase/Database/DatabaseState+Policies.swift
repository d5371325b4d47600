import UnderstudyHTTP

extension DatabaseState {
  /// Returns whether policies let a role access an existing row, for kinds of statement.
  func isVisible(
    _ row: DatabaseRow, of table: Int, to kinds: Set<StatementKind>, _ context: StatementContext
  ) throws(PostgRESTError) -> Bool {
    guard context.isRestricted(in: tables[table].table) else { return true }
    for kind in kinds {
      let policies = policies(of: table, for: kind, context.role)
      var isAllowed = false
      for policy in policies where !policy.isRestrictive && !isAllowed {
        isAllowed = try holds(policy.using, for: row, context)
      }
      guard isAllowed else { return false }
      for policy in policies where policy.isRestrictive && policy.using != nil {
        guard try holds(policy.using, for: row, context) else { return false }
      }
    }
    return true
  }

  /// Refuses a new or changed row that the policies do not allow.
  ///
  /// - Parameter isRead: Whether the statement reads rows of the table, so that the role must also be able to see this one.
  /// - Throws: 42501.
  func checkPolicies(
    _ row: DatabaseRow, of table: Int, for kind: StatementKind, isRead: Bool, _ context: StatementContext
  ) throws(PostgRESTError) {
    guard context.isRestricted(in: tables[table].table) else { return }
    try refuse(row, of: table, by: \.check, for: kind, context)
    if isRead { try refuse(row, of: table, by: \.using, for: .select, context) }
  }

  /// - Throws: 42501, with the name of the policy if it is a restrictive one.
  private func refuse(
    _ row: DatabaseRow, of table: Int, by condition: KeyPath<BoundPolicy, BoundExpression?>,
    for kind: StatementKind, _ context: StatementContext
  ) throws(PostgRESTError) {
    let relation = tables[table].table.relation
    let policies = policies(of: table, for: kind, context.role)
    var isAllowed = false
    for policy in policies where !policy.isRestrictive && !isAllowed {
      isAllowed = try holds(policy[keyPath: condition], for: row, context)
    }
    guard isAllowed else { throw .refusedByPolicy(table: relation) }
    let restrictive = policies.filter { $0.isRestrictive && $0[keyPath: condition] != nil }
    for policy in restrictive.sorted(by: { $0.name < $1.name }) {
      guard try holds(policy[keyPath: condition], for: row, context) else {
        throw .refusedByPolicy(named: policy.name, table: relation)
      }
    }
  }

  /// Refuses a statement whose policies are recursive, or read a table without privileges for the role.
  ///
  /// PostgreSQL checks this before it reads a row.
  ///
  /// - Throws: 42P17, 42501.
  func checkAccess(
    to table: Int, for kinds: Set<StatementKind>, _ context: StatementContext
  ) throws(PostgRESTError) {
    guard context.role != .service else { return }
    var named: [Int] = []
    try follow(table, for: kinds, context.role, path: [], height: 0, into: &named)
    if let refused = named.first(where: { tables[$0].table.isPrivate }) {
      throw .permissionDenied(table: tables[refused].table.relation)
    }
  }

  /// Collects the tables that policies read.
  private func follow(
    _ table: Int, for kinds: Set<StatementKind>, _ role: DatabaseRole, path: [Int], height: Int,
    into named: inout [Int]
  ) throws(PostgRESTError) {
    if !named.contains(table) { named.append(table) }
    let policies = (tables[table].policies ?? []).filter { policy in
      policy.hasQueries && kinds.contains { policy.concerns($0, role) }
    }
    guard !policies.isEmpty else { return }
    guard !path.contains(table) else {
      throw PostgRESTError(
        code: "42P17",
        message: "infinite recursion detected in policy for relation \"\(tables[table].table.relation)\"")
    }
    // The conditions of one table are evaluated within those of the other.
    let height = height + (policies.map(\.height).max() ?? 0)
    guard height <= SQLExpression.greatestHeight * 3 / 2 else {
      throw PostgRESTError(code: "54001", message: "stack depth limit exceeded")
    }
    for next in Set(policies.flatMap(\.tables)).sorted() {
      try follow(next, for: [.select], role, path: path + [table], height: height, into: &named)
    }
  }

  private func policies(of table: Int, for kind: StatementKind, _ role: DatabaseRole) -> [BoundPolicy] {
    (tables[table].policies ?? []).filter { $0.concerns(kind, role) }
  }

  private func holds(
    _ condition: BoundExpression?, for row: DatabaseRow, _ context: StatementContext
  ) throws(PostgRESTError) -> Bool {
    guard let condition else { return false }
    return try truth(of: condition, [row.values], context) == true
  }
}
