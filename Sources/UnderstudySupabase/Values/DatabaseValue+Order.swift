import Foundation

extension DatabaseValue {
  /// Whether this comes before, with or after another of the same type; `nil` where one is `NULL`.
  ///
  /// Texts are compared by their code points, as the collation `C.UTF-8` does.
  func order(comparedTo other: DatabaseValue) -> Order? {
    switch (self, other) {
    case (.null, _), (_, .null): nil
    case (.uuid(let one), .uuid(let other)): Order(one, other)
    case (.text(let one), .text(let other)): Order(text: one, other)
    case (.integer(let one), .integer(let other)): Order(one, other)
    // NaN equals itself and comes after everything else.
    case (.double(let one), .double(let other)):
      one.isNaN || other.isNaN ? Order(one.isNaN ? 1 : 0, other.isNaN ? 1 : 0) : Order(one, other)
    case (.boolean(let one), .boolean(let other)): Order(one ? 1 : 0, other ? 1 : 0)
    case (.date(let one), .date(let other)): Order(one, other)
    case (.timestamp(let one), .timestamp(let other)): Order(one, other)
    case (.textArray(let one), .textArray(let other)): Self.order(one, other)
    case (.json(let one), .json(let other)): one.order(comparedTo: other)
    // Never asked: both sides are of the column's type.
    default: Order(typeName, other.typeName)
    }
  }

  enum Order {
    case before
    case same
    case after

    init<Value: Comparable>(_ one: Value, _ other: Value) {
      self = one < other ? .before : other < one ? .after : .same
    }

    init(text one: String, _ other: String) {
      if one.utf8.elementsEqual(other.utf8) {
        self = .same
      } else {
        self = one.utf8.lexicographicallyPrecedes(other.utf8) ? .before : .after
      }
    }

    var reversed: Order {
      switch self {
      case .before: .after
      case .same: .same
      case .after: .before
      }
    }
  }

  /// Element by element, `NULL` last, a beginning before the whole (`array_cmp`).
  private static func order(_ one: [String?], _ other: [String?]) -> Order {
    for (one, other) in zip(one, other) {
      let order: Order =
        switch (one, other) {
        case (nil, nil): .same
        case (nil, _): .after
        case (_, nil): .before
        case (let one?, let other?): Order(text: one, other)
        }
      if order != .same { return order }
    }
    return Order(one.count, other.count)
  }
}
