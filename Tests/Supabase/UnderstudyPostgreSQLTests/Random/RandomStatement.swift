/// A generated statement, and how its results are compared.
struct RandomStatement {
  var text: String
  /// Whether its order is specified.
  var isOrdered = false
  /// Whether it changes rows in an order that is not specified, so that another of several errors may come first.
  var hasAnyError = false
  var changesRows = false
}

extension SQLGenerator {
  mutating func statement() -> RandomStatement {
    switch random.below(100) {
    case ..<6: return changeRole()
    case ..<50:
      let query = query(isWhole: true)
      return RandomStatement(text: query.text, isOrdered: query.isOrdered)
    case ..<75: return insertion(into: writable())
    case ..<91: return update(of: writable())
    case ..<96: return deletion(from: writable())
    default: return modifyingQuery()
    }
  }

  /// What the triggers have seen so far.
  var total: RandomStatement {
    RandomStatement(text: "SELECT what, count(*), sum(old_id), sum(new_id) FROM audit GROUP BY what")
  }

  /// A row for a table, so that the queries find some.
  mutating func row(of number: Int) -> RandomStatement {
    let tables = tables.filter { !$0.isView }
    return insertion(into: tables[number % tables.count])
  }

  private mutating func writable() -> RandomTable { random.pick(tables.filter { !$0.isView }) }

  private mutating func changeRole() -> RandomStatement {
    role = random.chance(40) ? nil : random.pick(Self.roles)
    return RandomStatement(text: role.map { "SET ROLE \($0)" } ?? "RESET ROLE")
  }

  // MARK: - Values

  /// A value to store, which is sometimes invalid.
  private mutating func value(for column: RandomTable.Column, over names: [RandomName] = []) -> String {
    if random.chance(8) { return "DEFAULT" }
    if column.isGenerated { return random.chance(80) ? "DEFAULT" : "1" }
    if column.name == "owner" {
      return random.pick(["'random_reader'", "'random_writer'", "current_user::text", "'x'"])
    }
    if column.name == "id" || column.name == "ref" { return String(1 + random.below(14)) }
    if random.chance(2) { return random.pick(["'x'", "'{'", "'2021-02-30'", "''"]) }
    return random.chance(50) ? literal(column.type) : expression(column.type, over: names, depth: 2)
  }

  private mutating func some(of columns: [RandomTable.Column], _ percent: Int) -> [RandomTable.Column] {
    columns.filter { _ in random.chance(percent) }
  }

  private mutating func condition(on table: RandomTable, _ names: [RandomName]) -> String {
    table.key.map { key in
      "\(table.name).\(key) = " + (key == "id" ? String(1 + random.below(14)) : literal(table.type(of: key)))
    }.joined(separator: " AND ")
      + (random.chance(15) ? " AND \(expression(.boolean, over: names, depth: 2))" : "")
  }

  private mutating func returning(_ table: RandomTable, _ names: [RandomName]) -> String {
    if random.chance(40) { return "" }
    if random.chance(50) { return " RETURNING \(table.name).*" }
    let type = random.pick(RandomType.allCases)
    return " RETURNING \(table.name).id, \(expression(type, over: names, depth: 2))"
  }

  private func names(of table: RandomTable) -> [RandomName] {
    table.columns.map { ("\(table.name).\($0.name)", $0.type) }
  }

  // MARK: - Changes

  private mutating func insertion(into table: RandomTable) -> RandomStatement {
    var columns = table.columns.filter { column in
      column.isGenerated || column.name == "touched"
        ? random.chance(5) : random.chance(column.name == "id" ? 85 : 75)
    }
    if columns.isEmpty { columns = [table.columns[0]] }
    var text = "INSERT INTO \(table.name) (\(columns.map(\.name).joined(separator: ", ")))"
    if random.chance(10) {
      let query = query(types: columns.map(\.type), depth: 1)
      // Ordered, so that the first error is specified.
      let places = (1...columns.count).map(String.init).joined(separator: ", ")
      text += " SELECT * FROM (\(query.text)) q ORDER BY \(places) LIMIT 3"
    } else {
      let rows = (0..<(random.chance(75) ? 1 : 2)).map { _ in
        "(" + columns.map { value(for: $0) }.joined(separator: ", ") + ")"
      }
      text += " VALUES " + rows.joined(separator: ", ")
    }
    if random.chance(30) { text += conflict(table) }
    text += returning(table, names(of: table))
    return RandomStatement(text: text, changesRows: true)
  }

  private mutating func conflict(_ table: RandomTable) -> String {
    if random.chance(25) { return " ON CONFLICT DO NOTHING" }
    let target = random.pick([table.key, table.key] + table.uniques)
    var text = " ON CONFLICT (\(target.joined(separator: ", "))) DO "
    if random.chance(30) { return text + "NOTHING" }
    let names = names(of: table) + table.columns.map { ("excluded.\($0.name)", $0.type) }
    text += "UPDATE SET " + assignments(table, names)
    if random.chance(25) { text += " WHERE \(expression(.boolean, over: names, depth: 2))" }
    return text
  }

  private mutating func assignments(_ table: RandomTable, _ names: [RandomName]) -> String {
    var columns = some(of: table.columns.filter { !$0.isGenerated }, 30)
    if columns.isEmpty { columns = [random.pick(table.columns.filter { $0.name != "id" })] }
    return columns.map { "\($0.name) = \(value(for: $0, over: names))" }.joined(separator: ", ")
  }

  private mutating func update(of table: RandomTable) -> RandomStatement {
    var names = names(of: table)
    var text = "UPDATE \(table.name) SET "
    let isOne = random.chance(70)
    var from = ""
    if random.chance(15) {
      // One row at most, because PostgreSQL takes any of several that match.
      from = " FROM (SELECT count(*)::integer AS n, max(what) AS w FROM audit) x"
      names += [("x.n", .integer), ("x.w", .text)]
    }
    text += assignments(table, names) + from + " WHERE "
    text += isOne ? condition(on: table, names) : expression(.boolean, over: names, depth: 2)
    return RandomStatement(text: text + returning(table, names), hasAnyError: !isOne, changesRows: true)
  }

  private mutating func deletion(from table: RandomTable) -> RandomStatement {
    let names = names(of: table)
    let isOne = random.chance(80)
    var text = "DELETE FROM \(table.name)"
    if isOne {
      text += " WHERE " + condition(on: table, names)
    } else {
      let other = random.pick(tables)
      let both = names + other.columns.map { ("o.\($0.name)", $0.type) }
      text += " USING \(other.name) o WHERE o.\(other.columns[0].name) IS NOT NULL AND "
      text += expression(.boolean, over: both, depth: 2)
    }
    return RandomStatement(text: text + returning(table, names), hasAnyError: !isOne, changesRows: true)
  }

  /// A query over the rows that it changes.
  private mutating func modifyingQuery() -> RandomStatement {
    let table = writable()
    var change = random.chance(50) ? insertion(into: table) : update(of: table)
    if let range = change.text.firstRange(of: " RETURNING ") {
      change.text.removeSubrange(range.lowerBound...)
    }
    return RandomStatement(
      text: "WITH changed AS (\(change.text) RETURNING *) SELECT id, owner FROM changed",
      hasAnyError: change.hasAnyError,
      changesRows: true)
  }
}
