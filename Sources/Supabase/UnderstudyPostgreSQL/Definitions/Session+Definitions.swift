extension Session {
  /// Runs a statement that defines something.
  func define(_ statement: Statement) throws(PostgreSQLError) -> StatementResult {
    try checkOwnership(statement)
    state.catalogue.version += 1
    var result = StatementResult()
    switch statement {
    case .createSchema(let name, let ifNotExists):
      if state.catalogue.schemas[name] != nil {
        guard ifNotExists else { throw PostgreSQLError("42P06", "schema \"\(name)\" already exists") }
      } else {
        state.catalogue.schemas[name] = []
      }
    case .createTable(let table): try create(table)
    case .createTableAs(let name, let columns, let query, let ifNotExists):
      result.affected = try create(name, columns, query, ifNotExists)
    case .alterTable(let name, let ifExists, let actions): try alter(name, ifExists, actions, &result)
    case .createIndex(let index): try create(index)
    case .createView(let view): try create(view)
    case .refreshView(let name): try refresh(name)
    case .createSequence(let name, let options, let ifNotExists): try create(name, options, ifNotExists)
    case .alterSequence(let name, let options): try alter(name, options)
    case .createEnumeration(let name, let labels):
      let whole = try newName(name, "type")
      state.catalogue.enumerations[whole] = Enumeration(
        labels: labels.enumerated().map { Enumeration.Label(name: $0.element, order: Float($0.offset + 1)) })
    case .createComposite(let name, let fields):
      let whole = try newName(name, "type")
      state.catalogue.composites[whole] = try fields.map { (field) throws(PostgreSQLError) in
        let (type, modifier) = try state.catalogue.type(field.type, path)
        return Column(field.name, type, modifier: modifier)
      }
    case .createDomain(let domain): try create(domain)
    case .alterEnumeration(let name, let change): try alter(name, change)
    case .createFunction(let function): try create(function)
    case .alterFunction(let change): try alter(change)
    case .createTrigger(let trigger): try create(trigger)
    case .createPolicy(let policy):
      try changeTable(policy.table) { (table) throws(PostgreSQLError) in
        guard !table.policies.contains(where: { $0.name == policy.name }) else {
          throw PostgreSQLError(
            "42710", "policy \"\(policy.name)\" for table \"\(table.name.name)\" already exists")
        }
        try checkRoles(policy.roles)
        table.policies.append(try checked(policy, table, isNew: (true, true)))
      }
    case .alterPolicy(let change):
      try changeTable(change.table) { (table) throws(PostgreSQLError) in
        guard let index = table.policies.firstIndex(where: { $0.name == change.name }) else {
          throw PostgreSQLError(
            "42704", "policy \"\(change.name)\" for table \"\(table.name.name)\" does not exist")
        }
        if let name = change.newName { table.policies[index].name = name }
        if let roles = change.roles { table.policies[index].roles = roles }
        if let using = change.using { table.policies[index].using = using }
        if let check = change.check { table.policies[index].check = check }
        table.policies[index] = try checked(
          table.policies[index], table, isNew: (change.using != nil, change.check != nil))
      }
    case .drop(let drop): try self.drop(drop, &result)
    case .rename(let kind, let name, let newName): try rename(kind, name, to: newName, &result)
    case .setSchema(let kind, let name, let schema): try move(kind, name, to: schema)
    case .truncate(let names, let restartsIdentity, let cascades):
      try truncate(names, restartsIdentity: restartsIdentity, cascades: cascades)
    case .grant(let grant): try self.grant(grant, &result)
    case .alterDefaultPrivileges(let grant, let owners):
      try alterDefaultPrivileges(grant, ofOwners: owners, &result)
    case .createRole(let name): state.catalogue.roles[name] = state.catalogue.roles[name] ?? Role()
    case .alterSettings(let change): try alterSettings(change)
    case .createPublication(let name, let tables):
      guard state.catalogue.publications[name] == nil else {
        throw PostgreSQLError("42710", "publication \"\(name)\" already exists")
      }
      state.catalogue.publications[name] = try resolve(tables)
    case .alterPublication(let name, let change): try alterPublication(name, change)
    case .copy(let copy): result.affected = try run(copy)
    default: throw PostgreSQLError.notSupported("this statement")
    }
    return result
  }

  /// Refuses what only the owner may do; everything belongs to one.
  private func checkOwnership(_ statement: Statement) throws(PostgreSQLError) {
    guard role != Catalogue.owner else { return }
    switch statement {
    case .truncate, .refreshView, .copy: return
    case .alterTable(let name, _, _): throw PostgreSQLError("42501", "must be owner of table \(name.name)")
    case .drop(let drop):
      guard let name = drop.names.first else { return }
      throw PostgreSQLError("42501", "must be owner of \(drop.kind) \(name.name)")
    case .createSchema: throw PostgreSQLError("42501", "permission denied for database postgres")
    default: throw PostgreSQLError("42501", "permission denied for schema public")
    }
  }

  // MARK: - Names

  /// A name for a new object, in the first schema of the path if it has none.
  func complete(_ name: QualifiedName) throws(PostgreSQLError) -> QualifiedName {
    let schema = name.schema ?? path.first { state.catalogue.schemas[$0] != nil } ?? "public"
    guard state.catalogue.schemas[schema] != nil else {
      throw PostgreSQLError("3F000", "schema \"\(schema)\" does not exist")
    }
    return QualifiedName(schema: schema, name.name)
  }

  /// The name of a new type or relation, which share one space of names.
  func newName(_ name: QualifiedName, _ kind: String) throws(PostgreSQLError) -> QualifiedName {
    let whole = try complete(name)
    let catalogue = state.catalogue
    if kind == "type" {
      guard catalogue.enumerations[whole] == nil, catalogue.domains[whole] == nil,
        catalogue.composites[whole] == nil,
        catalogue.tables[whole] == nil
      else { throw PostgreSQLError("42710", "type \"\(name.name)\" already exists") }
    } else {
      guard catalogue.tables[whole] == nil, !catalogue.sequences.contains(whole) else {
        throw PostgreSQLError("42P07", "relation \"\(name.name)\" already exists")
      }
    }
    return whole
  }

  /// Changes the definition of a table, and its rows' indexes with it.
  func changeTable(
    _ name: QualifiedName, _ body: (inout Table) throws(PostgreSQLError) -> Void
  ) throws(PostgreSQLError) {
    var table = try state.catalogue.table(name, path)
    let before = table.lookups.map(\.columns)
    let keys = table.keys.count
    try body(&table)
    state.catalogue.tables[table.name] = table
    state.catalogue.version += 1
    if table.lookups.map(\.columns) != before || table.keys.count != keys { try indexAgain(table.name) }
  }

  /// Makes the indexes of a table again, and tests its keys.
  func indexAgain(_ name: QualifiedName) throws(PostgreSQLError) {
    state.catalogue.version += 1
    let heap = state.data[name]?.heap ?? Heap()
    state.data[name] = try writer(for: name).index(heap, self)
  }

  private func alterSettings(_ change: AlterSettings) throws(PostgreSQLError) {
    if let role = change.role {
      try checkRoles([role])
      let name = role == "current_user" ? self.role : role
      state.catalogue.roles[name]?.settings.change(change)
    } else {
      state.catalogue.settings.change(change)
    }
  }

  func checkRoles(_ names: [String]) throws(PostgreSQLError) {
    for name in names where name != "public" && name != "current_user" && state.catalogue.roles[name] == nil {
      throw PostgreSQLError("42704", "role \"\(name)\" does not exist")
    }
  }

  /// Returns a policy with the meaning of the names in its new conditions.
  private func checked(
    _ policy: CreatePolicy, _ table: Table, isNew: (using: Bool, check: Bool)
  ) throws(PostgreSQLError) -> CreatePolicy {
    switch policy.command {
    case .insert where policy.using != nil:
      throw PostgreSQLError("42601", "only WITH CHECK expression allowed for INSERT")
    case .select where policy.check != nil, .delete where policy.check != nil:
      throw PostgreSQLError("42601", "WITH CHECK cannot be applied to SELECT or DELETE")
    default: break
    }
    var policy = policy
    func names(in expression: SQLExpression) throws(PostgreSQLError) -> DefinedNames {
      let binder = ownersBinder()
      binder.recorded = DefinedNames()
      _ = try binder.condition(expression, binder.scope(of: table), "POLICY")
      var names = binder.recorded ?? DefinedNames()
      names.ownName = table.name.name
      return names
    }
    if isNew.using, let using = policy.using { policy.usingNames = try names(in: using) }
    if isNew.check, let check = policy.check { policy.checkNames = try names(in: check) }
    return policy
  }

  // MARK: - Types, sequences, views

  private func create(_ domain: CreateDomain) throws(PostgreSQLError) {
    let name = try newName(domain.name, "type")
    let (type, modifier) = try state.catalogue.type(domain.type, path)
    var made = Domain(base: type, modifier: modifier)
    for constraint in domain.constraints {
      switch constraint.kind {
      case .notNull: made.isNotNull = true
      case .defaultValue(let value): made.defaultValue = value
      case .check(let condition):
        made.checks.append(Check(name: constraint.name ?? "\(name.name)_check", condition: condition))
      default: break
      }
    }
    state.catalogue.domains[name] = made
  }

  private func alter(_ name: QualifiedName, _ change: AlterEnumeration) throws(PostgreSQLError) {
    let (type, _) = try state.catalogue.type(TypeName(name), path)
    guard case .enumeration(let whole) = type, var enumeration = state.catalogue.enumerations[whole] else {
      throw PostgreSQLError("42809", "\"\(name.name)\" is not an enum")
    }
    switch change {
    case .addValue(let label, let place, let ifNotExists):
      if enumeration.labels.contains(where: { $0.name == label }) {
        guard !ifNotExists else { return }
        throw PostgreSQLError("42710", "enum label \"\(label)\" already exists")
      }
      func index(_ other: String) throws(PostgreSQLError) -> Int {
        guard let index = enumeration.labels.firstIndex(where: { $0.name == other }) else {
          throw PostgreSQLError("22023", "\"\(other)\" is not an existing enum label")
        }
        return index
      }
      let position: Int =
        switch place {
        case nil: enumeration.labels.count
        case .before(let other): try index(other)
        case .after(let other): try index(other) + 1
        }
      let before = position > 0 ? enumeration.labels[position - 1].order : nil
      let after = position < enumeration.labels.count ? enumeration.labels[position].order : nil
      let order: Float =
        switch (before, after) {
        case (let before?, let after?): (before + after) / 2
        case (let before?, nil): before + 1
        case (nil, let after?): after - 1
        case (nil, nil): 1
        }
      enumeration.labels.insert(Enumeration.Label(name: label, order: order), at: position)
    case .renameValue(let label, let newName):
      guard let index = enumeration.labels.firstIndex(where: { $0.name == label }) else {
        throw PostgreSQLError("22023", "\"\(label)\" is not an existing enum label")
      }
      enumeration.labels[index].name = newName
      try rewriteLabels(of: whole, label, newName)
    }
    state.catalogue.enumerations[whole] = enumeration
  }

  /// Rows hold the names of labels.
  private func rewriteLabels(of type: QualifiedName, _ label: String, _ newName: String)
    throws(PostgreSQLError)
  {
    for table in state.catalogue.tables.values {
      let columns = table.columns.indices.filter {
        [.enumeration(type), .array(.enumeration(type))].contains(table.columns[$0].type)
      }
      guard !columns.isEmpty, var heap = state.data[table.name]?.heap else { continue }
      for place in heap.places {
        guard var row = heap[place] else { continue }
        for column in columns {
          row[column] = row[column].renaming(label, to: newName)
        }
        heap.replace(place, with: row)
      }
      state.data[table.name]?.heap = heap
      try indexAgain(table.name)
    }
  }

  private func create(
    _ name: QualifiedName, _ options: SequenceOptions, _ ifNotExists: Bool
  ) throws(PostgreSQLError) {
    if ifNotExists, state.catalogue.sequence(name, path) != nil { return }
    let whole = try newName(name, "relation")
    try createSequence(whole, options)
  }

  /// Makes a sequence with PostgreSQL's defaults (CREATE SEQUENCE).
  func createSequence(_ name: QualifiedName, _ options: SequenceOptions) throws(PostgreSQLError) {
    var sequence = SequenceNumbers()
    sequence.increment = options.increment ?? 1
    guard sequence.increment != 0 else { throw PostgreSQLError("22023", "INCREMENT must not be zero") }
    let greatest: Int64 =
      switch options.type?.name.name {
      case "int2": Int64(Int16.max)
      case "int4": Int64(Int32.max)
      default: Int64.max
      }
    sequence.minimum = options.minimum ?? (sequence.increment > 0 ? 1 : -greatest - 1)
    sequence.maximum = options.maximum ?? (sequence.increment > 0 ? greatest : -1)
    sequence.start = options.start ?? (sequence.increment > 0 ? sequence.minimum : sequence.maximum)
    sequence.value = options.restart ?? sequence.start
    sequence.cycles = options.cycles ?? false
    state.catalogue.sequences.insert(name)
    state.catalogue.sequencePrivileges[name] = Set(
      state.catalogue.defaultSequencePrivileges.filter { $0.schema == nil || $0.schema == name.schema }
        .map(\.privilege))
    state.sequences[name] = sequence
    try own(name, options)
  }

  private func alter(_ name: QualifiedName, _ options: SequenceOptions) throws(PostgreSQLError) {
    guard let whole = state.catalogue.sequence(name, path), var sequence = state.sequences[whole] else {
      throw Catalogue.noRelation(name)
    }
    if let increment = options.increment { sequence.increment = increment }
    if let minimum = options.minimum { sequence.minimum = minimum }
    if let maximum = options.maximum { sequence.maximum = maximum }
    if let start = options.start { sequence.start = start }
    if let cycles = options.cycles { sequence.cycles = cycles }
    if options.restarts {
      sequence.value = options.restart ?? sequence.start
      sequence.isCalled = false
    }
    state.sequences[whole] = sequence
    try own(whole, options)
  }

  private func own(_ sequence: QualifiedName, _ options: SequenceOptions) throws(PostgreSQLError) {
    guard let owner = options.ownedBy, owner.count >= 2 else { return }
    let name = owner.count > 2 ? QualifiedName(schema: owner[0], owner[1]) : QualifiedName(owner[0])
    try changeTable(name) { (table) throws(PostgreSQLError) in
      guard let column = table.column(owner[owner.count - 1]) else { return }
      table.columns[column].sequence = sequence
    }
  }

  private func create(_ view: CreateView) throws(PostgreSQLError) {
    if view.ifNotExists, state.catalogue.findTable(view.name, path) != nil { return }
    let name = view.replaces ? try complete(view.name) : try newName(view.name, "relation")
    let binder = binder()
    binder.recorded = DefinedNames()
    let plan = try binder.plan(view.query, parent: Scope(parent: nil))
    let columns = try binder.rename(plan.columns, TableAlias(name.name, columns: view.columns))
    var table = Table(
      name,
      view.isMaterialized ? .materializedView(view.query) : .view(view.query, invokes: view.securityInvoker),
      columns: columns.map { described in
        var column = Column(described.name, described.type.type, modifier: described.modifier)
        column.collation = described.collation
        return column
      })
    table.checkOption = view.checkOption
    table.names = binder.recorded ?? DefinedNames()
    if let old = state.catalogue.tables[name] {
      guard old.isView else { throw PostgreSQLError("42809", "\"\(name.name)\" is not a view") }
      table.privileges = old.privileges
      table.triggers = old.triggers
    } else {
      table.privileges = defaultPrivileges(in: name.schema)
    }
    state.catalogue.tables[name] = table
    if view.isMaterialized {
      state.data[name] = TableData()
      try refresh(name)
    }
  }

  private func refresh(_ name: QualifiedName) throws(PostgreSQLError) {
    let table = try state.catalogue.table(name, path)
    guard case .materializedView(let query) = table.kind else {
      throw PostgreSQLError("0A000", "\"\(table.name.name)\" is not a materialized view")
    }
    let binder = binder()
    binder.names = table.names
    let plan = try binder.plan(query, parent: Scope(parent: nil))
    let rows = try plan.rows(rowFrame(), rowFrame().execution)
    var heap = Heap()
    for row in rows { _ = heap.append(row) }
    state.data[table.name] = try writer(for: table.name).index(heap, self)
  }

  // MARK: - Functions and triggers

  private func create(_ function: CreateFunction) throws(PostgreSQLError) {
    let name = try complete(function.name)
    let catalogue = state.catalogue
    let parameters = try function.parameters.map { (parameter) throws(PostgreSQLError) in
      Routine.Parameter(
        name: parameter.name, type: try catalogue.type(parameter.type, path).0, mode: parameter.mode,
        defaultValue: parameter.defaultValue)
    }
    let outputs = parameters.filter { [.output, .both, .table].contains($0.mode) }
    let columns = outputs.enumerated().map {
      Function.Column($0.element.name ?? "column\($0.offset + 1)", $0.element.type)
    }
    let result: DataType
    if let declared = function.result {
      let type = try catalogue.type(declared, path).0
      result = outputs.count == 1 && type == .record ? outputs[0].type : type
    } else {
      result = outputs.isEmpty ? .void : outputs.count == 1 ? outputs[0].type : .record
    }
    let returnsSet = function.result?.isSet ?? false || parameters.contains { $0.mode == .table }
    let body: RoutineBody
    switch (function.language, function.body) {
    case ("sql", .statements(let statements)): body = .sql(statements)
    case ("sql", .source(let source)): body = .sql(try Script.parse(source))
    case ("plpgsql", .source(let source)): body = .procedure(try ProcedureParser.parse(source))
    case (let language, _): body = .foreign(language: language)
    }
    let inputs = parameters.filter { $0.mode != .output && $0.mode != .table }.map(\.type)
    var routine = Routine(
      name: name, parameters: parameters, result: result, returnsSet: returnsSet, columns: columns,
      definition: function, body: body, identity: catalogue.version, number: catalogue.version)
    var overloads = catalogue.functions[name] ?? []
    if let index = overloads.firstIndex(where: { $0.inputs.map(\.type) == inputs }) {
      guard function.replaces else {
        throw PostgreSQLError("42723", "function \"\(name.name)\" already exists with same argument types")
      }
      guard overloads[index].result == result else {
        throw PostgreSQLError(
          "42P13", "cannot change return type of existing function", hint: "Use DROP FUNCTION first.")
      }
      routine.executableBy = overloads[index].executableBy
      routine.number = overloads[index].number
      overloads[index] = routine
    } else {
      routine.executableBy = defaultCallers(in: name.schema)
      overloads.append(routine)
    }
    state.catalogue.functions[name] = overloads
  }

  private func create(_ trigger: CreateTrigger) throws(PostgreSQLError) {
    try changeTable(trigger.table) { (table) throws(PostgreSQLError) in
      if let index = table.triggers.firstIndex(where: { $0.name == trigger.name }) {
        guard trigger.replaces else {
          throw PostgreSQLError(
            "42710", "trigger \"\(trigger.name)\" for relation \"\(table.name.name)\" already exists")
        }
        table.triggers.remove(at: index)
      }
      try Self.check(trigger, on: table)
      // It stays the trigger's function when it is renamed.
      var trigger = trigger
      trigger.function = try binder().bind(trigger, of: table).routine.name
      table.triggers.append(trigger)
    }
  }

  /// Refuses what a trigger of its kind, or of a view, cannot have (trigger.c, `CreateTriggerFiringOn`).
  private static func check(_ trigger: CreateTrigger, on table: Table) throws(PostgreSQLError) {
    let isInstead = trigger.timing == .insteadOf
    if !table.isView, isInstead {
      throw PostgreSQLError(
        "42809", "\"\(table.name.name)\" is a table", detail: "Tables cannot have INSTEAD OF triggers.")
    }
    if table.isView {
      let isOfTruncate = trigger.events.contains(.truncate)
      if isOfTruncate || !isInstead && trigger.isForEachRow {
        throw PostgreSQLError(
          "42809", "\"\(table.name.name)\" is a view",
          detail: !isInstead && trigger.isForEachRow
            ? "Views cannot have row-level BEFORE or AFTER triggers." : "Views cannot have TRUNCATE triggers."
        )
      }
    }
    guard isInstead else { return }
    guard trigger.isForEachRow else {
      throw PostgreSQLError("0A000", "INSTEAD OF triggers must be FOR EACH ROW")
    }
    if trigger.condition != nil {
      throw PostgreSQLError("0A000", "INSTEAD OF triggers cannot have WHEN conditions")
    }
    let hasColumns = trigger.events.contains { event in
      if case .update(let columns) = event { !columns.isEmpty } else { false }
    }
    if hasColumns { throw PostgreSQLError("0A000", "INSTEAD OF triggers cannot have column lists") }
  }

  // MARK: - Publications, COPY, TRUNCATE

  private func resolve(_ tables: PublicationTables) throws(PostgreSQLError) -> PublicationTables {
    guard case .tables(let names) = tables else { return tables }
    return .tables(
      try names.map { (name) throws(PostgreSQLError) in try state.catalogue.table(name, path).name })
  }

  private func alterPublication(_ name: String, _ change: AlterPublication) throws(PostgreSQLError) {
    guard let publication = state.catalogue.publications[name] else {
      throw PostgreSQLError("42704", "publication \"\(name)\" does not exist")
    }
    var tables: [QualifiedName]
    switch publication {
    case .all:
      throw PostgreSQLError("55000", "publication \"\(name)\" is defined as FOR ALL TABLES")
    case .tables(let names): tables = names
    }
    func whole(_ names: [QualifiedName]) throws(PostgreSQLError) -> [QualifiedName] {
      try names.map { (name) throws(PostgreSQLError) in try state.catalogue.table(name, path).name }
    }
    switch change {
    case .add(let names):
      for table in try whole(names) {
        guard !tables.contains(table) else {
          throw PostgreSQLError(
            "42710", "relation \"\(table.name)\" is already member of publication \"\(name)\"")
        }
        tables.append(table)
      }
    case .drop(let names):
      let gone = try whole(names)
      tables.removeAll { gone.contains($0) }
    case .set(let names): tables = try whole(names)
    }
    state.catalogue.publications[name] = .tables(tables)
  }

  private func run(_ copy: Copy) throws(PostgreSQLError) -> Int {
    let table = try state.catalogue.table(copy.table, path)
    let columns = copy.columns.isEmpty ? table.columns.map(\.name) : copy.columns
    var affected = 0
    // Whole batches at a time, so that the tree of a statement stays small.
    for start in stride(from: 0, to: copy.rows.count, by: 500) {
      let rows = copy.rows[start..<min(start + 500, copy.rows.count)].map { row in
        row.map { $0.map(SQLExpression.string) ?? .null }
      }
      let insert = Insert(
        into: table.name, columns: columns, overriding: .system, .query(Query(.values(rows))))
      affected += try run(.insert(insert)).affected
    }
    return affected
  }

  private func truncate(
    _ names: [QualifiedName], restartsIdentity: Bool, cascades: Bool
  ) throws(PostgreSQLError) {
    var tables = try names.map { (name) throws(PostgreSQLError) in try state.catalogue.table(name, path) }
    var index = 0
    while index < tables.count {
      let table = tables[index]
      index += 1
      try binder().require(.truncate, on: table)
      for other in state.catalogue.tables.values
      where other.foreignKeys.contains(where: { $0.table == table.name })
        && !tables.contains(where: { $0.name == other.name })
      {
        guard cascades else {
          throw PostgreSQLError(
            "0A000", "cannot truncate a table referenced in a foreign key constraint",
            detail: "Table \"\(other.name.name)\" references \"\(table.name.name)\".",
            hint: "Truncate table \"\(other.name.name)\" at the same time, or use TRUNCATE ... CASCADE.")
        }
        tables.append(other)
      }
    }
    for table in tables {
      state.data[table.name] = try writer(for: table.name).index(Heap(), self)
      guard restartsIdentity else { continue }
      for sequence in table.columns.compactMap(\.sequence) {
        if let start = state.sequences[sequence]?.start {
          state.sequences[sequence] = SequenceNumbers(start: start)
        }
      }
    }
  }
}

extension Value {
  /// The value with another name for a label of its enumeration.
  fileprivate func renaming(_ label: String, to newName: String) -> Value {
    switch self {
    case .label(label, let order): .label(newName, order: order)
    case .array(let array):
      .array(
        ArrayValue(
          dimensions: array.dimensions, elements: array.elements.map { $0.renaming(label, to: newName) }))
    default: self
    }
  }
}

extension [String: String] {
  /// Changes the settings that sessions begin with.
  fileprivate mutating func change(_ change: AlterSettings) {
    if let name = change.name { self[name] = change.value } else { removeAll() }
  }
}
