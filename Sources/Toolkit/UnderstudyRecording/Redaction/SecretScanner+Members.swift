import Foundation
import UnderstudyHTTP

/// Detection of secrets in the members of JSON.
extension SecretScanner {
  /// Adds the value of a member whose name ends here, also in JSON inside a JSON string, or of a named part of a
  /// multipart body.
  func member(endingAt endOfName: Int, in bytes: Bytes, _ search: inout Search) {
    var closing = endOfName
    while closing < bytes.count, bytes[closing] == UInt8(ascii: "\\") { closing += 1 }
    guard closing < bytes.count, bytes[closing] == UInt8(ascii: "\"") else { return }
    let limit = max(search.end, endOfName - Self.longestName)
    var quote = endOfName - 1
    while quote >= limit, bytes[quote] != UInt8(ascii: "\"") { quote -= 1 }
    guard quote >= limit, let level = EscapeLevel(before: quote, in: bytes),
      level.backslashes == closing - endOfName,
      let meaning = meaning((quote + 1)..<endOfName, in: bytes, &search)
    else { return }
    var position = closing + 1
    // `["password"]=> string(4) "…"`
    if bytes[position...].starts(with: "]=>".utf8) || bytes[position...].starts(with: "] =".utf8) {
      position += 1
    }
    skipSpace(in: bytes, &position)
    if position < bytes.count, bytes[position] == UInt8(ascii: "="), level.backslashes == 0 {
      // `"password" = "…"` in TOML, and `=>` in other languages.
      position += 1
      if position < bytes.count, bytes[position] == UInt8(ascii: ">") { position += 1 }
      skipSpace(in: bytes, &position)
      if bytes[position...].starts(with: "string(".utf8),
        let quote = bytes[position...].prefix(24).firstIndex(of: UInt8(ascii: "\""))
      {
        position = quote
      }
      return search.add(assigned((quote + 1)..<endOfName, from: position, .line, in: bytes, meaning))
    }
    guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
      if let part = part(named: quote, until: closing, in: bytes, meaning) { return search.add(part) }
      let values = siblings(of: (quote - level.backslashes)..<(closing + 1), level, in: bytes)
      for value in values { search.add(anywhere: accepted(value, meaning)) }
      if !values.isEmpty { return }
      if position < bytes.count, bytes[position] == UInt8(ascii: ","), quote > 0 {
        element(after: position, named: (quote + 1)..<endOfName, level, in: bytes, meaning, &search)
      }
      attribute(valued: quote - level.backslashes, meaning, in: bytes, &search)
      return
    }
    position += 1
    skipSpace(in: bytes, &position)
    guard position < bytes.count else { return }
    let name = (quote + 1)..<endOfName
    let isCode = bytes[name].elementsEqual("code".utf8)
    if bytes[position] == UInt8(ascii: "[") || bytes[position] == UInt8(ascii: "{") {
      if isCode { return }
      var meaning = meaning
      var first = position
      while first < bytes.count, bytes[first] <= 0x20 || bytes[first] == UInt8(ascii: "[") { first += 1 }
      let isObject = first < bytes.count && bytes[first] == UInt8(ascii: "{")
      if isObject { meaning = meaning.ofObject }
      for leaf in leaves(from: &position, level, in: bytes) {
        // Most objects with such a name have identifiers.
        if isObject, meaning.value == .random, !Self.namesOfValues.contains(leaf.name) { continue }
        search.add(accepted(leaf.find, fieldNames.meaning(of: leaf.name) ?? meaning))
      }
    } else if level.isDelimiter(at: position, in: bytes) {
      guard let find = string(from: position, level, in: bytes).find else { return }
      if case .field = meaning.value {
        let text = String(decoding: Bytes(rebasing: bytes[name]), as: UTF8.self).lowercased()
        for find in named(text, find.range, in: bytes, meaning) { search.add(find) }
        return
      }
      // A code of OAuth is not the only code.
      if isCode, !Self.looksLikeCode(find.secret) { return }
      search.add(accepted(find, meaning))
    } else if !isCode {
      search.add(accepted(number(from: position, level, in: bytes), meaning))
    }
  }

  /// Adds the element after a name in a list of names and values, such as the header fields of a message.
  private func element(
    after comma: Int, named name: Range<Int>, _ level: EscapeLevel, in bytes: Bytes,
    _ meaning: SecretNames.Meaning,
    _ search: inout Search
  ) {
    var position = comma + 1
    skipSpace(in: bytes, &position)
    guard level.isDelimiter(at: position, in: bytes), let find = string(from: position, level, in: bytes).find
    else { return }
    let text = String(decoding: Bytes(rebasing: bytes[name]), as: UTF8.self).lowercased()
    for find in named(text, find.range, in: bytes, meaning)
    where SecretValue.hasRandomPart(find.secret) || !judgesValues || find.parts != [] {
      search.add(find)
    }
  }

  /// The names of members that contain a name and the value of that name: `{"name": "password", "value": "…"}`.
  private static let (namesOfNames, namesOfValues): (Set<String>, Set<String>) = (
    [
      "name", "key", "field", "id", "param", "parameter", "header", "variable", "label", "path", "attribute",
      "property",
      "setting", "type",
    ],
    [
      "value", "val", "content", "data", "text", "stringvalue", "defaultvalue", "old", "new", "from", "to",
      "before",
      "after", "oldvalue", "newvalue", "previous", "current",
    ]
  )

  /// Returns the values beside the name of a secret in the same object, before or after it.
  ///
  /// - Parameter name: The name with its delimiters.
  private func siblings(of name: Range<Int>, _ level: EscapeLevel, in bytes: Bytes) -> [Find] {
    // The object begins shortly before the name, and the members between them are simple.
    guard let brace = bytes[..<name.lowerBound].suffix(512).lastIndex(of: UInt8(ascii: "{")) else {
      return []
    }
    var position = brace + 1
    var (isName, values): (Bool, [Find]) = (false, [])
    for _ in 0..<16 {
      skipSpace(in: bytes, &position)
      guard level.isDelimiter(at: position, in: bytes) else { break }
      let member = string(from: position, level, in: bytes)
      position = member.next
      skipSpace(in: bytes, &position)
      guard let text = member.find?.secret.lowercased(), position < bytes.count,
        bytes[position] == UInt8(ascii: ":")
      else { break }
      position += 1
      skipSpace(in: bytes, &position)
      guard position < bytes.count else { break }
      if level.isDelimiter(at: position, in: bytes) {
        let string = string(from: position, level, in: bytes)
        if position == name.lowerBound { isName = Self.namesOfNames.contains(text) }
        if Self.namesOfValues.contains(text), let find = string.find { values.append(find) }
        position = string.next
      } else if let number = number(from: position, level, in: bytes) {
        if Self.namesOfValues.contains(text) { values.append(number) }
        position = number.range.upperBound
      } else if bytes[position] == UInt8(ascii: "{") {
        let members = leaves(from: &position, level, in: bytes)
        if ["changes", "change", "diff", "payload"].contains(text) {
          values += members.filter { Self.namesOfValues.contains($0.name.lowercased()) }.map(\.find)
        }
      } else {
        guard
          let end = bytes[position...].prefix(5).firstIndex(where: {
            $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "l")
          }),
          "tfn".utf8.contains(bytes[position])
        else { break }
        position = end + 1
        while position < bytes.count, "el".utf8.contains(bytes[position]) { position += 1 }
      }
      skipSpace(in: bytes, &position)
      guard position < bytes.count, bytes[position] == UInt8(ascii: ",") else { break }
      position += 1
    }
    return isName ? values : []
  }

  /// Adds the value beside the path of a secret in the answer of a store: `{"value": "…", "id": "…/secrets/db"}`.
  func secretOfStore(at slash: Int, in bytes: Bytes, _ search: inout Search) {
    guard
      bytes[..<slash].suffix(8).elementsEqual("/secrets".utf8)
        || bytes[..<slash].suffix(8).elementsEqual("\"secrets".utf8),
      let quote = bytes[..<slash].suffix(256).lastIndex(of: UInt8(ascii: "\"")),
      let level = EscapeLevel(before: quote, in: bytes)
    else { return }
    for value in siblings(of: (quote - level.backslashes)..<slash, level, in: bytes) {
      search.add(anywhere: accepted(value, .init(value: .token)))
    }
  }

  /// Adds the private parts of a key in JSON (RFC 7518 §6), whose member `kty` ends here.
  func webKey(endingAt endOfName: Int, in bytes: Bytes, _ search: inout Search) {
    let closing = endOfName
    guard closing >= 4, let level = EscapeLevel(before: closing - 4, in: bytes),
      let brace = bytes[..<closing].suffix(4096).lastIndex(of: UInt8(ascii: "{"))
    else { return }
    var position = brace + 1
    while position < bytes.count {
      skipSpace(in: bytes, &position)
      guard level.isDelimiter(at: position, in: bytes) else { return }
      let name = string(from: position, level, in: bytes)
      position = name.next
      skipSpace(in: bytes, &position)
      guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else { return }
      position += 1
      skipSpace(in: bytes, &position)
      guard level.isDelimiter(at: position, in: bytes) else {
        // A list such as `key_ops`.
        guard position < bytes.count, bytes[position] == UInt8(ascii: "["),
          let end = bytes[position...].prefix(256).firstIndex(of: UInt8(ascii: "]"))
        else { return }
        position = end + 1
        skipSpace(in: bytes, &position)
        guard position < bytes.count, bytes[position] == UInt8(ascii: ",") else { return }
        position += 1
        continue
      }
      let value = string(from: position, level, in: bytes)
      if let name = name.find?.secret, ["d", "p", "q", "dp", "dq", "qi", "k"].contains(name),
        let find = value.find, find.secret.utf8.count >= 16
      {
        search.add(anywhere: find)
      }
      position = value.next
      skipSpace(in: bytes, &position)
      guard position < bytes.count, bytes[position] == UInt8(ascii: ",") else { return }
      position += 1
    }
  }

  /// Returns whether a value named `code` may be the code of an authorization, and not a word or a status.
  static func looksLikeCode(_ value: String) -> Bool {
    value.utf8.count >= 8 && !value.utf8.allSatisfy { (0x30...0x39).contains($0) } && !value.contains(" ")
  }

  /// Members of an object that describes a field, and contains no secret: in a schema, a form or a translation.
  private static let namesOfDescriptions: Set<String> = [
    "$ref", "anyOf", "oneOf", "allOf", "enum", "shape", "documentation", "description", "label", "title",
    "placeholder",
    "properties", "required", "pattern", "help", "shapes", "members", "structure",
    // A currency.
    "symbol", "decimals", "contract",
  ]

  /// The types of such fields.
  private static let types: Set<String> = [
    "string", "object", "array", "integer", "number", "boolean", "null", "password", "text", "hidden",
  ]

  /// Returns the strings and numbers of an array or an object, each with the name of its member.
  ///
  /// - Parameter position: Its beginning, and then its end.
  private func leaves(
    from position: inout Int, _ level: EscapeLevel, in bytes: Bytes
  ) -> [(name: String, find: Find)] {
    var finds: [(name: String, find: Find)] = []
    var depth = 0
    var name = ""
    while position < bytes.count {
      if level.isDelimiter(at: position, in: bytes) {
        let (find, end) = string(from: position, level, in: bytes)
        position = end
        var next = end
        skipSpace(in: bytes, &next)
        if next < bytes.count, bytes[next] == UInt8(ascii: ":") {
          name = find?.secret ?? ""
          if depth == 1, Self.namesOfDescriptions.contains(name) { return [] }
          position = next + 1
          continue
        }
        if depth == 1, name == "type", let find, Self.types.contains(find.secret) { return [] }
        if let find { finds.append((name, find)) }
      } else if let number = number(from: position, level, in: bytes) {
        finds.append((name, number))
        position = number.range.upperBound
      } else {
        switch bytes[position] {
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        // Characters of `null`, `true` and `false`, and separators of elements.
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: ","), 0x09...0x0D, 0x20: break
        // A line break in JSON inside a JSON string.
        case UInt8(ascii: "\\") where level.backslashes > 0: break
        default: return finds
        }
        position += 1
      }
      if depth == 0 { break }
    }
    return finds
  }

  private func number(from start: Int, _ level: EscapeLevel, in bytes: Bytes) -> Find? {
    var end = start
    while end < bytes.count, Self.isOfNumber(bytes[end]) { end += 1 }
    guard end > start, bytes[start] != UInt8(ascii: "e"), bytes[start] != UInt8(ascii: "E") else {
      return nil
    }
    var find = match(in: bytes, start..<end, rule: "named field")
    find?.isNumber = true
    return find
  }

  /// The nesting depth of JSON in JSON strings: one backslash before each quote on the first level, three on the
  /// second.
  struct EscapeLevel {
    let backslashes: Int

    init?(before quote: Int, in bytes: Bytes) {
      var count = 0
      while count < 16, count < quote, bytes[quote - 1 - count] == UInt8(ascii: "\\") { count += 1 }
      guard count & (count + 1) == 0, count < 16 else { return nil }
      backslashes = count
    }

    /// Returns the position of the delimiter of the string that begins here.
    func end(from start: Int, in bytes: Bytes, upTo limit: Int = .max) -> Int? {
      var run = 0
      var position = start
      let limit = min(limit, bytes.count)
      while position < limit {
        let byte = bytes[position]
        if byte == UInt8(ascii: "\\") {
          run += 1
        } else {
          if byte == UInt8(ascii: "\""), run % (2 * (backslashes + 1)) == backslashes {
            return position - backslashes
          }
          run = 0
        }
        position += 1
      }
      return nil
    }

    func isDelimiter(at position: Int, in bytes: Bytes) -> Bool {
      guard position + backslashes < bytes.count, bytes[position + backslashes] == UInt8(ascii: "\"") else {
        return false
      }
      return bytes[position..<(position + backslashes)].allSatisfy { $0 == UInt8(ascii: "\\") }
    }
  }

  func skipSpace(in bytes: Bytes, _ position: inout Int) {
    while position < bytes.count,
      bytes[position] == 0x20 || (bytes[position] >= 0x09 && bytes[position] <= 0x0D)
    {
      position += 1
    }
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")) || "+-.eE".utf8.contains(byte)
  }

  /// Returns the contents of a JSON string up to its end or the end of the text, and the position after it.
  func string(
    from delimiter: Int, _ level: EscapeLevel, in bytes: Bytes
  ) -> (find: Find?, next: Int) {
    let start = delimiter + level.backslashes + 1
    let end = level.end(from: start, in: bytes) ?? bytes.count
    let next = min(bytes.count, end + level.backslashes + 1)
    guard var find = match(in: bytes, start..<end, rule: "named field") else { return (nil, next) }
    var depth = level.backslashes
    // Each level doubles the backslashes and adds one.
    while true {
      guard find.secret.utf8.contains(UInt8(ascii: "\\")),
        let decoded = (try? JSONValue(parsing: Data("\"\(find.secret)\"".utf8)))?.stringValue
      else { break }
      find.secret = decoded
      guard depth > 0 else { break }
      depth /= 2
    }
    return (find.secret.isEmpty ? nil : find, next)
  }
}
