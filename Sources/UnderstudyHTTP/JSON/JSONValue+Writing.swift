extension JSONValue {
  /// The document without white space, with its members in order.
  package var compactText: String {
    var text = ""
    write(to: &text, comma: ",", colon: ":")
    return text
  }

  /// Writes the document with its members in order, and with the given separators.
  package func write(to text: inout String, comma: String, colon: String) {
    switch self {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .number(let digits): text += digits
    case .string(let string): Self.quote(string, into: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += comma }
        element.write(to: &text, comma: comma, colon: colon)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += comma }
        Self.quote(member.name, into: &text)
        text += colon
        member.value.write(to: &text, comma: comma, colon: colon)
      }
      text += "}"
    }
  }
}

extension JSONValue {
  /// Appends a string in quotes, escaped as RFC 8259 §7 requires.
  package static func quote(_ string: String, into text: inout String) {
    text += "\""
    if string.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }) {
      text += string
    } else {
      for scalar in string.unicodeScalars {
        switch scalar {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\u{8}": text += "\\b"
        case "\u{C}": text += "\\f"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        case _ where scalar.value < 0x20:
          text += "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
    text += "\""
  }
}
