extension Binder {
  /// An item of the select list.
  private struct Output {
    var name: String
    var bound: Bound
    /// The item as written, for `ORDER BY` and `GROUP BY`.
    var expression: SQLExpression?
    /// Whether it is a literal without a type.
    var isOpen = false
  }

  func plan(_ select: Select, _ query: Query, _ parent: Scope) throws(PostgreSQLError) -> QueryPlan {
    let scope = Scope(parent: parent)
    let (tree, sources) = try bindFrom(select.from, scope)
    let filter =
      try select.filter.map { (filter) throws(PostgreSQLError) in try conjuncts(filter, scope, "WHERE") }
      ?? []
    let planner = JoinPlanner(binder: self, scope: scope, sources: sources)
    let source = planner.plan(tree, where: filter)

    let order = query.order
    let grouped = SetBindings()
    scope.sets = grouped
    let sets = try group(select, order, scope)
    let shown = SetBindings()
    scope.sets = shown
    if !select.windows.isEmpty || select.items.contains(where: { $0.expression.contains(Self.isWindowCall) })
      || order.contains(where: { $0.expression.contains(Self.isWindowCall) })
    {
      let windows = WindowBindings()
      for named in select.windows { windows.named[named.name] = named.window }
      scope.windows = windows
    }

    let outputs = try outputs(select.items, scope)
    let having = try select.having.map { (having) throws(PostgreSQLError) in
      try refusingSets(in: "HAVING", scope) { () throws(PostgreSQLError) in
        try condition(having, scope, "HAVING")
      }
    }
    let sortKeys = try order.map { (key) throws(PostgreSQLError) in
      let bound = try orderKey(key.expression, outputs, scope)
      return BoundSortKey(bound, isDescending: key.isDescending, nullsFirst: key.nullsFirst)
    }
    var distinctKeys: [Bound]?
    switch select.distinct {
    case nil: break
    case .all:
      distinctKeys = outputs.map(\.bound)
      // PostgreSQL sorts by what it shows.
      for (key, written) in zip(sortKeys, order) where !isShown(key, written.expression, outputs) {
        throw PostgreSQLError("42P10", "for SELECT DISTINCT, ORDER BY expressions must appear in select list")
      }
    case .on(let expressions):
      distinctKeys = try expressions.map { (expression) throws(PostgreSQLError) in
        try orderKey(expression, outputs, scope, "DISTINCT ON")
      }
      if !order.isEmpty {
        let shown = expressions.map { written($0, outputs) }
        let columns = distinctKeys?.compactMap(\.column) ?? []
        guard
          zip(order, sortKeys).prefix(expressions.count).allSatisfy({ key, sortKey in
            shown.contains(written(key.expression, outputs))
              || sortKey.bound.column.map(columns.contains) == true
          })
        else {
          throw PostgreSQLError(
            "42P10", "SELECT DISTINCT ON expressions must match initial ORDER BY expressions")
        }
      }
    }

    let bounds = outputs.map(\.bound)
    let used =
      bounds + sortKeys.map(\.bound) + filter + [having].compactMap { $0 } + (distinctKeys ?? [])
      + (scope.aggregation?.boundKeys ?? [])
      + (scope.aggregation?.aggregates.flatMap {
        $0.arguments + $0.order.map(\.bound) + [$0.filter].compactMap { $0 }
      } ?? [])
    var uses = used.reduce(Bound.Uses()) { $0.union($1.uses) }
    uses = sources.values.reduce(uses) { uses, source in
      if case .rows(let more, _, _) = source { uses.union(more) } else { uses }
    }
    uses.isAggregated = false
    uses.returnsSet = false
    let grouping = scope.aggregation.map { aggregation in
      GroupingPlan(
        keys: aggregation.boundKeys, expansion: grouped.expansion, aggregates: aggregation.aggregates,
        sets: sets, having: having,
        widths: scope.relations.map(\.columns.count), collation: context.collation)
    }
    let windows = scope.windows.map { WindowPlan(calls: $0.calls, collation: context.collation) }
    let plan = SelectPlan(
      relations: scope.relations.count, source: source, grouping: grouping, windows: windows,
      values: bounds.map(\.evaluate), expansion: shown.expansion,
      sorter: sortKeys.isEmpty ? nil : RowSorter(sortKeys, context.collation),
      distinct: distinctKeys.map { keys in keys.map { ($0.evaluate, Comparator($0.type.type)) } })
    let columns = outputs.map {
      Scope.RelationColumn(
        $0.name, $0.bound.type, modifier: $0.bound.modifier, collation: $0.bound.collation)
    }
    var whole = QueryPlan(columns: columns, uses: uses) { parent, execution, emit throws(PostgreSQLError) in
      try plan.run(parent, execution, emit)
    }
    whole.openColumns = Set(outputs.indices.filter { outputs[$0].isOpen })
    let open = whole.openColumns
    var limited = try limit(whole, query, parent)
    limited.openColumns = open
    return limited
  }

  private static func isWindowCall(_ expression: SQLExpression) -> Bool {
    if case .call(let call) = expression { call.over != nil } else { false }
  }

  private func isShown(_ key: BoundSortKey, _ expression: SQLExpression, _ outputs: [Output]) -> Bool {
    if case .number = expression { return true }
    return outputs.contains { output in
      if output.expression == expression { return true }
      if case .name(let names) = expression {
        if names.count == 1, output.name == names[0] { return true }
        return output.bound.column != nil && output.bound.column == key.bound.column
      }
      return false
    }
  }

  /// The expression that a number or a name of the select list refers to.
  private func written(_ expression: SQLExpression, _ outputs: [Output]) -> SQLExpression {
    switch expression {
    case .number(let text):
      let index = (Int(text) ?? 0) - 1
      return outputs.indices.contains(index) ? outputs[index].expression ?? expression : expression
    case .name(let names) where names.count == 1:
      return outputs.first { $0.name == names[0] }?.expression ?? expression
    default: return expression
    }
  }

  // MARK: - The select list

  private func outputs(
    _ items: [Select.Item], _ scope: Scope, _ clause: String = "SELECT"
  ) throws(PostgreSQLError) -> [Output] {
    scope.clause = clause
    defer { scope.clause = "" }
    var outputs: [Output] = []
    for item in items {
      switch item.expression {
      case .wildcard(let names):
        outputs += try expand(names, scope).map { Output(name: $0.name, bound: $0.bound) }
      case .field(let record, "*"):
        let bound = try bind(record, scope)
        var whole = bound
        if whole.type.fields.isEmpty { whole.type = boundType(catalogue.base(of: bound.type.type)) }
        outputs += whole.type.fields.compactMap { described in
          field(of: whole, named: described.name).map { Output(name: described.name, bound: $0) }
        }
      default:
        let bound = try bind(item.expression, scope)
        let settled = try settle(bound)
        outputs.append(
          Output(
            name: item.name ?? Self.name(of: item.expression), bound: settled, expression: item.expression,
            isOpen: bound.isUnknown))
      }
    }
    return outputs
  }

  /// What `RETURNING` shows.
  func returning(_ items: [Select.Item], _ scope: Scope) throws(PostgreSQLError) -> (
    columns: [Scope.RelationColumn], values: [Bound]
  ) {
    let outputs = try outputs(items, scope, "RETURNING")
    return (
      outputs.map { Scope.RelationColumn($0.name, $0.bound.type, modifier: $0.bound.modifier) },
      outputs.map(\.bound)
    )
  }

  /// The name of a column without an alias (parse_target.c, FigureColname).
  static func name(of expression: SQLExpression) -> String {
    switch expression {
    case .name(let names): names.last ?? "?column?"
    case .field(_, let name): name
    case .call(let call): call.name.name
    case .cast(let operand, let type):
      name(of: operand) == "?column?" ? type.name.name : name(of: operand)
    case .conditional(let conditional):
      conditional.otherwise.map { name(of: $0) == "?column?" ? "case" : name(of: $0) } ?? "case"
    case .exists: "exists"
    case .array, .arrayQuery: "array"
    case .row: "row"
    case .collate(let operand, _): name(of: operand)
    case .element(let operand, _): name(of: operand)
    case .boolean: "bool"
    case .subquery(let query):
      if case .select(let select) = query.body, let item = select.items.first {
        item.name ?? name(of: item.expression)
      } else {
        "?column?"
      }
    default: "?column?"
    }
  }

  // MARK: - GROUP BY

  /// Binds the grouping, and returns the grouping sets as indices of keys.
  private func group(_ select: Select, _ order: [SortKey], _ scope: Scope) throws(PostgreSQLError) -> [[Int]]
  {
    let isAggregated: (SQLExpression) -> Bool = { [self] expression in
      expression.contains { if case .call(let call) = $0 { isAggregate(call) } else { false } }
    }
    guard
      !select.grouping.isEmpty || select.having != nil
        || select.items.contains(where: { isAggregated($0.expression) })
        || order.contains(where: { isAggregated($0.expression) })
    else { return [] }
    scope.clause = "GROUP BY"
    var keys: [SQLExpression] = []
    var bounds: [Bound] = []
    func key(_ written: SQLExpression) throws(PostgreSQLError) -> Int {
      var expression = written
      if let index = try position(written, select.items.count, "GROUP BY") {
        expression = select.items[index].expression
      } else if case .name(let names) = written, names.count == 1,
        !scope.visible.contains(where: { $0.name == names[0] }),
        let item = select.items.first(where: { $0.name == names[0] })
      {
        // A column of the input comes before one of the select list.
        expression = item.expression
      }
      if let known = keys.firstIndex(of: expression) { return known }
      let bound = try settle(bind(expression, scope))
      if let column = bound.column, let known = bounds.firstIndex(where: { $0.column == column }) {
        return known
      }
      keys.append(expression)
      bounds.append(bound)
      return keys.count - 1
    }
    func sets(_ grouping: Select.Grouping) throws(PostgreSQLError) -> [[Int]] {
      switch grouping {
      case .expression(let expression): return [[try key(expression)]]
      case .set(let expressions):
        return [try expressions.map { (expression) throws(PostgreSQLError) in try key(expression) }]
      case .rollup(let groups):
        let indices = try groups.map { (group) throws(PostgreSQLError) in
          try group.map { (expression) throws(PostgreSQLError) in try key(expression) }
        }
        return (0...indices.count).reversed().map { Array(indices.prefix($0).joined()) }
      case .cube(let groups):
        let indices = try groups.map { (group) throws(PostgreSQLError) in
          try group.map { (expression) throws(PostgreSQLError) in try key(expression) }
        }
        guard indices.count <= 12 else { throw PostgreSQLError("54011", "CUBE is limited to 12 elements") }
        return (0..<(1 << indices.count)).reversed().map { mask in
          indices.indices.filter { mask & (1 << (indices.count - 1 - $0)) != 0 }.flatMap { indices[$0] }
        }
      case .sets(let groupings):
        var all: [[Int]] = []
        for grouping in groupings { all += try sets(grouping) }
        return all
      }
    }
    // Several groupings are combined each with each (7.2.4).
    var combined: [[Int]] = [[]]
    for grouping in select.grouping {
      let own = try sets(grouping)
      combined = combined.flatMap { left in own.map { left + $0 } }
    }
    let whole = scope.relations.indices.filter { relation in
      guard let name = scope.relations[relation].table, let table = catalogue.tables[name],
        let columns = table.primaryKey?.columns(of: table)
      else { return false }
      return columns.allSatisfy { column in
        bounds.contains {
          $0.column?.depth == 0 && $0.column?.relation == relation && $0.column?.column == column
        }
      }
    }
    scope.aggregation = Aggregation(
      keys: keys, boundKeys: bounds, wholeRelations: combined.count == 1 ? Set(whole) : [])
    scope.clause = ""
    return combined
  }

  // MARK: - ORDER BY

  /// A key of `ORDER BY` or `DISTINCT ON`: a column of the result by its name or number, or an expression.
  private func orderKey(
    _ expression: SQLExpression, _ outputs: [Output], _ scope: Scope, _ clause: String = "ORDER BY"
  ) throws(PostgreSQLError) -> Bound {
    if let index = try position(expression, outputs.count, clause) {
      return outputs[index].bound
    }
    if case .name(let names) = expression, names.count == 1 {
      let named = outputs.filter { $0.name == names[0] }
      if let output = named.first {
        let isSame = named.allSatisfy {
          $0.expression == output.expression && $0.bound.column == output.bound.column
        }
        guard named.count == 1 || isSame else {
          throw PostgreSQLError("42702", "\(clause) \"\(names[0])\" is ambiguous")
        }
        return output.bound
      }
    }
    // A set that is shown is not computed again.
    if let shown = outputs.first(where: { $0.expression == expression && $0.bound.uses.returnsSet }) {
      return shown.bound
    }
    scope.clause = clause
    defer { scope.clause = "" }
    return try settle(bind(expression, scope))
  }
}
