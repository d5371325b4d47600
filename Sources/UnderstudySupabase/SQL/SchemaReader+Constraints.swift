import UnderstudyHTTP

extension SchemaReader {
  /// Tries the names in the constraints that a statement has added to a table, and gives them theirs.
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
      tables[place].checks[index] = Check(name: name, check.expression)
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

  /// The name that was given, unless the table has it already, or else the one that PostgreSQL gives.
  private mutating func constraintName(
    _ given: String?, _ columns: [String], _ label: String, of table: TableDraft, at location: SQLLocation?
  ) throws(SQLProblem) -> String {
    guard let given else { return names.generated(table.relation, columns, label) }
    let isNew = names.take(given)
    let own =
      table.checks.prefix(table.finished.checks).compactMap(\.name)
      + table.keys.prefix(table.finished.keys).compactMap(\.name)
      + table.foreignKeys.prefix(table.finished.foreignKeys).compactMap(\.name)
    // A key is an index, too, whose name no other in the schema has.
    guard !own.contains(given), isNew || !["key", "pkey"].contains(label) else {
      throw parser.problem(
        "there is a constraint \(given) already.", "Give one of them another name.", at: location)
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
        throw parser.problem("the column \(column) comes twice.", "Take one out.", at: location)
      }
    }
  }

  /// The columns that a foreign key refers to: those of the primary key, unless they are named.
  private func referencedColumns(
    of key: TableDraft.ForeignKeyDraft, in table: TableDraft
  ) throws(SQLProblem) -> [String] {
    let referenced: Table
    if key.table == Table.users.name {
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
        "the foreign key has \(key.columns.count) columns, and what it refers to has \(columns.count).",
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

  /// An index that keeps columns unique, as a constraint does.
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
          "an index on an expression is not understood.", "Keep its value in a column that is UNIQUE.")
      }
      _ = parser.skip("asc") || parser.skip("desc")
      _ = parser.skip("nulls", "first") || parser.skip("nulls", "last")
    } while parser.skip(symbol: ",")
    try parser.expect(symbol: ")")
    if parser.isNext("where") {
      throw parser.problem(
        "a unique index on some of the rows is not understood.", "Take WHERE out, or the index.")
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
