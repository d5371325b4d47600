import UnderstudyTransport

extension JSONValue {
  /// The document with a line for each member, except where an object of few scalars fits on one.
  func writeIndented(into text: inout String, depth: Int = 0) {
    switch self {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .number(let digits): text += digits
    case .string(let string): Self.quote(string, into: &text)
    case .array(let elements):
      Self.writeList(of: elements, between: ("[", "]"), onOneLine: false, into: &text, depth: depth) {
        $0.writeIndented(into: &$1, depth: depth + 1)
      }
    case .object(let members):
      let isShort = members.count <= 3 && members.allSatisfy(\.value.isScalar)
      Self.writeList(of: members, between: ("{", "}"), onOneLine: isShort, into: &text, depth: depth) {
        Self.quote($0.name, into: &$1)
        $1 += ": "
        $0.value.writeIndented(into: &$1, depth: depth + 1)
      }
    }
  }

  private var isScalar: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }

  private static func writeList<Element>(
    of elements: [Element], between brackets: (String, String), onOneLine: Bool, into text: inout String,
    depth: Int, _ write: (Element, inout String) -> Void
  ) {
    text += brackets.0
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      text += onOneLine ? " " : "\n" + String(repeating: "  ", count: depth + 1)
      write(element, &text)
    }
    if !elements.isEmpty { text += onOneLine ? " " : "\n" + String(repeating: "  ", count: depth) }
    text += brackets.1
  }
}
