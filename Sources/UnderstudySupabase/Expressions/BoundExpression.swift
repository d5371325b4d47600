import UnderstudyHTTP

/// An expression with resolved names and types, ready to be evaluated for many rows.
struct BoundExpression: Sendable {
  typealias Function = @Sendable ([ColumnValue]) throws(PostgRESTError) -> ColumnValue

  indirect enum Node: Sendable {
    case constant(ColumnValue)
    /// A column of one of the rows in scope.
    case column(row: Int, place: Int)
    /// `auth.uid()`.
    case user
    /// `auth.role()`.
    case role
    /// `now()`.
    case now
    /// `gen_random_uuid()`; only as a default.
    case generatedUUID
    case not(BoundExpression)
    case and([BoundExpression])
    case or([BoundExpression])
    case comparison(DatabaseFilter.Comparison, BoundExpression, BoundExpression)
    case state(BoundExpression, DatabaseFilter.State)
    case among(BoundExpression, [BoundExpression])
    case quantified(BoundExpression, DatabaseFilter.Comparison, array: BoundExpression, isAny: Bool)
    case containment(DatabaseFilter.Containment, BoundExpression, BoundExpression)
    /// A function, which is `NULL` if an argument is.
    case function([BoundExpression], Function)
    case coalesce([BoundExpression])
    case array([BoundExpression])
    case choice([(condition: BoundExpression, value: BoundExpression)], otherwise: BoundExpression)
    case exists(BoundQuery)
    case scalar(BoundQuery)
    case amongRows(BoundExpression, BoundQuery)
    case custom(row: Int, RowLayout, @Sendable (DatabaseRow, StatementContext) -> Bool)
  }

  let node: Node
  let type: SQLType

  init(_ node: Node, _ type: SQLType) {
    self.node = node
    self.type = type
  }

  static let null = BoundExpression(.constant(.null), .unknown)

  /// The value, if it is the same for every row and statement.
  var constant: ColumnValue? { if case .constant(let value) = node { value } else { nil } }
}

/// A query with resolved names.
struct BoundQuery: Sendable {
  struct Source: Sendable {
    let table: Int
    /// The required values of columns of its rows, for an index lookup.
    let keys: [(place: Int, value: BoundExpression)]
  }

  let value: BoundExpression?
  let sources: [Source]
  let condition: BoundExpression?
}

extension ExpressionBinder {
  func bind(_ query: SQLQuery) throws(ExpressionError) -> BoundQuery {
    var sources: [Source] = []
    var places: [Int] = []
    let first = scopes.joined().map { $0.row + 1 }.max() ?? 0
    for source in query.sources {
      guard let table = catalog[source.table] else {
        throw ExpressionError(
          "42P01", "relation \"\(source.table)\" does not exist", at: source.location,
          advice: "Create the table before it is named here.")
      }
      guard !sources.contains(where: { $0.name == source.alias }) else {
        throw ExpressionError(
          "42712", "table name \"\(source.alias)\" specified more than once", at: source.location,
          advice: "Give one of them an alias.")
      }
      sources.append(Source(name: source.alias, layout: table.layout, row: first + sources.count))
      places.append(table.place)
    }
    let inner = ExpressionBinder(catalog: catalog, scopes: scopes + [sources])
    var condition: BoundExpression?
    if let written = query.condition { condition = try inner.condition(written, in: "WHERE") }
    var value: BoundExpression?
    if let written = query.value { value = try inner.bind(written) }
    if value?.type == .unknown, let literal = value {
      value = try self.literal(literal, as: .text, at: query.value?.location)
    }
    return BoundQuery(
      value: value,
      sources: zip(sources, places).map { source, place in
        BoundQuery.Source(table: place, keys: condition?.keys(ofRow: source.row) ?? [])
      }, condition: condition)
  }
}

extension BoundExpression {
  /// Returns the columns of a row that the condition compares with values that do not depend on the row.
  fileprivate func keys(ofRow row: Int) -> [(place: Int, value: BoundExpression)] {
    switch node {
    case .and(let operands): return operands.flatMap { $0.keys(ofRow: row) }
    case .comparison(.equal, let one, let other):
      if case .column(row, let place) = one.node, other.isKnown(before: row) { return [(place, other)] }
      if case .column(row, let place) = other.node, one.isKnown(before: row) { return [(place, one)] }
      return []
    default: return []
    }
  }

  private func isKnown(before row: Int) -> Bool {
    switch node {
    case .constant, .user: true
    case .column(let own, _): own < row
    default: false
    }
  }
}
