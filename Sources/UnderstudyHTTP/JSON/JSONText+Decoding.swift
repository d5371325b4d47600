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
