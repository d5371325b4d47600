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

  func isSecret(memberNamed name: String) -> Bool { scanner.isSecret(fieldNamed: name) }

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
    spans(of: finds, in: text, place).compactMap { span in
      let new = Array(span.replacement.utf8)
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
