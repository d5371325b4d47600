/// Detection of secrets by their form.
extension SecretScanner {
  /// Returns the token or placeholder that begins here.
  ///
  /// - Parameter endOfWord: The end of the last word with the prefix of a web token that is not one.
  func word(at start: Int, startingWith byte: UInt8, in bytes: Bytes, _ endOfWord: inout Int) -> Find? {
    if redactsWebTokens, byte == UInt8(ascii: "e"), start >= endOfWord,
      bytes[start...].starts(with: "eyJ".utf8)
    {
      if let end = endOfWebToken(from: start, in: bytes) {
        return match(in: bytes, start..<end, rule: "web token")
      }
      endOfWord = Self.endOfToken(from: start, in: bytes)
    }
    // A placeholder replaces a secret, whichever rule detected it.
    if byte == UInt8(ascii: "r"), bytes[start...].starts(with: Redactor.stem.utf8) {
      let number = start + Redactor.stem.utf8.count
      var end = number
      while end < bytes.count, bytes[end] >= UInt8(ascii: "0"), bytes[end] <= UInt8(ascii: "9") { end += 1 }
      if end > number { return match(in: bytes, start..<end, rule: "placeholder") }
    }
    let candidates = prefixes[Int(byte)]
    guard !candidates.isEmpty, Self.isBoundary(at: start, in: bytes) else { return nil }
    for prefix in candidates where bytes[start...].starts(with: prefix) {
      let end = Self.endOfToken(from: start, in: bytes)
      if end - start >= 20 { return match(in: bytes, start..<end, rule: "prefix") }
    }
    return nil
  }

  /// Returns the end of three parts in base64url; the last one is empty in an unsigned token.
  private func endOfWebToken(from start: Int, in bytes: Bytes) -> Int? {
    var position = start
    for _ in 0..<2 {
      let end = Self.endOfToken(from: position, in: bytes)
      guard end - position > 3, end < bytes.count, bytes[end] == UInt8(ascii: ".") else { return nil }
      position = end + 1
    }
    return Self.endOfToken(from: position, in: bytes)
  }

  private static func endOfToken(from start: Int, in bytes: Bytes) -> Int {
    var end = start
    while end < bytes.count, isOfToken(bytes[end]) { end += 1 }
    return end
  }

  /// Returns whether a word can begin here: the last letter of `\n`, `\u0026` or `%3D` belongs to no word.
  private static func isBoundary(at start: Int, in bytes: Bytes) -> Bool {
    guard start > 0, isOfToken(bytes[start - 1]) else { return true }
    func hasHexDigits(_ count: Int) -> Bool {
      bytes[(start - count)..<start].allSatisfy { UnicodeScalar($0).properties.isASCIIHexDigit }
    }
    if start >= 2, bytes[start - 2] == UInt8(ascii: "\\"), "bfnrt".utf8.contains(bytes[start - 1]) {
      return true
    }
    if start >= 3, bytes[start - 3] == UInt8(ascii: "%"), hasHexDigits(2) { return true }
    return start >= 6 && bytes[(start - 6)..<(start - 4)].elementsEqual("\\u".utf8) && hasHexDigits(4)
  }

  private static func isOfToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Returns a private key between its boundary lines (RFC 7468 §2), or up to the end of the string or the text.
  func privateKey(at start: Int, in bytes: Bytes) -> Find? {
    let begin = "-----BEGIN "
    guard bytes[start...].starts(with: begin.utf8) else { return nil }
    let label = bytes[(start + begin.utf8.count)...].prefix(40)
    guard let dash = label.firstIndex(of: UInt8(ascii: "-")),
      bytes[..<dash].suffix(11).elementsEqual("PRIVATE KEY".utf8)
    else { return nil }
    var end = dash
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      if bytes[end] == UInt8(ascii: "-"), bytes[end...].starts(with: "-----END ".utf8) {
        let line = bytes[(end + 9)...].prefix(64)
        let dash = line.firstIndex(of: UInt8(ascii: "-")) ?? line.endIndex
        end = dash
        while end < bytes.count, end < dash + 5, bytes[end] == UInt8(ascii: "-") { end += 1 }
        break
      }
      end += 1
    }
    guard var find = match(in: bytes, start..<end, rule: "private key") else { return nil }
    // Inside a JSON string.
    find.secret = find.secret.replacing("\\r", with: "\r").replacing("\\n", with: "\n")
    return find
  }
}
