/// Functions and operators of ranges (PostgreSQL documentation, 9.20).
extension Function {
  static let ranges: [Function] = rangeConstructors + rangeParts

  private static let rangeConstructors: [Function] = [
    DataType.RangeType.int4range, .int8range, .numrange, .daterange, .tsrange, .tstzrange,
  ].map { type in
    Function(
      type.rawValue, [type.element, type.element, .text], optional: 1, returns: .range(type), isStrict: false,
      .scalar { a, _ throws(PostgreSQLError) in
        var flags = "[)"
        if a.count > 2 {
          if a[2].isNull {
            throw PostgreSQLError("22000", "range constructor flags argument must not be null")
          }
          flags = a.text(2)
        }
        guard ["[]", "[)", "(]", "()"].contains(flags) else {
          throw PostgreSQLError(
            "42601", "invalid range bound flags",
            hint: "Valid values are \"[]\", \"[)\", \"(]\", and \"()\".")
        }
        return .range(
          try RangeValue(
            RangeValue.Bound(a[0], isInclusive: flags.first == "["),
            RangeValue.Bound(a[1], isInclusive: flags.last == "]"), of: type))
      })
  }

  private static let rangeParts: [Function] = [
    Function(
      "lower", [.anyrange], returns: .anyelement,
      .scalar { a, _ in a.range(0).isEmpty ? .null : a.range(0).lower.value }),
    Function(
      "upper", [.anyrange], returns: .anyelement,
      .scalar { a, _ in a.range(0).isEmpty ? .null : a.range(0).upper.value }),
    Function("isempty", [.anyrange], returns: .boolean, .scalar { a, _ in .boolean(a.range(0).isEmpty) }),
    Function(
      "lower_inc", [.anyrange], returns: .boolean,
      .scalar { a, _ in .boolean(!a.range(0).isEmpty && a.range(0).lower.isInclusive) }),
    Function(
      "upper_inc", [.anyrange], returns: .boolean,
      .scalar { a, _ in .boolean(!a.range(0).isEmpty && a.range(0).upper.isInclusive) }),
    Function(
      "lower_inf", [.anyrange], returns: .boolean,
      .scalar { a, _ in .boolean(!a.range(0).isEmpty && a.range(0).lower.value.isNull) }),
    Function(
      "upper_inf", [.anyrange], returns: .boolean,
      .scalar { a, _ in .boolean(!a.range(0).isEmpty && a.range(0).upper.value.isNull) }),
    Function(
      "range_merge", [.anyrange, .anyrange], returns: .anyrange,
      .scalar { a, _ in .range(a.range(0).merged(with: a.range(1))) }),
  ]
}

extension RangeValue {
  /// The place of a bound, between values: a bound that excludes its value is beside it.
  private struct Place {
    /// Null at an infinity.
    var value: Value
    /// Of a bounded place: -1 before its value, 1 after it.
    ///
    /// Of an infinity: its sign.
    var side: Int

    static func < (left: Place, right: Place) -> Bool { compare(left, right) < 0 }
    static func <= (left: Place, right: Place) -> Bool { compare(left, right) <= 0 }
    static func == (left: Place, right: Place) -> Bool { compare(left, right) == 0 }

    static func compare(_ left: Place, _ right: Place) -> Int {
      switch (left.value.isNull, right.value.isNull) {
      case (true, true): return left.side - right.side
      case (true, false): return left.side
      case (false, true): return -right.side
      case (false, false):
        let order = Value.compare(left.value, right.value, collation: .codePoints)
        return order == 0 ? left.side - right.side : order
      }
    }
  }

  private var start: Place {
    Place(value: lower.value, side: lower.value.isNull || lower.isInclusive ? -1 : 1)
  }
  private var end: Place {
    Place(value: upper.value, side: upper.value.isNull || upper.isInclusive ? 1 : -1)
  }

  private static func between(_ start: Place, _ end: Place) -> RangeValue {
    guard start < end else { return .empty }
    return RangeValue(
      isEmpty: false, lower: Bound(start.value, isInclusive: !start.value.isNull && start.side < 0),
      upper: Bound(end.value, isInclusive: !end.value.isNull && end.side > 0))
  }

  func contains(_ other: RangeValue) -> Bool {
    other.isEmpty || !isEmpty && start <= other.start && other.end <= end
  }

  func contains(_ value: Value) -> Bool {
    !isEmpty && start <= Place(value: value, side: -1) && Place(value: value, side: 1) <= end
  }

  func overlaps(_ other: RangeValue) -> Bool {
    !isEmpty && !other.isEmpty && start < other.end && other.start < end
  }

  /// Whether the range is wholly before the other.
  func precedes(_ other: RangeValue) -> Bool { !isEmpty && !other.isEmpty && end <= other.start }

  func endsNotAfter(_ other: RangeValue) -> Bool { !isEmpty && !other.isEmpty && end <= other.end }

  func startsNotBefore(_ other: RangeValue) -> Bool { !isEmpty && !other.isEmpty && other.start <= start }

  func isAdjacent(to other: RangeValue) -> Bool {
    !isEmpty && !other.isEmpty && (end == other.start || other.end == start)
  }

  func merged(with other: RangeValue) -> RangeValue {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return .between(start < other.start ? start : other.start, end < other.end ? other.end : end)
  }

  func union(_ other: RangeValue) throws(PostgreSQLError) -> RangeValue {
    guard isEmpty || other.isEmpty || overlaps(other) || isAdjacent(to: other) else {
      throw PostgreSQLError("22000", "result of range union would not be contiguous")
    }
    return merged(with: other)
  }

  func intersection(_ other: RangeValue) -> RangeValue {
    guard overlaps(other) else { return .empty }
    return .between(start < other.start ? other.start : start, end < other.end ? end : other.end)
  }

  func subtracting(_ other: RangeValue) throws(PostgreSQLError) -> RangeValue {
    guard overlaps(other) else { return self }
    let (isCutBefore, isCutAfter) = (start < other.start, other.end < end)
    if isCutBefore, isCutAfter {
      throw PostgreSQLError("22000", "result of range difference would not be contiguous")
    }
    if isCutBefore { return .between(start, other.start) }
    return isCutAfter ? .between(other.end, end) : .empty
  }
}

extension Operator {
  static let ranges: [Operator] = rangeTests + rangeSets

  private static func test(
    _ name: String, _ body: @escaping @Sendable (RangeValue, RangeValue) -> Bool
  ) -> Operator {
    Operator(
      .anyrange, name, .anyrange, returns: .boolean,
      .scalar { a, _ in .boolean(body(a.range(0), a.range(1))) })
  }

  private static let rangeTests: [Operator] = [
    test("@>") { $0.contains($1) },
    test("<@") { $1.contains($0) },
    test("&&") { $0.overlaps($1) },
    test("<<") { $0.precedes($1) },
    test(">>") { $1.precedes($0) },
    test("&<") { $0.endsNotAfter($1) },
    test("&>") { $0.startsNotBefore($1) },
    test("-|-") { $0.isAdjacent(to: $1) },
    Operator(
      .anyrange, "@>", .anyelement, returns: .boolean, .scalar { a, _ in .boolean(a.range(0).contains(a[1])) }
    ),
    Operator(
      .anyelement, "<@", .anyrange, returns: .boolean, .scalar { a, _ in .boolean(a.range(1).contains(a[0])) }
    ),
  ]

  private static let rangeSets: [Operator] = [
    Operator(
      .anyrange, "+", .anyrange, returns: .anyrange,
      .scalar { a, _ throws(PostgreSQLError) in .range(try a.range(0).union(a.range(1))) }),
    Operator(
      .anyrange, "*", .anyrange, returns: .anyrange,
      .scalar { a, _ in .range(a.range(0).intersection(a.range(1))) }),
    Operator(
      .anyrange, "-", .anyrange, returns: .anyrange,
      .scalar { a, _ throws(PostgreSQLError) in .range(try a.range(0).subtracting(a.range(1))) }),
  ]
}
