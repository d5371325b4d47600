/// PostgreSQL's default parser of texts (PostgreSQL documentation, 12.5), for what texts usually have: words, numbers,
/// compounds with hyphens, addresses, paths, and markup that is skipped.
struct TextTokenizer {
  enum Kind {
    /// A word of letters, which a stemmer reads.
    case word
    /// Numbers, addresses, and words with digits, which are only put in lower case.
    case other
  }

  struct Token {
    var kind: Kind
    var text: String
  }

  private let text: [Unicode.Scalar]
  private var position = 0
  private var tokens: [Token] = []

  private init(_ text: String) { self.text = Array(text.unicodeScalars) }

  static func tokens(of text: String) -> [Token] {
    var tokenizer = TextTokenizer(text)
    while tokenizer.position < tokenizer.text.count { tokenizer.next() }
    return tokenizer.tokens
  }

  // MARK: Characters

  private func at(_ index: Int) -> Unicode.Scalar { text.indices.contains(index) ? text[index] : "\0" }
  private func isLetter(_ index: Int) -> Bool { CharacterClass.Name.alpha.contains(at(index)) }
  private func isDigit(_ index: Int) -> Bool { ("0"..."9").contains(at(index)) }
  private func isAlphanumeric(_ index: Int) -> Bool { CharacterClass.Name.alnum.contains(at(index)) }

  private func isASCIIAlphanumeric(_ index: Int) -> Bool { at(index).isASCII && isAlphanumeric(index) }

  /// The end of the characters from an index for which a condition holds.
  private func end(from start: Int, while condition: (Int) -> Bool) -> Int {
    var index = start
    while index < text.count, condition(index) { index += 1 }
    return index
  }

  private mutating func add(_ kind: Kind, _ range: Range<Int>) {
    tokens.append(Token(kind: kind, text: Function.string(text[range])))
  }

  // MARK: Tokens

  private mutating func next() {
    switch at(position) {
    case "<" where isLetter(position + 1) || at(position + 1) == "/" || at(position + 1) == "!":
      // A tag.
      let end = end(from: position + 1) { at($0) != ">" && at($0) != "<" }
      position = at(end) == ">" ? end + 1 : position + 1
    case "&":
      let start = position + (at(position + 1) == "#" ? 2 : 1)
      let end = end(from: start, while: isASCIIAlphanumeric)
      position = end > start && at(end) == ";" ? end + 1 : position + 1
    case "-", "+":
      let end = numberEnd(from: position + 1)
      if end > position + 1 {
        add(.other, position..<end)
        position = end
      } else {
        position += 1
      }
    case "/", "~":
      let end = at(position + 1) == "/" ? position : fileEnd(from: position)
      if end > position + 1 {
        add(.other, position..<end)
        position = end
      } else {
        position += 1
      }
    case _ where isAlphanumeric(position): longest()
    default: position += 1
    }
  }

  /// Adds the longest token that begins with a letter or a digit.
  private mutating func longest() {
    let letters = end(from: position, while: isLetter)
    if at(letters) == ":", at(letters + 1) == "/", at(letters + 2) == "/" {
      position = letters + 3
      return
    }
    let start = position
    let (email, host) = (emailEnd(), hostEnd(from: start))
    let (url, number) = (urlEnd(host: host), numberEnd(from: start))
    let file =
      isLetter(start) || at(end(from: start, while: isAlphanumeric)) == "/" ? fileEnd(from: start) : start
    let alphanumeric = end(from: start, while: isAlphanumeric)
    let most = max(email, url, host, number, file, alphanumeric)
    if email == most {
      add(.other, start..<email)
    } else if url == most {
      add(.other, start..<url)
      let port = portEnd(host: host)
      add(.other, start..<port)
      add(.other, port..<url)
    } else if host == most {
      add(.other, start..<portEnd(host: host))
      position = portEnd(host: host)
      return
    } else if number == most {
      add(.other, start..<number)
    } else if file == most, file > alphanumeric {
      add(.other, start..<file)
    } else {
      word()
      return
    }
    position = most
  }

  /// An integer, a decimal number, one with an exponent, or a version `1.2.3`.
  private func numberEnd(from start: Int) -> Int {
    var end = end(from: start, while: isDigit)
    guard end > start else { return start }
    var parts = 1
    while at(end) == ".", isDigit(end + 1) {
      end = self.end(from: end + 1, while: isDigit)
      parts += 1
    }
    if parts <= 2, at(end) == "e" || at(end) == "E" {
      let sign = at(end + 1) == "-" || at(end + 1) == "+" ? 1 : 0
      let exponent = self.end(from: end + 1 + sign, while: isDigit)
      if exponent > end + 1 + sign { end = exponent }
    }
    return end
  }

  /// Labels with dots between them, of which the last has only letters, and two of them at least.
  private func hostEnd(from start: Int) -> Int {
    var end = start
    var best = start
    while isASCIIAlphanumeric(end) {
      let label = end
      end = self.end(from: end) { isASCIIAlphanumeric($0) || at($0) == "-" || at($0) == "_" }
      if label > start, end - label > 1, (label..<end).allSatisfy({ at($0).isASCII && isLetter($0) }) {
        best = end
      } else {
        best = start
      }
      guard at(end) == ".", isASCIIAlphanumeric(end + 1) else { break }
      end += 1
    }
    return best
  }

  private func portEnd(host: Int) -> Int {
    guard at(host) == ":", isDigit(host + 1) else { return host }
    return end(from: host + 1, while: isDigit)
  }

  /// A host with a path.
  private func urlEnd(host: Int) -> Int {
    let port = portEnd(host: host)
    guard host > position, at(port) == "/" else { return position }
    return end(from: port) {
      at($0).isASCII && at($0).value > 0x20 && !"\"<>\\^`{|}".unicodeScalars.contains(at($0))
    }
  }

  private func emailEnd() -> Int {
    let local = end(from: position) { isASCIIAlphanumeric($0) || "._-".unicodeScalars.contains(at($0)) }
    guard at(local) == "@" else { return position }
    let host = hostEnd(from: local + 1)
    return host > local + 1 ? host : position
  }

  /// A path: a name with a slash or a dot within.
  private func fileEnd(from start: Int) -> Int {
    var end = end(from: start) {
      isASCIIAlphanumeric($0) || "._-/".unicodeScalars.contains(at($0)) || $0 == start && at($0) == "~"
    }
    while end > start, !isASCIIAlphanumeric(end - 1) { end -= 1 }
    guard let mark = (start..<end).first(where: { at($0) == "/" || at($0) == "." }) else { return start }
    // Two dots in a row, and a hyphen before the mark, do not occur in names.
    for index in start..<max(start, end - 1) where at(index) == "." && at(index + 1) == "." { return start }
    return mark == start || isASCIIAlphanumeric(mark - 1) || at(mark - 1) == "~" || at(mark - 1) == "_"
      ? end : start
  }

  /// A word, or a compound with hyphens together with its parts.
  private mutating func word() {
    let start = position
    var parts: [Range<Int>] = []
    var place = start
    while true {
      let end = end(from: place, while: isAlphanumeric)
      parts.append(place..<end)
      guard at(end) == "-", isLetter(end + 1), isLetter(start) else { break }
      place = end + 1
    }
    func kind(_ range: Range<Int>) -> Kind {
      range.allSatisfy { isLetter($0) || at($0) == "-" } ? .word : .other
    }
    position = parts[parts.count - 1].upperBound
    let whole = start..<position
    add(kind(whole), whole)
    guard parts.count > 1 else { return }
    for part in parts { add(kind(part), part) }
    // A number after a compound has no sign.
    if at(position) == "-", isDigit(position + 1) { position += 1 }
  }
}

/// A configuration of the full-text search: `simple` or `english`.
package enum TextSearchConfiguration: String, Sendable {
  case simple, english

  package init(named name: String) throws(PostgreSQLError) {
    let plain = name.hasPrefix("pg_catalog.") ? String(name.dropFirst(11)) : name
    if let configuration = TextSearchConfiguration(rawValue: plain) {
      self = configuration
      return
    }
    let others: Set<String> = [
      "arabic", "armenian", "basque", "catalan", "danish", "dutch", "finnish", "french", "german", "greek",
      "hindi", "hungarian", "indonesian", "irish", "italian", "lithuanian", "nepali", "norwegian",
      "portuguese", "romanian", "russian", "serbian", "spanish", "swedish", "tamil", "turkish", "yiddish",
    ]
    if others.contains(plain) {
      throw PostgreSQLError.notSupported(
        "the text search configuration \"\(name)\"", instead: "Use \"simple\" or \"english\".")
    }
    throw PostgreSQLError("42704", "text search configuration \"\(name)\" does not exist")
  }

  /// Words that are too frequent to be found by.
  private static let stopWords = Set(
    """
    i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it \
    its itself they them their theirs themselves what which who whom this that these those am is are was were be been \
    being have has had having do does did doing a an the and but if or because as until while of at by for with about \
    against between into through during before after above below to from up down in out on off over under again further \
    then once here there when where why how all any both each few more most other some such no nor not only own same so \
    than too very s t can will just don should now
    """.split(separator: " ").map(String.init))

  /// The lexeme of a token, or nil of a stop word.
  private func lexeme(_ token: TextTokenizer.Token) -> String? {
    let word = Function.lowercased(token.text)
    guard self == .english, token.kind == .word else { return word }
    return Self.stopWords.contains(word) ? nil : EnglishStemmer.stem(word)
  }

  /// The lexemes of a text with their positions.
  ///
  /// Stop words have positions too, but are left out.
  func lexemes(of text: String) -> [(text: String, position: Int)] {
    var found: [(text: String, position: Int)] = []
    for (index, token) in TextTokenizer.tokens(of: text).enumerated() {
      // Longer words are ignored (PostgreSQL documentation, 12.11).
      if token.text.utf8.count <= 2046, let lexeme = lexeme(token) { found.append((lexeme, index + 1)) }
    }
    return found
  }

  /// A query of the words of a text, with `empty` in the place of stop words between them.
  func query(
    _ text: String, _ joint: TextQuery.Joint, isPrefix: Bool = false, weights: String = ""
  ) -> TextQuery {
    var query: TextQuery?
    var last = 0
    for (text, position) in lexemes(of: text) {
      if last > 0 {
        for _ in last + 1..<max(last + 1, position) { query = query.map { joint.join($0, .empty) } }
      }
      last = position
      let word = TextQuery.word(text, isPrefix: isPrefix, weights: weights)
      query = query.map { joint.join($0, word) } ?? word
    }
    return query ?? .empty
  }
}
