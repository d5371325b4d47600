import Foundation

/// The form of the tokens of an issuer, who marks them with a prefix or with other characters.
///
/// Its pattern consists of:
///
/// - `pat`: these characters,
/// - `[0-6a]`: one of these characters,
/// - `<14 alnum>`, `<31-34 word>`, `<20+ [a-z2-7]>`: this number of characters of an ``Alphabet``, or of these,
/// - `<uuid>`: a UUID.
///
/// A word may follow the alphabet: `random` if other words also have the prefix, so that only a random text makes a
/// token, and `crc` if the last six characters are a checksum.
struct TokenForm: Sendable {
  /// A number of characters.
  struct Element: Sendable {
    let characters: Characters
    let count: ClosedRange<Int>
  }

  let issuer: String
  /// The document that describes the form.
  let source: String
  let elements: [Element]
  /// Whether other words also have the prefix, so that only a random text after it makes a token.
  let isCommon: Bool
  /// Whether a token may end with a checksum: the CRC-32 of the characters after the prefix, as six digits of base 62.
  let hasChecksum: Bool
  /// The rarest four characters that each token has in one place.
  let window: [Characters]
  /// The elements before the window, the nearest first.
  private let lead: [Element]
  /// Whether a token begins with a number, which a letter may precede.
  private let beginsWithNumber: Bool

  init(_ issuer: String, _ source: String, _ pattern: String) {
    var parser = PatternParser(pattern)
    self.issuer = issuer
    self.source = source
    elements = parser.elements()
    isCommon = parser.marks.contains("random")
    hasChecksum = parser.marks.contains("crc")
    beginsWithNumber = elements.first?.characters == Characters(of: .digits)
    (window, lead) = Self.rarestWindow(of: elements)
  }

  /// Returns the token whose ``window`` begins at a position.
  func range(around position: Int, in bytes: SecretScanner.Bytes) -> Range<Int>? {
    guard let start = start(before: position, in: bytes), let end = end(of: 0, from: start, in: bytes) else {
      return nil
    }
    let prefix = elements.prefix { $0.count == 1...1 }.count
    let body = SecretScanner.Bytes(rebasing: bytes[min(start + prefix, end)..<end])
    if hasChecksum, Self.endsWithChecksum(body) { return start..<end }
    return (isCommon ? Self.isRandom(body) : Self.isVaried(body)) ? start..<end : nil
  }

  /// Returns a token without the escapes of a URL or of JSON.
  static func unescaped(_ token: Slice<SecretScanner.Bytes>) -> String {
    let text = String(decoding: token, as: UTF8.self)
    guard token.contains(where: #"%\"#.utf8.contains) else { return text }
    let unquoted = text.replacing(#"\/"#, with: "/")
    return unquoted.removingPercentEncoding ?? unquoted
  }

  /// Returns the beginning of the token whose window begins at a position.
  private func start(before position: Int, in bytes: SecretScanner.Bytes) -> Int? {
    var start = position
    for element in lead {
      var count = 0
      while count < element.count.upperBound,
        let previous = element.characters.position(before: start, in: bytes)
      {
        start = previous
        count += 1
      }
      guard count >= element.count.lowerBound else { return nil }
    }
    if beginsWithNumber { return start > 0 && Alphabet.digits.contains(bytes[start - 1]) ? nil : start }
    return SecretScanner.isBoundary(at: start, in: bytes) ? start : nil
  }

  /// Returns the end of the elements from a number on; of several ends the last one.
  private func end(of first: Int, from start: Int, in bytes: SecretScanner.Bytes) -> Int? {
    var position = start
    for number in first..<elements.count {
      let element = elements[number]
      for _ in 0..<element.count.lowerBound {
        guard let next = element.characters.position(after: position, in: bytes) else { return nil }
        position = next
      }
      guard element.count.upperBound > element.count.lowerBound else { continue }
      var ends = [position]
      while ends.count <= element.count.upperBound - element.count.lowerBound,
        let next = element.characters.position(after: position, in: bytes)
      {
        position = next
        ends.append(next)
      }
      if number < elements.count - 1 {
        return ends.reversed().lazy.compactMap { self.end(of: number + 1, from: $0, in: bytes) }.first
      }
      // A dot ends a sentence, and no token.
      let dots = bytes[position...].prefix { $0 == UInt8(ascii: ".") }
      guard element.characters.position(after: dots.endIndex, in: bytes) == nil,
        let end = ends.last(where: { $0 == 0 || bytes[$0 - 1] != UInt8(ascii: ".") })
      else { return nil }
      position = end
    }
    // Another character of a word would make it a longer word.
    return position < bytes.count && Alphabet.word.contains(bytes[position]) ? nil : position
  }

  private static let letters = Characters((0x41...0x7A).filter { Alphabet.alphanumeric.contains($0) })

  /// Returns the rarest four characters with a fixed distance to the beginning, or to the end of the first element.
  private static func rarestWindow(of elements: [Element]) -> (window: [Characters], lead: [Element]) {
    let spellings = elements.map { $0.characters.folded.count }
    let isSeparator = elements.map { $0.characters.isDisjoint(with: letters) }
    let plus = Characters("+".utf8)
    let isPlus = elements.map { $0.characters == plus }
    var places: [(element: Int, offset: Int)] = []
    var best: (spellings: Int, separators: Int, window: [Characters], lead: [Element])?
    for (number, element) in elements.enumerated() {
      for offset in 0..<element.count.lowerBound {
        places.append((number, offset))
        let four = places.suffix(4)
        guard four.count == 4, let first = four.first else { continue }
        // In a query it may be percent-encoded.
        let isEncoded = four.contains { isPlus[$0.element] }
        let count = four.reduce(isEncoded ? 64 : 1) { $0 * spellings[$1.element] }
        // A window with characters other than letters is rarest.
        let separators = four.count { isSeparator[$0.element] }
        if let best, (best.spellings, -best.separators) <= (count, -separators) { continue }
        var lead = Array(elements[..<first.element].reversed())
        if first.offset > 0 {
          lead.insert(
            Element(characters: elements[first.element].characters, count: first.offset...first.offset), at: 0
          )
        }
        best = (count, separators, four.map { elements[$0.element].characters }, lead)
      }
      if element.count.upperBound == element.count.lowerBound { continue }
      if number > 0 { break }
      places = []
      best = nil
    }
    guard let best else {
      preconditionFailure("The pattern of a token has no four characters with a fixed place.")
    }
    return (best.window, best.lead)
  }

  /// Returns whether a text has many different characters, unlike `xxxxxxxx` in documentation and zeros in a picture.
  static func isVaried(_ body: SecretScanner.Bytes) -> Bool {
    let counts = body.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    return counts.count >= min(6, body.count / 2) && (counts.values.max() ?? 0) <= max(2, body.count / 3)
  }

  /// Returns whether a text is more than words that hyphens join, such as those of a CSS class, or than an identifier.
  static func isRandom(_ body: SecretScanner.Bytes) -> Bool {
    var (run, longest, digits) = (0, 0, 0)
    for byte in body {
      run = Alphabet.alphanumeric.contains(byte) ? run + 1 : 0
      if Alphabet.digits.contains(byte) { digits += 1 }
      longest = max(longest, run)
    }
    return isVaried(body) && digits < body.count
      && (longest >= 20 && digits >= 1 || longest >= 12 && digits >= 2)
  }

  private static func endsWithChecksum(_ body: SecretScanner.Bytes) -> Bool {
    guard body.count > 6 else { return false }
    var value = Inflation.checksum(of: Array(body.dropLast(6)))
    var digits: [UInt8] = []
    for _ in 0..<6 {
      digits.append(base62[Int(value % 62)])
      value /= 62
    }
    return body.suffix(6).elementsEqual(digits.reversed())
  }

  private static let base62 = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
}

extension TokenForm {
  /// The characters of a run, with their name in a pattern.
  enum Alphabet: String, Sendable {
    /// `0-9`.
    case digits = "digit"
    /// `0-9 a-f A-F`.
    case hexadecimal = "hex"
    /// `0-9 A-Z`.
    case capitals = "caps"
    /// `0-9 a-z`.
    case lowercase = "lower"
    /// `0-9 a-z A-Z`.
    case alphanumeric = "alnum"
    /// `0-9 a-z A-Z - _`, those of base64 in URLs.
    case word
    /// The same and dots.
    case dotted
    /// The same and `~`, the unreserved characters (RFC 3986 §2.3).
    case unreserved
    /// `0-9 a-z A-Z - _ + / =`, those of both kinds of base64.
    case base64

    func contains(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): true
      case UInt8(ascii: "a")...UInt8(ascii: "f"): self != .digits && self != .capitals
      case UInt8(ascii: "g")...UInt8(ascii: "z"): self != .digits && self != .capitals && self != .hexadecimal
      case UInt8(ascii: "A")...UInt8(ascii: "F"): self != .digits && self != .lowercase
      case UInt8(ascii: "G")...UInt8(ascii: "Z"):
        self != .digits && self != .lowercase && self != .hexadecimal
      case UInt8(ascii: "-"), UInt8(ascii: "_"):
        self == .word || self == .dotted || self == .unreserved || self == .base64
      case UInt8(ascii: "."): self == .dotted || self == .unreserved
      case UInt8(ascii: "~"): self == .unreserved
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): self == .base64
      default: false
      }
    }
  }

  /// A set of ASCII characters.
  struct Characters: Equatable, Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ characters: some Sequence<UInt8>) {
      for byte in characters {
        if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
      }
    }

    init(of alphabet: Alphabet) {
      self.init((0..<0x80).filter(alphabet.contains))
    }

    var all: [UInt8] { (0..<0x80).filter(contains) }

    var count: Int { low.nonzeroBitCount + high.nonzeroBitCount }

    /// The characters as an anchor compares them, with the bit of small letters.
    var folded: Self {
      var folded = Self([])
      // That bit moves a byte by 32.
      (folded.low, folded.high) = (low & ~0xFFFF_FFFF | low << 32, high & ~0xFFFF_FFFF | high << 32)
      return folded
    }

    func isDisjoint(with other: Self) -> Bool { low & other.low == 0 && high & other.high == 0 }

    func contains(_ byte: UInt8) -> Bool {
      byte < 0x80 && (byte < 64 ? low : high) & (1 << UInt64(byte & 63)) != 0
    }

    /// Returns the position after a character of the set, which may be percent-encoded, or a slash escaped in JSON.
    func position(after start: Int, in bytes: SecretScanner.Bytes) -> Int? {
      guard start < bytes.count else { return nil }
      if contains(bytes[start]) { return start + 1 }
      switch bytes[start] {
      case UInt8(ascii: "%"):
        return Self.percentEncoded(at: start, in: bytes).flatMap { contains($0) ? start + 3 : nil }
      case UInt8(ascii: "\\"):
        let isSlash = start + 1 < bytes.count && bytes[start + 1] == UInt8(ascii: "/")
        return isSlash && contains(UInt8(ascii: "/")) ? start + 2 : nil
      default: return nil
      }
    }

    /// Returns the position before a character of the set, which may be percent-encoded, or a slash escaped in JSON.
    func position(before end: Int, in bytes: SecretScanner.Bytes) -> Int? {
      guard end > 0 else { return nil }
      if end >= 3, bytes[end - 3] == UInt8(ascii: "%"), let byte = Self.percentEncoded(at: end - 3, in: bytes)
      {
        return contains(byte) ? end - 3 : nil
      }
      guard contains(bytes[end - 1]) else { return nil }
      let isEscaped = end >= 2 && bytes[end - 1] == UInt8(ascii: "/") && bytes[end - 2] == UInt8(ascii: "\\")
      return isEscaped ? end - 2 : end - 1
    }

    private static func percentEncoded(at start: Int, in bytes: SecretScanner.Bytes) -> UInt8? {
      guard start + 2 < bytes.count,
        bytes[(start + 1)...(start + 2)].allSatisfy(Alphabet.hexadecimal.contains)
      else { return nil }
      return UInt8(String(decoding: bytes[(start + 1)...(start + 2)], as: UTF8.self), radix: 16)
    }
  }

  /// A parser of the pattern of a form.
  private struct PatternParser {
    /// The words after the alphabets.
    private(set) var marks: Set<Substring> = []
    private let pattern: String
    private var rest: Substring
    /// More characters than any token has.
    private static let longest = 1 << 14

    init(_ pattern: String) {
      self.pattern = pattern
      rest = pattern[...]
    }

    mutating func elements() -> [Element] {
      var elements: [Element] = []
      while let character = rest.popFirst() {
        switch character {
        case "<": elements += run(text(before: ">"))
        case "[": elements.append(Element(characters: characters(text(before: "]")), count: 1...1))
        default: elements.append(Element(characters: Characters(String(character).utf8), count: 1...1))
        }
      }
      return elements
    }

    private mutating func text(before end: Character) -> Substring {
      guard let index = rest.firstIndex(of: end) else { preconditionFailure("\(pattern) has no \(end).") }
      defer { rest = rest[index...].dropFirst() }
      return rest[..<index]
    }

    private mutating func run(_ text: Substring) -> [Element] {
      if text == "uuid" {
        var parser = PatternParser("<8 hex>-<4 hex>-<4 hex>-<4 hex>-<12 hex>")
        return parser.elements()
      }
      let words = text.split(separator: " ")
      guard let bounds = words.first?.split(separator: "-"), words.count >= 2,
        let least = bounds.first.flatMap({ Int($0.hasSuffix("+") ? $0.dropLast() : $0) }),
        let most = bounds.last.flatMap({ $0.hasSuffix("+") ? Self.longest : Int($0) }), least <= most
      else { preconditionFailure("The run <\(text)> of \(pattern) is not valid.") }
      marks.formUnion(words.dropFirst(2))
      if let alphabet = Alphabet(rawValue: String(words[1])) {
        return [Element(characters: Characters(of: alphabet), count: least...most)]
      }
      guard words[1].first == "[", words[1].last == "]" else {
        preconditionFailure("The characters of <\(text)> in \(pattern) are unknown.")
      }
      return [Element(characters: characters(words[1].dropFirst().dropLast()), count: least...most)]
    }

    /// Returns the characters of a list such as `A-Z2-7_`.
    private func characters(_ list: Substring) -> Characters {
      let bytes = Array(list.utf8)
      var all: [UInt8] = []
      for (index, byte) in bytes.enumerated() {
        if byte == UInt8(ascii: "-"), index > 0, index < bytes.count - 1, bytes[index - 1] < bytes[index + 1]
        {
          all += bytes[index - 1]...bytes[index + 1]
        } else {
          all.append(byte)
        }
      }
      return Characters(all)
    }
  }
}
