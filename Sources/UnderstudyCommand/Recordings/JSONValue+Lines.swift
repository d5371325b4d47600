import Understudy
import UnderstudyHTTP

extension JSONValue {
  /// The document with a line for each value, indented by two spaces.
  var indentedLines: [String] {
    switch self {
    case .array(let elements) where !elements.isEmpty:
      return Self.list(elements.map(\.indentedLines), between: ("[", "]"))
    case .object(let members) where !members.isEmpty:
      let items = members.map { member -> [String] in
        var name = ""
        Self.quote(member.name, into: &name)
        var lines = member.value.indentedLines
        lines[0] = "\(name): \(lines[0])"
        return lines
      }
      return Self.list(items, between: ("{", "}"))
    default: return [compactText.visible]
    }
  }

  private static func list(_ items: [[String]], between brackets: (String, String)) -> [String] {
    var lines = [brackets.0]
    for (index, item) in items.enumerated() {
      lines += item.map { "  " + $0 }
      if index < items.count - 1 { lines[lines.count - 1] += "," }
    }
    return lines + [brackets.1]
  }
}
