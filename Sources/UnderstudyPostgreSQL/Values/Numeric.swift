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
  }
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
