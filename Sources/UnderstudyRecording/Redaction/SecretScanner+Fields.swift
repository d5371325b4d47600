import Foundation
import UnderstudyHTTP

/// Detection of values that are secrets by their names.
extension SecretScanner {
  private static let longestName = 64

  // MARK: Members of JSON

  /// Returns the value of a member whose name begins with this quote, also in JSON inside a JSON string, or of a named
  /// part of a multipart body.
  ///
  /// - Parameter finds: Receives all elements but the last if the value is an array.
  func member(at quote: Int, in bytes: Bytes, after finds: inout [Find]) -> Find? {
    guard let level = EscapeLevel(before: quote, in: bytes),
      let endOfName = level.end(from: quote + 1, in: bytes, upTo: quote + Self.longestName)
    else { return nil }
    var position = endOfName + level.backslashes + 1
    skipSpace(in: bytes, &position)
    guard position < bytes.count else { return nil }
    if bytes[position] != UInt8(ascii: ":") {
      guard fieldNames.contains(bytes, (quote + 1)..<endOfName) else { return nil }
      return part(named: quote, until: endOfName + 1, in: bytes)
    }
    guard fieldNames.contains(bytes, (quote + 1)..<endOfName) else { return nil }
    position += 1
    skipSpace(in: bytes, &position)
    if position < bytes.count, bytes[position] == UInt8(ascii: "[") {
      return elements(from: position, level, in: bytes, after: &finds)
    }
    return level.isDelimiter(at: position, in: bytes)
      ? string(from: position, level, in: bytes).find : number(from: position, level, in: bytes)
  }

  /// Returns the strings and numbers of an array, up to its end or to the first object in it.
  private func elements(
    from bracket: Int, _ level: EscapeLevel, in bytes: Bytes, after finds: inout [Find]
  ) -> Find? {
    var last: Find?
    var depth = 0
    var position = bracket
    while position < bytes.count {
      var find: Find?
      if level.isDelimiter(at: position, in: bytes) {
        (find, position) = string(from: position, level, in: bytes)
      } else if let number = number(from: position, level, in: bytes) {
        find = number
        position = number.range.upperBound
      } else {
        switch bytes[position] {
        case UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "]"): depth -= 1
        // Characters of `null`, `true` and `false`, and separators of elements.
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: ","), 0x09...0x0D, 0x20: break
        // A line break in JSON inside a JSON string.
        case UInt8(ascii: "\\") where level.backslashes > 0: break
        default: return last
        }
        position += 1
      }
      if let find {
        if let last { finds.append(last) }
        last = find
      }
      if depth == 0 { break }
    }
    return last
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
  private struct EscapeLevel {
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

  private func skipSpace(in bytes: Bytes, _ position: inout Int) {
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
  private func string(
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

  // MARK: Parts of a multipart body

  /// Returns the value of a part with this secret name (RFC 7578 §4.2).
  private func part(named quote: Int, until endOfName: Int, in bytes: Bytes) -> Find? {
    let name = "name="
    guard quote >= name.utf8.count,
      bytes[(quote - name.utf8.count)..<quote].elementsEqual(name.utf8)
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
        return match(in: bytes, start..<end, rule: "named field")
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

  /// Returns the position of the name after a `?`, `&` or `#`; in HTML `&` is `&amp;`.
  func endOfSeparator(at start: Int, in bytes: Bytes) -> Int {
    bytes[start...].starts(with: "&amp;".utf8) ? start + 5 : start + 1
  }

  /// Returns whether a `?`, `&` or `#` is escaped as `\u003f`, `\u0026` or `\u0023`, as some JSON encoders do.
  func isEscapedSeparator(at backslash: Int, in bytes: Bytes) -> Bool {
    let escape = bytes[backslash...].prefix(6)
    guard escape.starts(with: "\\u00".utf8), escape.count == 6 else { return false }
    switch (escape[backslash + 4], escape[backslash + 5] | 0x20) {
    case (UInt8(ascii: "2"), UInt8(ascii: "6")), (UInt8(ascii: "2"), UInt8(ascii: "3")),
      (UInt8(ascii: "3"), UInt8(ascii: "f")):
      return true
    default: return false
    }
  }

  /// Returns the value of a `name=value` that begins here.
  func pair(at start: Int, in bytes: Bytes, isForm: Bool) -> Find? {
    let limit = min(bytes.count, start + Self.longestName)
    var equals = start
    var isEncoded = false
    while equals < limit, bytes[equals] != UInt8(ascii: "=") {
      if bytes[equals] == UInt8(ascii: "&") { return nil }
      if bytes[equals] == UInt8(ascii: "%") { isEncoded = true }
      equals += 1
    }
    guard equals < limit else { return nil }
    var name = ""
    if isEncoded {
      let encoded = String(decoding: Bytes(rebasing: bytes[start..<equals]), as: UTF8.self)
      guard let decoded = encoded.removingPercentEncoding, isSecret(fieldNamed: decoded) else { return nil }
      name = decoded
    } else {
      guard fieldNames.contains(bytes, start..<equals) else { return nil }
      name = String(decoding: Bytes(rebasing: bytes[start..<equals]), as: UTF8.self)
    }
    var end = equals + 1
    while end < bytes.count, !Self.endsValue(bytes[end], isForm: isForm) { end += 1 }
    if !isForm, isWord(bytes, (equals + 1)..<end, ofItemNamed: name) { return nil }
    guard var find = match(in: bytes, (equals + 1)..<end, rule: "named field") else { return nil }
    if isForm { find.secret = find.secret.replacing("+", with: " ") }
    find.secret = find.secret.removingPercentEncoding ?? find.secret
    return find
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
    guard redactsPasswordsInURLs, bytes[colon...].starts(with: "://".utf8) else { return nil }
    let start = colon + 3
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
    guard let firstColon, let at, firstColon + 1 < at,
      var find = match(in: bytes, (firstColon + 1)..<at, rule: "password in a URL")
    else { return nil }
    find.secret = find.secret.removingPercentEncoding ?? find.secret
    return find
  }
}
