package import Foundation
package import SharedServices
import Understudy

/// Generated payloads of the feed, each with the expected result, which follows from its construction.
package struct FeedPayloads {
  /// The expected result for a payload.
  package enum Fate: Hashable, Sendable {
    case message(role: ChatMessage.Role, content: String, timestamp: Date, warnings: [MessageWarning])
    case failure(MessageValidationError)

    package init(_ result: Result<ValidatedMessage, MessageValidationError>) {
      switch result {
      case .failure(let error): self = .failure(error)
      case .success(let message):
        self = .message(
          role: message.role, content: message.content, timestamp: message.timestamp,
          warnings: message.warnings)
      }
    }
  }

  private var random: SeededGenerator

  package init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  mutating func chance(_ one: Int) -> Bool { number(1...one) == 1 }
  mutating func id() -> String { random.nextUUIDString() }

  private mutating func one<Element>(of elements: [Element], or other: Element) -> Element {
    elements.randomElement(using: &random) ?? other
  }

  // MARK: - Parts

  mutating func role() -> ChatMessage.Role { one(of: ChatMessage.Role.allCases, or: .user) }

  /// An unknown role name, often similar to a valid one.
  mutating func unknownRole() -> String {
    let name = role().rawValue
    return one(
      of: [
        "", " \(name)", "\(name) ", name.capitalized, name.uppercased(), "tool_use", "\(name)\u{0}",
        text() + "?",
      ],
      or: "unknown")
  }

  private static let pieces = [
    "Hello", " ", "\n", "é", "e\u{301}", "👩‍👧", "مرحبا", "(", ")", "\"", "\\", "{\"a\":1}", "AnyCodable",
    "Value(", "\u{0}",
    "\u{FEFF}", "value:", "%", "</script>", "\r\n", "'",
  ]

  /// Any text that contains no wrapper; may be empty.
  mutating func text() -> String {
    var text = ""
    for _ in 0..<number(0...8) { text += one(of: Self.pieces, or: "") }
    // Two pieces may form a wrapper by chance.
    return text.utf8.firstRange(of: "AnyCodableValue(".utf8) == nil ? text : ""
  }

  /// A wrapped text and its content.
  mutating func wrapped() -> (payload: String, text: String) {
    let text = one(
      of: ["Hello", "two\nlines", "a \"quotation\"", "f(x) = (1)", "5\" disk", "é 👩‍👧", "C:\\new"], or: "")
    let quoted =
      "\""
      + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
      .replacingOccurrences(of: "\n", with: "\\n") + "\""
    let isBare = text.allSatisfy { $0 != "\"" && $0 != "\\" } && chance(3)
    let label = chance(2) ? "value: " : ""
    var payload = "AnyCodableValue(\(label)\(isBare ? text : quoted))"
    if chance(4) { payload = "AnyCodableValue(\(payload))" }
    return chance(4) ? ("It says \(payload).", "It says \(text).") : (payload, text)
  }

  /// A time in one of the forms of ISO 8601, and its value.
  mutating func timestamp() -> (text: String, date: Date) {
    let seconds = number(0...4_000_000_000)
    // Three digits, or six.
    let microseconds = chance(2) ? chance(2) ? number(0...999_999) : number(0...999) * 1_000 : nil
    let offset = chance(2) ? number(-14 * 60...14 * 60) : nil
    let date = Date(timeIntervalSince1970: Double(seconds))
    // Written in local time, so that subtracting the offset gives the date.
    let local = date.addingTimeInterval(Double((offset ?? 0) * 60))
    var text = String(local.formatted(.iso8601).dropLast())
    if let microseconds {
      text += "." + Self.padded(microseconds, 6).prefix(microseconds % 1_000 == 0 ? 3 : 6)
    }
    if let offset {
      let minutes = abs(offset)
      text += "\(offset < 0 ? "-" : "+")\(Self.padded(minutes / 60, 2)):\(Self.padded(minutes % 60, 2))"
    } else {
      text += "Z"
    }
    // RFC 3339 §5.6 allows lower case.
    if chance(4) { text = text.lowercased() }
    // Counted from 2001, as the parser does, so that no digit is lost.
    let whole = date.timeIntervalSinceReferenceDate
    return (text, Date(timeIntervalSinceReferenceDate: whole + Double(microseconds ?? 0) / 1_000_000))
  }

  /// A text that is not a valid time, or has no time zone.
  mutating func wrongTimestamp() -> String {
    let text = timestamp().text.uppercased()
    let local = String(text.prefix(19))
    return one(
      of: [
        "", local, "\(local).123", local.replacingOccurrences(of: "T", with: " ") + "Z", "\(text)x",
        " \(text)",
        "2026-02-30T12:00:00Z", "1900-02-29T12:00:00Z", "2026-02-29T12:00:00Z", "2026-04-31T12:00:00Z",
        "2026-11-31T12:00:00Z", "2026-01-32T12:00:00Z", "2026-00-10T12:00:00Z", "2026-01-00T12:00:00Z",
        "2026-13-01T12:00:00Z", "2026-01-03T12:00:60Z", "2026-01-03T23:59:61Z",
        "2026-01-03T24:00:00Z", "2026-01-03", "1767441600",
        "yesterday", "2026-01-03T12:00:00.Z", "２０２６-01-03T12:00:00Z",
      ], or: "")
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
  }

  // MARK: - Payloads

  /// A message of a page, valid or corrupted.
  package mutating func paginated() -> (message: PaginatedMessage, fate: Fate) {
    let role = role()
    let (timestamp, date) = timestamp()
    var message = PaginatedMessage(id: id(), role: role.rawValue, content: text(), timestamp: timestamp)
    var fate = Fate.message(role: role, content: message.content, timestamp: date, warnings: [])
    switch number(1...8) {
    case 1:
      message.role = unknownRole()
      fate = .failure(.invalidRole(message.role))
    case 2:
      message.timestamp = wrongTimestamp()
      fate = .failure(.invalidTimestamp(message.timestamp))
    case 3:
      let (payload, text) = wrapped()
      message.content = payload
      fate = .message(role: role, content: text, timestamp: date, warnings: [.contentWasWrapped])
    case 4:
      message.content = "AnyCodableValue(\"cut off"
      fate = .failure(.corruptedContent(message.content))
    default: break
    }
    return (message, fate)
  }

  /// An event that carries a message, valid or corrupted.
  package mutating func event() -> (event: StreamEvent, fate: Fate) {
    let (message, fate) = paginated()
    switch fate {
    case .failure(.invalidRole(let name)):
      // In the stream the event's type gives the role.
      return (
        .message(
          StreamedMessage(id: message.id, timestamp: message.timestamp, content: .unknown(type: name))), fate
      )
    case .failure:
      return (.message(streamed(message, .user(message.content))), fate)
    case .message(_, let content, let date, let warnings):
      // A system message without text becomes none.
      let isBlank = content.allSatisfy(\.isWhitespace)
      let role: ChatMessage.Role = one(
        of: [.user, .assistant, .thinking] + (isBlank ? [] : [.system, .resultSuccess]), or: .user)
      let part: StreamContent =
        switch role {
        case .user: .user(message.content)
        case .assistant: .assistant(message.content)
        case .thinking: .thinking(message.content)
        case .resultSuccess: .system(message.content, subtype: "result")
        default: .system(message.content, subtype: chance(2) ? "init" : nil)
        }
      return (
        .message(streamed(message, part)),
        .message(role: role, content: content, timestamp: date, warnings: warnings)
      )
    }
  }

  private func streamed(_ message: PaginatedMessage, _ content: StreamContent) -> StreamedMessage {
    StreamedMessage(id: message.id, timestamp: message.timestamp, content: content)
  }
}
