/// The encoding of the forum's pages, as browsers decode it (WHATWG Encoding, windows-1252).
///
/// Every byte is a character: the five bytes without a character in Microsoft's table are the control characters of the
/// same number. iconv treats them as errors, which would cut off a page. Seed 002 decodes UTF-8, in which a page with a
/// single accent is invalid.
package enum Windows1252 {
  /// The characters of 0x80 to 0x9F.
  private static let upperControls: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161,
    0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]

  /// The bytes of all characters whose byte differs from their number.
  private static let bytes: [UInt32: UInt8] = Dictionary(
    uniqueKeysWithValues: upperControls.enumerated().map { ($1, UInt8(0x80 + $0)) })

  /// Returns the character of a byte.
  package static func scalar(of byte: UInt8) -> Unicode.Scalar {
    guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
    return Unicode.Scalar(upperControls[Int(byte) - 0x80]) ?? Unicode.Scalar(byte)
  }

  /// Decodes bytes.
  package static func decoded(_ bytes: some Sequence<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(scalar(of: byte)) }
    return String(text)
  }

  /// Returns the byte of a character; `nil` if the encoding has none.
  package static func byte(for scalar: Unicode.Scalar) -> UInt8? {
    switch scalar.value {
    case 0..<0x80, 0xA0...0xFF: UInt8(scalar.value)
    default: bytes[scalar.value]
    }
  }
}
