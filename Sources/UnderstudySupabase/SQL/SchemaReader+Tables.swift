import UnderstudyHTTP

extension SchemaReader {
  mutating func createTable() throws(SQLProblem) {
    let start = max(0, parser.position - 2)
    let ifNotExists = parser.skip("if", "not", "exists")
    let here = parser.location
    let name = try parser.qualifiedName("a table")
    if tables.contains(where: { $0.name == name }) || name == "auth.users" {
      if ifNotExists { return parser.skipStatement() }
      throw parser.problem(
        "the table \(name) already exists.",
        name == "auth.users" || Self.draftsOfStorage.contains { $0.name == name }
          ? "The table is predefined; remove the statement." : "Remove one of them.",
        at: here)
    }
    var table = TableDraft(name: name, start: start)
    guard parser.skip(symbol: "(") else { throw parser.unexpected("\"(\" and the columns") }
    if !parser.isNext(symbol: ")") {
      repeat {
        if TableDraft.constraintWords.contains(where: { parser.isNext($0) }) {
          try tableConstraint(of: &table)
        } else {
          try column(of: &table)
        }
      } while parser.skip(symbol: ",")
    }
    try parser.expect(symbol: ")")
    // PostgreSQL creates the primary key before the other keys, regardless of their order in the statement.
    table.keys = table.keys.filter(\.isPrimary) + table.keys.filter { !$0.isPrimary }
    tables.append(table)
    try finish(tables.count - 1)
  }

  private mutating func column(of table: inout TableDraft) throws(SQLProblem) {
    let start = parser.location
    if parser.isNext("like") {
      throw parser.problem("LIKE is not supported.", "Write the columns.")
    }
    let name = try parser.name("the name of a column")
    guard table.column(name) == nil else {
      throw parser.problem(
        "the column \(name) already exists.", "Give one of them another name.", at: start)
    }
    table.columns.append(TableDraft.ColumnDraft(name: name, type: try parser.columnType()))
    while try columnConstraint(of: &table) {}
  }

  /// Parses a constraint after the type of a column, and returns whether it exists.
  private mutating func columnConstraint(of table: inout TableDraft) throws(SQLProblem) -> Bool {
    let place = table.columns.count - 1
    let column = table.columns[place].name
    let name = parser.skip("constraint") ? try parser.name("the name of a constraint") : nil
    let start = parser.location
    if parser.skip("not", "null") {
      table.columns[place].isNullable = false
    } else if parser.skip("null") {
      table.columns[place].isNullable = true
    } else if parser.skip("default") {
      table.columns[place].defaultValue = try defaultValue(of: table.columns[place].type)
    } else if parser.skip("primary", "key") {
      try add(key: [column], isPrimary: true, name: name, to: &table, at: start)
    } else if parser.skip("unique") {
      try refuseNulls()
      try add(key: [column], isPrimary: false, name: name, to: &table, at: start)
    } else if parser.skip("check") {
      try check(named: name, of: &table)
    } else if parser.skip("references") {
      table.foreignKeys.append(try reference(from: [column], named: name, at: start))
    } else if parser.isNext("generated") {
      throw parser.problem(
        "GENERATED is not supported.",
        "Write an integer or a uuid with a default, or set the column in the statement.")
    } else if name != nil {
      throw parser.unexpected("NOT NULL, DEFAULT, PRIMARY KEY, UNIQUE, CHECK or REFERENCES")
    } else {
      return false
    }
    return true
  }

  mutating func tableConstraint(of table: inout TableDraft) throws(SQLProblem) {
    let name = parser.skip("constraint") ? try parser.name("the name of a constraint") : nil
    let start = parser.location
    if parser.skip("primary", "key") {
      try add(key: try parser.names("a column"), isPrimary: true, name: name, to: &table, at: start)
    } else if parser.skip("unique") {
      try refuseNulls()
      try add(key: try parser.names("a column"), isPrimary: false, name: name, to: &table, at: start)
    } else if parser.skip("check") {
      try check(named: name, of: &table)
    } else if parser.skip("foreign", "key") {
      let columns = try parser.names("a column")
      try parser.expect("references")
      table.foreignKeys.append(try reference(from: columns, named: name, at: start))
    } else {
      throw parser.unexpected("PRIMARY KEY, UNIQUE, CHECK or FOREIGN KEY")
    }
  }

  private func refuseNulls() throws(SQLProblem) {
    if parser.isNext("nulls") {
      throw parser.problem(
        "NULLS [NOT] DISTINCT is not supported.", "Unique constraints treat every NULL as distinct.")
    }
  }

  private func refuseDeferral() throws(SQLProblem) {
    if parser.isNext("deferrable") || parser.isNext("initially") {
      throw parser.problem(
        "a deferred constraint is not supported.", "Constraints are checked at the end of each statement.")
    }
  }

  private mutating func add(
    key columns: [String], isPrimary: Bool, name: String?, to table: inout TableDraft, at start: SQLLocation
  ) throws(SQLProblem) {
    try refuseDeferral()
    if isPrimary {
      guard table.primaryKey.isEmpty else {
        throw parser.problem(
          "the table already has a primary key.", "Write PRIMARY KEY (a, b) for one of several columns.",
          at: start)
      }
      table.primaryKey = columns
    }
    table.keys.append(.init(name: name, columns: columns, isPrimary: isPrimary, location: start))
  }

  private mutating func check(named name: String?, of table: inout TableDraft) throws(SQLProblem) {
    let start = parser.location
    try parser.expect(symbol: "(")
    let expression = try parser.expression()
    try parser.expect(symbol: ")")
    _ = parser.skip("no", "inherit")
    if parser.isNext("not", "valid") {
      throw parser.problem("NOT VALID is not supported.", "A check applies to every row.")
    }
    guard expression.queries.isEmpty else {
      throw parser.problem(
        "a check cannot have a query (0A000).", "Use the query in a policy, or a foreign key.", at: start)
    }
    table.checks.append(
      DatabaseCheck(name: name, SQLExpression(expression.node, at: expression.location ?? start)))
  }

  private mutating func reference(
    from columns: [String], named name: String?, at start: SQLLocation
  ) throws(SQLProblem) -> TableDraft.ForeignKeyDraft {
    let table = try parser.qualifiedName("a table")
    let referenced = parser.isNext(symbol: "(") ? try parser.names("a column") : []
    var onDelete = DatabaseForeignKey.Action.noAction
    while true {
      if parser.skip("on", "delete") {
        onDelete = try action()
      } else if parser.skip("on", "update") {
        let here = parser.location
        guard [.noAction, .restrict].contains(try action()) else {
          throw parser.problem(
            "ON UPDATE supports only NO ACTION.",
            "Do not change referenced keys.", at: here)
        }
      } else if parser.skip("match", "simple") {
        continue
      } else if parser.isNext("match") {
        throw parser.problem("MATCH supports only SIMPLE.", "Make the columns NOT NULL.")
      } else {
        break
      }
    }
    try refuseDeferral()
    return .init(
      name: name, columns: columns, table: table, referencedColumns: referenced, onDelete: onDelete,
      location: start)
  }

  private mutating func action() throws(SQLProblem) -> DatabaseForeignKey.Action {
    if parser.skip("no", "action") { return .noAction }
    if parser.skip("restrict") { return .restrict }
    if parser.skip("cascade") { return .cascade }
    for (word, action) in [("null", DatabaseForeignKey.Action.setNull), ("default", .setDefault)]
    where parser.skip("set", word) {
      if parser.isNext(symbol: "(") {
        throw parser.problem("an action on a list of columns is not supported.", "Remove the columns.")
      }
      return action
    }
    throw parser.unexpected("CASCADE, SET NULL, SET DEFAULT, RESTRICT or NO ACTION")
  }

  // MARK: Defaults

  private mutating func defaultValue(of type: ColumnType) throws(SQLProblem) -> DatabaseColumn.Default? {
    let start = parser.location
    let expression = try parser.expression()
    do throws(ExpressionError) {
      let binder = ExpressionBinder()
      let bound = try binder.coerced(try binder.bind(expression), to: .column(type), at: start) {
        "a default of type \($0.name) is not of type \(type.rawValue)"
      }
      switch bound.node {
      case .now: return .now
      case .generatedUUID: return .generatedUUID
      case .user: return .userID
      default: break
      }
      guard let value = bound.constant else {
        throw ExpressionError(
          "0A000", "the default is not supported", at: start,
          advice: "Supported: literals, now(), gen_random_uuid() and auth.uid().")
      }
      return value.isNull ? nil : .value(value)
    } catch {
      throw problem(error, else: start)
    }
  }
}

extension SchemaReader {
  /// Checks and names the constraints that a statement has added to a table.
  ///
  /// In PostgreSQL's order: checks, keys, foreign keys, so that the numbers after names are the same.
  mutating func finish(_ place: Int) throws(SQLProblem) {
    for index in tables[place].finished.checks..<tables[place].checks.count {
      let check = tables[place].checks[index]
      let columns = check.expression.columns
      try self.check(check.expression, of: tables[place], in: "CHECK")
      let name = try constraintName(
        check.name, columns.count == 1 ? columns : [], "check", of: tables[place],
        at: check.expression.location)
      tables[place].checks[index] = DatabaseCheck(name: name, check.expression)
      tables[place].finished.checks = index + 1
    }
    for index in tables[place].finished.keys..<tables[place].keys.count {
      let key = tables[place].keys[index]
      try refuseUnknown(key.columns, of: tables[place], at: key.location)
      let name = try constraintName(
        key.name, key.isPrimary ? [] : key.columns, key.isPrimary ? "pkey" : "key", of: tables[place],
        at: key.location)
      tables[place].keys[index].name = name
      tables[place].finished.keys = index + 1
    }
    for index in tables[place].finished.foreignKeys..<tables[place].foreignKeys.count {
      let key = tables[place].foreignKeys[index]
      try refuseUnknown(key.columns, of: tables[place], at: key.location)
      tables[place].foreignKeys[index].referencedColumns = try referencedColumns(of: key, in: tables[place])
      let name = try constraintName(key.name, key.columns, "fkey", of: tables[place], at: key.location)
      tables[place].foreignKeys[index].name = name
      tables[place].finished.foreignKeys = index + 1
    }
  }

  /// Returns the given name, unless the table already has it, or else the name that PostgreSQL generates.
  private mutating func constraintName(
    _ given: String?, _ columns: [String], _ label: String, of table: TableDraft, at location: SQLLocation?
  ) throws(SQLProblem) -> String {
    guard let given else { return names.generated(table.relation, columns, label) }
    let isNew = names.take(given)
    let own =
      table.checks.prefix(table.finished.checks).compactMap(\.name)
      + table.keys.prefix(table.finished.keys).compactMap(\.name)
      + table.foreignKeys.prefix(table.finished.foreignKeys).compactMap(\.name)
    // A key is also an index, whose name is unique in the schema.
    guard !own.contains(given), isNew || !["key", "pkey"].contains(label) else {
      throw parser.problem(
        "the constraint \(given) already exists.", "Give one of them another name.", at: location)
    }
    return given
  }

  private func refuseUnknown(
    _ columns: [String], of table: TableDraft, at location: SQLLocation
  ) throws(SQLProblem) {
    for (index, column) in columns.enumerated() {
      if table.column(column) == nil {
        throw parser.problem(
          "the table \(table.name) has no column \(column).",
          "Its columns are \(table.columns.map(\.name).joined(separator: ", ")).", at: location)
      }
      if columns[..<index].contains(column) {
        throw parser.problem("the column \(column) is named twice.", "Remove one of them.", at: location)
      }
    }
  }

  /// Returns the columns to which a foreign key refers (default: those of the primary key).
  private func referencedColumns(
    of key: TableDraft.ForeignKeyDraft, in table: TableDraft
  ) throws(SQLProblem) -> [String] {
    let referenced: DatabaseTable
    if key.table == DatabaseTable.users.name {
      referenced = .users
    } else {
      guard let draft = tables.first(where: { $0.name == key.table }) else {
        throw missingTable(key.table, at: key.location)
      }
      referenced = draft.table
    }
    let columns = key.referencedColumns.isEmpty ? referenced.primaryKey : key.referencedColumns
    guard columns.count == key.columns.count, !columns.isEmpty else {
      throw parser.problem(
        "the foreign key has \(key.columns.count) columns, the referenced key \(columns.count).",
        "Name as many columns of \(key.table).", at: key.location)
    }
    guard referenced.keys.contains(where: { Set($0.columns) == Set(columns) }) else {
      throw parser.problem(
        "there is no unique constraint matching given keys for referenced table \"\(referenced.relation)\".",
        "Refer to a primary key or a UNIQUE constraint.", at: key.location)
    }
    for (own, other) in zip(key.columns, columns) {
      let types = (
        table.columns.first { $0.name == own }?.type, referenced.columns.first { $0.name == other }?.type
      )
      guard types.0 == types.1 else {
        throw parser.problem(
          "the columns \(own) and \(key.table).\(other) are of different types.", "Make them of one type.",
          at: key.location)
      }
    }
    return columns
  }

  /// Parses a unique index, which acts as a constraint.
  mutating func createUniqueIndex() throws(SQLProblem) {
    _ = parser.skip("concurrently")
    let ifNotExists = parser.skip("if", "not", "exists")
    let start = parser.location
    let name = parser.isNext("on") ? nil : try parser.name("the name of an index")
    try parser.expect("on")
    _ = parser.skip("only")
    let here = parser.location
    let table = try parser.qualifiedName("a table")
    guard let place = tables.firstIndex(where: { $0.name == table }) else {
      throw missingTable(table, at: here)
    }
    if ifNotExists, let name, tables[place].keys.contains(where: { $0.name == name }) {
      return parser.skipStatement()
    }
    if parser.skip("using") { try parser.expect("btree") }
    try parser.expect(symbol: "(")
    var columns: [String] = []
    repeat {
      columns.append(try parser.name("a column"))
      if parser.isNext(symbol: "(") {
        throw parser.problem(
          "an index on an expression is not supported.", "Store its value in a UNIQUE column.")
      }
      _ = parser.skip("asc") || parser.skip("desc")
      _ = parser.skip("nulls", "first") || parser.skip("nulls", "last")
    } while parser.skip(symbol: ",")
    try parser.expect(symbol: ")")
    if parser.isNext("where") {
      throw parser.problem(
        "a partial unique index is not supported.", "Remove WHERE, or the index.")
    }
    tables[place].keys.append(
      .init(
        name: name ?? names.generated(tables[place].relation, columns, "idx"), columns: columns,
        isPrimary: false,
        location: start))
    if name == nil {
      try refuseUnknown(columns, of: tables[place], at: start)
      tables[place].finished.keys += 1
    } else {
      try finish(place)
    }
  }
}
