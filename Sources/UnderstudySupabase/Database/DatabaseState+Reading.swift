import UnderstudyHTTP

extension DatabaseState {
  /// The places of the rows that a role sees and a filter means, in the order in which they came.
  ///
  /// - Throws: As ``checkAccess(to:for:_:)``, and what a policy cannot be evaluated for.
  func slots(
    of table: Int, where filter: RowFilter, for kinds: Set<StatementKind>, _ context: StatementContext
  ) throws(PostgRESTError) -> [Int] {
    try checkAccess(to: table, for: kinds, context)
    var slots: [Int] = []
    for slot in tables[table].candidates(requiring: filter.requiredValues) {
      guard let row = row(slot, of: table), try filter.holds(for: row.values) == true else { continue }
      if try isVisible(row, of: table, to: kinds, context) { slots.append(slot) }
    }
    return slots
  }

  /// The rows of a query, and how many there are before the limit.
  func select(_ query: Query, from table: Int, _ context: StatementContext) throws(PostgRESTError)
    -> Selection
  {
    let layout = tables[table].table.layout
    let filter = try RowFilter(query.filter, for: layout)
    var keys: [(place: Int, ordering: Ordering)] = []
    for ordering in query.orderings { keys.append((try layout.column(ordering.column).0, ordering)) }
    let found = try slots(of: table, where: filter, for: [.select], context)
    var rows = found.compactMap { row($0, of: table) }
    if !keys.isEmpty {
      rows = rows.enumerated().sorted { one, other in
        for (place, ordering) in keys {
          let order = ordering.order(one.element.values[place], other.element.values[place])
          if order != .same { return order == .before }
        }
        return one.offset < other.offset
      }.map(\.element)
    }
    let kept = rows.dropFirst(max(0, query.offset)).prefix(max(0, query.limit ?? .max))
    return Selection(rows: Array(kept), total: rows.count)
  }
}

/// What a select asks for.
struct Query {
  var filter = Filter.all
  var orderings: [Ordering] = []
  var limit: Int?
  var offset = 0
}

/// The rows of a select, and how many there were before its limit and offset.
struct Selection {
  let rows: [DatabaseRow]
  let total: Int
}

extension Ordering {
  fileprivate func order(_ one: DatabaseValue, _ other: DatabaseValue) -> DatabaseValue.Order {
    switch (one.isNull, other.isNull) {
    case (true, true): .same
    case (true, false): placesNullsFirst ? .before : .after
    case (false, true): placesNullsFirst ? .after : .before
    case (false, false):
      (isAscending ? one.order(comparedTo: other) : one.order(comparedTo: other)?.reversed) ?? .same
    }
  }
}
