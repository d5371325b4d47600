import UnderstudyHTTP

/// A table of secrets with their placeholders and where each was first seen, which replaces them.
///
/// It collects all secrets before it replaces any, so that a secret is also replaced where it occurred before it was
/// detected.
struct Redactor: Sendable {
  /// The prefix of every placeholder, followed by a number.
  static let stem = "redacted-"
  /// The number in place of a JSON number is this one plus that of the placeholder: 2000000007 for `redacted-7`.
  ///
  /// A client that decodes an integer then decodes the placeholder too. It fits into 32 bits.
  private static let numericBase = 2_000_000_000

  /// A range of a text that is a secret.
  struct Span {
    var range: Range<Int>
    var placeholder: String
    /// Whether the range is a whole JSON number.
    var isNumber = false
    /// The rule that detected it.
    var rule: String
    var isCopy = false

    /// The text in place of the secret, of the same JSON type.
    var replacement: String { isNumber ? Redactor.number(of: placeholder) : placeholder }

    func isFollowedByDigit(in bytes: SecretScanner.Bytes) -> Bool {
      !isNumber && range.upperBound < bytes.count && bytes[range.upperBound] >= 0x30
        && bytes[range.upperBound] <= 0x39
    }
  }

  /// A placeholder, and where its secret was first seen.
  struct Row: Sendable {
    var placeholder: String
    var origin: String
    /// Whether the placeholder comes from an existing text.
    var isKept = false
  }

  let scanner: SecretScanner
  /// All placeholders, in order.
  private(set) var table: [Row] = []
  /// The placeholders of the secrets, in order of the secrets.
  private var placeholders: [String] = []
  /// The index of each secret.
  private var numbers: [String: Int] = [:]
  /// The index of the secret of each placeholder that was assigned here.
  private var owners: [String: Int] = [:]
  private var known: Set<String> = []
  private var highest = 0
  private var copies = CopySearch()
  /// The spellings of the secrets since the last call of ``takeSpellings()``.
  private var spellings: [[UInt8]] = []
  private var unassigned: [(secret: String, origin: String)] = []
  /// The secrets whose copies are replaced too, since the last call of ``assignPlaceholders()``.
  private var unfollowed: [(secret: String, spelling: [UInt8]?)] = []
  /// The indices of the secrets whose copies are replaced too.
  private var followed: Set<Int> = []
  /// The placeholders that were reassigned because an existing text contained them, with their new names.
  private(set) var renamed: [(old: String, new: String)] = []
  /// Whether secrets overlapped in the current pass, so that the surrounding text must be searched again.
  var hasMerged = false
  /// Whether placeholders were added or renamed since ``assignPlaceholders()``.
  private(set) var hasLearnt = false
  /// The current pass.
  var pass = Pass.replacingCopies
  /// The secrets found in each text, by the index of the text.
  var found: [Int: [SecretScanner.Find]] = [:]
  var textNumber = 0
  var matches: [SecretMatch] = []

  init(_ redaction: Redaction) {
    scanner = SecretScanner(redaction)
  }

  /// Returns whether a text has the form of a placeholder.
  static func isPlaceholder(_ text: String) -> Bool {
    let digits = text.utf8.dropFirst(stem.utf8.count)
    return !digits.isEmpty && text.hasPrefix(stem) && digits.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }

  /// Returns the JSON number in place of a secret that is a number.
  static func number(of placeholder: String) -> String {
    // A placeholder of another tool may have any number of digits; the number only needs to be valid.
    let number = Int(placeholder.dropFirst(stem.count)) ?? 0
    return "\(numericBase + number % (Int(Int32.max) - numericBase))"
  }

  /// Returns the placeholder that a number or its digits represent; `nil` if they represent none.
  static func placeholder(ofNumber digits: String) -> String? {
    guard digits.utf8.count == 10, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(digits),
      number > numericBase, number < Int(Int32.max)
    else { return nil }
    return "\(stem)\(number - numericBase)"
  }

  /// Returns the existing placeholder that a text represents; `nil` if it represents none.
  func placeholder(of text: String) -> String? {
    if Self.isPlaceholder(text) { return text }
    return Self.placeholder(ofNumber: text).flatMap { known.contains($0) ? $0 : nil }
  }

  /// The number of known secrets.
  var count: Int { placeholders.count }

  // MARK: Collecting

  /// Collects the secrets of a text.
  ///
  /// - Parameter origin: The position of the text, for the table of placeholders.
  mutating func learn(
    _ finds: [SecretScanner.Find], in bytes: SecretScanner.Bytes, from origin: @autoclosure () -> String
  ) {
    for find in finds {
      let text = bytes[find.range]
      let spelling = find.secret.utf8.elementsEqual(text) ? nil : Array(text)
      learn(find.secret, spelledAs: spelling, hasCopies: find.hasCopies, from: origin())
      for part in find.parts { learn(part, spelledAs: nil, hasCopies: true, from: origin()) }
    }
  }

  private mutating func learn(
    _ secret: String, spelledAs spelling: [UInt8]?, hasCopies: Bool, from origin: @autoclosure () -> String
  ) {
    if Self.isPlaceholder(secret) {
      keep(secret, from: origin())
      return
    }
    guard placeholder(of: secret) == nil else { return }
    let number = numbers[secret] ?? placeholders.count
    if number == placeholders.count {
      hasLearnt = true
      numbers[secret] = number
      placeholders.append("")
      unassigned.append((secret, origin()))
    }
    if hasCopies, SecretValue.any.isDistinctive(secret), followed.insert(number).inserted {
      hasLearnt = true
      unfollowed.append((secret, spelling))
    }
  }

  /// Reserves a placeholder of an existing text, so that it is not used for another secret.
  mutating func keep(_ placeholder: String, from origin: @autoclosure () -> String) {
    if let number = owners.removeValue(forKey: placeholder) {
      hasLearnt = true
      let new = nextPlaceholder()
      placeholders[number] = new
      owners[new] = number
      renamed.append((placeholder, new))
      if let row = table.firstIndex(where: { $0.placeholder == placeholder }) { table[row].placeholder = new }
      table.append(Row(placeholder: placeholder, origin: origin(), isKept: true))
    } else if known.insert(placeholder).inserted {
      hasLearnt = true
      table.append(Row(placeholder: placeholder, origin: origin(), isKept: true))
    }
    // A longer number was not assigned by this package, and would overflow.
    let digits = placeholder.utf8.dropFirst(Self.stem.utf8.count)
    if digits.count <= 9, let number = Int(Substring(digits)) { highest = max(highest, number) }
  }

  private mutating func nextPlaceholder() -> String {
    highest += 1
    let placeholder = "\(Self.stem)\(highest)"
    known.insert(placeholder)
    return placeholder
  }

  /// Assigns a placeholder to each new secret, numbered after the existing placeholders.
  mutating func assignPlaceholders() {
    for (secret, origin) in unassigned {
      guard let number = numbers[secret] else { continue }
      let placeholder = nextPlaceholder()
      placeholders[number] = placeholder
      owners[placeholder] = number
      table.append(Row(placeholder: placeholder, origin: origin))
    }
    for (secret, spelling) in unfollowed {
      guard let number = numbers[secret] else { continue }
      var spellings = SecretSpellings.of(secret)
      if let spelling, spelling.count >= 6, !spellings.contains(spelling) { spellings.append(spelling) }
      for spelling in spellings { copies.insert(spelling, as: number) }
      self.spellings += spellings
    }
    (unassigned, unfollowed) = ([], [])
    hasLearnt = false
  }

  /// Assigns new, unused placeholders to secrets.
  mutating func rename(_ moved: [(old: String, new: String)]) {
    for (old, new) in moved {
      guard let number = owners.removeValue(forKey: old) else { continue }
      placeholders[number] = new
      owners[new] = number
      known.insert(new)
      if let row = table.firstIndex(where: { $0.placeholder == old && !$0.isKept }) {
        table[row].placeholder = new
      }
      if let digits = Int(new.dropFirst(Self.stem.count)) { highest = max(highest, digits) }
    }
  }

  /// Returns and removes the spellings of the new secrets since the last call.
  mutating func takeSpellings() -> [[UInt8]] {
    defer { spellings = [] }
    return spellings
  }

  /// Returns and removes the renamings since the last call.
  mutating func takeRenamed() -> [(old: String, new: String)] {
    defer { renamed = [] }
    return renamed
  }

  // MARK: Replacing

  /// Returns whether a text contains a copy of a secret.
  func isCopy(in bytes: SecretScanner.Bytes) -> Bool {
    !copies.matches(in: bytes).isEmpty
  }

  /// Returns whether a range of a few bytes is a part of a longer word, and so hardly a copy.
  private static func isInWord(_ range: Range<Int>, in bytes: SecretScanner.Bytes) -> Bool {
    guard range.count < 16 else { return false }
    let isAlphanumeric = TokenForm.Alphabet.alphanumeric.contains
    return range.upperBound < bytes.count && isAlphanumeric(bytes[range.upperBound])
      && isAlphanumeric(bytes[range.upperBound - 1])
      || isAlphanumeric(bytes[range.lowerBound]) && !SecretScanner.isBoundary(at: range.lowerBound, in: bytes)
        && bytes[range.lowerBound - 1] != UInt8(ascii: "-")
        && bytes[range.lowerBound - 1] != UInt8(ascii: "_")
  }

  /// Returns whether a range is in the scheme, the host or the port of a URL (RFC 3986 §3).
  private static func isInOrigin(_ range: Range<Int>, in bytes: SecretScanner.Bytes) -> Bool {
    if bytes[range.upperBound...].starts(with: "://".utf8) { return true }
    // Of what precedes the host, only a user may have a password.
    if bytes[range.upperBound...].prefix(256).prefix(while: { !"/?#\"' ".utf8.contains($0) }).contains(
      UInt8(ascii: "@"))
    {
      return false
    }
    var start = range.lowerBound
    while start > 0, range.lowerBound - start < 256,
      TokenForm.Alphabet.dotted.contains(bytes[start - 1]) || bytes[start - 1] == UInt8(ascii: ":")
    {
      start -= 1
    }
    guard start > 0 else { return false }
    if bytes[start - 1] == UInt8(ascii: "@") {
      while start > 0, range.lowerBound - start < 512, !"/ \"'".utf8.contains(bytes[start - 1]) { start -= 1 }
    }
    return bytes[..<start].suffix(2).elementsEqual("//".utf8)
      || bytes[..<start].suffix(4).elementsEqual("\\/\\/".utf8)
      || bytes[..<start].suffix(6).elementsEqual("%2F%2F".utf8)
        && bytes[..<start].suffix(9).starts(with: "%3A".utf8)
  }

  /// Returns the secrets in a text, found by rules and as copies, in order.
  ///
  /// Overlapping secrets are replaced as a whole by the placeholder of the longest, so that no part remains.
  ///
  /// A copy in the scheme, the host or the port of a URL remains: no client could request it.
  mutating func spans(in bytes: SecretScanner.Bytes, _ finds: [SecretScanner.Find]) -> [Span] {
    var spans = finds.compactMap { find -> Span? in
      let placeholder = numbers[find.secret].map { placeholders[$0] } ?? placeholder(of: find.secret)
      return placeholder.map {
        Span(range: find.range, placeholder: $0, isNumber: find.isNumber, rule: find.rule)
      }
    }
    var matches = copies.matches(in: bytes).filter { !Self.isInOrigin($0.range, in: bytes) }
    // Elsewhere than in a text, the byte before a secret may be its length.
    if !matches.isEmpty, SecretScanner.isText(bytes) {
      matches.removeAll { Self.isInWord($0.range, in: bytes) }
    }
    guard !matches.isEmpty || spans.contains(where: { $0.isFollowedByDigit(in: bytes) }) else { return spans }
    var strings = JSONStrings()
    spans += matches.map { match in
      Span(
        range: match.range, placeholder: placeholders[match.number],
        isNumber: Self.isNumber(at: match.range, in: bytes, &strings), rule: "copy of a secret",
        isCopy: true)
    }
    // A digit after the placeholder would be read as part of its number. Several secrets may end in one run of digits.
    var digits = 0..<0
    for index in spans.indices where spans[index].isFollowedByDigit(in: bytes) {
      let start = spans[index].range.upperBound
      if !digits.contains(start) {
        var end = start
        while end < bytes.count, bytes[end] >= 0x30, bytes[end] <= 0x39 { end += 1 }
        digits = start..<end
      }
      spans[index].range = spans[index].range.lowerBound..<digits.upperBound
    }
    // Of two spans of the same range, the one found by a rule comes first, because it has its JSON type.
    let sorted = spans.enumerated().sorted { one, other in
      (one.element.range.lowerBound, other.element.range.upperBound, one.offset)
        < (other.element.range.lowerBound, one.element.range.upperBound, other.offset)
    }
    var merged: [Span] = []
    for (_, span) in sorted {
      guard let last = merged.last, span.range.lowerBound < last.range.upperBound else {
        merged.append(span)
        continue
      }
      if span.placeholder == last.placeholder, last.isCopy, !span.isCopy {
        // A repetitive secret may also match partly outside of its range; the range found by a rule is the correct one.
        merged[merged.count - 1] = span
        continue
      }
      guard span.range.upperBound > last.range.upperBound else { continue }
      if span.placeholder == last.placeholder, span.isCopy { continue }
      hasMerged = true
      var longest = span.range.count > last.range.count ? span : last
      longest.range = last.range.lowerBound..<span.range.upperBound
      longest.isNumber = false
      longest.isCopy = false
      merged[merged.count - 1] = longest
    }
    return merged
  }
}

/// A secret in an archive.
package struct SecretMatch: Sendable, Hashable, CustomStringConvertible {
  /// The index of the entry, from 0; `nil` outside of the entries.
  package let entryIndex: Int?
  /// The field, as in `log.entries[3].request.headers[2].value`.
  package let field: String
  /// The rule that detected it.
  ///
  /// One of `header field`, `cookie`, `named field`, `prefix`, `web token`, `private key`, `password in a URL`,
  /// `literal`, `copy of a secret`, or the name of a ``Redaction/Rule``.
  package let rule: String
  /// The length of the secret in bytes.
  package let length: Int

  init(at path: [JSONValue.Step], rule: String, length: Int) {
    field = JSONValue.Step.text(of: path)
    if path.count > 2, path[1] == .member("entries"), case .element(let index) = path[2] {
      entryIndex = index
    } else {
      entryIndex = nil
    }
    self.rule = rule
    self.length = length
  }

  /// The field, the rule and the length, but not the secret.
  package var description: String { "\(field): a secret of \(length) bytes (\(rule))" }
}

/// A range of bytes and its replacement.
typealias ByteEdit = (range: Range<Int>, with: [UInt8])

/// Bytes with replaced ranges, and a mapping of the original positions.
struct RedactedBytes {
  private(set) var bytes: [UInt8] = []
  private var edits: [(old: Range<Int>, new: Range<Int>)] = []

  /// Replaces ranges that are sorted and do not overlap.
  init(_ original: [UInt8], replacing replacements: [ByteEdit]) {
    self = original.withUnsafeBufferPointer { Self($0, replacing: replacements) }
  }

  /// Replaces ranges that are sorted and do not overlap.
  init(_ original: UnsafeBufferPointer<UInt8>, replacing replacements: [ByteEdit]) {
    bytes.reserveCapacity(replacements.reduce(original.count) { $0 + $1.with.count })
    var position = 0
    for replacement in replacements where replacement.range.lowerBound >= position {
      bytes.append(contentsOf: original[position..<replacement.range.lowerBound])
      edits.append((replacement.range, bytes.count..<(bytes.count + replacement.with.count)))
      bytes.append(contentsOf: replacement.with)
      position = replacement.range.upperBound
    }
    bytes.append(contentsOf: original[position...])
  }

  /// Returns the new position of an original one; inside a replaced range, it is limited to the replacement's length.
  func place(of old: Int) -> Int {
    var (low, high) = (0, edits.count)
    while low < high {
      let middle = (low + high) / 2
      if edits[middle].old.lowerBound < old { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return old }
    let edit = edits[low - 1]
    guard old < edit.old.upperBound else { return edit.new.upperBound + (old - edit.old.upperBound) }
    return Swift.min(edit.new.lowerBound + (old - edit.old.lowerBound), edit.new.upperBound)
  }
}
