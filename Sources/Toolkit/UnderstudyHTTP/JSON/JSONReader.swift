/// A reader of the bytes of a JSON document (RFC 8259) that creates no values.
///
/// Positions are byte offsets from the start. Each method reads one item at a position, and returns its end or throws
/// the position of an error. Bytes are examined in blocks where enough of them are left. The bytes may change during
/// reading, as those of a mapped file can: the result is then wrong, but no access is out of bounds.
package struct JSONReader {
  /// The document.
  package let bytes: UnsafeRawBufferPointer

  /// The maximum nesting depth of arrays and objects, so that no document exhausts the stack.
  package static var depthLimit: Int { 512 }

  /// Creates a reader of bytes, which must outlive it.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// The byte at a position; NUL, which is invalid outside of strings, at the end of the document.
  package func byte(at position: Int) -> UInt8 {
    position < bytes.count ? bytes[position] : 0
  }

  /// The end of the white space at a position (RFC 8259 §2).
  @inline(__always)
  package func endOfSpace(from position: Int) -> Int {
    let first = byte(at: position)
    if first > 0x20 { return position }
    // A colon or a comma is often followed by a single space.
    return first == 0x20 && byte(at: position + 1) > 0x20 ? position + 1 : endOfLongSpace(from: position)
  }

  func endOfLongSpace(from start: Int) -> Int {
    var position = start
    while position + 16 <= bytes.count {
      let block = bytes.loadUnaligned(fromByteOffset: position, as: SIMD16<UInt8>.self)
      let found = JSONBlock.first(JSONBlock.isNoSpace(block))
      position += found
      if found < 16 { return position }
    }
    while [0x20, 0x0A, 0x0D, 0x09].contains(byte(at: position)) { position += 1 }
    return position
  }

  /// The end of a value of any kind.
  ///
  /// - Parameter depth: The number of enclosing arrays and objects.
  package func endOfValue(from start: Int, depth: Int) throws(JSONValue.ParsingError) -> Int {
    guard depth < Self.depthLimit else { throw .init(offset: start, isTooDeep: true) }
    switch byte(at: start) {
    case UInt8(ascii: "\""): return try text(from: start).end + 1
    case UInt8(ascii: "{"): return try endOfObject(from: start, depth: depth)
    case UInt8(ascii: "["): return try endOfArray(from: start, depth: depth)
    default: return try endOfScalar(from: start)
    }
  }

  /// The end of a number, `true`, `false` or `null`.
  package func endOfScalar(from start: Int) throws(JSONValue.ParsingError) -> Int {
    switch byte(at: start) {
    case UInt8(ascii: "t"): try endOfWord("true", from: start)
    case UInt8(ascii: "f"): try endOfWord("false", from: start)
    case UInt8(ascii: "n"): try endOfWord("null", from: start)
    default: try endOfNumber(from: start)
    }
  }

  func endOfWord(_ word: StaticString, from start: Int) throws(JSONValue.ParsingError) -> Int {
    let end = start + word.utf8CodeUnitCount
    guard end <= bytes.count else { throw .init(offset: start) }
    for index in 0..<word.utf8CodeUnitCount where bytes[start + index] != word.utf8Start[index] {
      throw .init(offset: start)
    }
    return end
  }

  /// The end of a number (RFC 8259 §6).
  package func endOfNumber(from start: Int) throws(JSONValue.ParsingError) -> Int {
    var position = start
    if byte(at: position) == UInt8(ascii: "-") { position += 1 }
    if byte(at: position) == UInt8(ascii: "0") {
      position += 1
    } else {
      position = try endOfDigits(from: position)
    }
    if byte(at: position) == UInt8(ascii: ".") { position = try endOfDigits(from: position + 1) }
    if byte(at: position) | 0x20 == UInt8(ascii: "e") {
      position += 1
      let sign = byte(at: position)
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
      position = try endOfDigits(from: position)
    }
    return position
  }

  /// The end of a sequence of one or more digits.
  func endOfDigits(from start: Int) throws(JSONValue.ParsingError) -> Int {
    var position = start
    while byte(at: position) &- 48 < 10 { position += 1 }
    guard position > start else { throw .init(offset: start) }
    return position
  }

  private func endOfArray(from start: Int, depth: Int) throws(JSONValue.ParsingError) -> Int {
    var position = endOfSpace(from: start + 1)
    if byte(at: position) == UInt8(ascii: "]") { return position + 1 }
    while true {
      let end = try endOfValue(from: position, depth: depth + 1)
      let next = try next(behind: end, before: UInt8(ascii: "]"))
      guard next.isThere else { return next.position }
      position = next.position
    }
  }

  private func endOfObject(from start: Int, depth: Int) throws(JSONValue.ParsingError) -> Int {
    var position = endOfSpace(from: start + 1)
    if byte(at: position) == UInt8(ascii: "}") { return position + 1 }
    while true {
      let end = try endOfValue(from: try name(from: position).value, depth: depth + 1)
      let next = try next(behind: end, before: UInt8(ascii: "}"))
      guard next.isThere else { return next.position }
      position = next.position
    }
  }

  /// The name of a member, and the start of its value.
  package func name(from start: Int) throws(JSONValue.ParsingError) -> (name: JSONText, value: Int) {
    guard byte(at: start) == UInt8(ascii: "\"") else { throw .init(offset: start) }
    let name = try text(from: start)
    let colon = endOfSpace(from: name.end + 1)
    guard byte(at: colon) == UInt8(ascii: ":") else { throw .init(offset: colon) }
    return (name, endOfSpace(from: colon + 1))
  }

  /// The start of the next element or member after a comma; after the last one, the end of the closing bracket.
  package func next(
    behind end: Int, before bracket: UInt8
  ) throws(JSONValue.ParsingError) -> (isThere: Bool, position: Int) {
    let position = endOfSpace(from: end)
    let byte = byte(at: position)
    if byte == UInt8(ascii: ",") { return (true, endOfSpace(from: position + 1)) }
    guard byte == bracket else { throw .init(offset: position) }
    return (false, position + 1)
  }

  /// The members or elements of the value at a position, with the starts of their values; empty for a scalar.
  package func children(
    of start: Int
  ) throws(JSONValue.ParsingError) -> [(step: JSONValue.Step, value: Int)] {
    let isObject = byte(at: start) == UInt8(ascii: "{")
    guard isObject || byte(at: start) == UInt8(ascii: "[") else { return [] }
    let bracket = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    var children: [(step: JSONValue.Step, value: Int)] = []
    var position = endOfSpace(from: start + 1)
    if byte(at: position) == bracket { return [] }
    while true {
      if isObject {
        let (name, value) = try name(from: position)
        children.append((.member(string(name)), value))
        position = value
      } else {
        children.append((.element(children.count), position))
      }
      let next = try next(behind: try endOfValue(from: position, depth: 0), before: bracket)
      guard next.isThere else { return children }
      position = next.position
    }
  }
}

/// Examines sixteen or sixty-four bytes at once.
///
/// Swift has no operation that extracts the sign bits of a vector's bytes, so this multiplies to gather eight of them.
enum JSONBlock {
  /// The index of the first byte for which the mask is true; 16 if there is no such byte.
  @inline(__always)
  static func first(_ mask: SIMDMask<SIMD16<Int8>>) -> Int {
    let words = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
    // Branchless, because the half that contains it is unpredictable.
    let isInHighHalf = words[0] == 0
    let word = isInHighHalf ? words[1] : words[0]
    return (isInHighHalf ? 8 : 0) + word.trailingZeroBitCount / 8
  }

  /// The bytes that are not white space (RFC 8259 §2).
  @inline(__always)
  static func isNoSpace(_ block: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>> {
    (block .!= SIMD16(repeating: 0x20)) .& (block .!= SIMD16(repeating: 0x0A))
      .& (block .!= SIMD16(repeating: 0x0D)) .& (block .!= SIMD16(repeating: 0x09))
  }

  /// The bytes of a string that need handling: quotes, backslashes, control characters (RFC 8259 §7), and the bytes of
  /// non-ASCII characters, which are validated.
  @inline(__always)
  static func specials(_ block: SIMD16<Int8>) -> SIMDMask<SIMD16<Int8>> {
    // Non-ASCII bytes are negative. Both operands are vectors: with a scalar, the compiler generates code for single
    // bytes.
    (block .< SIMD16(repeating: 0x20)) .| (block .== SIMD16(repeating: 0x22))
      .| (block .== SIMD16(repeating: 0x5C))
  }

  /// The bytes of a string that must be escaped: quotes, backslashes and control characters (RFC 8259 §7).
  @inline(__always)
  static func isEscaped(_ block: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>> {
    (block .< SIMD16(repeating: 0x20)) .| (block .== SIMD16(repeating: 0x22))
      .| (block .== SIMD16(repeating: 0x5C))
  }

  /// The special bytes of sixty-four, with one bit for each.
  @inline(__always)
  static func specials(in bytes: UnsafeRawBufferPointer, from position: Int) -> UInt64 {
    var bits: UInt64 = 0
    for index in 0..<4 {
      let block = bytes.loadUnaligned(fromByteOffset: position + 16 * index, as: SIMD16<Int8>.self)
      let words = unsafeBitCast(specials(block), to: SIMD2<UInt64>.self)
      bits |= (gathered(words[0]) | gathered(words[1]) << 8) << UInt64(truncatingIfNeeded: 16 * index)
    }
    return bits
  }

  /// One bit for each of eight bytes that are all ones or all zeros.
  @inline(__always)
  static func gathered(_ word: UInt64) -> UInt64 {
    // Bit 8i is moved to bit 56 + i, and no two partial products overlap.
    ((word & 0x0101_0101_0101_0101) &* 0x0102_0408_1020_4080) >> 56
  }
}
