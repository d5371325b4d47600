extension Binder {
  /// The relations of `FROM`, which are added to the scope, and their joins.
  func bindFrom(_ references: [TableReference], _ scope: Scope) throws(PostgreSQLError) -> (
    FromTree, [Int: RelationSource]
  ) {
    var sources: [Int: RelationSource] = [:]
    var trees: [FromTree] = []
    for reference in references {
      let (tree, visible) = try bind(reference, scope, &sources)
      scope.visible += visible
      trees.append(tree)
    }
    let names = scope.relations.compactMap(\.alias)
    if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw PostgreSQLError("42712", "table name \"\(twice)\" specified more than once")
    }
    return (.inner(trees, []), sources)
  }

  private func bind(
    _ reference: TableReference, _ scope: Scope, _ sources: inout [Int: RelationSource]
  ) throws(PostgreSQLError) -> (FromTree, [Scope.Visible]) {
    switch reference {
    case .table(let name, let alias):
      let (relation, source) = try bindTable(name, alias, scope)
      return add(relation, source, scope, &sources)
    case .query(let query, let alias, let isLateral):
      // Only a lateral query sees the relations beside it.
      let parent = isLateral ? scope : inFront(of: scope)
      let plan = try plan(query, parent: parent)
      let columns = try rename(plan.columns, alias)
      let relation = Scope.Relation(alias: alias?.name, columns: columns)
      return add(relation, source(plan, isLateral: isLateral), scope, &sources)
    case .function(let function, _):
      let (relation, source) = try bindFunction(function, scope)
      return add(relation, source, scope, &sources)
    case .join(let join): return try bindJoin(join, scope, &sources)
    }
  }

  /// The scope of a query in `FROM` that must not see its neighbours: empty, but as deep as the query's own.
  private func inFront(of scope: Scope) -> Scope {
    let empty = Scope(parent: scope.parent)
    empty.commonTables = scope.commonTables
    return empty
  }

  /// The rows of a plan whose parent is the frame of the query itself.
  private func source(_ plan: QueryPlan, isLateral: Bool) -> RelationSource {
    .rows(uses: plan.uses.ofQueryAround, node: newNode()) { frame throws(PostgreSQLError) in
      try plan.rows(frame, frame.execution)
    }
  }

  private func add(
    _ relation: Scope.Relation, _ source: RelationSource, _ scope: Scope,
    _ sources: inout [Int: RelationSource]
  ) -> (FromTree, [Scope.Visible]) {
    let index = scope.add(relation)
    sources[index] = source
    let visible = relation.columns.indices.map { column in
      Scope.Visible(
        name: relation.columns[column].name, bound: scope.column(index, column, depth: 0), relations: [index])
    }
    return (.relation(index), visible)
  }

  /// The columns with the names that an alias gives them.
  func rename(
    _ columns: [Scope.RelationColumn], _ alias: TableAlias?
  ) throws(PostgreSQLError) -> [Scope.RelationColumn] {
    guard let alias else { return columns }
    guard alias.columns.count <= columns.count else {
      throw PostgreSQLError(
        "42P10",
        "table \"\(alias.name)\" has \(columns.count) columns available but \(alias.columns.count) columns specified"
      )
    }
    var columns = columns
    for (index, name) in alias.columns.enumerated() { columns[index].name = name }
    return columns
  }

  // MARK: - Tables

  private func bindTable(
    _ name: QualifiedName, _ alias: TableAlias?, _ scope: Scope
  ) throws(PostgreSQLError) -> (Scope.Relation, RelationSource) {
    if name.schema == nil, let common = scope.commonTables.last(where: { $0.name == name.name }) {
      let columns = try rename(common.columns, alias)
      return (
        Scope.Relation(alias: alias?.name ?? name.name, columns: columns), source(common, scope)
      )
    }
    if let system = try SystemTables.source(name, path, catalogue, binder: self) {
      return (Scope.Relation(alias: alias?.name ?? name.name, columns: try rename(system.0, alias)), system.1)
    }
    let table = try table(named: name)
    try checkSchema(table.name)
    try require(.select, on: table)
    let columns = try rename(self.columns(of: table), alias)
    var relation = Scope.Relation(alias: alias?.name ?? name.name, table: table.name, columns: columns)
    relation.hasGrantedColumns = readsOnlySomeColumns(of: table)
    switch table.kind {
    case .table, .materializedView:
      return (relation, .table(table.name, policy: try policy(table, .select)))
    case .view(let query, let invokes): return (relation, try rows(of: table, query, invokes: invokes))
    }
  }

  /// The rows of a view.
  func rows(
    of view: Table, _ query: Query, invokes: Bool
  ) throws(PostgreSQLError) -> RelationSource {
    let plan = try entering(view, invokes: invokes) { () throws(PostgreSQLError) in
      try self.plan(query, parent: Scope(parent: nil))
    }
    return .rows(uses: Bound.Uses(isVolatile: plan.uses.isVolatile), node: newNode()) {
      frame throws(PostgreSQLError) in
      try plan.rows(Frame(relations: 0, parent: nil, execution: frame.execution), frame.execution)
    }
  }

  func columns(of table: Table) -> [Scope.RelationColumn] {
    table.columns.map {
      Scope.RelationColumn(
        names?.written($0.name, of: table.name) ?? $0.name, boundType($0.type), modifier: $0.modifier,
        collation: $0.collation)
    }
  }

  private func source(_ common: CommonTableBinding, _ scope: Scope) -> RelationSource {
    let node = common.node
    guard let plan = common.plan else {
      // The working table of a recursive query, or a transition table: it changes while the statement runs.
      return .rows(uses: Bound.Uses(isVolatile: true), node: node) { frame throws(PostgreSQLError) in
        frame.execution.working[node] ?? []
      }
    }
    // The query is in the scope above the one in which its name is known.
    let distance = scope.level - common.level
    let uses = plan.isModifying ? Bound.Uses() : plan.uses.ofQueryAround.seen(fromInside: distance)
    return .rows(uses: uses, node: node) { frame throws(PostgreSQLError) in
      try plan.rows(frame.outer(distance), frame.execution)
    }
  }

  /// Refuses a table in a schema that the role must not use.
  func checkSchema(_ name: QualifiedName) throws(PostgreSQLError) {
    guard !actsAsOwner, let schema = name.schema, let users = catalogue.schemas[schema],
      !users.contains(role), !users.contains("public")
    else { return }
    throw PostgreSQLError("42501", "permission denied for schema \(schema)")
  }

  /// Refuses what the role has no privilege for.
  ///
  /// Views and functions of the owner are not restricted.
  func require(_ kind: Privilege.Kind, on table: Table, columns: [String]? = nil) throws(PostgreSQLError) {
    guard !actsAsOwner else { return }
    tested.append(table.name)
    let granted = table.privileges.filter { ($0.role == role || $0.role == "public") && $0.kind == kind }
    if granted.contains(where: { $0.columns == nil }) { return }
    let some = granted.reduce(into: Set<String>()) { $0.formUnion($1.columns ?? []) }
    if let columns {
      if columns.allSatisfy(some.contains), !columns.isEmpty { return }
    } else if !some.isEmpty {
      return
    }
    let denial = PostgreSQLError(
      "42501", "permission denied for \(table.isView ? "view" : "table") \(table.name.name)")
    guard defersDenials else { throw denial }
    denials[table.name] = denial
  }

  /// Whether the role lacks the privilege to read all columns of a table.
  func readsOnlySomeColumns(of table: Table) -> Bool {
    !actsAsOwner
      && !table.privileges.contains {
        $0.kind == .select && $0.columns == nil && ($0.role == role || $0.role == "public")
      }
  }

  /// A plan of a whole statement.
  ///
  /// PostgreSQL tests privileges when it starts to run it, of one table after the other (execMain.c,
  /// ExecCheckRTPerms), so that an error of its analysis comes first.
  func wholePlan(_ statement: DataStatement, parent: Scope) throws(PostgreSQLError) -> QueryPlan {
    defersDenials = true
    let plan = try self.plan(statement, parent: parent)
    if let first = tested.first(where: { denials[$0] != nil }), let denial = denials[first] { throw denial }
    return plan
  }

  // MARK: - Functions

  private func bindFunction(
    _ function: TableFunction, _ scope: Scope
  ) throws(PostgreSQLError) -> (Scope.Relation, RelationSource) {
    var columns: [Scope.RelationColumn] = []
    var parts: [(width: Int, rows: Bound.RowMaker)] = []
    var uses = Bound.Uses()
    // `unnest(a, b)` is `ROWS FROM (unnest(a), unnest(b))` (9.19).
    let calls = function.calls.flatMap { call in
      guard call.name.name == "unnest", call.arguments.count > 1 else { return [call] }
      return call.arguments.map { Call(call.name, [$0]) }
    }
    for call in calls {
      let clause = scope.clause
      scope.clause = "FROM"
      defer { scope.clause = clause }
      let rows = try tableCall(call, function, scope)
      columns += rows.columns
      uses = uses.union(rows.uses)
      parts.append((rows.columns.count, Bound.RowMaker(rows.rows)))
    }
    if function.hasOrdinality { columns.append(Scope.RelationColumn("ordinality", BoundType(.bigint))) }
    let isScalar = calls.count == 1 && columns.count == 1
    let name = function.alias?.name ?? function.calls[0].name.name
    if isScalar, function.definitions.isEmpty {
      // The name of its only OUT parameter; otherwise that of the alias or the function (parse_relation.c,
      // chooseScalarFunctionAlias).
      if columns[0].name == function.calls[0].name.name { columns[0].name = name }
    }
    var relation = Scope.Relation(alias: name, columns: try rename(columns, function.alias))
    relation.isScalarFunction = isScalar
    let hasOrdinality = function.hasOrdinality
    let source = RelationSource.rows(uses: uses, node: newNode()) { [parts] frame throws(PostgreSQLError) in
      var sets: [[Row]] = []
      for part in parts { sets.append(try part.rows(frame)) }
      if sets.count == 1, !hasOrdinality { return sets[0] }
      // Functions side by side: the shorter ones are filled up with nulls.
      let count = sets.map(\.count).max() ?? 0
      return (0..<count).map { index in
        var row: Row = []
        for (set, part) in zip(sets, parts) {
          row += index < set.count ? set[index] : Array(repeating: .null, count: part.width)
        }
        if hasOrdinality { row.append(.integer(Int64(index + 1))) }
        return row
      }
    }
    return (relation, source)
  }

  /// A call of a function whose rows are wanted, in `FROM`.
  func tableCall(
    _ call: Call, _ function: TableFunction?, _ scope: Scope
  ) throws(PostgreSQLError) -> (
    columns: [Scope.RelationColumn], uses: Bound.Uses,
    rows: @Sendable (Frame) throws(PostgreSQLError) -> [Row]
  ) {
    let special =
      call.name.schema == nil && ["coalesce", "nullif", "greatest", "least"].contains(call.name.name)
    if special || isAggregate(call) {
      let bound = try bindCall(call, scope)
      let evaluate = bound.evaluate
      return (
        [Scope.RelationColumn(call.name.name, bound.type)], bound.uses,
        { frame throws(PostgreSQLError) in [[try evaluate(frame)]] }
      )
    }
    let definitions = try (function?.definitions ?? []).map { (column) throws(PostgreSQLError) in
      Scope.RelationColumn(column.name, boundType(try catalogue.type(column.type, path).0))
    }
    return try tableCall(call, choose(call, arguments(call, scope), scope), definitions)
  }

  /// The rows of a call whose function is chosen.
  ///
  /// - Parameter definitions: The columns that the statement gives to a function of records.
  func tableCall(
    _ call: Call, _ chosen: ChosenCall, _ definitions: [Scope.RelationColumn]
  ) throws(PostgreSQLError) -> (
    columns: [Scope.RelationColumn], uses: Bound.Uses,
    rows: @Sendable (Frame) throws(PostgreSQLError) -> [Row]
  ) {
    let converted = try convert(chosen.arguments, chosen.candidate)
    let evaluates = converted.map(\.evaluate)
    @Sendable func values(_ frame: Frame) throws(PostgreSQLError) -> [Value] {
      try evaluates.map { (evaluate) throws(PostgreSQLError) in try evaluate(frame) }
    }
    var uses = converted.reduce(Bound.Uses()) { $0.union($1.uses) }
    switch chosen.callee {
    case .builtIn(let function):
      uses.isVolatile = uses.isVolatile || function.volatility == .volatile
      let make: Function.Rows
      let types = converted.map(\.type)
      switch function.body {
      case .rows(let rows): make = rows
      case .typedRows(let typed): make = try typed(types)
      case .definedRows(let defined):
        guard !definitions.isEmpty else {
          throw PostgreSQLError(
            "42601", "a column definition list is required for functions returning \"record\"")
        }
        make = try defined(types, definitions.map { Function.Column($0.name, $0.type.type) })
      default:
        let bound = try apply(chosen, name: call.name.name)
        let evaluate = bound.evaluate
        // A function that returns one row gives its columns.
        if !bound.type.fields.isEmpty {
          return (
            bound.type.fields.map { Scope.RelationColumn($0.name, $0.type) }, bound.uses,
            { frame throws(PostgreSQLError) in
              guard case .record(let row) = try evaluate(frame) else { return [] }
              return [row]
            }
          )
        }
        return (
          [Scope.RelationColumn(call.name.name, bound.type, modifier: bound.modifier)], bound.uses,
          { frame throws(PostgreSQLError) in [[try evaluate(frame)]] }
        )
      }
      let isStrict = function.isStrict
      let rows: @Sendable (Frame) throws(PostgreSQLError) -> [Row] = { frame throws(PostgreSQLError) in
        let arguments = try values(frame)
        if isStrict, arguments.contains(where: \.isNull) { return [] }
        return try make(arguments, frame.execution.session)
      }
      if !definitions.isEmpty { return (definitions, uses, rows) }
      return (columns(function, chosen, converted), uses, rows)
    case .routine(let routine):
      uses.isVolatile = uses.isVolatile || routine.definition.volatility == .volatile
      let isStrict = routine.definition.isStrict
      var columns = definitions.isEmpty ? self.columns(routine, chosen.result) : definitions
      let isRecord = !columns.isEmpty
      if columns.isEmpty {
        let name = routine.columns.first?.name ?? routine.name.name
        columns = [Scope.RelationColumn(name, boundType(chosen.result))]
      }
      let width = columns.count
      return (
        columns, uses,
        { frame throws(PostgreSQLError) in
          let arguments = try values(frame)
          // A function that returns no set has one row always, of nulls if it returns nothing.
          let isSkipped = isStrict && arguments.contains(where: \.isNull)
          var results = isSkipped ? [] : try frame.execution.session.rows(of: routine, arguments)
          if results.isEmpty, !routine.returnsSet { results = [.null] }
          return results.map { result in
            guard isRecord else { return [result] }
            if case .record(let fields) = result { return fields }
            return Array(repeating: .null, count: width)
          }
        }
      )
    }
  }

  /// The columns of a built-in function's rows.
  private func columns(
    _ function: Function, _ chosen: ChosenCall, _ arguments: [Bound]
  ) -> [Scope.RelationColumn] {
    let types = arguments.map { catalogue.base(of: $0.type.type) }
    if function.columns.isEmpty {
      // `unnest` of rows, `jsonb_populate_record` of a table's type: the columns of the row.
      if case .composite = chosen.result {
        return boundType(chosen.result).fields.map { Scope.RelationColumn($0.name, $0.type) }
      }
      return [Scope.RelationColumn(function.name, boundType(chosen.result))]
    }
    return function.columns.map {
      Scope.RelationColumn($0.name, boundType(resultType($0.type, chosen.candidate, types)))
    }
  }

  /// The columns of a declared function's rows, or none if it returns single values.
  private func columns(_ routine: Routine, _ result: DataType) -> [Scope.RelationColumn] {
    if !routine.columns.isEmpty {
      if routine.columns.count == 1, routine.result != .record { return [] }
      return routine.columns.map { Scope.RelationColumn($0.name, boundType($0.type)) }
    }
    guard case .composite(let name) = result, let columns = catalogue.columns(of: name) else { return [] }
    return columns.map { Scope.RelationColumn($0.name, boundType($0.type), modifier: $0.modifier) }
  }

  // MARK: - Joins

  private func bindJoin(
    _ join: Join, _ scope: Scope, _ sources: inout [Int: RelationSource]
  ) throws(PostgreSQLError) -> (FromTree, [Scope.Visible]) {
    let outerVisible = scope.visible
    let (left, leftVisible) = try bind(join.left, scope, &sources)
    // The right side sees the left one if it is lateral.
    scope.visible = outerVisible + leftVisible
    let (right, rightVisible) = try bind(join.right, scope, &sources)
    scope.visible = outerVisible
    var conditions: [Bound] = []
    var visible = leftVisible + rightVisible
    var shared: [String] = []
    switch join.condition {
    case nil: break
    case .on(let expression):
      scope.visible = outerVisible + visible
      conditions = try conjuncts(expression, scope, "JOIN/ON")
      scope.visible = outerVisible
    case .using(let names): shared = names
    case .natural:
      shared = leftVisible.map(\.name).filter { name in rightVisible.contains { $0.name == name } }
    }
    if !shared.isEmpty {
      var merged: [Scope.Visible] = []
      for name in shared {
        guard let first = leftVisible.first(where: { $0.name == name }) else {
          throw PostgreSQLError(
            "42703", "column \"\(name)\" specified in USING clause does not exist in left table")
        }
        guard let second = rightVisible.first(where: { $0.name == name }) else {
          throw PostgreSQLError(
            "42703", "column \"\(name)\" specified in USING clause does not exist in right table")
        }
        conditions.append(try bindOperator("=", [first.bound, second.bound]))
        merged.append(try merge(first, second, join.kind))
      }
      visible =
        merged + leftVisible.filter { !shared.contains($0.name) }
        + rightVisible.filter { !shared.contains($0.name) }
    }
    switch join.kind {
    case .cross, .inner: return (.inner([left, right], conditions), visible)
    case .left: return (.outer(left, right, conditions, isFull: false), visible)
    case .right: return (.outer(right, left, conditions, isFull: false), visible)
    case .full: return (.outer(left, right, conditions, isFull: true), visible)
    }
  }

  private func merge(
    _ left: Scope.Visible, _ right: Scope.Visible, _ kind: Join.Kind
  ) throws(PostgreSQLError) -> Scope.Visible {
    switch kind {
    case .cross, .inner, .left: return left
    case .right: return right
    case .full:
      let (type, bounds) = try unify([left.bound, right.bound], for: "JOIN/USING")
      let (first, second) = (bounds[0].evaluate, bounds[1].evaluate)
      let bound = Bound(BoundType(type), uses: bounds[0].uses.union(bounds[1].uses)) {
        frame throws(PostgreSQLError) in
        let value = try first(frame)
        return value.isNull ? try second(frame) : value
      }
      return Scope.Visible(name: left.name, bound: bound, relations: left.relations.union(right.relations))
    }
  }

  /// The conditions that must all be true.
  func conjuncts(_ expression: SQLExpression, _ scope: Scope, _ clause: String) throws(PostgreSQLError)
    -> [Bound]
  {
    if case .and(let operands) = expression {
      var all: [Bound] = []
      for operand in operands { all += try conjuncts(operand, scope, clause) }
      return all
    }
    return [try condition(expression, scope, clause)]
  }
}
