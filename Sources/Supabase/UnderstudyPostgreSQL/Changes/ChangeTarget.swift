/// What a statement changes: a table, or a view whose rows are those of one table.
struct ChangeTarget {
  /// A relation with the rights that the statement needs for it.
  struct Level {
    var relation: Table
    var actsAsOwner: Bool
    /// The relation's names of the table's columns.
    var names: [Int: String]
  }

  struct Column {
    var name: String
    /// The table's column, or nil for another expression of a view.
    var index: Int?
    var bound: Bound
  }

  /// The table whose rows change.
  var table: Table
  /// The relation that the statement names comes first, the table last.
  var levels: [Level]
  /// The columns that the statement can name.
  var columns: [Column]
  /// What views demand of the rows that are changed or removed.
  var conditions: [Bound] = []
  /// What `WITH CHECK OPTION` demands of a new row, with the names of the views.
  var checks: [(condition: Bound, view: String)] = []

  /// The relation that the statement names.
  var relation: Table { levels[0].relation }

  /// Whether `INSTEAD OF` triggers make the change: the "table" is a view then, which has no rows of its own.
  var isVirtual: Bool { table.isView }
}

extension Binder {
  /// What a statement wants to do with a view, for messages.
  enum ViewChange {
    case insert, update, delete

    var verb: String {
      switch self {
      case .insert: "insert into"
      case .update: "update"
      case .delete: "delete from"
      }
    }

    var gerund: String {
      switch self {
      case .insert: "inserting into"
      case .update: "updating"
      case .delete: "deleting from"
      }
    }

    var statement: String {
      switch self {
      case .insert: "INSERT"
      case .update: "UPDATE"
      case .delete: "DELETE"
      }
    }
  }

  /// The table or the view that a statement changes.
  ///
  /// - Parameter isChecked: Whether an outer view tests new rows by the conditions of inner ones, too (`CASCADED`).
  func target(
    _ name: QualifiedName, for change: ViewChange, isChecked: Bool = false
  ) throws(PostgreSQLError) -> ChangeTarget {
    let table = try table(named: name)
    try checkSchema(table.name)
    switch table.kind {
    case .table: return target(table)
    case .view where table.triggers.contains(where: { $0.timing == .insteadOf && $0.fires(on: change) }):
      return target(table)
    case .view(let query, let invokes):
      return try target(table, query, invokes: invokes, change, isChecked)
    case .materializedView:
      throw PostgreSQLError("42809", "cannot change materialized view \"\(table.name.name)\"")
    }
  }

  private func target(_ table: Table) -> ChangeTarget {
    let scope = scope(of: table)
    return ChangeTarget(
      table: table,
      levels: [
        .init(
          relation: table, actsAsOwner: actsAsOwner,
          names: Dictionary(
            uniqueKeysWithValues: table.columns.enumerated().map { ($0.offset, $0.element.name) }))
      ],
      columns: columns(of: table).enumerated().map {
        .init(name: $0.element.name, index: $0.offset, bound: scope.column(0, $0.offset, depth: 0))
      })
  }

  /// A view of one table is changed through its table (PostgreSQL documentation, CREATE VIEW, "Updatable Views").
  private func target(
    _ view: Table, _ query: Query, invokes: Bool, _ change: ViewChange, _ isChecked: Bool
  ) throws(PostgreSQLError) -> ChangeTarget {
    let (select, base, alias) = try updatableParts(of: query, view, change)
    var target = try entering(view, invokes: invokes) { () throws(PostgreSQLError) in
      var target = try self.target(base, for: change, isChecked: isChecked || view.checkOption == .cascaded)
      let scope = changeScope(target, alias, Scope(parent: nil))
      let own = try select.filter.map { (filter) throws(PostgreSQLError) in
        try conjuncts(filter, scope, "WHERE")
      }
      target.conditions += own ?? []
      if let own, isChecked || view.checkOption != nil {
        target.checks.append((conjunction(own), view.name.name))
      }
      let shown = try returning(select.items, scope)
      target.columns = zip(view.columns, shown.values).map {
        .init(name: $0.name, index: $1.column?.column, bound: $1)
      }
      return target
    }
    let names = target.columns.compactMap { column in column.index.map { ($0, column.name) } }
    target.levels.insert(
      .init(relation: view, actsAsOwner: actsAsOwner, names: Dictionary(names) { first, _ in first }), at: 0)
    return target
  }

  /// The query and the only relation of a view, or the reason why it cannot be changed (rewriteHandler.c,
  /// view_query_is_auto_updatable).
  private func updatableParts(
    of query: Query, _ view: Table, _ change: ViewChange
  ) throws(PostgreSQLError) -> (Select, QualifiedName, String?) {
    func refusal(_ reason: String) -> PostgreSQLError {
      PostgreSQLError(
        "55000", "cannot \(change.verb) view \"\(view.name.name)\"",
        detail: "Views \(reason) are not automatically updatable.",
        hint: "To enable \(change.gerund) the view, provide an INSTEAD OF \(change.statement) trigger or an"
          + " unconditional ON \(change.statement) DO INSTEAD rule.")
    }
    guard case .select(let select) = query.body else {
      if case .setOperation = query.body {
        throw refusal("containing UNION, INTERSECT, or EXCEPT")
      }
      throw refusal("that do not select from a single table or view")
    }
    if select.distinct != nil { throw refusal("containing DISTINCT") }
    if !select.grouping.isEmpty { throw refusal("containing GROUP BY") }
    if select.having != nil { throw refusal("containing HAVING") }
    if query.with != nil { throw refusal("containing WITH") }
    if query.limit != nil || query.offset != nil { throw refusal("containing LIMIT or OFFSET") }
    let calls = select.items.map(\.expression)
    func contains(_ condition: (Call) -> Bool) -> Bool {
      calls.contains { expression in
        expression.contains { if case .call(let call) = $0 { condition(call) } else { false } }
      }
    }
    if contains(isAggregate) { throw refusal("that return aggregate functions") }
    if contains({ $0.over != nil }) { throw refusal("that return window functions") }
    if contains({ call in
      Functions.named(call.name.name).contains(where: \.returnsSet)
        || routines(named: call.name).contains(where: \.returnsSet)
    }) {
      throw refusal("that return set-returning functions")
    }
    guard select.from.count == 1, case .table(let name, let alias) = select.from[0],
      alias?.columns.isEmpty ?? true
    else { throw refusal("that do not select from a single table or view") }
    return (select, name, alias?.name)
  }

  /// The scope of a statement that changes a table, which is its first relation, by the names of the target.
  func changeScope(_ target: ChangeTarget, _ alias: String?, _ parent: Scope) -> Scope {
    let scope = Scope(parent: parent)
    var relation = Scope.Relation(
      alias: alias ?? target.relation.name.name, table: target.relation.name,
      columns: relationColumns(of: target))
    // The columns of a view are not numbered as those of its table are.
    relation.hasGrantedColumns = !target.relation.isView && readsOnlySomeColumns(of: target.table)
    _ = scope.add(relation)
    scope.visible = target.columns.map { column in
      Scope.Visible(
        name: column.name, bound: column.index.map { scope.column(0, $0, depth: 0) } ?? column.bound,
        relations: [0])
    }
    return scope
  }

  /// The table's columns by the target's names.
  ///
  /// What a view does not show has an empty name, which no statement can write.
  func relationColumns(of target: ChangeTarget) -> [Scope.RelationColumn] {
    let names = target.levels[0].names
    return columns(of: target.table).enumerated().map { entry in
      var column = entry.element
      column.name = names[entry.offset] ?? ""
      return column
    }
  }

  /// The table's column of a name.
  func column(
    _ name: String, _ target: ChangeTarget, for change: ViewChange
  ) throws(PostgreSQLError) -> Int {
    guard let column = target.columns.first(where: { $0.name == name }) else {
      throw PostgreSQLError(
        "42703", "column \"\(name)\" of relation \"\(target.relation.name.name)\" does not exist")
    }
    guard let index = column.index else {
      throw PostgreSQLError(
        "0A000",
        "cannot \(change.verb) column \"\(name)\" of view \"\(target.relation.name.name)\"",
        detail: "View columns that are not columns of their base relation are not updatable.")
    }
    return index
  }

  /// Refuses what the role has no privilege for: of the view, and of its table with the rights of its owner or of who
  /// changes it.
  func require(
    _ kind: Privilege.Kind, on target: ChangeTarget, columns: [Int]? = nil
  ) throws(PostgreSQLError) {
    let outer = actsAsOwner
    defer { actsAsOwner = outer }
    for level in target.levels {
      actsAsOwner = level.actsAsOwner
      try require(kind, on: level.relation, columns: columns?.compactMap { level.names[$0] })
    }
  }

  /// Binds with the rights that the target's table is accessed with.
  func accessing<Result>(
    _ target: ChangeTarget, _ body: () throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    let outer = actsAsOwner
    actsAsOwner = target.levels[target.levels.count - 1].actsAsOwner
    defer { actsAsOwner = outer }
    return try body()
  }
}

extension CreateTrigger {
  /// Whether an event of the trigger is a change of this kind.
  fileprivate func fires(on change: Binder.ViewChange) -> Bool {
    events.contains { event in
      switch (event, change) {
      case (.insert, .insert), (.update, .update), (.delete, .delete): true
      default: false
      }
    }
  }
}
