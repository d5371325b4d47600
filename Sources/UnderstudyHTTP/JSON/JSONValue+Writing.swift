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
