import Foundation

/// Detection of named secrets in configuration, code, XML and HTML.
///
/// There, a name is also that of a variable or of an option in documentation. So the value must look like a secret,
/// unless its place proves it.
extension SecretScanner {
  /// Returns the value of `NAME=value`: a line of an environment, a part of a connection string or an attribute.
  func assigned(_ name: Range<Int>, from start: Int, _ separator: Separator, in bytes: Bytes) -> Find? {
    guard start < bytes.count else { return nil }
    var first = start
    // In a JSON string, the quote of a value is escaped.
    while first < bytes.count, bytes[first] == UInt8(ascii: "\\") { first += 1 }
    let escapes = first - start
    var end: Int
    let isQuoted =
      first < bytes.count && (bytes[first] == UInt8(ascii: "\"") || bytes[first] == UInt8(ascii: "'"))
    if isQuoted {
      let quote = bytes[first]
      first += 1
      end = first
      while end < bytes.count, bytes[end] != quote, bytes[end] != 0x0A, end - first < 4096 { end += 1 }
      guard end < bytes.count, bytes[end] == quote else { return nil }
      end -= escapes
    } else {
      first = start
      end = start
      while end < bytes.count, !Self.endsAssignment(bytes[end], separator) { end += 1 }
    }
    guard first < end else { return nil }
    let value = Bytes(rebasing: bytes[first..<end])
    guard Self.looksRandom(value) || isProof(name, separator, isQuoted, in: bytes) && Self.isFilled(value)
    else {
      return nil
    }
    return decodingEntities(match(in: bytes, first..<end, rule: "named field"))
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
  private func isProof(_ name: Range<Int>, _ separator: Separator, _ isQuoted: Bool, in bytes: Bytes) -> Bool
  {
    switch separator {
    // A connection string: `Server=db;User Id=app;Password=…;`
    case .semicolon: !isQuoted
    // An environment: names in capitals at the beginning of a line.
    case .line, .beginning:
      bytes[name].allSatisfy { !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    case .item, .word, .other: false
    }
  }

  /// Returns whether a value is neither a variable nor a word for one that the reader inserts.
  private static func isFilled(_ value: Bytes) -> Bool {
    guard value.count >= 6, let first = value.first, !"$<{%*.[(".utf8.contains(first), Set(value).count >= 4,
      !value.contains(where: { "()<>{}".utf8.contains($0) })
    else { return false }
    let word = String(decoding: value, as: UTF8.self).lowercased()
    return !["password", "passwd", "secret", "changeme", "string", "apikey", "access_token", "undefined"]
      .contains(word)
  }

  // MARK: Labels

  /// Adds the value of `name: value` in GraphQL, in a script, in YAML or in the text of a message.
  func labelled(endingAt colon: Int, in bytes: Bytes, _ search: inout Search) {
    let limit = max(search.end, colon - Self.longestName)
    var name = colon
    while name > limit, TokenForm.Alphabet.dotted.contains(bytes[name - 1]) { name -= 1 }
    var separator = separator(before: &name, upTo: colon, from: search.end, in: bytes)
    guard name < colon, separator != .other, separator != .item, isSecret(fieldNamed: name..<colon, in: bytes)
    else { return }
    if separator == .word, bytes[(name - 1)...].first == 0x20 {
      var start = name - 1
      while start > limit, bytes[start - 1] == 0x20 || bytes[start - 1] == UInt8(ascii: "-") { start -= 1 }
      if start == 0 || bytes[start - 1] == 0x0A { separator = .line }
    }
    var first = colon + 1
    while first < bytes.count, bytes[first] == 0x20, first - colon < 32 { first += 1 }
    var slash = first
    while slash < bytes.count, bytes[slash] == UInt8(ascii: "\\") { slash += 1 }
    guard slash < bytes.count else { return }
    if bytes[slash] == UInt8(ascii: "\""), let level = EscapeLevel(before: slash, in: bytes),
      level.backslashes == slash - first
    {
      guard let find = string(from: first, level, in: bytes).find else { return }
      if search.isGraphQL == nil { search.isGraphQL = Self.isGraphQL(bytes) }
      let isArgument = search.isGraphQL == true && separator != .beginning
      if isArgument && !find.secret.contains(" ") || Self.looksRandom(Bytes(rebasing: bytes[find.range])) {
        search.add(find)
      }
      return
    }
    let isQuoted = bytes[first] == UInt8(ascii: "'")
    guard isQuoted || separator == .line || separator == .beginning else { return }
    if isQuoted { first += 1 }
    var end = first
    while end < bytes.count,
      isQuoted
        ? bytes[end] != UInt8(ascii: "'") && bytes[end] > 0x1F : !Self.endsAssignment(bytes[end], .line)
    {
      end += 1
    }
    guard Self.looksRandom(Bytes(rebasing: bytes[first..<end])) else { return }
    search.add(match(in: bytes, first..<end, rule: "named field"))
  }

  /// Adds the value of `'name': 'value'` in a script.
  func quoted(endingAt quote: Int, in bytes: Bytes, _ search: inout Search) {
    let limit = max(search.end, quote - Self.longestName)
    var name = quote
    while name > limit, TokenForm.Alphabet.dotted.contains(bytes[name - 1]) { name -= 1 }
    guard name > limit, bytes[name - 1] == UInt8(ascii: "'"), isSecret(fieldNamed: name..<quote, in: bytes)
    else { return }
    var first = quote + 1
    skipSpace(in: bytes, &first)
    guard first < bytes.count, bytes[first] == UInt8(ascii: ":") else { return }
    first += 1
    skipSpace(in: bytes, &first)
    guard first < bytes.count, bytes[first] == UInt8(ascii: "'") else { return }
    var end = first + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "'"), bytes[end] > 0x1F { end += 1 }
    guard Self.looksRandom(Bytes(rebasing: bytes[(first + 1)..<end])) else { return }
    search.add(match(in: bytes, (first + 1)..<end, rule: "named field"))
  }

  // MARK: Markup

  /// Adds the text of an XML element whose name ends here.
  func element(endingAt endOfName: Int, in bytes: Bytes, _ search: inout Search) {
    let limit = max(search.end, endOfName - Self.longestName)
    var name = endOfName
    while name > limit, TokenForm.Alphabet.dotted.contains(bytes[name - 1]) { name -= 1 }
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
    guard name < endOfName, isSecret(fieldNamed: name..<endOfName, in: bytes) else { return }
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
    search.add(decodingEntities(match(in: bytes, start..<end, rule: "named field")))
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
    var (isSecret, value): (Bool, Range<Int>?) = (false, nil)
    let limit = min(bytes.count, position + 4096)
    while position < limit, let attribute = attribute(from: &position, upTo: limit, in: bytes) {
      switch String(decoding: bytes[attribute.name], as: UTF8.self).lowercased() {
      case "type":
        if String(decoding: bytes[attribute.value], as: UTF8.self).lowercased() == "password" {
          isSecret = true
        }
      case "name", "id", "property":
        if self.isSecret(fieldNamed: attribute.value, in: bytes) { isSecret = true }
      case "value", "content": value = attribute.value
      default: break
      }
    }
    guard isSecret, let value, !value.isEmpty, value.lowerBound >= search.end else { return }
    search.add(decodingEntities(match(in: bytes, value, rule: "named field")))
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
