import Foundation

/// Detection of named secrets in configuration, code, XML and HTML.
///
/// There, a name is also that of a variable or of an option in documentation. So the value must look like a secret,
/// unless its place proves it.
extension SecretScanner {
  /// Returns the value of `NAME=value`: a line of an environment, a part of a connection string or an attribute.
  func assigned(
    _ name: Range<Int>, from start: Int, _ separator: Separator, in bytes: Bytes,
    _ meaning: SecretNames.Meaning
  ) -> Find? {
    guard start < bytes.count else { return nil }
    var first = start
    // In a JSON string, the quote of a value is escaped.
    while first < bytes.count, bytes[first] == UInt8(ascii: "\\") { first += 1 }
    let escapes = first - start
    var end: Int
    let isQuoted = first < bytes.count && "\"'`".utf8.contains(bytes[first])
    if isQuoted {
      let quote = bytes[first]
      first += 1
      end = first
      while end < bytes.count, bytes[end] != quote, bytes[end] != 0x0A, end - first < 4096 {
        let isEscape = escapes == 0 && bytes[end] == UInt8(ascii: "\\") && end + 1 < bytes.count
        end += isEscape ? 2 : 1
      }
      guard end < bytes.count, bytes[end] == quote else { return nil }
      end -= escapes
    } else {
      first = start
      end = start
      while end < bytes.count, !Self.endsAssignment(bytes[end], separator) { end += 1 }
      if separator == .line || separator == .beginning {
        end = max(end, Self.endOfLine(from: start, in: bytes))
        let line = Self.endOfLine(from: start, hasNoSpaces: false, in: bytes)
        // Some formats have values with spaces, as far as the end of the line.
        if meaning.value == .phrase,
          bytes[start..<max(start, line)].contains(where: TokenForm.Alphabet.digits.contains)
        {
          end = max(end, line)
        }
      }
    }
    // A cookie of a script is an expression.
    if case .field = meaning.value, !isQuoted,
      !isRandom(first..<end, in: bytes) || !bytes[first..<end].allSatisfy(Self.isOfToken)
    {
      return nil
    }
    guard first < end, let find = decodingEntities(match(in: bytes, first..<end, rule: "named field")),
      !judgesValues
        || meaning.value.isWritten(
          find.secret, isProved: isProof(name, separator, isQuoted, find.secret, meaning, in: bytes))
    else { return nil }
    return accepted(find, meaning)
  }

  /// Returns the end of a line, if it has neither spaces nor another assignment.
  ///
  /// - Parameter hasNoSpaces: Whether it must have no spaces.
  private static func endOfLine(from start: Int, hasNoSpaces: Bool = true, in bytes: Bytes) -> Int {
    var end = start
    while end < bytes.count, bytes[end] > 0x20 || !hasNoSpaces && bytes[end] == 0x20,
      bytes[end] != UInt8(ascii: "="),
      !"\"'<`".utf8.contains(bytes[end]),
      end - start < 4096
    {
      // A line break in a JSON string.
      if bytes[end] == UInt8(ascii: "\\"), end + 1 < bytes.count, "nr\"".utf8.contains(bytes[end + 1]) {
        return end
      }
      end += 1
    }
    return end == bytes.count || bytes[end] == 0x0A || bytes[end] == 0x0D ? end : start
  }

  private static func endsAssignment(_ byte: UInt8, _ separator: Separator) -> Bool {
    switch byte {
    case 0x00...0x20, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "\\"),
      UInt8(ascii: ";"), UInt8(ascii: "`"):
      true
    case UInt8(ascii: "&"), UInt8(ascii: ","), UInt8(ascii: ")"), UInt8(ascii: "}"), UInt8(ascii: "]"):
      separator != .line
    default: false
    }
  }

  /// Returns whether the place of a name proves that its value is a secret.
  private func isProof(
    _ name: Range<Int>, _ separator: Separator, _ isQuoted: Bool, _ value: String,
    _ meaning: SecretNames.Meaning,
    in bytes: Bytes
  ) -> Bool {
    switch separator {
    // A connection string: `Server=db;User Id=app;Password=…;`
    case .semicolon: return !isQuoted
    // An environment has names in capitals. In other files, a word may be a variable.
    case .line, .beginning:
      return bytes[name].allSatisfy { !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        || meaning.value.isChosen(value)
    case .word: return isQuoted && meaning.value == .phrase && isInTag(name.lowerBound, in: bytes)
    case .item, .other: return false
    }
  }

  /// Returns whether a position is in a tag of XML or HTML.
  private func isInTag(_ position: Int, in bytes: Bytes) -> Bool {
    guard
      let bracket = bytes[..<position].suffix(1024).lastIndex(where: {
        $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">")
      }),
      bytes[bracket] == UInt8(ascii: "<"), bracket + 1 < position
    else { return false }
    return TokenForm.Alphabet.alphanumeric.contains(bytes[bracket + 1])
  }

  // MARK: Commands

  /// Adds the value after a name and spaces: an option of a command, a word of a `.netrc`, or a text in SQL.
  func argument(endingAt endOfName: Int, valueAt start: Int, in bytes: Bytes, _ search: inout Search) {
    guard start < bytes.count else { return }
    let limit = max(search.end, endOfName - Self.longestName)
    var name = endOfName
    while name > limit, Self.isOfLabel(bytes[name - 1]) { name -= 1 }
    let isQuoted = bytes[start] == UInt8(ascii: "'")
    // Most words with the end of a name are not before a value.
    guard isQuoted || isOption(name..<endOfName, in: bytes), name < endOfName,
      let meaning = fieldNames.meaning(of: name..<endOfName, in: bytes)
    else { return }
    let first = isQuoted || bytes[start] == UInt8(ascii: "\"") ? start + 1 : start
    var end = first
    while end < bytes.count, !Self.endsAssignment(bytes[end], isQuoted ? .line : .word) { end += 1 }
    guard let find = match(in: bytes, first..<end, rule: "named field"),
      !judgesValues || meaning.value.isWritten(find.secret, isProved: false)
    else { return }
    search.add(accepted(find, meaning))
  }

  /// Returns whether a word is an option, a command of a chat, or in an entry of a `.netrc`.
  private func isOption(_ name: Range<Int>, in bytes: Bytes) -> Bool {
    guard name.count > 3 else { return false }
    switch bytes[name.lowerBound] {
    case UInt8(ascii: "-"): return bytes[name.lowerBound + 1] == UInt8(ascii: "-")
    case UInt8(ascii: "P"):
      let isLine = name.lowerBound == 0 || bytes[name.lowerBound - 1] == 0x0A
      return isLine && bytes[name].elementsEqual("PASS".utf8)
    case UInt8(ascii: "p") where bytes[name].elementsEqual("password".utf8):
      let entry = Bytes(rebasing: bytes[..<name.lowerBound].suffix(256))
      return Self.contains("machine ", in: entry) && Self.contains("login ", in: entry)
    default: return false
    }
  }

  /// Returns the password of `-u user:password`, the space before which is here.
  func userPassword(after space: Int, in bytes: Bytes) -> Find? {
    var start = space + 1
    let before = bytes[..<space].suffix(256)
    guard
      bytes[..<space].suffix(2).elementsEqual("-u".utf8)
        || bytes[..<space].suffix(6).elementsEqual("--user".utf8),
      Self.contains("curl ", in: Bytes(rebasing: before))
        || Self.contains("wget ", in: Bytes(rebasing: before))
    else { return nil }
    while start < bytes.count, "\\\"'".utf8.contains(bytes[start]) { start += 1 }
    var colon = start
    while colon < bytes.count, Self.isOfLabel(bytes[colon]) || bytes[colon] == UInt8(ascii: "@") {
      colon += 1
    }
    guard colon > start, colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else { return nil }
    var end = colon + 1
    while end < bytes.count, bytes[end] > 0x20, !"\\\"'".utf8.contains(bytes[end]) { end += 1 }
    return password((colon + 1)..<end, in: bytes)
  }

  /// Returns the password of a command, unless it is a variable or a word of its documentation.
  private func password(_ range: Range<Int>, in bytes: Bytes) -> Find? {
    guard let find = match(in: bytes, range, rule: "password of a command"),
      !judgesValues || SecretValue.phrase.isWritten(find.secret, isProved: true)
    else { return nil }
    return accepted(find, .init(value: .phrase))
  }

  /// Returns the password of `IDENTIFIED BY '…'` in SQL, the quote before which is here.
  func identified(by quote: Int, in bytes: Bytes) -> Find? {
    let end = bytes[(quote + 1)...].prefix(256).firstIndex(of: UInt8(ascii: "'"))
    guard let end,
      String(decoding: bytes[..<quote].suffix(14), as: UTF8.self).lowercased() == "identified by "
    else { return nil }
    return password((quote + 1)..<end, in: bytes)
  }

  // MARK: Tables

  /// Adds the values of the columns with a secret's name, if the text is CSV (RFC 4180).
  func table(in bytes: Bytes, _ search: inout Search) {
    // Of most texts, the first line is not one of names.
    guard let first = bytes.first, first != UInt8(ascii: "{"), first != UInt8(ascii: "<"),
      first != UInt8(ascii: "["), let head = bytes.prefix(4096).firstIndex(of: 0x0A),
      let separator = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].first(where: bytes[..<head].contains),
      !bytes[..<head].contains(where: { "{}<>=()".utf8.contains($0) })
    else { return }
    let names = Self.cells(of: 0..<head, separator, in: bytes)
    guard names.allSatisfy({ (1...64).contains($0.count) && bytes[$0.lowerBound] > 0x20 }) else { return }
    let meanings = names.map { fieldNames.meaning(of: $0, in: bytes) }
    guard meanings.contains(where: { $0 != nil }) else { return }
    var start = head + 1
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      let cells = Self.cells(of: start..<end, separator, in: bytes)
      start = end + 1
      if cells.count == 1 { continue }
      guard cells.count == names.count else { return }
      for case (let cell, let meaning?) in zip(cells, meanings) {
        search.add(anywhere: accepted(match(in: bytes, cell, rule: "named field"), meaning))
      }
    }
  }

  /// Returns the cells of a line, without their quotes.
  private static func cells(of line: Range<Int>, _ separator: UInt8, in bytes: Bytes) -> [Range<Int>] {
    var cells: [Range<Int>] = []
    var position = line.lowerBound
    var end = line.upperBound
    if end > position, bytes[end - 1] == 0x0D { end -= 1 }
    while position <= end {
      var last = position
      if position < end, bytes[position] == UInt8(ascii: "\"") {
        last += 1
        while last < end, bytes[last] != UInt8(ascii: "\"") { last += 1 }
        cells.append((position + 1)..<last)
        while last < end, bytes[last] != separator { last += 1 }
      } else {
        while last < end, bytes[last] != separator { last += 1 }
        cells.append(position..<last)
      }
      position = last + 1
    }
    return cells
  }

  // MARK: Messages

  private static let codeWords = SecretVocabulary.words(
    "code codes pin otp tan passcode password passwort kod kode código codigo codice kennwort")

  /// The words before them with which a message gives one.
  private static let givingWords = SecretVocabulary.words(
    """
    your verification security login confirmation authentication one-time sign-in
    dein deinen ihr votre ton tu su tuo tua seu sua jouw uw din ditt twój
    """)

  /// The words between them and the number.
  private static let connectingWords = SecretVocabulary.words(
    """
    is now ist lautet est es é è jest de di do da la le
    confirmation vérification verification verificación verificação verifica confirmación confirmação seguridad sécurité
    """)

  private static let copulas = [
    " is your ", " ist dein ", " ist ihr ", " est votre ", " es tu ", " é o seu ",
  ]

  /// Words before them that make them a public number.
  private static let publicWords = SecretVocabulary.words(
    "postal zip area country error status exit promo discount coupon product tax")

  /// Adds the code of a message, after or before a word that ends here: `Your login code is 403817`.
  ///
  /// Only digits are a code here; a message has many other words and numbers.
  func announced(_ endOfWord: Int, in bytes: Bytes, _ search: inout Search) {
    var word = endOfWord
    while word > 0, endOfWord - word < 16, SecretNames.isPart(bytes[word - 1]) { word -= 1 }
    // All of them begin and end with few letters; most words do not.
    guard endOfWord - word > 2, "cpotkCPOTK".utf8.contains(bytes[word]) || endOfWord - word > 8 else {
      return
    }
    let name = String(decoding: bytes[word..<endOfWord], as: UTF8.self).lowercased()
    guard Self.codeWords.contains(name) || ["passwort", "kennwort"].contains(where: name.hasSuffix) else {
      return
    }
    // In a form, spaces are `+`.
    let text = String(decoding: bytes[..<word].suffix(64), as: UTF8.self).lowercased().replacing(
      "+", with: " ")
    let before = text.split { !$0.isLetter && $0 != "-" }.last.map(String.init) ?? ""
    if Self.publicWords.contains(before) { return }
    if let copula = Self.copulas.first(where: text.contains),
      let range = text.range(of: copula, options: .backwards)
    {
      let end = word - text.utf8.distance(from: range.lowerBound, to: text.endIndex)
      search.add(anywhere: code(endingAt: end, in: bytes))
    }
    var position = endOfWord
    let limit = min(bytes.count, endOfWord + 64)
    // Words, a colon, and the tags around the number.
    while position < limit, !TokenForm.Alphabet.digits.contains(bytes[position]) {
      if bytes[position] == UInt8(ascii: "<") {
        guard let end = bytes[position..<limit].firstIndex(of: UInt8(ascii: ">")) else { return }
        position = end
      }
      if ".,;?!\"'{}[]=&".utf8.contains(bytes[position]) { return }
      position += 1
    }
    let between = String(decoding: bytes[endOfWord..<position], as: UTF8.self).lowercased()
      .replacing(/<[^>]*>/, with: "").split { !$0.isLetter }.map(String.init)
    guard between.allSatisfy(Self.connectingWords.contains),
      Self.givingWords.contains(before) || between.contains(where: { $0.utf8.count > 8 })
    else { return }
    var end = position
    while end < bytes.count, TokenForm.Alphabet.digits.contains(bytes[end]) { end += 1 }
    search.add(code(endingAt: end, in: bytes))
  }

  /// Returns a number of four to eight digits that ends here.
  private func code(endingAt end: Int, in bytes: Bytes) -> Find? {
    var start = end
    while start > 0, TokenForm.Alphabet.digits.contains(bytes[start - 1]) { start -= 1 }
    guard (4...8).contains(end - start), end == bytes.count || !Self.isOfToken(bytes[end]),
      start == 0 || !TokenForm.Alphabet.alphanumeric.contains(bytes[start - 1])
    else { return nil }
    var find = match(in: bytes, start..<end, rule: "code in a message")
    find?.hasCopies = false
    return find
  }

  // MARK: Labels

  private static func isOfLabel(_ byte: UInt8) -> Bool {
    byte >= 0x80 || TokenForm.Alphabet.dotted.contains(byte)
  }

  /// Adds the value of `name: value` in GraphQL, in a script, in YAML or in the text of a message.
  func labelled(endingAt colon: Int, in bytes: Bytes, _ search: inout Search) {
    let limit = max(search.end, colon - Self.longestName)
    var name = colon
    while name > limit,
      Self.isOfLabel(bytes[name - 1]) || "[]".utf8.contains(bytes[name - 1])
        || isEscapedLetter(at: name, upTo: colon, in: bytes)
    { name -= 1 }
    var separator = separator(before: &name, upTo: colon, from: search.end, in: bytes)
    guard name < colon, separator != .other, separator != .item else { return }
    var meaning = fieldNames.meaning(of: name..<colon, in: bytes)
    if meaning == nil, separator == .word, bytes[name - 1] == 0x20 {
      // In YAML, a name may have spaces.
      let line = bytes[limit..<name].lastIndex { $0 == 0x0A }.map { $0 + 1 } ?? limit
      let words = bytes[line..<name].drop { " -".utf8.contains($0) }
      guard words.allSatisfy({ $0 == 0x20 || Self.isOfLabel($0) }) else { return }
      (name, separator) = (words.startIndex, .line)
      meaning = fieldNames.meaning(of: name..<colon, in: bytes)
    }
    guard let meaning else { return }
    if separator == .word, bytes[(name - 1)...].first == 0x20 {
      var start = name - 1
      // A list, or the trace of a command.
      while start > limit, " -<>*".utf8.contains(bytes[start - 1]) { start -= 1 }
      if start == 0 || bytes[start - 1] == 0x0A { separator = .line }
    }
    let isLine = separator == .line || separator == .beginning
    var first = colon + 1
    while first < bytes.count, bytes[first] == 0x20, first - colon < 32 { first += 1 }
    let style = bytes[first...].prefix(2)
    var isBlock = false
    if isLine, let indicator = style.first, "|>".utf8.contains(indicator) {
      // A text in the next line.
      isBlock = true
      first += style.dropFirst().first.map("-+".utf8.contains) == true ? 2 : 1
      guard first < bytes.count, bytes[first] == 0x0A else { return }
      skipSpace(in: bytes, &first)
      guard first < bytes.count else { return }
    }
    var slash = first
    while slash < bytes.count, bytes[slash] == UInt8(ascii: "\\") { slash += 1 }
    guard slash < bytes.count else { return }
    if bytes[slash] == UInt8(ascii: "\""), let level = EscapeLevel(before: slash, in: bytes),
      level.backslashes == slash - first
    {
      guard let find = string(from: first, level, in: bytes).find else { return }
      if search.isGraphQL == nil { search.isGraphQL = Self.isGraphQL(bytes) }
      let isArgument = search.isGraphQL == true && separator != .beginning
      if isArgument && !find.secret.contains(" ") || !judgesValues
        || meaning.value.isWritten(find.secret, isProved: isLine && meaning.value.isChosen(find.secret))
      {
        search.add(accepted(find, meaning))
      }
      return
    }
    if case .field = meaning.value {
      // A header field in a message.
      var end = first
      while end < bytes.count, bytes[end] > 0x1F, bytes[end] != UInt8(ascii: "<") {
        if bytes[end] == UInt8(ascii: "\\"), end + 1 < bytes.count, "nr".utf8.contains(bytes[end + 1]) {
          break
        }
        // The end of a JSON string, unless the message has quotes of its own.
        if bytes[end] == UInt8(ascii: "\""),
          !isLine || bytes[..<name].suffix(256).contains(UInt8(ascii: "\\"))
        {
          if end > first, bytes[end - 1] == UInt8(ascii: "\\") { end += 1; continue }
          break
        }
        end += 1
      }
      let text = String(decoding: Bytes(rebasing: bytes[name..<colon]), as: UTF8.self).lowercased()
      for find in named(text, first..<end, in: bytes, meaning)
      where isLine || SecretValue.hasRandomPart(find.secret) {
        search.add(find)
      }
      return
    }
    let isQuoted = bytes[first] == UInt8(ascii: "'")
    if isQuoted { first += 1 }
    var end = first
    while end < bytes.count,
      isQuoted
        ? bytes[end] != UInt8(ascii: "'") && bytes[end] > 0x1F
        : !Self.endsAssignment(bytes[end], isLine ? .line : .word)
    {
      end += 1
    }
    if isLine, !isQuoted { end = max(end, Self.endOfLine(from: first, hasNoSpaces: !isBlock, in: bytes)) }
    guard let find = match(in: bytes, first..<end, rule: "named field"),
      !judgesValues
        || (isLine || isQuoted
          ? meaning.value.isWritten(find.secret, isProved: isLine && meaning.value.isChosen(find.secret))
          : SecretValue.isRandom(find.secret)
            || meaning.value == .code && meaning.value.isWritten(find.secret, isProved: false))
    else { return }
    search.add(accepted(find, meaning))
  }

  /// Adds the value of `'name': 'value'` in a script.
  func quoted(endingAt quote: Int, in bytes: Bytes, _ search: inout Search) {
    let limit = max(search.end, quote - Self.longestName)
    var name = quote
    while name > limit, Self.isOfLabel(bytes[name - 1]) { name -= 1 }
    guard name > limit, bytes[name - 1] == UInt8(ascii: "'") else { return }
    var first = quote + 1
    // `$config['password'] = '…'`
    let isSubscript = first < bytes.count && bytes[first] == UInt8(ascii: "]")
    if isSubscript { first += 1 }
    skipSpace(in: bytes, &first)
    // `=>` in some languages.
    if bytes[first...].starts(with: "=>".utf8) {
      first += 1
    } else if bytes[first...].first != UInt8(ascii: isSubscript ? "=" : ":") {
      return
    }
    guard let meaning = fieldNames.meaning(of: name..<quote, in: bytes) else { return }
    first += 1
    skipSpace(in: bytes, &first)
    guard first < bytes.count, bytes[first] == UInt8(ascii: "'") else { return }
    var end = first + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "'"), bytes[end] > 0x1F { end += 1 }
    guard let find = match(in: bytes, (first + 1)..<end, rule: "named field"),
      !judgesValues || meaning.value.isWritten(find.secret, isProved: false)
    else { return }
    search.add(accepted(find, meaning))
  }

  /// The spellings of a quote inside of another text.
  private static let quotes = ["&quot;", "&#34;", "&#39;", "\\u0022", "\\x22", "\\x27", "%22", "%27"]

  /// Adds the value of a name between two escaped quotes, or in an escaped element, that ends here.
  ///
  /// - Returns: Whether the name is one.
  func escaped(endingAt endOfName: Int, in bytes: Bytes, _ search: inout Search) -> Bool {
    func starts(_ position: Int, _ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }
    let isElement = starts(endOfName, "&gt;")
    guard let closing = isElement ? "&gt;" : Self.quotes.first(where: { starts(endOfName, $0) }) else {
      return false
    }
    let opening = isElement ? "&lt;" : closing
    let limit = max(search.end, endOfName - Self.longestName)
    var name = endOfName
    while name - opening.utf8.count >= limit, !starts(name - opening.utf8.count, opening),
      Self.isOfLabel(bytes[name - 1])
    {
      name -= 1
    }
    guard name - opening.utf8.count >= limit, starts(name - opening.utf8.count, opening), name < endOfName,
      let meaning = fieldNames.meaning(of: name..<endOfName, in: bytes)
    else { return false }
    var first = endOfName + closing.utf8.count
    if !isElement {
      skipSpace(in: bytes, &first)
      guard let colon = [":", "%3A", "=&gt;"].first(where: { starts(first, $0) }) else { return false }
      first += colon.utf8.count
      skipSpace(in: bytes, &first)
      guard starts(first, opening) else { return false }
      first += opening.utf8.count
    }
    var end = first
    let mark = isElement ? "&lt;" : closing
    while end < bytes.count, end - first < 4096, bytes[end] != UInt8(ascii: "\""), !starts(end, mark) {
      end += 1
    }
    guard end < bytes.count, starts(end, mark), !isElement || starts(end, "&lt;/"),
      var find = decodingEntities(match(in: bytes, first..<end, rule: "named field"))
    else { return true }
    if closing.first == "%" { find.secret = find.secret.removingPercentEncoding ?? find.secret }
    search.add(accepted(find, meaning))
    return true
  }

  // MARK: Markup

  /// Adds the text of an XML element whose name ends here.
  func element(endingAt endOfName: Int, in bytes: Bytes, _ search: inout Search) {
    let limit = max(search.end, endOfName - Self.longestName)
    var name = endOfName
    while name > limit, Self.isOfLabel(bytes[name - 1]) { name -= 1 }
    var bracket = name - 1
    // A namespace.
    if bracket >= limit, bytes[bracket] == UInt8(ascii: ":") {
      bracket -= 1
      while bracket >= limit, TokenForm.Alphabet.dotted.contains(bytes[bracket]) { bracket -= 1 }
    }
    // `\u003c` is part of the name, if a JSON encoder wrote it.
    if bracket >= limit, bytes[bracket] == UInt8(ascii: "\\"), isLessThan(at: bracket, in: bytes),
      bracket == name - 1
    {
      name += 5
    } else if bracket < limit || bytes[bracket] != UInt8(ascii: "<") {
      return
    }
    guard name < endOfName, let meaning = fieldNames.meaning(of: name..<endOfName, in: bytes) else { return }
    var start = endOfName
    while start < bytes.count, bytes[start] != UInt8(ascii: ">"), bytes[start] != UInt8(ascii: "<"),
      start - endOfName < 1024
    {
      start += 1
    }
    guard start < bytes.count, bytes[start] == UInt8(ascii: ">"), bytes[start - 1] != UInt8(ascii: "/") else {
      return
    }
    start += 1
    let data = "<![CDATA["
    let isData = bytes[start...].starts(with: data.utf8)
    if isData { start += data.utf8.count }
    var end = start
    while end < bytes.count,
      isData ? !bytes[end...].starts(with: "]]>".utf8) : bytes[end] != UInt8(ascii: "<")
    { end += 1 }
    // An element with elements has no text of its own.
    let isClosed =
      isData
      || end + 1 < bytes.count
        && (bytes[end + 1] == UInt8(ascii: "/") || bytes[end + 1] == UInt8(ascii: "\\"))
    guard isClosed || end == bytes.count else { return }
    while start < end, bytes[start] <= 0x20 { start += 1 }
    while start < end, bytes[end - 1] <= 0x20 { end -= 1 }
    search.add(accepted(decodingEntities(match(in: bytes, start..<end, rule: "named field")), meaning))
  }

  /// The elements whose text is the name of a value in another element: `<key>password</key><string>…</string>`.
  private static let elementsOfNames: Set<String> = [
    "key", "name", "parametername", "parameterkey", "fieldname",
  ]

  /// The elements of a page whose text is often that of a label, and that of the value beside it.
  private static let cells: Set<String> = ["td", "th", "dt"]

  /// Adds the text of the element after one whose text is a name that ends here, as in a property list or in XML-RPC.
  func pair(of endOfName: Int, in bytes: Bytes, _ search: inout Search) {
    let limit = max(search.end, endOfName - Self.longestName)
    var name = endOfName
    while name > limit, bytes[name - 1] != UInt8(ascii: ">"), bytes[name - 1] > 0x1F { name -= 1 }
    guard name > limit, bytes[name - 1] == UInt8(ascii: ">"),
      bytes[endOfName...].starts(with: "</".utf8),
      let close = bytes[endOfName...].prefix(64).firstIndex(of: UInt8(ascii: ">")),
      case let element = String(decoding: bytes[(endOfName + 2)..<close], as: UTF8.self).lowercased(),
      Self.elementsOfNames.contains(element) || Self.cells.contains(element),
      let meaning = fieldNames.meaning(of: name..<endOfName, in: bytes)
    else { return }
    // The value may be in an element of its type.
    var start = close + 1
    for _ in 0..<3 {
      skipSpace(in: bytes, &start)
      guard start + 1 < bytes.count, bytes[start] == UInt8(ascii: "<"), bytes[start + 1] != UInt8(ascii: "/")
      else {
        break
      }
      guard let next = bytes[start...].prefix(128).firstIndex(of: UInt8(ascii: ">")),
        bytes[next - 1] != UInt8(ascii: "/"),
        !Self.elementsOfNames.contains(
          String(decoding: bytes[(start + 1)..<next], as: UTF8.self).lowercased())
      else { return }
      start = next + 1
    }
    guard start < bytes.count, let end = bytes[start...].firstIndex(of: UInt8(ascii: "<")), start > close + 1
    else {
      return
    }
    guard let find = decodingEntities(match(in: bytes, start..<end, rule: "named field")),
      !judgesValues || !Self.cells.contains(element)
        || !find.secret.contains(" ") && meaning.value.isWritten(find.secret, isProved: false)
    else { return }
    search.add(accepted(find, meaning))
  }

  /// Adds the value in the line after one with a name that ends here: `- name: password`, `  value: …`.
  func pairOfLines(of endOfName: Int, in bytes: Bytes, _ search: inout Search) {
    let limit = max(search.end, endOfName - Self.longestName)
    var name = endOfName
    while name > limit,
      Self.isOfLabel(bytes[name - 1])
        || bytes[name - 1] == 0x20 && name - 1 > limit && bytes[name - 2] != UInt8(ascii: ":")
    {
      name -= 1
    }
    guard
      bytes[..<name].suffix(6).elementsEqual("name: ".utf8)
        || bytes[..<name].suffix(5).elementsEqual("key: ".utf8),
      let meaning = fieldNames.meaning(of: name..<endOfName, in: bytes)
    else { return }
    var start = endOfName
    skipSpace(in: bytes, &start)
    guard bytes[start...].starts(with: "value: ".utf8) else { return }
    start += 7
    var end = start
    while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
    if end - start > 2, bytes[start] == bytes[end - 1],
      bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "'")
    {
      (start, end) = (start + 1, end - 1)
    }
    search.add(accepted(match(in: bytes, start..<end, rule: "named field"), meaning))
  }

  /// Adds the attribute `value` of an element with an attribute that has a secret's name: `<add key="…" value="…"/>`.
  func attribute(valued quote: Int, _ meaning: SecretNames.Meaning, in bytes: Bytes, _ search: inout Search) {
    guard quote > 0, bytes[quote - 1] == UInt8(ascii: "="),
      let bracket = bytes[..<quote].suffix(1024).lastIndex(of: UInt8(ascii: "<"))
    else { return }
    var position = bracket + 1
    let limit = min(bytes.count, position + 4096)
    while position < limit,
      TokenForm.Alphabet.dotted.contains(bytes[position]) || bytes[position] == UInt8(ascii: ":")
    {
      position += 1
    }
    var (isNamed, value): (Bool, Range<Int>?) = (false, nil)
    while position < limit, let attribute = attribute(from: &position, upTo: limit, in: bytes) {
      switch String(decoding: bytes[attribute.name], as: UTF8.self).lowercased() {
      case "key", "name", "id", "property", "field", "param":
        isNamed = isNamed || attribute.value.lowerBound > quote
      case "value", "content", "val": value = attribute.value
      default: break
      }
    }
    if isNamed, value == nil, position < limit, bytes[position] == UInt8(ascii: ">") {
      // `<entry key="…">…</entry>`
      guard let end = bytes[position...].prefix(4096).firstIndex(of: UInt8(ascii: "<")) else { return }
      return search.add(
        accepted(decodingEntities(match(in: bytes, (position + 1)..<end, rule: "named field")), meaning))
    }
    guard isNamed, let value, !value.isEmpty else { return }
    search.add(anywhere: accepted(decodingEntities(match(in: bytes, value, rule: "named field")), meaning))
  }

  private func isLessThan(at backslash: Int, in bytes: Bytes) -> Bool {
    String(decoding: bytes[backslash...].prefix(6), as: UTF8.self).lowercased() == "\\u003c"
  }

  /// Adds the value of an HTML element `input` or `meta` with the type of a password or the name of a secret.
  func tag(at anchor: Int, in bytes: Bytes, _ search: inout Search) {
    guard
      let bracket = bytes[..<anchor].suffix(6).lastIndex(where: {
        $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "c") || $0 == UInt8(ascii: "C")
      })
    else { return }
    var position = bracket + 1
    let word = String(decoding: bytes[position...].prefix(5), as: UTF8.self).lowercased()
    guard word == "input" || word.hasPrefix("meta") else { return }
    position += word == "input" ? 5 : 4
    guard position < bytes.count, bytes[position] <= 0x20 || bytes[position] == UInt8(ascii: "\\") else {
      return
    }
    var (meaning, value): (SecretNames.Meaning?, Range<Int>?) = (nil, nil)
    let limit = min(bytes.count, position + 4096)
    while position < limit, let attribute = attribute(from: &position, upTo: limit, in: bytes) {
      switch String(decoding: bytes[attribute.name], as: UTF8.self).lowercased() {
      case "type":
        if String(decoding: bytes[attribute.value], as: UTF8.self).lowercased() == "password" {
          meaning = .init(value: .phrase)
        }
      case "name", "id", "property":
        if let named = fieldNames.meaning(of: attribute.value, in: bytes) { meaning = named }
      case "value", "content": value = attribute.value
      default: break
      }
    }
    guard let meaning, let value, !value.isEmpty, value.lowerBound >= search.end else { return }
    search.add(accepted(decodingEntities(match(in: bytes, value, rule: "named field")), meaning))
  }

  /// Returns the next attribute of an element; `nil` at its end.
  private func attribute(
    from position: inout Int, upTo limit: Int, in bytes: Bytes
  ) -> (name: Range<Int>, value: Range<Int>)? {
    func isSpace(_ byte: UInt8) -> Bool {
      byte <= 0x20 || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/")
    }
    while position < limit, isSpace(bytes[position]) { position += 1 }
    let start = position
    while position < limit,
      TokenForm.Alphabet.word.contains(bytes[position]) || bytes[position] == UInt8(ascii: ":")
    {
      position += 1
    }
    let name = start..<position
    guard !name.isEmpty else { return nil }
    guard position < limit, bytes[position] == UInt8(ascii: "=") else { return (name, position..<position) }
    position += 1
    while position < limit, bytes[position] == UInt8(ascii: "\\") { position += 1 }
    guard position < limit else { return nil }
    let quote = bytes[position]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      let first = position
      while position < limit, bytes[position] > 0x20, bytes[position] != UInt8(ascii: ">") { position += 1 }
      return (name, first..<position)
    }
    let first = position + 1
    position = first
    while position < limit, bytes[position] != quote { position += 1 }
    var last = position
    while last > first, bytes[last - 1] == UInt8(ascii: "\\") { last -= 1 }
    position += 1
    return (name, first..<last)
  }

  /// Returns the secret without the references of XML and HTML.
  private func decodingEntities(_ find: Find?) -> Find? {
    guard var find, find.secret.utf8.contains(UInt8(ascii: "&")) else { return find }
    for (entity, text) in [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&apos;", "'"), ("&amp;", "&"),
    ] {
      find.secret = find.secret.replacing(entity, with: text)
    }
    return find
  }
}
