import Foundation

/// What the value of a field with the name of a secret must be, to be one.
///
/// A field `token` may contain a coin, `secrets` a number, and `password` the sentence that it is too short.
enum SecretValue: Sendable {
  /// Any value: the name was added to the rules.
  case any
  /// What a person chooses: a word may be one, but a sentence about it, a state and a short number are not.
  case phrase
  /// What a machine makes: no word, no sentence and no count.
  case token
  /// A number of four to twelve digits, or what a machine makes.
  case code
  /// The name has other uses: only a value that looks random.
  case random
  /// The value of a header field with this name: a scheme with credentials, or cookies.
  case field

  /// Returns whether a value is a secret.
  ///
  /// - Parameters:
  ///   - isNumber: Whether the value is a number of JSON.
  ///   - isPlural: Whether the value may be the number of the secrets.
  ///   - names: The names of secrets, which sentences about them contain.
  func isSecret(_ text: String, isNumber: Bool = false, isPlural: Bool = false, _ names: SecretNames) -> Bool
  {
    guard !text.isEmpty else { return false }
    if self == .random, text.utf8.count == 34, text.wholeMatch(of: Self.identifier) != nil { return false }
    if Self.isObvious(text) { return true }
    // No sentence is longer; so no text is tested again and again.
    if text.utf8.count > 2_000, self == .phrase || self == .token { return true }
    // What a redaction has replaced is a secret, whatever it looks like.
    if Redactor.isPlaceholder(text) || Redactor.placeholder(ofNumber: text) != nil { return true }
    let isTrimmed = text.utf8.first.map { $0 > 0x20 } == true && text.utf8.last.map { $0 > 0x20 } == true
    let text = isTrimmed ? text : text.trimmingCharacters(in: .whitespacesAndNewlines)
    // A long number may be a token, but most are counts.
    if isNumber, self == .token || self == .random || isPlural { return text.utf8.count >= 16 && !isPlural }
    switch self {
    case .any: return true
    case .phrase:
      if Self.isState(text) || Self.isVariable(text) || Self.isSentence(text, names) { return false }
      // The right to read secrets, and keys that are public.
      if text.utf8.count > 10 && Self.isMoment(text) { return false }
      if isPlural && Self.isPlain(text) || text.hasPrefix("ssh-")
        || text.hasPrefix("ecdsa-sha2-")
      {
        return false
      }
      if text.utf8.allSatisfy(Self.isDigit) { return text.utf8.count >= 4 && !isPlural }
      return !Self.isLabel(text, names) && !Self.isAddress(text)
    case .token, .field:
      if Self.isVariable(text) || Self.isPlain(text) || Self.isSentence(text, names) { return false }
      // The signature of a function.
      if text.utf8.last == UInt8(ascii: ")"), text.utf8.contains(UInt8(ascii: "(")) { return false }
      // A time such as `6m12s` may be the time until there are tokens again.
      if Self.isDesignToken(text) || isPlural && text.utf8.count < 8 { return false }
      // No token has spaces, unless a scheme is before it.
      return !text.contains(where: \.isWhitespace) || Self.hasRandomPart(text)
    case .code:
      let digits = text.utf8.count(where: Self.isDigit)
      let isNumber = text.utf8.allSatisfy { Self.isDigit($0) || $0 == UInt8(ascii: "-") || $0 == 0x20 }
      if isNumber { return (3...12).contains(digits) && digits * 3 > text.utf8.count }
      return digits > 0 && !text.contains(" ") && text.utf8.count >= 4 && !Self.isPlain(text)
    case .random: return Self.isRandom(text)
    }
  }

  /// The identifier of a message, an account or another resource of Twilio.
  private static var identifier: Regex<Substring> { /[A-Z]{2}[0-9a-f]{32}/ }

  /// The address of a network card, or the fingerprint of a key.
  private static var colonHex: Regex<Substring> { /(?:[0-9A-Fa-f]{2}:){5,}[0-9A-Fa-f]{2}/ }

  /// Returns whether a text is a token at first sight, without the tests that take time: most are.
  private static func isObvious(_ text: String) -> Bool {
    var (letters, digits, changes, wasDigit, isRandom) = (0, 0, 0, false, false)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits += 1
        if !wasDigit { changes += 1 }
        wasDigit = true
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
        letters += 1
        if wasDigit { changes += 1 }
        wasDigit = false
      case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "="):
        (letters, digits, changes, wasDigit) = (0, 0, 0, false)
      default: return false
      }
      // Words and numbers change seldom.
      if letters + digits >= 16, letters >= 4, digits >= 3, changes >= 4 { isRandom = true }
    }
    return isRandom
  }

  // MARK: Values that are not secrets

  private static let states = SecretVocabulary.words(
    """
    true false null nil none undefined required optional yes no on off enabled disabled hidden visible
    unknown empty missing invalid expired valid pending active inactive ok failed changed unchanged string
    text n/a nan default not_set unset deleted passed skipped redacted masked filtered removed object array
    """)

  /// Returns whether a text says whether a secret exists, or hides it.
  private static func isState(_ text: String) -> Bool {
    if text.utf8.count <= 12, states.contains(text.lowercased()) { return true }
    // A constant such as `+\\`, and `••••`.
    if !text.contains(where: { $0.isLetter || $0.isNumber }) { return true }
    return text.utf8.allSatisfy { $0 | 0x20 == UInt8(ascii: "x") }
  }

  /// Returns whether a text is a variable that something replaces: `${TOKEN}`, `{{token}}`, `<your token>`, `[FILTERED]`.
  private static func isVariable(_ text: String) -> Bool {
    guard let first = text.utf8.first, "$<{[%^!".utf8.contains(first) else { return false }
    // A regular expression.
    if text.hasPrefix("^"), text.hasSuffix("$") { return true }
    for (opening, closing) in [
      ("${", "}"), ("$(", ")"), ("{{", "}}"), ("<", ">"), ("[", "]"), ("%(", ")"), ("%", "%"),
    ]
    where text.hasPrefix(opening) && text.hasSuffix(closing) && text.count > opening.count + closing.count {
      let name = text.dropFirst(opening.count).dropLast(closing.count)
      if name.allSatisfy({ $0.isLetter || $0.isNumber || " _-.:|*".contains($0) }) { return true }
    }
    // A tag of YAML.
    if first == UInt8(ascii: "!"), text.utf8.dropFirst().allSatisfy({ (0x61...0x7A).contains($0) }) {
      return true
    }
    // An object that a script wrote as a text.
    return text == "[object Object]"
  }

  /// Words of a message about a secret.
  private static let messageWords = SecretVocabulary.words(
    """
    must required blank characters character letters minimum maximum match matches invalid incorrect wrong
    least cannot can't missing expired short long weak please enter forgot muss mindestens zeichen bitte
    doit caractères veuillez debe caracteres deve caratteri moet tekens должен символов not should is your
    """)

  /// Returns whether a text is a sentence about a secret.
  static func isSentence(_ text: String, _ names: SecretNames) -> Bool {
    guard text.utf8.contains(where: { $0 <= 0x20 }) else {
      // Scripts without spaces.
      return text.utf8.first.map { $0 >= 0xE3 } == true && text.count >= 4 && names.isNoun(within: text)
    }
    let words = text.split { !$0.isLetter && $0 != "'" && $0 != "’" }
    let texts = text.split(whereSeparator: \.isWhitespace)
    guard words.count >= 2 else { return false }
    // The words of credentials are not only letters.
    let letters = texts.count { $0.allSatisfy { $0.isLetter || ".,:;!?'’\"()-".contains($0) } }
    guard letters * 3 >= texts.count * 2 else { return false }
    if words.contains(where: { messageWords.contains($0.lowercased()) }) { return true }
    // A person may choose `altes Passwort 1`.
    return !text.contains(where: \.isNumber) && words.contains { names.contains(String($0)) }
  }

  /// Returns whether a text is the name of a secret as a person writes it: `Password` or `Mot de passe`.
  private static func isLabel(_ text: String, _ names: SecretNames) -> Bool {
    // No keyboard types these letters into a field for passwords.
    if text.unicodeScalars.allSatisfy({ 0x3040...0x9FFF ~= $0.value || 0xAC00...0xD7A3 ~= $0.value }) {
      return true
    }
    return text.first?.isUppercase == true
      && text.allSatisfy { $0.isLetter || $0 == " " || $0 == ":" || $0 == "*" }
      && names.contains(text)
  }

  /// Returns whether a text is a URL or a path.
  private static func isAddress(_ text: String) -> Bool {
    let first = text.utf8.first ?? 0
    if first | 0x20 == UInt8(ascii: "h"),
      ["https://", "http://", "https%3A", "http%3A"].contains(where: text.hasPrefix)
    {
      return true
    }
    if text.utf8.dropFirst(2).first == UInt8(ascii: ":"), text.wholeMatch(of: colonHex) != nil { return true }
    let slashes = text.utf8.count { $0 == UInt8(ascii: "/") }
    // `projects/shop/secrets/stripe`
    if slashes >= 2, text.split(separator: "/").count >= 3, isWords(text[...]) { return true }
    guard slashes > 0, first == UInt8(ascii: "/") || text.hasPrefix("./") || text.hasPrefix("~/") else {
      return false
    }
    let parts = text.split(separator: "/")
    return parts.count >= 2 && parts.allSatisfy { isWords($0) }
  }

  /// Returns whether a text is a word, words that a separator joins, a short number, a date, an address, a host, a
  /// locale, a type or a version.
  static func isPlain(_ text: String) -> Bool {
    if isState(text) || isAddress(text) || isMoment(text) { return true }
    if text.utf8.allSatisfy({ isDigit($0) || ".,:-+/ ".utf8.contains($0) }) {
      return text.utf8.count(where: isDigit) < 6 || text.contains(".") && text.utf8.count < 16
    }
    // `v1` and `h2`.
    if text.utf8.count <= 3, text.first?.isLetter == true, text.dropFirst().allSatisfy(\.isNumber) {
      return true
    }
    return isWords(text[...])
  }

  /// Returns whether a text is words or short numbers with separators between them.
  private static func isWords(_ text: Substring) -> Bool {
    let parts = text.split { "-_/.+:;, '’".contains($0) }
    return !parts.isEmpty && parts.count <= 40 && parts.allSatisfy(isWord)
  }

  /// Returns whether a text is a word: letters of one case, except for the first one and humps.
  private static func isWord(_ text: Substring) -> Bool {
    guard text.allSatisfy(\.isLetter) else { return false }
    if text.utf8.contains(where: { $0 >= 0x80 }) { return text.count <= 14 }
    guard text.utf8.count > 3 else { return true }
    if text.utf8.allSatisfy(isUpper) {
      return text.utf8.count <= 12 && (text.utf8.count <= 8 || hasVowels(text))
    }
    // Humps of three letters or more, as in `cryptoKeyVersion`, and of two in `useToVerify`.
    var parts: [Int] = []
    for byte in text.utf8 {
      if isUpper(byte) || parts.isEmpty { parts.append(0) }
      parts[parts.count - 1] += 1
    }
    return parts.allSatisfy { $0 >= 2 && $0 <= 14 } && parts.count { $0 < 3 } <= 1 && parts.count <= 3
      && hasVowels(text)
  }

  /// Returns whether a text has no more than five consonants in a row, unlike most random letters.
  private static func hasVowels(_ text: Substring) -> Bool {
    var run = 0
    for byte in text.utf8 {
      run = "aeiouyAEIOUY".utf8.contains(byte) ? 0 : run + 1
      if run > 4 { return false }
    }
    return true
  }

  /// Returns whether a text is a date or a time.
  private static func isMoment(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    func digits(_ range: Range<Int>) -> Bool {
      range.upperBound <= bytes.count && bytes[range].allSatisfy(isDigit)
    }
    // `2026-01-01` and `2026-01-01T12:00:00Z`.
    if digits(0..<4), bytes.count >= 10, bytes.count <= 35, bytes[4] == bytes[7],
      "-/.".utf8.contains(bytes[4]),
      digits(5..<7), digits(8..<10)
    {
      return bytes.count == 10 || bytes[10] == UInt8(ascii: "T") || bytes[10] == 0x20
    }
    // `6m12s`.
    if bytes.count <= 8, text.wholeMatch(of: Self.duration) != nil { return true }
    // `Thu, 01 Jan 2026 00:00:00 GMT`.
    return bytes.count >= 16 && bytes.count <= 32 && bytes[3] == UInt8(ascii: ",") && text.contains(":")
  }

  /// Returns whether a text is more likely a secret than a word, an identifier, a path, a date or code.
  static func isRandom(_ text: String) -> Bool {
    let count = text.utf8.count
    guard count >= 8, count <= 4096, !isPlain(text), !isSlug(text) else { return false }
    var (letters, digits, others) = (0, 0, 0)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): letters += 1
      case 0...0x20, UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "$"), UInt8(ascii: "<"),
        UInt8(ascii: "["),
        UInt8(ascii: "\\"):
        return false
      default: others += 1
      }
    }
    guard letters >= 2, others * 3 <= count, Set(text.utf8).count >= 6 else { return false }
    return digits >= 2 || count >= 16 && others * 8 <= count
  }

  /// Returns whether one of the parts of a text looks random: `Token token="…"`.
  static func hasRandomPart(_ text: String) -> Bool {
    text.split { $0.isWhitespace || ",;=\"'\\".contains($0) }.contains { isRandom(String($0)) }
  }

  /// Returns whether a text in a configuration or a message is a secret, and not a word, a variable or code.
  ///
  /// - Parameter isProved: Whether its place says so.
  func isWritten(_ text: String, isProved: Bool) -> Bool {
    if self == .code || self == .phrase, text.utf8.count >= 4, text.utf8.allSatisfy(Self.isDigit) {
      return true
    }
    if Self.isRandom(text) { return true }
    // Brackets are around a variable, unless digits are between them.
    let isMarkup = !text.contains(" ") && text.utf8.contains(where: Self.isDigit)
    guard text.utf8.count >= 6, let first = text.utf8.first, !"$%*.[(".utf8.contains(first),
      first != UInt8(ascii: "<") || isMarkup,
      Set(text.utf8).count >= 4,
      text.firstMatch(of: Self.expression) == nil, isProved || !text.utf8.contains(where: "()".utf8.contains),
      !["password", "passwd", "secret", "changeme", "string", "apikey", "access_token", "undefined"]
        .contains(text.lowercased())
    else { return false }
    return isProved && (self == .phrase || !Self.isPlain(text))
      || !Self.isPlain(text) && text.utf8.contains(where: Self.isDigit)
  }

  /// Returns whether a value after a name at the beginning of a line is not a word of a documentation.
  func isChosen(_ text: String) -> Bool {
    // `correct-horse-battery`
    !Self.isPlain(text)
      || self == .phrase && text.utf8.count >= 10 && text.contains("-") && !Self.isState(text)
        && text.allSatisfy { $0.isLetter || $0 == "-" }
  }

  private static var duration: Regex<Substring> { /(?:[0-9]+h)?(?:[0-9]+m)?[0-9]+m?s/ }

  /// A call, a subscript or a reference to a variable: `os.environ[`, `next(tokens)`, `{{ password }}`.
  private static var expression: Regex<Substring> { /^[A-Za-z_][\w.:>-]*[\[(]|\{\{|\}\}|<%/ }

  /// Returns whether a text is up to three words and short numbers: `color.primary.500`, `spacing-4`.
  private static func isDesignToken(_ text: String) -> Bool {
    let parts = text.split { "-_.".contains($0) }
    return (2...3).contains(parts.count)
      && parts.allSatisfy { isWord($0) || $0.utf8.count <= 3 && $0.utf8.allSatisfy(isDigit) }
  }

  /// Returns whether a text is words and numbers of up to ten digits: `item-1042`, `user_42_de`.
  static func isSlug(_ text: String) -> Bool {
    let parts = text.split { "-_/.+:;, |=()@".contains($0) }
    let others = parts.filter { !isWord($0) && !($0.utf8.count <= 10 && $0.utf8.allSatisfy(isDigit)) }
    return !parts.isEmpty && others.count <= 1 && others.allSatisfy { $0.utf8.count <= 4 }
  }

  /// Returns whether a copy of a secret is hardly another value.
  ///
  /// A copy of anything else is only replaced where a rule detects it: the password `password`, the time zone of a cookie,
  /// a code.
  func isDistinctive(_ secret: String) -> Bool {
    if Self.isObvious(secret) { return true }
    let count = secret.utf8.count
    guard count >= 6, !(count < 20 && secret.utf8.allSatisfy(Self.isDigit)), !Self.isVariable(secret) else {
      return false
    }
    switch self {
    case .any, .phrase, .code:
      let isWord = count < 20 && secret.allSatisfy { $0.isASCII && $0.isLetter }
      return !isWord && !Self.isMoment(secret) && !Self.isAddress(secret)
    case .token, .random, .field: return !Self.isPlain(secret) && !Self.isSlug(secret)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  private static func isUpper(_ byte: UInt8) -> Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte }
}
