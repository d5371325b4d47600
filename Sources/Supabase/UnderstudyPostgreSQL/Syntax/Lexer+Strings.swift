extension Lexer {
  /// A string at its opening quote, with the parts that follow on other lines (PostgreSQL documentation, 4.1.2.1).
  mutating func string(from start: Int, escapes: Bool) -> Token {
    var content: [UInt8] = []
    repeat {
      position += 1
      if escapes {
        do throws(EscapeError) {
          guard let part = try escapedContent(from: start) else {
            return invalid(error("unterminated quoted string", from: start), from: start)
          }
          content += part
        } catch {
          return invalid(error.reason, from: start)
        }
      } else {
        guard let part = quotedContent(UInt8(ascii: "'")) else {
          return invalid(error("unterminated quoted string", from: start), from: start)
        }
        content += part
      }
    } while skipToContinuation()
    guard let text = String(validUTF8: content) else {
      return invalid(Self.invalidEncoding(content, position: start), from: start)
    }
    return Token(.string, text, start..<position)
  }

  /// Whether another part of the string follows after white space with a line end.
  ///
  /// Goes to its quote.
  private mutating func skipToContinuation() -> Bool {
    let end = position
    var hasLineEnd = false
    loop: while let byte = peek() {
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        hasLineEnd = true
        position += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), 0x0C: position += 1
      case UInt8(ascii: "-") where peek(1) == UInt8(ascii: "-"): skipLine()
      case UInt8(ascii: "'") where hasLineEnd: return true
      default: break loop
      }
    }
    position = end
    return false
  }

  private static func invalidEncoding(_ content: [UInt8], position: Int) -> PostgreSQLError {
    var rest = content[...]
    while let first = rest.first {
      let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      let character = rest.prefix(length)
      if String(validUTF8: character) == nil {
        let digits = character.map { byte in
          "0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return PostgreSQLError(
          "22021", "invalid byte sequence for encoding \"UTF8\": \(digits.joined(separator: " "))")
      }
      rest = rest.dropFirst(length)
    }
    return PostgreSQLError("22021", "invalid byte sequence for encoding \"UTF8\"", position: position)
  }

  private struct EscapeError: Error { var reason: PostgreSQLError }

  /// The content of `E'…'` to the closing quote; nil without one.
  private mutating func escapedContent(from start: Int) throws(EscapeError) -> [UInt8]? {
    var content: [UInt8] = []
    var highSurrogate: UInt32?
    while let byte = peek() {
      position += 1
      if byte != UInt8(ascii: "\\"), highSurrogate != nil { throw surrogateError(from: position - 1) }
      if byte == UInt8(ascii: "'") {
        guard peek() == UInt8(ascii: "'") else { return content }
        content.append(byte)
        position += 1
        continue
      }
      guard byte == UInt8(ascii: "\\") else {
        content.append(byte)
        continue
      }
      let escapeStart = position - 1
      guard let kind = peek() else { return nil }
      position += 1
      switch kind {
      case UInt8(ascii: "u"), UInt8(ascii: "U"):
        let count = kind == UInt8(ascii: "u") ? 4 : 8
        guard let code = hexadecimal(digits: count) else {
          var error = PostgreSQLError("22025", "invalid Unicode escape", position: escapeStart)
          error.hint = "Unicode escapes must be \\uXXXX or \\UXXXXXXXX."
          throw EscapeError(reason: error)
        }
        if let high = highSurrogate {
          guard (0xDC00..<0xE000).contains(code) else { throw surrogateError(from: escapeStart) }
          highSurrogate = nil
          append(0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00), to: &content)
        } else if (0xD800..<0xDC00).contains(code) {
          highSurrogate = code
        } else if (0xDC00..<0xE000).contains(code) {
          throw surrogateError(from: escapeStart)
        } else if !append(code, to: &content) {
          throw EscapeError(
            reason: error("invalid Unicode escape value", from: escapeStart, to: position))
        }
        continue
      default: break
      }
      if highSurrogate != nil { throw surrogateError(from: escapeStart) }
      switch kind {
      case UInt8(ascii: "b"): content.append(0x08)
      case UInt8(ascii: "f"): content.append(0x0C)
      case UInt8(ascii: "n"): content.append(0x0A)
      case UInt8(ascii: "r"): content.append(0x0D)
      case UInt8(ascii: "t"): content.append(0x09)
      case UInt8(ascii: "0")...UInt8(ascii: "7"):
        var value = UInt32(kind - UInt8(ascii: "0"))
        for _ in 0..<2 {
          guard let digit = peek(), (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit) else { break }
          value = value * 8 + UInt32(digit - UInt8(ascii: "0"))
          position += 1
        }
        content.append(UInt8(truncatingIfNeeded: value))
      case UInt8(ascii: "x"):
        var value: UInt8?
        for _ in 0..<2 {
          guard let digit = peek().flatMap(Self.hexadecimalDigit) else { break }
          value = (value ?? 0) &* 16 &+ digit
          position += 1
        }
        content.append(value ?? kind)
      default: content.append(kind)
      }
      if content.last == 0 {
        throw EscapeError(
          reason: PostgreSQLError("22021", "invalid byte sequence for encoding \"UTF8\": 0x00"))
      }
    }
    return nil
  }

  private func surrogateError(from start: Int) -> EscapeError {
    EscapeError(reason: error("invalid Unicode surrogate pair", from: start, to: max(position, start + 1)))
  }

  private mutating func hexadecimal(digits count: Int) -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let digit = peek().flatMap(Self.hexadecimalDigit) else { return nil }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  @discardableResult private func append(_ code: UInt32, to content: inout [UInt8]) -> Bool {
    guard code != 0, let scalar = Unicode.Scalar(code) else { return false }
    content += Array(String(Character(scalar)).utf8)
    return true
  }

  /// `U&'…'` or `U&"…"`, and the escape character after `UESCAPE`.
  mutating func unicode(from start: Int) -> Token {
    position += 2
    let quote = bytes[position]
    let isIdentifier = quote == UInt8(ascii: "\"")
    var content: [UInt8] = []
    repeat {
      position += 1
      guard let part = quotedContent(quote) else {
        let kind = isIdentifier ? "identifier" : "string"
        return invalid(error("unterminated quoted \(kind)", from: start), from: start)
      }
      content += part
    } while !isIdentifier && skipToContinuation()
    if content.isEmpty, isIdentifier {
      return invalid(error("zero-length delimited identifier", from: start, to: position), from: start)
    }
    let end = position
    var escape = UInt8(ascii: "\\")
    var following = self
    let keyword = following.nextToken()
    if keyword.kind == .word, keyword.text == "uescape" {
      let character = following.nextToken()
      position = following.position
      guard character.kind == .string else {
        return invalid(
          error(
            "UESCAPE must be followed by a simple string literal", from: character.range.lowerBound,
            to: position),
          from: start)
      }
      let isValid =
        character.text.utf8.count == 1
        && character.text.utf8.allSatisfy { byte in
          Self.hexadecimalDigit(byte) == nil && !"+'\" \n\t\r\u{C}".utf8.contains(byte)
        }
      guard isValid, let byte = character.text.utf8.first else {
        return invalid(
          error("invalid Unicode escape character", from: character.range.lowerBound, to: position),
          from: start)
      }
      escape = byte
    }
    guard let decoded = Self.decoded(content, escape: escape) else {
      var failure = PostgreSQLError("42601", "invalid Unicode escape", position: start)
      failure.hint = "Unicode escapes must be \\XXXX or \\+XXXXXX."
      return invalid(failure, from: start)
    }
    let range = start..<max(end, position)
    return isIdentifier
      ? Token(.quotedIdentifier, Self.clipped(decoded[...]), range)
      : Token(.string, String(decoding: decoded, as: UTF8.self), range)
  }

  private static func decoded(_ content: [UInt8], escape: UInt8) -> [UInt8]? {
    var lexer = Lexer(content)
    var result: [UInt8] = []
    var highSurrogate: UInt32?
    while let byte = lexer.peek() {
      lexer.position += 1
      guard byte == escape else {
        if highSurrogate != nil { return nil }
        result.append(byte)
        continue
      }
      if lexer.peek() == escape {
        if highSurrogate != nil { return nil }
        lexer.position += 1
        result.append(escape)
        continue
      }
      let isLong = lexer.peek() == UInt8(ascii: "+")
      if isLong { lexer.position += 1 }
      guard let code = lexer.hexadecimal(digits: isLong ? 6 : 4) else { return nil }
      if let high = highSurrogate {
        guard (0xDC00..<0xE000).contains(code) else { return nil }
        highSurrogate = nil
        lexer.append(0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00), to: &result)
      } else if (0xD800..<0xDC00).contains(code) {
        highSurrogate = code
      } else if !lexer.append(code, to: &result) {
        return nil
      }
    }
    return highSurrogate == nil ? result : nil
  }

  /// `B'…'` or `X'…'` at its quote.
  mutating func bits(from start: Int, isHexadecimal: Bool) -> Token {
    position += 1
    guard let content = quotedContent(UInt8(ascii: "'")) else {
      let kind = isHexadecimal ? "hexadecimal" : "bit"
      return invalid(error("unterminated \(kind) string literal", from: start), from: start)
    }
    var digits = ""
    for byte in content {
      let character = Character(Unicode.Scalar(byte))
      if isHexadecimal {
        guard let value = Self.hexadecimalDigit(byte) else {
          return invalid(
            PostgreSQLError("22P02", "\"\(character)\" is not a valid hexadecimal digit", position: start),
            from: start)
        }
        let bits = String(value, radix: 2)
        digits += String(repeating: "0", count: 4 - bits.count) + bits
      } else {
        guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else {
          return invalid(
            PostgreSQLError("22P02", "\"\(character)\" is not a valid binary digit", position: start),
            from: start)
        }
        digits.append(character)
      }
    }
    return Token(.bits, digits, start..<position)
  }
}
