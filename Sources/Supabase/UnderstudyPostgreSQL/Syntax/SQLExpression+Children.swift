extension SQLExpression {
  /// The expressions directly inside, not those of queries.
  var children: [SQLExpression] {
    switch self {
    case .null, .boolean, .number, .string, .parameter, .name, .wildcard, .defaultValue, .exists, .subquery,
      .arrayQuery:
      []
    case .prefix(_, let operand), .not(let operand), .isTest(let operand, _, _), .cast(let operand, _),
      .field(let operand, _), .collate(let operand, _), .inQuery(let operand, _, _):
      [operand]
    case .infix(_, let left, let right), .isDistinct(let left, let right, _): [left, right]
    case .and(let operands), .or(let operands), .array(let operands), .row(let operands): operands
    case .between(let operand, let low, let high, _, _): [operand, low, high]
    case .inList(let operand, let list, _): [operand] + list
    case .quantified(let operand, _, _, .array(let array)): [operand, array]
    case .quantified(let operand, _, _, .query): [operand]
    case .call(let call): call.children
    case .conditional(let conditional):
      [conditional.operand].compactMap { $0 } + conditional.branches.flatMap { [$0.condition, $0.result] }
        + [conditional.otherwise].compactMap { $0 }
    case .element(let operand, let index): [operand] + [index.lower, index.upper].compactMap { $0 }
    }
  }

  /// Whether the expression or one inside it, not in a query, satisfies a condition.
  func contains(_ condition: (SQLExpression) -> Bool) -> Bool {
    condition(self) || children.contains { $0.contains(condition) }
  }
}

extension Call {
  var children: [SQLExpression] {
    var children = arguments.map(\.value) + order.map(\.expression) + withinGroup.map(\.expression)
    if let filter { children.append(filter) }
    if case .window(let window) = over { children += window.partition + window.order.map(\.expression) }
    return children
  }
}
