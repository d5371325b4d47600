/// Goes through the bytes of a JSON document (RFC 8259) and makes no values of them.
///
/// Positions are numbers of bytes from the start. Each method reads one thing from where it begins, and returns where
/// it ends or throws the place of what is wrong. Bytes are looked at in blocks where enough of them are left. The bytes
/// may change while they are read, as those of a mapped file: what is read is then wrong, but never from elsewhere.
package struct JSONReader {
  /// The document.
  package let bytes: UnsafeRawBufferPointer

  /// How deep arrays and objects may lie in each other, so that no document exhausts the stack.
  package static var depthLimit: Int { 512 }

  /// A reader of these bytes, which must outlive it.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// The byte at a place; at the end of the document NUL, which has no place in JSON outside of strings.
  package func byte(at position: Int) -> UInt8 {
    position < bytes.count ? bytes[position] : 0
  }

  /// Where white space from here on ends (RFC 8259 §2).
  @inline(__always)
  package func endOfSpace(from position: Int) -> Int {
    let first = byte(at: position)
    if first > 0x20 { return position }
    // One space is what often stands behind a colon or a comma.
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

  /// Where a value from its first byte on ends, whatever it is.
  ///
  /// - Parameter depth: How many arrays and objects it lies in.
  package func endOfValue(from start: Int, depth: Int) throws(JSONValue.ParsingError) -> Int {
    guard depth < Self.depthLimit else { throw .init(offset: start) }
    switch byte(at: start) {
    case UInt8(ascii: "\""): return try text(from: start).end + 1
    case UInt8(ascii: "{"): return try endOfObject(from: start, depth: depth)
    case UInt8(ascii: "["): return try endOfArray(from: start, depth: depth)
    default: return try endOfScalar(from: start)
    }
  }

  /// Where a number, `true`, `false` or `null` ends.
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

  /// Where a number ends (RFC 8259 §6).
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

  /// One digit at least.
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

  /// The name of a member, and where its value begins.
  package func name(from start: Int) throws(JSONValue.ParsingError) -> (name: JSONText, value: Int) {
    guard byte(at: start) == UInt8(ascii: "\"") else { throw .init(offset: start) }
    let name = try text(from: start)
    let colon = endOfSpace(from: name.end + 1)
    guard byte(at: colon) == UInt8(ascii: ":") else { throw .init(offset: colon) }
    return (name, endOfSpace(from: colon + 1))
  }

  /// Where the next element or member begins behind a comma; if there is none, where the closing bracket ends.
  package func next(
    behind end: Int, before bracket: UInt8
  ) throws(JSONValue.ParsingError) -> (isThere: Bool, position: Int) {
    let position = endOfSpace(from: end)
    let byte = byte(at: position)
    if byte == UInt8(ascii: ",") { return (true, endOfSpace(from: position + 1)) }
    guard byte == bracket else { throw .init(offset: position) }
    return (false, position + 1)
  }
}
