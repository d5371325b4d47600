import UnderstudyPostgreSQL

/// What a request reads: a relation, its columns and conditions, and the relations embedded in its rows (`Plan.hs`).
struct ReadPlan: Sendable {
  /// The name in the request.
  var name: String
  var alias: String?
  var relation: QualifiedName
  /// The name of the relation in the query, if it is not its own.
  var relationAlias: String?
  /// The table or view that describes the columns, also of rows that a statement changed or returned.
  var described: QualifiedName
  var columns: [Selection.Column] = []
  var conditions: [Condition] = []
  var order: [OrderTerm] = []
  var rows = RequestedRows()
  var children: [ReadPlan] = []

  // Of an embedded relation:
  var relationship: Relationship?
  var hint: String?
  var isInner = false
  var isSpread = false
  /// The name of the embedded rows in the query around.
  var rowsAlias = ""

  /// The name by which the request and the result know it.
  var shownName: String { alias ?? name }

  /// The name that qualifies its columns.
  var qualifier: String { relationAlias ?? relation.name }
}

extension ReadPlan {
  /// The name of the rows that a statement changed or a function returned (`SqlFragment.hs`, `sourceCTEName`).
  static let source = "pgrst_source"

  /// What the rows come from.
  enum Origin {
    case table
    /// A common table expression with the rows of a change or a call.
    case source
  }

  /// Plans a request.
  ///
  /// - Parameters:
  ///   - origin: Where the rows come from. Conditions on the rows of a change belong to the change.
  ///   - filtersRoot: Whether the conditions of the request apply to the rows.
  ///   - maximumRows: `db-max-rows`; nil for no limit.
  ///   - rows: The rows that the request asks for; nil if limits are not read.
  ///   - allowsAggregates: `db-aggregates-enabled`.
  /// - Throws: PGRST108, PGRST118, PGRST123, PGRST200, PGRST201.
  init(
    _ query: RequestQuery, of relation: QualifiedName, origin: Origin, filtersRoot: Bool, maximumRows: Int?,
    rows: RequestedRows?, allowsAggregates: Bool, _ relationships: @autoclosure () -> Relationships
  ) throws(PostgRESTError) {
    self.init(name: relation.name, relation: relation, described: relation)
    add(query.selections)
    try apply(query, filtersRoot: filtersRoot, appliesRows: rows != nil)
    if let rows { self.rows = rows }
    if case .source = origin {
      self.relation = QualifiedName(Self.source)
      relationAlias = relation.name
    }
    if !children.isEmpty {
      let relationships = relationships()
      try resolve(relationships, parent: nil, depth: 0)
    }
    try resolveEmbeddings()
    try checkAggregates(areAllowed: allowsAggregates)
    if let maximumRows { restrict(to: maximumRows) }
  }

  private mutating func add(_ selections: [Selection]) {
    for selection in selections {
      switch selection {
      case .column(let column): columns.append(column)
      case .embedding(let embedding):
        var child = ReadPlan(
          name: embedding.relation, alias: embedding.alias,
          relation: QualifiedName(schema: relation.schema, embedding.relation),
          described: QualifiedName(schema: relation.schema, embedding.relation))
        child.hint = embedding.hint
        child.isInner = embedding.isInner
        child.isSpread = embedding.isSpread
        child.add(embedding.selections)
        children.append(child)
      }
    }
  }

  // MARK: Conditions, order and limits

  private mutating func apply(
    _ query: RequestQuery, filtersRoot: Bool, appliesRows: Bool
  ) throws(PostgRESTError) {
    for filter in query.filters.reversed() where filtersRoot || !filter.path.isEmpty {
      try update(at: filter.path[...]) { $0.conditions.insert(filter.value, at: 0) }
    }
    for order in query.orders.reversed() { try update(at: order.path[...]) { $0.order = order.value } }
    if appliesRows {
      for rows in query.limits where !rows.path.isEmpty {
        if let limit = rows.value.limit, limit < 0 {
          throw .rangeNotSatisfiable("Limit should be greater than or equal to zero.")
        }
        try update(at: rows.path[...]) { $0.rows = rows.value }
      }
    }
    for combination in query.combinations.reversed() where filtersRoot || !combination.path.isEmpty {
      try update(at: combination.path[...]) { $0.conditions.insert(combination.value, at: 0) }
    }
  }

  /// Changes the plan at a path.
  ///
  /// An embedded relation that is named so moves to the front (`Plan.hs`, `updateNode`).
  private mutating func update(
    at path: ArraySlice<String>, _ change: (inout ReadPlan) -> Void
  ) throws(PostgRESTError) {
    guard let first = path.first else { return change(&self) }
    guard let index = children.firstIndex(where: { $0.name == first || $0.alias == first }) else {
      throw .notEmbedded(first)
    }
    var child = children.remove(at: index)
    try child.update(at: path.dropFirst(), change)
    children.insert(child, at: 0)
  }

  // MARK: Relationships

  private mutating func resolve(
    _ relationships: Relationships, parent: ReadPlan?, depth: Int
  ) throws(PostgRESTError) {
    if let parent {
      let origin = depth == 1 ? parent.relationAlias ?? parent.relation.name : parent.relation.name
      let found = try relationships.relationship(from: origin, to: name, hint: hint)
      relationship = found
      relation = found.target
      described = found.target
      rowsAlias = "\(found.source.name)_\(shownName)_\(depth)"
      if case .manyToMany = found.cardinality {
        // It is joined with its junction under its own name.
      } else {
        relationAlias = "\(found.target.name)_\(depth)"
      }
    }
    let own = self
    for index in children.indices {
      try children[index].resolve(relationships, parent: own, depth: depth + 1)
    }
  }

  /// Replaces the names of embedded relations in orders and in tests for null by those of their rows.
  private mutating func resolveEmbeddings() throws(PostgRESTError) {
    for index in order.indices {
      guard let related = order[index].relation else { continue }
      guard let child = children.first(where: { $0.shownName == related }) else {
        throw .notEmbedded(related)
      }
      guard child.relationship?.isToOne == true else {
        throw .relatedOrderNotToOne(relationAlias ?? relation.name, related)
      }
      order[index].relation = child.rowsAlias
    }
    conditions = conditions.map(resolvingEmbeddings)
    for index in children.indices { try children[index].resolveEmbeddings() }
  }

  private func resolvingEmbeddings(_ condition: Condition) -> Condition {
    switch condition {
    case .combination(let isNegated, let isAnd, let conditions):
      return .combination(negated: isNegated, isAnd: isAnd, conditions.map(resolvingEmbeddings))
    case .filter(let field, let isNegated, .isState(.null)) where field.path.isEmpty:
      guard let child = children.first(where: { $0.shownName == field.name }) else { return condition }
      return .embedding(child.rowsAlias, isNull: !isNegated)
    case .filter, .embedding: return condition
    }
  }

  /// Whether its rows are groups.
  var isAggregated: Bool { columns.contains { $0.aggregate != nil } }

  private func checkAggregates(areAllowed: Bool) throws(PostgRESTError) {
    if isAggregated {
      guard areAllowed else { throw .aggregatesNotAllowed }
      if isToManySpread { throw .aggregatesOfSpread }
      if isSpread { throw .notSupported("aggregates of a spread relation (...\(name))") }
    }
    for child in children { try child.checkAggregates(areAllowed: areAllowed) }
  }

  private mutating func restrict(to maximum: Int) {
    rows.limit = min(rows.limit ?? maximum, maximum)
    for index in children.indices { children[index].restrict(to: maximum) }
  }

  // MARK: What a change must return

  /// The columns that the rows of a change or a call need so that this plan can read them
  /// (`Plan.hs`, `inferColsEmbedNeeds`).
  func neededColumns(with key: [String]) -> [String] {
    let selected = columns.map(\.field.name)
    if selected.contains("*") { return ["*"] }
    var needed = Set(selected).union(key)
    for child in children {
      guard let columns = child.relationship?.sourceColumns else { return ["*"] }
      needed.formUnion(columns)
    }
    return needed.sorted()
  }
}
