import UnderstudyHTTP

extension Redactor: ArchiveEditor {
  /// A pass over the texts of an archive.
  enum Pass {
    /// Collects the secrets of texts, and replaces them until one of them is new.
    case learning
    /// Does the same for texts that already contain new placeholders.
    case learningAgain
    /// Replaces the secrets collected from the same texts, and copies of secrets.
    case replacing
    /// Replaces only copies of secrets, in texts that already have placeholders.
    case replacingCopies
    /// Lists the secrets without replacing them.
    case reporting
  }

  func isSecret(memberNamed name: String) -> Bool {
    switch scanner.fieldNames.meaning(of: name)?.value {
    case nil, .random, .field: false
    default: true
    }
  }

  var readsPaths: Bool { pass == .reporting }

  mutating func begin(_ pass: Pass) {
    self.pass = pass
    textNumber = 0
    hasMerged = false
    switch pass {
    case .learning, .learningAgain: found = [:]
    default: break
    }
  }

  mutating func edits(in text: SecretScanner.Bytes, _ place: ArchivePlace) -> [ByteEdit] {
    defer { textNumber += 1 }
    switch pass {
    case .learning, .learningAgain:
      let finds = scanner.finds(in: text, place.kind)
      if !finds.isEmpty {
        found[textNumber] = finds
        if case .learning = pass {
          learn(finds, in: text, from: place.words)
        } else {
          learn(finds.filter { placeholder(of: $0.secret) == nil }, in: text, from: place.words)
        }
      }
      return hasLearnt ? [] : replacements(of: finds, in: text, place)
    case .replacing:
      return replacements(of: found[textNumber] ?? [], in: text, place)
    case .replacingCopies:
      // A number is either a secret as a whole or not a secret. This one is not a secret by its name.
      if case .number = place.kind { return [] }
      return spans(in: text, []).map { ($0.range, Array($0.replacement.utf8)) }
    case .reporting:
      for span in spans(of: found[textNumber] ?? [], in: text, place)
      where !text[span.range].elementsEqual(span.replacement.utf8) {
        matches.append(SecretMatch(at: place.path, rule: span.rule, length: span.range.count))
      }
      return []
    }
  }

  private mutating func replacements(
    of finds: [SecretScanner.Find], in text: SecretScanner.Bytes, _ place: ArchivePlace
  ) -> [ByteEdit] {
    let spans = spans(of: finds, in: text, place)
    let isText = !spans.contains(where: \.isCopy) || SecretScanner.isText(text)
    return spans.compactMap { span in
      var new = Array(span.replacement.utf8)
      // In MessagePack, CBOR and others, the length of a text is written before it.
      if span.isCopy, !isText {
        new += [UInt8](repeating: UInt8(ascii: "."), count: max(0, span.range.count - new.count))
      }
      return text[span.range].elementsEqual(new) ? nil : (span.range, new)
    }
  }

  private mutating func spans(
    of finds: [SecretScanner.Find], in text: SecretScanner.Bytes, _ place: ArchivePlace
  ) -> [Span] {
    // A number is either a secret as a whole or not a secret.
    if case .number = place.kind, finds.isEmpty { return [] }
    return spans(in: text, finds)
  }
}

extension ArchiveTexts<Redactor> {
  /// The maximum number of rounds; each finds fewer secrets.
  private static var rounds: Int { 8 }

  /// Returns the value without the secrets that it contains, which are collected first.
  ///
  /// - Parameter isChecked: Whether to repeat until no secrets are found, instead of only after overlaps.
  mutating func redacted(
    _ value: JSONValue, isChecked: Bool = false, _ walk: (inout Self, JSONValue) -> JSONValue?
  ) -> JSONValue {
    var value = value
    for round in 0..<Self.rounds {
      editor.begin(round == 0 ? .learning : .learningAgain)
      var redacted = walk(&self, value)
      if editor.hasLearnt {
        // The new secrets may also be in texts before the one in which they were detected.
        editor.assignPlaceholders()
        editor.begin(.replacing)
        redacted = walk(&self, value)
      }
      guard let redacted else { break }
      value = redacted
      guard editor.hasMerged || isChecked else { break }
    }
    return value
  }

  /// Returns the value, which already has placeholders, without secrets that were collected later.
  mutating func redactedAgain(
    _ value: JSONValue, _ walk: (inout Self, JSONValue) -> JSONValue?
  ) -> JSONValue {
    editor.begin(.replacingCopies)
    return walk(&self, value) ?? value
  }
}

extension Redactor {
  /// The extents of JSON strings in a text; positions queried in order take a single scan.
  struct JSONStrings {
    private var position = 0
    private var isInside = false

    mutating func isInside(at place: Int, in bytes: SecretScanner.Bytes) -> Bool {
      if place < position { self = Self() }
      while position < place {
        switch bytes[position] {
        case UInt8(ascii: "\""): isInside.toggle()
        case UInt8(ascii: "\\") where isInside: position += 1
        default: break
        }
        position += 1
      }
      return isInside
    }
  }

  /// Returns whether a range is a whole JSON number, whose replacement must be a number too.
  ///
  /// An array element is only recognized outside of strings that contain JSON.
  static func isNumber(at range: Range<Int>, in bytes: SecretScanner.Bytes, _ strings: inout JSONStrings)
    -> Bool
  {
    guard bytes[range].allSatisfy({ 0x30...0x39 ~= $0 }) else { return false }
    var after = range.upperBound
    while after < bytes.count, isSpace(bytes[after]) { after += 1 }
    guard after < bytes.count, ",]}".utf8.contains(bytes[after]),
      let before = significant(before: range.lowerBound, in: bytes)
    else { return false }
    switch bytes[before] {
    case UInt8(ascii: ":"):
      return significant(before: before, in: bytes).map { bytes[$0] == UInt8(ascii: "\"") } ?? false
    case UInt8(ascii: "["), UInt8(ascii: ","):
      let first = bytes.first { !isSpace($0) }
      let isJSON = first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
      return isJSON && !strings.isInside(at: range.lowerBound, in: bytes)
    default: return false
    }
  }

  private static func significant(before position: Int, in bytes: SecretScanner.Bytes) -> Int? {
    // The search is limited, because scanning arbitrary white space for each copy would be slow.
    bytes[..<position].suffix(256).lastIndex { !isSpace($0) }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D) ~= byte
  }
}
