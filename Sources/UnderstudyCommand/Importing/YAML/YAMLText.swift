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
