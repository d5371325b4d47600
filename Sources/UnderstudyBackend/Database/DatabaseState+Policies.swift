import UnderstudyTransport

extension DatabaseState {
  /// Whether a role sees a row that is there, for a kind of statement.
  ///
  /// What is updated or deleted must be visible to a select as well, since the statement reads it.
  func isVisible(_ row: DatabaseRow, of table: Int, to kind: StatementKind, _ context: StatementContext)
    -> Bool
  {
    guard context.isRestricted(in: tables[table].table) else { return true }
    let kinds: Set<StatementKind> = [kind, .select]
    return kinds.allSatisfy { kind in
      policies(of: table, for: kind).contains { holds($0.using, for: row, context.role) }
    }
  }

  /// Refuses a new or changed row that the policies do not allow.
  ///
  /// - Throws: 42501.
  func checkPolicies(
    _ row: DatabaseRow, of table: Int, for kind: StatementKind, _ context: StatementContext
  ) throws(PostgRESTError) {
    guard context.isRestricted(in: tables[table].table) else { return }
    let isAllowed = policies(of: table, for: kind).contains {
      holds($0.check ?? $0.using, for: row, context.role)
    }
    // An update has read the row; an insert reads it only to give it back.
    let isRead = kind == .update || context.returnsRows
    guard isAllowed, !isRead || isVisible(row, of: table, to: .select, context) else {
      throw .refusedByPolicy(table: tables[table].table.relation)
    }
  }

  private func policies(of table: Int, for kind: StatementKind) -> [Policy] {
    (tables[table].table.policies ?? []).filter { $0.kinds.contains(kind) }
  }

  private func holds(_ condition: Policy.Condition?, for row: DatabaseRow, _ role: DatabaseRole) -> Bool {
    switch condition {
    case nil: return false
    case .always: return true
    case .isUser(let column):
      guard case .user(let id) = role else { return false }
      return row[column] == .uuid(id)
    case .parent(let column, let table, let condition):
      guard let place = try? self.place(of: table), let key = IndexKey([row[column]]),
        let slot = tables[place].slot(of: key, in: ["id"]), let parent = self.row(slot, of: place)
      else { return false }
      return holds(condition, for: parent, role)
    case .all(let conditions): return conditions.allSatisfy { holds($0, for: row, role) }
    case .custom(let condition): return condition(row, role)
    }
  }
}
