import UnderstudyHTTP

extension JSONReader {
  /// Decodes a number.
  func number(_ range: Range<Int>) -> JSONValue {
    .number(string(JSONText(start: range.lowerBound, end: range.upperBound, hasEscapes: false)))
  }

  /// Returns whether a number is finite as a `Double`.
  func isFinite(_ range: Range<Int>) -> Bool {
    // A shorter number cannot overflow, or has no exponent.
    range.count < "1e309".utf8.count
      || range.count < 300 && !bytes[range].contains { $0 | 0x20 == UInt8(ascii: "e") }
      || number(range).numberValue?.isFinite == true
  }

  /// Returns whether a number is a non-negative integer, in any notation.
  func isCount(_ range: Range<Int>) -> Bool {
    if range.count <= 18, bytes[range].allSatisfy({ $0 &- 48 < 10 }) { return true }
    return number(range).integerValue.map { $0 >= 0 } ?? false
  }

  /// Returns whether a string is padded base64 in groups of four characters (RFC 4648 §4).
  func isBase64(_ text: JSONText) -> Bool {
    var (digits, padding) = (0, 0)
    var isIt = true
    unescape(text) { piece in
      var position = padding == 0 ? Self.countOfBase64Digits(piece) : 0
      while padding == 0, position < piece.count, Self.isBase64Digit(piece[position]) { position += 1 }
      digits += position
      while position < piece.count, piece[position] == UInt8(ascii: "=") {
        position += 1
        padding += 1
      }
      isIt = isIt && position == piece.count
    }
    return isIt && padding <= 2 && (digits + padding) % 4 == 0
  }

  /// Returns the length of a prefix of base64 digits, rounded down to a multiple of sixteen, which are compared at
  /// once.
  private static func countOfBase64Digits(_ bytes: UnsafeRawBufferPointer) -> Int {
    func vector(_ character: Unicode.Scalar) -> SIMD16<UInt8> { SIMD16(repeating: UInt8(ascii: character)) }
    // Outside of the loop, because code that is not optimized would make them for each block.
    let (a, z, slash, nine, plus) = (vector("a"), vector("z"), vector("/"), vector("9"), vector("+"))
    let (lowercase, all) = (SIMD16<UInt8>(repeating: 0x20), SIMD2<UInt64>(repeating: ~0))
    var position = 0
    while position + 16 <= bytes.count {
      let block = bytes.loadUnaligned(fromByteOffset: position, as: SIMD16<UInt8>.self)
      let letters = block | lowercase
      // In ASCII, the slash precedes the zero.
      let digits =
        ((letters .>= a) .& (letters .<= z)) .| ((block .>= slash) .& (block .<= nine)) .| (block .== plus)
      guard unsafeBitCast(digits, to: SIMD2<UInt64>.self) == all else { break }
      position += 16
    }
    return position
  }

  private static func isBase64Digit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      true
    default: false
    }
  }

  /// Calls a closure with the unescaped bytes of a string; they are copied only if the string contains escapes.
  func withUnescaped<Result>(_ text: JSONText, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    guard text.hasEscapes else { return body(UnsafeRawBufferPointer(rebasing: bytes[text.start..<text.end])) }
    var copy: [UInt8] = []
    unescape(text) { copy.append(contentsOf: $0) }
    return copy.withUnsafeBytes(body)
  }

  /// Returns the type of a value, for messages.
  func kind(of range: Range<Int>) -> String {
    switch byte(at: range.lowerBound) {
    case UInt8(ascii: "n"): return "null"
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return "a boolean"
    case UInt8(ascii: "\""): return "a string"
    case UInt8(ascii: "["): return "an array"
    case UInt8(ascii: "{"): return "an object"
    default:
      let digits = string(
        JSONText(
          start: range.lowerBound, end: min(range.upperBound, range.lowerBound + 40), hasEscapes: false))
      return "the number \(digits)\(range.count > 40 ? "…" : "")"
    }
  }
}
