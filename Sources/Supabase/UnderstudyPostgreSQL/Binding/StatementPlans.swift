/// Plans of statements that ran before, which sessions over the same definitions share.
///
/// Tests run the same few statements in each of many databases; to bind one takes longer than to run it.
package struct StatementPlans: Sendable {
  /// What a plan depends on besides the definitions.
  struct Key: Hashable, Sendable {
    /// The bytes of the statement as SQL: two texts that Swift takes for equal can differ in them.
    var statement: [UInt8]
    var role: String
    var path: [String]
    var timeZone: TimeZoneRule
    var collation: Collation
  }

  /// As many plans as the statements of a test suite; a larger number would only keep those of another.
  private static let limit = 512

  /// The version of the definitions that the plans are bound to.
  let version: Int
  private var plans: [Key: QueryPlan] = [:]

  /// - Parameter state: The definitions that the plans will be bound to.
  package init(of state: State) {
    version = state.catalogue.version
  }

  func plan(_ key: Key) -> QueryPlan? { plans[key] }

  mutating func keep(_ plan: QueryPlan, for key: Key) {
    if plans.count >= Self.limit { plans.removeAll() }
    plans[key] = plan
  }
}

/// A place for the plans of several sessions, which may run at the same time.
package protocol StatementPlanStore: AnyObject, Sendable {
  /// Reads or changes the plans.
  func withPlans<Result: Sendable>(_ body: (inout StatementPlans) -> Result) -> Result
}

extension DataStatement {
  /// Whether it is small enough to be looked up faster than bound.
  fileprivate var isWorthKeeping: Bool {
    if case .insert(let insert) = self, case .query(let query) = insert.source,
      case .values(let rows) = query.body
    {
      return rows.count <= 8
    }
    return true
  }
}

extension Session {
  /// The plan of a whole statement.
  func plan(of statement: DataStatement) throws(PostgreSQLError) -> QueryPlan {
    guard let store = plansOfOthers, statement.isWorthKeeping,
      store.withPlans({ $0.version }) == state.catalogue.version
    else { return try bind(statement) }
    let key = StatementPlans.Key(
      statement: Array(statement.sql.utf8), role: role, path: path, timeZone: timeZone, collation: collation)
    if let plan = store.withPlans({ $0.plan(key) }) { return plan }
    // A literal such as 'today' is read when it is bound, so a plan with one is not for later.
    let hadReadTime = hasReadTime
    hasReadTime = false
    defer { hasReadTime = hasReadTime || hadReadTime }
    let plan = try bind(statement)
    if !hasReadTime { store.withPlans { $0.keep(plan, for: key) } }
    return plan
  }

  private func bind(_ statement: DataStatement) throws(PostgreSQLError) -> QueryPlan {
    try binder().wholePlan(statement, parent: Scope(parent: nil))
  }
}
