import Foundation
import Understudy

/// The names of secrets: those of a list, and longer names with the noun of a secret at their end.
///
/// Names are compared without case and separators. `old_password`, `user[password]`, `apiToken`, `accessTokens` and
/// `newPasswordConfirmation` are names of secrets; `passwordless`, `token_type` and `nextPageToken` are not.
struct SecretNames: Sendable {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  /// What a name says about its value.
  struct Meaning: Sendable {
    var value: SecretValue
    /// Whether the value may be the number of the secrets.
    var isPlural = false

    /// The meaning of a name for what is inside of an object, which describes a secret more often than it is one.
    var ofObject: Self { value == .phrase ? Self(value: .token, isPlural: isPlural) : self }
  }

  private struct Known: Sendable {
    let meaning: Meaning?
  }

  /// A text at the end of a name, by the last letters of which it is found.
  private struct Ending: Sendable {
    enum Role: Sendable {
      /// The whole name.
      case name
      case noun(isJoined: Bool)
      /// A word after a noun that does not change its meaning.
      case transparent
    }

    var role: Role
    var meaning: Meaning

    var isTransparent: Bool {
      if case .transparent = role { return true }
      return false
    }
  }

  /// The endings as a tree, from their last byte to their first.
  private var children: [UInt32: Int] = [:]
  private var endings: [Ending?] = [nil]
  /// The last characters of all endings.
  private(set) var tails: Set<String> = []
  /// The words of other languages, and the nouns before them.
  private(set) var words: Set<String> = []
  /// The names whose last word has less than three letters, by their last characters.
  private var shortTails: Set<String> = ["onid", "sid"]
  /// The first four letters of these words, or all three: one bit for each hash.
  private var beginnings = [UInt64](repeating: 0, count: 1 << 11)
  /// The meanings of the names that were asked for, because names recur.
  private let known = Locked<[String: Known]>([:])
  private static let knownCount = 2_000
  /// The words of other languages; empty if their secrets have other names.
  private var senses: [String: SecretVocabulary.Sense] = [:]

  private static let nouns = Dictionary(
    SecretVocabulary.nouns.map { ($0.text, $0) }, uniquingKeysWith: { first, _ in first })

  /// The names of the vocabulary.
  static let standard = Set(nouns.keys)

  /// The names of header fields, which have no other names.
  init(headerFields names: some Sequence<String>) {
    for name in names {
      let isStandard = Redaction.standardHeaderNames.contains(name)
      add(Self.folded(name), .name, Meaning(value: isStandard ? .phrase : .any))
    }
  }

  /// The names of members, fields and items, and longer names with the nouns among them.
  init(_ names: some Sequence<String>) {
    for name in names {
      let text = Self.folded(name)
      if let noun = Self.nouns[text] {
        add(
          text, .noun(isJoined: noun.isJoined), Meaning(value: noun.value, isPlural: noun.isPlural))
      } else {
        add(text, .name, Meaning(value: .any))
        if name.utf8.suffix(3).contains(where: Self.isSeparator) { shortTails.insert(String(text.suffix(4))) }
      }
    }
    guard !tails.isEmpty else { return }
    for word in SecretVocabulary.transparent { add(word, .transparent, Meaning(value: .any)) }
    guard contains("password"), contains("token") else { return }
    senses = SecretVocabulary.senses
    words = SecretVocabulary.parts.subtracting(SecretVocabulary.isEnglish).union(["password", "token"])
    for word in SecretVocabulary.parts.union(["api"]) where word.utf8.count < 4 { tails.insert(word) }
    for word in words.union(["mdp", "cle"]) where word.utf8.count >= 3 {
      let place = Self.place(of: word.utf8.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
      beginnings[place >> 6] |= 1 << UInt64(place & 63)
    }
  }

  /// Returns whether a separator may be among the last three characters of names with these last characters.
  func hasSeparator(nearEndOf tail: String) -> Bool { shortTails.contains(tail) }

  private mutating func add(_ text: String, _ role: Ending.Role, _ meaning: Meaning) {
    guard !text.isEmpty else { return }
    var node = 0
    for byte in text.utf8.reversed() {
      let edge = UInt32(node) << 8 | UInt32(byte)
      if let child = children[edge] {
        node = child
      } else {
        node = endings.count
        children[edge] = node
        endings.append(nil)
      }
    }
    endings[node] = Ending(role: role, meaning: meaning)
    tails.insert(String(text.suffix(4)))
  }

  var isEmpty: Bool { tails.isEmpty }

  func contains(_ name: String) -> Bool { meaning(of: name) != nil }

  /// Returns whether a text in a script without spaces has the noun of a secret.
  func isNoun(within text: String) -> Bool {
    senses.contains { $0.key.utf8.first.map { $0 >= 0xE0 } == true && text.contains($0.key) }
  }

  /// Returns what a name says about its value; `nil` if it is not the name of a secret.
  func meaning(of name: String) -> Meaning? {
    let earlier: Known? = known.withLock { $0[name] }
    if let earlier { return earlier.meaning }
    var text = name
    let found = text.withUTF8 { meaning(of: 0..<$0.count, in: $0) }
    known.withLock { (known: inout [String: Known]) in
      // A client may have any number of names.
      if known.count < Self.knownCount { known[name] = Known(meaning: found) }
    }
    return found
  }

  /// Returns what a name says about its value; `nil` if it is not the name of a secret.
  ///
  /// The name may be percent-encoded, or have the escapes of JSON.
  func meaning(of name: Range<Int>, in bytes: Bytes) -> Meaning? {
    let text = bytes[name]
    guard text.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "\\") }) else {
      return foldedMeaning(of: name, in: bytes)
    }
    var decoded: String? = String(decoding: text, as: UTF8.self)
    if text.contains(UInt8(ascii: "%")) {
      decoded = decoded?.removingPercentEncoding
    } else {
      // Of JSON in JSON strings.
      for _ in 0..<4 where decoded?.utf8.contains(UInt8(ascii: "\\")) == true {
        decoded = decoded.flatMap(Self.unescaped)
      }
    }
    guard var decoded = decoded?.precomposedStringWithCanonicalMapping else { return nil }
    // Humps of the Latin letters are seen before their case is folded.
    if decoded.utf8.contains(where: { $0 >= 0x80 }) { decoded = Self.lowercasedOthers(decoded) }
    return decoded.withUTF8 { foldedMeaning(of: 0..<$0.count, in: $0) }
  }

  /// Returns the text of a JSON string.
  private static func unescaped(_ text: String) -> String? {
    try? JSONDecoder().decode(String.self, from: Data("\"\(text)\"".utf8))
  }

  private static func lowercasedOthers(_ text: String) -> String {
    text.reduce(into: "") { $0 += $1.isASCII ? String($1) : $1.lowercased() }
  }

  private func foldedMeaning(of name: Range<Int>, in bytes: Bytes) -> Meaning? {
    if let meaning = meaningAtEnd(of: name, in: bytes) { return meaning }
    return mayHaveSenses(name, in: bytes) ? meaningOfWords(in: name, in: bytes) : nil
  }

  /// Returns whether a name may have the first letters of a word of another language; most have none.
  private func mayHaveSenses(_ name: Range<Int>, in bytes: Bytes) -> Bool {
    guard !senses.isEmpty else { return false }
    var window: UInt32 = 0
    for position in name {
      if bytes[position] >= 0x80 { return true }
      window = window << 8 | UInt32(Self.lowercased(bytes[position]))
      if isBeginning(window) || isBeginning(window & 0xFF_FFFF) { return true }
    }
    return false
  }

  private func isBeginning(_ window: UInt32) -> Bool {
    let place = Self.place(of: window)
    return beginnings[place >> 6] & 1 << UInt64(place & 63) != 0
  }

  private static func place(of window: UInt32) -> Int { Int((window &* 0x9E37_79B1) >> 15) }

  private func meaningAtEnd(of name: Range<Int>, in bytes: Bytes) -> Meaning? {
    var end = name.upperBound
    // Only a name as a whole may end with a digit.
    if let (start, ending) = longestEnding(of: name, in: bytes), !ending.isTransparent {
      return describes(before: start, name, ending.meaning, in: bytes) ? nil : ending.meaning
    }
    while end > name.lowerBound {
      // `password2` and `user[password]`.
      while end > name.lowerBound, !Self.isLetter(bytes[end - 1]) { end -= 1 }
      guard let (start, ending) = longestEnding(of: name.lowerBound..<end, in: bytes) else { return nil }
      guard ending.isTransparent else {
        return describes(before: start, name, ending.meaning, in: bytes) ? nil : ending.meaning
      }
      end = start
    }
    return nil
  }

  /// Returns what the words of a name say in other languages, in any order.
  private func meaningOfWords(in name: Range<Int>, in bytes: Bytes) -> Meaning? {
    var words: [String] = []
    var start = name.lowerBound
    for end in (name.lowerBound + 1)..<(name.upperBound + 1) where Self.isBoundary(at: end, name, in: bytes) {
      let word = bytes[start..<end].filter { Self.isLetter($0) }
      if !word.isEmpty { words += Self.scripts(of: String(decoding: word, as: UTF8.self).lowercased()) }
      start = end
    }
    guard words.count <= 8, !words.contains(where: SecretVocabulary.isChanging) else { return nil }
    var found: [SecretVocabulary.Sense: Int] = [:]
    var isForeign = false
    var index = 0
    while index < words.count {
      let longest = (1...4).reversed().first { count in
        index + count <= words.count && senses[words[index..<(index + count)].joined()] != nil
      }
      if let longest, let sense = senses[words[index..<(index + longest)].joined()] {
        found[sense] = index
        isForeign = isForeign || !SecretVocabulary.isEnglish.contains(words[index])
        index += longest
        continue
      }
      for sense in sensesInside(words[index]) {
        found[sense] = index
        isForeign = true
      }
      index += 1
    }
    if !isForeign {
      // `passwordUtente`: words of another language after an English noun.
      guard words.count > 1, !bytes[name].dropLast(2).contains(where: Self.isDigit),
        case let own = ["data", "x"].contains(words.first) ? words.dropFirst() : words[...],
        let noun = ["password", "token", "pin"].first(where: { own.first == $0 }), own.count > 1,
        own.dropFirst().allSatisfy({
          !SecretVocabulary.changing.contains($0) && !SecretVocabulary.describing.contains($0)
        })
      else { return nil }
      return Meaning(value: noun == "pin" ? .code : .token)
    }
    // In some languages, `parola` is a word and a password.
    let isPassword = words.count > 1 && words.contains { ["parola", "parolei"].contains($0) }
    if found[.password] != nil || isPassword { return Meaning(value: .phrase) }
    if found[.pin] != nil { return Meaning(value: .code) }
    if found[.code] != nil, found[.verification] != nil || found[.secret] != nil || found[.access] != nil {
      return Meaning(value: .code)
    }
    if found[.token] != nil { return Meaning(value: .token) }
    if found[.key] != nil {
      return Meaning(value: found[.secret] != nil || found[.access] != nil ? .token : .random)
    }
    return found[.secret] != nil ? Meaning(value: .token) : nil
  }

  /// Returns whether a word is in a script other than the Latin one.
  private static func isOfOtherScript(_ character: Unicode.Scalar) -> Bool {
    character.value >= 0x370 && !(0x1E00...0x1EFF ~= character.value)
  }

  /// Returns the parts of a word in one script each: `api` and `密钥`.
  private static func scripts(of word: String) -> [String] {
    guard word.utf8.contains(where: { $0 >= 0xCD }) else { return [word] }
    var parts: [String.UnicodeScalarView] = []
    var isOther: Bool?
    for scalar in word.unicodeScalars {
      if isOther != isOfOtherScript(scalar) { parts.append(.init()) }
      isOther = isOfOtherScript(scalar)
      parts[parts.count - 1].append(scalar)
    }
    return parts.map { String($0) }
  }

  /// Returns the senses of the parts of a compound, as in German, or in a script without spaces.
  private func sensesInside(_ word: String) -> [SecretVocabulary.Sense] {
    if word.unicodeScalars.first.map(Self.isOfOtherScript) == true {
      return senses.filter {
        $0.key.unicodeScalars.first.map(Self.isOfOtherScript) == true && word.contains($0.key)
      }
      .map(\.value)
    }
    // `benutzerpasswort`, `zugangscode`, `apikey` with a word of another language before it.
    for split in word.indices.dropFirst(3) {
      let (first, last) = (String(word[..<split]), String(word[split...]))
      guard last.utf8.count >= 4, let sense = senses[last] else { continue }
      if sense == .password && last.utf8.count >= 6 { return [sense] }
      if let other = senses[first], other != sense { return [other, sense] }
    }
    return []
  }

  /// Returns the longest ending of a name that begins with a part of the name.
  private func longestEnding(of name: Range<Int>, in bytes: Bytes) -> (start: Int, ending: Ending)? {
    var best: (Int, Ending)?
    var (node, position) = (0, name.upperBound)
    while position > name.lowerBound {
      let byte = bytes[position - 1]
      if Self.isSeparator(byte) {
        position -= 1
        continue
      }
      guard let child = children[UInt32(node) << 8 | UInt32(Self.lowercased(byte))] else { break }
      node = child
      position -= 1
      guard let ending = endings[node] else { continue }
      let isPart = Self.isBoundary(at: position, name, in: bytes)
      switch ending.role {
      case .name: if position == name.lowerBound { best = (position, ending) }
      case .noun(let isJoined): if isPart || isJoined { best = (position, ending) }
      case .transparent: if isPart { best = (position, ending) }
      }
    }
    return best
  }

  /// Returns whether the word before a noun makes the name that of a label, a rule, a number or a position.
  private func describes(before noun: Int, _ name: Range<Int>, _ meaning: Meaning, in bytes: Bytes) -> Bool {
    var end = noun
    while end > name.lowerBound, Self.isSeparator(bytes[end - 1]) { end -= 1 }
    guard end > name.lowerBound else { return false }
    var start = end - 1
    while start > name.lowerBound, !Self.isBoundary(at: start, name, in: bytes) { start -= 1 }
    let word = String(decoding: Bytes(rebasing: bytes[start..<end]), as: UTF8.self).lowercased()
    guard SecretVocabulary.describing.contains(word) else { return false }
    // The first and the last position of a page are tokens.
    if meaning.value == .phrase, word == "start" || word == "end" { return false }
    return meaning.isPlural || meaning.value == .phrase
      || !SecretVocabulary.describingPhrasesOnly.contains(word)
  }

  // MARK: Parts of names

  /// Returns a name in lower case, without separators.
  static func folded(_ name: String) -> String {
    String(
      decoding: name.lowercased().precomposedStringWithCanonicalMapping.utf8.filter { !isSeparator($0) },
      as: UTF8.self)
  }

  /// Returns whether a part of a name begins at a position: after a separator, or at a hump.
  private static func isBoundary(at position: Int, _ name: Range<Int>, in bytes: Bytes) -> Bool {
    guard position > name.lowerBound, position < name.upperBound else { return true }
    let (before, first) = (bytes[position - 1], bytes[position])
    if isSeparator(before) || isSeparator(first) { return true }
    if isDigit(before) != isDigit(first) { return true }
    guard isUpper(first) else { return false }
    // The last capital of `APIToken` begins a part.
    return !isUpper(before) || position + 1 < name.upperBound && isLower(bytes[position + 1])
  }

  /// Returns whether a byte is a letter or a digit of a name.
  static func isPart(_ byte: UInt8) -> Bool { !isSeparator(byte) }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    !(isUpper(byte) || isLower(byte) || isDigit(byte) || byte >= 0x80)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { isUpper(byte) || isLower(byte) || byte >= 0x80 }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private static func isUpper(_ byte: UInt8) -> Bool { byte >= 0x41 && byte <= 0x5A }

  private static func isLower(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A }

  private static func lowercased(_ byte: UInt8) -> UInt8 { isUpper(byte) ? byte | 0x20 : byte }
}
