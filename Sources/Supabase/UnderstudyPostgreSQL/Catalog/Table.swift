/// A table, a view or a materialized view, without its rows.
package struct Table: Sendable {
  package enum Kind: Sendable {
    case table
    /// `invokes` is `security_invoker`: the view's tables are read with the rights of who reads the view.
    case view(Query, invokes: Bool)
    case materializedView(Query)
  }

  package var name: QualifiedName
  package var kind: Kind
  package var columns: [Column]
  /// What the names in the query of a view mean.
  var names = DefinedNames()
  /// `WITH CHECK OPTION` of a view.
  package var checkOption: CreateView.CheckOption?
  package var checks: [Check] = []
  package var keys: [Key] = []
  package var foreignKeys: [ForeignKey] = []
  package var indexes: [Index] = []
  package var triggers: [CreateTrigger] = []
  package var disabledTriggers: [CreateTrigger] = []
  package var policies: [CreatePolicy] = []
  package var isSecured = false
  /// `FORCE ROW LEVEL SECURITY`: the owner is restricted too.
  package var isForced = false
  package var privileges: [Privilege] = []
  package var partitioning: Partitioning?
  /// `REPLICA IDENTITY FULL`: changes are followed with whole old rows.
  package var replicatesWholeRows = false

  package init(_ name: QualifiedName, _ kind: Kind = .table, columns: [Column]) {
    self.name = name
    self.kind = kind
    self.columns = columns
  }

  package var isView: Bool { if case .view = kind { true } else { false } }

  /// The lists of columns by which rows are found: those of keys, of foreign keys and of indexes.
  package var lookups: [(columns: [Int], isUnique: Bool)] {
    var lookups: [(columns: [Int], isUnique: Bool)] = []
    func add(_ columns: [Int]?, isUnique: Bool) {
      guard let columns, !columns.isEmpty, !lookups.contains(where: { $0.columns == columns }) else { return }
      lookups.append((columns, isUnique))
    }
    for key in keys where key.filter == nil { add(key.columns(of: self), isUnique: true) }
    for index in indexes { add(columns(of: index.expressions), isUnique: false) }
    for foreignKey in foreignKeys {
      add(columns(of: foreignKey.columns.map { .name([$0]) }), isUnique: false)
    }
    return lookups
  }

  /// The positions of expressions that are columns, or nil if one is another expression.
  package func columns(of expressions: [SQLExpression]) -> [Int]? {
    var columns: [Int] = []
    for expression in expressions {
      guard case .name(let path) = expression, path.count == 1, let column = column(path[0]) else {
        return nil
      }
      columns.append(column)
    }
    return columns
  }

  package var primaryKey: Key? { keys.first { $0.isPrimary } }

  package func column(_ name: String) -> Int? { columns.firstIndex { $0.name == name } }
}

package struct Column: Sendable {
  package var name: String
  package var type: DataType
  package var modifier: TypeModifier?
  /// The order of its texts, if it is not that of the database.
  package var collation: Collation?
  package var isNotNull = false
  package var defaultValue: SQLExpression?
  package var identity: IdentityKind?
  /// The expression of a generated column.
  package var generated: SQLExpression?
  /// The sequence of an identity or a serial column, in the table's schema.
  package var sequence: QualifiedName?

  package init(_ name: String, _ type: DataType, modifier: TypeModifier? = nil) {
    self.name = name
    self.type = type
    self.modifier = modifier
  }
}

/// How the rows of a table are divided; all of them are in the table itself.
package struct Partitioning: Sendable {
  package var key: [SQLExpression]
  /// The conditions of the rows of each partition.
  package var partitions: [QualifiedName: SQLExpression] = [:]

  mutating func rename(_ renamed: (SQLExpression) -> SQLExpression) {
    key = key.map(renamed)
    partitions = partitions.mapValues(renamed)
  }
}

package struct Check: Sendable {
  package var name: String
  package var condition: SQLExpression
}

/// A primary key, a unique constraint, or a unique index.
package struct Key: Sendable {
  package var name: String
  /// The expressions of an index; columns are names.
  package var expressions: [SQLExpression]
  package var isPrimary = false
  /// Whether it is an index and no constraint.
  ///
  /// `ON CONFLICT ON CONSTRAINT` needs a constraint.
  package var isIndex = false
  package var nullsNotDistinct = false
  /// The condition of a partial index.
  package var filter: SQLExpression?

  /// The columns and expressions as messages show them (`pg_get_indexdef_columns`).
  var displayNames: [String] {
    expressions.map { expression in
      switch expression {
      case .name, .call: expression.sql
      default: "(\(expression.sql))"
      }
    }
  }

  /// The columns, if it consists of columns only.
  package func columns(of table: Table) -> [Int]? {
    table.columns(of: expressions)
  }
}

/// An index that is not unique.
///
/// Those of plain columns are used to find rows.
package struct Index: Sendable {
  package var name: String
  package var expressions: [SQLExpression]
}

package struct ForeignKey: Sendable {
  /// Keys that were created first are followed first.
  package var number: Int
  /// The pairs of columns as they were declared, for messages.
  ///
  /// `columns` and `referenced` are in the order of the key.
  package var declared: [(column: String, referenced: String)]
  package var name: String
  package var columns: [String]
  package var table: QualifiedName
  package var referenced: [String]
  package var onDelete: References.Action
  package var onUpdate: References.Action
  package var matchesFull: Bool
  package var isDeferrable: Bool
  package var isInitiallyDeferred: Bool
}

/// A right of a role to a table, or to some of its columns.
package struct Privilege: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case select, insert, update, delete, truncate, references, trigger
  }

  package var role: String
  package var kind: Kind
  /// Nil is every column.
  package var columns: Set<String>?
}
