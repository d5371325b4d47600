extension Value {
  /// The total order of two values of one type that are not null: negative, zero or positive.
  ///
  /// The types `bpchar` and `citext` have an order of their own (see ``Comparator``).
  package static func compare(_ left: Value, _ right: Value, collation: Collation) -> Int {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): order(left, right)
    case (.text(let left), .text(let right)): collation.compare(left, right)
    case (.uuid(let left), .uuid(let right)): order(left, right)
    case (.timestamp(let left), .timestamp(let right)): order(left, right)
    case (.date(let left), .date(let right)): order(left, right)
    case (.boolean(let left), .boolean(let right)): (left ? 1 : 0) - (right ? 1 : 0)
    case (.double(let left), .double(let right)): order(left, right)
    case (.numeric(let left), .numeric(let right)): left.compare(right)
    case (.time(let left), .time(let right)): order(left, right)
    case (.timetz(let left, let leftOffset), .timetz(let right, let rightOffset)):
      // By the moment, then by the zone.
      orders(
        order(left - Int64(leftOffset) * 1_000_000, right - Int64(rightOffset) * 1_000_000),
        order(rightOffset, leftOffset))
    case (.interval(let left), .interval(let right)): left.compare(right)
    case (.label(_, let left), .label(_, let right)): order(left, right)
    case (.bytes(let left), .bytes(let right)): order(of: left, right)
    case (.jsonb(let left), .jsonb(let right)): JSONB.compare(left, right, collation: collation)
    case (.json(let left), .json(let right)): order(of: left.utf8, right.utf8)
    case (.array(let left), .array(let right)):
      left.compare(right) { compare($0, $1, collation: collation) }
    case (.range(let left), .range(let right)):
      left.compare(right) { compare($0, $1, collation: collation) }
    case (.record(let left), .record(let right)):
      compare(records: left, right) { compare($0, $1, collation: collation) }
    case (.tsvector, .tsvector), (.tsquery, .tsquery):
      left == right ? 0 : order(of: "\(left)".utf8, "\(right)".utf8)
    // An object is identified by its name or by its number.
    case (.integer, .text): -1
    case (.text, .integer): 1
    default: preconditionFailure("Values of one type are compared, but \(left) and \(right) are not.")
    }
  }

  /// Nulls are greater than all other elements, and equal to each other.
  static func compare(records left: [Value], _ right: [Value], _ compare: (Value, Value) -> Int) -> Int {
    for (first, second) in zip(left, right) {
      let result =
        first.isNull || second.isNull
        ? (first.isNull ? 1 : 0) - (second.isNull ? 1 : 0) : compare(first, second)
      if result != 0 { return result }
    }
    return order(left.count, right.count)
  }

  private static func orders(_ first: Int, _ second: Int) -> Int { first != 0 ? first : second }

  private static func order<Element: Comparable>(_ left: Element, _ right: Element) -> Int {
    left < right ? -1 : left == right ? 0 : 1
  }

  /// NaN is equal to itself and greater than all other numbers (PostgreSQL documentation, 8.1.3).
  private static func order(_ left: Double, _ right: Double) -> Int {
    if left.isNaN || right.isNaN { return (left.isNaN ? 1 : 0) - (right.isNaN ? 1 : 0) }
    return left < right ? -1 : left == right ? 0 : 1
  }

  private static func order<Bytes: Sequence<UInt8>>(of left: Bytes, _ right: Bytes) -> Int {
    left.elementsEqual(right) ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
  }
}

extension Interval {
  /// The length with months of 30 days and days of 24 hours, which orders intervals: days, and microseconds of a day.
  var span: (days: Int64, microseconds: Int64) {
    let (whole, rest) = CivilCalendar.floorDivide(microseconds, CivilCalendar.microsecondsPerDay)
    return (Int64(months) * 30 + Int64(days) + whole, rest)
  }

  func compare(_ other: Interval) -> Int { span < other.span ? -1 : span == other.span ? 0 : 1 }
}

extension ArrayValue {
  /// By the elements, then by their number, then by the dimensions (`array_cmp`).
  func compare(_ other: ArrayValue, _ compare: (Value, Value) -> Int) -> Int {
    let elements = Value.compare(records: elements, other.elements, compare)
    if elements != 0 { return elements }
    if dimensions.count != other.dimensions.count {
      return dimensions.count < other.dimensions.count ? -1 : 1
    }
    for (one, two) in zip(dimensions, other.dimensions) where one.count != two.count {
      return one.count < two.count ? -1 : 1
    }
    for (one, two) in zip(dimensions, other.dimensions) where one.lowerBound != two.lowerBound {
      return one.lowerBound < two.lowerBound ? -1 : 1
    }
    return 0
  }
}

extension RangeValue {
  /// An empty range is the least; then by the lower bounds, then by the upper ones.
  func compare(_ other: RangeValue, _ compare: (Value, Value) -> Int) -> Int {
    if isEmpty || other.isEmpty { return (isEmpty ? 0 : 1) - (other.isEmpty ? 0 : 1) }
    let order = Self.compare(lower, isLower: true, other.lower, isLower: true, compare)
    return order != 0 ? order : Self.compare(upper, isLower: false, other.upper, isLower: false, compare)
  }

  /// The order of two bounds of ranges (`range_cmp_bounds`).
  static func compare(
    _ one: Bound, isLower: Bool, _ two: Bound, isLower otherIsLower: Bool, _ compare: (Value, Value) -> Int
  ) -> Int {
    switch (one.value.isNull, two.value.isNull) {
    case (true, true): return isLower == otherIsLower ? 0 : isLower ? -1 : 1
    case (true, false): return isLower ? -1 : 1
    case (false, true): return otherIsLower ? 1 : -1
    case (false, false): break
    }
    let order = compare(one.value, two.value)
    if order != 0 { return order }
    switch (one.isInclusive, two.isInclusive) {
    case (true, true): return 0
    case (false, false): return isLower == otherIsLower ? 0 : isLower ? 1 : -1
    case (false, true): return isLower ? 1 : -1
    case (true, false): return otherIsLower ? -1 : 1
    }
  }
}

/// The order and the equality of the values of a type, none of which is null.
package struct Comparator: Sendable {
  private enum Rule: Sendable {
    case values
    /// Spaces at the end of `bpchar` do not count.
    case padded
    /// `citext` ignores case.
    case caseInsensitive
    indirect case elements(Rule)
  }

  private let rule: Rule
  private let collation: Collation

  package init(_ type: DataType, collation: Collation = .codePoints) {
    rule = Self.rule(type)
    self.collation = collation
  }

  private static func rule(_ type: DataType) -> Rule {
    switch type {
    case .bpchar: .padded
    case .citext: .caseInsensitive
    case .array(let element):
      switch rule(element) {
      case .values: .values
      case let inner: .elements(inner)
      }
    default: .values
    }
  }

  /// Negative, zero or positive.
  package func compare(_ left: Value, _ right: Value) -> Int { compare(left, right, rule) }

  private func compare(_ left: Value, _ right: Value, _ rule: Rule) -> Int {
    switch (rule, left, right) {
    case (.padded, .text(let left), .text(let right)):
      collation.compare(left.withoutTrailingSpaces, right.withoutTrailingSpaces)
    case (.caseInsensitive, .text(let left), .text(let right)):
      collation.compare(left.lowercased(), right.lowercased())
    case (.elements(let rule), .array(let left), .array(let right)):
      left.compare(right) { compare($0, $1, rule) }
    default: Value.compare(left, right, collation: collation)
    }
  }

  package func areEqual(_ left: Value, _ right: Value) -> Bool {
    switch (rule, left, right) {
    case (.values, .integer(let left), .integer(let right)): left == right
    case (.values, .uuid(let left), .uuid(let right)): left == right
    case (.values, .text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    default: compare(left, right) == 0
    }
  }

  /// A value that is equal, and has the same hash, for all values that are equal in the type.
  package func key(_ value: Value) -> Value { Self.key(value, rule) }

  /// The key of a row, some of whose values may be null: nulls are equal here.
  package static func key(_ row: [Value], _ comparators: [Comparator]) -> [Value] {
    zip(row, comparators).map { $0.isNull ? .null : $1.key($0) }
  }

  private static func key(_ value: Value, _ rule: Rule) -> Value {
    switch value {
    case .text(let text):
      switch rule {
      case .padded: key(ofText: text.withoutTrailingSpaces)
      case .caseInsensitive: key(ofText: text.lowercased())
      default: key(ofText: text)
      }
    case .double(let number): number.isNaN ? .text("NaN") : .double(number == 0 ? 0 : number)
    case .interval(let interval): key(of: interval)
    case .array(let array):
      .array(
        ArrayValue(
          dimensions: array.dimensions,
          elements: array.elements.map {
            if case .elements(let inner) = rule { key($0, inner) } else { key($0, .values) }
          }))
    case .record(let values): .record(values.map { key($0, .values) })
    case .range(let range):
      .range(
        range.isEmpty
          ? .empty
          : RangeValue(
            isEmpty: false,
            lower: .init(key(range.lower.value, .values), isInclusive: range.lower.isInclusive),
            upper: .init(key(range.upper.value, .values), isInclusive: range.upper.isInclusive)))
    case .label(_, let order): .double(Double(order))
    default: value
    }
  }

  /// Swift's strings are equal if they are canonically equivalent; PostgreSQL's if their bytes are.
  private static func key(ofText text: String) -> Value {
    text.utf8.allSatisfy { $0 < 0x80 } ? .text(text) : .bytes(Array(text.utf8))
  }

  private static func key(of interval: Interval) -> Value {
    let span = interval.span
    return .record([.integer(span.days), .integer(span.microseconds)])
  }
}

extension String {
  /// Without the spaces that pad `bpchar`.
  var withoutTrailingSpaces: String {
    guard utf8.last == 32 else { return self }
    var bytes = Array(utf8)
    while bytes.last == 32 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
