/// A parser that describes the error in invalid JSON as PostgreSQL does (`report_parse_error`).
struct JSONSyntax {
  private struct Fault: Error {
    let details: String
  }

  private let bytes: [UInt8]
  private var position = 0
  /// The end of the escape of a high surrogate.
  private var pending: Int?

  private init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// Returns the details of the error; `nil` for valid JSON.
  static func details(of text: String) -> String? {
    var syntax = JSONSyntax(text)
    do throws(Fault) {
      try syntax.value(depth: 0) { "Expected JSON value, but found \"\($0)\"." }
      if let token = try syntax.token() {
        throw Fault(details: "Expected end of input, but found \"\(token)\".")
      }
      return nil
    } catch {
      return error.details
    }
  }

  private static let end = Fault(details: "The input string ended unexpectedly.")

  private mutating func skipSpace() {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
  }

  /// Consumes the next token; `nil` at the end.
  private mutating func token() throws(Fault) -> String? {
    skipSpace()
    guard position < bytes.count else { return nil }
    let start = position
    switch bytes[position] {
    case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","),
      UInt8(ascii: ":"):
      position += 1
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "-"), 48...57:
      try number()
    default:
      while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
      // A character that is not a letter is a token of its own.
      if position == start { position = min(bytes.count, start + Self.length(of: bytes[start])) }
      let word = text(from: start)
      guard ["true", "false", "null"].contains(word) else {
        throw Fault(details: "Token \"\(word)\" is invalid.")
      }
    }
    return text(from: start)
  }

  private func text(from start: Int) -> String { String(decoding: bytes[start..<position], as: UTF8.self) }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == 0x5F || (48...57).contains(byte) || (65...90).contains(byte)
      || (97...122).contains(byte)
  }

  private static func length(of lead: UInt8) -> Int {
    lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
  }

  private mutating func number() throws(Fault) {
    let start = position
    var isValid = true
    func digits(_ syntax: inout JSONSyntax) -> Int {
      let first = syntax.position
      while syntax.position < syntax.bytes.count, (48...57).contains(syntax.bytes[syntax.position]) {
        syntax.position += 1
      }
      return syntax.position - first
    }
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    if position < bytes.count, bytes[position] == UInt8(ascii: "0") {
      position += 1
    } else {
      isValid = digits(&self) > 0
    }
    if isValid, position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      isValid = digits(&self) > 0
    }
    if isValid, position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < bytes.count, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[position]) {
        position += 1
      }
      isValid = digits(&self) > 0
    }
    // Following letters belong to the token.
    while position < bytes.count, Self.isWord(bytes[position]) {
      position += 1
      isValid = false
    }
    guard isValid else { throw Fault(details: "Token \"\(text(from: start))\" is invalid.") }
  }

  /// Checks that a high surrogate is followed by a low one.
  private mutating func pair(_ unit: UInt16) throws(Fault) {
    if UTF16.isLeadSurrogate(unit), pending != nil {
      throw Fault(details: "Unicode high surrogate must not follow a high surrogate.")
    }
    if UTF16.isTrailSurrogate(unit) != (pending != nil) { throw Self.lonely }
    pending = UTF16.isLeadSurrogate(unit) ? position : nil
  }

  private static let lonely = Fault(details: "Unicode low surrogate must follow a high surrogate.")

  private mutating func string() throws(Fault) {
    let start = position
    pending = nil
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      if let pending, pending == position, byte != UInt8(ascii: "\\") { throw Self.lonely }
      position += 1
      if byte == UInt8(ascii: "\"") { return }
      if byte < 0x20 {
        let digits = String(byte, radix: 16)
        throw Fault(
          details: "Character with value 0x\(digits.count < 2 ? "0" : "")\(digits) must be escaped.")
      }
      if byte == UInt8(ascii: "\\") { try escape() }
    }
    throw Fault(details: "Token \"\(text(from: start))\" is invalid.")
  }

  private mutating func escape() throws(Fault) {
    guard position < bytes.count else { return }
    let byte = bytes[position]
    let length = Self.length(of: byte)
    position = min(bytes.count, position + length)
    if byte == UInt8(ascii: "u") {
      let start = position
      for _ in 0..<4 {
        guard position < bytes.count, Character(Unicode.Scalar(bytes[position])).isHexDigit else {
          throw Fault(details: "\"\\u\" must be followed by four hexadecimal digits.")
        }
        position += 1
      }
      guard let unit = UInt16(text(from: start), radix: 16) else {
        preconditionFailure("Four hexadecimal digits are a number of 16 bits.")
      }
      try pair(unit)
    } else if pending != nil {
      throw Self.lonely
    } else if !"\"\\/bfnrt".utf8.contains(byte) {
      throw Fault(
        details: "Escape sequence \"\\\(text(from: position - length))\" is invalid.")
    }
  }

  private mutating func value(depth: Int, _ details: (String) -> String) throws(Fault) {
    guard let token = try token() else { throw Self.end }
    guard depth < 512 else { return }
    switch token {
    case "{": try object(depth: depth)
    case "[": try array(depth: depth)
    case "}", "]", ",", ":": throw Fault(details: details(token))
    default: return
    }
  }

  private mutating func array(depth: Int) throws(Fault) {
    skipSpace()
    if position < bytes.count, bytes[position] == UInt8(ascii: "]") {
      position += 1
      return
    }
    while true {
      try value(depth: depth + 1) { "Expected JSON value, but found \"\($0)\"." }
      guard let next = try token() else { throw Self.end }
      if next == "]" { return }
      guard next == "," else { throw Fault(details: "Expected \",\" or \"]\", but found \"\(next)\".") }
    }
  }

  private mutating func object(depth: Int) throws(Fault) {
    guard var name = try token() else { throw Self.end }
    if name == "}" { return }
    guard name.hasPrefix("\"") else {
      throw Fault(details: "Expected string or \"}\", but found \"\(name)\".")
    }
    while true {
      guard let colon = try token() else { throw Self.end }
      guard colon == ":" else { throw Fault(details: "Expected \":\", but found \"\(colon)\".") }
      try value(depth: depth + 1) { "Expected JSON value, but found \"\($0)\"." }
      guard let next = try token() else { throw Self.end }
      if next == "}" { return }
      guard next == "," else { throw Fault(details: "Expected \",\" or \"}\", but found \"\(next)\".") }
      guard let following = try token() else { throw Self.end }
      guard following.hasPrefix("\"") else {
        throw Fault(details: "Expected string, but found \"\(following)\".")
      }
      name = following
    }
  }
}
