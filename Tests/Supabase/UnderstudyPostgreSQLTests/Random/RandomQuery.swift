/// A query with the types of its columns.
struct RandomQuery {
  var text: String
  var types: [RandomType]
  /// Whether its order is specified, to the last column.
  var isOrdered = false
}

/// What the queries of a `FROM` clause make available.
private struct Source {
  var text: String
  var names: [RandomName]
}

extension SQLGenerator {
  /// - Parameters:
  ///   - outer: The columns of the queries around it.
  ///   - types: The types of the columns, or nil for any.
  mutating func query(
    outer: [RandomName] = [], types: [RandomType]? = nil, depth: Int = 2, isWhole: Bool = false
  ) -> RandomQuery {
    if isWhole, random.chance(12) { return commonTable(depth: depth) }
    var query: RandomQuery
    if random.chance(12) {
      let left = selection(outer: outer, types: types, depth: depth - 1)
      let right = selection(outer: outer, types: left.types, depth: depth - 1)
      let operation = random.pick([
        "UNION", "UNION ALL", "INTERSECT", "EXCEPT", "EXCEPT ALL", "INTERSECT ALL",
      ])
      query = RandomQuery(text: "(\(left.text)) \(operation) (\(right.text))", types: left.types)
    } else {
      query = selection(outer: outer, types: types, depth: depth)
    }
    if isWhole || random.chance(20) { order(&query) }
    return query
  }

  /// Adds an order by all columns, and then perhaps a limit.
  private mutating func order(_ query: inout RandomQuery) {
    guard random.chance(70), !query.text.contains("DISTINCT ON") else { return }
    var places = Array(1...query.types.count)
    if random.chance(50) { places.append(places.removeFirst()) }
    let terms = places.map { place in
      "\(place)" + random.pick(["", "", " DESC", " ASC"])
        + random.pick(["", "", " NULLS FIRST", " NULLS LAST"])
    }
    query.text += " ORDER BY " + terms.joined(separator: ", ")
    query.isOrdered = true
    if random.chance(35) { query.text += " LIMIT \(random.below(5))" }
    if random.chance(20) { query.text += " OFFSET \(random.below(3))" }
  }

  private mutating func commonTable(depth: Int) -> RandomQuery {
    let inner = query(depth: depth - 1)
    let columns = inner.types.indices.map { "x\($0)" }
    let names = zip(columns, inner.types).map { RandomName("w.\($0)", $1) }
    let types = [random.pick(RandomType.allCases), random.pick(RandomType.allCases)]
    let items = types.map { expression($0, over: names, depth: 2) }
    let hint = random.pick(["", "", "MATERIALIZED ", "NOT MATERIALIZED "])
    var result = RandomQuery(
      text: "WITH w(\(columns.joined(separator: ", "))) AS \(hint)(\(inner.text))"
        + " SELECT \(items.joined(separator: ", ")) FROM w WHERE \(expression(.boolean, over: names, depth: 2))",
      types: types)
    order(&result)
    return result
  }

  // MARK: - FROM

  private mutating func alias() -> String {
    aliases += 1
    return "a\(aliases)"
  }

  private mutating func table(depth: Int) -> Source {
    let alias = alias()
    if depth > 0, random.chance(15) {
      let inner = query(depth: depth - 1)
      let columns = inner.types.indices.map { "x\($0)" }
      return Source(
        text: "(\(inner.text)) \(alias)(\(columns.joined(separator: ", ")))",
        names: zip(columns, inner.types).map { ("\(alias).\($0)", $1) })
    }
    if random.chance(8) {
      return Source(
        text: "generate_series(0, \(random.below(4))) \(alias)(n)", names: [("\(alias).n", .integer)])
    }
    if random.chance(6) {
      let rows = (0...random.below(3)).map { _ in "(\(literal(.integer)), \(literal(.text)))" }
      return Source(
        text: "(VALUES \(rows.joined(separator: ", "))) \(alias)(n, t)",
        names: [("\(alias).n", .integer), ("\(alias).t", .text)])
    }
    let table = random.pick(tables)
    return Source(
      text: "\(table.name) \(alias)", names: table.columns.map { ("\(alias).\($0.name)", $0.type) })
  }

  private mutating func from(_ outer: [RandomName], depth: Int) -> Source {
    var whole = table(depth: depth)
    while random.chance(30), whole.names.count < 24 {
      if depth > 0, random.chance(15) {
        let inner = query(outer: whole.names + outer, depth: depth - 1)
        let alias = alias()
        let columns = inner.types.indices.map { "x\($0)" }
        whole.text += random.chance(50) ? " CROSS JOIN LATERAL " : " LEFT JOIN LATERAL "
        let condition = whole.text.hasSuffix("LEFT JOIN LATERAL ") ? " ON true" : ""
        whole.text += "(\(inner.text)) \(alias)(\(columns.joined(separator: ", ")))" + condition
        whole.names += zip(columns, inner.types).map { ("\(alias).\($0)", $1) }
        continue
      }
      let other = table(depth: depth)
      let names = whole.names + other.names
      // PostgreSQL joins fully only by conditions that it can merge or hash.
      let pairs = whole.names.flatMap { left in
        other.names.filter { $0.type == left.type }.map { "\(left.name) = \($0.name)" }
      }
      switch random.below(10) {
      case 0: whole.text += " CROSS JOIN \(other.text)"
      case 1 where !pairs.isEmpty: whole.text += " FULL JOIN \(other.text) ON \(random.pick(pairs))"
      case let kind:
        let word = kind < 5 ? "JOIN" : kind < 8 ? "LEFT JOIN" : "RIGHT JOIN"
        let condition =
          pairs.isEmpty || random.chance(30)
          ? expression(.boolean, over: names, depth: 1)
          : random.pick(pairs)
            + (random.chance(20) ? " AND \(expression(.boolean, over: names, depth: 1))" : "")
        whole.text += " \(word) \(other.text) ON \(condition)"
      }
      whole.names = names
    }
    return whole
  }

  // MARK: - SELECT

  private mutating func selection(outer: [RandomName], types: [RandomType]?, depth: Int) -> RandomQuery {
    let types = types ?? (0...random.below(3)).map { _ in random.pick(RandomType.allCases) }
    if random.chance(4) {
      return RandomQuery(
        text: "SELECT " + types.map { expression($0, over: outer, depth: 1) }.joined(separator: ", "),
        types: types)
    }
    let source = from(outer, depth: depth)
    let names = source.names + (random.chance(50) ? outer : [])
    if random.chance(30) { return grouping(source, names, types, depth) }
    var text = "SELECT "
    let items = types.map { type in
      depth > 0 && random.chance(10)
        ? subquery(type, outer: names, depth: depth - 1)
        : random.chance(8) ? window(type, source.names) : expression(type, over: names, depth: 3)
    }
    var end = ""
    switch random.below(12) {
    case 0: text += "DISTINCT "
    case 1 where outer.isEmpty:
      // The row that is kept is specified by the order.
      text += "DISTINCT ON (\(items[0])) "
      let rest = (1...types.count).map { "\($0)" + random.pick(["", " DESC", " NULLS FIRST"]) }
      end = " ORDER BY " + rest.joined(separator: ", ")
    default: break
    }
    text += items.joined(separator: ", ") + " FROM " + source.text
    if random.chance(60) { text += " WHERE \(filter(names, depth))" }
    return RandomQuery(text: text + end, types: types)
  }

  private mutating func filter(_ names: [RandomName], _ depth: Int) -> String {
    var condition = expression(.boolean, over: names, depth: 3)
    if depth > 0, random.chance(25) {
      let word = random.pick([" AND ", " OR ", " AND NOT "])
      if random.chance(50) {
        let inner = query(outer: names, depth: depth - 1)
        condition += word + "EXISTS (\(inner.text))"
      } else {
        let type = random.pick(names).type
        let inner = query(outer: names, types: [type], depth: depth - 1)
        let operation = random.pick(["IN", "NOT IN", "= ANY", "< ALL", ">= ANY"])
        condition += word + "(\(expression(type, over: names, depth: 1)) \(operation) (\(inner.text)))"
      }
    }
    return condition
  }

  /// A subquery with one row.
  private mutating func subquery(_ type: RandomType, outer: [RandomName], depth: Int) -> String {
    let source = from(outer, depth: depth)
    let names = source.names + outer
    let condition = expression(.boolean, over: names, depth: 2)
    // An aggregate of only outer columns would be one of the outer query.
    return "(SELECT \(aggregate(type, source.names)) FROM \(source.text) WHERE \(condition))"
  }

  private mutating func window(_ type: RandomType, _ names: [RandomName]) -> String {
    let partition = "PARTITION BY \(random.pick(names).name)", order = "ORDER BY \(random.pick(names).name)"
    let frame = random.pick([partition, order, "\(partition) \(order) DESC", ""])
    switch type {
    case .integer: return "(\(random.pick(["rank()", "dense_rank()", "count(*)"])) OVER (\(frame)))::integer"
    case .bigint: return "sum(\(expression(.integer, over: names, depth: 1))) OVER (\(frame))"
    case .double: return "cume_dist() OVER (\(frame))"
    case .boolean: return "bool_or(\(expression(.boolean, over: names, depth: 1))) OVER (\(frame))"
    default:
      return type.hasExtremes
        ? "\(random.pick(["min", "max"]))(\(expression(type, over: names, depth: 1))) OVER (\(frame))"
        : expression(type, over: names, depth: 2)
    }
  }

  // MARK: - GROUP BY

  private mutating func grouping(
    _ source: Source, _ names: [RandomName], _ types: [RandomType], _ depth: Int
  ) -> RandomQuery {
    let keys = (0..<random.below(3)).map { _ -> RandomName in
      let type = random.pick(RandomType.allCases)
      let columns = source.names.filter { $0.type == type }
      return (
        columns.isEmpty || random.chance(30)
          ? expression(type, over: source.names, depth: 1) : random.pick(columns).name, type
      )
    }
    // A constant in GROUP BY would be the number of a column.
    .filter { key in source.names.contains { key.name.contains($0.name) } }
    let items = types.map { type in
      let matching = keys.filter { $0.type == type }
      if !matching.isEmpty, random.chance(60) { return random.pick(matching).name }
      return aggregate(type, source.names)
    }
    var text = "SELECT " + items.joined(separator: ", ") + " FROM " + source.text
    if random.chance(40) { text += " WHERE \(filter(names, depth))" }
    if !keys.isEmpty {
      let list = keys.map(\.name).joined(separator: ", ")
      text += " GROUP BY " + (random.chance(12) ? "\(random.pick(["ROLLUP", "CUBE"])) (\(list))" : list)
    }
    if random.chance(25) {
      text +=
        " HAVING \(aggregate(.integer, source.names)) \(random.pick([">", "<", "="])) \(literal(.integer))"
    }
    return RandomQuery(text: text, types: types)
  }

  private mutating func aggregate(_ type: RandomType, _ names: [RandomName]) -> String {
    let argument = expression(type, over: names, depth: 1)
    let filter = random.chance(20) ? " FILTER (WHERE \(expression(.boolean, over: names, depth: 1)))" : ""
    let distinct = random.chance(20) ? "DISTINCT " : ""
    switch type {
    case .integer:
      switch random.below(4) {
      case 0: return "(count(*)\(filter))::integer"
      case 1:
        return
          "(count(\(distinct)\(expression(random.pick(names).type, over: names, depth: 1)))\(filter))::integer"
      case 2: return "(sum(\(distinct)\(argument))\(filter))::integer"
      default: return "max(\(argument))\(filter)"
      }
    case .bigint: return "sum(\(distinct)\(expression(.integer, over: names, depth: 1)))\(filter)"
    case .numeric:
      return "round(\(random.pick(["avg", "sum"]))(\(distinct)\(argument))\(filter), 2)"
    case .double: return "\(random.pick(["sum", "min", "max"]))(\(argument))\(filter)"
    case .boolean: return "\(random.pick(["bool_and", "bool_or"]))(\(argument))\(filter)"
    case .text where random.chance(50):
      return "string_agg(\(distinct)\(argument), ',' ORDER BY \(argument))\(filter)"
    case .integers:
      let item = expression(.integer, over: names, depth: 1)
      return "array_agg(\(distinct)\(item) ORDER BY \(item)\(random.chance(30) ? " DESC" : ""))\(filter)"
    case .texts:
      let item = expression(.text, over: names, depth: 1)
      return "array_agg(\(distinct)\(item) ORDER BY \(item))\(filter)"
    case .jsonb:
      let item = expression(random.pick([.integer, .text, .jsonb, .date]), over: names, depth: 1)
      return "jsonb_agg(\(distinct)\(item) ORDER BY \(item))\(filter)"
    case .uuid: return "(array_agg(\(distinct)\(argument) ORDER BY \(argument))\(filter))[1]"
    default: return "\(random.pick(["min", "max"]))(\(argument))\(filter)"
    }
  }
}
