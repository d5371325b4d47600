import UnderstudyHTTP

extension JSONValue {
  /// Whether this comes before another as a `jsonb` (`compareJsonbContainers`).
  ///
  /// By kind, then by size, then part by part; an empty array comes before everything, for a reason that is history.
  func order(comparedTo other: JSONValue) -> DatabaseValue.Order {
    let (one, two) = (elementCount, other.elementCount)
    // PostgreSQL keeps a document that is no object and no array as an array of one.
    if case .object = self { return partOrder(comparedTo: other) }
    if case .object = other { return partOrder(comparedTo: other) }
    if one != two { return one < two ? .before : .after }
    if isArray != other.isArray { return isArray ? .after : .before }
    return partOrder(comparedTo: other)
  }

  private var isArray: Bool { if case .array = self { true } else { false } }

  private var elementCount: Int { if case .array(let elements) = self { elements.count } else { 1 } }

  private var kind: Int {
    switch self {
    case .null: 0
    case .string: 1
    case .number: 2
    case .boolean: 3
    case .array: 4
    case .object: 5
    }
  }

  private func partOrder(comparedTo other: JSONValue) -> DatabaseValue.Order {
    switch (self, other) {
    case (.null, .null): return .same
    case (.string(let one), .string(let other)): return .init(text: one, other)
    case (.boolean(let one), .boolean(let other)): return .init(one ? 1 : 0, other ? 1 : 0)
    case (.number(let one), .number(let other)):
      guard let first = DecimalText(one), let second = DecimalText(other) else {
        return .init(text: one, other)
      }
      return first.order(comparedTo: second)
    case (.array(let one), .array(let other)):
      if one.count != other.count { return .init(one.count, other.count) }
      for (first, second) in zip(one, other) {
        let order = first.partOrder(comparedTo: second)
        if order != .same { return order }
      }
      return .same
    case (.object(let one), .object(let other)):
      if one.count != other.count { return .init(one.count, other.count) }
      for (first, second) in zip(one, other) {
        let names = DatabaseValue.Order(text: first.name, second.name)
        if names != .same { return names }
        let values = first.value.partOrder(comparedTo: second.value)
        if values != .same { return values }
      }
      return .same
    default: return .init(kind, other.kind)
    }
  }
}
