import Foundation
import UnderstudyHTTP

/// A recorded exchange for formats with whole requests and responses.
struct RecordedInteraction {
  /// A provider state, required before the request.
  struct State {
    let name: String
    let parameters: JSONValue
  }

  enum Body {
    case json(JSONValue)
    case text(String)
    case base64(String)

    /// The JSON, or the text as a JSON string.
    var value: JSONValue {
      switch self {
      case .json(let value): value
      case .text(let text), .base64(let text): .string(text)
      }
    }
  }

  struct Message {
    var fields: [(name: String, value: RecordedText)]
    var body: Body?

    /// The media type with its parameters.
    var contentType: String? { fields.first { $0.name.lowercased() == "content-type" }?.value.text }

    /// The media type without its parameters.
    var mediaType: String {
      guard let type = contentType?.split(separator: ";").first else {
        if case .json? = body { return "application/json" }
        return "text/plain"
      }
      return type.trimmingCharacters(in: .whitespaces).lowercased()
    }

    /// Returns the events of a stream of server-sent events (WHATWG HTML §9.2.5); `nil` for other media types.
    ///
    /// - Throws: `TransportError` if the stream is invalid.
    func events() throws(TransportError) -> [HTTP.ServerSentEvent]? {
      guard mediaType == "text/event-stream", case .text(let text)? = body else { return nil }
      var parser = ServerSentEventParser()
      parser.append(Data(text.utf8))
      var events: [HTTP.ServerSentEvent] = []
      while let event = try parser.next() { events.append(event) }
      return events
    }
  }

  /// The name of the recording, `<contract>/<clause>`.
  let recording: String
  /// The index in the recording, from 0.
  let index: Int
  let states: [State]
  let method: HTTP.Method
  /// The percent-encoded path.
  let path: RecordedText
  /// The percent-encoded path with the query in its recorded order.
  let target: RecordedText
  let query: [(name: String, values: [RecordedText])]
  let request: Message
  let status: Int
  let response: Message
  /// The events of the response; `nil` if it is not a stream of server-sent events.
  let events: [HTTP.ServerSentEvent]?
  /// Whether the client stopped reading before the end of the events, so that others may follow.
  let isOpen: Bool
  /// Whether the response arrived in several chunks.
  let isPieced: Bool
  /// The parts of the response that vary between runs.
  let variability: Variability
  /// The names of the request values that a provider state supplies, by lower-case UUID or placeholder.
  let suppliedValues: [String: String]

  /// The service of the recording, which is the first part of its name.
  var service: String { RecordingExport.service(of: recording) }

  /// A unique name, such as `children.create.stored-2`.
  var id: String { "\(recording.split(separator: "/").last ?? "")-\(index + 1)" }

  var title: String {
    "\(recording.split(separator: "/").last ?? ""), exchange \(index + 1): "
      + "\(method) \(path.text) returns \(status)"
  }

  /// The identity of equal interactions, without values that vary between runs.
  var identity: String {
    let normalized = JSONValue.array([
      .string(method.rawValue), .string(path.normalized),
      .array(query.map { .array([.string($0.name)] + $0.values.map { .string($0.normalized) }) }),
      Self.normalized(request.fields), request.body.map { variability.normalizedRequest($0.value) } ?? .null,
      .number("\(status)"), Self.normalized(response.fields),
      (response.body?.value).map(variability.normalized) ?? .null,
    ])
    return normalized.compactText
  }

  private static func normalized(_ fields: [(name: String, value: RecordedText)]) -> JSONValue {
    .array(fields.map { .string("\($0.name.lowercased()): \($0.value.normalized)") })
  }

  /// The number of steps to set it up.
  var effort: Int { states.count + index }
}

/// The values of a response that vary between runs, by the form of the recorded values.
struct Variability {
  enum Rule {
    /// A text that matches a regular expression without anchors.
    case pattern(String)
    case number
  }

  /// The dates that the client or a condition supplied, which are returned unchanged.
  var sentDates: Set<String> = []
  /// The date on which the recording began.
  var moment: Date?

  /// Returns the rule for a value; `nil` if the value is the same in each run.
  func rule(for value: JSONValue) -> Rule? {
    switch value {
    case .string(let string):
      let text = RecordedText(string)
      if text.varies { return .pattern(text.pattern) }
      return sentDates.contains(string) ? nil : Self.datePattern(string).map(Rule.pattern)
    case .number(let digits):
      // Seconds since 1970, such as the end of a session.
      guard let seconds = Int(digits), let moment else { return nil }
      return abs(Double(seconds) - moment.timeIntervalSince1970) < 2 * 86_400 ? .number : nil
    default: return nil
    }
  }

  /// Returns a pattern for dates of the same form (RFC 3339 §5.6); `nil` if the text is not a date.
  static func datePattern(_ text: String) -> String? {
    // Checked first, because most texts are not dates and regular expressions are slow.
    guard (10...35).contains(text.utf8.count), text.utf8.dropFirst(4).first == UInt8(ascii: "-") else {
      return nil
    }
    let day = #"\d{4}-\d{2}-\d{2}"#
    if text.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil { return day }
    guard
      let match = text.wholeMatch(
        of: /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(Z|[+-]\d{2}:\d{2})/)
    else { return nil }
    let zone = match.output.1 == "Z" ? "Z" : #"[+-]\d{2}:\d{2}"#
    return day + #"T\d{2}:\d{2}:\d{2}(?:\.\d+)?"# + zone
  }

  mutating func addDates(sentIn value: JSONValue) {
    switch value {
    case .string(let text): if Self.datePattern(text) != nil { sentDates.insert(text) }
    case .array(let elements): for element in elements { addDates(sentIn: element) }
    case .object(let members): for member in members { addDates(sentIn: member.value) }
    default: break
    }
  }

  func normalized(_ value: JSONValue) -> JSONValue {
    switch (rule(for: value), value) {
    case (.pattern(let pattern)?, _): .string(pattern)
    case (.number?, _): .string("<number>")
    case (nil, .array(let elements)): .array(elements.map(normalized))
    case (nil, .object(let members)):
      .object(members.sorted { $0.name < $1.name }.map { .init($0.name, normalized($0.value)) })
    case (nil, _): value
    }
  }

  func normalizedRequest(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): .string(RecordedText(text).normalized)
    case .array(let elements): .array(elements.map(normalizedRequest))
    case .object(let members):
      .object(members.sorted { $0.name < $1.name }.map { .init($0.name, normalizedRequest($0.value)) })
    default: value
    }
  }
}
