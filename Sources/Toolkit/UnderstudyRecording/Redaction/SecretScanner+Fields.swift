import Foundation
import UnderstudyHTTP

/// Detection of values that are secrets by their names.
extension SecretScanner {
  static let longestName = 192

  // MARK: Names

  /// Adds the value of the name that ends before this delimiter, if the name is that of a secret.
  func named(endingAt delimiter: Int, in bytes: Bytes, _ search: inout Search) {
    var end = delimiter
    // `user[password]`
    if bytes[end] == UInt8(ascii: "]") { end += 1 }
    guard end < bytes.count else { return }
    switch bytes[end] {
    case UInt8(ascii: "\""):
      member(endingAt: end, in: bytes, &search)
      announced(end, in: bytes, &search)
    case UInt8(ascii: "."): announced(end, in: bytes, &search)
    case UInt8(ascii: "\\"):
      if isEscape("u003d", at: end, in: bytes) {
        assignment(endingAt: end, valueAt: end + 6, in: bytes, &search)
      } else if !escaped(endingAt: end, in: bytes, &search) {
        member(endingAt: end, in: bytes, &search)
      }
    case UInt8(ascii: "&"):
      if !escaped(endingAt: end, in: bytes, &search) { announced(end, in: bytes, &search) }
    case UInt8(ascii: "="): assignment(endingAt: end, valueAt: end + 1, in: bytes, &search)
    case UInt8(ascii: "%"):
      if escaped(endingAt: end, in: bytes, &search) { return }
      // An item of a URL in a URL, which may be in a third one.
      guard let sign = ["%3D", "%3d", "%253D", "%253d"].first(where: { bytes[end...].starts(with: $0.utf8) })
      else { return }
      assignment(endingAt: end, valueAt: end + sign.utf8.count, in: bytes, &search)
    case UInt8(ascii: ":"):
      labelled(endingAt: end, in: bytes, &search)
      announced(end, in: bytes, &search)
    case UInt8(ascii: "'"): quoted(endingAt: end, in: bytes, &search)
    case UInt8(ascii: ">"): element(endingAt: end, in: bytes, &search)
    case UInt8(ascii: "<"): pair(of: end, in: bytes, &search)
    case 0x0A, 0x0D: pairOfLines(of: end, in: bytes, &search)
    case 0x09, 0x20:
      // `name = "value"`.
      var equals = end
      while equals < bytes.count, bytes[equals] == 0x20 || bytes[equals] == 0x09, equals - end < 64 {
        equals += 1
      }
      if equals + 1 < bytes.count, bytes[equals] == UInt8(ascii: "="), !"=>~".utf8.contains(bytes[equals + 1])
      {
        var value = equals + 1
        while value < bytes.count, bytes[value] == 0x20 || bytes[value] == 0x09, value - equals < 64 {
          value += 1
        }
        assignment(endingAt: end, valueAt: value, in: bytes, &search)
      } else {
        element(endingAt: end, in: bytes, &search)
        argument(endingAt: end, valueAt: equals, in: bytes, &search)
        announced(end, in: bytes, &search)
      }
    default: break
    }
  }

  func isEscape(_ digits: String, at backslash: Int, in bytes: Bytes) -> Bool {
    bytes[(backslash + 1)...].prefix(digits.utf8.count).map { $0 | 0x20 } == digits.utf8.map { $0 | 0x20 }
  }

  /// Returns what a name says about its value; the code of an exchange of OAuth is a secret, too.
  func meaning(_ name: Range<Int>, in bytes: Bytes, _ search: inout Search) -> SecretNames.Meaning? {
    if let meaning = fieldNames.meaning(of: name, in: bytes) { return meaning }
    guard redactsCodes, bytes[name].elementsEqual("code".utf8) else { return nil }
    if search.isOAuth == nil { search.isOAuth = Self.isOAuth(bytes) }
    return search.isOAuth == true ? SecretNames.Meaning(value: .any) : nil
  }

  /// Returns the meaning of a name that is a secret's only in a query with a long value: `?key=…`, `?code=…`.
  private func meaning(
    ofItem name: Range<Int>, from start: Int, in bytes: Bytes
  ) -> SecretNames.Meaning? {
    guard redactsPasswordsInURLs, (3...6).contains(name.count),
      ["key", "code", "appid", "ticket", "tok"].contains(
        String(decoding: bytes[name], as: UTF8.self).lowercased())
    else { return nil }
    var end = start
    while end < bytes.count, !Self.endsValue(bytes[end], isForm: false) { end += 1 }
    // Shorter ones are identifiers, coupons and states.
    guard end - start >= 20, isRandom(start..<end, in: bytes),
      name.count == 6 || UUID(uuidString: String(decoding: bytes[start..<end], as: UTF8.self)) == nil
    else { return nil }
    return .init(value: .random)
  }

  // MARK: Parts of a multipart body

  /// Returns the value of a part with this secret name (RFC 7578 §4.2).
  func part(
    named quote: Int, until endOfName: Int, in bytes: Bytes, _ meaning: SecretNames.Meaning
  ) -> Find? {
    let name = "name="
    guard quote >= name.utf8.count,
      bytes[(quote - name.utf8.count)..<quote].elementsEqual(name.utf8),
      Self.contains("form-data", in: Bytes(rebasing: bytes[..<quote].suffix(256)))
    else { return nil }
    let longestHead = 1024
    var position = endOfName
    let limit = min(bytes.count, endOfName + longestHead)
    // The fields of the part end with an empty line.
    while position < limit {
      guard bytes[position] == 0x0A else {
        position += 1
        continue
      }
      let next = position + 1 < limit && bytes[position + 1] == 0x0D ? position + 2 : position + 1
      if next < limit, bytes[next] == 0x0A {
        let start = next + 1
        var end = start
        while end < bytes.count, !isEndOfPart(at: end, in: bytes) { end += 1 }
        return accepted(match(in: bytes, start..<end, rule: "named field"), meaning)
      }
      position += 1
    }
    return nil
  }

  /// Returns whether a line break and the beginning of a boundary are at a position (RFC 2046 §5.1.1).
  private func isEndOfPart(at position: Int, in bytes: Bytes) -> Bool {
    bytes[position...].starts(with: "\r\n--".utf8) || bytes[position...].starts(with: "\n--".utf8)
  }

  // MARK: Fields of forms and URLs

  /// Adds the value of a `name=value` in a URL, in a form or in a text, whose name ends here.
  private func assignment(
    endingAt endOfName: Int, valueAt start: Int, in bytes: Bytes, _ search: inout Search
  ) {
    let limit = max(search.end, endOfName - Self.longestName)
    var first = endOfName
    while first > limit,
      !Self.endsName(bytes[first - 1]) || isEscapedLetter(at: first, upTo: endOfName, in: bytes)
    {
      first -= 1
    }
    var separator = separator(before: &first, upTo: endOfName, from: search.end, in: bytes)
    // `//host/:_authToken=…`
    if first < endOfName, bytes[first] == UInt8(ascii: ":") { (first, separator) = (first + 1, .word) }
    let name = first..<endOfName
    guard !name.isEmpty, separator != .other,
      let meaning = meaning(name, in: bytes, &search)
        ?? (separator == .item ? meaning(ofItem: name, from: start, in: bytes) : nil)
    else { return }
    // `:password => "…"`
    let start = start < bytes.count && bytes[start] == UInt8(ascii: ">") ? start + 1 : start
    switch separator {
    case .item: search.add(item(name, from: start, isForm: search.isForm, in: bytes, meaning))
    case .beginning where search.isForm && name.lowerBound == 0:
      search.add(item(name, from: start, isForm: true, in: bytes, meaning))
    default: search.add(assigned(name, from: start, separator, in: bytes, meaning))
    }
  }

  /// Returns whether the digits of an escape such as `\\u5bc6` are here, other than those of a separator.
  func isEscapedLetter(at digits: Int, upTo end: Int, in bytes: Bytes) -> Bool {
    guard digits > 0, digits + 5 <= end, bytes[digits - 1] == UInt8(ascii: "\\"),
      bytes[digits] == UInt8(ascii: "u")
    else { return false }
    return !bytes[(digits + 1)..<(digits + 3)].elementsEqual("00".utf8)
      || bytes[digits + 3] >= UInt8(ascii: "4") && bytes[digits + 3] != UInt8(ascii: "a")
      || bytes[digits + 3] == UInt8(ascii: "3") && TokenForm.Alphabet.digits.contains(bytes[digits + 4])
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: ";"),
      UInt8(ascii: "\""),
      UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "("), UInt8(ascii: ")"),
      UInt8(ascii: ","),
      UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "="), UInt8(ascii: "/"), UInt8(ascii: "\\"),
      UInt8(ascii: "`"):
      true
    default: false
    }
  }

  /// What is before the name of a value.
  enum Separator {
    /// A `?`, `&` or `#`, possibly escaped.
    case item
    case beginning
    case line
    case semicolon
    /// White space, a quote or a bracket.
    case word
    case other
  }

  /// Returns what is before a name, and moves the beginning of the name after an escape.
  func separator(before name: inout Int, upTo endOfName: Int, from first: Int, in bytes: Bytes) -> Separator {
    // `%3Ftoken%3D` in a URL inside a URL.
    if let escape = bytes[name..<endOfName].lastIndex(of: UInt8(ascii: "%")), escape + 3 < endOfName {
      let digits = String(decoding: bytes[(escape + 1)..<(escape + 3)], as: UTF8.self).lowercased()
      if ["3f", "26", "23"].contains(digits) {
        name = escape + 3
        return .item
      }
      if digits == "25", escape + 5 < endOfName,
        ["3f", "26", "23"].contains(
          String(decoding: bytes[(escape + 3)..<(escape + 5)], as: UTF8.self).lowercased())
      {
        name = escape + 5
        return .item
      }
    }
    guard name > first else { return name == 0 ? .beginning : .other }
    switch bytes[name - 1] {
    case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#"): return .item
    case UInt8(ascii: ";"):
      // In HTML `&` is `&amp;`.
      return bytes[..<name].suffix(5).elementsEqual("&amp;".utf8) ? .item : .semicolon
    case 0x0A, 0x0D: return .line
    case 0x00...0x20:
      return bytes[..<name].suffix(7).elementsEqual("export ".utf8) ? .line : .word
    case UInt8(ascii: "\\"):
      // As some JSON encoders write them.
      for escape in ["u0026", "u0023", "u003f"] where isEscape(escape, at: name - 1, in: bytes) {
        name += 5
        return .item
      }
      guard name < endOfName, "nrt".utf8.contains(bytes[name]) else { return .other }
      name += 1
      return .line
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: ","), UInt8(ascii: "("), UInt8(ascii: "{"),
      UInt8(ascii: "`"):
      return .word
    // The beginning of a preformatted text.
    case UInt8(ascii: ">"): return .line
    default: return .other
    }
  }

  /// Returns the value of an item of a URL or a form.
  private func item(
    _ name: Range<Int>, from start: Int, isForm: Bool, in bytes: Bytes, _ meaning: SecretNames.Meaning
  ) -> Find? {
    var end = start
    // Of a URL inside a URL, the value ends at the next escaped separator.
    let isNested = bytes[start - 1] != UInt8(ascii: "=")
    while end < bytes.count, !Self.endsValue(bytes[end], isForm: isForm) {
      if isNested, bytes[end] == UInt8(ascii: "%"), end + 2 < bytes.count,
        bytes[end + 1] == UInt8(ascii: "2"),
        bytes[end + 2] == UInt8(ascii: "6") || bytes[end + 2] == UInt8(ascii: "3")
          || bytes[end...].starts(with: "%2526".utf8)
      {
        break
      }
      end += 1
    }
    guard var find = match(in: bytes, start..<end, rule: "named field") else { return nil }
    if isForm { find.secret = find.secret.replacing("+", with: " ") }
    find.secret = find.secret.removingPercentEncoding ?? find.secret
    if bytes[name].elementsEqual("code".utf8), !Self.looksLikeCode(find.secret) { return nil }
    return accepted(find, meaning)
  }

  private static func endsValue(_ byte: UInt8, isForm: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "&"): true
    case UInt8(ascii: "#"), 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"),
      UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
      !isForm
    default: false
    }
  }

  /// Returns the password of `scheme://user:password@host` (RFC 3986 §3.2.1), whose scheme ends here.
  func userPassword(at colon: Int, in bytes: Bytes) -> Find? {
    guard redactsPasswordsInURLs,
      let slashes = ["://", ":\\/\\/"].first(where: { bytes[colon...].starts(with: $0.utf8) })
    else { return nil }
    let start = colon + slashes.utf8.count
    var end = start
    var (firstColon, at): (Int?, Int?) = (nil, nil)
    scan: while end < bytes.count {
      switch bytes[end] {
      case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), 0x09, 0x0A, 0x0D, 0x20,
        UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"):
        break scan
      case UInt8(ascii: ":"): firstColon = firstColon ?? end
      case UInt8(ascii: "@"): at = end
      default: break
      }
      end += 1
    }
    if let at, firstColon == nil, isRandom(start..<at, in: bytes), at - start >= 16 {
      // A key in place of a user.
      return match(in: bytes, start..<at, rule: "password in a URL")
    }
    guard let firstColon, let at, firstColon + 1 < at,
      var find = match(in: bytes, (firstColon + 1)..<at, rule: "password in a URL")
    else { return nil }
    find.secret = find.secret.removingPercentEncoding ?? find.secret
    return find
  }
}
