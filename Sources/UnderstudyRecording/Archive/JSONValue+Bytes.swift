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
    var string = string
    string.withUTF8 { text in
      var start = 0
      while true {
        let position = JSONReader(UnsafeRawBufferPointer(text)).endOfUnescaped(from: start)
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<position]))
        guard position < text.count else { break }
        let byte = text[position]
        start = position + 1
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5C: bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default:
          bytes += (byte < 0x10 ? "u000" : "u00").utf8
          bytes += String(byte, radix: 16).utf8
        }
      }
    }
    bytes.append(UInt8(ascii: "\""))
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
