package import Foundation
import UnderstudyHTTP

extension JSONValue {
  /// As PostgreSQL prints a `jsonb`: a space after each comma and colon.
  var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// The text, in UTF-8.
  package var data: Data { Data(text.utf8) }

  func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .number(let digits): text += digits
    case .string(let string): JSONValue.quote(string, into: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += ", " }
        element.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += ", " }
        JSONValue.quote(member.name, into: &text)
        text += ": "
        member.value.write(to: &text)
      }
      text += "}"
    }
  }
}

extension JSONValue {
  /// As `jsonb` keeps it: the last of several members with one name, the shorter names first, numbers without exponent.
  func normalized() -> JSONValue {
    switch self {
    case .number(let digits): return .number(DecimalText(digits)?.text ?? digits)
    case .array(let elements): return .array(elements.map { $0.normalized() })
    case .object(let members):
      var last: [String: JSONValue] = [:]
      for member in members { last[member.name] = member.value.normalized() }
      let names = last.keys.sorted {
        $0.utf8.count != $1.utf8.count
          ? $0.utf8.count < $1.utf8.count : $0.utf8.lexicographicallyPrecedes($1.utf8)
      }
      return .object(names.map { Member($0, last[$0] ?? .null) })
    default: return self
    }
  }

  /// Whether a number in it has more digits than PostgreSQL's `numeric` has room for.
  var overflowsNumeric: Bool {
    switch self {
    case .null, .boolean, .string: false
    case .number(let digits): DecimalText(digits) == nil
    case .array(let elements): elements.contains(where: \.overflowsNumeric)
    case .object(let members): members.contains { $0.value.overflowsNumeric }
    }
  }

  /// Whether a string or a name in it has a NUL, which PostgreSQL cannot keep.
  var containsNUL: Bool {
    switch self {
    case .null, .boolean, .number: false
    case .string(let text): text.utf8.contains(0)
    case .array(let elements): elements.contains(where: \.containsNUL)
    case .object(let members): members.contains { $0.name.utf8.contains(0) || $0.value.containsNUL }
    }
  }
}
