extension SQLExpression {
  /// How tightly the expression holds together as it is printed.
  fileprivate var precedence: Precedence {
    switch self {
    case .and(let operands): operands.count > 1 ? .and : operands.first?.precedence ?? .primary
    case .or(let operands): operands.count > 1 ? .or : operands.first?.precedence ?? .primary
    case .not: .not
    case .isTest, .isDistinct: .isTest
    case .inList(_, let values, _): values.isEmpty ? .primary : .pattern
    case .between, .inQuery: .pattern
    case .quantified(_, let name, _, _): Precedence.infix(name)
    case .infix(let name, _, _): Precedence.infix(name)
    case .prefix(let name, _): Precedence.infix(name) == .additive ? .sign : .other
    case .collate: .collate
    case .cast: .cast
    case .defaultValue: .lowest
    default: .primary
    }
  }

  /// Whether it can stand, without parentheses, in an operand of `BETWEEN` or in a default: `b_expr` of the grammar.
  fileprivate var isAllowedInRestricted: Bool {
    switch self {
    case .collate, .quantified: false
    default: true
    }
  }
}

extension Printer {
  /// An expression, in parentheses if it binds less than the minimum.
  mutating func write(
    _ expression: SQLExpression, _ minimum: Precedence = .lowest, isRestricted: Bool = false
  ) {
    let needsParentheses =
      expression.precedence < minimum || (isRestricted && !expression.isAllowedInRestricted)
    if needsParentheses { write("(") }
    writeContent(of: expression, isRestricted: isRestricted && !needsParentheses)
    if needsParentheses { write(")") }
  }

  private mutating func writeContent(of expression: SQLExpression, isRestricted: Bool) {
    switch expression {
    case .null: write("NULL")
    case .boolean(let value): write(value ? "true" : "false")
    case .number(let digits): write(digits)
    case .string(let value): write(Self.literal(value))
    case .parameter(let number): write("$\(number)")
    case .name(let names): writeParts(names)
    case .wildcard(let names):
      writeParts(names)
      write(names.isEmpty ? "*" : ".*")
    case .prefix(let name, let operand): writePrefix(name, operand, isRestricted: isRestricted)
    case .infix(let name, let left, let right):
      let precedence = Precedence.infix(name)
      write(left, precedence.isNonAssociative ? precedence.tighter : precedence, isRestricted: isRestricted)
      write(" \(name) ")
      write(right, precedence.tighter, isRestricted: isRestricted)
    case .and(let operands): writeConnective("AND", operands, .and)
    case .or(let operands): writeConnective("OR", operands, .or)
    case .not(let operand):
      write("NOT ")
      write(operand, .not)
    case .isTest(let operand, let test, let negated):
      write(operand, .comparison)
      write(negated ? " IS NOT " : " IS ")
      write(test.rawValue.uppercased())
    case .isDistinct(let left, let right, let negated):
      write(left, .comparison, isRestricted: isRestricted)
      write(negated ? " IS NOT DISTINCT FROM " : " IS DISTINCT FROM ")
      write(right, .comparison, isRestricted: isRestricted)
    case .between(let value, let lower, let upper, let isSymmetric, let negated):
      write(value, Precedence.pattern.tighter)
      write(negated ? " NOT BETWEEN " : " BETWEEN ")
      if isSymmetric { write("SYMMETRIC ") }
      write(lower, .other, isRestricted: true)
      write(" AND ")
      write(upper, Precedence.pattern.tighter)
    case .inList(let value, let values, let negated):
      // The grammar has no empty list; nothing is a member of one.
      guard !values.isEmpty else { return write(negated ? "true" : "false") }
      write(value, Precedence.pattern.tighter)
      write(negated ? " NOT IN (" : " IN (")
      writeExpressions(values)
      write(")")
    case .inQuery(let value, let query, let negated):
      write(value, Precedence.pattern.tighter)
      write(negated ? " NOT IN " : " IN ")
      writeInParentheses(query)
    case .quantified(let value, let name, let quantifier, let operand):
      let precedence = Precedence.infix(name)
      write(value, precedence.isNonAssociative ? precedence.tighter : precedence)
      write(" \(name) \(quantifier.rawValue.uppercased()) ")
      switch operand {
      case .query(let query): writeInParentheses(query)
      case .array(let array):
        write("(")
        write(array)
        write(")")
      }
    case .exists(let query):
      write("EXISTS ")
      writeInParentheses(query)
    case .subquery(let query): writeInParentheses(query)
    case .array(let members):
      write("ARRAY[")
      writeExpressions(members)
      write("]")
    case .arrayQuery(let query):
      write("ARRAY")
      writeInParentheses(query)
    case .row(let members):
      write("ROW(")
      writeExpressions(members)
      write(")")
    case .cast(let operand, let type):
      write(operand, .cast, isRestricted: isRestricted)
      write("::\(type.sql)")
    case .call(let call): write(call)
    case .conditional(let conditional): write(conditional)
    case .element(let base, let subscription):
      writeBase(base, isOfField: false)
      write(subscription)
    case .field(let base, let name):
      writeBase(base, isOfField: true)
      write(".")
      if name == "*" { write("*") } else { writeName(name) }
    case .collate(let operand, let name):
      write(operand, .collate)
      write(" COLLATE ")
      write(name)
    case .defaultValue: write("DEFAULT")
    }
  }

  private mutating func writeParts(_ names: [String]) {
    write(names.map(Self.identifier).joined(separator: "."))
  }

  private mutating func writePrefix(_ name: String, _ operand: SQLExpression, isRestricted: Bool) {
    var inner = Printer()
    let isSign = Precedence.infix(name) == .additive
    inner.write(operand, isSign ? .sign : .additive, isRestricted: isRestricted)
    write(name)
    // Two signs would begin a comment, and other operators would become one.
    let startsWithOperator = inner.text.utf8.first.map { "~!@#^&|`?+-*/%<>=".utf8.contains($0) } ?? false
    if !isSign || startsWithOperator { write(" ") }
    write(inner.text)
  }

  private mutating func writeConnective(_ word: String, _ operands: [SQLExpression], _ precedence: Precedence)
  {
    guard operands.count > 1 else {
      guard let operand = operands.first else { return write(precedence == .and ? "true" : "false") }
      return write(operand)
    }
    for (position, operand) in operands.enumerated() {
      if position > 0 { write(" \(word) ") }
      write(operand, precedence.tighter)
    }
  }

  /// What a subscript or a field follows.
  private mutating func writeBase(_ base: SQLExpression, isOfField: Bool) {
    switch base {
    case .parameter, .element, .field, .subquery: write(base)
    // A field of a column has parentheses, or it would be a column of a table.
    case .name where !isOfField: write(base)
    default:
      write("(")
      write(base)
      write(")")
    }
  }

  mutating func write(_ subscription: Subscript) {
    write("[")
    if let lower = subscription.lower { write(lower) }
    if subscription.isSlice {
      write(":")
      if let upper = subscription.upper { write(upper) }
    }
    write("]")
  }

  private mutating func write(_ conditional: Conditional) {
    write("CASE")
    if let operand = conditional.operand {
      write(" ")
      write(operand)
    }
    for branch in conditional.branches {
      write(" WHEN ")
      write(branch.condition)
      write(" THEN ")
      write(branch.result)
    }
    if let otherwise = conditional.otherwise {
      write(" ELSE ")
      write(otherwise)
    }
    write(" END")
  }
}

// MARK: - Calls

extension Printer {
  /// Calls without parentheses, some of which take a precision.
  private static let wordsWithoutParentheses: Set<String> = [
    "current_date", "current_role", "current_user", "user", "session_user", "current_catalog",
    "current_schema",
    "current_time", "current_timestamp", "localtime", "localtimestamp",
  ]
  /// Calls with a syntax of their own and names that are not functions.
  private static let specialNames: Set<String> = ["coalesce", "nullif", "greatest", "least", "grouping"]

  mutating func write(_ call: Call) {
    if call.name.schema == nil, Self.wordsWithoutParentheses.contains(call.name.name),
      call.arguments.count < 2
    {
      write(call.name.name.uppercased())
      if let precision = call.arguments.first {
        write("(")
        write(precision.value)
        write(")")
      }
      return
    }
    if call.name.schema == nil, Self.specialNames.contains(call.name.name) {
      write(call.name.name.uppercased())
    } else {
      write(call.name)
    }
    write("(")
    if call.isStar { write("*") }
    if call.isDistinct { write("DISTINCT ") }
    writeList(call.arguments) { printer, argument in
      if argument.isVariadic { printer.write("VARIADIC ") }
      if let name = argument.name {
        printer.writeName(name)
        printer.write(" => ")
      }
      printer.write(argument.value)
    }
    if !call.order.isEmpty {
      write(" ORDER BY ")
      write(call.order)
    }
    write(")")
    if !call.withinGroup.isEmpty {
      write(" WITHIN GROUP (ORDER BY ")
      write(call.withinGroup)
      write(")")
    }
    if let filter = call.filter {
      write(" FILTER (WHERE ")
      write(filter)
      write(")")
    }
    switch call.over {
    case .named(let name):
      write(" OVER ")
      writeName(name)
    case .window(let window):
      write(" OVER ")
      write(window)
    case nil: break
    }
  }

  mutating func write(_ keys: [SortKey]) {
    writeList(keys) { printer, key in
      printer.write(key.expression)
      if key.isDescending { printer.write(" DESC") }
      if let first = key.nullsFirst { printer.write(first ? " NULLS FIRST" : " NULLS LAST") }
    }
  }

  mutating func write(_ window: Window) {
    var parts: [String] = []
    if let base = window.base { parts.append(Self.windowName(base)) }
    if !window.partition.isEmpty {
      var inner = Printer()
      inner.write("PARTITION BY ")
      inner.writeExpressions(window.partition)
      parts.append(inner.text)
    }
    if !window.order.isEmpty {
      var inner = Printer()
      inner.write("ORDER BY ")
      inner.write(window.order)
      parts.append(inner.text)
    }
    if let frame = window.frame {
      parts.append(
        "\(frame.unit.rawValue.uppercased()) BETWEEN \(Self.bound(frame.start)) AND \(Self.bound(frame.end))")
    }
    write("(\(parts.joined(separator: " ")))")
  }

  /// The name of a window within another, where these words would begin a clause.
  private static func windowName(_ name: String) -> String {
    ["partition", "range", "rows", "groups"].contains(name) ? "\"\(name)\"" : identifier(name)
  }

  private static func bound(_ bound: Window.Frame.Bound) -> String {
    switch bound {
    case .unboundedPreceding: "UNBOUNDED PRECEDING"
    case .preceding(let offset): "\(offset.sql) PRECEDING"
    case .currentRow: "CURRENT ROW"
    case .following(let offset): "\(offset.sql) FOLLOWING"
    case .unboundedFollowing: "UNBOUNDED FOLLOWING"
    }
  }
}
