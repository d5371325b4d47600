import Foundation
import UnderstudyHTTP

extension UInt8 {
  static let tab = UInt8(ascii: "\t")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let colon = UInt8(ascii: ":")
  static let comma = UInt8(ascii: ",")
  static let semicolon = UInt8(ascii: ";")
  static let quote = UInt8(ascii: "\"")
  static let percent = UInt8(ascii: "%")

  /// `tchar` (RFC 9110 §5.6.2), one bit for each ASCII character.
  private static let tokenBits: (low: UInt64, high: UInt64) = {
    var bits: (low: UInt64, high: UInt64) = (0, 0)
    let others = Array("!#$%&'*+-.^_`|~".utf8)
    for byte in UInt8(0)..<128 where byte.isDigit || byte.isLetter || others.contains(byte) {
      if byte < 64 { bits.low |= 1 << UInt64(byte) } else { bits.high |= 1 << UInt64(byte - 64) }
    }
    return bits
  }()

  var isToken: Bool {
    if self < 64 { return Self.tokenBits.low >> UInt64(self) & 1 == 1 }
    return self < 128 && Self.tokenBits.high >> UInt64(self - 64) & 1 == 1
  }

  var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

  var isLetter: Bool { lowercased >= UInt8(ascii: "a") && lowercased <= UInt8(ascii: "z") }

  /// Whether the byte is allowed in a field value (RFC 9110 §5.5), which includes bytes beyond ASCII.
  var isFieldContent: Bool { self >= 0x20 ? self != 0x7F : self == .tab }

  /// Whether the byte is optional white space around field content (RFC 9110 §5.6.3).
  var isBlank: Bool { self == .space || self == .tab }

  var lowercased: UInt8 { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self }

  var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension ArraySlice<UInt8> {
  /// The bytes without leading and trailing white space.
  var trimmingBlanks: ArraySlice<UInt8> {
    var (start, end) = (startIndex, endIndex)
    while start < end, self[start].isBlank { start += 1 }
    while start < end, self[end - 1].isBlank { end -= 1 }
    return self[start..<end]
  }

  /// Whether the bytes equal a lower-case ASCII word, compared without case.
  func isWord(_ word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { word in
      for offset in 0..<count where self[startIndex + offset].lowercased != word[offset] { return false }
      return true
    }
  }

  /// The elements of a list, without empty ones (RFC 9110 §5.6.1).
  var listElements: [ArraySlice<UInt8>] {
    split(separator: .comma).map(\.trimmingBlanks).filter { !$0.isEmpty }
  }

  /// The bytes decoded as UTF-8, or as ISO 8859-1 if they are not valid UTF-8 (RFC 9110 §5.5).
  var text: String {
    for byte in self where byte >= 0x80 {
      return String(exactlyUTF8: self)
        ?? String(String.UnicodeScalarView(map { Unicode.Scalar($0) }))
    }
    return String(decoding: self, as: UTF8.self)
  }
}
