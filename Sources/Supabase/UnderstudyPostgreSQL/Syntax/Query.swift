/// A statement that returns rows: `SELECT`, `VALUES`, and their combinations (PostgreSQL documentation, 7).
package struct Query: Hashable, Sendable {
  package var with: WithClause?
  package var body: Body
  package var order: [SortKey]
  package var limit: SQLExpression?
  package var offset: SQLExpression?

  package indirect enum Body: Hashable, Sendable {
    case select(Select)
    case values([[SQLExpression]])
    case setOperation(SetOperation, isAll: Bool, Query, Query)
  }

  package enum SetOperation: String, Hashable, Sendable {
    case union, intersect, except
  }

  package init(
    with: WithClause? = nil, _ body: Body, order: [SortKey] = [], limit: SQLExpression? = nil,
    offset: SQLExpression? = nil
  ) {
    self.with = with
    self.body = body
    self.order = order
    self.limit = limit
    self.offset = offset
  }
}

package struct WithClause: Hashable, Sendable {
  package var isRecursive: Bool
  package var tables: [CommonTable]

  package init(isRecursive: Bool = false, _ tables: [CommonTable]) {
    self.isRecursive = isRecursive
    self.tables = tables
  }
}

package struct CommonTable: Hashable, Sendable {
  package var name: String
  package var columns: [String]
  package var statement: DataStatement

  package init(_ name: String, columns: [String] = [], _ statement: DataStatement) {
    self.name = name
    self.columns = columns
    self.statement = statement
  }
}

/// A statement that reads or changes rows.
package indirect enum DataStatement: Hashable, Sendable {
  case query(Query)
  case insert(Insert)
  case update(Update)
  case delete(Delete)
}

package struct Select: Hashable, Sendable {
  package enum Distinct: Hashable, Sendable {
    case all
    case on([SQLExpression])
  }

  /// An expression with its name.
  ///
  /// A wildcard has no name.
  package struct Item: Hashable, Sendable {
    package var expression: SQLExpression
    package var name: String?

    package init(_ expression: SQLExpression, as name: String? = nil) {
      self.expression = expression
      self.name = name
    }
  }

  /// A key of `GROUP BY`.
  package enum Grouping: Hashable, Sendable {
    case expression(SQLExpression)
    /// `()`, and members of `GROUPING SETS`.
    case set([SQLExpression])
    case rollup([[SQLExpression]])
    case cube([[SQLExpression]])
    case sets([Grouping])
  }

  package var distinct: Distinct?
  package var items: [Item]
  package var from: [TableReference]
  package var filter: SQLExpression?
  package var grouping: [Grouping]
  package var having: SQLExpression?
  package var windows: [NamedWindow]

  package struct NamedWindow: Hashable, Sendable {
    package var name: String
    package var window: Window

    package init(_ name: String, _ window: Window) {
      self.name = name
      self.window = window
    }
  }

  package init(
    distinct: Distinct? = nil, _ items: [Item], from: [TableReference] = [],
    where filter: SQLExpression? = nil,
    grouping: [Grouping] = [], having: SQLExpression? = nil, windows: [NamedWindow] = []
  ) {
    self.distinct = distinct
    self.items = items
    self.from = from
    self.filter = filter
    self.grouping = grouping
    self.having = having
    self.windows = windows
  }
}

/// The name of a table within a query, and names for its columns.
package struct TableAlias: Hashable, Sendable {
  package var name: String
  package var columns: [String]

  package init(_ name: String, columns: [String] = []) {
    self.name = name
    self.columns = columns
  }
}

/// An entry of `FROM`.
package indirect enum TableReference: Hashable, Sendable {
  /// A table, a view, or a common table expression.
  case table(QualifiedName, TableAlias?)
  case query(Query, TableAlias?, isLateral: Bool)
  case function(TableFunction, isLateral: Bool)
  case join(Join)
}

/// A function that returns rows, or several side by side (`ROWS FROM`).
package struct TableFunction: Hashable, Sendable {
  package struct ColumnDefinition: Hashable, Sendable {
    package var name: String
    package var type: TypeName

    package init(_ name: String, _ type: TypeName) {
      self.name = name
      self.type = type
    }
  }

  package var calls: [Call]
  package var hasOrdinality: Bool
  package var alias: TableAlias?
  /// `AS t(a integer, b text)`, of a function that returns records.
  package var definitions: [ColumnDefinition]

  package init(
    _ calls: [Call], hasOrdinality: Bool = false, alias: TableAlias? = nil,
    definitions: [ColumnDefinition] = []
  ) {
    self.calls = calls
    self.hasOrdinality = hasOrdinality
    self.alias = alias
    self.definitions = definitions
  }
}

package struct Join: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable { case cross, inner, left, right, full }
  package enum Condition: Hashable, Sendable {
    case on(SQLExpression)
    case using([String])
    case natural
  }

  package var kind: Kind
  package var left: TableReference
  package var right: TableReference
  /// Nil of a cross join.
  package var condition: Condition?
  package var alias: TableAlias?

  package init(
    _ kind: Kind, _ left: TableReference, _ right: TableReference, condition: Condition? = nil,
    alias: TableAlias? = nil
  ) {
    self.kind = kind
    self.left = left
    self.right = right
    self.condition = condition
    self.alias = alias
  }
}

package struct Insert: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    case defaultValues
    /// `VALUES` too. `SQLExpression.defaultValue` can be in a row of it.
    case query(Query)
  }

  package enum ConflictTarget: Hashable, Sendable {
    /// The keys of a unique index, and the predicate of a partial one.
    case keys([SQLExpression], where: SQLExpression?)
    case constraint(String)
  }

  package enum ConflictAction: Hashable, Sendable {
    case doNothing
    case update([Assignment], where: SQLExpression?)
  }

  package struct Conflict: Hashable, Sendable {
    package var target: ConflictTarget?
    package var action: ConflictAction

    package init(target: ConflictTarget? = nil, _ action: ConflictAction) {
      self.target = target
      self.action = action
    }
  }

  /// `OVERRIDING SYSTEM VALUE` or `OVERRIDING USER VALUE`.
  package enum Overriding: String, Hashable, Sendable { case system, user }

  package var with: WithClause?
  package var table: QualifiedName
  package var alias: String?
  /// Empty means all columns in order.
  package var columns: [String]
  package var overriding: Overriding?
  package var source: Source
  package var conflict: Conflict?
  package var returning: [Select.Item]

  package init(
    with: WithClause? = nil, into table: QualifiedName, alias: String? = nil, columns: [String] = [],
    overriding: Overriding? = nil, _ source: Source, conflict: Conflict? = nil, returning: [Select.Item] = []
  ) {
    self.with = with
    self.table = table
    self.alias = alias
    self.columns = columns
    self.overriding = overriding
    self.source = source
    self.conflict = conflict
    self.returning = returning
  }
}

/// `a = value`, or `(a, b) = row`, whose value is a row or a subquery.
package struct Assignment: Hashable, Sendable {
  /// More than one of the form with parentheses.
  package var columns: [String]
  /// `a[1] = …` or `a.b = …`: what is assigned within the one column.
  package var path: [Step]
  package var value: SQLExpression

  package enum Step: Hashable, Sendable {
    case element(Subscript)
    case field(String)
  }

  package init(_ columns: [String], path: [Step] = [], _ value: SQLExpression) {
    self.columns = columns
    self.path = path
    self.value = value
  }
}

package struct Update: Hashable, Sendable {
  package var with: WithClause?
  package var table: QualifiedName
  package var alias: String?
  package var assignments: [Assignment]
  package var from: [TableReference]
  package var filter: SQLExpression?
  package var returning: [Select.Item]

  package init(
    with: WithClause? = nil, _ table: QualifiedName, alias: String? = nil, set assignments: [Assignment],
    from: [TableReference] = [], where filter: SQLExpression? = nil, returning: [Select.Item] = []
  ) {
    self.with = with
    self.table = table
    self.alias = alias
    self.assignments = assignments
    self.from = from
    self.filter = filter
    self.returning = returning
  }
}

package struct Delete: Hashable, Sendable {
  package var with: WithClause?
  package var table: QualifiedName
  package var alias: String?
  package var using: [TableReference]
  package var filter: SQLExpression?
  package var returning: [Select.Item]

  package init(
    with: WithClause? = nil, from table: QualifiedName, alias: String? = nil, using: [TableReference] = [],
    where filter: SQLExpression? = nil, returning: [Select.Item] = []
  ) {
    self.with = with
    self.table = table
    self.alias = alias
    self.using = using
    self.filter = filter
    self.returning = returning
  }
}
