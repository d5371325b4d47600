import Foundation
import UnderstudyTransport

/// Finds the secrets in the parts of a message by the rules of a ``Redaction``.
///
/// It works on bytes and asks for no whole document: a body that broke off in the middle of a token, or that holds
/// events or lines of JSON, is searched like any other.
struct SecretScanner: Sendable {
  /// A secret and where it stands.
  struct Find {
    /// What its placeholder takes the place of.
    var range: Range<Int>
    /// The secret without the escapes of its surroundings.
    var secret: String
    /// Whether the placeholder needs quotes, because a number stood there.
    var needsQuotes = false
  }

  private let headerNames: Set<String>
  private let fieldNames: Set<String>
  private let literals: [[UInt8]]
  private let prefixes: [[UInt8]]
  private let redactsWebTokens: Bool
  /// The bytes that something to look at begins with.
  private let canBegin: [Bool]

  init(_ redaction: Redaction) {
    headerNames = Set(redaction.headerNames.map { $0.lowercased() })
    fieldNames = Set(redaction.fieldNames.map(Self.normalized))
    literals = redaction.literals.filter { !$0.isEmpty }.map { Array($0.utf8) }
    prefixes = redaction.prefixes.filter { !$0.isEmpty }.map { Array($0.utf8) }
    redactsWebTokens = redaction.redactsWebTokens
    let first = Set("\"?&#:er".utf8).union(prefixes.compactMap(\.first))
    canBegin = (0...255).map { first.contains(UInt8($0)) }
  }

  /// The secrets in any text: a URL, a body, a message.
  ///
  /// - Parameter isForm: Whether the text is the fields of a form.
  func finds(in bytes: [UInt8], isForm: Bool = false) -> [Find] {
    var finds = literals.flatMap { literal in
      bytes.ranges(of: literal).map { Find(range: $0, secret: String(decoding: literal, as: UTF8.self)) }
    }
    let named = finds
    // Nothing is looked at twice, so that no text takes more than a time in proportion to its length: what begins
    // inside of a secret is a part of it, and of a word that is no web token no end is one either.
    var end = 0
    var endOfWord = 0
    func take(_ find: Find?) {
      guard let find else { return }
      finds.append(find)
      if !named.contains(where: { $0.range.overlaps(find.range) }) { end = find.range.upperBound }
    }
    for (position, byte) in bytes.enumerated() where canBegin[Int(byte)] && position >= end {
      switch byte {
      case UInt8(ascii: "\""):
        take(member(at: position, in: bytes))
      case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#"):
        take(pair(at: position + 1, in: bytes, isForm: isForm))
      case UInt8(ascii: ":"):
        take(userPassword(at: position, in: bytes))
      default:
        take(word(at: position, startingWith: byte, in: bytes, &endOfWord))
      }
    }
    if isForm, let find = pair(at: 0, in: bytes, isForm: true) { finds.append(find) }
    return finds.withoutOverlaps
  }

  /// The secrets in the value of a header field.
  func finds(inField name: String, _ value: [UInt8]) -> [Find] {
    guard headerNames.contains(name.lowercased()) else { return finds(in: value) }
    switch name.lowercased() {
    case "authorization", "proxy-authorization":
      let space = value.firstIndex(of: UInt8(ascii: " "))
      return [find(in: value, (space.map { $0 + 1 } ?? 0)..<value.count)]
    case "cookie":
      return cookies(in: value)
    case "set-cookie":
      return (Array(cookies(in: value).prefix(1)) + finds(in: value)).withoutOverlaps
    default:
      return [find(in: value, 0..<value.count)]
    }
  }

  /// Whether the value of a field of this name is a secret.
  func isSecret(fieldNamed name: String) -> Bool {
    fieldNames.contains(Self.normalized(name))
  }

  private static func normalized(_ name: String) -> String {
    name.lowercased().filter { $0 != "_" && $0 != "-" }
  }

  private func find(in bytes: [UInt8], _ range: Range<Int>) -> Find {
    Find(range: range, secret: String(decoding: bytes[range], as: UTF8.self))
  }

  private func cookies(in bytes: [UInt8]) -> [Find] {
    bytes.indices.split { bytes[$0] == UInt8(ascii: ";") }.compactMap { pair in
      guard let equals = pair.first(where: { bytes[$0] == UInt8(ascii: "=") }) else { return nil }
      return find(in: bytes, (equals + 1)..<pair.endIndex)
    }
  }

  // MARK: Members of JSON

  /// The value of a member whose name begins with this quote, also in JSON that stands inside a JSON string.
  private func member(at quote: Int, in bytes: [UInt8]) -> Find? {
    let isNested = quote > 0 && bytes[quote - 1] == UInt8(ascii: "\\")
    let delimiter: [UInt8] = isNested ? [UInt8(ascii: "\\"), UInt8(ascii: "\"")] : [UInt8(ascii: "\"")]
    let longest = 64
    var position = quote + 1
    while position < bytes.count, position - quote <= longest, bytes[position] != delimiter[0] {
      position += 1
    }
    let name = String(decoding: bytes[(quote + 1)..<position], as: UTF8.self)
    guard bytes[position...].starts(with: delimiter), isSecret(fieldNamed: name) else { return nil }
    position += delimiter.count
    skipSpace(in: bytes, &position)
    guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else { return nil }
    position += 1
    skipSpace(in: bytes, &position)
    guard position < bytes.count else { return nil }
    if bytes[position...].starts(with: delimiter) {
      return string(from: position + delimiter.count, to: delimiter, in: bytes)
    }
    let digits = bytes[position...].prefix { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
    }
    guard let first = digits.first, first != UInt8(ascii: "e"), first != UInt8(ascii: "E") else { return nil }
    return Find(
      range: digits.startIndex..<digits.endIndex, secret: String(decoding: digits, as: UTF8.self),
      needsQuotes: true)
  }

  private func skipSpace(in bytes: [UInt8], _ position: inout Int) {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
  }

  /// A string of JSON up to its end, or to where the text breaks off.
  private func string(from start: Int, to delimiter: [UInt8], in bytes: [UInt8]) -> Find? {
    var end = start
    while end < bytes.count, !bytes[end...].starts(with: delimiter) {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    end = Swift.min(end, bytes.count)
    guard end > start else { return nil }
    let text = bytes[start..<end]
    let quoted = [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
    let decoded = (try? JSONValue(parsing: Data(quoted)))?.stringValue
    return Find(range: start..<end, secret: decoded ?? String(decoding: text, as: UTF8.self))
  }

  // MARK: Fields of forms and URLs

  /// The value of a `name=value` that begins here.
  private func pair(at start: Int, in bytes: [UInt8], isForm: Bool) -> Find? {
    let longest = 64
    guard start < bytes.count,
      let equals = bytes[start...].prefix(longest).firstIndex(of: UInt8(ascii: "=")),
      let name = String(decoding: bytes[start..<equals], as: UTF8.self).removingPercentEncoding,
      isSecret(fieldNamed: name)
    else { return nil }
    let ends = isForm ? "&" : "&# \t\r\n\"'<>\\)]}"
    let value = bytes[(equals + 1)...].prefix { !ends.utf8.contains($0) }
    guard !value.isEmpty else { return nil }
    var text = String(decoding: value, as: UTF8.self)
    if isForm { text = text.replacing("+", with: " ") }
    return Find(range: value.startIndex..<value.endIndex, secret: text.removingPercentEncoding ?? text)
  }

  /// The password of `scheme://user:password@host` (RFC 3986 §3.2.1), whose scheme ends here.
  private func userPassword(at colon: Int, in bytes: [UInt8]) -> Find? {
    guard isSecret(fieldNamed: "password"), bytes[colon...].starts(with: "://".utf8) else { return nil }
    let authority = bytes[(colon + 3)...].prefix { !"/?# \t\r\n\"'<>\\".utf8.contains($0) }
    guard let at = authority.lastIndex(of: UInt8(ascii: "@")),
      let start = authority[..<at].firstIndex(of: UInt8(ascii: ":")), start + 1 < at
    else { return nil }
    let text = String(decoding: bytes[(start + 1)..<at], as: UTF8.self)
    return Find(range: (start + 1)..<at, secret: text.removingPercentEncoding ?? text)
  }

  // MARK: Words

  /// A token that begins here and is known by its looks.
  ///
  /// - Parameter endOfWord: The end of the last word that began like a web token and is none.
  private func word(
    at start: Int, startingWith byte: UInt8, in bytes: [UInt8], _ endOfWord: inout Int
  ) -> Find? {
    if redactsWebTokens, byte == UInt8(ascii: "e"), start >= endOfWord,
      bytes[start...].starts(with: "eyJ".utf8)
    {
      if let end = endOfWebToken(from: start, in: bytes) { return find(in: bytes, start..<end) }
      endOfWord = bytes[start...].prefix(while: Self.isOfToken).endIndex
    }
    // A placeholder stands where a secret stood, whatever told it.
    if byte == UInt8(ascii: "r"), bytes[start...].starts(with: Redactor.stem.utf8) {
      let number = bytes[(start + Redactor.stem.utf8.count)...].prefix {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
      if !number.isEmpty { return find(in: bytes, start..<number.endIndex) }
    }
    for prefix in prefixes where prefix[0] == byte && bytes[start...].starts(with: prefix) {
      guard start == 0 || !Self.isOfToken(bytes[start - 1]) else { continue }
      let word = bytes[start...].prefix(while: Self.isOfToken)
      if word.count >= 20 { return find(in: bytes, word.startIndex..<word.endIndex) }
    }
    return nil
  }

  /// Three parts in the alphabet of base64url, the last of which an unsigned token leaves empty.
  private func endOfWebToken(from start: Int, in bytes: [UInt8]) -> Int? {
    var position = start
    for part in 0..<3 {
      let digits = bytes[position...].prefix(while: Self.isOfToken)
      position = digits.endIndex
      guard part < 2 else { return position }
      guard digits.count > 3, position < bytes.count, bytes[position] == UInt8(ascii: ".") else { return nil }
      position += 1
    }
    return nil
  }

  private static func isOfToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension [SecretScanner.Find] {
  /// In order, without those that begin inside another, and without empty ones.
  var withoutOverlaps: Self {
    var end = 0
    return filter { !$0.range.isEmpty }
      .sorted { ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound) }
      .filter { find in
        guard find.range.lowerBound >= end else { return false }
        end = find.range.upperBound
        return true
      }
  }
}
