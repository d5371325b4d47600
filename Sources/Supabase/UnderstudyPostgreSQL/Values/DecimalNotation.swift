import Foundation

/// The decimals of a binary number that is finite.
struct DecimalNotation {
  var isNegative: Bool
  /// ASCII decimals without zeros at either end; one zero for zero.
  var decimals: [UInt8]
  /// The power of ten of the first decimal.
  var exponent: Int

  /// The fewest decimals that are read as the same number.
  init(_ value: Double) { self.init(description: value.description) }

  init(_ value: Float) { self.init(description: value.description) }

  /// At most the given number of decimals, correctly rounded.
  init(_ value: Double, significantDecimals: Int) {
    self.init(value)
    // The shortest notation of so few decimals is the rounded one, since it is unique.
    guard decimals.count > significantDecimals else { return }
    self.init(description: String(format: "%.\(significantDecimals - 1)e", value))
  }

  /// Reads `-12.5` or `1.25e-07`.
  private init(description: String) {
    var bytes = Array(description.utf8)[...]
    isNegative = bytes.first == 45
    if isNegative { bytes.removeFirst() }
    decimals = []
    var integral: Int?
    exponent = 0
    while let byte = bytes.popFirst() {
      if byte == 46 {
        integral = decimals.count
      } else if byte == 101 {
        exponent = Int(String(decoding: bytes.first == 43 ? bytes.dropFirst() : bytes, as: UTF8.self)) ?? 0
        break
      } else {
        decimals.append(byte)
      }
    }
    exponent += (integral ?? decimals.count) - 1
    let zeros = decimals.prefix { $0 == 48 }.count
    if zeros == decimals.count {
      decimals = [48]
      exponent = 0
    } else {
      decimals.removeFirst(zeros)
      exponent -= zeros
      while decimals.last == 48 { decimals.removeLast() }
    }
  }

  /// `1.25e-07`.
  var scientific: String {
    var bytes: [UInt8] = isNegative ? [45] : []
    bytes.append(decimals[0])
    if decimals.count > 1 { bytes += [46] + decimals[1...] }
    bytes += exponent < 0 ? "e-".utf8 : "e+".utf8
    if abs(exponent) < 10 { bytes.append(48) }
    bytes += String(abs(exponent)).utf8
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Without an exponent.
  var fixed: String {
    var bytes: [UInt8] = isNegative ? [45] : []
    if exponent < 0 {
      bytes += "0.".utf8 + [UInt8](repeating: 48, count: -exponent - 1) + decimals
    } else if decimals.count <= exponent + 1 {
      bytes += decimals + [UInt8](repeating: 48, count: exponent + 1 - decimals.count)
    } else {
      bytes += decimals[...exponent] + [46] + decimals[(exponent + 1)...]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension DecimalNotation {
  /// The text of `double precision`: with an exponent below 1e-4 and from 1e15 (`float8out`).
  static func text(_ value: Double) -> String {
    special(value) ?? DecimalNotation(value).text(limit: 15)
  }

  /// The text of `real`: with an exponent below 1e-4 and from 1e6 (`float4out`).
  static func text(_ value: Float) -> String {
    special(Double(value)) ?? DecimalNotation(value).text(limit: 6)
  }

  private static func special(_ value: Double) -> String? {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
    return nil
  }

  private func text(limit: Int) -> String { (-4..<limit).contains(exponent) ? fixed : scientific }
}
