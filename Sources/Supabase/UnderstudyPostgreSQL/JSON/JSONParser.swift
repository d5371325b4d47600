/// A parser of JSON texts that reports errors as PostgreSQL does (`jsonapi.c`).
///
/// It is also the validator of `json`, whose text is kept: then no values are built.
struct JSONParser {
  private enum Token {
    case objectStart, objectEnd, arrayStart, arrayEnd, comma, colon, end
    case string(String)
    case number
    case `true`, `false`, null
  }

  /// PostgreSQL's limit is the size of its stack.
  ///
  /// Here, values of this depth are still compared and written within the small stack of a Swift task.
  static let maximumDepth = 200

  private let bytes: [UInt8]
  private let isBuilding: Bool
  private var token = Token.end
  private var start = 0
  private var end = 0

  private init(_ text: String, isBuilding: Bool) {
    bytes = Array(text.utf8)
    self.isBuilding = isBuilding
  }

  static func value(of text: String) throws(PostgreSQLError) -> JSONB {
    var parser = JSONParser(text, isBuilding: true)
    return try parser.document()
  }

  /// Throws 22P02 unless the text is JSON.
  ///
  /// Unlike `jsonb`, `json` accepts `\u0000` and lone surrogates.
  static func validate(_ text: String) throws(PostgreSQLError) {
    var parser = JSONParser(text, isBuilding: false)
    _ = try parser.document()
  }

  /// An array or an object whose end was not read yet.
  private struct Open {
    let isObject: Bool
    var key = ""
    var members: [JSONB.Member] = []
    var elements: [JSONB] = []
  }

  // MARK: Grammar

  /// Without recursion, because a task's stack is small.
  private mutating func document() throws(PostgreSQLError) -> JSONB {
    try advance()
    var open: [Open] = []
    while true {
      var value: JSONB
      switch token {
      case .arrayStart:
        try enter(depth: open.count)
        guard case .arrayEnd = token else {
          open.append(Open(isObject: false))
          continue
        }
        value = .array([])
      case .objectStart:
        try enter(depth: open.count)
        if case .objectEnd = token {
          value = .object([])
        } else {
          guard case .string = token else { throw unexpected("string or \"}\"") }
          open.append(Open(isObject: true, key: try key()))
          continue
        }
      default: value = try scalar()
      }
      try advance()
      if try close(&open, &value) { return value }
    }
  }

  /// Adds a value to what is open, and closes what ends.
  ///
  /// Returns true at the end of the text.
  private mutating func close(_ open: inout [Open], _ value: inout JSONB) throws(PostgreSQLError) -> Bool {
    while let last = open.indices.last {
      let isObject = open[last].isObject
      if isBuilding {
        if isObject {
          open[last].members.append(JSONB.Member(open[last].key, value))
        } else {
          open[last].elements.append(value)
        }
      }
      switch token {
      case .comma:
        try advance()
        if isObject {
          guard case .string = token else { throw unexpected("string") }
          open[last].key = try key()
        }
        return false
      case .objectEnd where isObject: value = JSONB(unordered: open[last].members)
      case .arrayEnd where !isObject: value = .array(open[last].elements)
      default: throw unexpected(isObject ? "\",\" or \"}\"" : "\",\" or \"]\"")
      }
      open.removeLast()
      try advance()
    }
    guard case .end = token else { throw unexpected("end of input") }
    return true
  }

  private mutating func scalar() throws(PostgreSQLError) -> JSONB {
    switch token {
    case .string(let text): return .string(text)
    case .number:
      return isBuilding ? .number(try Numeric(parsing: text(start..<end))) : .null
    case .true: return .boolean(true)
    case .false: return .boolean(false)
    case .null: return .null
    default: throw unexpected("JSON value")
    }
  }

  /// Reads a key and the colon after it.
  private mutating func key() throws(PostgreSQLError) -> String {
    guard case .string(let key) = token else { preconditionFailure("A key of an object is a string.") }
    try advance()
    guard case .colon = token else { throw unexpected("\":\"") }
    try advance()
    return key
  }

  private mutating func enter(depth: Int) throws(PostgreSQLError) {
    guard depth < Self.maximumDepth else { throw PostgreSQLError("54001", "stack depth limit exceeded") }
    try advance()
  }

  private func unexpected(_ expected: String) -> PostgreSQLError {
    if case .end = token { return Self.invalid("The input string ended unexpectedly.") }
    return Self.invalid("Expected \(expected), but found \"\(text(start..<end))\".")
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private static func invalid(_ detail: String) -> PostgreSQLError {
    PostgreSQLError("22P02", "invalid input syntax for type json", detail: detail)
  }

  // MARK: Tokens

  private mutating func advance() throws(PostgreSQLError) {
    while end < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[end]) { end += 1 }
    start = end
    guard start < bytes.count else {
      token = .end
      return
    }
    end += 1
    switch bytes[start] {
    case UInt8(ascii: "{"): token = .objectStart
    case UInt8(ascii: "}"): token = .objectEnd
    case UInt8(ascii: "["): token = .arrayStart
    case UInt8(ascii: "]"): token = .arrayEnd
    case UInt8(ascii: ","): token = .comma
    case UInt8(ascii: ":"): token = .colon
    case UInt8(ascii: "\""): token = .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
    default:
      end = start
      skipWord()
      switch text(start..<end) {
      case "true": token = .true
      case "false": token = .false
      case "null": token = .null
      default:
        if end == start { end += 1 }
        throw invalidToken()
      }
    }
  }

  private func invalidToken() -> PostgreSQLError {
    Self.invalid("Token \"\(text(start..<end))\" is invalid.")
  }

  private mutating func skipWord() {
    while end < bytes.count {
      switch bytes[end] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
        end += 1
      default: return
      }
    }
  }

  /// Skips digits, and returns whether there was one.
  private mutating func skipDigits() -> Bool {
    let first = end
    while end < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[end]) { end += 1 }
    return end > first
  }

  private mutating func skip(_ characters: UInt8...) -> Bool {
    guard end < bytes.count, characters.contains(bytes[end]) else { return false }
    end += 1
    return true
  }

  private mutating func number() throws(PostgreSQLError) {
    end = start
    _ = skip(UInt8(ascii: "-"))
    var isValid = skip(UInt8(ascii: "0")) || skipDigits()
    if isValid, skip(UInt8(ascii: ".")) { isValid = skipDigits() }
    if isValid, skip(UInt8(ascii: "e"), UInt8(ascii: "E")) {
      _ = skip(UInt8(ascii: "+"), UInt8(ascii: "-"))
      isValid = skipDigits()
    }
    let last = end
    skipWord()
    guard isValid, end == last else { throw invalidToken() }
    token = .number
  }

  private mutating func string() throws(PostgreSQLError) -> String {
    let first = end
    while end < bytes.count, bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\"),
      bytes[end] >= 0x20
    {
      end += 1
    }
    if end < bytes.count, bytes[end] == UInt8(ascii: "\"") {
      end += 1
      return isBuilding ? text(first..<end - 1) : ""
    }
    return try escapedString(from: first)
  }

  private mutating func escapedString(from first: Int) throws(PostgreSQLError) -> String {
    var content = Array(bytes[first..<end])
    while true {
      guard end < bytes.count else { throw invalidToken() }
      let byte = bytes[end]
      end += 1
      switch byte {
      case UInt8(ascii: "\""): return isBuilding ? String(decoding: content, as: UTF8.self) : ""
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        throw Self.invalid(
          "Character with value 0x\(byte < 16 ? "0" : "")\(digits) must be escaped.")
      case UInt8(ascii: "\\"):
        guard end < bytes.count else { throw invalidToken() }
        let escaped = bytes[end]
        end += 1
        switch escaped {
        case UInt8(ascii: "u"): try appendCodePoint(to: &content)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(escaped)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        default:
          while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
          throw Self.invalid("Escape sequence \"\\\(lastCharacter)\" is invalid.")
        }
      default: content.append(byte)
      }
    }
  }

  /// The character whose last byte was read.
  private var lastCharacter: String {
    var first = end - 1
    while first > start, bytes[first] & 0xC0 == 0x80 { first -= 1 }
    return text(first..<end)
  }

  private mutating func appendCodePoint(to content: inout [UInt8]) throws(PostgreSQLError) {
    let unit = try hexadecimal()
    guard isBuilding else { return }
    switch unit {
    case 0:
      throw PostgreSQLError(
        "22P05", "unsupported Unicode escape sequence", detail: "\\u0000 cannot be converted to text.")
    case 0xDC00...0xDFFF:
      throw Self.invalid("Unicode low surrogate must follow a high surrogate.")
    case 0xD800...0xDBFF:
      guard end + 1 < bytes.count, bytes[end] == UInt8(ascii: "\\"), bytes[end + 1] == UInt8(ascii: "u")
      else { throw Self.invalid("Unicode low surrogate must follow a high surrogate.") }
      end += 2
      let low = try hexadecimal()
      if (0xD800...0xDBFF).contains(low) {
        throw Self.invalid("Unicode high surrogate must not follow a high surrogate.")
      }
      guard (0xDC00...0xDFFF).contains(low) else {
        throw Self.invalid("Unicode low surrogate must follow a high surrogate.")
      }
      append(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00), to: &content)
    default: append(unit, to: &content)
    }
  }

  private func append(_ codePoint: UInt32, to content: inout [UInt8]) {
    guard let scalar = Unicode.Scalar(codePoint) else {
      preconditionFailure("A code point that is not a surrogate is a scalar.")
    }
    content.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  private mutating func hexadecimal() throws(PostgreSQLError) -> UInt32 {
    var number: UInt32 = 0
    for _ in 0..<4 {
      guard end < bytes.count else { throw invalidToken() }
      guard let digit = Unicode.Scalar(bytes[end]).hexadecimalDigit else {
        throw Self.invalid("\"\\u\" must be followed by four hexadecimal digits.")
      }
      number = number << 4 + UInt32(digit)
      end += 1
    }
    return number
  }
}

extension Unicode.Scalar {
  /// The value of a hexadecimal digit of ASCII.
  var hexadecimalDigit: UInt8? {
    switch self {
    case "0"..."9": UInt8(value - 0x30)
    case "a"..."f": UInt8(value - 0x61 + 10)
    case "A"..."F": UInt8(value - 0x41 + 10)
    default: nil
    }
  }
}
