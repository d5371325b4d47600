/// A row-level-security policy: which rows a role sees and may write.
///
/// Policies are permissive unless it is said otherwise, as in PostgreSQL: one that allows is enough, and none allows
/// nothing.
public struct DatabasePolicy: Sendable {
  /// A condition on a row, for a role.
  public struct Condition: Sendable {
    let expression: SQLExpression

    /// Every row, for everybody.
    public static let always: Condition = Condition(expression: SQLExpression(.boolean(true)))

    /// The column is the user (`auth.uid() = user_id`).
    public static func isUser(column: String) -> Condition {
      Condition(expression: .equal(.column(column), .call("auth.uid")))
    }

    /// The row that the column refers to, by its `id`, is there, is shown to the role, and meets a condition of its
    /// own.
    public static func parent(column: String, table: String, _ condition: Condition) -> Condition {
      let query = SQLQuery(
        value: nil, sources: [.init(table: table, alias: table, location: nil)],
        condition: SQLExpression(
          .and([
            .equal(.column("id", of: .table(table)), .column(column, of: .outside)), condition.expression,
          ])))
      return Condition(expression: SQLExpression(.exists(query)))
    }

    /// All of several conditions (`AND`).
    public static func all(_ conditions: [Condition]) -> Condition {
      Condition(expression: SQLExpression(.and(conditions.map(\.expression))))
    }

    /// Any other condition.
    ///
    /// It must not call the database.
    public static func custom(
      _ condition: @escaping @Sendable (DatabaseRow, DatabaseRole) -> Bool
    ) -> Condition {
      Condition(expression: SQLExpression(.custom { row, context in condition(row, context.role) }))
    }
  }

  /// A role that policies bind.
  public enum Role: String, Sendable, Hashable, CaseIterable {
    /// Somebody who is not signed in.
    case anonymous = "anon"
    /// A user who is signed in.
    case authenticated
  }

  /// The kinds of statement that it is for; never empty.
  public let kinds: Set<StatementKind>
  /// Whom it is for (`TO`).
  public let roles: Set<Role>
  /// Which of the rows that are there (`USING`).
  public let using: Condition?
  /// Which new or changed rows (`WITH CHECK`); `nil` is the same as ``using``.
  public let check: Condition?
  /// Shown when the policy is restrictive and refuses.
  let name: String
  /// Whether it must allow what others allow, instead of allowing it alone (`AS RESTRICTIVE`).
  let isRestrictive: Bool

  /// A policy for some kinds of statement and some roles, or for all.
  public init(
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

  /// Everything with the rows whose column is the user, nothing with others.
  public static func owned(by column: String) -> DatabasePolicy {
    DatabasePolicy(using: .isUser(column: column))
  }

  /// Everything with the rows whose parent row is the user's, nothing with others.
  public static func owned(through column: String, to table: String, by owner: String) -> DatabasePolicy {
    DatabasePolicy(using: .parent(column: column, table: table, .isUser(column: owner)))
  }
}

/// A policy whose conditions are ready to be asked of rows.
struct BoundPolicy: Sendable {
  let name: String
  let kinds: Set<StatementKind>
  let roles: Set<DatabasePolicy.Role>
  let isRestrictive: Bool
  let using: BoundExpression?
  /// `WITH CHECK`, or else `USING`.
  let check: BoundExpression?
  /// Whether there is a query in a condition.
  let hasQueries: Bool
  /// How deep its conditions are.
  let height: Int
  /// The tables of the queries in the conditions.
  let tables: Set<Int>

  init(_ policy: DatabasePolicy, _ binder: ExpressionBinder) throws(ExpressionMistake) {
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
