extension String {
  /// The prefix that an incorrect encoder adds to a value: `AnyCodableValue("text")`.
  static let wrapper = "AnyCodableValue("

  /// The maximum depth of nested wrappers.
  private static let depth = 8

  /// Returns the text without wrappers; `nil` if it ends inside a wrapper, or is wrapped too deeply.
  ///
  /// A quoted value loses its quotes and escapes. A wrapper that is opened in the middle of a text and never closed is
  /// kept.
  func unwrapped() -> String? {
    var text = Array(utf8)
    for _ in 0..<Self.depth {
      guard let next = Self.withoutWrappers(text) else { return nil }
      // Only text between ASCII characters was removed, so the UTF-8 is still valid.
      if next.count == text.count { return String(decoding: text, as: UTF8.self) }
      text = next
    }
    return Self.withoutWrappers(text)?.count == text.count ? String(decoding: text, as: UTF8.self) : nil
  }

  /// Removes the outermost wrappers.
  private static func withoutWrappers(_ text: [UInt8]) -> [UInt8]? {
    let wrapper = Array(Self.wrapper.utf8)
    var result: [UInt8] = []
    var place = 0
    // After an unclosed bracket or quotation no further one is searched for, so any text is read a bounded number of
    // times.
    var (isOpen, mindsQuotes) = (false, true)
    while place < text.count {
      guard !isOpen, text[place] == wrapper[0], text[place...].starts(with: wrapper) else {
        result.append(text[place])
        place += 1
        continue
      }
      let start = place + wrapper.count
      var end = mindsQuotes ? closing(of: text, from: start, minding: true) : nil
      if end == nil {
        mindsQuotes = false
        end = closing(of: text, from: start, minding: false)
      }
      if let end {
        result += value(of: text[start..<end])
        place = end + 1
      } else if text[..<place].allSatisfy(isSpace) {
        return nil
      } else {
        isOpen = true
      }
    }
    return result
  }

  /// Returns the index of the bracket that closes the one before `start`, ignoring quoted brackets if `quotes` is true.
  private static func closing(of text: [UInt8], from start: Int, minding quotes: Bool) -> Int? {
    var (depth, isQuoted, isEscaped) = (1, false, false)
    for place in start..<text.count {
      let byte = text[place]
      if isEscaped {
        isEscaped = false
      } else if isQuoted && byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if quotes && byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if !isQuoted {
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        if depth == 0 { return place }
      }
    }
    return nil
  }

  /// Returns the value in a wrapper, without its label and its surrounding quotes.
  private static func value(of wrapped: ArraySlice<UInt8>) -> [UInt8] {
    var value = wrapped
    let label = Array("value:".utf8)
    if value.starts(with: label) { value = value.dropFirst(label.count).drop(while: isSpace) }
    guard let text = unquoted(value) else { return Array(value) }
    return text
  }

  /// Returns the text of a quotation; `nil` for anything else.
  private static func unquoted(_ quotation: ArraySlice<UInt8>) -> [UInt8]? {
    let quote = UInt8(ascii: "\"")
    guard quotation.count >= 2, quotation.first == quote, quotation.last == quote else { return nil }
    var text: [UInt8] = []
    var isEscaped = false
    for byte in quotation.dropFirst().dropLast() {
      if isEscaped {
        switch byte {
        case UInt8(ascii: "n"): text.append(UInt8(ascii: "\n"))
        case UInt8(ascii: "r"): text.append(UInt8(ascii: "\r"))
        case UInt8(ascii: "t"): text.append(UInt8(ascii: "\t"))
        case quote, UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "/"): text.append(byte)
        // Unknown escapes are kept unchanged.
        default: text += [UInt8(ascii: "\\"), byte]
        }
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == quote {
        return nil
      } else {
        text.append(byte)
      }
    }
    return isEscaped ? nil : text
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x0A, 0x0D, 0x09].contains(byte) }
}
