import Foundation
import UnderstudyHTTP

extension ExchangeResponse {
  /// A regular expression for a stream of these events, for a format that sees a stream as one text.
  ///
  /// The data of an event that is JSON may have its members in any order, and white space between them. The expression
  /// does not see that a member comes twice in place of another. Comments and the fields `id` and `retry`
  /// of a stream are not allowed for.
  func eventsPattern() throws(Unspeakable) -> String {
    let events: [ServerSentEvent]
    do throws(TransportError) {
      events = try self.events
    } catch {
      throw Unspeakable(reason: "its events cannot be read: \(error.message)")
    }
    var pattern = "^"
    for (index, event) in events.enumerated() {
      if event.type != "message" { pattern += "event: ?\(event.type.escapedForPattern)\\r?\\n" }
      if let json = try? JSONValue(parsing: Data(event.data.utf8)) {
        pattern += "data: ?" + (try json.pattern(at: "\(index)", variations))
      } else {
        let lines = event.data.split(separator: "\n", omittingEmptySubsequences: false)
        pattern += lines.map { "data: ?" + String($0).escapedForPattern }.joined(separator: "\\r?\\n")
      }
      pattern += "\\r?\\n\\r?\\n"
    }
    return pattern + "$"
  }
}

extension JSONValue {
  /// A regular expression for the value as it may be written on one line.
  fileprivate func pattern(
    at path: String, _ variations: [String: ExchangeResponse.Variation]
  ) throws(Unspeakable) -> String {
    switch variations[path] {
    case .members?:
      throw Unspeakable(
        reason: "an event may have further members, which no regular expression for its text can say")
    case .text?: return #""(?:[^"\\]|\\.)*""#
    case .number?: return #"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"#
    case let variation?: return "\"\(variation.pattern ?? ".*")\""
    case nil: break
    }
    var parts: [String] = []
    switch self {
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        parts.append(try element.pattern(at: "\(path).\(index)", variations))
      }
      return #"\[ *"# + parts.joined(separator: " *, *") + #" *\]"#
    case .object(let members):
      for member in members {
        let name = JSONValue.string(member.name).compactText.escapedForPattern
        parts.append("\(name) *: *" + (try member.value.pattern(at: "\(path).\(member.name)", variations)))
      }
      guard parts.count > 1 else { return #"\{ *"# + parts.joined() + #" *\}"# }
      let any = "(?:\(parts.joined(separator: "|")))"
      return #"\{ *"# + any + "(?: *, *\(any)){\(parts.count - 1)}" + #" *\}"#
    default: return compactText.escapedForPattern
    }
  }
}
