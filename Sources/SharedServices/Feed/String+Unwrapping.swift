extension String {
  /// How a wrapper begins that a careless encoder puts around a value: `AnyCodableValue("text")`.
  static let wrapper = "AnyCodableValue("

  /// The most wrappers that are taken from each other.
  private static let depth = 8

  /// The text without wrappers around values in it; `nil` if it is cut off inside of one, or wrapped too often.
  ///
  /// A value in quotes loses them, and its escapes. A wrapper that somebody only begins in the middle of a text is none.
  func unwrapped() -> String? {
    var text = Array(utf8)
    for _ in 0..<Self.depth {
      guard let next = Self.withoutWrappers(text) else { return nil }
      // What was taken away stood between characters of ASCII.
      if next.count == text.count { return String(decoding: text, as: UTF8.self) }
      text = next
    }
    return Self.withoutWrappers(text)?.count == text.count ? String(decoding: text, as: UTF8.self) : nil
  }

  /// Takes the outermost wrappers away.
  private static func withoutWrappers(_ text: [UInt8]) -> [UInt8]? {
    let wrapper = Array(Self.wrapper.utf8)
    var result: [UInt8] = []
    var place = 0
    // Once a bracket or a quotation stays open, none is looked for again; so a text is read a few times at most, whatever
    // is in it.
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

  /// The bracket that closes the one before `start`; outside of quotations, if those are minded.
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

  /// What a wrapper holds, without a label, and without quotes around all of it.
  private static func value(of wrapped: ArraySlice<UInt8>) -> [UInt8] {
    var value = wrapped
    let label = Array("value:".utf8)
    if value.starts(with: label) { value = value.dropFirst(label.count).drop(while: isSpace) }
    guard let text = unquoted(value) else { return Array(value) }
    return text
  }

  /// The text of a quotation; `nil` for anything else.
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
        // What else there may be is kept as it is written.
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
