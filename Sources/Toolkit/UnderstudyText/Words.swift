/// Formatting of quantities and lists, independent of the locale because scripts parse the output.
package enum Words {
  /// A number with its noun, such as `1 entry` or `2 entries`.
  package static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    number == 1 ? "1 \(one)" : "\(number) \(many ?? one + "s")"
  }

  /// The first items of a list, and the number of the others.
  package static func list(_ items: [String], atMost most: Int = 3) -> String {
    let rest = items.count - most
    return items.prefix(most).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  /// A word quoted for a shell.
  package static func shell(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || "-_./:=,+@%".utf8.contains(byte)
      }
    return isPlain
      ? word
      : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  /// The words of a shell command line; `nil` if a quotation mark is not closed.
  package static func shellWords(in line: some StringProtocol) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in line {
      switch (quote, character) {
      case _ where isEscaped:
        word = (word ?? "") + String(character)
        isEscaped = false
      case (let open?, _) where open == character: quote = nil
      case (_?, _): word = (word ?? "") + String(character)
      case (nil, "\\"): isEscaped = true
      case (nil, "'"), (nil, "\""):
        quote = character
        word = word ?? ""
      case (nil, " "):
        if let whole = word { words.append(whole) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    return words + (word.map { [$0] } ?? [])
  }

  /// A duration in milliseconds, or in seconds if it is at least one second.
  package static func duration(_ duration: Duration) -> String {
    self.duration(milliseconds: duration / .milliseconds(1))
  }

  /// A duration to a tenth of a millisecond, or to a hundredth of a second if it is at least one second.
  package static func duration(milliseconds: Double) -> String {
    abs(milliseconds) < 1000
      ? "\((milliseconds * 10).rounded() / 10) ms" : "\((milliseconds / 10).rounded() / 100) s"
  }

  /// A number of bytes in decimal units, to a tenth.
  package static func bytes(_ count: Int) -> String {
    guard count >= 1000 else { return "\(count) B" }
    var (amount, unit) = (Double(count) / 1000, "kB")
    for larger in ["MB", "GB", "TB"] where amount >= 1000 {
      (amount, unit) = (amount / 1000, larger)
    }
    return "\((amount * 10).rounded() / 10) \(unit)"
  }

  /// A number with commas between groups of three digits.
  package static func grouped(_ number: Int) -> String {
    var digits = Array("\(number.magnitude)")
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: place)
      place -= 3
    }
    return (number < 0 ? "-" : "") + String(digits)
  }
}

extension Unicode.Scalar {
  /// Whether the scalar controls a terminal or a page instead of being visible: C0 and C1 controls, bidirectional
  /// controls, and noncharacters.
  package var isInvisible: Bool {
    properties.generalCategory == .control || (0x202A...0x202E).contains(value)
      || (0x2066...0x2069).contains(value) || properties.isNoncharacterCodePoint
  }

  /// Its number as a Swift escape, such as `\u{1b}`.
  package var spelledOut: String { "\\u{\(String(value, radix: 16))}" }
}

extension String {
  /// The text with control characters escaped, so that it cannot move a terminal's cursor or change its colours.
  package var visible: String {
    guard unicodeScalars.contains(where: \.isInvisible) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isInvisible { text += scalar.spelledOut } else { text.unicodeScalars.append(scalar) }
    }
  }
}

extension StringProtocol {
  /// The text without leading and trailing spaces.
  package var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
