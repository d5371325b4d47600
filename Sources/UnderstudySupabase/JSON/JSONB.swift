package import Foundation
import UnderstudyHTTP

extension JSONValue {
  /// The text in the notation of PostgreSQL for `jsonb`: a space after each comma and colon.
  var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// The text, in UTF-8.
  package var data: Data { Data(text.utf8) }

  /// Writes it as PostgreSQL prints a `jsonb`.
  func write(to text: inout String) {
    write(to: &text, comma: ", ", colon: ": ")
  }
}

extension JSONValue {
  /// Returns the value in the form of `jsonb`: only the last member with a name, shorter names first, numbers without
  /// exponents.
  func normalized() -> JSONValue {
    switch self {
    // A number that overflows is refused where a value is read; elsewhere it is unchanged.
    case .number(let digits): return .number(DecimalText(digits)?.text ?? digits)
    case .array(let elements): return .array(elements.map { $0.normalized() })
    case .object(let members):
      var last: [String: JSONValue] = [:]
      for member in members { last[member.name] = member.value.normalized() }
      let names = last.keys.sorted {
        $0.utf8.count != $1.utf8.count
          ? $0.utf8.count < $1.utf8.count : $0.utf8.lexicographicallyPrecedes($1.utf8)
      }
      return .object(names.compactMap { name in last[name].map { Member(name, $0) } })
    default: return self
    }
  }

  /// Whether a number in it has more digits than PostgreSQL's `numeric` can store.
  var overflowsNumeric: Bool {
    switch self {
    case .null, .boolean, .string: false
    case .number(let digits): DecimalText(digits) == nil
    case .array(let elements): elements.contains(where: \.overflowsNumeric)
    case .object(let members): members.contains { $0.value.overflowsNumeric }
    }
  }

  /// Whether a string or a name in it has a NUL, which PostgreSQL cannot store.
  var containsNUL: Bool {
    switch self {
    case .null, .boolean, .number: false
    case .string(let text): text.utf8.contains(0)
    case .array(let elements): elements.contains(where: \.containsNUL)
    case .object(let members): members.contains { $0.name.utf8.contains(0) || $0.value.containsNUL }
    }
  }
}

extension JSONValue {
  /// Returns the order of this value and another one as `jsonb` (`compareJsonbContainers`).
  ///
  /// By kind, then by size, then part by part; for historical reasons an empty array comes before everything.
  func order(comparedTo other: JSONValue) -> ColumnValue.Order {
    let (one, two) = (elementCount, other.elementCount)
    // PostgreSQL stores a scalar document as an array of one element.
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

  private func partOrder(comparedTo other: JSONValue) -> ColumnValue.Order {
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
        let names = ColumnValue.Order(text: first.name, second.name)
        if names != .same { return names }
        let values = first.value.partOrder(comparedTo: second.value)
        if values != .same { return values }
      }
      return .same
    default: return .init(kind, other.kind)
    }
  }
}

/// A decimal number of any length: a number in a JSON document as PostgreSQL's `numeric`.
struct DecimalText: Sendable {
  let isNegative: Bool
  /// The digits before the point, without leading zeros; empty for zero.
  private let whole: [UInt8]
  /// The digits after the point, shifted by the exponent.
  private let fraction: [UInt8]

  /// - Returns: `nil` for a number of more digits than `numeric` can store.
  init?(_ text: String) {
    var rest = Substring(text).utf8
    let hasSign = rest.first == UInt8(ascii: "-")
    if hasSign { rest = rest.dropFirst() }
    let mantissa = rest.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    let written = rest.dropFirst(mantissa.count + 1)
    let exponent = written.isEmpty ? 0 : Int(String(decoding: written, as: UTF8.self))
    guard let exponent, exponent.magnitude <= 131_072 + 16_383 else { return nil }
    var whole = Array(mantissa.prefix { $0 != UInt8(ascii: ".") })
    var fraction = Array(mantissa.dropFirst(whole.count + 1))
    if exponent > 0 {
      fraction += Array(repeating: UInt8(ascii: "0"), count: max(0, exponent - fraction.count))
      whole += fraction.prefix(exponent)
      fraction.removeFirst(exponent)
    } else if exponent < 0 {
      whole = Array(repeating: UInt8(ascii: "0"), count: max(0, -exponent - whole.count)) + whole
      fraction = whole.suffix(-exponent) + fraction
      whole.removeLast(-exponent)
    }
    whole = Array(whole.drop { $0 == UInt8(ascii: "0") })
    guard whole.count <= 131_072, fraction.count <= 16_383 else { return nil }
    self.whole = whole
    self.fraction = fraction
    // There is one zero.
    isNegative = hasSign && (whole + fraction).contains { $0 != UInt8(ascii: "0") }
  }

  /// The number without an exponent.
  var text: String {
    (isNegative ? "-" : "") + (whole.isEmpty ? "0" : String(decoding: whole, as: UTF8.self))
      + (fraction.isEmpty ? "" : "." + String(decoding: fraction, as: UTF8.self))
  }

  func order(comparedTo other: DecimalText) -> ColumnValue.Order {
    if isNegative != other.isNegative { return isNegative ? .before : .after }
    let order = orderOfMagnitude(comparedTo: other)
    return isNegative ? order.reversed : order
  }

  private func orderOfMagnitude(comparedTo other: DecimalText) -> ColumnValue.Order {
    guard whole.count == other.whole.count else { return whole.count < other.whole.count ? .before : .after }
    if whole != other.whole { return whole.lexicographicallyPrecedes(other.whole) ? .before : .after }
    // Trailing zeros of a fraction are not significant.
    let length = max(fraction.count, other.fraction.count)
    let (one, two) = (padded(fraction, to: length), padded(other.fraction, to: length))
    return one == two ? .same : one.lexicographicallyPrecedes(two) ? .before : .after
  }

  private func padded(_ digits: [UInt8], to length: Int) -> [UInt8] {
    digits + Array(repeating: UInt8(ascii: "0"), count: length - digits.count)
  }
}
