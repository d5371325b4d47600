extension JSONValue {
  /// The document without white space, with its members in order.
  package var compactText: String {
    var text = ""
    writeCompactly(to: &text)
    return text
  }

  private func writeCompactly(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .number(let digits): text += digits
    case .string(let string): Self.quote(string, into: &text)
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        text += index == 0 ? "[" : ","
        element.writeCompactly(to: &text)
      }
      text += elements.isEmpty ? "[]" : "]"
    case .object(let members):
      for (index, member) in members.enumerated() {
        text += index == 0 ? "{" : ","
        Self.quote(member.name, into: &text)
        text += ":"
        member.value.writeCompactly(to: &text)
      }
      text += members.isEmpty ? "{}" : "}"
    }
  }
}
