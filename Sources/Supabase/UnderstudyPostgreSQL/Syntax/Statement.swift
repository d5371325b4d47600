/// A statement of a script, and where it stands.
package struct ScriptStatement: Hashable, Sendable {
  package var statement: Statement
  /// The bytes of the script that it takes, without the semicolon.
  package var range: Range<Int>

  package init(_ statement: Statement, range: Range<Int>) {
    self.statement = statement
    self.range = range
  }
}

/// A statement of SQL (PostgreSQL documentation, VI.I).
package indirect enum Statement: Hashable, Sendable {
  case data(DataStatement)

  case createSchema(String, ifNotExists: Bool)
  case createTable(CreateTable)
  /// `CREATE TABLE … AS` and `SELECT … INTO`.
  case createTableAs(QualifiedName, columns: [String], Query, ifNotExists: Bool)
  case alterTable(QualifiedName, ifExists: Bool, [AlterTableAction])
  case createIndex(CreateIndex)
  case createView(CreateView)
  case refreshView(QualifiedName)
  case createSequence(QualifiedName, SequenceOptions, ifNotExists: Bool)
  case alterSequence(QualifiedName, SequenceOptions)
  case createEnumeration(QualifiedName, labels: [String])
  case createComposite(QualifiedName, [TableFunction.ColumnDefinition])
  case createDomain(CreateDomain)
  case alterEnumeration(QualifiedName, AlterEnumeration)
  case createFunction(CreateFunction)
  case alterFunction(AlterFunction)
  case createTrigger(CreateTrigger)
  case createPolicy(CreatePolicy)
  case alterPolicy(AlterPolicy)
  case drop(Drop)
  case rename(ObjectKind, QualifiedName, to: String)
  case setSchema(ObjectKind, QualifiedName, to: String)
  case truncate([QualifiedName], restartsIdentity: Bool, cascades: Bool)

  case grant(Grant)
  /// The grant is for all objects that the owners will create: in the named schemas, or in all if none is named.
  case alterDefaultPrivileges(Grant, ofOwners: [String])
  case createRole(String)
  case alterSettings(AlterSettings)
  case createPublication(String, PublicationTables)
  case alterPublication(String, AlterPublication)

  case doBlock(String, language: String)
  case call(Call)
  /// `SET`, `SET LOCAL`, `RESET` (without a value).
  case set(String, to: [String]?, isLocal: Bool)
  case setRole(String?, isLocal: Bool)
  case show(String)
  case begin, commit, rollback
  case savepoint(String)
  case releaseSavepoint(String)
  case rollbackToSavepoint(String)
  /// `COPY … FROM stdin`, with the lines that follow it in a script of pg_dump.
  case copy(Copy)

  /// What changes nothing that a client of this engine can observe: `COMMENT`, `CREATE EXTENSION`, `OWNER TO`,
  /// `ANALYZE`. The words say what it is, for the list of what was ignored.
  case ignored(String)
}

/// `ALTER ROLE … SET`, `ALTER DATABASE … SET` and `RESET`: what the sessions of a role begin with.
package struct AlterSettings: Hashable, Sendable {
  /// The role; nil for the database, or for all roles.
  package var role: String?
  /// The setting; nil for all of them.
  package var name: String?
  /// The value; nil removes it.
  package var value: String?

  package init(of role: String?, _ name: String?, to value: String?) {
    self.role = role
    self.name = name
    self.value = value
  }
}

package enum ObjectKind: String, Hashable, Sendable {
  case schema, table, view, materializedView, index, sequence, type, domain, function, procedure, trigger,
    policy
  case publication, role, `extension`
  /// A kind that this engine does not know, such as `CAST`.
  case other
}

// MARK: - Tables

package struct CreateTable: Hashable, Sendable {
  package enum Element: Hashable, Sendable {
    case column(ColumnDefinition)
    case constraint(TableConstraint)
    /// `LIKE other INCLUDING ALL`.
    case like(QualifiedName, includesAll: Bool)
  }

  package var name: QualifiedName
  package var elements: [Element]
  package var ifNotExists: Bool
  package var inherits: [QualifiedName]
  /// The key of `PARTITION BY`: the table is used as a whole, and its partitions hold no rows of their own.
  package var partitionKey: [SQLExpression]?
  package var partitionOf: QualifiedName?
  /// What rows a partition takes; nil if all that no other takes.
  package var bounds: PartitionBounds?

  package init(
    _ name: QualifiedName, _ elements: [Element], ifNotExists: Bool = false, inherits: [QualifiedName] = [],
    partitionKey: [SQLExpression]? = nil, partitionOf: QualifiedName? = nil, bounds: PartitionBounds? = nil
  ) {
    self.name = name
    self.elements = elements
    self.ifNotExists = ifNotExists
    self.inherits = inherits
    self.partitionKey = partitionKey
    self.partitionOf = partitionOf
    self.bounds = bounds
  }
}

/// The rows of a partition (CREATE TABLE, `FOR VALUES`).
package enum PartitionBounds: Hashable, Sendable {
  case list([SQLExpression])
  /// From, and below; `MINVALUE` and `MAXVALUE` are names.
  case range([SQLExpression], [SQLExpression])
  /// By a number that PostgreSQL computes; together, the partitions take all rows.
  case hash

  /// The condition that the rows of the partition satisfy.
  func condition(on key: [SQLExpression]) -> SQLExpression {
    switch self {
    case .list(let values):
      let isNull = key.first.map { SQLExpression.isTest($0, .null, negated: false) }
      return .or(
        values.compactMap { value in
          value == .null ? isNull : key.first.map { .infix("=", $0, value) }
        })
    case .range(let from, let to):
      return .and([
        Self.comparison(key[...], from[...], ">", isInclusive: true),
        Self.comparison(key[...], to[...], "<", isInclusive: false),
      ])
    case .hash: return .boolean(true)
    }
  }

  /// The comparison of a list of values with a bound, the first one first.
  private static func comparison(
    _ key: ArraySlice<SQLExpression>, _ bound: ArraySlice<SQLExpression>, _ symbol: String, isInclusive: Bool
  ) -> SQLExpression {
    guard let first = key.first, let value = bound.first else { return .boolean(isInclusive) }
    if case .name(let name) = value, ["minvalue", "maxvalue"].contains(name.last) {
      return .boolean((name.last == "minvalue") == (symbol == ">"))
    }
    let rest = comparison(key.dropFirst(), bound.dropFirst(), symbol, isInclusive: isInclusive)
    return .or([.infix(symbol, first, value), .and([.infix("=", first, value), rest])])
  }
}

package struct ColumnDefinition: Hashable, Sendable {
  package var name: String
  /// `serial` and its kin are types here.
  package var type: TypeName
  package var collation: QualifiedName?
  package var constraints: [ColumnConstraint]

  package init(
    _ name: String, _ type: TypeName, collation: QualifiedName? = nil, constraints: [ColumnConstraint] = []
  ) {
    self.name = name
    self.type = type
    self.collation = collation
    self.constraints = constraints
  }
}

package enum IdentityKind: String, Hashable, Sendable { case always, byDefault }

package struct ColumnConstraint: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case notNull
    case null
    case defaultValue(SQLExpression)
    case check(SQLExpression)
    case unique(nullsNotDistinct: Bool)
    case primaryKey
    case references(References)
    case identity(IdentityKind, SequenceOptions)
    /// `GENERATED ALWAYS AS (…) STORED`.
    case generated(SQLExpression)
  }

  package var name: String?
  package var kind: Kind

  package init(_ kind: Kind, name: String? = nil) {
    self.kind = kind
    self.name = name
  }
}

package struct TableConstraint: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case check(SQLExpression)
    case unique([String], nullsNotDistinct: Bool)
    case primaryKey([String])
    case foreignKey([String], References)
    case exclude(String)
    /// `PRIMARY KEY USING INDEX name`, `UNIQUE USING INDEX name`.
    case usingIndex(String, isPrimaryKey: Bool)
  }

  package var name: String?
  package var kind: Kind
  /// `NOT VALID`: rows that exist are not checked.
  package var isNotValid: Bool

  package init(_ kind: Kind, name: String? = nil, isNotValid: Bool = false) {
    self.kind = kind
    self.name = name
    self.isNotValid = isNotValid
  }
}

package struct References: Hashable, Sendable {
  package enum Action: String, Hashable, Sendable { case noAction, restrict, cascade, setNull, setDefault }

  package var table: QualifiedName
  /// Empty means the primary key.
  package var columns: [String]
  package var onDelete: Action
  package var onUpdate: Action
  /// `MATCH FULL`.
  package var matchesFull: Bool
  package var isDeferrable: Bool
  package var isInitiallyDeferred: Bool

  package init(
    _ table: QualifiedName, columns: [String] = [], onDelete: Action = .noAction,
    onUpdate: Action = .noAction,
    matchesFull: Bool = false, isDeferrable: Bool = false, isInitiallyDeferred: Bool = false
  ) {
    self.table = table
    self.columns = columns
    self.onDelete = onDelete
    self.onUpdate = onUpdate
    self.matchesFull = matchesFull
    self.isDeferrable = isDeferrable
    self.isInitiallyDeferred = isInitiallyDeferred
  }
}

package enum AlterTableAction: Hashable, Sendable {
  case addColumn(ColumnDefinition, ifNotExists: Bool)
  case dropColumn(String, ifExists: Bool, cascades: Bool)
  case renameColumn(String, to: String)
  case setType(String, TypeName, collation: QualifiedName? = nil, using: SQLExpression?)
  /// Nil is `DROP DEFAULT`.
  case setDefault(String, SQLExpression?)
  case setNotNull(String, Bool)
  case addIdentity(String, IdentityKind, SequenceOptions)
  case dropIdentity(String, ifExists: Bool)
  case dropExpression(String, ifExists: Bool)
  case addConstraint(TableConstraint)
  case dropConstraint(String, ifExists: Bool, cascades: Bool)
  case renameConstraint(String, to: String)
  case validateConstraint(String)
  case rowLevelSecurity(RowLevelSecurity)
  /// Nil is all triggers.
  case setTrigger(String?, isEnabled: Bool)
  case replicaIdentity(String)
  case attachPartition(QualifiedName, PartitionBounds?)
  /// `SET (security_invoker = …)` of a view.
  case securityInvoker(Bool)
  /// Changes nothing that a client can observe, such as `OWNER TO` or `SET (fillfactor = 70)`.
  case ignored(String)

  package enum RowLevelSecurity: String, Hashable, Sendable { case enable, disable, force, noForce }
}

package struct CreateIndex: Hashable, Sendable {
  package struct Key: Hashable, Sendable {
    package var expression: SQLExpression
    package var isDescending: Bool

    package init(_ expression: SQLExpression, isDescending: Bool = false) {
      self.expression = expression
      self.isDescending = isDescending
    }
  }

  package var name: String?
  package var table: QualifiedName
  package var keys: [Key]
  /// `btree`, `gin` and so on.
  package var method: String
  package var isUnique: Bool
  package var nullsNotDistinct: Bool
  package var filter: SQLExpression?
  package var ifNotExists: Bool

  package init(
    _ name: String?, on table: QualifiedName, _ keys: [Key], method: String = "btree", isUnique: Bool = false,
    nullsNotDistinct: Bool = false, where filter: SQLExpression? = nil, ifNotExists: Bool = false
  ) {
    self.name = name
    self.table = table
    self.keys = keys
    self.method = method
    self.isUnique = isUnique
    self.nullsNotDistinct = nullsNotDistinct
    self.filter = filter
    self.ifNotExists = ifNotExists
  }
}

package struct CreateView: Hashable, Sendable {
  /// Which conditions new rows must satisfy: the view's own, or also those of the views that it reads.
  package enum CheckOption: Hashable, Sendable {
    case local, cascaded
  }

  package var name: QualifiedName
  package var columns: [String]
  package var query: Query
  package var replaces: Bool
  package var isMaterialized: Bool
  package var ifNotExists: Bool
  /// `WITH (security_invoker = true)`.
  package var securityInvoker: Bool
  package var checkOption: CheckOption?

  package init(
    _ name: QualifiedName, columns: [String] = [], _ query: Query, replaces: Bool = false,
    isMaterialized: Bool = false, ifNotExists: Bool = false, securityInvoker: Bool = false,
    checkOption: CheckOption? = nil
  ) {
    self.name = name
    self.columns = columns
    self.query = query
    self.replaces = replaces
    self.isMaterialized = isMaterialized
    self.ifNotExists = ifNotExists
    self.securityInvoker = securityInvoker
    self.checkOption = checkOption
  }
}

package struct SequenceOptions: Hashable, Sendable {
  package var start: Int64?
  package var increment: Int64?
  package var minimum: Int64?
  package var maximum: Int64?
  /// `RESTART`, with or without a value.
  package var restarts: Bool
  package var restart: Int64?
  package var cycles: Bool?
  /// The type after `AS`.
  package var type: TypeName?
  /// The table and the column after `OWNED BY`.
  package var ownedBy: [String]?

  package init(
    start: Int64? = nil, increment: Int64? = nil, minimum: Int64? = nil, maximum: Int64? = nil,
    restarts: Bool = false, restart: Int64? = nil, cycles: Bool? = nil, type: TypeName? = nil,
    ownedBy: [String]? = nil
  ) {
    self.start = start
    self.increment = increment
    self.minimum = minimum
    self.maximum = maximum
    self.restarts = restarts
    self.restart = restart
    self.cycles = cycles
    self.type = type
    self.ownedBy = ownedBy
  }
}

package struct CreateDomain: Hashable, Sendable {
  package var name: QualifiedName
  package var type: TypeName
  /// `NOT NULL`, `DEFAULT` and `CHECK`, in which the name `value` is the value.
  package var constraints: [ColumnConstraint]

  package init(_ name: QualifiedName, _ type: TypeName, constraints: [ColumnConstraint] = []) {
    self.name = name
    self.type = type
    self.constraints = constraints
  }
}

package enum AlterEnumeration: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    case before(String), after(String)
  }

  case addValue(String, Place?, ifNotExists: Bool)
  case renameValue(String, to: String)
}

// MARK: - Functions, triggers, policies

package struct CreateFunction: Hashable, Sendable {
  package struct Parameter: Hashable, Sendable {
    package enum Mode: String, Hashable, Sendable { case input, output, both, variadic, table }

    package var mode: Mode
    package var name: String?
    package var type: TypeName
    package var defaultValue: SQLExpression?

    package init(_ name: String?, _ type: TypeName, mode: Mode = .input, defaultValue: SQLExpression? = nil) {
      self.name = name
      self.type = type
      self.mode = mode
      self.defaultValue = defaultValue
    }
  }

  package enum Body: Hashable, Sendable {
    /// The text between quotes.
    case source(String)
    /// `RETURN expression` or `BEGIN ATOMIC … END`.
    case statements([ScriptStatement])
  }

  package enum Volatility: String, Hashable, Sendable { case immutable, stable, volatile }

  package var name: QualifiedName
  package var parameters: [Parameter]
  /// Nil of a procedure, and of a function whose result its output parameters are.
  ///
  /// `RETURNS TABLE` makes parameters of the mode `table`, and the result is then a set of their rows.
  package var result: TypeName?
  package var isProcedure: Bool
  package var replaces: Bool
  package var language: String
  package var body: Body
  package var volatility: Volatility
  package var isStrict: Bool
  package var isSecurityDefiner: Bool
  /// `SET name = value` of the function.
  package var settings: [Setting]
  /// `ROWS 1`: the function promises one row, although it returns a set.
  package var returnsOneRow = false

  package struct Setting: Hashable, Sendable {
    package var name: String
    package var values: [String]

    package init(_ name: String, _ values: [String]) {
      self.name = name
      self.values = values
    }
  }

  package init(
    _ name: QualifiedName, _ parameters: [Parameter], returns result: TypeName?, isProcedure: Bool = false,
    replaces: Bool = false, language: String, _ body: Body, volatility: Volatility = .volatile,
    isStrict: Bool = false, isSecurityDefiner: Bool = false, settings: [Setting] = []
  ) {
    self.name = name
    self.parameters = parameters
    self.result = result
    self.isProcedure = isProcedure
    self.replaces = replaces
    self.language = language
    self.body = body
    self.volatility = volatility
    self.isStrict = isStrict
    self.isSecurityDefiner = isSecurityDefiner
    self.settings = settings
  }
}

/// `ALTER FUNCTION` or `ALTER PROCEDURE`: what is not nil changes.
package struct AlterFunction: Hashable, Sendable {
  package var name: QualifiedName
  /// The types of its input parameters, if they are given.
  package var parameters: [TypeName]?
  package var newName: String?
  package var newSchema: String?
  package var volatility: CreateFunction.Volatility?
  package var isStrict: Bool?
  package var isSecurityDefiner: Bool?
  /// `ROWS 1`.
  package var returnsOneRow: Bool?
  package var settings: [CreateFunction.Setting]
  /// The names after `RESET`; `all` for all.
  package var resets: [String]

  package init(
    _ name: QualifiedName, parameters: [TypeName]? = nil, newName: String? = nil, newSchema: String? = nil,
    volatility: CreateFunction.Volatility? = nil, isStrict: Bool? = nil, isSecurityDefiner: Bool? = nil,
    settings: [CreateFunction.Setting] = [], resets: [String] = []
  ) {
    self.name = name
    self.parameters = parameters
    self.newName = newName
    self.newSchema = newSchema
    self.volatility = volatility
    self.isStrict = isStrict
    self.isSecurityDefiner = isSecurityDefiner
    self.settings = settings
    self.resets = resets
  }
}

package struct CreateTrigger: Hashable, Sendable {
  package enum Timing: String, Hashable, Sendable { case before, after, insteadOf }
  package enum Event: Hashable, Sendable {
    case insert, delete, truncate
    /// Empty means any column.
    case update(of: [String])
  }

  package var name: String
  package var table: QualifiedName
  package var timing: Timing
  package var events: [Event]
  package var isForEachRow: Bool
  package var condition: SQLExpression?
  package var function: QualifiedName
  package var arguments: [String]
  package var replaces: Bool
  /// `REFERENCING OLD TABLE AS …`.
  package var oldTable: String?
  package var newTable: String?
  /// A constraint trigger that fires at the end of the transaction: `INITIALLY DEFERRED`.
  package var isInitiallyDeferred: Bool

  package init(
    _ name: String, on table: QualifiedName, _ timing: Timing, _ events: [Event], isForEachRow: Bool,
    when condition: SQLExpression? = nil, execute function: QualifiedName, arguments: [String] = [],
    replaces: Bool = false, oldTable: String? = nil, newTable: String? = nil,
    isInitiallyDeferred: Bool = false
  ) {
    self.name = name
    self.table = table
    self.timing = timing
    self.events = events
    self.isForEachRow = isForEachRow
    self.condition = condition
    self.function = function
    self.arguments = arguments
    self.replaces = replaces
    self.oldTable = oldTable
    self.newTable = newTable
    self.isInitiallyDeferred = isInitiallyDeferred
  }
}

package struct CreatePolicy: Hashable, Sendable {
  package enum Command: String, Hashable, Sendable { case all, select, insert, update, delete }

  package var name: String
  package var table: QualifiedName
  package var isPermissive: Bool
  package var command: Command
  /// Empty means `public`.
  package var roles: [String]
  package var using: SQLExpression?
  package var check: SQLExpression?
  /// What the names in the conditions mean, once the policy is defined.
  var usingNames = DefinedNames()
  var checkNames = DefinedNames()

  package init(
    _ name: String, on table: QualifiedName, isPermissive: Bool = true, for command: Command = .all,
    to roles: [String] = [], using: SQLExpression? = nil, check: SQLExpression? = nil
  ) {
    self.name = name
    self.table = table
    self.isPermissive = isPermissive
    self.command = command
    self.roles = roles
    self.using = using
    self.check = check
  }
}

package struct AlterPolicy: Hashable, Sendable {
  package var name: String
  package var table: QualifiedName
  package var newName: String?
  package var roles: [String]?
  package var using: SQLExpression?
  package var check: SQLExpression?

  package init(
    _ name: String, on table: QualifiedName, newName: String? = nil, roles: [String]? = nil,
    using: SQLExpression? = nil, check: SQLExpression? = nil
  ) {
    self.name = name
    self.table = table
    self.newName = newName
    self.roles = roles
    self.using = using
    self.check = check
  }
}

package struct Drop: Hashable, Sendable {
  package var kind: ObjectKind
  package var names: [QualifiedName]
  /// The table of a trigger or a policy.
  package var table: QualifiedName?
  /// The types of the parameters of a function, if they are given.
  package var parameters: [TypeName]?
  package var ifExists: Bool
  package var cascades: Bool

  package init(
    _ kind: ObjectKind, _ names: [QualifiedName], table: QualifiedName? = nil, parameters: [TypeName]? = nil,
    ifExists: Bool = false, cascades: Bool = false
  ) {
    self.kind = kind
    self.names = names
    self.table = table
    self.parameters = parameters
    self.ifExists = ifExists
    self.cascades = cascades
  }
}

// MARK: - Privileges, publications, COPY

/// A function or procedure in a statement about it.
package struct RoutineReference: Hashable, Sendable {
  package var name: QualifiedName
  /// The types of its input parameters, if they are given; without them, the name must have one meaning.
  package var parameters: [TypeName]?

  package init(_ name: QualifiedName, parameters: [TypeName]? = nil) {
    self.name = name
    self.parameters = parameters
  }
}

package struct Grant: Hashable, Sendable {
  package enum Objects: Hashable, Sendable {
    case tables([QualifiedName])
    case allTables(inSchemas: [String])
    case functions([RoutineReference])
    case allFunctions(inSchemas: [String])
    case schemas([String])
    case sequences([QualifiedName])
    case allSequences(inSchemas: [String])
    /// Types, databases, roles: privileges that nothing here checks.
    case other(String)
  }

  package struct Privilege: Hashable, Sendable {
    /// Lower case; `all` for all.
    package var name: String
    /// Empty means the whole table.
    package var columns: [String]

    package init(_ name: String, columns: [String] = []) {
      self.name = name
      self.columns = columns
    }
  }

  package var isRevoke: Bool
  package var privileges: [Privilege]
  package var objects: Objects
  package var roles: [String]

  package init(isRevoke: Bool = false, _ privileges: [Privilege], on objects: Objects, to roles: [String]) {
    self.isRevoke = isRevoke
    self.privileges = privileges
    self.objects = objects
    self.roles = roles
  }
}

package enum PublicationTables: Hashable, Sendable {
  case all
  case tables([QualifiedName])
}

package enum AlterPublication: Hashable, Sendable {
  case add([QualifiedName])
  case drop([QualifiedName])
  case set([QualifiedName])
}

package struct Copy: Hashable, Sendable {
  package var table: QualifiedName
  package var columns: [String]
  /// Rows of fields in the text format; nil is null.
  package var rows: [[String?]]

  package init(into table: QualifiedName, columns: [String] = [], rows: [[String?]]) {
    self.table = table
    self.columns = columns
    self.rows = rows
  }
}
