/// A token of SQL, and the bytes that it takes.
package struct Token: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// An identifier without quotes, or a keyword, in lower case.
    case word
    case quotedIdentifier
    case string
    /// The digits of `B'…'`, and those of `X'…'` as bits.
    case bits
    case integer
    /// A number with a point or an exponent.
    case decimal
    case parameter
    case `operator`
    /// One of `( ) [ ] , ; . :` and `:: := .. =>`, or a character that no token begins with.
    case punctuation
    case end
    /// What the lexer refuses; see ``TokenList/failure``.
    case invalid
  }

  package var kind: Kind
  /// What the token means: without quotes, escapes and upper case.
  package var text: String
  package var range: Range<Int>
  package var category: Keyword.Category?

  init(_ kind: Kind, _ text: String, _ range: Range<Int>) {
    self.kind = kind
    self.text = text
    self.range = range
    category = kind == .word ? Keyword.category(of: text) : nil
  }
}

/// The tokens of a statement.
///
/// The last one is of the kind `end` or `invalid`.
package struct TokenList: Sendable {
  package var tokens: [Token]
  /// The error at the invalid token.
  package var failure: PostgreSQLError?
  /// Where the statement ends, without the semicolon.
  package var end = 0
}

/// Cuts SQL into tokens (PostgreSQL documentation, 4.1; `scan.l`).
package struct Lexer: Sendable {
  let bytes: [UInt8]
  var position = 0
  /// The error of the last token, if that is invalid.
  private(set) var failure: PostgreSQLError?

  package init(_ sql: String) {
    bytes = Array(sql.utf8)
    // psql skips the mark of UTF-8 that some editors write.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  init(_ bytes: [UInt8], at position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  /// All tokens to the end, with semicolons.
  package mutating func remainingTokens() -> TokenList {
    var tokens: [Token] = []
    while true {
      let token = nextToken()
      tokens.append(token)
      if token.kind == .end || token.kind == .invalid {
        return TokenList(tokens: tokens, failure: failure, end: position)
      }
    }
  }

  /// The tokens to the next semicolon that ends a statement, which is skipped.
  ///
  /// Semicolons within `BEGIN ATOMIC … END` of a routine, and within the parentheses of `CREATE RULE`, end none.
  mutating func nextStatement() -> TokenList {
    var tokens: [Token] = []
    var firstFailure: PostgreSQLError?
    var parentheses = 0
    var blocks = 0
    var isRule = false
    while true {
      let token = nextToken()
      if token.kind == .end
        || (token.kind == .punctuation && token.text == ";" && blocks == 0
          && !(isRule && parentheses > 0))
      {
        if firstFailure == nil { tokens.append(Token(.end, token.text, token.range)) }
        return TokenList(tokens: tokens, failure: firstFailure, end: token.range.lowerBound)
      }
      // Goes on after an error, because the statement ends at its semicolon.
      guard firstFailure == nil else { continue }
      tokens.append(token)
      switch token.kind {
      case .invalid: firstFailure = failure
      case .punctuation where token.text == "(": parentheses += 1
      case .punctuation where token.text == ")": parentheses -= 1
      case .word where tokens.first?.text == "create":
        switch token.text {
        case "rule" where tokens.count <= 4: isRule = true
        case "atomic" where tokens.dropLast().last?.text == "begin": blocks = 1
        case "case" where blocks > 0: blocks += 1
        case "end" where blocks > 0: blocks -= 1
        default: break
        }
      default: break
      }
    }
  }

  /// Skips white space and comments, and returns the error of a comment without an end.
  mutating func skipSpace() -> PostgreSQLError? {
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x0C: position += 1
      case UInt8(ascii: "-") where peek(1) == UInt8(ascii: "-"): skipLine()
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
        let start = position
        guard skipComment() else { return error("unterminated /* comment", from: start) }
      default: return nil
      }
    }
    return nil
  }

  mutating func skipLine() {
    while let byte = peek(), byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { position += 1 }
  }

  /// The text to the end of the line, which is skipped.
  mutating func takeLine() -> String {
    let start = position
    while let byte = peek(), byte != UInt8(ascii: "\n") { position += 1 }
    let line = String(decoding: bytes[start..<position], as: UTF8.self)
    if position < bytes.count { position += 1 }
    return line.hasSuffix("\r") ? String(line.dropLast()) : line
  }

  private mutating func skipComment() -> Bool {
    var depth = 0
    while let byte = peek() {
      if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        depth += 1
        position += 2
      } else if byte == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
        depth -= 1
        position += 2
        if depth == 0 { return true }
      } else {
        position += 1
      }
    }
    return false
  }

  func peek(_ offset: Int = 0) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  func error(_ message: String, from start: Int, to end: Int? = nil, code: String = "42601")
    -> PostgreSQLError
  {
    PostgreSQLError(
      code, "\(message) at or near \"\(text(start..<min(end ?? bytes.count, bytes.count)))\"", position: start
    )
  }

  mutating func invalid(_ error: PostgreSQLError, from start: Int) -> Token {
    failure = error
    return Token(.invalid, "", start..<max(position, start))
  }
}

extension Lexer {
  /// The next token, which is of the kind `end` at the end.
  mutating func nextToken() -> Token {
    if let error = skipSpace() { return invalid(error, from: position) }
    let start = position
    guard let byte = peek() else { return Token(.end, "", start..<start) }
    switch byte {
    case UInt8(ascii: "'"): return string(from: start, escapes: false)
    case UInt8(ascii: "\""):
      position += 1
      return quotedIdentifier(from: start)
    case UInt8(ascii: "$"): return dollar(from: start)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return number(from: start)
    case UInt8(ascii: "."):
      if let next = peek(1), Self.isDigit(next) { return number(from: start) }
      return punctuation(peek(1) == UInt8(ascii: ".") ? 2 : 1)
    case UInt8(ascii: ":"):
      return punctuation(peek(1) == UInt8(ascii: ":") || peek(1) == UInt8(ascii: "=") ? 2 : 1)
    case _ where Self.isIdentifierStart(byte): return word(from: start)
    case _ where Self.operatorBytes.contains(byte): return operatorToken(from: start)
    default: return punctuation(1)
    }
  }

  private mutating func punctuation(_ length: Int) -> Token {
    let range = position..<(position + length)
    position += length
    return Token(.punctuation, text(range), range)
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

  static func isIdentifierStart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      0x80...:
      true
    default: false
    }
  }

  private static func isIdentifierPart(_ byte: UInt8) -> Bool {
    isIdentifierStart(byte) || isDigit(byte) || byte == UInt8(ascii: "$")
  }

  private mutating func word(from start: Int) -> Token {
    let next = peek(1)
    switch (bytes[start] | 0x20, next) {
    case (UInt8(ascii: "e"), UInt8(ascii: "'")):
      position += 1
      return string(from: start, escapes: true)
    case (UInt8(ascii: "b"), UInt8(ascii: "'")), (UInt8(ascii: "x"), UInt8(ascii: "'")):
      position += 1
      return bits(from: start, isHexadecimal: bytes[start] | 0x20 == UInt8(ascii: "x"))
    case (UInt8(ascii: "n"), UInt8(ascii: "'")):
      // N'…' means NCHAR '…'.
      position += 1
      return Token(.word, "nchar", start..<position)
    case (UInt8(ascii: "u"), UInt8(ascii: "&")):
      if peek(2) == UInt8(ascii: "'") || peek(2) == UInt8(ascii: "\"") { return unicode(from: start) }
    default: break
    }
    while let byte = peek(), Self.isIdentifierPart(byte) { position += 1 }
    let folded = bytes[start..<position].map { byte in
      byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
    return Token(.word, Self.clipped(folded[...]), start..<position)
  }

  /// A name has at most 63 bytes; PostgreSQL cuts longer ones.
  static func clipped(_ name: ArraySlice<UInt8>) -> String {
    guard name.count > 63 else { return String(decoding: name, as: UTF8.self) }
    var end = name.startIndex + 63
    while end > name.startIndex, name[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: name[..<end], as: UTF8.self)
  }

  private mutating func quotedIdentifier(from start: Int) -> Token {
    guard let content = quotedContent(UInt8(ascii: "\"")) else {
      return invalid(error("unterminated quoted identifier", from: start), from: start)
    }
    if content.isEmpty {
      return invalid(error("zero-length delimited identifier", from: start, to: position), from: start)
    }
    return Token(.quotedIdentifier, Self.clipped(content[...]), start..<position)
  }

  /// The bytes to the closing quote, in which two quotes mean one.
  ///
  /// Nil without a closing quote.
  mutating func quotedContent(_ quote: UInt8) -> [UInt8]? {
    var content: [UInt8] = []
    while let byte = peek() {
      position += 1
      if byte != quote {
        content.append(byte)
      } else if peek() == quote {
        content.append(quote)
        position += 1
      } else {
        return content
      }
    }
    return nil
  }

  private static let operatorBytes = Set("~!@#^&|`?+-*/%<>=".utf8)
  private static let bytesBeforeSign = Set("~!@#^&|`?%".utf8)

  private mutating func operatorToken(from start: Int) -> Token {
    var end = start
    while end < bytes.count, Self.operatorBytes.contains(bytes[end]) {
      let pair = end + 1 < bytes.count ? (bytes[end], bytes[end + 1]) : (0, 0)
      if pair == (UInt8(ascii: "-"), UInt8(ascii: "-")) || pair == (UInt8(ascii: "/"), UInt8(ascii: "*")) {
        break
      }
      end += 1
    }
    func endsWithSign() -> Bool { bytes[end - 1] == UInt8(ascii: "+") || bytes[end - 1] == UInt8(ascii: "-") }
    // "A multiple-character operator name cannot end in + or -, unless it also contains one of ~ ! @ # % ^ & | ` ?"
    if end - start > 1, endsWithSign(),
      !bytes[start..<(end - 1)].contains(where: Self.bytesBeforeSign.contains)
    {
      repeat { end -= 1 } while end - start > 1 && endsWithSign()
    }
    position = end
    let name = text(start..<end)
    if end - start >= 64 { return invalid(error("operator too long", from: start, to: end), from: start) }
    switch name {
    case "=>": return Token(.punctuation, name, start..<end)
    case "!=": return Token(.operator, "<>", start..<end)
    default: return Token(.operator, name, start..<end)
    }
  }

  private mutating func number(from start: Int) -> Token {
    func skipDigits() { while let byte = peek(), Self.isDigit(byte) { position += 1 } }
    var isInteger = true
    skipDigits()
    // `1..2` is a range of PL/pgSQL.
    if peek() == UInt8(ascii: "."), peek(1) != UInt8(ascii: ".") {
      isInteger = false
      position += 1
      skipDigits()
    } else if peek() == UInt8(ascii: "."), position > start {
      return Token(.integer, text(start..<position), start..<position)
    }
    if let byte = peek(), byte | 0x20 == UInt8(ascii: "e") {
      let hasSign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
      if let digit = peek(hasSign ? 2 : 1), Self.isDigit(digit) {
        isInteger = false
        position += hasSign ? 2 : 1
        skipDigits()
      } else if hasSign {
        position += 2
        return invalid(error("trailing junk after numeric literal", from: start, to: position), from: start)
      }
    }
    if let byte = peek(), Self.isIdentifierStart(byte) {
      position += 1
      return invalid(error("trailing junk after numeric literal", from: start, to: position), from: start)
    }
    return Token(isInteger ? .integer : .decimal, text(start..<position), start..<position)
  }

  private mutating func dollar(from start: Int) -> Token {
    if let byte = peek(1), Self.isDigit(byte) {
      position += 1
      while let byte = peek(), Self.isDigit(byte) { position += 1 }
      if let byte = peek(), Self.isIdentifierStart(byte) {
        position += 1
        return invalid(error("trailing junk after parameter", from: start, to: position), from: start)
      }
      return Token(.parameter, text((start + 1)..<position), start..<position)
    }
    var end = start + 1
    while end < bytes.count,
      Self.isIdentifierStart(bytes[end]) || (end > start + 1 && Self.isDigit(bytes[end]))
    { end += 1 }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "$") else { return punctuation(1) }
    let delimiter = Array(bytes[start...end])
    position = end + 1
    let contentStart = position
    while position + delimiter.count <= bytes.count {
      if bytes[position] == UInt8(ascii: "$"),
        bytes[position..<(position + delimiter.count)].elementsEqual(delimiter)
      {
        let content = text(contentStart..<position)
        position += delimiter.count
        return Token(.string, content, start..<position)
      }
      position += 1
    }
    position = bytes.count
    return invalid(error("unterminated dollar-quoted string", from: start), from: start)
  }
}
