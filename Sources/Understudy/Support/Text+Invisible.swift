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
