extension Unicode.Scalar {
  /// Whether it is no character of a text but tells a terminal or a page what to do: C0, C1, what turns the direction
  /// of a line around, and what is reserved for the inside of programs.
  package var isInvisible: Bool {
    properties.generalCategory == .control || (0x202A...0x202E).contains(value)
      || (0x2066...0x2069).contains(value) || properties.isNoncharacterCodePoint
  }

  /// Its number as Swift writes it, such as `\u{1b}`.
  package var spelledOut: String { "\\u{\(String(value, radix: 16))}" }
}

extension String {
  /// The text as it can be shown on a terminal: what would move its cursor or change its colours is spelled out.
  package var visible: String {
    guard unicodeScalars.contains(where: \.isInvisible) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isInvisible { text += scalar.spelledOut } else { text.unicodeScalars.append(scalar) }
    }
  }
}
