/// A value of `uuid`.
package struct UniqueIdentifier: Hashable, Sendable {
  package var high: UInt64
  package var low: UInt64
}

extension UniqueIdentifier: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    left.high == right.high ? left.low < right.low : left.high < right.high
  }
}

extension UniqueIdentifier {
  /// Reads 32 hexadecimal digits, in braces or not, with a hyphen after each four or not (`uuid_in`).
  package init?(parsing text: String) {
    var rest = Array(text.utf8)[...]
    if rest.first == UInt8(ascii: "{") {
      guard rest.last == UInt8(ascii: "}") else { return nil }
      rest = rest.dropFirst().dropLast()
    }
    var count = 0
    (high, low) = (0, 0)
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "-"), count > 0, count % 4 == 0, count < 32, !rest.isEmpty { continue }
      guard count < 32, let digit = Hexadecimal.value(of: byte) else { return nil }
      if count < 16 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
      count += 1
      // Two hyphens in a row are refused.
      if rest.first == UInt8(ascii: "-"), rest.dropFirst().first == UInt8(ascii: "-") { return nil }
    }
    guard count == 32 else { return nil }
  }

  package var text: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(36)
    for (index, byte) in self.bytes.enumerated() {
      if index == 4 || index == 6 || index == 8 || index == 10 { bytes.append(UInt8(ascii: "-")) }
      bytes.append(Hexadecimal.digit(byte >> 4))
      bytes.append(Hexadecimal.digit(byte & 15))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  package var bytes: [UInt8] {
    [high, low].flatMap { part in (0..<8).map { UInt8(truncatingIfNeeded: part >> (56 - 8 * UInt64($0))) } }
  }

  /// A random identifier of version 4 (RFC 9562 §5.4).
  package init(random high: UInt64, _ low: UInt64) {
    self.high = high & ~0xF000 | 0x4000
    self.low = low & ~(3 << 62) | 2 << 62
  }
}

/// Hexadecimal digits, in lower case.
enum Hexadecimal {
  static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }

  static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 87 + value }
}
