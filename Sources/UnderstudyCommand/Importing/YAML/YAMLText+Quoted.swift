import Foundation

extension YAMLText {
  /// Reads a text in single quotation marks.
  mutating func singleQuoted() throws(YAMLError) -> String {
    advance(by: 1)
    var text: [UInt8] = []
    while let byte = current {
      switch byte {
      case UInt8(ascii: "'"):
        guard self.byte(at: 1) == byte else {
          advance(by: 1)
          return String(decoding: text, as: UTF8.self)
        }
        text.append(byte)
        advance(by: 2)
      case _ where lineBreakLength > 0: fold(into: &text, from: 0)
      default:
        text.append(byte)
        advance(by: 1)
      }
    }
    throw error("A text in quotation marks is not closed")
  }

  /// Reads a text in double quotation marks, of YAML or of JSON.
  mutating func doubleQuoted() throws(YAMLError) -> String {
    advance(by: 1)
    var text: [UInt8] = []
    // White space before this place was escaped, so that folding keeps it.
    var kept = 0
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        advance(by: 1)
        return String(decoding: text, as: UTF8.self)
      case _ where lineBreakLength > 0: fold(into: &text, from: kept)
      case UInt8(ascii: "\\"):
        advance(by: 1)
        if current == UInt8(ascii: "\n") {
          advanceLine()
          skipSpaces()
        } else {
          text += Array(String(try escape()).utf8)
        }
        kept = text.count
      default:
        text.append(byte)
        advance(by: 1)
      }
    }
    throw error("A text in quotation marks is not closed")
  }

  /// Replaces line ends and the white space around them: one by a space, several by line feeds.
  private mutating func fold(into text: inout [UInt8], from kept: Int) {
    while text.count > kept, let last = text.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
      text.removeLast()
    }
    var isFirst = true
    while lineBreakLength > 0 {
      // Separators of Unicode are kept; YAML 1.1 §4.2.
      let isKept = lineBreakLength == 3
      let bytes = takeLineBreak()
      skipSpaces()
      if !isFirst || isKept {
        text += bytes
      } else if lineBreakLength == 0 {
        text.append(UInt8(ascii: " "))
      }
      isFirst = false
    }
  }

  /// Reads an escape after its backslash.
  private mutating func escape() throws(YAMLError) -> Character {
    guard let byte = current else { throw error("A text in quotation marks is not closed") }
    advance(by: 1)
    switch byte {
    case UInt8(ascii: "0"): return "\0"
    case UInt8(ascii: "a"): return "\u{7}"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "t"), UInt8(ascii: "\t"): return "\t"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "v"): return "\u{B}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "e"): return "\u{1B}"
    case UInt8(ascii: " "): return " "
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "N"): return "\u{85}"
    case UInt8(ascii: "_"): return "\u{A0}"
    case UInt8(ascii: "L"): return "\u{2028}"
    case UInt8(ascii: "P"): return "\u{2029}"
    case UInt8(ascii: "x"): return try scalar(try hexadecimal(2))
    case UInt8(ascii: "U"): return try scalar(try hexadecimal(8))
    case UInt8(ascii: "u"):
      let first = try hexadecimal(4)
      // JSON writes characters beyond U+FFFF as two surrogates (RFC 8259 §7).
      guard (0xD800..<0xDC00).contains(first), current == UInt8(ascii: "\\"),
        self.byte(at: 1) == UInt8(ascii: "u")
      else { return try scalar(first) }
      advance(by: 2)
      let second = try hexadecimal(4)
      guard (0xDC00..<0xE000).contains(second) else { throw error("Half of a surrogate pair is missing") }
      return try scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    default: throw error("Unknown escape \\\(Character(Unicode.Scalar(byte)))")
    }
  }

  private func scalar(_ value: UInt32) throws(YAMLError) -> Character {
    guard let scalar = Unicode.Scalar(value) else { throw error("An escape is not a character of Unicode") }
    return Character(scalar)
  }

  private mutating func hexadecimal(_ count: Int) throws(YAMLError) -> UInt32 {
    guard let end = byte(at: count - 1).map({ _ in position + count }),
      let value = UInt32(String(decoding: bytes[position..<end], as: UTF8.self), radix: 16)
    else { throw error("An escape has fewer than \(count) hexadecimal digits") }
    advance(by: count)
    return value
  }

  // MARK: - Block scalars

  /// Reads a literal (`|`) or folded (`>`) text.
  ///
  /// - Parameter parent: The column of the enclosing collection.
  mutating func blockScalar(parent: Int) throws(YAMLError) -> String {
    let isLiteral = current == UInt8(ascii: "|")
    advance(by: 1)
    var keepsBreaks: Bool?
    var indentation: Int?
    while let byte = current, byte != UInt8(ascii: " "), byte != UInt8(ascii: "\n") {
      switch byte {
      case UInt8(ascii: "+"): keepsBreaks = true
      case UInt8(ascii: "-"): keepsBreaks = false
      case UInt8(ascii: "1")...UInt8(ascii: "9"):
        indentation = max(parent, 0) + Int(byte - UInt8(ascii: "0"))
      default: throw error("Unknown indicator of a block of text")
      }
      advance(by: 1)
    }
    skipSpaces()
    guard isAtLineEnd else { throw error("Unexpected text after the indicator of a block") }
    skipLine()
    let column = indentation ?? max(indentationOfBlock(), parent + 1, 0)
    return foldedBlock(at: column, isLiteral: isLiteral, keepsBreaks: keepsBreaks)
  }

  /// The column of the first line with text.
  private func indentationOfBlock() -> Int {
    var rest = self
    while rest.current == UInt8(ascii: " ") || rest.lineBreakLength > 0 {
      if rest.current == UInt8(ascii: " ") { rest.advance(by: 1) } else { _ = rest.takeLineBreak() }
    }
    return rest.isAtEnd ? 0 : rest.column
  }

  private mutating func foldedBlock(at column: Int, isLiteral: Bool, keepsBreaks: Bool?) -> String {
    let lineFeed = [UInt8(ascii: "\n")]
    var text: [UInt8] = []
    var lastBreak: [UInt8] = []
    var wasIndented = false
    var blankLines = skipBlankLines(to: column)
    while self.column == column, !isAtEnd {
      let isIndented = current == UInt8(ascii: " ") || current == UInt8(ascii: "\t")
      if isLiteral || wasIndented || isIndented || lastBreak != lineFeed {
        text += lastBreak
      } else if blankLines.isEmpty {
        text.append(UInt8(ascii: " "))
      }
      text += blankLines
      wasIndented = isIndented
      while let byte = current, lineBreakLength == 0 {
        text.append(byte)
        advance(by: 1)
      }
      lastBreak = isAtEnd ? [] : takeLineBreak()
      blankLines = skipBlankLines(to: column)
    }
    if keepsBreaks != false { text += lastBreak }
    if keepsBreaks == true { text += blankLines }
    return String(decoding: text, as: UTF8.self)
  }

  /// Moves to the column of a block, and returns the line breaks of the empty lines before.
  private mutating func skipBlankLines(to column: Int) -> [UInt8] {
    var breaks: [UInt8] = []
    while true {
      while self.column < column, current == UInt8(ascii: " ") { advance(by: 1) }
      guard lineBreakLength > 0, self.column <= column else { return breaks }
      // An empty line in the column of the block is also empty.
      breaks += takeLineBreak()
    }
  }
}
