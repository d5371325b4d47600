// The arithmetic of PostgreSQL's src/backend/utils/adt/numeric.c: results and their scales.

extension Numeric {
  /// The number if it can be stored.
  init(checking value: Finite) throws(PostgreSQLError) {
    guard value.digits.isEmpty || (Self.leastWeight...Self.greatestWeight).contains(value.weight),
      value.scale <= Self.greatestScale
    else { throw .numericOverflow }
    self = .finite(value)
  }

  package static func + (left: Self, right: Self) throws(PostgreSQLError) -> Self {
    switch (left, right) {
    case (.finite(let one), .finite(let two)): return try Numeric(checking: one.adding(two))
    case (.notANumber, _), (_, .notANumber): return .notANumber
    case (.infinity(let one), .infinity(let two)): return one == two ? left : .notANumber
    case (.infinity, _): return left
    case (_, .infinity): return right
    }
  }

  package static func - (left: Self, right: Self) throws(PostgreSQLError) -> Self { try left + -right }

  package static prefix func - (value: Self) -> Self {
    switch value {
    case .notANumber: .notANumber
    case .infinity(let isNegative): .infinity(isNegative: !isNegative)
    case .finite(let value): .finite(value.negated)
    }
  }

  package var magnitude: Self { signum < 0 ? -self : self }

  package static func * (left: Self, right: Self) throws(PostgreSQLError) -> Self {
    switch (left, right) {
    case (.finite(let one), .finite(let two)):
      let product = one.multiplied(by: two)
      return try Numeric(
        checking: product.scale > greatestScale ? product.rounded(to: greatestScale) : product)
    case (.notANumber, _), (_, .notANumber): return .notANumber
    default:
      let sign = left.signum * right.signum
      return sign == 0 ? .notANumber : .infinity(isNegative: sign < 0)
    }
  }

  package static func / (left: Self, right: Self) throws(PostgreSQLError) -> Self {
    switch (left, right) {
    case (.notANumber, _), (_, .notANumber): return .notANumber
    case (.infinity, .infinity): return .notANumber
    case (.infinity(let isNegative), .finite(let divisor)):
      guard !divisor.digits.isEmpty else { throw .divisionByZero }
      return .infinity(isNegative: isNegative != divisor.isNegative)
    case (.finite, .infinity): return .zero
    case (.finite(let dividend), .finite(let divisor)):
      guard !divisor.digits.isEmpty else { throw .divisionByZero }
      let scale = dividend.scaleOfQuotient(by: divisor)
      return try Numeric(checking: dividend.divided(by: divisor, scale: scale, isRounded: true))
    }
  }

  package static func % (left: Self, right: Self) throws(PostgreSQLError) -> Self {
    switch (left, right) {
    case (.notANumber, _), (_, .notANumber): return .notANumber
    case (.infinity, _):
      guard !right.isZero else { throw .divisionByZero }
      return .notANumber
    case (.finite, .infinity): return left
    case (.finite(let dividend), .finite(let divisor)):
      guard !divisor.digits.isEmpty else { throw .divisionByZero }
      return .finite(dividend.remainder(by: divisor))
    }
  }

  /// `div`: the quotient without its fraction.
  package func quotient(by divisor: Self) throws(PostgreSQLError) -> Self {
    switch (self, divisor) {
    case (.finite(let dividend), .finite(let divisor)):
      guard !divisor.digits.isEmpty else { throw .divisionByZero }
      return try Numeric(checking: dividend.divided(by: divisor, scale: 0, isRounded: false))
    default: return try self / divisor
    }
  }

  private func mapFinite(_ change: (Finite) -> Finite) throws(PostgreSQLError) -> Self {
    if case .finite(let value) = self { try Numeric(checking: change(value)) } else { self }
  }

  /// Rounds half away from zero.
  package func rounded(to scale: Int = 0) throws(PostgreSQLError) -> Self {
    try mapFinite { $0.rounded(to: min(max(scale, -2000), 2000)) }
  }

  package func truncated(to scale: Int = 0) throws(PostgreSQLError) -> Self {
    try mapFinite { $0.truncated(to: min(max(scale, -2000), 2000)) }
  }

  package var floor: Self {
    get throws(PostgreSQLError) {
      try mapFinite { value in
        let whole = value.truncated(to: 0)
        return value.isNegative && !value.isInteger ? whole.subtracting(.one) : whole
      }
    }
  }

  package var ceiling: Self { get throws(PostgreSQLError) { -(try (-self).floor) } }

  /// Rounds to `numeric(precision, scale)`.
  package func rounded(precision: Int, scale: Int) throws(PostgreSQLError) -> Self {
    let detail: String
    switch self {
    case .notANumber: return self
    case .infinity:
      detail = "A field with precision \(precision), scale \(scale) cannot hold an infinite value."
    case .finite(let value):
      let rounded = value.rounded(to: scale)
      let places = precision - scale
      if rounded.digits.isEmpty || rounded.firstPower < places { return .finite(rounded) }
      let limit = places == 0 ? "1" : "10^\(places)"
      detail =
        "A field with precision \(precision), scale \(scale) must round to an absolute value less than \(limit)."
    }
    throw PostgreSQLError("22003", "numeric field overflow", detail: detail)
  }
}

extension Numeric.Finite {
  static let one = Self(isNegative: false, digits: [1], weight: 0, scale: 0)

  init(_ value: Int) {
    var digits: [UInt16] = []
    var rest = value.magnitude
    while rest > 0 {
      digits.append(UInt16(rest % 10_000))
      rest /= 10_000
    }
    self.init(isNegative: value < 0, digits: digits.reversed(), weight: digits.count - 1, scale: 0)
  }

  var negated: Self {
    var copy = self
    copy.isNegative = !isNegative && !digits.isEmpty
    return copy
  }

  /// The same number that shows other decimal places.
  func showing(scale: Int) -> Self {
    var copy = self
    copy.scale = scale
    return copy
  }

  /// The power of ten of the first decimal that is not zero.
  var firstPower: Int {
    guard let first = digits.first else { return 0 }
    return weight * 4 + (first >= 1000 ? 3 : first >= 100 ? 2 : first >= 10 ? 1 : 0)
  }

  func adding(_ other: Self) -> Self {
    let scale = max(scale, other.scale)
    if digits.isEmpty { return other.showing(scale: scale) }
    if other.digits.isEmpty { return showing(scale: scale) }
    if isNegative == other.isNegative { return combined(with: other, scale: scale) { $0 + $1 } }
    if compareMagnitude(other) >= 0 { return combined(with: other, scale: scale) { $0 - $1 } }
    return other.combined(with: self, scale: scale) { $0 - $1 }
  }

  func subtracting(_ other: Self) -> Self { adding(other.negated) }

  /// Digit by digit, with a carry of -1, 0 or 1, and the sign of the first number.
  private func combined(with other: Self, scale: Int, _ operation: (Int, Int) -> Int) -> Self {
    let top = max(weight, other.weight) + 1
    let bottom = min(weight - digits.count, other.weight - other.digits.count) + 1
    var result = [UInt16](repeating: 0, count: top - bottom + 1)
    var carry = 0
    for power in bottom...top {
      var sum = operation(Int(digit(at: power)), Int(other.digit(at: power))) + carry
      carry = 0
      if sum >= 10_000 {
        sum -= 10_000
        carry = 1
      } else if sum < 0 {
        sum += 10_000
        carry = -1
      }
      result[top - power] = UInt16(sum)
    }
    return Self(isNegative: isNegative, digits: result, weight: top, scale: scale)
  }

  func multiplied(by other: Self) -> Self {
    let scale = scale + other.scale
    guard !digits.isEmpty, !other.digits.isEmpty else {
      return Self(isNegative: false, digits: [], weight: 0, scale: scale)
    }
    var sums = [UInt64](repeating: 0, count: digits.count + other.digits.count)
    for (index, digit) in digits.enumerated() where digit != 0 {
      for (offset, factor) in other.digits.enumerated() {
        sums[index + offset + 1] += UInt64(digit) * UInt64(factor)
      }
    }
    var carry: UInt64 = 0
    var result = [UInt16](repeating: 0, count: sums.count)
    for index in sums.indices.reversed() {
      let sum = sums[index] + carry
      result[index] = UInt16(sum % 10_000)
      carry = sum / 10_000
    }
    return Self(
      isNegative: isNegative != other.isNegative, digits: result, weight: weight + other.weight + 1,
      scale: scale)
  }

  /// The scale of `/`: at least 16 significant decimals and the scales of both (`select_div_scale`).
  func scaleOfQuotient(by divisor: Self) -> Int {
    var quotientWeight = weight - divisor.weight
    if (digits.first ?? 0) <= (divisor.digits.first ?? 0) { quotientWeight -= 1 }
    return min(max(16 - quotientWeight * 4, scale, divisor.scale, 0), 1000)
  }

  /// Long division in base 10,000 (Knuth, The Art of Computer Programming, volume 2, 4.3.1, algorithm D).
  func divided(by divisor: Self, scale: Int, isRounded: Bool) -> Self {
    precondition(!divisor.digits.isEmpty, "The caller refuses a division by zero.")
    let fraction = (scale + 3) / 4 + 1
    let resultWeight = weight - divisor.weight
    let count = resultWeight + fraction + 1
    guard !digits.isEmpty, count > 0 else {
      return Self(isNegative: false, digits: [], weight: 0, scale: scale)
    }
    var quotient = [UInt16](repeating: 0, count: count)
    let size = divisor.digits.count
    if size == 1 {
      let small = Int(divisor.digits[0])
      var remainder = 0
      for index in 0..<count {
        let part = remainder * 10_000 + (index < digits.count ? Int(digits[index]) : 0)
        quotient[index] = UInt16(part / small)
        remainder = part % small
      }
    } else {
      let factor = 10_000 / (Int(divisor.digits[0]) + 1)
      let normal = Self.scaled(divisor.digits, by: factor)
      let lower = Array(normal.dropFirst())
      var rest = Self.scaled(digits, by: factor)
      rest += [Int](repeating: 0, count: max(0, count + size - rest.count + 1))
      for index in 0..<count {
        let high = rest[index] * 10_000 + rest[index + 1]
        var digit = min(high / lower[0], 9999)
        while digit * lower[1] > (high - digit * lower[0]) * 10_000 + rest[index + 2] { digit -= 1 }
        var borrow = 0
        for position in stride(from: size, through: 0, by: -1) {
          let factorDigit = position == 0 ? 0 : lower[position - 1]
          var difference = rest[index + position] - digit * factorDigit - borrow
          borrow = 0
          if difference < 0 {
            borrow = (-difference + 9999) / 10_000
            difference += borrow * 10_000
          }
          rest[index + position] = difference
        }
        if borrow > 0 {
          digit -= 1
          var carry = 0
          for position in stride(from: size, through: 0, by: -1) {
            let sum = rest[index + position] + (position == 0 ? 0 : lower[position - 1]) + carry
            rest[index + position] = sum % 10_000
            carry = sum / 10_000
          }
        }
        quotient[index] = UInt16(digit)
      }
    }
    let exact = Self(
      isNegative: isNegative != divisor.isNegative, digits: quotient, weight: resultWeight,
      scale: fraction * 4)
    return isRounded ? exact.rounded(to: scale) : exact.truncated(to: scale)
  }

  /// The digits times a small factor, with one more digit in front.
  private static func scaled(_ digits: [UInt16], by factor: Int) -> [Int] {
    var result = [Int](repeating: 0, count: digits.count + 1)
    var carry = 0
    for index in digits.indices.reversed() {
      let product = Int(digits[index]) * factor + carry
      result[index + 1] = product % 10_000
      carry = product / 10_000
    }
    result[0] = carry
    return result
  }

  func remainder(by divisor: Self) -> Self {
    subtracting(divided(by: divisor, scale: 0, isRounded: false).multiplied(by: divisor))
  }

  func truncated(to scale: Int) -> Self { cut(to: scale, isRounded: false) }

  /// Rounds half away from zero.
  func rounded(to scale: Int) -> Self { cut(to: scale, isRounded: true) }

  private func cut(to scale: Int, isRounded: Bool) -> Self {
    let shown = max(scale, 0)
    // The number of decimals that stay, counted from the first of the first digit.
    let kept = (weight + 1) * 4 + scale
    if digits.isEmpty || kept < 0 { return Self(isNegative: false, digits: [], weight: 0, scale: shown) }
    if kept >= digits.count * 4 { return showing(scale: shown) }
    var result = [0] + digits[..<(kept / 4)]
    let next = digits[kept / 4]
    let divisor: UInt16 = [10_000, 1000, 100, 10][kept % 4]
    var isUp = isRounded && next % divisor >= divisor / 2
    if kept % 4 > 0 {
      var digit = next - next % divisor
      if isUp { digit += divisor }
      result.append(digit)
      isUp = false
    } else if isUp {
      result[result.count - 1] += 1
    }
    for index in result.indices.reversed() where result[index] >= 10_000 {
      result[index] -= 10_000
      result[index - 1] += 1
    }
    return Self(isNegative: isNegative, digits: result, weight: weight + 1, scale: shown)
  }
}

// MARK: Other types of numbers

extension Numeric {
  package init(_ value: Int64) { self = .finite(Finite(Int(value))) }

  package init(_ value: Int) { self = .finite(Finite(value)) }

  /// A number of 15 significant decimals, as the cast of PostgreSQL makes it; of 6 from `real`.
  package init(_ value: Double, significantDecimals: Int = 15) throws(PostgreSQLError) {
    if value.isNaN {
      self = .notANumber
    } else if value.isInfinite {
      self = .infinity(isNegative: value < 0)
    } else {
      try self.init(parsing: DecimalNotation(value, significantDecimals: significantDecimals).scientific)
    }
  }

  /// The whole number, rounded half away from zero; nil if it does not fit or is not a number.
  package var integer: Int64? {
    guard case .finite(let value) = self else { return nil }
    let rounded = value.rounded(to: 0)
    if rounded.digits.isEmpty { return 0 }
    guard rounded.weight <= 4 else { return nil }
    var result: Int64 = 0
    for power in stride(from: rounded.weight, through: 0, by: -1) {
      let (product, overflow) = result.multipliedReportingOverflow(by: 10_000)
      let (sum, isOver) = product.subtractingReportingOverflow(Int64(rounded.digit(at: power)))
      if overflow || isOver { return nil }
      result = sum
    }
    if rounded.isNegative { return result }
    return result == .min ? nil : -result
  }

  /// The nearest double; infinite if it is too large.
  package var double: Double {
    switch self {
    case .notANumber: .nan
    case .infinity(let isNegative): isNegative ? -.infinity : .infinity
    case .finite(let value): Double(value.text) ?? 0
    }
  }
}
