extension NumberTemplate {
  /// Reads a number as `to_number` does.
  ///
  /// Where the template has text, a character is skipped whatever it is.
  func read(_ text: String) throws(PostgreSQLError) -> Numeric {
    if hasExponent { throw PostgreSQLError("0A000", "\"EEEE\" not supported for input") }
    if isRoman { throw PostgreSQLError("0A000", "\"RN\" not supported for input") }
    var reader = Reader(template: self, rest: Array(text.utf8)[...])
    for node in nodes {
      // The end of the input ends the template.
      guard !reader.rest.isEmpty else { break }
      reader.read(node)
    }
    var digits = String(decoding: reader.digits, as: UTF8.self)
    if digits.last == "." { digits.removeLast() }
    let number = try Numeric(parsing: (reader.isNegative ? "-" : "") + (digits.isEmpty ? " " : digits))
    let fitted = try number.rounded(precision: before + shift + after, scale: after)
    guard hasShift else { return fitted }
    return try fitted * Numeric(10).power(Numeric(-shift))
  }

  private struct Reader {
    let template: NumberTemplate
    var rest: ArraySlice<UInt8>
    var digits: [UInt8] = []
    var isNegative = false
    var hasSign = false
    var hasPoint = false
    var places = 0

    mutating func read(_ node: Node) {
      switch node {
      case .digit, .zero, .point: readPart()
      case .comma: if rest.first == UInt8(ascii: ",") { rest.removeFirst() }
      case .currency: skipOther()
      case .text: skipCharacter()
      case .minus, .plus, .anySign:
        if rest.first == UInt8(ascii: "-"), node != .plus {
          isNegative = true
          rest.removeFirst()
        } else if rest.first == UInt8(ascii: "+"), node != .minus {
          rest.removeFirst()
        } else {
          skipOther()
        }
      case .ordinal, .sign, .brackets, .roman, .shift, .exponent, .fill, .blank: break
      }
    }

    /// One character that cannot belong to the number.
    private mutating func skipOther() {
      guard let byte = rest.first, !byte.isDigit, !".,+-".utf8.contains(byte) else { return }
      skipCharacter()
    }

    private mutating func skipCharacter() {
      guard rest.popFirst() != nil else { return }
      while let byte = rest.first, byte & 0xC0 == 0x80 { rest.removeFirst() }
    }

    private mutating func readSign() {
      guard !hasSign, let byte = rest.first else { return }
      if byte == UInt8(ascii: "-") || template.hasBrackets && byte == UInt8(ascii: "<") {
        (isNegative, hasSign) = (true, true)
        rest.removeFirst()
      } else if byte == UInt8(ascii: "+") {
        hasSign = true
        rest.removeFirst()
      }
    }

    private mutating func readPart() {
      if rest.first == UInt8(ascii: " ") { rest.removeFirst() }
      if digits.isEmpty { readSign() }
      guard let byte = rest.first else { return }
      if byte.isDigit {
        if hasPoint, places == template.after { return }
        digits.append(byte)
        if hasPoint { places += 1 }
        rest.removeFirst()
      } else if byte == UInt8(ascii: "."), template.hasPoint, !hasPoint {
        hasPoint = true
        digits.append(byte)
        rest.removeFirst()
      } else {
        skipCharacter()
      }
      // A sign after the number.
      if template.lockedSign != .none, !hasSign, !digits.isEmpty,
        rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+"),
        rest.dropFirst().first?.isDigit != true
      {
        isNegative = rest.first == UInt8(ascii: "-")
        hasSign = true
        rest.removeFirst()
      }
    }
  }
}
