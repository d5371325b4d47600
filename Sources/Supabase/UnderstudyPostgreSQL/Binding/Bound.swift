/// An expression whose names and types are decided: it can be evaluated in a ``Frame``.
struct Bound: Sendable {
  /// What computes the value.
  ///
  /// A structure, because lists of functions that throw typed errors need the runtime of macOS 15.
  struct Evaluate: Sendable {
    private let body: @Sendable (Frame) throws(PostgreSQLError) -> Value

    init(_ body: @escaping @Sendable (Frame) throws(PostgreSQLError) -> Value) { self.body = body }

    func callAsFunction(_ frame: Frame) throws(PostgreSQLError) -> Value { try body(frame) }
  }

  var type: BoundType
  var modifier: TypeModifier?
  /// The order of its texts, if it is not that of the database: of `COLLATE`, or of the column's definition.
  var collation: Collation?
  var derivation = CollationDerivation.implicit
  /// What the expression depends on, for the plan of a query.
  var uses: Uses
  /// The text of a quoted string whose type is not decided yet.
  ///
  /// Null has an empty form: see `isNullLiteral`.
  var literal: String?
  var isNullLiteral = false
  /// The column that the expression is, nothing more.
  var column: ColumnReference?
  /// The two sides, if the expression says that they are equal.
  var equality: Equality?
  var evaluate: Evaluate

  init(_ type: BoundType, modifier: TypeModifier? = nil, uses: Uses = Uses(), evaluate: Evaluate) {
    self.type = type
    self.modifier = modifier
    self.uses = uses
    self.evaluate = evaluate
  }

  init(
    _ type: BoundType, modifier: TypeModifier? = nil, uses: Uses = Uses(),
    evaluate: @escaping @Sendable (Frame) throws(PostgreSQLError) -> Value
  ) {
    self.init(type, modifier: modifier, uses: uses, evaluate: Evaluate(evaluate))
  }

  static func constant(_ value: Value, _ type: DataType, modifier: TypeModifier? = nil) -> Bound {
    Bound(BoundType(type), modifier: modifier) { _ throws(PostgreSQLError) in value }
  }

  static func string(_ text: String) -> Bound {
    var bound = constant(.text(text), .unknown)
    bound.literal = text
    return bound
  }

  static var null: Bound {
    var bound = constant(.null, .unknown)
    bound.isNullLiteral = true
    return bound
  }

  /// Whether the type is open: a quoted string or `NULL`.
  var isUnknown: Bool { type.type == .unknown }

  /// What makes the rows of a function.
  struct RowMaker: Sendable {
    private let body: @Sendable (Frame) throws(PostgreSQLError) -> [Row]

    init(_ body: @escaping @Sendable (Frame) throws(PostgreSQLError) -> [Row]) { self.body = body }

    func callAsFunction(_ frame: Frame) throws(PostgreSQLError) -> [Row] { try body(frame) }
  }

  /// What a plan needs to know of an expression.
  struct Uses: Sendable {
    /// The relations of the query itself, then those of the queries around it.
    private(set) var levels: [Set<Int>] = []
    var isVolatile = false
    /// Whether it reads a value that exists only after grouping: an aggregate or a window function.
    var isAggregated = false
    /// Whether it reads an element of a set, of which there are several for one row.
    var returnsSet = false

    init() {}

    init(relation: Int, depth: Int) {
      levels = Array(repeating: [], count: depth) + [[relation]]
    }

    init(isVolatile: Bool) {
      self.isVolatile = isVolatile
    }

    var relations: Set<Int> { levels.first ?? [] }

    /// Whether it has the same value for all rows of a statement.
    var isConstant: Bool { levels.allSatisfy(\.isEmpty) && !isVolatile && !isAggregated && !returnsSet }

    func union(_ other: Uses) -> Uses {
      var union = self
      for (level, relations) in other.levels.enumerated() {
        if level < union.levels.count {
          union.levels[level].formUnion(relations)
        } else {
          union.levels.append(relations)
        }
      }
      union.isVolatile = isVolatile || other.isVolatile
      union.isAggregated = isAggregated || other.isAggregated
      union.returnsSet = returnsSet || other.returnsSet
      return union
    }

    /// The same as seen from a query that is so many levels inside.
    func seen(fromInside distance: Int) -> Uses {
      guard levels.contains(where: { !$0.isEmpty }) else { return self }
      var uses = self
      uses.levels = Array(repeating: [], count: distance) + levels
      return uses
    }

    /// The same as seen from the query around.
    var ofQueryAround: Uses {
      var uses = Uses(isVolatile: isVolatile)
      uses.levels = Array(levels.dropFirst())
      return uses
    }
  }

  struct ColumnReference: Hashable, Sendable {
    /// 0 is the query itself.
    var depth: Int
    var relation: Int
    var column: Int
  }

  /// `left = right`, both of one type.
  ///
  /// `right` may be a list: `left = ANY (right)`.
  final class Equality: Sendable {
    let left: Bound
    let right: Bound
    let type: DataType
    let isMembership: Bool

    init(_ left: Bound, _ right: Bound, type: DataType, isMembership: Bool = false) {
      self.left = left
      self.right = right
      self.type = type
      self.isMembership = isMembership
    }
  }
}

/// The rows that a query looks at, at one moment.
final class Frame {
  /// A row for each relation of the query.
  var rows: [Row]
  /// Where the row of relation 0 is, if it is a table's.
  var place: Heap.Place = 0
  /// Of an aggregated query: the values of the grouping expressions, and the results of the aggregates.
  var keys: [Value] = []
  var aggregates: [Value] = []
  /// The grouping expressions that the current grouping set leaves out.
  var absentKeys: Set<Int> = []
  /// The results of window functions.
  var windows: [Value] = []
  /// The elements of the sets of the select list.
  var sets: [Value] = []
  /// The frame of the query around this one, or the variables of a function.
  let parent: Frame?
  let execution: Execution

  init(relations: Int, parent: Frame?, execution: Execution) {
    rows = Array(repeating: [], count: relations)
    self.parent = parent
    self.execution = execution
  }

  func outer(_ depth: Int) -> Frame {
    var frame = self
    for _ in 0..<depth {
      guard let parent = frame.parent else {
        preconditionFailure("A bound name refers to a query that encloses it.")
      }
      frame = parent
    }
    return frame
  }

  /// What the frame holds, to look at it again later.
  struct Contents {
    var rows: [Row]
    var keys: [Value]
    var aggregates: [Value]
    var absentKeys: Set<Int>
  }

  var contents: Contents {
    get { Contents(rows: rows, keys: keys, aggregates: aggregates, absentKeys: absentKeys) }
    set {
      rows = newValue.rows
      keys = newValue.keys
      aggregates = newValue.aggregates
      absentKeys = newValue.absentKeys
    }
  }
}

/// One execution of one statement.
final class Execution {
  let session: Session
  /// What the statement sees: the rows as they were at its start (PostgreSQL documentation, 13.2.1).
  let snapshot: State
  /// Results that do not depend on the rows around them, by the number of their node: subqueries, common tables and
  /// calls of stable functions are computed once.
  var results: [Int: [Row]] = [:]
  var values: [Int: Value] = [:]
  /// Rows by the values of a join's columns.
  var tables: [Int: [Row: [Row]]] = [:]
  /// The rows of tables with a name of the statement's own: the working table of a recursive query, the transition
  /// tables of a trigger.
  var working: [Int: [Row]] = [:]

  /// How many rows the statement changed.
  var affected = 0

  init(_ session: Session) {
    self.session = session
    snapshot = session.state
  }

  /// The rows of a table as the statement sees them.
  func data(_ table: QualifiedName) -> TableData {
    guard let data = snapshot.data[table] else { preconditionFailure("A bound table exists.") }
    return data
  }
}
