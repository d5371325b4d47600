import Foundation

// Roots, logarithms and powers. Each result has the scale that numeric.c of PostgreSQL 15 selects, and is calculated with
// enough further decimals that the rounded one is right.

extension Numeric {
  /// The scale of a result with at least 16 significant decimals.
  private static func scale(decimalWeight: Int, _ shown: Int...) -> Int {
    min(max(16 - decimalWeight, shown.max() ?? 0, 0), 1000)
  }

  package var squareRoot: Self {
    get throws(PostgreSQLError) {
      guard signum >= 0 else {
        throw PostgreSQLError("2201F", "cannot take square root of a negative number")
      }
      guard case .finite(let value) = self else { return self }
      let weight = (value.weight + 1) * 4 / 2 - 1
      let scale = Self.scale(decimalWeight: weight, value.scale)
      return .finite(value.squareRoot(scale: scale + 4).rounded(to: scale))
    }
  }

  package var exponential: Self {
    get throws(PostgreSQLError) {
      switch self {
      case .notANumber: return self
      case .infinity(let isNegative): return isNegative ? .zero : self
      case .finite(let value):
        let weight = min(max(double * 0.434294481903252, -2000), 2000)
        return .finite(try value.exponential(scale: Self.scale(decimalWeight: Int(weight), value.scale)))
      }
    }
  }

  private func checkLogarithm() throws(PostgreSQLError) {
    if self != .notANumber, signum <= 0 {
      throw PostgreSQLError(
        "2201E", "cannot take logarithm of \(signum == 0 ? "zero" : "a negative number")")
    }
  }

  package var naturalLogarithm: Self {
    get throws(PostgreSQLError) {
      try checkLogarithm()
      guard case .finite(let value) = self else { return self }
      let scale = Self.scale(decimalWeight: value.weightOfLogarithm, value.scale)
      return .finite(value.naturalLogarithm(scale: scale))
    }
  }

  package func logarithm(base: Self) throws(PostgreSQLError) -> Self {
    if self == .notANumber || base == .notANumber { return .notANumber }
    if isSpecial || base.isSpecial, signum < 0 || base.signum < 0 {
      try (signum < 0 ? self : base).checkLogarithm()
    }
    try base.checkLogarithm()
    try checkLogarithm()
    switch (base, self) {
    case (.finite(let base), .finite(let value)):
      let (baseWeight, weight) = (base.weightOfLogarithm, value.weightOfLogarithm)
      let scale = Self.scale(decimalWeight: weight - baseWeight, base.scale, value.scale)
      let guarded = scale + max(0, weight - baseWeight) + max(0, -baseWeight) + 12
      let divisor = base.naturalLogarithm(scale: guarded)
      guard !divisor.digits.isEmpty else { throw .divisionByZero }
      return try Numeric(
        checking: value.naturalLogarithm(scale: guarded).divided(by: divisor, scale: scale, isRounded: true))
    case (.infinity, .infinity): return .notANumber
    case (.infinity, _): return .zero
    default: return self
    }
  }

  package func power(_ exponent: Self) throws(PostgreSQLError) -> Self {
    // As POSIX pow(3): NaN to the power of 0, and 1 to the power of NaN, are 1.
    if self == .notANumber { return exponent.isZero ? .one : .notANumber }
    if exponent == .notANumber { return self == .one ? .one : .notANumber }
    if signum == 0, exponent.signum < 0 {
      throw PostgreSQLError("2201F", "zero raised to a negative power is undefined")
    }
    if signum < 0, case .finite(let value) = exponent, !value.isInteger {
      throw PostgreSQLError(
        "2201F", "a negative number raised to a non-integer power yields a complex result")
    }
    switch (self, exponent) {
    case (.finite(let base), .finite(let exponent)): return try base.power(exponent)
    case (_, .infinity):
      if self == .one || self == Numeric(-1) { return .one }
      if signum == 0 { return .zero }
      return (magnitude > .one) == (exponent.signum > 0) ? .infinity(isNegative: false) : .zero
    case (.infinity(let isNegative), .finite(let exponent)):
      if exponent.digits.isEmpty { return .one }
      if exponent.isNegative { return .zero }
      return .infinity(isNegative: isNegative && exponent.digit(at: 0) % 2 == 1)
    default: preconditionFailure("Numbers that are not numbers have been handled.")
    }
  }
}

extension Numeric.Finite {
  private static let half = Self(isNegative: false, digits: [5000], weight: -1, scale: 1)
  private static let zero = Self(isNegative: false, digits: [], weight: 0, scale: 0)

  /// The number as a fraction of a power of ten, which no exponent overflows.
  private var scientific: (fraction: Double, power: Int) {
    var fraction = 0.0
    for digit in digits.prefix(5) { fraction = fraction * 10_000 + Double(digit) }
    return (fraction, (weight - min(digits.count, 5) + 1) * 4)
  }

  /// Newton's method on a guess of 15 decimals, which doubles the right ones in each step.
  func squareRoot(scale: Int) -> Self {
    guard !digits.isEmpty else { return showing(scale: scale) }
    var (fraction, power) = scientific
    if power % 2 != 0 {
      fraction *= 10
      power -= 1
    }
    let root = DecimalNotation(fraction.squareRoot())
    var guess = Self.decimal(root, power: power / 2)
    var right = 12
    let rootPower = guess.firstPower
    let wanted = max(rootPower + scale, 0) + 12
    // Each step calculates with as many decimals as it makes right; one more than needed costs less than a proof.
    while right < wanted * 2 {
      right *= 2
      let precision = min(right + 8, wanted + 8) - rootPower
      guess = guess.adding(divided(by: guess, scale: max(precision, 0), isRounded: true))
        .multiplied(by: .half).rounded(to: max(precision, 0))
    }
    return guess.rounded(to: scale)
  }

  private static func decimal(_ notation: DecimalNotation, power: Int) -> Self {
    let decimals = notation.decimals.map { $0 - 48 }
    let integral = notation.exponent + power + 1
    let number = try? Numeric(
      isNegative: notation.isNegative, decimals: decimals, integral: integral,
      scale: max(0, decimals.count - integral))
    guard case .finite(let value)? = number else {
      preconditionFailure("A root of a number fits into numbers.")
    }
    return value
  }

  /// Estimates the power of ten of the logarithm (`estimate_ln_dweight`).
  var weightOfLogarithm: Int {
    guard !isNegative, !digits.isEmpty else { return 0 }
    let one = Self.one
    let upper = Self(isNegative: false, digits: [1, 1000], weight: 0, scale: 1)
    let lower = Self(isNegative: false, digits: [9000], weight: -1, scale: 1)
    if compare(lower) >= 0, compare(upper) <= 0 {
      let difference = subtracting(one)
      return difference.digits.isEmpty ? 0 : difference.firstPower
    }
    var first = Double(digits[0])
    var power = weight * 4
    if digits.count > 1 {
      first = first * 10_000 + Double(digits[1])
      power -= 4
    }
    let logarithm = log(first) + Double(power) * 2.302585092994046
    return Int(log10(abs(logarithm)))
  }

  /// `2 · artanh((x - 1) / (x + 1))`, after roots have brought the number near to 1.
  func naturalLogarithm(scale: Int) -> Self {
    var value = self
    var factor = Self(2)
    let far = Self(isNegative: false, digits: [1, 1000], weight: 0, scale: 1)
    let near = Self(isNegative: false, digits: [9000], weight: -1, scale: 1)
    var roots = 0
    let precision = scale + 16 + max(0, abs(weight) / 100)
    while value.compare(far) > 0 || value.compare(near) < 0 {
      // Numbers below 1 lose decimals in a root of fixed scale; they regain them as their logarithms shrink.
      value = value.squareRoot(scale: precision + max(0, -value.weight * 4))
      factor = factor.adding(factor)
      roots += 1
    }
    let working = precision + roots
    let fraction = value.subtracting(.one).divided(by: value.adding(.one), scale: working, isRounded: true)
    let square = fraction.multiplied(by: fraction).rounded(to: working)
    var (sum, term, index) = (fraction, fraction, 3)
    while !term.digits.isEmpty {
      term = term.multiplied(by: square).rounded(to: working)
      sum = sum.adding(term.divided(by: Self(index), scale: working, isRounded: true))
      index += 2
    }
    return sum.multiplied(by: factor).rounded(to: scale)
  }

  /// The series of the exponential function, after halving has made the argument small.
  func exponential(scale: Int) throws(PostgreSQLError) -> Self {
    let approximate = Double(text) ?? 0
    if abs(approximate) >= 6000 {
      guard isNegative else { throw .numericOverflow }
      return Self.zero.showing(scale: scale)
    }
    let decimalWeight = Int(approximate * 0.434294481903252)
    if scale + decimalWeight < -2 { return Self.zero.showing(scale: scale) }
    let significant = max(scale + decimalWeight, 0) + 20
    // A smaller argument needs fewer terms, but more squares afterwards.
    let target = significant > 100 ? 1e-10 : 0.01
    var halvings = 0
    var value = self
    var size = abs(approximate)
    while size > target {
      halvings += 1
      size /= 2
    }
    let working = significant + halvings / 3 + 4
    for _ in 0..<halvings { value = value.multiplied(by: .half).rounded(to: working + 8) }
    var (sum, term, index) = (Self.one, Self.one, 1)
    while !term.digits.isEmpty {
      term = term.multiplied(by: value).divided(by: Self(index), scale: working, isRounded: true)
      sum = sum.adding(term)
      index += 1
    }
    for _ in 0..<halvings { sum = sum.multiplied(by: sum).keeping(working) }
    return sum.rounded(to: scale)
  }

  func power(_ exponent: Self) throws(PostgreSQLError) -> Numeric {
    if exponent.isInteger, let whole = Numeric.finite(exponent).integer, let small = Int32(exactly: whole) {
      return try Numeric(checking: power(Int(small), scale: min(max(16, scale), 1000)))
    }
    if digits.isEmpty { return .finite(Self.zero.showing(scale: 16)) }
    var base = self
    var isNegativeResult = false
    if base.isNegative {
      isNegativeResult = exponent.digit(at: 0) % 2 == 1
      base.isNegative = false
    }
    let roughScale = max(8 - base.weightOfLogarithm, 0)
    let rough = base.naturalLogarithm(scale: roughScale).multiplied(by: exponent).rounded(to: roughScale)
    let estimate = Double(rough.text) ?? 0
    if abs(estimate) > 2000 * 3.01 {
      guard estimate < 0 else { throw .numericOverflow }
      return .finite(Self.zero.showing(scale: 1000))
    }
    let decimalWeight = Int(estimate * 0.434294481903252)
    let scale = min(max(16 - decimalWeight, base.scale, exponent.scale, 0), 1000)
    let precision = max(scale + decimalWeight, 0) + 12 + max(0, exponent.firstPower + 1)
    let product = base.naturalLogarithm(scale: precision).multiplied(by: exponent)
    let result = try product.exponential(scale: scale)
    return try Numeric(checking: isNegativeResult ? result.negated : result)
  }

  /// Squares and multiplies, with as many decimals as the result needs (`power_var_int`).
  private func power(_ exponent: Int, scale: Int) throws(PostgreSQLError) -> Self {
    switch exponent {
    case 0: return Self.one.showing(scale: scale)
    case 1: return rounded(to: scale)
    case -1:
      guard !digits.isEmpty else { throw .divisionByZero }
      return Self.one.divided(by: self, scale: scale, isRounded: true)
    case 2: return multiplied(by: self).rounded(to: scale)
    default: break
    }
    guard !digits.isEmpty else {
      guard exponent > 0 else { throw .divisionByZero }
      return Self.zero.showing(scale: scale)
    }
    let (fraction, power) = scientific
    let estimate = Double(exponent) * (log10(fraction) + Double(power))
    if estimate > 3 * 32_767 * 4 { throw .numericOverflow }
    if estimate + 1 < Double(-scale) || estimate + 1 < -1000 { return Self.zero.showing(scale: scale) }
    let significant = max(1 + scale + Int(estimate), 1) + Int(log(abs(Double(exponent)))) + 12
    var (base, result) = (self, Self.one)
    var rest = abs(exponent)
    while rest > 0 {
      if rest & 1 == 1 { result = result.multiplied(by: base).keeping(significant) }
      rest >>= 1
      guard rest > 0 else { break }
      base = base.multiplied(by: base).keeping(significant)
      if base.weight > 32_767 || result.weight > 32_767 {
        guard exponent < 0 else { throw .numericOverflow }
        return Self.zero.showing(scale: scale)
      }
    }
    if exponent < 0 { return Self.one.divided(by: result, scale: scale, isRounded: true) }
    return result.rounded(to: scale)
  }

  /// The first significant decimals.
  private func keeping(_ significant: Int) -> Self {
    let scale = significant - firstPower
    return rounded(to: max(scale, 0))
  }
}
