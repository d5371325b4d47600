/// The names that an expression can use: the relations of its query, and those of the queries around it.
final class Scope {
  struct Relation {
    var alias: String?
    /// The table, for names with a schema and for privileges.
    var table: QualifiedName?
    var columns: [RelationColumn]
    /// Whether it is a function that returns single values: its name is the value, not a row.
    var isScalarFunction = false
    /// Whether the role may read only some of the table's columns, so that each one that is named is tested.
    var hasGrantedColumns = false
  }

  struct RelationColumn: Sendable {
    var name: String
    var type: BoundType
    var modifier: TypeModifier?
    var collation: Collation?

    init(_ name: String, _ type: BoundType, modifier: TypeModifier? = nil, collation: Collation? = nil) {
      self.name = name
      self.type = type
      self.modifier = modifier
      self.collation = collation
    }
  }

  /// A column as an unqualified name or a star sees it.
  ///
  /// Joins with `USING` merge two into one.
  struct Visible {
    var name: String
    var bound: Bound
    /// The relations that it comes from.
    var relations: Set<Int>
  }

  let parent: Scope?
  var relations: [Relation] = []
  var visible: [Visible] = []
  /// The common tables that a name can mean here, the innermost last.
  var commonTables: [CommonTableBinding] = []
  /// Set while the select list, `HAVING` and `ORDER BY` of a grouped query are bound.
  var aggregation: Aggregation?
  var windows: WindowBindings?
  /// Set while a select list, or what refers to it, is bound, in which functions may return sets.
  var sets: SetBindings?
  /// What is bound, for messages: "WHERE", "GROUP BY".
  var clause = ""
  /// Whether the names are variables of a function, which do not change during a statement.
  let holdsVariables: Bool
  /// What a name means that a variable of this scope and a column of a query inside have.
  var conflict = Procedure.VariableConflict.useColumn
  let level: Int

  init(parent: Scope?, holdsVariables: Bool = false) {
    self.parent = parent
    self.holdsVariables = holdsVariables
    level = (parent?.level ?? -1) + 1
    commonTables = parent?.commonTables ?? []
  }

  func add(_ relation: Relation) -> Int {
    relations.append(relation)
    return relations.count - 1
  }

  /// The column of a relation as an expression of a query `depth` levels inside this scope's.
  func column(_ relation: Int, _ column: Int, depth: Int) -> Bound {
    let described = relations[relation].columns[column]
    let uses = holdsVariables ? Bound.Uses() : Bound.Uses(relation: relation, depth: depth)
    var bound = Bound(described.type, modifier: described.modifier, uses: uses) {
      frame throws(PostgreSQLError) in
      frame.outer(depth).rows[relation][column]
    }
    if depth == 0 {
      bound.evaluate = Bound.Evaluate { frame throws(PostgreSQLError) in frame.rows[relation][column] }
    }
    bound.collation = described.collation
    bound.column = Bound.ColumnReference(depth: depth, relation: relation, column: column)
    return bound
  }
}

/// What the select list, `HAVING` and `ORDER BY` of an aggregated query can refer to.
final class Aggregation {
  /// The grouping expressions as written, and their types.
  let keys: [SQLExpression]
  let boundKeys: [Bound]
  var aggregates: [BoundAggregate] = []
  /// Set while the arguments of an aggregate are bound.
  var isInsideAggregate = false
  /// The relations whose primary key is grouped: their columns have one value in a group.
  let wholeRelations: Set<Int>

  init(keys: [SQLExpression], boundKeys: [Bound], wholeRelations: Set<Int>) {
    self.keys = keys
    self.boundKeys = boundKeys
    self.wholeRelations = wholeRelations
  }
}

struct BoundAggregate: Sendable {
  var make: @Sendable () -> any Aggregate
  var arguments: [Bound]
  var isStrict: Bool
  var isDistinct: Bool
  var order: [BoundSortKey]
  var filter: Bound?
}

struct BoundSortKey: Sendable {
  var bound: Bound
  var isDescending: Bool
  var nullsFirst: Bool

  init(_ bound: Bound, isDescending: Bool, nullsFirst: Bool?) {
    self.bound = bound
    self.isDescending = isDescending
    // PostgreSQL documentation, 7.5: nulls are larger than any value.
    self.nullsFirst = nullsFirst ?? isDescending
  }
}

final class WindowBindings {
  var named: [String: Window] = [:]
  var calls: [BoundWindowCall] = []
}

/// A common table in sight.
final class CommonTableBinding {
  let name: String
  let columns: [Scope.RelationColumn]
  let node: Int
  /// Nil while a recursive query is bound that refers to itself.
  var plan: QueryPlan?
  /// The level of the scope around the query that defines it.
  let level: Int

  init(name: String, columns: [Scope.RelationColumn], node: Int, plan: QueryPlan?, level: Int) {
    self.name = name
    self.columns = columns
    self.node = node
    self.plan = plan
    self.level = level
  }
}

/// A query that is ready to run.
struct QueryPlan: Sendable {
  var columns: [Scope.RelationColumn]
  var uses: Bound.Uses
  /// Whether it changes rows.
  ///
  /// It then runs exactly once.
  var isModifying = false
  /// The columns that are quoted strings or `NULL`, whose type `UNION` and `INSERT` may still decide.
  var openColumns: Set<Int> = []
  /// Passes the rows until `emit` returns false.
  ///
  /// The frame is that of the query around it.
  var run: Run

  typealias Run =
    @Sendable (
      _ parent: Frame, _ execution: Execution, _ emit: (Row) throws(PostgreSQLError) -> Bool
    ) throws(PostgreSQLError) -> Void

  init(
    columns: [Scope.RelationColumn], uses: Bound.Uses, isModifying: Bool = false, run: @escaping Run
  ) {
    self.columns = columns
    self.uses = uses
    self.isModifying = isModifying
    self.run = run
  }

  func rows(_ parent: Frame, _ execution: Execution) throws(PostgreSQLError) -> [Row] {
    var rows: [Row] = []
    try run(parent, execution) { (row) throws(PostgreSQLError) in
      rows.append(row)
      return true
    }
    return rows
  }
}
