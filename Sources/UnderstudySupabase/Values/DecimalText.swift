/// A decimal number in digits, of any length: what PostgreSQL's `numeric` keeps of a number in a JSON document.
struct DecimalText: Sendable {
  let isNegative: Bool
  /// Without zeros before it; empty for zero.
  private let whole: [UInt8]
  /// As many digits as were written, or as the exponent makes of them.
  private let fraction: [UInt8]

  /// - Returns: `nil` for a number of more digits than `numeric` has room for.
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

  /// Without an exponent.
  var text: String {
    (isNegative ? "-" : "") + (whole.isEmpty ? "0" : String(decoding: whole, as: UTF8.self))
      + (fraction.isEmpty ? "" : "." + String(decoding: fraction, as: UTF8.self))
  }

  func order(comparedTo other: DecimalText) -> DatabaseValue.Order {
    if isNegative != other.isNegative { return isNegative ? .before : .after }
    let order = orderOfMagnitude(comparedTo: other)
    return isNegative ? order.reversed : order
  }

  private func orderOfMagnitude(comparedTo other: DecimalText) -> DatabaseValue.Order {
    guard whole.count == other.whole.count else { return whole.count < other.whole.count ? .before : .after }
    if whole != other.whole { return whole.lexicographicallyPrecedes(other.whole) ? .before : .after }
    // Zeros at the end of a fraction mean nothing.
    let length = max(fraction.count, other.fraction.count)
    let (one, two) = (padded(fraction, to: length), padded(other.fraction, to: length))
    return one == two ? .same : one.lexicographicallyPrecedes(two) ? .before : .after
  }

  private func padded(_ digits: [UInt8], to length: Int) -> [UInt8] {
    digits + Array(repeating: UInt8(ascii: "0"), count: length - digits.count)
  }
}
