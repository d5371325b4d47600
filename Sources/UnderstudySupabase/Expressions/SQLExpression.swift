/// An unresolved expression of SQL: the condition of a check or of a policy, or a default.
///
/// `ExpressionBinder` resolves its names.
struct SQLExpression: Sendable {
  indirect enum Node: Sendable {
    case null
    case boolean(Bool)
    case number(String)
    case string(String)
    case column(String, of: Owner)
    case call(String, [SQLExpression])
    case not(SQLExpression)
    case and([SQLExpression])
    case or([SQLExpression])
    case negative(SQLExpression)
    /// One of the operators between two operands, by its symbol.
    case binary(String, SQLExpression, SQLExpression)
    case state(SQLExpression, DatabaseFilter.State)
    case distinct(SQLExpression, SQLExpression)
    case among(SQLExpression, [SQLExpression])
    /// An operator with `ANY` or `ALL` elements of an array.
    case quantified(SQLExpression, String, SQLExpression, isAny: Bool)
    case cast(SQLExpression, SQLType)
    case array([SQLExpression])
    case choice([(condition: SQLExpression, value: SQLExpression)], otherwise: SQLExpression?)
    case exists(SQLQuery)
    case scalar(SQLQuery)
    case amongRows(SQLExpression, SQLQuery)
    /// A condition that is not written in SQL.
    case custom(@Sendable (DatabaseRow, StatementContext) -> Bool)
  }

  /// The table of a column.
  enum Owner: Hashable, Sendable {
    /// Any table in scope, the innermost first.
    case any
    /// The table with this name, or this alias.
    case table(String)
    /// A table outside the query of the name.
    case outside
  }

  let node: Node
  let location: SQLLocation?
  /// The depth of the expression.
  let height: Int

  /// The greatest height, so that recursion over an expression does not overflow the stack.
  static let greatestHeight = 32

  init(_ node: Node, at location: SQLLocation? = nil) {
    self.node = node
    self.location = location
    height = 1 + node.height
  }

  static func column(_ name: String, of owner: Owner = .any) -> SQLExpression {
    SQLExpression(.column(name, of: owner))
  }

  static func equal(_ one: SQLExpression, _ other: SQLExpression) -> SQLExpression {
    SQLExpression(.binary("=", one, other))
  }

  static func call(_ name: String) -> SQLExpression { SQLExpression(.call(name, [])) }

  /// The name of the function that returns an element of an array; no function can be called by it.
  static let subscriptName = "[]"
}

/// A `SELECT` in an expression.
struct SQLQuery: Sendable {
  struct Source: Sendable {
    /// The name of the table, with the schema unless it is `public`.
    let table: String
    let alias: String
    let location: SQLLocation?
  }

  let value: SQLExpression?
  let sources: [Source]
  let condition: SQLExpression?
}

extension SQLExpression {
  /// The distinct columns in it, without those in queries, in order.
  var columns: [String] {
    var names: [String] = []
    for name in allColumns where !names.contains(name) { names.append(name) }
    return names
  }

  private var allColumns: [String] {
    if case .column(let name, _) = node { return [name] }
    return operands.flatMap(\.allColumns)
  }

  private var operands: [SQLExpression] { node.operands }

  /// The queries in it, without nested ones.
  var queries: [SQLQuery] {
    switch node {
    case .exists(let query), .scalar(let query): [query]
    case .amongRows(let operand, let query): operand.queries + [query]
    default: operands.flatMap(\.queries)
    }
  }

  /// The queries in it, including nested ones.
  var allQueries: [SQLQuery] {
    queries.flatMap { query in
      [query] + [query.value, query.condition].compactMap { $0 }.flatMap(\.allQueries)
    }
  }
}

extension SQLExpression.Node {
  /// Its operands, without those in queries.
  fileprivate var operands: [SQLExpression] {
    switch self {
    case .null, .boolean, .number, .string, .column, .exists, .scalar, .custom: []
    case .call(_, let operands), .and(let operands), .or(let operands), .array(let operands): operands
    case .not(let operand), .negative(let operand), .state(let operand, _), .cast(let operand, _),
      .amongRows(let operand, _):
      [operand]
    case .binary(_, let one, let other), .distinct(let one, let other), .quantified(let one, _, let other, _):
      [one, other]
    case .among(let operand, let others): [operand] + others
    case .choice(let branches, let otherwise):
      branches.flatMap { [$0.condition, $0.value] } + (otherwise.map { [$0] } ?? [])
    }
  }

  fileprivate var height: Int {
    let inside: [SQLExpression]
    switch self {
    case .exists(let query), .scalar(let query), .amongRows(_, let query):
      inside = [query.value, query.condition].compactMap { $0 } + operands
    default: inside = operands
    }
    return inside.map(\.height).max() ?? 0
  }
}

/// The type of an expression.
enum SQLType: Hashable, Sendable {
  /// A type of columns.
  case column(ColumnType)
  /// The literal of a fractional or large number; stored as a binary number of 64 bits.
  case numeric
  /// A `timestamp` without a time zone, stored as a time in UTC.
  case localTimestamp
  /// A quoted literal or `NULL`, whose type depends on the context.
  case unknown

  static let text: SQLType = .column(.text)
  static let boolean: SQLType = .column(.boolean)
  static let integer: SQLType = .column(.integer)
  static let double: SQLType = .column(.double)
  static let json: SQLType = .column(.json)
  static let textArray: SQLType = .column(.textArray)
  static let date: SQLType = .column(.date)
  static let timestamp: SQLType = .column(.timestamp)
  static let uuid: SQLType = .column(.uuid)

  /// The name in PostgreSQL's messages.
  var name: String {
    switch self {
    case .column(let type): type.rawValue
    case .numeric: "numeric"
    case .localTimestamp: "timestamp without time zone"
    case .unknown: "unknown"
    }
  }

  var isNumber: Bool { self == .integer || self == .double || self == .numeric }
}

extension ColumnType {
  /// Creates the type with a name in SQL (PostgreSQL, "Data Types"); `nil` if it is not supported.
  init?(sqlName name: String) {
    switch name {
    case "uuid": self = .uuid
    case "text": self = .text
    case "integer", "int", "int4": self = .integer
    case "double precision", "float8", "float": self = .double
    case "boolean", "bool": self = .boolean
    case "date": self = .date
    case "timestamptz", "timestamp with time zone": self = .timestamp
    case "text[]": self = .textArray
    case "jsonb": self = .json
    default: return nil
    }
  }

  /// The names of all, for a message.
  static let supportedNames =
    "Supported types: uuid, text, integer, double precision, boolean, date, timestamptz, text[] and jsonb."
}
