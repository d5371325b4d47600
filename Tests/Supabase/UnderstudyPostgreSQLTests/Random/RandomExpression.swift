/// A column that an expression can name, with its alias.
typealias RandomName = (name: String, type: RandomType)

extension SQLGenerator {
  /// An expression of a type that has no error whatever the values, because PostgreSQL may evaluate conditions in any
  /// order and for rows that others exclude.
  mutating func expression(_ type: RandomType, over names: [RandomName], depth: Int) -> String {
    let columns = names.filter { $0.type == type }
    if depth <= 0 || random.chance(30) {
      return columns.isEmpty || random.chance(25) ? leaf(type) : random.pick(columns).name
    }
    if random.chance(15) { return conditional(type, names, depth) }
    switch type {
    case .boolean: return "(" + condition(over: names, depth: depth) + ")"
    case .integer: return integer(names, depth)
    case .text: return text(names, depth)
    case .integers, .texts: return array(type, names, depth)
    default: return other(type, names, depth)
    }
  }

  private mutating func leaf(_ type: RandomType) -> String {
    random.chance(6) ? "NULL::\(type.name)" : literal(type)
  }

  private mutating func conditional(_ type: RandomType, _ names: [RandomName], _ depth: Int) -> String {
    let first = expression(type, over: names, depth: depth - 1)
    let second = expression(type, over: names, depth: depth - 1)
    switch random.below(4) {
    case 0: return "coalesce(\(first), \(second))"
    case 1: return "nullif(\(first), \(second))"
    case 2 where type.hasExtremes: return "\(random.pick(["greatest", "least"]))(\(first), \(second))"
    default:
      let condition = expression(.boolean, over: names, depth: depth - 1)
      return "CASE WHEN \(condition) THEN \(first)\(random.chance(70) ? " ELSE \(second)" : "") END"
    }
  }

  private mutating func integer(_ names: [RandomName], _ depth: Int) -> String {
    func inner(_ type: RandomType, _ generator: inout Self) -> String {
      generator.expression(type, over: names, depth: depth - 1)
    }
    switch random.below(12) {
    case 0: return "(\(inner(.integer, &self)) + \(inner(.integer, &self)))"
    case 1: return "(\(inner(.integer, &self)) - \(inner(.integer, &self)))"
    case 2: return "(\(inner(.integer, &self)) * \(random.pick(["2", "3", "-1"])))"
    case 3: return "(\(inner(.integer, &self)) % 3)"
    case 4: return "(\(inner(.integer, &self)) / \(random.pick(["2", "-3"])))"
    case 5: return "abs(\(inner(.integer, &self)))"
    case 6: return "length(\(inner(.text, &self)))"
    case 7: return "cardinality(\(inner(random.chance(50) ? .integers : .texts, &self)))"
    case 8: return "(\(inner(.integers, &self)))[\(random.pick(["1", "2"]))]"
    case 9: return "strpos(\(inner(.text, &self)), \(inner(.text, &self)))"
    case 10: return "(\(inner(.date, &self)) - \(inner(.date, &self)))"
    default: return "extract(\(random.pick(["year", "month", "dow"])) FROM \(inner(.date, &self)))::integer"
    }
  }

  private mutating func text(_ names: [RandomName], _ depth: Int) -> String {
    func inner(_ type: RandomType, _ generator: inout Self) -> String {
      generator.expression(type, over: names, depth: depth - 1)
    }
    switch random.below(13) {
    case 0: return "(\(inner(.text, &self)) || \(inner(.text, &self)))"
    case 1:
      return "\(random.pick(["upper", "lower", "initcap", "reverse", "trim", "md5"]))(\(inner(.text, &self)))"
    case 2: return "substr(\(inner(.text, &self)), \(random.pick(["1", "2", "0"])), 2)"
    case 3: return "replace(\(inner(.text, &self)), 'a', \(inner(.text, &self)))"
    case 4:
      return "\(random.pick(["left", "right"]))(\(inner(.text, &self)), \(random.pick(["1", "-1", "3"])))"
    case 5: return "concat(\(inner(.text, &self)), \(inner(.integer, &self)), \(inner(.boolean, &self)))"
    case 6: return "(\(inner(.jsonb, &self)) ->> \(random.pick(["'a'", "0"])))"
    case 7: return "(\(inner(random.pick(RandomType.allCases), &self)))::text"
    case 8: return "to_char(\(inner(.date, &self)), 'YYYY-MM FMDay')"
    case 9: return "regexp_replace(\(inner(.text, &self)), '[ab]', '<\\&>', 'g')"
    case 10: return "(\(inner(.texts, &self)))[1]"
    case 11: return "array_to_string(\(inner(.integers, &self)), ',', '*')"
    default: return "split_part(\(inner(.text, &self)), 'a', 1)"
    }
  }

  private mutating func array(_ type: RandomType, _ names: [RandomName], _ depth: Int) -> String {
    let element: RandomType = type == .integers ? .integer : .text
    let first = expression(type, over: names, depth: depth - 1)
    let item = expression(element, over: names, depth: depth - 1)
    switch random.below(7) {
    case 0: return "array_append(\(first), \(item))"
    case 1: return "(\(first) || \(expression(type, over: names, depth: depth - 1)))"
    case 2: return "array_remove(\(first), \(item))"
    case 3: return "ARRAY[\(item), \(expression(element, over: names, depth: depth - 1))]"
    case 4: return "(\(first))[1:2]"
    case 5 where type == .texts: return "string_to_array(\(item), 'a')"
    default: return "array_prepend(\(item), \(first))"
    }
  }

  private mutating func other(_ type: RandomType, _ names: [RandomName], _ depth: Int) -> String {
    let first = expression(type, over: names, depth: depth - 1)
    let second = expression(type, over: names, depth: depth - 1)
    switch (type, random.below(3)) {
    case (.bigint, 0): return "(\(first) + \(expression(.integer, over: names, depth: depth - 1)))"
    case (.bigint, _): return "(\(expression(.integer, over: names, depth: depth - 1)))::bigint"
    // Always two digits: equal numbers with other scales are different texts, of which either may be chosen.
    case (.numeric, 0): return "round(\(first) + \(second), 2)"
    case (.numeric, 1): return "round(\(first) * \(expression(.integer, over: names, depth: depth - 1)), 2)"
    case (.numeric, _): return "round(\(first) / nullif(\(second), 0), 2)"
    case (.double, 0): return "(\(first) + \(second))"
    case (.double, 1): return "(\(first) / 4)"
    case (.double, _): return "(\(expression(.integer, over: names, depth: depth - 1)))::float8"
    case (.date, 0): return "(\(first) + (\(expression(.integer, over: names, depth: 0)) % 10))"
    case (.date, 1): return "(\(expression(.timestamptz, over: names, depth: depth - 1)))::date"
    case (.timestamptz, 0): return "(\(first) + \(random.pick(["interval '1 month'", "interval '-36:00'"])))"
    case (.timestamptz, 1): return "date_trunc('\(random.pick(["month", "hour", "week"]))', \(first))"
    case (.timestamptz, _): return "(\(expression(.date, over: names, depth: depth - 1)))::timestamptz"
    case (.jsonb, 0): return "(\(first) -> 'a')"
    case (.jsonb, 1): return "jsonb_build_object('k', \(expression(.text, over: names, depth: depth - 1)))"
    case (.jsonb, _):
      let kind = random.pick(RandomType.allCases.filter { $0 != .numeric })
      return "to_jsonb(\(expression(kind, over: names, depth: depth - 1)))"
    default: return "coalesce(\(first), \(second))"
    }
  }

  // MARK: - Conditions

  private mutating func condition(over names: [RandomName], depth: Int) -> String {
    let type = names.isEmpty ? RandomType.integer : random.pick(names).type
    func inner(_ type: RandomType, _ generator: inout Self) -> String {
      generator.expression(type, over: names, depth: depth - 1)
    }
    switch random.below(16) {
    case 0: return "(\(inner(.boolean, &self)) AND \(inner(.boolean, &self)))"
    case 1: return "(\(inner(.boolean, &self)) OR \(inner(.boolean, &self)))"
    case 2: return "NOT \(inner(.boolean, &self))"
    case 3: return "\(inner(type, &self)) IS \(random.chance(50) ? "NOT " : "")NULL"
    case 4:
      return "\(inner(type, &self)) IS \(random.chance(50) ? "NOT " : "")DISTINCT FROM \(inner(type, &self))"
    case 5:
      let pattern = random.pick(["a%", "_", "%b", "%\\%%", "", "A_b"])
      return "\(inner(.text, &self)) \(random.pick(["LIKE", "ILIKE", "NOT LIKE"])) '\(pattern)'"
    case 6: return "\(inner(type, &self)) IN (\(inner(type, &self)), \(inner(type, &self)))"
    case 7 where type != .boolean:
      return "\(inner(type, &self)) BETWEEN \(inner(type, &self)) AND \(inner(type, &self))"
    case 8:
      let array: RandomType = random.chance(50) ? .integers : .texts
      return "\(inner(array, &self)) \(random.pick(["@>", "<@", "&&"])) \(inner(array, &self))"
    case 9:
      return
        "\(inner(.integer, &self)) \(random.pick(["= ANY", "<> ALL", "< ANY"])) (\(inner(.integers, &self)))"
    case 10: return "\(inner(.jsonb, &self)) @> \(inner(.jsonb, &self))"
    case 11: return "\(inner(.jsonb, &self)) ? 'a'"
    case 12:
      return
        "\(inner(.text, &self)) \(random.pick(["~", "~*", "!~"])) '\(random.pick(["^a", "[[:alpha:]]b?$", "."]))'"
    case 13: return "\(inner(.boolean, &self)) IS \(random.pick(["TRUE", "NOT TRUE", "FALSE", "UNKNOWN"]))"
    default:
      return "\(inner(type, &self)) \(random.pick(["=", "<>", "<", "<=", ">", ">="])) \(inner(type, &self))"
    }
  }
}
