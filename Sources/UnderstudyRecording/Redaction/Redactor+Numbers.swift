extension Redactor {
  /// The extents of JSON strings in a text; positions queried in order take a single scan.
  struct JSONStrings {
    private var position = 0
    private var isInside = false

    mutating func isInside(at place: Int, in bytes: SecretScanner.Bytes) -> Bool {
      if place < position { self = Self() }
      while position < place {
        switch bytes[position] {
        case UInt8(ascii: "\""): isInside.toggle()
        case UInt8(ascii: "\\") where isInside: position += 1
        default: break
        }
        position += 1
      }
      return isInside
    }
  }

  /// Returns whether a range is a whole JSON number, whose replacement must be a number too.
  ///
  /// An array element is only recognized outside of strings that contain JSON.
  static func isNumber(at range: Range<Int>, in bytes: SecretScanner.Bytes, _ strings: inout JSONStrings)
    -> Bool
  {
    guard bytes[range].allSatisfy({ 0x30...0x39 ~= $0 }) else { return false }
    var after = range.upperBound
    while after < bytes.count, isSpace(bytes[after]) { after += 1 }
    guard after < bytes.count, ",]}".utf8.contains(bytes[after]),
      let before = significant(before: range.lowerBound, in: bytes)
    else { return false }
    switch bytes[before] {
    case UInt8(ascii: ":"):
      return significant(before: before, in: bytes).map { bytes[$0] == UInt8(ascii: "\"") } ?? false
    case UInt8(ascii: "["), UInt8(ascii: ","):
      let first = bytes.first { !isSpace($0) }
      let isJSON = first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
      return isJSON && !strings.isInside(at: range.lowerBound, in: bytes)
    default: return false
    }
  }

  private static func significant(before position: Int, in bytes: SecretScanner.Bytes) -> Int? {
    // The search is limited, because scanning arbitrary white space for each copy would be slow.
    bytes[..<position].suffix(256).lastIndex { !isSpace($0) }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D) ~= byte
  }
}
