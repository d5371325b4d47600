/// A decimal number of any length (PostgreSQL documentation, 8.1.2).
///
/// Equality ignores the scale: 1.0 is 1.00.
package enum Numeric: Sendable {
  case notANumber
  case infinity(isNegative: Bool)
  case finite(Finite)

  /// `digits` in base 10,000, the most significant first, without zeros at either end; `weight` is the power of 10,000
  /// of the first digit; `scale` is the number of decimal places that are shown.
  package struct Finite: Sendable {
    package var isNegative: Bool
    package var digits: [UInt16]
    package var weight: Int
    package var scale: Int

    /// Removes the zeros at both ends.
    package init(isNegative: Bool, digits: [UInt16], weight: Int, scale: Int) {
      let leading = digits.prefix { $0 == 0 }.count
      let significant =
        leading == digits.count
        ? [] : Array(digits[leading...(digits.lastIndex { $0 != 0 } ?? leading)])
      self.digits = significant
      self.isNegative = isNegative && !significant.isEmpty
      self.weight = significant.isEmpty ? 0 : weight - leading
      self.scale = scale
    }
  }

  /// The greatest number of decimal places that are stored (`NUMERIC_DSCALE_MAX`).
  static let greatestScale = 16_383
  static let greatestWeight = 32_767
  static let leastWeight = -32_768
  static let zero = Numeric.finite(Finite(isNegative: false, digits: [], weight: 0, scale: 0))
  static let one = Numeric(1)
}

extension Numeric: Hashable {
  package static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.notANumber, .notANumber): true
    case (.infinity(let left), .infinity(let right)): left == right
    case (.finite(let left), .finite(let right)):
      left.isNegative == right.isNegative && left.digits == right.digits && left.weight == right.weight
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .notANumber: hasher.combine(0)
    case .infinity(let isNegative): hasher.combine(isNegative ? 1 : 2)
    case .finite(let value):
      hasher.combine(value.isNegative)
      hasher.combine(value.digits)
      hasher.combine(value.weight)
    }
  }
}

extension Numeric: Comparable {
  /// Negative, zero or positive.
  ///
  /// NaN equals NaN and is greater than all others (PostgreSQL documentation, 8.1.2).
  package func compare(_ other: Self) -> Int {
    switch (self, other) {
    case (.finite(let one), .finite(let other)): one.compare(other)
    default: rank - other.rank
    }
  }

  private var rank: Int {
    switch self {
    case .infinity(let isNegative): isNegative ? -1 : 1
    case .finite: 0
    case .notANumber: 2
    }
  }

  package static func < (left: Self, right: Self) -> Bool { left.compare(right) < 0 }

  package var isZero: Bool {
    if case .finite(let value) = self { value.digits.isEmpty } else { false }
  }

  /// -1, 0 or 1; 0 for NaN.
  package var signum: Int {
    switch self {
    case .notANumber: 0
    case .infinity(let isNegative): isNegative ? -1 : 1
    case .finite(let value): value.digits.isEmpty ? 0 : value.isNegative ? -1 : 1
    }
  }
}

extension Numeric.Finite {
  package func compare(_ other: Self) -> Int {
    guard isNegative == other.isNegative else { return isNegative ? -1 : 1 }
    let order = compareMagnitude(other)
    return isNegative ? -order : order
  }

  func compareMagnitude(_ other: Self) -> Int {
    if digits.isEmpty || other.digits.isEmpty {
      return (digits.isEmpty ? 0 : 1) - (other.digits.isEmpty ? 0 : 1)
    }
    guard weight == other.weight else { return weight < other.weight ? -1 : 1 }
    for (one, two) in zip(digits, other.digits) where one != two { return one < two ? -1 : 1 }
    return digits.count == other.digits.count ? 0 : digits.count < other.digits.count ? -1 : 1
  }

  /// The digit of a power of 10,000.
  func digit(at power: Int) -> UInt16 {
    let index = weight - power
    return digits.indices.contains(index) ? digits[index] : 0
  }

  var isInteger: Bool { digits.count <= weight + 1 || digits.isEmpty }
}

// MARK: Text

extension Numeric {
  /// Reads a number as `numeric_in` does.
  package init(parsing text: String) throws(PostgreSQLError) {
    var scanner = Array(text.utf8)[...]
    let isSpace = { (byte: UInt8) in byte == 32 || (9...13).contains(byte) }
    scanner = scanner.drop(while: isSpace)
    while let last = scanner.last, isSpace(last) { scanner.removeLast() }
    if let value = Self.special(scanner) {
      self = value
    } else if let value = try Self.decimal(scanner) {
      self = value
    } else {
      throw .invalidInput(text, type: "numeric")
    }
  }

  private static func special(_ bytes: ArraySlice<UInt8>) -> Numeric? {
    guard let first = bytes.first(where: { $0 != 43 && $0 != 45 }), !(48...57).contains(first), first != 46
    else {
      return nil
    }
    switch String(decoding: bytes, as: UTF8.self).lowercased() {
    case "nan": return .notANumber
    case "infinity", "+infinity", "inf", "+inf": return .infinity(isNegative: false)
    case "-infinity", "-inf": return .infinity(isNegative: true)
    default: return nil
    }
  }

  /// Reads digits with an optional point and exponent; nil if it is not a number.
  private static func decimal(_ bytes: ArraySlice<UInt8>) throws(PostgreSQLError) -> Numeric? {
    var rest = bytes
    let isNegative = rest.first == 45
    if isNegative || rest.first == 43 { rest.removeFirst() }
    var decimals: [UInt8] = []
    var integral = 0
    var hasPoint = false
    while let byte = rest.first {
      if (48...57).contains(byte) {
        decimals.append(byte - 48)
        if !hasPoint { integral += 1 }
      } else if byte == 46, !hasPoint, rest.count > 1 || !decimals.isEmpty {
        hasPoint = true
      } else {
        break
      }
      rest.removeFirst()
    }
    guard !decimals.isEmpty else { return nil }
    var exponent = 0
    if rest.first == 101 || rest.first == 69 {
      rest.removeFirst()
      let isBelow = rest.first == 45
      if isBelow || rest.first == 43 { rest.removeFirst() }
      guard !rest.isEmpty else { return nil }
      while let byte = rest.first, (48...57).contains(byte) {
        exponent = min(exponent, 1 << 27) * 10 + Int(byte - 48)
        rest.removeFirst()
      }
      guard rest.isEmpty else { return nil }
      guard exponent < 1 << 30 else { throw .numericOverflow }
      if isBelow { exponent = -exponent }
    }
    guard rest.isEmpty else { return nil }
    let scale = max(0, decimals.count - integral - exponent)
    return try Numeric(
      isNegative: isNegative, decimals: decimals, integral: integral + exponent, scale: scale)
  }

  /// - Parameter integral: The number of decimals before the point, which may be negative.
  init(isNegative: Bool, decimals: [UInt8], integral: Int, scale: Int) throws(PostgreSQLError) {
    let leading = decimals.prefix { $0 == 0 }.count
    guard leading < decimals.count else {
      guard scale <= Self.greatestScale else { throw .numericOverflow }
      self = .finite(Finite(isNegative: false, digits: [], weight: 0, scale: scale))
      return
    }
    // The power of ten of the first decimal decides how many decimals the first digit has.
    let power = integral - leading - 1
    let weight = Int((Double(power) / 4).rounded(.down))
    guard scale <= Self.greatestScale, (Self.leastWeight...Self.greatestWeight).contains(weight) else {
      throw .numericOverflow
    }
    var digits: [UInt16] = []
    digits.reserveCapacity(decimals.count / 4 + 2)
    var missing = power - weight * 4 + 1
    var digit: UInt16 = 0
    for decimal in decimals[leading...] {
      digit = digit * 10 + UInt16(decimal)
      missing -= 1
      if missing == 0 {
        digits.append(digit)
        digit = 0
        missing = 4
      }
    }
    if missing < 4 {
      for _ in 0..<missing { digit *= 10 }
      digits.append(digit)
    }
    self = .finite(Finite(isNegative: isNegative, digits: digits, weight: weight, scale: scale))
  }

  /// The text as `numeric_out` writes it.
  package var text: String {
    switch self {
    case .notANumber: "NaN"
    case .infinity(let isNegative): isNegative ? "-Infinity" : "Infinity"
    case .finite(let value): value.text
    }
  }
}

extension Numeric.Finite {
  package var text: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(max(weight + 1, 1) * 4 + scale + 2)
    if isNegative { bytes.append(45) }
    func append(_ digit: UInt16, _ count: Int) {
      var divisor: UInt16 = 1000
      for _ in 0..<count {
        bytes.append(UInt8(48 + digit / divisor % 10))
        divisor /= 10
      }
    }
    let start = bytes.count
    if weight >= 0 { for power in stride(from: weight, through: 0, by: -1) { append(digit(at: power), 4) } }
    let zeros = bytes[start...].prefix { $0 == 48 }.count
    bytes.removeSubrange(start..<start + min(zeros, max(bytes.count - start - 1, 0)))
    if weight < 0 { bytes.append(48) }
    if scale > 0 {
      bytes.append(46)
      var remaining = scale
      var power = -1
      while remaining > 0 {
        append(digit(at: power), min(4, remaining))
        remaining -= 4
        power -= 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension PostgreSQLError {
  static func invalidInput(_ text: String, type: String) -> Self {
    Self("22P02", "invalid input syntax for type \(type): \"\(text)\"")
  }

  static var numericOverflow: Self { Self("22003", "value overflows numeric format") }

  static var divisionByZero: Self { Self("22012", "division by zero") }

  static func outOfRange(_ type: String) -> Self { Self("22003", "\(type) out of range") }
}
