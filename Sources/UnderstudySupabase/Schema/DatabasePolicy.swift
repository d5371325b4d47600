/// A row-level-security policy, which defines the rows that a role may see and write.
///
/// Policies are permissive by default, as in PostgreSQL: a row is accessible if any policy allows it, and no row
/// is accessible without a policy.
package struct DatabasePolicy: Sendable {
  /// A condition on a row, for a role.
  package struct Condition: Sendable {
    let expression: SQLExpression

    /// Every row, for every role.
    package static let always: Condition = Condition(expression: SQLExpression(.boolean(true)))

    /// Returns the condition that the column is the user (`auth.uid() = user_id`).
    package static func isUser(column: String) -> Condition {
      Condition(expression: .equal(.column(column), .call("auth.uid")))
    }

    /// Returns the condition that the row to which the column refers by its `id` exists, is visible to the role, and
    /// satisfies another condition.
    package static func parent(column: String, table: String, _ condition: Condition) -> Condition {
      let query = SQLQuery(
        value: nil, sources: [.init(table: table, alias: table, location: nil)],
        condition: SQLExpression(
          .and([
            .equal(.column("id", of: .table(table)), .column(column, of: .outside)), condition.expression,
          ])))
      return Condition(expression: SQLExpression(.exists(query)))
    }

    /// Returns the conjunction of several conditions (`AND`).
    package static func all(_ conditions: [Condition]) -> Condition {
      Condition(expression: SQLExpression(.and(conditions.map(\.expression))))
    }

    /// Returns a custom condition.
    ///
    /// It must not call the database.
    package static func custom(
      _ condition: @escaping @Sendable (DatabaseRow, DatabaseRole) -> Bool
    ) -> Condition {
      Condition(expression: SQLExpression(.custom { row, context in condition(row, context.role) }))
    }
  }

  /// A role to which policies apply.
  package enum Role: String, Sendable, Hashable, CaseIterable {
    /// A client without a session.
    case anonymous = "anon"
    /// A signed-in user.
    case authenticated
  }

  /// The kinds of statement to which it applies; never empty.
  package let kinds: Set<StatementKind>
  /// The roles to which it applies (`TO`).
  package let roles: Set<Role>
  /// The condition on existing rows (`USING`).
  package let using: Condition?
  /// The condition on new and changed rows (`WITH CHECK`); `nil` for the same as `using`.
  package let check: Condition?
  /// The name, which is part of the message if the policy is restrictive and refuses a row.
  let name: String
  /// Whether it restricts what other policies allow (`AS RESTRICTIVE`).
  let isRestrictive: Bool

  /// Creates a policy for some or all kinds of statement and roles.
  package init(
    for kinds: Set<StatementKind> = Set(StatementKind.allCases), to roles: Set<Role> = Set(Role.allCases),
    using: Condition? = nil, check: Condition? = nil
  ) {
    self.init("", for: kinds, to: roles, isRestrictive: false, using: using, check: check)
  }

  init(
    _ name: String, for kinds: Set<StatementKind>, to roles: Set<Role>, isRestrictive: Bool,
    using: Condition?,
    check: Condition?
  ) {
    self.name = name
    self.kinds = kinds
    self.roles = roles
    self.isRestrictive = isRestrictive
    self.using = using
    self.check = check
  }

  /// Returns a policy with full access to the rows whose column is the user.
  package static func owned(by column: String) -> DatabasePolicy {
    DatabasePolicy(using: .isUser(column: column))
  }

  /// Returns a policy with full access to the rows whose parent row belongs to the user.
  package static func owned(through column: String, to table: String, by owner: String) -> DatabasePolicy {
    DatabasePolicy(using: .parent(column: column, table: table, .isUser(column: owner)))
  }
}

/// A policy with bound conditions, ready to be evaluated for rows.
struct BoundPolicy: Sendable {
  let name: String
  let kinds: Set<StatementKind>
  let roles: Set<DatabasePolicy.Role>
  let isRestrictive: Bool
  let using: BoundExpression?
  /// `WITH CHECK`, or else `USING`.
  let check: BoundExpression?
  /// Whether a condition contains a query.
  let hasQueries: Bool
  /// The depth of its conditions.
  let height: Int
  /// The tables of the queries in the conditions.
  let tables: Set<Int>

  init(_ policy: DatabasePolicy, _ binder: ExpressionBinder) throws(ExpressionError) {
    name = policy.name
    kinds = policy.kinds
    roles = policy.roles
    isRestrictive = policy.isRestrictive
    let written = [policy.using, policy.check].compactMap { $0?.expression }
    height = written.map(\.height).max() ?? 0
    hasQueries = written.contains { !$0.queries.isEmpty }
    tables = Set(
      written.flatMap(\.allQueries).flatMap(\.sources).compactMap { binder.catalog[$0.table]?.place })
    var using: BoundExpression?
    if let condition = policy.using { using = try binder.condition(condition.expression, in: "POLICY") }
    self.using = using
    check =
      if let condition = policy.check {
        try binder.condition(condition.expression, in: "POLICY")
      } else {
        using
      }
  }

  func concerns(_ kind: StatementKind, _ role: DatabaseRole) -> Bool {
    switch role {
    case .service: false
    case .anonymous: kinds.contains(kind) && roles.contains(.anonymous)
    case .user: kinds.contains(kind) && roles.contains(.authenticated)
    }
  }
}
