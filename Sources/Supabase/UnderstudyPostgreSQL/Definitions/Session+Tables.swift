extension Session {
  func create(_ created: CreateTable) throws(PostgreSQLError) {
    if created.ifNotExists, let schema = created.name.schema ?? path.first,
      state.catalogue.tables[QualifiedName(schema: schema, created.name.name)] != nil
    {
      return
    }
    if let parent = created.partitionOf {
      let parent = try state.catalogue.table(parent, path)
      return try add(created.bounds, to: parent, as: newName(created.name, "relation"))
    }
    guard created.inherits.isEmpty else { throw PostgreSQLError.notSupported("INHERITS") }
    let name = try newName(created.name, "relation")
    var table = Table(name, columns: [])
    table.privileges = defaultPrivileges(in: name.schema)
    state.catalogue.tables[name] = table
    var constraints: [TableConstraint] = []
    for element in created.elements {
      switch element {
      case .column(let column): constraints += try add(column, to: &table)
      case .constraint(let constraint): constraints.append(constraint)
      case .like(let other, let includesAll):
        let copied = try state.catalogue.table(other, path)
        for column in copied.columns {
          var column = column
          if !includesAll { (column.defaultValue, column.generated, column.identity) = (nil, nil, nil) }
          table.columns.append(column)
        }
        if includesAll {
          table.checks += copied.checks
          for key in copied.keys {
            var key = key
            key.name = unusedName(name.name, nil, key.isPrimary ? "pkey" : "key", table)
            table.keys.append(key)
          }
        }
      }
      state.catalogue.tables[name] = table
    }
    // Constraints follow the columns: first the checks, then the keys, of which the primary one is first, then what
    // refers to other tables (parse_utilcmd.c, transformCreateStmt).
    for rank in 0...3 {
      for constraint in constraints where constraint.kind.rank == rank { try add(constraint, to: &table) }
    }
    table.partitioning = created.partitionKey.map { Partitioning(key: $0) }
    try finish(table)
  }

  /// Adds a partition, whose rows are in the partitioned table.
  private func add(
    _ bounds: PartitionBounds?, to parent: Table, as name: QualifiedName
  ) throws(PostgreSQLError) {
    guard var partitioning = parent.partitioning else {
      throw PostgreSQLError("42P17", "\"\(parent.name.name)\" is not partitioned")
    }
    partitioning.partitions[name] = bounds?.condition(on: partitioning.key) ?? .boolean(true)
    var parent = parent
    parent.partitioning = partitioning
    try finish(parent)
  }

  /// Stores a table's definition, after its expressions were tested.
  func finish(_ table: Table) throws(PostgreSQLError) {
    state.catalogue.tables[table.name] = table
    state.catalogue.version += 1
    let binder = ownersBinder()
    for column in table.columns.indices where table.columns[column].defaultValue != nil {
      _ = try binder.defaultValue(of: column, table)
    }
    try indexAgain(table.name)
  }

  func create(
    _ name: QualifiedName, _ columns: [String], _ query: Query, _ ifNotExists: Bool
  ) throws(PostgreSQLError) -> Int {
    if ifNotExists, state.catalogue.findTable(name, path) != nil { return 0 }
    let whole = try newName(name, "relation")
    let result = try run(.query(query))
    var table = Table(whole, columns: result.columns.map { Column($0.name, $0.type.type) })
    for (index, name) in columns.enumerated() where index < table.columns.count {
      table.columns[index].name = name
    }
    table.privileges = defaultPrivileges(in: whole.schema)
    var data = TableData()
    for row in result.rows { _ = data.heap.append(row) }
    state.data[whole] = data
    try finish(table)
    return result.rows.count
  }

  // MARK: - Columns and constraints

  private static let serials: [String: (DataType, String)] = [
    "serial": (.integer, "int4"), "serial4": (.integer, "int4"), "bigserial": (.bigint, "int8"),
    "serial8": (.bigint, "int8"), "smallserial": (.smallint, "int2"), "serial2": (.smallint, "int2"),
  ]

  /// Adds a column, and returns its constraints, which may name later columns.
  private func add(
    _ definition: ColumnDefinition, to table: inout Table
  ) throws(PostgreSQLError) -> [TableConstraint] {
    guard table.column(definition.name) == nil else {
      throw PostgreSQLError("42701", "column \"\(definition.name)\" specified more than once")
    }
    let sequenceName = QualifiedName(schema: table.name.schema, "\(table.name.name)_\(definition.name)_seq")
    var column: Column
    if definition.type.name.schema == nil, let (type, name) = Self.serials[definition.type.name.name] {
      column = Column(definition.name, type)
      column.isNotNull = true
      column.sequence = sequenceName
      column.defaultValue = Self.nextValue(of: sequenceName)
      try createSequence(sequenceName, SequenceOptions(type: TypeName(QualifiedName(name))))
    } else {
      let (type, modifier) = try state.catalogue.type(definition.type, path)
      guard type != .void, type != .trigger, type != .any else {
        throw PostgreSQLError("42P16", "column \"\(definition.name)\" has pseudo-type \(type.displayName)")
      }
      column = Column(definition.name, type, modifier: modifier)
      column.collation = definition.collation.flatMap(Collation.init)
    }
    var later: [TableConstraint] = []
    for constraint in definition.constraints {
      switch constraint.kind {
      case .notNull: column.isNotNull = true
      case .null: break
      case .defaultValue(let value): column.defaultValue = value == .null ? nil : value
      case .generated(let expression): column.generated = expression
      case .identity(let kind, let options):
        column.identity = kind
        column.isNotNull = true
        column.sequence = sequenceName
        var options = options
        options.type = options.type ?? definition.type
        try createSequence(sequenceName, options)
      case .check(let condition): later.append(TableConstraint(.check(condition), name: constraint.name))
      case .unique(let nullsNotDistinct):
        later.append(
          TableConstraint(
            .unique([definition.name], nullsNotDistinct: nullsNotDistinct), name: constraint.name))
      case .primaryKey: later.append(TableConstraint(.primaryKey([definition.name]), name: constraint.name))
      case .references(let references):
        later.append(TableConstraint(.foreignKey([definition.name], references), name: constraint.name))
      }
    }
    table.columns.append(column)
    return later
  }

  private static func nextValue(of sequence: QualifiedName) -> SQLExpression {
    .call(Call(QualifiedName("nextval"), [Call.Argument(.string(sequence.sql))]))
  }

  func add(_ constraint: TableConstraint, to table: inout Table) throws(PostgreSQLError) {
    func exists(_ columns: [String]) throws(PostgreSQLError) {
      for column in columns where table.column(column) == nil {
        throw PostgreSQLError("42703", "column \"\(column)\" named in key does not exist")
      }
    }
    // A key that takes over an index may have its name.
    let takesOver = if case .usingIndex(constraint.name, _) = constraint.kind { true } else { false }
    if let name = constraint.name, !takesOver, names(of: table).contains(name) {
      throw PostgreSQLError(
        "42710", "constraint \"\(name)\" for relation \"\(table.name.name)\" already exists")
    }
    let base = table.name.name
    switch constraint.kind {
    case .check(let condition):
      let columns = Set(condition.columnNames.filter { table.column($0) != nil })
      let middle = columns.count == 1 ? columns.first : nil
      table.checks.append(
        Check(name: constraint.name ?? unusedName(base, middle, "check", table), condition: condition))
    case .unique(let columns, let nullsNotDistinct):
      try exists(columns)
      table.keys.append(
        Key(
          name: constraint.name ?? unusedName(base, columns.joined(separator: "_"), "key", table),
          expressions: columns.map { .name([$0]) }, nullsNotDistinct: nullsNotDistinct))
    case .primaryKey(let columns):
      try exists(columns)
      guard table.primaryKey == nil else {
        throw PostgreSQLError("42P16", "multiple primary keys for table \"\(base)\" are not allowed")
      }
      for column in columns.compactMap(table.column) { table.columns[column].isNotNull = true }
      table.keys.append(
        Key(
          name: constraint.name ?? unusedName(base, nil, "pkey", table),
          expressions: columns.map { .name([$0]) },
          isPrimary: true))
    case .foreignKey(let columns, let references):
      try exists(columns)
      table.foreignKeys.append(try foreignKey(constraint.name, columns, references, table))
    case .exclude: throw PostgreSQLError.notSupported("EXCLUDE")
    case .usingIndex(let name, let isPrimaryKey):
      guard let index = table.keys.firstIndex(where: { $0.name == name }) else {
        throw PostgreSQLError("42704", "index \"\(name)\" does not exist")
      }
      table.keys[index].isIndex = false
      table.keys[index].isPrimary = isPrimaryKey
      if let own = constraint.name { table.keys[index].name = own }
      if isPrimaryKey {
        for column in table.keys[index].columns(of: table) ?? [] { table.columns[column].isNotNull = true }
      }
    }
  }

  private func foreignKey(
    _ name: String?, _ columns: [String], _ references: References, _ table: Table
  ) throws(PostgreSQLError) -> ForeignKey {
    let isOwn =
      references.table.name == table.name.name
      && (references.table.schema ?? table.name.schema) == table.name.schema
    let target = isOwn ? table : try state.catalogue.table(references.table, path)
    var referenced = references.columns
    if referenced.isEmpty {
      guard let key = target.primaryKey, let positions = key.columns(of: target) else {
        throw PostgreSQLError("42704", "there is no primary key for referenced table \"\(target.name.name)\"")
      }
      referenced = positions.map { target.columns[$0].name }
    }
    guard referenced.count == columns.count else {
      throw PostgreSQLError("42830", "number of referencing and referenced columns for foreign key disagree")
    }
    for column in referenced where target.column(column) == nil {
      throw PostgreSQLError(
        "42703", "column \"\(column)\" referenced in foreign key constraint does not exist")
    }
    let positions = referenced.compactMap(target.column)
    guard
      let key = target.keys.compactMap({ $0.filter == nil ? $0.columns(of: target) : nil }).first(where: {
        Set($0) == Set(positions)
      })
    else {
      throw PostgreSQLError(
        "42830",
        "there is no unique constraint matching given keys for referenced table \"\(target.name.name)\"")
    }
    // In the order of the key, by whose index the row is found.
    let pairs = zip(columns, positions).sorted {
      (key.firstIndex(of: $0.1) ?? 0) < (key.firstIndex(of: $1.1) ?? 0)
    }
    for (column, position) in pairs {
      let own = state.catalogue.base(of: table.columns[table.column(column) ?? 0].type)
      let other = state.catalogue.base(of: target.columns[position].type)
      guard own == other || Cast.find(from: own, to: other)?.context == .implicit else {
        let name = name ?? "\(table.name.name)_\(columns.joined(separator: "_"))_fkey"
        throw PostgreSQLError(
          "42804", "foreign key constraint \"\(name)\" cannot be implemented",
          detail:
            "Key columns \"\(column)\" and \"\(target.columns[position].name)\" are of incompatible types:"
            + " \(own.displayName) and \(other.displayName).")
      }
    }
    state.catalogue.lastForeignKey += 1
    return ForeignKey(
      number: state.catalogue.lastForeignKey,
      declared: zip(columns, referenced).map { ($0, $1) },
      name: name ?? unusedName(table.name.name, columns.joined(separator: "_"), "fkey", table),
      columns: pairs.map(\.0), table: target.name, referenced: pairs.map { target.columns[$0.1].name },
      onDelete: references.onDelete, onUpdate: references.onUpdate, matchesFull: references.matchesFull,
      isDeferrable: references.isDeferrable, isInitiallyDeferred: references.isInitiallyDeferred)
  }

  private func names(of table: Table) -> Set<String> {
    Set(
      table.checks.map(\.name) + table.keys.map(\.name) + table.foreignKeys.map(\.name)
        + table.indexes.map(\.name))
  }

  /// A name of parts, with a number if it is taken (indexcmds.c, ChooseRelationName).
  func unusedName(_ table: String, _ columns: String?, _ label: String, _ described: Table) -> String {
    let taken = names(of: described)
    var candidate = Self.name(table, columns, label)
    var number = 0
    while taken.contains(candidate) {
      number += 1
      candidate = Self.name(table, columns, label + String(number))
    }
    return candidate
  }

  /// The parts, shortened to 63 bytes at the cost of the longer one (indexcmds.c, makeObjectName).
  private static func name(_ table: String, _ columns: String?, _ label: String) -> String {
    let available = 63 - label.utf8.count - (columns == nil ? 1 : 2)
    var (first, second) = (table.utf8.count, columns?.utf8.count ?? 0)
    while first + second > available {
      if first > second { first -= 1 } else { second -= 1 }
    }
    return [table.prefix(bytes: first), columns?.prefix(bytes: second), label].compactMap { $0 }.joined(
      separator: "_")
  }

  // MARK: - Indexes

  func create(_ index: CreateIndex) throws(PostgreSQLError) {
    let table = try state.catalogue.table(index.table, path)
    let parts = index.keys.map { key in
      if case .name(let path) = key.expression {
        path.last ?? "expr"
      } else if case .call(let call) = key.expression {
        call.name.name
      } else {
        "expr"
      }
    }
    let name = index.name ?? unusedName(table.name.name, parts.joined(separator: "_"), "idx", table)
    let existing = state.catalogue.tables.values.contains {
      $0.name.schema == table.name.schema
        && ($0.indexes.contains { $0.name == name } || $0.keys.contains { $0.name == name })
    }
    if existing {
      if index.ifNotExists { return }
      throw PostgreSQLError("42P07", "relation \"\(name)\" already exists")
    }
    try changeTable(table.name) { (table) throws(PostgreSQLError) in
      let expressions = index.keys.map(\.expression)
      let binder = ownersBinder()
      // An operator class that is not known makes no difference; an expression that is wrong does.
      for expression in expressions { _ = try binder.bind(expression, binder.scope(of: table)) }
      if index.isUnique {
        table.keys.append(
          Key(
            name: name, expressions: expressions, isIndex: true, nullsNotDistinct: index.nullsNotDistinct,
            filter: index.filter))
      } else {
        table.indexes.append(Index(name: name, expressions: index.filter == nil ? expressions : []))
      }
    }
  }

  // MARK: - ALTER TABLE

  func alter(
    _ name: QualifiedName, _ ifExists: Bool, _ actions: [AlterTableAction], _ result: inout StatementResult
  ) throws(PostgreSQLError) {
    guard state.catalogue.findTable(name, path) != nil else {
      if ifExists { return }
      throw Catalogue.noRelation(name)
    }
    for action in actions {
      if case .ignored(let what) = action {
        result.ignored = what
        continue
      }
      let table = try state.catalogue.table(name, path)
      try alter(table, action)
    }
  }

  private func column(_ name: String, _ table: Table) throws(PostgreSQLError) -> Int {
    guard let column = table.column(name) else {
      throw PostgreSQLError("42703", "column \"\(name)\" of relation \"\(table.name.name)\" does not exist")
    }
    return column
  }

  private func alter(_ original: Table, _ action: AlterTableAction) throws(PostgreSQLError) {
    var table = original
    switch action {
    case .addColumn(let definition, let ifNotExists):
      if table.column(definition.name) != nil {
        if ifNotExists { return }
        throw PostgreSQLError(
          "42701", "column \"\(definition.name)\" of relation \"\(table.name.name)\" already exists")
      }
      for constraint in try add(definition, to: &table) { try add(constraint, to: &table) }
      try addValues(of: table.columns.count - 1, table)
    case .dropColumn(let name, let ifExists, let cascades):
      guard let index = table.column(name) else {
        if ifExists { return }
        throw PostgreSQLError("42703", "column \"\(name)\" of relation \"\(table.name.name)\" does not exist")
      }
      try dropColumn(index, &table, cascades: cascades)
      return
    case .renameColumn(let old, let new): try renameColumn(column(old, table), to: new, &table)
    case .setType(let name, let type, let collation, let using):
      let index = try column(name, table)
      try setType(index, type, using, &table)
      // Without the clause the column has the type's own collation again.
      table.columns[index].collation = collation.flatMap(Collation.init)
      try checkRows(of: table)
    case .setDefault(let name, let value):
      let index = try column(name, table)
      table.columns[index].defaultValue = value == .null ? nil : value
      if value == nil { table.columns[index].sequence = nil }
    case .setNotNull(let name, let isNotNull):
      let index = try column(name, table)
      table.columns[index].isNotNull = isNotNull
      if isNotNull { try checkNotNull(index, table) }
    case .addIdentity(let name, let kind, let options):
      let index = try column(name, table)
      let sequence = QualifiedName(schema: table.name.schema, "\(table.name.name)_\(name)_seq")
      table.columns[index].identity = kind
      table.columns[index].isNotNull = true
      table.columns[index].sequence = sequence
      try createSequence(sequence, options)
    case .dropIdentity(let name, _):
      let index = try column(name, table)
      table.columns[index].identity = nil
      table.columns[index].sequence = nil
    case .dropExpression(let name, _): table.columns[try column(name, table)].generated = nil
    case .addConstraint(let constraint):
      try add(constraint, to: &table)
      try finish(table)
      if !constraint.isNotValid { try checkRows(of: table, constraint) }
      return
    case .dropConstraint(let name, let ifExists, _):
      guard names(of: table).contains(name) else {
        if ifExists { return }
        throw PostgreSQLError(
          "42704", "constraint \"\(name)\" of relation \"\(table.name.name)\" does not exist")
      }
      table.checks.removeAll { $0.name == name }
      table.keys.removeAll { $0.name == name }
      table.foreignKeys.removeAll { $0.name == name }
    case .renameConstraint(let old, let new):
      for index in table.checks.indices where table.checks[index].name == old {
        table.checks[index].name = new
      }
      for index in table.keys.indices where table.keys[index].name == old { table.keys[index].name = new }
      for index in table.foreignKeys.indices where table.foreignKeys[index].name == old {
        table.foreignKeys[index].name = new
      }
    case .validateConstraint: break
    case .rowLevelSecurity(let change):
      switch change {
      case .enable: table.isSecured = true
      case .disable: table.isSecured = false
      case .force: table.isForced = true
      case .noForce: table.isForced = false
      }
    case .setTrigger(let name, let isEnabled):
      if !isEnabled {
        let disabled = table.triggers.filter { name == nil || $0.name == name }
        table.triggers.removeAll { trigger in disabled.contains(trigger) }
        table.disabledTriggers += disabled
      } else {
        let enabled = table.disabledTriggers.filter { name == nil || $0.name == name }
        table.disabledTriggers.removeAll { trigger in enabled.contains(trigger) }
        table.triggers += enabled
      }
    case .securityInvoker(let isInvoker):
      guard case .view(let query, _) = table.kind else { break }
      table.kind = .view(query, invokes: isInvoker)
      state.catalogue.tables[table.name] = table
      return
    case .replicaIdentity(let what): table.replicatesWholeRows = what == "full"
    case .attachPartition(let name, let bounds):
      let partition = try state.catalogue.table(name, path)
      guard state.data[partition.name]?.heap.places.isEmpty != false else {
        throw .notSupported("ATTACH PARTITION of a table with rows")
      }
      try finish(table)
      var result = StatementResult()
      try drop(Drop(.table, [partition.name]), &result)
      return try add(bounds, to: state.catalogue.table(table.name, path), as: partition.name)
    case .ignored: break
    }
    try finish(table)
  }

  /// Gives the rows that exist a value for a new column.
  private func addValues(of column: Int, _ table: Table) throws(PostgreSQLError) {
    state.catalogue.tables[table.name] = table
    state.catalogue.version += 1
    guard var heap = state.data[table.name]?.heap, heap.count > 0 else { return }
    let binder = ownersBinder()
    let frame = rowFrame()
    let described = table.columns[column]
    var value = try binder.defaultValue(of: column, table)
    if let expression = described.generated {
      value = try binder.coerce(
        binder.bind(expression, binder.scope(of: table)), to: described.type, modifier: described.modifier,
        .assignment)
    }
    for place in heap.places {
      guard var row = heap[place] else { continue }
      frame.rows[0] = row + [.null]
      row.append(try value.evaluate(frame))
      heap.replace(place, with: row)
    }
    state.data[table.name]?.heap = heap
    if described.isNotNull { try checkNotNull(column, table) }
  }

  private func checkNotNull(_ column: Int, _ table: Table) throws(PostgreSQLError) {
    try state.data[table.name]?.heap.forEach { _, row throws(PostgreSQLError) in
      guard !row[column].isNull else {
        throw PostgreSQLError(
          "23502",
          "column \"\(table.columns[column].name)\" of relation \"\(table.name.name)\" contains null values")
      }
      return true
    }
  }

  /// Tests the rows that exist against all checks, whose meaning may be another one for a changed column.
  private func checkRows(of table: Table) throws(PostgreSQLError) {
    guard !table.checks.isEmpty else { return }
    state.catalogue.tables[table.name] = table
    state.catalogue.version += 1
    let writer = try writer(for: table.name)
    let frame = rowFrame()
    try state.data[table.name]?.heap.forEach { _, row throws(PostgreSQLError) in
      guard let name = try writer.violatedCheck(row, frame) else { return true }
      throw PostgreSQLError(
        "23514", "check constraint \"\(name)\" of relation \"\(table.name.name)\" is violated by some row")
    }
  }

  /// Tests the rows that exist against a new constraint.
  ///
  /// Keys are tested with their index.
  private func checkRows(of table: Table, _ constraint: TableConstraint) throws(PostgreSQLError) {
    let writer = try writer(for: table.name)
    let frame = rowFrame()
    try state.data[table.name]?.heap.forEach { _, row throws(PostgreSQLError) in
      switch constraint.kind {
      case .check:
        do throws(PostgreSQLError) {
          try writer.check(row, frame, self)
        } catch {
          guard error.code == "23514", let name = table.checks.last?.name else { throw error }
          throw PostgreSQLError(
            "23514", "check constraint \"\(name)\" of relation \"\(table.name.name)\" is violated by some row"
          )
        }
      case .foreignKey:
        if let key = writer.outgoing.last { try checkReference(key, row, writer) }
      case .primaryKey(let columns):
        for column in columns.compactMap(table.column) { try checkNotNull(column, table) }
      default: break
      }
      return true
    }
  }

  private func dropColumn(_ index: Int, _ table: inout Table, cascades: Bool) throws(PostgreSQLError) {
    let name = table.columns[index].name
    func mentions(_ expression: SQLExpression) -> Bool { expression.columnNames.contains(name) }
    let dependents = state.catalogue.tables.values.filter { other in
      if case .view(let query, _) = other.kind, other.names.means(table.name) {
        query.sql.contains(other.names.written(name, of: table.name))
      } else {
        false
      }
    }
    if let view = dependents.first {
      guard cascades else {
        throw PostgreSQLError(
          "2BP01",
          "cannot drop column \(name) of table \(table.name.name) because other objects depend on it",
          detail: "view \(view.name.name) depends on column \(name) of table \(table.name.name)",
          hint: "Use DROP ... CASCADE to drop the dependent objects too.")
      }
      for view in dependents { state.catalogue.tables[view.name] = nil }
    }
    table.keys.removeAll { $0.expressions.contains(where: mentions) || $0.filter.map(mentions) ?? false }
    table.indexes.removeAll { $0.expressions.contains(where: mentions) }
    table.checks.removeAll { mentions($0.condition) }
    table.foreignKeys.removeAll { $0.columns.contains(name) }
    let own = table.name
    func depends(_ policy: CreatePolicy) -> Bool {
      policy.using?.columnNames.contains(policy.usingNames.written(name, of: own)) == true
        || policy.check?.columnNames.contains(policy.checkNames.written(name, of: own)) == true
    }
    if cascades {
      table.policies.removeAll(where: depends)
    } else if let policy = table.policies.first(where: {
      depends($0)
    }) {
      throw PostgreSQLError(
        "2BP01", "cannot drop column \(name) of table \(table.name.name) because other objects depend on it",
        detail:
          "policy \(policy.name) on table \(table.name.name) depends on column \(name) of table \(table.name.name)",
        hint: "Use DROP ... CASCADE to drop the dependent objects too.")
    }
    if let sequence = table.columns[index].sequence {
      removeSequence(sequence)
    }
    table.columns.remove(at: index)
    if var heap = state.data[table.name]?.heap {
      for place in heap.places {
        guard var row = heap[place] else { continue }
        row.remove(at: index)
        heap.replace(place, with: row)
      }
      state.data[table.name]?.heap = heap
    }
    for other in state.catalogue.tables.values where other.name != table.name {
      if other.foreignKeys.contains(where: { $0.table == table.name && $0.referenced.contains(name) }) {
        state.catalogue.tables[other.name]?.foreignKeys.removeAll {
          $0.table == table.name && $0.referenced.contains(name)
        }
      }
    }
    try finish(table)
  }

  private func renameColumn(_ index: Int, to new: String, _ table: inout Table) throws(PostgreSQLError) {
    let old = table.columns[index].name
    guard table.column(new) == nil else {
      throw PostgreSQLError("42701", "column \"\(new)\" of relation \"\(table.name.name)\" already exists")
    }
    table.columns[index].name = new
    func renamed(_ expression: SQLExpression) -> SQLExpression { expression.renaming(column: old, to: new) }
    for position in table.columns.indices {
      table.columns[position].generated = table.columns[position].generated.map(renamed)
    }
    for position in table.checks.indices {
      table.checks[position].condition = renamed(table.checks[position].condition)
    }
    for position in table.keys.indices {
      table.keys[position].expressions = table.keys[position].expressions.map(renamed)
      table.keys[position].filter = table.keys[position].filter.map(renamed)
    }
    for position in table.indexes.indices {
      table.indexes[position].expressions = table.indexes[position].expressions.map(renamed)
    }
    table.partitioning?.rename(renamed)
    let whole = table.name
    table.changeNames { $0.rename(column: old, to: new, of: whole) }
    for name in state.catalogue.tables.keys where name != whole {
      state.catalogue.tables[name]?.changeNames { $0.rename(column: old, to: new, of: whole) }
    }
    for position in table.foreignKeys.indices {
      table.foreignKeys[position].columns = table.foreignKeys[position].columns.map { $0 == old ? new : $0 }
      for pair in table.foreignKeys[position].declared.indices
      where table.foreignKeys[position].declared[pair].column == old {
        table.foreignKeys[position].declared[pair].column = new
      }
    }
    for other in state.catalogue.tables.values {
      for (position, key) in other.foreignKeys.enumerated() where key.table == table.name {
        var key = other.name == table.name ? table.foreignKeys[position] : key
        key.referenced = key.referenced.map { $0 == old ? new : $0 }
        for pair in key.declared.indices where key.declared[pair].referenced == old {
          key.declared[pair].referenced = new
        }
        if other.name == table.name {
          table.foreignKeys[position] = key
        } else {
          state.catalogue.tables[other.name]?.foreignKeys[position] = key
        }
      }
    }
  }

  private func setType(
    _ index: Int, _ type: TypeName, _ using: SQLExpression?, _ table: inout Table
  ) throws(PostgreSQLError) {
    let (wanted, modifier) = try state.catalogue.type(type, path)
    let binder = ownersBinder()
    let scope = binder.scope(of: table)
    let name = table.columns[index].name
    if let user = table.columns.first(where: { $0.generated?.columnNames.contains(name) ?? false }) {
      throw PostgreSQLError(
        "0A000", "cannot alter type of a column used by a generated column",
        detail: "Column \"\(name)\" is used by generated column \"\(user.name)\".")
    }
    var value = scope.column(0, index, depth: 0)
    if let using { value = try binder.bind(using, scope) }
    let converted = try binder.coerce(value, to: wanted, modifier: modifier, .assignment) { _ in
      PostgreSQLError(
        "42804", "column \"\(name)\" cannot be cast automatically to type \(binder.name(of: wanted))",
        hint: "You might need to specify \"USING \(name)::\(binder.name(of: wanted))\".")
    }
    if var heap = state.data[table.name]?.heap {
      let frame = rowFrame()
      for place in heap.places {
        guard var row = heap[place] else { continue }
        frame.rows[0] = row
        row[index] = try converted.evaluate(frame)
        heap.replace(place, with: row)
      }
      state.data[table.name]?.heap = heap
    }
    table.columns[index].type = wanted
    table.columns[index].modifier = modifier
  }

}

extension SQLExpression {
  /// The last parts of all names in it, also of queries inside where they are simple.
  var columnNames: [String] {
    if case .name(let path) = self, let last = path.last { return [last] }
    return children.flatMap(\.columnNames)
  }

  /// The expression with another name for a column of its table.
  func renaming(column old: String, to new: String) -> SQLExpression {
    mapping { expression in
      guard case .name(var path) = expression, path.last == old else { return expression }
      path[path.count - 1] = new
      return .name(path)
    }
  }

  /// The expression with each part, not those in queries, replaced from the inside out.
  func mapping(_ change: (SQLExpression) -> SQLExpression) -> SQLExpression {
    func map(_ expression: SQLExpression) -> SQLExpression { expression.mapping(change) }
    let mapped: SQLExpression =
      switch self {
      case .null, .boolean, .number, .string, .parameter, .name, .wildcard, .defaultValue, .exists, .subquery,
        .arrayQuery:
        self
      case .prefix(let symbol, let operand): .prefix(symbol, map(operand))
      case .infix(let symbol, let left, let right): .infix(symbol, map(left), map(right))
      case .and(let operands): .and(operands.map(map))
      case .or(let operands): .or(operands.map(map))
      case .not(let operand): .not(map(operand))
      case .isTest(let operand, let test, let negated): .isTest(map(operand), test, negated: negated)
      case .isDistinct(let left, let right, let negated): .isDistinct(map(left), map(right), negated: negated)
      case .between(let operand, let low, let high, let symmetric, let negated):
        .between(map(operand), map(low), map(high), symmetric: symmetric, negated: negated)
      case .inList(let operand, let list, let negated): .inList(map(operand), list.map(map), negated: negated)
      case .inQuery(let operand, let query, let negated): .inQuery(map(operand), query, negated: negated)
      case .quantified(let operand, let symbol, let quantifier, .array(let array)):
        .quantified(map(operand), operator: symbol, quantifier, .array(map(array)))
      case .quantified(let operand, let symbol, let quantifier, .query(let query)):
        .quantified(map(operand), operator: symbol, quantifier, .query(query))
      case .array(let elements): .array(elements.map(map))
      case .row(let fields): .row(fields.map(map))
      case .cast(let operand, let type): .cast(map(operand), type)
      case .call(var call):
        {
          for index in call.arguments.indices {
            call.arguments[index].value = map(call.arguments[index].value)
          }
          call.filter = call.filter.map(map)
          return .call(call)
        }()
      case .conditional(var conditional):
        {
          conditional.operand = conditional.operand.map(map)
          conditional.branches = conditional.branches.map { .init(map($0.condition), map($0.result)) }
          conditional.otherwise = conditional.otherwise.map(map)
          return .conditional(conditional)
        }()
      case .element(let operand, var index):
        {
          index.lower = index.lower.map(map)
          index.upper = index.upper.map(map)
          return .element(map(operand), index)
        }()
      case .field(let operand, let name): .field(map(operand), name)
      case .collate(let operand, let collation): .collate(map(operand), collation)
      }
    return change(mapped)
  }
}

extension TableConstraint.Kind {
  /// The place of the kind among the constraints of a new table.
  fileprivate var rank: Int {
    switch self {
    case .check: 0
    case .primaryKey: 1
    case .unique, .exclude, .usingIndex: 2
    case .foreignKey: 3
    }
  }
}
