import Foundation
import UnderstudyHTTP

extension [HTTP.ServerSentEvent] {
  /// Returns a regular expression without anchors for a stream of these events, for formats that treat a stream as
  /// text.
  ///
  /// JSON data of an event may have its members in any order, with white space. The expression does not detect a member
  /// that replaces another by occurring twice. Comments and the fields `id` and `retry` are not supported.
  func pattern(varying variability: Variability) -> String {
    map { event in
      var pattern = event.type == "message" ? "" : "event: ?\(event.type.escapedForPattern)\\r?\\n"
      if let json = try? JSONValue(parsing: Data(event.data.utf8)) {
        pattern += "data: ?" + json.pattern(variability)
      } else {
        let lines = event.data.split(separator: "\n", omittingEmptySubsequences: false)
        pattern += lines.map { "data: ?" + String($0).escapedForPattern }.joined(separator: "\\r?\\n")
      }
      return pattern + "\\r?\\n\\r?\\n"
    }.joined()
  }
}

extension JSONValue {
  /// Returns a regular expression for the value as written on one line.
  fileprivate func pattern(_ variability: Variability) -> String {
    switch variability.rule(for: self) {
    case .number?: return #"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"#
    case .pattern(let pattern)?: return "\"\(pattern)\""
    case nil: break
    }
    switch self {
    case .array(let elements):
      return #"\[ *"# + elements.map { $0.pattern(variability) }.joined(separator: " *, *") + #" *\]"#
    case .object(let members):
      let parts = members.map { member in
        JSONValue.string(member.name).compactText.escapedForPattern + " *: *"
          + member.value.pattern(variability)
      }
      guard parts.count > 1 else { return #"\{ *"# + parts.joined() + #" *\}"# }
      let any = "(?:\(parts.joined(separator: "|")))"
      return #"\{ *"# + any + "(?: *, *\(any)){\(parts.count - 1)}" + #" *\}"#
    default: return compactText.escapedForPattern
    }
  }
}
