/// A JSON value of the feed, which keeps the order of members and the digits of numbers: the input of a tool is shown as
/// the server writes it.
package indirect enum FeedValue: Sendable {
  case null
  case boolean(Bool)
  /// A number in its digits.
  case number(String)
  case string(String)
  case array([FeedValue])
  /// An object; of several members with one name, the last one counts.
  case object([(name: String, value: FeedValue)])

  /// The value of a member of an object.
  package subscript(name: String) -> FeedValue? {
    if case .object(let members) = self { members.last { $0.name == name }?.value } else { nil }
  }
  package var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  var digits: String? { if case .number(let digits) = self { digits } else { nil } }
  var booleanValue: Bool? { if case .boolean(let value) = self { value } else { nil } }
  var elements: [FeedValue]? { if case .array(let value) = self { value } else { nil } }
  var isObject: Bool { if case .object = self { true } else { false } }
  var isNull: Bool { if case .null = self { true } else { false } }
}

// The server's versions name some fields differently, and stored blocks are in snake case; any of the names is enough.

extension FeedValue {
  /// The value of the first of these members that has one; `nil` also for null.
  private func value(_ names: [String]) -> FeedValue? {
    for name in names {
      if let value = self[name], !value.isNull { return value }
    }
    return nil
  }

  func value(_ names: String...) -> FeedValue? { value(names) }

  /// A member as text; another value as its JSON.
  func text(_ names: String...) -> String? {
    value(names).map { $0.stringValue ?? $0.compactText }
  }

  func object(_ name: String) -> FeedValue? { self[name].flatMap { $0.isObject ? $0 : nil } }

  func array(_ names: String...) -> [FeedValue] { value(names)?.elements ?? [] }

  func measure(_ names: String...) -> Double? {
    guard let number = value(names)?.digits.flatMap(Double.init), number.isFinite else { return nil }
    return number
  }

  func count(_ names: String...) -> Int? {
    guard let digits = value(names)?.digits else { return nil }
    return Int(digits) ?? Double(digits).flatMap { Int(exactly: $0) }
  }

  func flag(_ names: String...) -> Bool? { value(names)?.booleanValue }
}

// MARK: - JSON

extension FeedValue {
  /// Parses a document (RFC 8259); `nil` if it is invalid or nested more than 512 levels deep.
  package init?(json: some Sequence<UInt8>) {
    var parser = FeedParser(bytes: Array(json))
    guard let value = parser.document() else { return nil }
    self = value
  }

  /// The value as JSON without white space.
  package var compactText: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .number(let digits): digits
    case .string(let value): Self.quoted(value)
    case .array(let elements): "[" + elements.map(\.compactText).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0.name) + ":" + $0.value.compactText }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\u{8}": quoted += "\\b"
      case "\u{C}": quoted += "\\f"
      case _ where scalar.value < 0x20:
        quoted += "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

/// A parser of one document.
///
/// Each function advances the position past what it returns, and returns `nil` for invalid
/// input.
private struct FeedParser {
  let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func document() -> FeedValue? {
    guard let value = value(depth: 0) else { return nil }
    skipSpace()
    return position == bytes.count ? value : nil
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  /// Whether the next bytes are these, which are then skipped.
  private mutating func take(_ text: StaticString) -> Bool {
    let isNext = text.withUTF8Buffer { bytes[position...].starts(with: $0) }
    if isNext { position += text.utf8CodeUnitCount }
    return isNext
  }

  private mutating func value(depth: Int) -> FeedValue? {
    guard depth < 512 else { return nil }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return object(depth: depth)
    case UInt8(ascii: "["): return array(depth: depth)
    case UInt8(ascii: "\""): return string().map { .string($0) }
    case UInt8(ascii: "t"): return take("true") ? .boolean(true) : nil
    case UInt8(ascii: "f"): return take("false") ? .boolean(false) : nil
    case UInt8(ascii: "n"): return take("null") ? .null : nil
    default: return number().map { .number($0) }
    }
  }

  private mutating func array(depth: Int) -> FeedValue? {
    position += 1
    skipSpace()
    if take("]") { return .array([]) }
    var elements: [FeedValue] = []
    while let element = value(depth: depth + 1) {
      elements.append(element)
      skipSpace()
      if take("]") { return .array(elements) }
      guard take(",") else { return nil }
    }
    return nil
  }

  private mutating func object(depth: Int) -> FeedValue? {
    position += 1
    skipSpace()
    if take("}") { return .object([]) }
    var members: [(name: String, value: FeedValue)] = []
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\""), let name = string() else { return nil }
      skipSpace()
      guard take(":"), let value = value(depth: depth + 1) else { return nil }
      members.append((name, value))
      skipSpace()
      if take("}") { return .object(members) }
      guard take(",") else { return nil }
    }
  }

  private mutating func number() -> String? {
    let start = position
    _ = take("-")
    if !take("0"), !digits() { return nil }
    if take("."), !digits() { return nil }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      if !digits() { return nil }
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func digits() -> Bool {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    return position > start
  }

  private mutating func string() -> String? {
    position += 1
    var text = ""
    while true {
      let start = position
      while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
        position += 1
      }
      let piece = String(decoding: bytes[start..<position], as: UTF8.self)
      // Invalid UTF-8 has been replaced by U+FFFD.
      guard piece.utf8.elementsEqual(bytes[start..<position]) else { return nil }
      text += piece
      if take("\"") { return text }
      guard take("\\"), let scalar = escaped() else { return nil }
      text.unicodeScalars.append(scalar)
    }
  }

  /// The character after a backslash.
  private mutating func escaped() -> Unicode.Scalar? {
    guard let byte = next else { return nil }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      guard let unit = codeUnit() else { return nil }
      if let scalar = Unicode.Scalar(unit) { return scalar }
      // Two surrogates are one character.
      guard unit < 0xDC00, take("\\u"), let second = codeUnit(), (0xDC00..<0xE000).contains(second) else {
        return nil
      }
      return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
    default: return nil
    }
  }

  private mutating func codeUnit() -> UInt32? {
    guard position + 4 <= bytes.count else { return nil }
    let digits = bytes[position..<position + 4]
    position += 4
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}

// MARK: - Coding

// A decoder keeps neither the order of members nor the digits of a number.
extension FeedValue: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .number("\(value)")
    } else if let value = try? container.decode(Double.self) {
      self = .number("\(value)")
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([FeedValue].self) {
      self = .array(value)
    } else {
      let members = try container.decode([String: FeedValue].self)
      self = .object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let value): try container.encode(value)
    case .number(let digits):
      if let integer = Int64(digits) {
        try container.encode(integer)
      } else {
        try container.encode(Double(digits))
      }
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let members):
      try container.encode(Dictionary(members.map { ($0.name, $0.value) }) { _, last in last })
    }
  }
}
