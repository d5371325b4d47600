/// The form of the tokens of an issuer, who marks them with a prefix.
struct TokenForm: Sendable {
  /// The characters that follow the prefix.
  enum Alphabet: Sendable {
    /// `0-9 a-f`.
    case hexadecimal
    /// `0-9 A-Z`.
    case capitals
    /// `0-9 a-z A-Z`.
    case alphanumeric
    /// `0-9 a-z A-Z - _`, those of base64 in URLs.
    case word
    /// The same and dots.
    case dotted

    func contains(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): true
      case UInt8(ascii: "a")...UInt8(ascii: "f"): self != .capitals
      case UInt8(ascii: "g")...UInt8(ascii: "z"): self != .capitals && self != .hexadecimal
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): self != .hexadecimal
      case UInt8(ascii: "-"), UInt8(ascii: "_"): self == .word || self == .dotted
      case UInt8(ascii: "."): self == .dotted
      default: false
      }
    }
  }

  /// The checksum at the end of a token.
  enum Checksum: Sendable {
    /// The CRC-32 of the other characters after the prefix, as six digits of base 62.
    case crc32InBase62
  }

  let prefix: [UInt8]
  let alphabet: Alphabet
  /// The numbers of characters after the prefix.
  let length: ClosedRange<Int>
  /// Whether other words also have the prefix, so that only a random text after it makes a token.
  let isCommon: Bool
  let checksum: Checksum?

  init(
    _ prefix: String, _ alphabet: Alphabet, _ length: ClosedRange<Int>, isCommon: Bool = false,
    checksum: Checksum? = nil
  ) {
    self.prefix = Array(prefix.utf8)
    self.alphabet = alphabet
    self.length = length
    self.isCommon = isCommon
    self.checksum = checksum
  }

  /// Returns the end of the token whose prefix begins at a position.
  func end(from start: Int, in bytes: SecretScanner.Bytes) -> Int? {
    let first = start + prefix.count
    guard start >= 0, first <= bytes.count, bytes[start..<first].elementsEqual(prefix) else { return nil }
    var end = first
    while end < bytes.count, alphabet.contains(bytes[end]) { end += 1 }
    // A dot ends a sentence, and no token.
    while end > first, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
    guard length.contains(end - first) else { return nil }
    // Another character of a word would make it a longer word.
    if end < bytes.count, alphabet != .word, alphabet != .dotted, Alphabet.word.contains(bytes[end]) {
      return nil
    }
    let body = SecretScanner.Bytes(rebasing: bytes[first..<end])
    if let checksum, Self.agrees(body, checksum) { return end }
    return isCommon ? (Self.isRandom(body) ? end : nil) : (Self.isVaried(body) ? end : nil)
  }

  /// Returns whether a text has many different characters, unlike `xxxxxxxx` in documentation.
  static func isVaried(_ body: SecretScanner.Bytes) -> Bool {
    Set(body).count >= min(6, body.count / 2)
  }

  /// Returns whether a text is more than words that hyphens join, such as those of a CSS class.
  static func isRandom(_ body: SecretScanner.Bytes) -> Bool {
    var (run, longest, digits) = (0, 0, 0)
    for byte in body {
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      run = Alphabet.alphanumeric.contains(byte) ? run + 1 : 0
      if isDigit { digits += 1 }
      longest = max(longest, run)
    }
    return isVaried(body) && (longest >= 20 || longest >= 12 && digits >= 2 && digits < body.count)
  }

  private static func agrees(_ body: SecretScanner.Bytes, _ checksum: Checksum) -> Bool {
    switch checksum {
    case .crc32InBase62:
      guard body.count > 6 else { return false }
      var value = Inflation.checksum(of: Array(body.dropLast(6)))
      var digits: [UInt8] = []
      for _ in 0..<6 {
        digits.append(base62[Int(value % 62)])
        value /= 62
      }
      return body.suffix(6).elementsEqual(digits.reversed())
    }
  }

  private static let base62 = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
}
