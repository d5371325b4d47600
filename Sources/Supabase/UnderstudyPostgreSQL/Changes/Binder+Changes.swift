extension Binder {
  // MARK: - INSERT

  func plan(_ insert: Insert, parent: Scope) throws(PostgreSQLError) -> QueryPlan {
    let target = try target(insert.table, for: .insert)
    let table = target.table
    let columns = try (insert.columns.isEmpty ? target.columns.map(\.name) : insert.columns).map {
      (name) throws(PostgreSQLError) in try column(name, target, for: .insert)
    }
    if Set(columns).count < columns.count,
      let twice = insert.columns.first(where: { name in insert.columns.count { $0 == name } > 1 })
    {
      throw PostgreSQLError("42701", "column \"\(twice)\" specified more than once")
    }
    try require(.insert, on: target, columns: columns)
    let source = try source(insert, table, columns, parent)
    let assigned = Set(source.columns)
    let defaults = try table.columns.indices.filter {
      !assigned.contains($0) && table.columns[$0].generated == nil
    }.map {
      (column) throws(PostgreSQLError) in (column, try defaultValue(of: column, table).evaluate)
    }
    let scope = changeScope(target, insert.alias, parent)
    let conflict = try insert.conflict.map { (conflict) throws(PostgreSQLError) in
      try bind(conflict, target, scope)
    }
    let (shown, values) = try returning(insert.returning, scope)
    if !insert.returning.isEmpty { try require(.select, on: target) }
    let isRead = !insert.returning.isEmpty || conflict?.keys != nil
    let policy = try rowPolicy(target, .insert, isRead: isRead)
    let isVirtual = target.isVirtual
    let width = table.columns.count
    let relations = scope.relations.count
    let name = table.name
    let results = values.map(\.evaluate)
    return QueryPlan(columns: shown, uses: source.uses, isModifying: true) {
      parent, execution, emit throws(PostgreSQLError) in
      try execution.session.requireWritable("INSERT")
      let session = execution.session
      let writer = try session.writer(for: name)
      let first = session.pending.count
      try session.fireStatement(.before, .insert, writer)
      let frame = session.rowFrame()
      let shownFrame = Frame(relations: relations, parent: parent, execution: execution)
      var emitted: [Row] = []
      var touched: Set<Heap.Place> = []
      for given in try source.rows(parent, execution) {
        var row: Row = Array(repeating: .null, count: width)
        for (index, column) in source.columns.enumerated() { row[column] = given[index] }
        for (column, value) in defaults { row[column] = try value(frame) }
        for column in source.defaulted(given) { row[column] = try source.defaults[column]?(frame) ?? .null }
        if isVirtual {
          guard let shown = try session.fireInstead(.insert, writer, old: nil, new: row) else { continue }
          execution.affected += 1
          shownFrame.rows[0] = shown
          emitted.append(try results.map { (value) throws(PostgreSQLError) in try value(shownFrame) })
          continue
        }
        guard let prepared = try session.prepareInsert(row, writer, frame) else { continue }
        try policy.test(prepared, table, frame)
        try writer.check(prepared, frame, session)
        var final: Row? = prepared
        if let (key, place) = try Self.findConflict(prepared, conflict, writer, frame, session) {
          guard let conflict, conflict.applies(to: key) else {
            throw try writer.duplicate(key, prepared, frame, session)
          }
          final = nil
          if let update = conflict.update {
            guard !touched.contains(place) else {
              throw PostgreSQLError(
                "21000", "ON CONFLICT DO UPDATE command cannot affect row a second time",
                hint:
                  "Ensure that no rows proposed for insertion within the same command have duplicate constrained"
                  + " values.")
            }
            final = try update.run(place, excluded: prepared, writer, shownFrame, frame, session)
            if let written = final, let now = try Self.findConflict(written, conflict, writer, frame, session)
            {
              touched.insert(now.1)
            }
          }
        } else {
          try session.write(prepared, writer, frame)
          try policy.testViews(prepared, writer, frame, session)
          if conflict?.update != nil,
            let now = try Self.findConflict(prepared, conflict, writer, frame, session)
          {
            touched.insert(now.1)
          }
        }
        guard let final else { continue }
        execution.affected += 1
        if !results.isEmpty {
          shownFrame.rows[0] = final
          emitted.append(try results.map { (value) throws(PostgreSQLError) in try value(shownFrame) })
        }
      }
      let changes = Array(session.pending[first...])
      try session.settle(from: first)
      try session.fireStatement(.after, .insert, writer, changes: changes)
      for row in emitted { guard try emit(row) else { return } }
    }
  }

  /// Finds a row with the same key.
  ///
  /// The keys of `ON CONFLICT` come before the others (execIndexing.c).
  private static func findConflict(
    _ row: Row, _ conflict: BoundConflict?, _ writer: TableWriter, _ frame: Frame, _ session: Session
  ) throws(PostgreSQLError) -> (TableWriter.BoundKey, Heap.Place)? {
    let arbiters = writer.keys.filter { conflict?.applies(to: $0) == true }
    for key in arbiters + writer.keys.filter({ conflict?.applies(to: $0) != true }) {
      if let place = try writer.conflict(key, row, frame, session) { return (key, place) }
    }
    return nil
  }

  /// The rows of an `INSERT`, converted to the columns' types.
  private struct InsertSource: Sendable {
    var columns: [Int]
    var uses: Bound.Uses
    /// The value that stands for `DEFAULT` in a row, per column.
    var defaults: [Int: Bound.Evaluate] = [:]
    /// For each row of `VALUES` the columns that are `DEFAULT`.
    var rows: @Sendable (Frame, Execution) throws(PostgreSQLError) -> [Row]

    func defaulted(_ row: Row) -> [Int] {
      guard !defaults.isEmpty else { return [] }
      // A row is followed by the positions of its defaults.
      return row.dropFirst(columns.count).compactMap {
        if case .integer(let column) = $0 { Int(column) } else { nil }
      }
    }
  }

  private func source(
    _ insert: Insert, _ table: Table, _ columns: [Int], _ parent: Scope
  ) throws(PostgreSQLError) -> InsertSource {
    guard case .query(let query) = insert.source else {
      return InsertSource(columns: [], uses: Bound.Uses()) { _, _ throws(PostgreSQLError) in [[]] }
    }
    if case .values(let rows) = query.body, query.order.isEmpty, query.limit == nil, query.offset == nil,
      query.with == nil
    {
      return try source(rows, insert, table, columns, parent)
    }
    let plan = try plan(query, parent: parent)
    guard plan.columns.count <= columns.count else {
      throw PostgreSQLError("42601", "INSERT has more expressions than target columns")
    }
    guard plan.columns.count == columns.count || insert.columns.isEmpty else {
      throw PostgreSQLError("42601", "INSERT has more target columns than expressions")
    }
    let targets = Array(columns.prefix(plan.columns.count))
    var converters: [Bound.Evaluate] = []
    for (index, column) in targets.enumerated() {
      try checkAssignable(column, table, insert, isDefault: false)
      let value = Bound(plan.columns[index].type, modifier: plan.columns[index].modifier) {
        frame throws(PostgreSQLError) in
        frame.rows[0][index]
      }
      let evaluate =
        plan.openColumns.contains(index)
        ? try coerce(
          Bound(
            BoundType(catalogue.base(of: table.columns[column].type)),
            evaluate: read(value, as: catalogue.base(of: table.columns[column].type))),
          to: table.columns[column].type, modifier: table.columns[column].modifier, .assignment
        ).evaluate
        : try assign(value, to: column, table).evaluate
      converters.append(evaluate)
    }
    return InsertSource(columns: targets, uses: plan.uses) {
      [converters] parent, execution throws(PostgreSQLError) in
      let frame = Frame(relations: 1, parent: nil, execution: execution)
      return try plan.rows(parent, execution).map { (row) throws(PostgreSQLError) in
        frame.rows[0] = row
        return try converters.map { (convert) throws(PostgreSQLError) in try convert(frame) }
      }
    }
  }

  private func source(
    _ rows: [[SQLExpression]], _ insert: Insert, _ table: Table, _ columns: [Int], _ parent: Scope
  ) throws(PostgreSQLError) -> InsertSource {
    let width = rows.first?.count ?? 0
    guard width <= columns.count else {
      throw PostgreSQLError("42601", "INSERT has more expressions than target columns")
    }
    guard width == columns.count || insert.columns.isEmpty else {
      throw PostgreSQLError("42601", "INSERT has more target columns than expressions")
    }
    let targets = Array(columns.prefix(width))
    let scope = Scope(parent: parent)
    scope.clause = "VALUES"
    var parts: [[Bound.Evaluate]] = []
    var absent: [[Value]] = []
    var defaults: [Int: Bound.Evaluate] = [:]
    var uses = Bound.Uses()
    for row in rows {
      guard row.count == width else {
        throw PostgreSQLError("42601", "VALUES lists must all be the same length")
      }
      var part: [Bound.Evaluate] = []
      var missing: [Value] = []
      for (index, expression) in row.enumerated() {
        let column = targets[index]
        if expression == .defaultValue {
          try checkAssignable(column, table, insert, isDefault: true)
          if table.columns[column].generated == nil {
            defaults[column] = try defaultValue(of: column, table).evaluate
            missing.append(.integer(Int64(column)))
          }
          part.append(Bound.null.evaluate)
        } else {
          try checkAssignable(column, table, insert, isDefault: false)
          let bound = try assign(bind(expression, scope), to: column, table)
          uses = uses.union(bound.uses)
          part.append(bound.evaluate)
        }
      }
      parts.append(part)
      absent.append(missing)
    }
    return InsertSource(columns: targets, uses: uses.ofQueryAround, defaults: defaults) {
      [parts, absent] parent, execution throws(PostgreSQLError) in
      let frame = Frame(relations: 0, parent: parent, execution: execution)
      var made: [Row] = []
      for (index, part) in parts.enumerated() {
        made.append(try part.map { (value) throws(PostgreSQLError) in try value(frame) } + absent[index])
      }
      return made
    }
  }

  /// Refuses a value for a column that computes its own.
  private func checkAssignable(
    _ column: Int, _ table: Table, _ insert: Insert?, isDefault: Bool
  ) throws(PostgreSQLError) {
    let described = table.columns[column]
    guard !isDefault else { return }
    if described.generated != nil {
      throw PostgreSQLError(
        "428C9",
        insert == nil
          ? "column \"\(described.name)\" can only be updated to DEFAULT"
          : "cannot insert a non-DEFAULT value into column \"\(described.name)\"",
        detail: "Column \"\(described.name)\" is a generated column.")
    }
    if described.identity == .always, insert?.overriding != .system {
      throw PostgreSQLError(
        "428C9",
        insert == nil
          ? "column \"\(described.name)\" can only be updated to DEFAULT"
          : "cannot insert a non-DEFAULT value into column \"\(described.name)\"",
        detail: "Column \"\(described.name)\" is an identity column defined as GENERATED ALWAYS.",
        hint: insert == nil ? nil : "Use OVERRIDING SYSTEM VALUE to override.")
    }
  }

  /// A value as one of a column.
  private func assign(_ value: Bound, to column: Int, _ table: Table) throws(PostgreSQLError) -> Bound {
    let described = table.columns[column]
    return try coerce(value, to: described.type, modifier: described.modifier, .assignment) { [self] type in
      PostgreSQLError(
        "42804",
        "column \"\(described.name)\" is of type \(name(of: described.type)) but expression is of type \(name(of: type))",
        hint: "You will need to rewrite or cast the expression.")
    }
  }

  // MARK: - ON CONFLICT

  private struct BoundConflict: Sendable {
    /// The names of the keys it is about; nil means any.
    var keys: Set<String>?
    var update: BoundConflictUpdate?

    func applies(to key: TableWriter.BoundKey) -> Bool { keys.map { $0.contains(key.key.name) } ?? true }
  }

  private struct BoundConflictUpdate: Sendable {
    var assignments: [BoundAssignment]
    var filter: Bound.Evaluate?
    /// What the role may change, and what it may make of it.
    var visible: Bound?
    var policy: RowPolicy
    var assigned: Set<Int>

    func run(
      _ place: Heap.Place, excluded: Row, _ writer: TableWriter, _ frame: Frame, _ rowFrame: Frame,
      _ session: Session
    ) throws(PostgreSQLError) -> Row? {
      guard let old = session.state.data[writer.table.name]?.heap[place] else { return nil }
      frame.rows[0] = old
      frame.rows[1] = excluded
      if let filter, try filter(frame) != .boolean(true) { return nil }
      if let visible {
        rowFrame.rows[0] = old
        if try visible.evaluate(rowFrame) != .boolean(true) {
          throw PostgreSQLError(
            "42501",
            "new row violates row-level security policy (USING expression) for table \"\(writer.table.name.name)\""
          )
        }
      }
      return try session.updateRow(
        place, old, to: try Binder.apply(assignments, old, frame), writer, assigned: assigned, policy: policy,
        rowFrame)
    }
  }

  private func bind(
    _ conflict: Insert.Conflict, _ target: ChangeTarget, _ scope: Scope
  ) throws(PostgreSQLError) -> BoundConflict {
    let table = target.table
    var keys: Set<String>?
    switch conflict.target {
    case nil:
      guard case .doNothing = conflict.action else {
        throw PostgreSQLError(
          "42601", "ON CONFLICT DO UPDATE requires inference specification or constraint name")
      }
    case .constraint(let name):
      guard table.keys.contains(where: { $0.name == name && !$0.isIndex }) else {
        throw PostgreSQLError(
          "42704", "constraint \"\(name)\" for table \"\(table.name.name)\" does not exist")
      }
      keys = [name]
    case .keys(let written, let filter):
      let expressions =
        try written.map { (expression) throws(PostgreSQLError) in
          guard case .name(let path) = expression, path.count == 1, target.levels.count > 1 else {
            return expression
          }
          return .name([table.columns[try column(path[0], target, for: .insert)].name])
        } as [SQLExpression]
      let matching = table.keys.filter { key in
        Set(key.expressions) == Set(expressions) && (key.filter == nil || key.filter == filter)
      }
      guard !matching.isEmpty else {
        throw PostgreSQLError(
          "42P10", "there is no unique or exclusion constraint matching the ON CONFLICT specification")
      }
      keys = Set(matching.map(\.name))
    }
    if keys != nil { try require(.select, on: target) }
    guard case .update(let assignments, let filter) = conflict.action else {
      return BoundConflict(keys: keys)
    }
    let excluded = scope.add(Scope.Relation(alias: "excluded", columns: relationColumns(of: target)))
    precondition(excluded == 1, "The row that was proposed is the second relation.")
    let bound = try bind(assignments, target, scope)
    let assigned = Set(bound.flatMap(\.columns))
    try require(.update, on: target, columns: Array(assigned))
    let update = BoundConflictUpdate(
      assignments: bound,
      filter: try filter.map { (filter) throws(PostgreSQLError) in
        try condition(filter, scope, "WHERE").evaluate
      },
      visible: try accessing(target) { () throws(PostgreSQLError) in try policy(table, .update) },
      policy: try rowPolicy(target, .update, isRead: false),
      assigned: assigned)
    return BoundConflict(keys: keys, update: update)
  }

  // MARK: - UPDATE and DELETE

  func plan(_ update: Update, parent: Scope) throws(PostgreSQLError) -> QueryPlan {
    let target = try target(update.table, for: .update)
    let table = target.table
    let scope = changeScope(target, update.alias, parent)
    let from = try bindFrom(update.from, scope)
    let conditions = try conditions(update.filter, scope)
    let assignments = try bind(update.assignments, target, scope)
    let assigned = Set(assignments.flatMap(\.columns))
    try require(.update, on: target, columns: Array(assigned))
    let (shown, values) = try returning(update.returning, scope)
    let reads = Self.readsTarget(assignments.map(\.uses) + (conditions + values).map(\.uses))
    if reads { try require(.select, on: target) }
    let (source, uses) = try candidates(target, from, conditions, .update, reads: reads, scope)
    let policy = try rowPolicy(target, .update, isRead: reads)
    let results = values.map(\.evaluate)
    let name = table.name
    let relations = scope.relations.count
    return QueryPlan(columns: shown, uses: uses, isModifying: true) {
      parent, execution, emit throws(PostgreSQLError) in
      try execution.session.requireWritable("UPDATE")
      let session = execution.session
      let writer = try session.writer(for: name)
      let first = session.pending.count
      try session.fireStatement(.before, .update(of: []), writer, assigned: assigned)
      let frame = Frame(relations: relations, parent: parent, execution: execution)
      let rowFrame = session.rowFrame()
      var emitted: [Row] = []
      for (place, rows) in try source(frame) {
        guard let current = place.map({ session.state.data[name]?.heap[$0] }) ?? rows[0] else { continue }
        frame.rows = rows
        frame.rows[0] = current
        let changed = try Self.apply(assignments, current, frame)
        let written: Row?
        if let place {
          written = try session.updateRow(
            place, current, to: changed, writer, assigned: assigned, policy: policy, rowFrame)
        } else {
          written = try session.fireInstead(.update(of: []), writer, old: current, new: changed)
        }
        guard let written else { continue }
        execution.affected += 1
        if !results.isEmpty {
          frame.rows[0] = written
          emitted.append(try results.map { (value) throws(PostgreSQLError) in try value(frame) })
        }
      }
      let changes = Array(session.pending[first...])
      try session.settle(from: first)
      try session.fireStatement(.after, .update(of: []), writer, assigned: assigned, changes: changes)
      for row in emitted { guard try emit(row) else { return } }
    }
  }

  func plan(_ delete: Delete, parent: Scope) throws(PostgreSQLError) -> QueryPlan {
    let target = try target(delete.table, for: .delete)
    let table = target.table
    try require(.delete, on: target)
    let scope = changeScope(target, delete.alias, parent)
    let from = try bindFrom(delete.using, scope)
    let conditions = try conditions(delete.filter, scope)
    let (shown, values) = try returning(delete.returning, scope)
    let reads = Self.readsTarget((conditions + values).map(\.uses))
    if reads { try require(.select, on: target) }
    let (source, uses) = try candidates(target, from, conditions, .delete, reads: reads, scope)
    let results = values.map(\.evaluate)
    let name = table.name
    let relations = scope.relations.count
    return QueryPlan(columns: shown, uses: uses, isModifying: true) {
      parent, execution, emit throws(PostgreSQLError) in
      try execution.session.requireWritable("DELETE")
      let session = execution.session
      let writer = try session.writer(for: name)
      let first = session.pending.count
      try session.fireStatement(.before, .delete, writer)
      let frame = Frame(relations: relations, parent: parent, execution: execution)
      let rowFrame = session.rowFrame()
      var emitted: [Row] = []
      for (place, rows) in try source(frame) {
        if let place {
          guard let current = session.state.data[name]?.heap[place],
            try session.deleteRow(place, current, writer, rowFrame)
          else { continue }
        } else if try session.fireInstead(.delete, writer, old: rows[0], new: nil) == nil {
          continue
        }
        execution.affected += 1
        if !results.isEmpty {
          frame.rows = rows
          emitted.append(try results.map { (value) throws(PostgreSQLError) in try value(frame) })
        }
      }
      let changes = Array(session.pending[first...])
      try session.settle(from: first)
      try session.fireStatement(.after, .delete, writer, changes: changes)
      for row in emitted { guard try emit(row) else { return } }
    }
  }

  /// What policies demand of rows that a statement finds.
  private func policies(
    _ target: ChangeTarget, _ commands: [CreatePolicy.Command]
  ) throws(PostgreSQLError) -> [Bound] {
    try accessing(target) { () throws(PostgreSQLError) in
      var found: [Bound] = []
      for command in commands {
        if let condition = try policy(target.table, command) { found.append(condition) }
      }
      return found
    }
  }

  /// What policies and views demand of new rows.
  private func rowPolicy(
    _ target: ChangeTarget, _ command: CreatePolicy.Command, isRead: Bool
  ) throws(PostgreSQLError) -> RowPolicy {
    try accessing(target) { () throws(PostgreSQLError) in
      var policy = RowPolicy(checks: try checks(target.table, command), viewChecks: target.checks)
      if isRead { policy.checks += try readingChecks(target.table) }
      return policy
    }
  }

  private func conditions(_ filter: SQLExpression?, _ scope: Scope) throws(PostgreSQLError) -> [Bound] {
    try filter.map { (filter) throws(PostgreSQLError) in try conjuncts(filter, scope, "WHERE") } ?? []
  }

  /// Whether an expression of the statement names a column of the table that it changes.
  ///
  /// Only then does it need the privilege and the policies for `SELECT` (CREATE POLICY, "Policies Applied by Command
  /// Type").
  private static func readsTarget(_ uses: [Bound.Uses]) -> Bool {
    uses.contains { $0.relations.contains(0) }
  }

  /// Finds the rows that a statement changes, each once, with the rows that it was joined with.
  ///
  /// The rows of a view have no place, and come once for each row that they are joined with.
  private func candidates(
    _ target: ChangeTarget, _ from: (tree: FromTree, sources: [Int: RelationSource]), _ written: [Bound],
    _ command: CreatePolicy.Command, reads: Bool, _ scope: Scope
  ) throws(PostgreSQLError) -> (
    @Sendable (Frame) throws(PostgreSQLError) -> [(Heap.Place?, [Row])], Bound.Uses
  ) {
    let conditions = target.conditions + written
    // The condition of a view reads the table.
    let reads = reads || !target.conditions.isEmpty
    let policies = try policies(target, reads ? [command, .select] : [command])
    let name = target.table.name
    let joined = from.sources.isEmpty ? FromTree.relation(0) : .inner([.relation(0), from.tree], [])
    var all = from.sources
    let policy = policies.isEmpty ? nil : conjunction(policies)
    let isVirtual = target.isVirtual
    all[0] = .table(name, policy: policy)
    if case .view(let query, let invokes) = target.table.kind {
      all[0] = try accessing(target) { () throws(PostgreSQLError) in
        try rows(of: target.table, query, invokes: invokes)
      }
    }
    let planner = JoinPlanner(binder: self, scope: scope, sources: all, isChange: true)
    let source = planner.plan(joined, where: conditions)
    let uses = conditions.reduce(Bound.Uses()) { $0.union($1.uses) }
    return (
      { frame throws(PostgreSQLError) in
        var found: [(Heap.Place?, [Row])] = []
        var seen: Set<Heap.Place> = []
        _ = try source.run(frame) { () throws(PostgreSQLError) in
          if isVirtual {
            found.append((nil, frame.rows))
            return true
          }
          guard seen.insert(frame.place).inserted else { return true }
          found.append((frame.place, frame.rows))
          return true
        }
        return found
      }, uses.ofQueryAround
    )
  }

  // MARK: - SET

  /// The value of a column, or of several.
  struct BoundAssignment: Sendable {
    var columns: [Int]
    var value: Bound.Evaluate
    /// Whether the value is a row with a field for each column.
    var isRow = false
    var uses: Bound.Uses
  }

  private func bind(
    _ assignments: [Assignment], _ target: ChangeTarget, _ scope: Scope
  ) throws(PostgreSQLError) -> [BoundAssignment] {
    let table = target.table
    var bound: [BoundAssignment] = []
    var seen: Set<Int> = []
    for assignment in assignments {
      let columns = try assignment.columns.map { (name) throws(PostgreSQLError) in
        try column(name, target, for: .update)
      }
      for column in columns where !seen.insert(column).inserted && assignment.path.isEmpty {
        throw PostgreSQLError(
          "42601", "multiple assignments to same column \"\(table.columns[column].name)\"")
      }
      if columns.count == 1 {
        let value = try self.value(assignment, columns[0], table, scope)
        bound.append(BoundAssignment(columns: columns, value: value.evaluate, uses: value.uses))
        continue
      }
      switch assignment.value {
      case .row(let fields):
        guard fields.count == columns.count else {
          throw PostgreSQLError("42601", "number of columns does not match number of values")
        }
        for (column, field) in zip(columns, fields) {
          let value = try self.value(Assignment([table.columns[column].name], field), column, table, scope)
          bound.append(BoundAssignment(columns: [column], value: value.evaluate, uses: value.uses))
        }
      case .subquery(let query):
        let plan = try plan(query, parent: scope)
        guard plan.columns.count == columns.count else {
          throw PostgreSQLError("42601", "number of columns does not match number of values")
        }
        let converters = try columns.enumerated().map { (entry) throws(PostgreSQLError) in
          try assign(
            Bound(plan.columns[entry.offset].type) { frame throws(PostgreSQLError) in
              frame.rows[0][entry.offset]
            },
            to: entry.element, table
          ).evaluate
        }
        let value = Bound.Evaluate { frame throws(PostgreSQLError) in
          let rows = try plan.rows(frame, frame.execution)
          guard rows.count <= 1 else {
            throw PostgreSQLError("21000", "more than one row returned by a subquery used as an expression")
          }
          guard let row = rows.first else { return .record(columns.map { _ in .null }) }
          let inner = Frame(relations: 1, parent: nil, execution: frame.execution)
          inner.rows[0] = row
          return .record(try converters.map { (convert) throws(PostgreSQLError) in try convert(inner) })
        }
        bound.append(
          BoundAssignment(columns: columns, value: value, isRow: true, uses: plan.uses.ofQueryAround))
      default:
        throw PostgreSQLError(
          "0A000", "source for a multiple-column UPDATE item must be a sub-SELECT or ROW() expression")
      }
    }
    return bound
  }

  private func value(
    _ assignment: Assignment, _ column: Int, _ table: Table, _ scope: Scope
  ) throws(PostgreSQLError) -> Bound {
    if assignment.value == .defaultValue {
      if table.columns[column].generated != nil {
        return Bound(boundType(table.columns[column].type)) { _ throws(PostgreSQLError) in .null }
      }
      return try defaultValue(of: column, table)
    }
    try checkAssignable(column, table, nil, isDefault: false)
    guard !assignment.path.isEmpty else {
      return try assign(bind(assignment.value, scope), to: column, table)
    }
    return try part(assignment, scope.column(0, column, depth: 0), scope)
  }

  static func apply(
    _ assignments: [BoundAssignment], _ row: Row, _ frame: Frame
  ) throws(PostgreSQLError) -> Row {
    var changed = row
    for assignment in assignments {
      let columns = assignment.columns
      let new = try assignment.value(frame)
      if assignment.isRow, case .record(let fields) = new {
        for (column, field) in zip(columns, fields) { changed[column] = field }
      } else {
        // Two parts of one column: the second sees the first.
        changed[columns[0]] = new
        frame.rows[0][columns[0]] =
          assignments.count { $0.columns == columns } > 1 ? new : frame.rows[0][columns[0]]
      }
    }
    return changed
  }
}
