extension Binder {
  /// A query in a scope.
  ///
  /// The plan runs with the frame of that scope.
  func plan(_ query: Query, parent: Scope) throws(PostgreSQLError) -> QueryPlan {
    let around = parent.commonTables
    defer { parent.commonTables = around }
    let modifying = try bind(query.with, parent)
    var plan: QueryPlan
    switch query.body {
    case .select(let select): plan = try self.plan(select, query, parent)
    case .values(let rows): plan = try limit(sort(values(rows, parent), query, parent), query, parent)
    case .setOperation(let operation, let isAll, let left, let right):
      plan = try limit(sort(combine(operation, isAll, left, right, parent), query, parent), query, parent)
    }
    return first(modifying, then: plan)
  }

  /// A statement that reads or changes rows.
  func plan(_ statement: DataStatement, parent: Scope) throws(PostgreSQLError) -> QueryPlan {
    if case .query(let query) = statement { return try plan(query, parent: parent) }
    let around = parent.commonTables
    defer { parent.commonTables = around }
    switch statement {
    case .query(let query): return try plan(query, parent: parent)
    case .insert(let insert):
      return first(try bind(insert.with, parent), then: try plan(insert, parent: parent))
    case .update(let update):
      return first(try bind(update.with, parent), then: try plan(update, parent: parent))
    case .delete(let delete):
      return first(try bind(delete.with, parent), then: try plan(delete, parent: parent))
    }
  }

  // MARK: - WITH

  /// Puts the common tables in sight, and returns those that change rows: they run in any case, and once.
  private func bind(_ with: WithClause?, _ parent: Scope) throws(PostgreSQLError) -> [(Int, QueryPlan)] {
    var modifying: [(Int, QueryPlan)] = []
    for common in with?.tables ?? [] {
      let node = newNode()
      let plan: QueryPlan
      if with?.isRecursive == true, case .query(let query) = common.statement,
        case .setOperation(.union, let isAll, let left, let right) = query.body,
        refers(right, to: common.name)
      {
        plan = try recursive(common, query, isAll, left, right, parent)
      } else {
        plan = try self.plan(common.statement, parent: parent)
      }
      let columns = try rename(plan.columns, TableAlias(common.name, columns: common.columns))
      if plan.isModifying { modifying.append((node, plan)) }
      parent.commonTables.append(
        CommonTableBinding(name: common.name, columns: columns, node: node, plan: plan, level: parent.level))
    }
    return modifying
  }

  private func first(_ modifying: [(Int, QueryPlan)], then plan: QueryPlan) -> QueryPlan {
    guard !modifying.isEmpty else { return plan }
    var whole = plan
    whole.isModifying = true
    whole.run = { parent, execution, emit throws(PostgreSQLError) in
      for (node, change) in modifying where execution.results[node] == nil {
        execution.results[node] = try change.rows(parent, execution)
      }
      execution.affected = 0
      try plan.run(parent, execution, emit)
    }
    return whole
  }

  private func refers(_ query: Query, to name: String) -> Bool {
    func table(_ reference: TableReference) -> Bool {
      switch reference {
      case .table(let table, _): table.schema == nil && table.name == name
      case .query(let query, _, _): refers(query, to: name)
      case .function: false
      case .join(let join): table(join.left) || table(join.right)
      }
    }
    switch query.body {
    case .select(let select): return select.from.contains(where: table)
    case .values: return false
    case .setOperation(_, _, let left, let right): return refers(left, to: name) || refers(right, to: name)
    }
  }

  /// `WITH RECURSIVE` (PostgreSQL documentation, 7.8.2).
  private func recursive(
    _ common: CommonTable, _ query: Query, _ isAll: Bool, _ left: Query, _ right: Query, _ parent: Scope
  ) throws(PostgreSQLError) -> QueryPlan {
    let start = try plan(left, parent: parent)
    let columns = try rename(start.columns, TableAlias(common.name, columns: common.columns))
    let node = newNode()
    parent.commonTables.append(
      CommonTableBinding(name: common.name, columns: columns, node: node, plan: nil, level: parent.level))
    let step = try plan(right, parent: parent)
    parent.commonTables.removeLast()
    guard step.columns.count == columns.count else {
      throw PostgreSQLError("42601", "each UNION query must have the same number of columns")
    }
    for (index, pair) in zip(columns, step.columns).enumerated() where pair.0.type.type != pair.1.type.type {
      throw PostgreSQLError(
        "42804",
        "recursive query \"\(common.name)\" column \(index + 1) has type \(name(of: pair.0.type.type)) in"
          + " non-recursive term but type \(name(of: pair.1.type.type)) overall",
        hint: "Cast the output of the non-recursive term to the correct type.")
    }
    let comparators = columns.map { Comparator($0.type.type) }
    var uses = start.uses.union(step.uses)
    uses.isVolatile = start.uses.isVolatile
    return QueryPlan(columns: columns, uses: uses) { parent, execution, emit throws(PostgreSQLError) in
      var seen: Set<Row> = []
      func new(_ rows: [Row]) -> [Row] {
        isAll ? rows : rows.filter { seen.insert(Comparator.key($0, comparators)).inserted }
      }
      var working = new(try start.rows(parent, execution))
      let outer = execution.working[node]
      defer { execution.working[node] = outer }
      while !working.isEmpty {
        for row in working { guard try emit(row) else { return } }
        try execution.session.checkCancellation()
        execution.working[node] = working
        // What the step made of the round before must not be remembered.
        let kept = (execution.results, execution.values, execution.tables)
        working = new(try step.rows(parent, execution))
        (execution.results, execution.values, execution.tables) = kept
      }
    }
  }

  // MARK: - VALUES and set operations

  private func values(_ rows: [[SQLExpression]], _ parent: Scope) throws(PostgreSQLError) -> QueryPlan {
    let width = rows.first?.count ?? 0
    guard rows.allSatisfy({ $0.count == width }) else {
      throw PostgreSQLError("42601", "VALUES lists must all be the same length")
    }
    let scope = Scope(parent: parent)
    scope.clause = "VALUES"
    var bound = try rows.map { (row) throws(PostgreSQLError) in
      try row.map { (value) throws(PostgreSQLError) in try bind(value, scope) }
    }
    var columns: [Scope.RelationColumn] = []
    for column in 0..<width {
      let (type, unified) = try unify(bound.map { $0[column] }, for: "VALUES")
      for row in bound.indices { bound[row][column] = unified[row] }
      let derived = try deriving(unified[0], from: unified)
      columns.append(
        Scope.RelationColumn(
          "column\(column + 1)", boundType(type), modifier: unified.first?.modifier,
          collation: derived.derivation == .conflict ? nil : derived.collation))
    }
    let uses = bound.joined().reduce(Bound.Uses()) { $0.union($1.uses) }
    let parts = bound.map { $0.map(\.evaluate) }
    return QueryPlan(columns: columns, uses: uses) { parent, execution, emit throws(PostgreSQLError) in
      let frame = Frame(relations: 0, parent: parent, execution: execution)
      for row in parts {
        let values = try row.map { (part) throws(PostgreSQLError) in try part(frame) }
        guard try emit(values) else { return }
      }
    }
  }

  private func combine(
    _ operation: Query.SetOperation, _ isAll: Bool, _ left: Query, _ right: Query, _ parent: Scope
  ) throws(PostgreSQLError) -> QueryPlan {
    var plans = [try plan(left, parent: parent), try plan(right, parent: parent)]
    guard plans[0].columns.count == plans[1].columns.count else {
      throw PostgreSQLError(
        "42601", "each \(operation.rawValue.uppercased()) query must have the same number of columns")
    }
    var columns = plans[0].columns
    for index in columns.indices {
      let bounds = plans.map { plan in
        plan.openColumns.contains(index)
          ? Bound(BoundType(.unknown)) { frame throws(PostgreSQLError) in frame.rows[0][index] }
          : Bound(plan.columns[index].type, modifier: plan.columns[index].modifier) {
            frame throws(PostgreSQLError) in
            frame.rows[0][index]
          }
      }
      let types = zip(plans, bounds).map { plan, bound in catalogue.base(of: bound.type.type) }
      switch Resolution.commonType(types) {
      case .failure(let mismatch):
        throw PostgreSQLError(
          "42804",
          "\(operation.rawValue.uppercased()) types \(name(of: mismatch.first)) and \(name(of: mismatch.second))"
            + " cannot be matched")
      case .success(let type):
        columns[index].type = boundType(type)
        if plans[0].columns[index].modifier != plans[1].columns[index].modifier {
          columns[index].modifier = nil
        }
        // The only collation that is not the database's.
        let collations = Set(plans.compactMap { $0.columns[index].collation })
        columns[index].collation = collations.count == 1 ? collations.first : nil
        for side in plans.indices where plans[side].columns[index].type.type != type {
          plans[side] = try convert(plans[side], column: index, to: type)
        }
      }
    }
    let comparators = columns.map { Comparator($0.type.type) }
    let (first, second) = (plans[0], plans[1])
    let uses = first.uses.union(second.uses)
    return QueryPlan(columns: columns, uses: uses) { parent, execution, emit throws(PostgreSQLError) in
      switch (operation, isAll) {
      case (.union, true):
        var goesOn = true
        try first.run(parent, execution) { row throws(PostgreSQLError) in
          goesOn = try emit(row)
          return goesOn
        }
        if goesOn { try second.run(parent, execution, emit) }
      case (.union, false):
        var seen: Set<Row> = []
        var goesOn = true
        for plan in [first, second] where goesOn {
          try plan.run(parent, execution) { row throws(PostgreSQLError) in
            guard seen.insert(Comparator.key(row, comparators)).inserted else { return true }
            goesOn = try emit(row)
            return goesOn
          }
        }
      case (.intersect, _), (.except, _):
        var counts: [Row: Int] = [:]
        for row in try second.rows(parent, execution) {
          counts[Comparator.key(row, comparators), default: 0] += 1
        }
        var seen: Set<Row> = []
        try first.run(parent, execution) { row throws(PostgreSQLError) in
          let key = Comparator.key(row, comparators)
          let count = counts[key] ?? 0
          if isAll {
            counts[key] = max(0, count - 1)
            return (operation == .intersect) == (count > 0) ? try emit(row) : true
          }
          guard (operation == .intersect) == (count > 0), seen.insert(key).inserted else { return true }
          return try emit(row)
        }
      }
    }
  }

  /// The plan with one column converted to another type.
  private func convert(_ plan: QueryPlan, column: Int, to type: DataType) throws(PostgreSQLError) -> QueryPlan
  {
    let value = Bound(plan.columns[column].type, modifier: plan.columns[column].modifier) {
      frame throws(PostgreSQLError) in frame.rows[0][column]
    }
    let evaluate =
      plan.openColumns.contains(column) ? read(value, as: type) : try coerce(value, to: type).evaluate
    var converted = plan
    converted.columns[column].type = boundType(type)
    converted.run = { parent, execution, emit throws(PostgreSQLError) in
      let frame = Frame(relations: 1, parent: nil, execution: execution)
      try plan.run(parent, execution) { row throws(PostgreSQLError) in
        frame.rows[0] = row
        var row = row
        row[column] = try evaluate(frame)
        return try emit(row)
      }
    }
    return converted
  }

  /// Reads the text of a literal whose type was left open.
  func read(_ text: Bound, as type: DataType) -> Bound.Evaluate {
    let evaluate = text.evaluate
    return Bound.Evaluate { frame throws(PostgreSQLError) in
      guard case .text(let text) = try evaluate(frame) else { return .null }
      return try type.value(from: text, context: frame.execution.session)
    }
  }

  // MARK: - ORDER BY, LIMIT

  /// `ORDER BY` of a query without a select list of its own: by its columns only.
  private func sort(_ plan: QueryPlan, _ query: Query, _ parent: Scope) throws(PostgreSQLError) -> QueryPlan {
    guard !query.order.isEmpty else { return plan }
    let scope = Scope(parent: parent)
    let relation = scope.add(Scope.Relation(alias: nil, columns: plan.columns))
    scope.visible = plan.columns.indices.map {
      Scope.Visible(
        name: plan.columns[$0].name, bound: scope.column(relation, $0, depth: 0), relations: [relation])
    }
    let keys = try query.order.map { (key) throws(PostgreSQLError) in
      let bound: Bound
      if let index = try position(key.expression, plan.columns.count, "ORDER BY") {
        bound = scope.column(relation, index, depth: 0)
      } else {
        bound = try bind(key.expression, scope)
      }
      return BoundSortKey(bound, isDescending: key.isDescending, nullsFirst: key.nullsFirst)
    }
    let sorter = RowSorter(keys, context.collation)
    var sorted = plan
    sorted.run = { parent, execution, emit throws(PostgreSQLError) in
      let frame = Frame(relations: 1, parent: parent, execution: execution)
      var rows: [(key: Row, row: Row)] = []
      try plan.run(parent, execution) { row throws(PostgreSQLError) in
        frame.rows[relation] = row
        rows.append((try sorter.key(frame), row))
        return true
      }
      for row in sorter.sort(rows) { guard try emit(row) else { return } }
    }
    return sorted
  }

  /// The index of `ORDER BY 2`, or nil for what is not a constant.
  ///
  /// Other constants are refused (parse_clause.c, findTargetlistEntrySQL92).
  func position(_ expression: SQLExpression, _ count: Int, _ clause: String) throws(PostgreSQLError) -> Int? {
    switch expression {
    case .number(let text), .prefix("-", .number(let text)):
      let sign = if case .prefix = expression { "-" } else { "" }
      guard let number = Int32(sign + text) else { break }
      guard (1...max(1, count)).contains(Int(number)), count > 0 else {
        throw PostgreSQLError("42P10", "\(clause) position \(number) is not in select list")
      }
      return Int(number) - 1
    case .string, .boolean, .null: break
    default: return nil
    }
    throw PostgreSQLError("42601", "non-integer constant in \(clause)")
  }

  /// Applies `LIMIT` and `OFFSET`.
  func limit(_ plan: QueryPlan, _ query: Query, _ parent: Scope) throws(PostgreSQLError) -> QueryPlan {
    guard query.limit != nil || query.offset != nil else { return plan }
    func count(_ expression: SQLExpression?, _ clause: String) throws(PostgreSQLError) -> Bound? {
      guard let expression else { return nil }
      let scope = Scope(parent: parent)
      return try coerce(bind(expression, scope), to: .bigint, .assignment)
    }
    let limit = try count(query.limit, "LIMIT")
    let offset = try count(query.offset, "OFFSET")
    var limited = plan
    limited.uses = [limit, offset].compactMap { $0?.uses }.reduce(plan.uses) { $0.union($1) }
    limited.run = { parent, execution, emit throws(PostgreSQLError) in
      let frame = Frame(relations: 0, parent: parent, execution: execution)
      var skipped: Int64 = 0
      var left = Int64.max
      if case .integer(let number)? = try offset?.evaluate(frame) {
        guard number >= 0 else { throw PostgreSQLError("2201X", "OFFSET must not be negative") }
        skipped = number
      }
      if case .integer(let number)? = try limit?.evaluate(frame) {
        guard number >= 0 else { throw PostgreSQLError("2201W", "LIMIT must not be negative") }
        left = number
      }
      guard left > 0 else { return }
      try plan.run(parent, execution) { row throws(PostgreSQLError) in
        if skipped > 0 {
          skipped -= 1
          return true
        }
        left -= 1
        return try emit(row) && left > 0
      }
    }
    return limited
  }
}

/// Sorts rows by keys that are computed once for each.
struct RowSorter: Sendable {
  private let evaluates: [Bound.Evaluate]
  private let parts: [(comparator: Comparator, isDescending: Bool, nullsFirst: Bool)]

  init(_ keys: [BoundSortKey], _ collation: Collation) {
    evaluates = keys.map(\.bound.evaluate)
    parts = keys.map {
      (
        Comparator($0.bound.type.type, collation: $0.bound.collation ?? collation), $0.isDescending,
        $0.nullsFirst
      )
    }
  }

  func key(_ frame: Frame) throws(PostgreSQLError) -> Row {
    try evaluates.map { (evaluate) throws(PostgreSQLError) in try evaluate(frame) }
  }

  /// Less than 0 if the first row comes first.
  func compare(_ left: Row, _ right: Row) -> Int {
    for (index, part) in parts.enumerated() {
      let (a, b) = (left[index], right[index])
      switch (a.isNull, b.isNull) {
      case (true, true): continue
      case (true, false): return part.nullsFirst ? -1 : 1
      case (false, true): return part.nullsFirst ? 1 : -1
      default:
        let order = part.comparator.compare(a, b)
        if order != 0 { return part.isDescending ? -order : order }
      }
    }
    return 0
  }

  /// The rows in order; equal ones keep their order.
  func sort<Element>(_ rows: [(key: Row, row: Element)]) -> [Element] {
    rows.enumerated().sorted { left, right in
      let order = compare(left.element.key, right.element.key)
      return order == 0 ? left.offset < right.offset : order < 0
    }.map(\.element.row)
  }
}
