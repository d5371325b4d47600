extension Binder {
  /// A name with or without qualification: a column, a whole row, a variable.
  func bindName(_ names: [String], _ scope: Scope) throws(PostgreSQLError) -> Bound {
    if let found = try findColumn(names, scope) { return found }
    if names.count > 1 {
      // The field of a column or of a variable: `new.name`, where `new` is a record.
      if let record = try findColumn(Array(names.dropLast()), scope), let last = names.last,
        let field = field(of: record, named: last)
      {
        return field
      }
      if findRelation(Array(names.dropLast()), scope) != nil {
        // PostgreSQL calls a function of the row, if there is one.
        let row = try bindName(Array(names.dropLast()), scope)
        if let call = try callOnRow(row, names[names.count - 1]) { return call }
        throw PostgreSQLError("42703", "column \(names.joined(separator: ".")) does not exist")
      }
      throw PostgreSQLError("42P01", "missing FROM-clause entry for table \"\(names[names.count - 2])\"")
    }
    if let (relation, depth, owner) = findRelation(names, scope) {
      try requireColumns(owner.relations[relation].columns.indices, of: owner.relations[relation])
      return wholeRow(relation, depth, owner)
    }
    throw PostgreSQLError("42703", "column \"\(names[0])\" does not exist")
  }

  private func findColumn(_ names: [String], _ scope: Scope) throws(PostgreSQLError) -> Bound? {
    guard let name = names.last else { return nil }
    if names.count == 1 {
      var depth = 0
      var current: Scope? = scope
      while let searched = current {
        let matches = searched.visible.filter { $0.name == name }
        if matches.count > 1 {
          throw PostgreSQLError("42702", "column reference \"\(name)\" is ambiguous")
        }
        if let match = matches.first {
          if !searched.holdsVariables, let variable = try conflictingVariable(name, searched, depth) {
            return variable
          }
          try requireColumn(match, searched)
          return try checkGrouping(lift(match, depth, searched), searched, depth, name: name)
        }
        current = searched.parent
        depth += 1
      }
      return nil
    }
    guard let (relation, depth, owner) = findRelation(Array(names.dropLast()), scope),
      let column = owner.relations[relation].columns.firstIndex(where: { $0.name == name })
    else { return nil }
    try requireColumns([column], of: owner.relations[relation])
    return try checkGrouping(
      owner.column(relation, column, depth: depth), owner, depth, name: names.joined(separator: "."))
  }

  /// Refuses a column that the role has no privilege to read, if it has one for other columns of the table only.
  private func requireColumns(
    _ columns: some Sequence<Int>, of relation: Scope.Relation
  ) throws(PostgreSQLError) {
    guard relation.hasGrantedColumns, let table = relation.table.flatMap({ catalogue.tables[$0] }) else {
      return
    }
    // The relation's own columns can have other names.
    try require(.select, on: table, columns: columns.map { table.columns[$0].name })
  }

  /// The same of a column that a join may have merged of two.
  private func requireColumn(_ visible: Scope.Visible, _ scope: Scope) throws(PostgreSQLError) {
    for index in visible.relations where scope.relations.indices.contains(index) {
      let relation = scope.relations[index]
      guard relation.hasGrantedColumns else { continue }
      let column =
        visible.bound.column.flatMap { $0.relation == index ? $0.column : nil }
        ?? relation.columns.firstIndex { $0.name == visible.name }
      if let column { try requireColumns([column], of: relation) }
    }
  }

  /// The variable that a name means although a column has it too.
  ///
  /// - Throws: 42702 unless the function prefers one of both (PostgreSQL documentation, 43.11.1).
  private func conflictingVariable(
    _ name: String, _ scope: Scope, _ depth: Int
  ) throws(PostgreSQLError) -> Bound? {
    var depth = depth
    var current = scope
    while let parent = current.parent {
      current = parent
      depth += 1
      guard current.conflict != .useColumn,
        let variable = current.visible.first(where: { $0.name == name })
      else { continue }
      if current.conflict == .useVariable { return lift(variable, depth, current) }
      throw PostgreSQLError(
        "42702", "column reference \"\(name)\" is ambiguous",
        detail: "It could refer to either a PL/pgSQL variable or a table column.")
    }
    return nil
  }

  /// A visible column as seen from a query inside.
  private func lift(_ visible: Scope.Visible, _ depth: Int, _ scope: Scope) -> Bound {
    guard depth > 0 else { return visible.bound }
    if let column = visible.bound.column { return scope.column(column.relation, column.column, depth: depth) }
    let evaluate = visible.bound.evaluate
    var uses = Bound.Uses()
    for relation in visible.relations { uses = uses.union(Bound.Uses(relation: relation, depth: depth)) }
    return Bound(visible.bound.type, modifier: visible.bound.modifier, uses: uses) {
      frame throws(PostgreSQLError) in
      try evaluate(frame.outer(depth))
    }
  }

  /// The relation that a qualification names.
  func findRelation(_ names: [String], _ scope: Scope) -> (relation: Int, depth: Int, scope: Scope)? {
    var depth = 0
    var current: Scope? = scope
    while let searched = current {
      let found = searched.relations.firstIndex { relation in
        if names.count == 1 { return relation.alias == names[0] }
        return relation.table?.schema == names[0] && relation.alias == names[1]
          && relation.table?.name == names[1]
      }
      if let found { return (found, depth, searched) }
      current = searched.parent
      depth += 1
    }
    return nil
  }

  private func wholeRow(_ relation: Int, _ depth: Int, _ scope: Scope) -> Bound {
    let described = scope.relations[relation]
    // A function that returns single values is its value.
    if described.isScalarFunction { return scope.column(relation, 0, depth: depth) }
    let fields = described.columns.map { BoundType.Field($0.name, $0.type) }
    let type =
      described.table.flatMap { catalogue.tables[$0] != nil ? DataType.composite($0) : nil } ?? .record
    let uses = scope.holdsVariables ? Bound.Uses() : Bound.Uses(relation: relation, depth: depth)
    let holdsVariables = scope.holdsVariables
    return Bound(BoundType(type, fields: fields), uses: uses) { frame throws(PostgreSQLError) in
      let row = frame.outer(depth).rows[relation]
      if holdsVariables { return row.allSatisfy(\.isNull) ? .null : .record(row) }
      // The side of an outer join that has no row is null as a whole.
      return row.count > fields.count ? .null : .record(row)
    }
  }

  /// A field of a record.
  func field(of record: Bound, named name: String) -> Bound? {
    guard let index = record.type.fields.firstIndex(where: { $0.name == name }) else { return nil }
    let evaluate = record.evaluate
    var field = record
    field.type = record.type.fields[index].type
    if case .composite = field.type.type, field.type.fields.isEmpty {
      field.type = boundType(field.type.type)
    }
    field.modifier = nil
    field.column = nil
    field.evaluate = Bound.Evaluate { frame throws(PostgreSQLError) in
      guard case .record(let values) = try evaluate(frame), index < values.count else { return .null }
      return values[index]
    }
    return field
  }

  /// Refuses a column that has several values in a group (42803).
  private func checkGrouping(
    _ bound: Bound, _ scope: Scope, _ depth: Int, name: String
  ) throws(PostgreSQLError) -> Bound {
    guard let aggregation = scope.aggregation, !aggregation.isInsideAggregate, let column = bound.column,
      !aggregation.wholeRelations.contains(column.relation)
    else { return bound }
    if let key = aggregation.boundKeys.firstIndex(where: {
      $0.column?.relation == column.relation && $0.column?.column == column.column
    }) {
      var grouped = bound
      grouped.column = nil
      grouped.uses.isAggregated = true
      grouped.evaluate = Bound.Evaluate { frame throws(PostgreSQLError) in frame.outer(depth).keys[key] }
      return grouped
    }
    let relation = scope.relations[column.relation]
    let whole = [relation.alias, relation.columns[column.column].name].compactMap { $0 }.joined(
      separator: ".")
    throw PostgreSQLError(
      "42803", "column \"\(whole)\" must appear in the GROUP BY clause or be used in an aggregate function")
  }

  /// The columns that a star stands for.
  func expand(_ names: [String], _ scope: Scope) throws(PostgreSQLError) -> [Scope.Visible] {
    if names.isEmpty {
      guard !scope.relations.isEmpty else {
        throw PostgreSQLError("42601", "SELECT * with no tables specified is not valid")
      }
      var expanded: [Scope.Visible] = []
      for visible in scope.visible {
        try requireColumn(visible, scope)
        var visible = visible
        visible.bound = try checkGrouping(visible.bound, scope, 0, name: visible.name)
        expanded.append(visible)
      }
      return expanded
    }
    if let (relation, depth, owner) = findRelation(names, scope) {
      try requireColumns(owner.relations[relation].columns.indices, of: owner.relations[relation])
      var expanded: [Scope.Visible] = []
      for (index, column) in owner.relations[relation].columns.enumerated() {
        let bound = try checkGrouping(
          owner.column(relation, index, depth: depth), owner, depth, name: column.name)
        expanded.append(Scope.Visible(name: column.name, bound: bound, relations: [relation]))
      }
      return expanded
    }
    // `(record).*`, of a column or a variable.
    guard let record = try findColumn(names, scope), !record.type.fields.isEmpty else {
      throw PostgreSQLError("42P01", "missing FROM-clause entry for table \"\(names[names.count - 1])\"")
    }
    return record.type.fields.compactMap { described in
      field(of: record, named: described.name).map {
        Scope.Visible(name: described.name, bound: $0, relations: [])
      }
    }
  }
}
