import Foundation

/// The bytes of a YAML document, and a position in them.
struct YAMLText {
  private static let newline = UInt8(ascii: "\n")
  private static let space = UInt8(ascii: " ")

  let bytes: [UInt8]
  private(set) var position = 0
  private(set) var lineStart = 0
  /// The number of the current line, from 1.
  private(set) var line = 1

  /// Creates a text without a byte order mark, with line feeds as line ends.
  init(_ bytes: [UInt8]) {
    let rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    guard rest.contains(UInt8(ascii: "\r")) else {
      self.bytes = Array(rest)
      return
    }
    var unified: [UInt8] = []
    var previous: UInt8?
    for byte in rest {
      if byte == UInt8(ascii: "\r") {
        unified.append(Self.newline)
      } else if byte != Self.newline || previous != UInt8(ascii: "\r") {
        unified.append(byte)
      }
      previous = byte
    }
    self.bytes = unified
  }

  var current: UInt8? { byte(at: 0) }
  var column: Int { position - lineStart }
  var isAtEnd: Bool { position >= bytes.count }

  func byte(at offset: Int) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  func error(_ message: String) -> YAMLError { YAMLError(message: message, line: line) }

  mutating func advance(by count: Int) { position = min(position + count, bytes.count) }

  mutating func advanceLine() {
    position += 1
    line += 1
    lineStart = position
  }

  /// The bytes of the line break here: a line feed, U+0085, U+2028 or U+2029 (YAML 1.1 §4.2); 0 without a line break.
  ///
  /// Only texts are searched for the others, because no tool separates values by them.
  var lineBreakLength: Int {
    switch (current, byte(at: 1), byte(at: 2)) {
    case (Self.newline, _, _): 1
    case (0xC2, 0x85, _): 2
    case (0xE2, 0x80, 0xA8), (0xE2, 0x80, 0xA9): 3
    default: 0
    }
  }

  /// Moves behind a line break, and returns what a text has in its place: itself if it is a separator of Unicode, or
  /// else a line feed.
  mutating func takeLineBreak() -> [UInt8] {
    let length = lineBreakLength
    let taken = length == 3 ? Array(bytes[position..<position + 3]) : [Self.newline]
    if length == 1 { line += 1 }
    position += length
    lineStart = position
    return taken
  }

  mutating func skipLine() {
    while let byte = current, byte != Self.newline { position += 1 }
    if !isAtEnd { advanceLine() }
  }

  mutating func skipSpaces() {
    while current == Self.space || current == UInt8(ascii: "\t") { position += 1 }
  }

  /// Whether the rest of the line is empty or a comment.
  var isAtLineEnd: Bool {
    switch current {
    case nil, Self.newline: return true
    case UInt8(ascii: "#"):
      return position == lineStart || [Self.space, UInt8(ascii: "\t")].contains(bytes[position - 1])
    default: return false
    }
  }

  /// Whether the line has only spaces before the position.
  var isIndentedOnly: Bool { bytes[lineStart..<position].allSatisfy { $0 == Self.space } }

  /// Moves to the first character of the next line with content, or of this line if nothing of it has been read.
  mutating func skipToContent() throws(YAMLError) {
    while true {
      while current == Self.space { position += 1 }
      let isIndented = position > lineStart
      let isTab = current == UInt8(ascii: "\t")
      skipSpaces()
      guard isAtLineEnd else {
        if isTab, !isIndented { throw error("A tab is used as indentation") }
        return
      }
      guard !isAtEnd else { return }
      skipLine()
      if isAtEnd { return }
    }
  }

  /// Skips spaces, line ends and comments in a flow collection.
  mutating func skipFlowSpace() throws(YAMLError) {
    try skipToContent()
    if isAtEnd { throw error("A flow collection is not closed") }
  }

  /// Whether an indicator such as `-` is here, followed by a space or the end of the line.
  func isIndicator(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    return [nil, Self.space, Self.newline, UInt8(ascii: "\t")].contains(self.byte(at: 1))
  }

  /// Whether the marker `---` or `...` of a document is here.
  func isDocumentMarker(_ marker: StaticString) -> Bool {
    guard column == 0, position + 3 <= bytes.count else { return false }
    let isMarker = marker.withUTF8Buffer { bytes[position..<position + 3].elementsEqual($0) }
    return isMarker && [nil, Self.space, Self.newline].contains(byte(at: 3))
  }

  var isAtDocumentMarker: Bool { isDocumentMarker("---") || isDocumentMarker("...") }

  /// Reads up to the next space, or delimiter of a flow collection.
  mutating func word() -> String {
    let start = position
    while let byte = current, ![Self.space, Self.newline, UInt8(ascii: "\t")].contains(byte),
      !",[]{}".utf8.contains(byte)
    {
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  // MARK: - Plain scalars

  /// Reads a plain scalar up to the end of the line, a comment, or a colon.
  mutating func plainLine(inFlow: Bool) -> String {
    let start = position
    var end = position
    while let byte = current, byte != Self.newline {
      if byte == UInt8(ascii: ":"), isColon(inFlow: inFlow) { break }
      if byte == UInt8(ascii: "#"), isAtLineEnd { break }
      if inFlow, ",[]{}".utf8.contains(byte) { break }
      position += 1
      if byte != Self.space, byte != UInt8(ascii: "\t") { end = position }
    }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  private func isColon(inFlow: Bool) -> Bool {
    guard let next = byte(at: 1) else { return true }
    return next == Self.space || next == Self.newline || next == UInt8(ascii: "\t")
      || (inFlow && ",[]{}".utf8.contains(next))
  }

  /// Reads a plain scalar of one or more lines, which are further right than the parent.
  mutating func plain(parent: Int) throws(YAMLError) -> String {
    var text = plainLine(inFlow: false)
    while true {
      guard isAtLineEnd, current == Self.newline else { break }
      let start = self
      var blankLines = -1
      while current == Self.newline {
        advanceLine()
        blankLines += 1
        while current == Self.space { position += 1 }
      }
      guard !isAtEnd, column > parent, !isAtLineEnd, !isAtDocumentMarker else {
        self = start
        break
      }
      text += blankLines == 0 ? " " : String(repeating: "\n", count: blankLines)
      text += plainLine(inFlow: false)
    }
    guard isAtLineEnd else { throw error("Unexpected \":\" in a text without quotation marks") }
    return text
  }

  /// Reads a plain scalar in a flow collection.
  mutating func plainInFlow() throws(YAMLError) -> String {
    var text = plainLine(inFlow: true)
    while current == Self.newline || (current != nil && isAtLineEnd) {
      try skipFlowSpace()
      if let byte = current, ",[]{}:".utf8.contains(byte) { break }
      text += " " + plainLine(inFlow: true)
    }
    guard !text.isEmpty else { throw error("Expected a value") }
    return text
  }
}

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
