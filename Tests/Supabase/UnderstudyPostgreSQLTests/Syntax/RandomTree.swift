import UnderstudyPostgreSQL

/// Makes trees of every shape that the parser makes, from a seed.
struct RandomTree {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  mutating func maybe<Value>(_ percent: Int, _ make: (inout Self) -> Value) -> Value? {
    chance(percent) ? make(&self) : nil
  }

  mutating func list<Element>(_ counts: ClosedRange<Int>, _ make: (inout Self) -> Element) -> [Element] {
    (0..<(counts.lowerBound + below(counts.count))).map { _ in make(&self) }
  }

  // MARK: Names

  mutating func name() -> String {
    pick([
      "a", "b", "id", "name", "user_id", "value", "Title", "two words", "quo\"te", "select", "table", "order",
      "left",
      "year", "filter", "set", "position", "größe", "a1", "_x", "between", "values", "default", "partition",
      "rows",
    ])
  }

  mutating func qualifiedName() -> QualifiedName {
    chance(40)
      ? QualifiedName(schema: pick(["public", "auth", "My Schema", "authorization"]), name())
      : QualifiedName(name())
  }

  mutating func type() -> TypeName {
    var type = pick([
      TypeName(QualifiedName("int4")), TypeName(QualifiedName("text")),
      TypeName(QualifiedName("numeric"), modifiers: [10, 2]),
      TypeName(QualifiedName("varchar"), modifiers: [20]), TypeName(QualifiedName("bpchar"), modifiers: [1]),
      TypeName(QualifiedName("bpchar")), TypeName(QualifiedName("timestamptz"), modifiers: [3]),
      TypeName(QualifiedName("timestamp")), TypeName(QualifiedName("time")),
      TypeName(QualifiedName("timetz")),
      TypeName(QualifiedName("float8")), TypeName(QualifiedName("bool")), TypeName(QualifiedName("char")),
      TypeName(QualifiedName("interval")), TypeName(QualifiedName("interval"), modifiers: [3]),
      TypeName(QualifiedName("interval"), intervalFields: .dayToHour),
      TypeName(QualifiedName("interval"), modifiers: [2], intervalFields: .dayToSecond),
      TypeName(QualifiedName("bit")), TypeName(QualifiedName("bit"), modifiers: [3]),
      TypeName(QualifiedName("varbit")),
      TypeName(QualifiedName(schema: "public", "Mood")), TypeName(QualifiedName("uuid")),
      TypeName(QualifiedName("jsonb")),
    ])
    if chance(20) { type.arrayDimensions = 1 + below(2) }
    return type
  }

  // MARK: Expressions

  mutating func expression(_ depth: Int) -> SQLExpression {
    guard depth > 0 else { return leaf() }
    let down = depth - 1
    switch below(26) {
    case 0: return .prefix(pick(["-", "+", "~", "@", "!!", "|/"]), expression(down))
    case 1, 2, 3, 4:
      let name = pick([
        "+", "-", "*", "/", "%", "^", "=", "<>", "<", ">=", "||", "->", "->>", "#>>", "@>", "~~", "!~~*", "~",
        "&&",
        "?|", "<->",
      ])
      return .infix(name, expression(down), expression(down))
    case 5: return .and(operands(down) { if case .and = $0 { true } else { false } })
    case 6: return .or(operands(down) { if case .or = $0 { true } else { false } })
    case 7: return .not(expression(down))
    case 8: return .isTest(expression(down), pick([.null, .true, .false, .unknown]), negated: chance(50))
    case 9: return .isDistinct(expression(down), expression(down), negated: chance(50))
    case 10:
      return .between(
        expression(down), expression(down), expression(down), symmetric: chance(30), negated: chance(30))
    case 11: return .inList(expression(down), list(2...3) { $0.expression(down) }, negated: chance(30))
    case 12: return .inQuery(expression(down), query(down), negated: chance(30))
    case 13:
      let operand: QuantifiedOperand = chance(50) ? .query(query(down)) : .array(.array([expression(down)]))
      return .quantified(
        expression(down), operator: pick(["=", "<>", "<", "~~", "||"]), pick([.any, .all]), operand)
    case 14: return chance(50) ? .exists(query(down)) : .subquery(query(down))
    case 15: return chance(70) ? .array(list(0...3) { $0.expression(down) }) : .arrayQuery(query(down))
    case 16: return .row(list(0...3) { $0.expression(down) })
    case 17, 18: return .cast(expression(down), type())
    case 19, 20, 21: return .call(call(down))
    case 22:
      return .conditional(
        Conditional(
          operand: maybe(40) { $0.expression(down) },
          list(1...2) { .init($0.expression(down), $0.expression(down)) },
          otherwise: maybe(50) { $0.expression(down) }))
    case 23: return .element(expression(down), subscription(down))
    case 24: return .field(expression(down), name())
    default: return .collate(expression(down), QualifiedName(pick(["C", "en_US"])))
    }
  }

  private mutating func leaf() -> SQLExpression {
    switch below(9) {
    case 0: .null
    case 1: .boolean(chance(50))
    case 2: .number(pick(["0", "12", "1.50", "1e3", ".5", "12345678901234567890"]))
    case 3: .string(pick(["", "text", "it's", "back\\slash", "line\nend", "größe", "%_"]))
    case 4: .parameter(1 + below(9))
    case 5: .wildcard([name()])
    case 6: .cast(.string("2020-01-01"), type())
    default: .name(list(1...3) { $0.name() })
    }
  }

  /// A chain that begins with another one would be one longer chain.
  private mutating func operands(_ depth: Int, isSame: (SQLExpression) -> Bool) -> [SQLExpression] {
    var operands = list(2...3) { $0.expression(depth) }
    while isSame(operands[0]) { operands[0] = expression(depth) }
    return operands
  }

  mutating func subscription(_ depth: Int) -> Subscript {
    guard chance(40) else { return Subscript(lower: expression(depth)) }
    return Subscript(
      lower: maybe(70) { $0.expression(depth) }, upper: maybe(70) { $0.expression(depth) }, isSlice: true)
  }

  mutating func call(_ depth: Int) -> Call {
    switch below(5) {
    case 0:
      return pick([
        Call(QualifiedName("current_timestamp")), Call(QualifiedName("user")),
        Call(QualifiedName("current_schema")),
        Call(QualifiedName("localtime"), [.init(.number("3"))]),
      ])
    case 1:
      return Call(
        QualifiedName(pick(["coalesce", "greatest", "least"])), list(1...3) { .init($0.expression(depth)) })
    case 2: return Call(QualifiedName("nullif"), [.init(expression(depth)), .init(expression(depth))])
    default: break
    }
    var call = plainCall(depth)
    if chance(15), call.order.isEmpty, !call.isDistinct, call.arguments.allSatisfy({ !$0.isVariadic }) {
      call.withinGroup = list(1...2) { $0.sortKey(depth) }
    }
    call.filter = maybe(15) { $0.expression(depth) }
    call.over = maybe(20) { $0.chance(40) ? .named($0.name()) : .window($0.window(depth)) }
    return call
  }

  /// A call without clauses behind its parentheses.
  private mutating func plainCall(_ depth: Int) -> Call {
    let names = [
      "lower", "count", "extract", "position", "substring", "overlay", "trim", "left", "my function",
      "timezone", "array_agg",
      "like_escape", "Upper", "overlaps", "normalize", "exists", "row",
    ]
    var call = Call(
      chance(30) ? QualifiedName(schema: "pg_catalog", pick(names)) : QualifiedName(pick(names)))
    if chance(10) {
      call.isStar = true
      return call
    }
    call.arguments = list(0...3) { .init($0.expression(depth)) }
    guard !call.arguments.isEmpty else { return call }
    if chance(15) {
      call.isDistinct = true
    } else if chance(15) {
      call.arguments[call.arguments.count - 1].isVariadic = true
    } else if chance(15) {
      call.arguments[call.arguments.count - 1].name = pick(["name", "Value", "left", "select"])
    }
    if chance(15) { call.order = list(1...2) { $0.sortKey(depth) } }
    return call
  }

  mutating func sortKey(_ depth: Int) -> SortKey {
    SortKey(expression(depth), isDescending: chance(40), nullsFirst: maybe(30) { $0.chance(50) })
  }

  mutating func window(_ depth: Int) -> Window {
    Window(
      base: maybe(20) { $0.name() }, partition: list(0...2) { $0.expression(depth) },
      order: list(0...2) { $0.sortKey(depth) },
      frame: maybe(30) { tree in
        tree.pick([
          Window.Frame(.rows, start: .unboundedPreceding, end: .currentRow),
          Window.Frame(.range, start: .preceding(tree.expression(0)), end: .unboundedFollowing),
          Window.Frame(.groups, start: .currentRow, end: .following(tree.expression(depth))),
        ])
      })
  }

  // MARK: Queries

  mutating func query(_ depth: Int) -> Query {
    let down = max(depth - 1, 0)
    var query = Query(body(depth))
    if depth > 0, chance(15) {
      query.with = WithClause(
        isRecursive: chance(40),
        list(1...2) { tree in
          CommonTable(
            tree.name(), columns: tree.list(0...2) { $0.name() },
            tree.chance(70) ? .query(tree.query(down)) : tree.change(down))
        })
    }
    if chance(25) { query.order = list(1...2) { $0.sortKey(down) } }
    query.limit = maybe(15) { $0.expression(0) }
    query.offset = maybe(10) { $0.expression(0) }
    return query
  }

  private mutating func body(_ depth: Int) -> Query.Body {
    let down = max(depth - 1, 0)
    switch below(10) {
    case 0 where depth > 0, 1 where depth > 0:
      return .setOperation(
        pick([.union, .intersect, .except]), isAll: chance(40), query(down), query(down))
    case 2:
      let count = 1 + below(3)
      return .values(list(1...3) { $0.list(count...count) { $0.expression(down) } })
    default: return .select(select(down))
    }
  }

  private mutating func select(_ depth: Int) -> Select {
    var select = Select(list(0...3) { $0.item(depth) })
    if !select.items.isEmpty, chance(15) {
      select.distinct = chance(50) ? .all : .on(list(1...2) { $0.expression(depth) })
    }
    select.from = list(0...2) { $0.table(depth) }
    select.filter = maybe(40) { $0.expression(depth) }
    if chance(20) { select.grouping = list(1...2) { $0.grouping(depth, isSet: false) } }
    select.having = maybe(10) { $0.expression(depth) }
    if chance(10) { select.windows = [.init(name(), window(depth))] }
    return select
  }

  mutating func item(_ depth: Int) -> Select.Item {
    if chance(15) { return .init(.wildcard(chance(50) ? [] : [name()])) }
    return .init(expression(depth), as: maybe(40) { $0.name() })
  }

  private mutating func grouping(_ depth: Int, isSet: Bool) -> Select.Grouping {
    switch below(isSet ? 4 : 6) {
    case 0: return .set([])
    case 1 where depth > 0: return .sets(list(1...3) { $0.grouping(depth - 1, isSet: true) })
    case 2: return chance(50) ? .rollup(keys()) : .cube(keys())
    default:
      let names = list(isSet ? 1...3 : 1...1) { SQLExpression.name([$0.name()]) }
      return isSet ? .set(names) : .expression(names[0])
    }
  }

  private mutating func keys() -> [[SQLExpression]] {
    list(1...3) { $0.list(1...2) { .name([$0.name()]) } }
  }

  private mutating func alias() -> TableAlias {
    TableAlias(name(), columns: chance(30) ? list(1...2) { $0.name() } : [])
  }

  mutating func table(_ depth: Int) -> TableReference {
    guard depth > 0 else { return .table(qualifiedName(), maybe(50) { $0.alias() }) }
    let down = depth - 1
    switch below(8) {
    case 0: return .query(query(down), alias(), isLateral: chance(30))
    case 1:
      var function = TableFunction(list(1...2) { $0.plainCall(down) }, hasOrdinality: chance(30))
      if chance(60) { function.alias = alias() }
      if function.calls.count == 1, !function.hasOrdinality, function.alias?.columns.isEmpty != false,
        chance(30)
      {
        function.definitions = list(1...2) { .init($0.name(), $0.type()) }
      }
      return .function(function, isLateral: chance(30))
    case 2, 3, 4:
      let kind = pick([Join.Kind.cross, .inner, .left, .right, .full])
      var join = Join(kind, table(down), table(down))
      if kind != .cross {
        join.condition = pick([.natural, .using(list(1...2) { $0.name() }), .on(expression(down))])
      }
      join.alias = maybe(15) { $0.alias() }
      return .join(join)
    default: return .table(qualifiedName(), maybe(50) { $0.alias() })
    }
  }

  // MARK: Changes

  mutating func change(_ depth: Int) -> DataStatement {
    let down = max(depth - 1, 0)
    switch below(3) {
    case 0:
      var insert = Insert(
        into: qualifiedName(), alias: maybe(30) { $0.name() }, columns: list(0...2) { $0.name() },
        overriding: maybe(10) { $0.pick([.system, .user]) }, .query(query(down)),
        returning: list(0...2) { $0.item(down) })
      if insert.columns.isEmpty, insert.overriding == nil, chance(30) { insert.source = .defaultValues }
      if chance(20) { insert.source = .query(Query(.values([[.defaultValue, expression(down)]]))) }
      insert.conflict = maybe(30) { $0.conflict(down) }
      return .insert(insert)
    case 1:
      return .update(
        Update(
          qualifiedName(), alias: maybe(30) { $0.name() }, set: list(1...2) { $0.assignment(down) },
          from: list(0...1) { $0.table(down) }, where: maybe(60) { $0.expression(down) },
          returning: list(0...2) { $0.item(down) }))
    default:
      return .delete(
        Delete(
          from: qualifiedName(), alias: maybe(30) { $0.name() }, using: list(0...1) { $0.table(down) },
          where: maybe(60) { $0.expression(down) }, returning: list(0...2) { $0.item(down) }))
    }
  }

  private mutating func conflict(_ depth: Int) -> Insert.Conflict {
    let target: Insert.ConflictTarget =
      chance(30)
      ? .constraint(name())
      : .keys(
        list(1...2) { $0.chance(60) ? .name([$0.name()]) : $0.expression(depth) },
        where: maybe(20) { $0.expression(depth) })
    guard chance(60) else { return Insert.Conflict(target: maybe(50) { _ in target }, .doNothing) }
    return Insert.Conflict(
      target: target, .update(list(1...2) { $0.assignment(depth) }, where: maybe(30) { $0.expression(depth) })
    )
  }

  private mutating func assignment(_ depth: Int) -> Assignment {
    switch below(5) {
    case 0: Assignment(["a", "b"], .row([expression(depth), .defaultValue]))
    case 1: Assignment(["a", "b"], .subquery(query(depth)))
    case 2: Assignment([name()], path: [.element(subscription(depth)), .field(name())], expression(depth))
    case 3: Assignment([name()], .defaultValue)
    default: Assignment([name()], expression(depth))
    }
  }
}
