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

  /// Returns the quote for both sides of a placeholder that replaces a whole JSON number.
  ///
  /// After a member name, its closing quote is used. An array element is only recognized outside of strings that
  /// contain JSON.
  static func quote(ofNumberAt range: Range<Int>, in bytes: SecretScanner.Bytes, _ strings: inout JSONStrings)
    -> String
  {
    guard bytes[range].allSatisfy({ 0x30...0x39 ~= $0 }) else { return "" }
    var after = range.upperBound
    while after < bytes.count, isSpace(bytes[after]) { after += 1 }
    guard after < bytes.count, ",]}".utf8.contains(bytes[after]),
      let before = significant(before: range.lowerBound, in: bytes)
    else { return "" }
    switch bytes[before] {
    case UInt8(ascii: ":"):
      guard let quote = significant(before: before, in: bytes), bytes[quote] == UInt8(ascii: "\"") else {
        return ""
      }
      let escapes = bytes[..<quote].suffix(15).reversed().prefix { $0 == UInt8(ascii: "\\") }
      return String(repeating: "\\", count: escapes.count) + "\""
    case UInt8(ascii: "["), UInt8(ascii: ","):
      let first = bytes.first { !isSpace($0) }
      let isJSON = first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
      return isJSON && !strings.isInside(at: range.lowerBound, in: bytes) ? "\"" : ""
    default: return ""
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
