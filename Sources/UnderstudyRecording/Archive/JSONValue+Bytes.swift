import UnderstudyHTTP

extension JSONValue {
  /// Writes the document in UTF-8 without white space, with its members in order.
  func write(into bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .boolean(let value): bytes += (value ? "true" : "false").utf8
    case .number(let digits): bytes += digits.utf8
    case .string(let string): Self.write(string, into: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.write(into: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(member.name, into: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(into: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Writes a string in quotes, with the escapes that RFC 8259 §7 requires.
  private static func write(_ string: String, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    func write(_ text: UnsafeBufferPointer<UInt8>) {
      let reader = JSONReader(UnsafeRawBufferPointer(text))
      var position = 0
      while true {
        let end = reader.endOfUnescaped(from: position)
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[position..<end]))
        guard end < text.count else { break }
        // Near a byte to escape there are often others, as in JSON inside of JSON.
        let piece = text[end...].prefix(pieceLength)
        writeEscaped(UnsafeBufferPointer(rebasing: piece), into: &bytes)
        position = piece.endIndex
      }
    }
    if string.utf8.withContiguousStorageIfAvailable(write) == nil {
      Array(string.utf8).withUnsafeBufferPointer(write)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static var pieceLength: Int { 128 }

  /// Writes a piece of a string byte by byte.
  private static func writeEscaped(_ piece: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) {
    // The longest escape has six bytes.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 6 * piece.count) { escaped in
      var count = 0
      for byte in piece {
        guard byte < 0x20 || byte == 0x22 || byte == 0x5C else {
          escaped[count] = byte
          count &+= 1
          continue
        }
        let letter = letter(escaping: byte)
        escaped[count] = UInt8(ascii: "\\")
        escaped[count &+ 1] = letter
        count &+= 2
        guard letter == UInt8(ascii: "u") else { continue }
        for digit in [0, 0, byte >> 4, byte & 15] {
          escaped[count] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
          count &+= 1
        }
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: escaped[..<count]))
    }
  }

  /// Returns the letter after the backslash; `u` for a byte without an escape of two characters.
  private static func letter(escaping byte: UInt8) -> UInt8 {
    switch byte {
    case 0x22, 0x5C: byte
    case 0x08: UInt8(ascii: "b")
    case 0x0C: UInt8(ascii: "f")
    case 0x0A: UInt8(ascii: "n")
    case 0x0D: UInt8(ascii: "r")
    case 0x09: UInt8(ascii: "t")
    default: UInt8(ascii: "u")
    }
  }

  /// Writes the document with one line for each member; an object of few scalars is on one line.
  func writeIndented(into text: inout String) {
    var compact: [UInt8] = []
    write(into: &compact)
    var indented: [UInt8] = []
    JSONIndentation.write(compact[...], depth: 0, into: &indented)
    text += String(decoding: indented, as: UTF8.self)
  }
}
