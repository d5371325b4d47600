/// The location of a string in a document, between its quotes.
package struct JSONText {
  /// The position of its first byte.
  package let start: Int
  /// The position of the closing quote.
  package let end: Int
  /// Whether the string contains escapes; without escapes the bytes are the string in UTF-8.
  package let hasEscapes: Bool

  package init(start: Int, end: Int, hasEscapes: Bool) {
    self.start = start
    self.end = end
    self.hasEscapes = hasEscapes
  }
}

extension JSONReader {
  /// The string after a quote (RFC 8259 §7), in valid UTF-8 (RFC 3629 §4) and without lone surrogates.
  ///
  /// An error has the position of the invalid byte, or of the backslash of the invalid escape.
  @inline(__always)
  package func text(from quote: Int) throws(JSONValue.ParsingError) -> JSONText {
    let start = quote + 1
    // Most strings are short.
    if start + 16 <= bytes.count {
      let block = bytes.loadUnaligned(fromByteOffset: start, as: SIMD16<Int8>.self)
      let found = JSONBlock.first(JSONBlock.specials(block))
      if found < 16, bytes[start + found] == UInt8(ascii: "\"") {
        return JSONText(start: start, end: start + found, hasEscapes: false)
      }
    }
    return try longText(from: start)
  }

  /// The position of the first byte that must be escaped in a string (RFC 8259 §7); without one, the end of all bytes.
  package func endOfUnescaped(from start: Int) -> Int {
    var position = start
    while position + 16 <= bytes.count {
      let block = bytes.loadUnaligned(fromByteOffset: position, as: SIMD16<UInt8>.self)
      let found = JSONBlock.first(JSONBlock.isEscaped(block))
      position += found
      if found < 16 { return position }
    }
    while position < bytes.count, !Self.isEscaped(bytes[position]) { position += 1 }
    return position
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  func longText(from start: Int) throws(JSONValue.ParsingError) -> JSONText {
    var position = start
    var hasEscapes = false
    while position + 64 <= bytes.count {
      let block = position
      var specials = JSONBlock.specials(in: bytes, from: block)
      position = block + 64
      while specials != 0 {
        let special = block + specials.trailingZeroBitCount
        let byte = bytes[special]
        if byte == UInt8(ascii: "\"") {
          return JSONText(start: start, end: special, hasEscapes: hasEscapes)
        }
        hasEscapes = hasEscapes || byte == UInt8(ascii: "\\")
        let next = try endOfSpecial(byte, at: special)
        if next >= block + 64 {
          position = next
          break
        }
        specials &= ~0 << UInt64(truncatingIfNeeded: next - block)
      }
    }
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        return JSONText(start: start, end: position, hasEscapes: hasEscapes)
      }
      hasEscapes = hasEscapes || byte == UInt8(ascii: "\\")
      position = try endOfSpecial(byte, at: position)
    }
    throw .init(offset: bytes.count)
  }

  /// The end of an escape, of a run of non-ASCII characters, or of a single other character.
  @inline(__always)
  private func endOfSpecial(_ byte: UInt8, at position: Int) throws(JSONValue.ParsingError) -> Int {
    if byte == UInt8(ascii: "\\") {
      if Self.isShortEscape(self.byte(at: position + 1)) { return position + 2 }
      guard let (_, end) = codePoint(at: position) else { throw .init(offset: position) }
      return end
    }
    if byte >= 0x80 { return try endOfCharacters(from: position) }
    guard byte >= 0x20 else { throw .init(offset: position) }
    return position + 1
  }

  /// Whether the byte after a backslash is one of `"`, `/`, `\`, `b`, `f`, `n`, `r` and `t`, without a branch for each.
  @inline(__always)
  private static func isShortEscape(_ byte: UInt8) -> Bool {
    let low: UInt64 = 1 << 0x22 | 1 << 0x2F
    let high: UInt64 = 1 << 0x1C | 1 << 0x22 | 1 << 0x26 | 1 << 0x2E | 1 << 0x32 | 1 << 0x34
    return byte < 0x80 && (byte < 0x40 ? low : high) >> UInt64(byte & 0x3F) & 1 == 1
  }

  /// The character encoded by `\uXXXX`, or by two of them as surrogates; `nil` if the escape is invalid.
  func codePoint(at backslash: Int) -> (scalar: Unicode.Scalar, end: Int)? {
    guard let unit = codeUnit(at: backslash) else { return nil }
    let end = backslash + 6
    if let scalar = Unicode.Scalar(unit) { return (scalar, end) }
    guard unit < 0xDC00, let second = codeUnit(at: end), (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
    else { return nil }
    return (scalar, end + 6)
  }

  private func codeUnit(at backslash: Int) -> UInt16? {
    guard backslash + 6 <= bytes.count, bytes[backslash] == UInt8(ascii: "\\"),
      bytes[backslash + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt16 = 0
    for index in 2..<6 {
      let byte = bytes[backslash + index]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt16(byte - 48)
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
        unit = unit << 4 | UInt16((byte | 0x20) - 87)
      default: return nil
      }
    }
    return unit
  }

  /// The end of a run of non-ASCII characters (RFC 3629 §4: no overlong forms, no surrogates, nothing beyond U+10FFFF).
  private func endOfCharacters(from start: Int) throws(JSONValue.ParsingError) -> Int {
    var position = start
    while true {
      let first = byte(at: position)
      let second = byte(at: position + 1)
      let length: Int
      switch first {
      case 0..<0x80: return position
      case 0xC2...0xDF where second & 0xC0 == 0x80: length = 2
      case 0xE0 where second & 0xE0 == 0xA0, 0xED where second & 0xE0 == 0x80,
        0xE1...0xEC where second & 0xC0 == 0x80, 0xEE...0xEF where second & 0xC0 == 0x80:
        length = 3
      case 0xF0 where (0x90...0xBF).contains(second), 0xF4 where second & 0xF0 == 0x80,
        0xF1...0xF3 where second & 0xC0 == 0x80:
        length = 4
      default: throw .init(offset: position)
      }
      for index in 2..<max(2, length) where byte(at: position + index) & 0xC0 != 0x80 {
        throw .init(offset: position)
      }
      position += length
    }
  }
}

extension JSONReader {
  /// The string at a location that ``text(from:)`` returned, with its escapes decoded.
  package func string(_ text: JSONText) -> String {
    guard text.hasEscapes else {
      return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[text.start..<text.end]), as: UTF8.self)
    }
    // An escape is at least as long as the character that it encodes, so the capacity is sufficient.
    return String(unsafeUninitializedCapacity: text.end - text.start) { buffer in
      let target = UnsafeMutableRawBufferPointer(buffer)
      var count = 0
      unescape(text) { piece in
        guard piece.count <= target.count - count else { return }
        UnsafeMutableRawBufferPointer(rebasing: target[count...]).copyMemory(from: piece)
        count += piece.count
      }
      return count
    }
  }

  /// Passes the UTF-8 of a string to a closure in pieces, with its escapes decoded.
  package func unescape(_ text: JSONText, _ body: (UnsafeRawBufferPointer) -> Void) {
    guard text.hasEscapes else {
      return body(UnsafeRawBufferPointer(rebasing: bytes[text.start..<text.end]))
    }
    var start = text.start
    var position = start
    while position < text.end {
      guard bytes[position] == UInt8(ascii: "\\") else {
        position += 1
        continue
      }
      if start < position { body(UnsafeRawBufferPointer(rebasing: bytes[start..<position])) }
      let (scalar, end) = escapedCharacter(at: position)
      var character = String(scalar)
      character.withUTF8 { body(UnsafeRawBufferPointer($0)) }
      position = min(end, text.end)
      start = position
    }
    if start < text.end { body(UnsafeRawBufferPointer(rebasing: bytes[start..<text.end])) }
  }

  private func escapedCharacter(at backslash: Int) -> (Unicode.Scalar, end: Int) {
    let scalar: Unicode.Scalar
    switch byte(at: backslash + 1) {
    case UInt8(ascii: "b"): scalar = "\u{8}"
    case UInt8(ascii: "f"): scalar = "\u{C}"
    case UInt8(ascii: "n"): scalar = "\n"
    case UInt8(ascii: "r"): scalar = "\r"
    case UInt8(ascii: "t"): scalar = "\t"
    case UInt8(ascii: "u"): return codePoint(at: backslash) ?? ("\u{FFFD}", backslash + 6)
    case let byte: scalar = Unicode.Scalar(byte)
    }
    return (scalar, backslash + 2)
  }
}
