import UnderstudyHTTP

/// An expression whose names have been looked up and whose types agree, ready to be asked of many rows.
struct BoundExpression: Sendable {
  typealias Function = @Sendable ([DatabaseValue]) throws(PostgRESTError) -> DatabaseValue

  indirect enum Node: Sendable {
    case constant(DatabaseValue)
    /// A column of one of the rows at hand.
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
    case comparison(Filter.Comparison, BoundExpression, BoundExpression)
    case state(BoundExpression, Filter.State)
    case among(BoundExpression, [BoundExpression])
    case quantified(BoundExpression, Filter.Comparison, array: BoundExpression, isAny: Bool)
    case containment(Filter.Containment, BoundExpression, BoundExpression)
    /// `NULL` if an argument is.
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
  var constant: DatabaseValue? { if case .constant(let value) = node { value } else { nil } }
}

/// A query whose names have been looked up.
struct BoundQuery: Sendable {
  struct Source: Sendable {
    let table: Int
    /// What the columns of a row of it must equal, for finding it through an index.
    let keys: [(place: Int, value: BoundExpression)]
  }

  let value: BoundExpression?
  let sources: [Source]
  let condition: BoundExpression?
}
