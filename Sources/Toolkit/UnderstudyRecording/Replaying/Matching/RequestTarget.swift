import Foundation

/// The spelling of a URL by which requests are compared.
///
/// Tools write the same URL in several ways: some leave characters such as `|`, `[` and `{` as they are, and escapes may
/// have lower-case digits (RFC 3986 §6.2.2.1).
enum RequestTarget {
  /// Returns a URL with the characters escaped that a URL cannot contain, and with all other ones unchanged.
  ///
  /// Foundation's parser would escape the percent signs of existing escapes too.
  static func sendable(_ url: String) -> String {
    if url.utf8.allSatisfy({ stays($0) || $0 == UInt8(ascii: "#") }) { return url }
    let bytes = Array(url.utf8)
    // The brackets of an IPv6 address are part of the host.
    let authority = endOfAuthority(bytes)
    var result = Array(bytes[..<authority])
    var hasFragment = false
    for (index, byte) in zip(authority..., bytes[authority...]) {
      if byte == UInt8(ascii: "#"), !hasFragment {
        hasFragment = true
        result.append(byte)
      } else if stays(byte) || byte == UInt8(ascii: "%") && isEscape(at: index, of: bytes) {
        result.append(byte)
      } else {
        append(byte, to: &result)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns a path or a query with upper-case digits in escapes, and without escapes of unreserved characters, which
  /// are equivalent to the characters (RFC 3986 §6.2.2.2).
  static func normalized(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    if bytes.allSatisfy(stays) { return Array(bytes) }
    let bytes = Array(bytes)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "%"), isEscape(at: index, of: bytes) {
        let value = value(of: bytes[index + 1]) << 4 | value(of: bytes[index + 2])
        if isUnreserved(value) { result.append(value) } else { append(value, to: &result) }
        index += 3
      } else {
        if stays(byte) { result.append(byte) } else { append(byte, to: &result) }
        index += 1
      }
    }
    return result
  }

  /// Whether a byte of a path or a query has only one spelling.
  static func stays(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&")...UInt8(ascii: ";"), UInt8(ascii: "?")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "="),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func isEscape(at index: Int, of bytes: [UInt8]) -> Bool {
    index + 2 < bytes.count && value(of: bytes[index + 1]) < 16 && value(of: bytes[index + 2]) < 16
  }

  /// The value of a hexadecimal digit; 16 for other bytes.
  private static func value(of byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: 16
    }
  }

  private static func append(_ byte: UInt8, to result: inout [UInt8]) {
    let digits = Array("0123456789ABCDEF".utf8)
    result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  private static func endOfAuthority(_ bytes: [UInt8]) -> Int {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
      return 0
    }
    return bytes[(colon + 3)...].firstIndex {
      [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0)
    }
      ?? bytes.count
  }
}

/// The parts of a URL (RFC 3986 §3) as written, without the user and the fragment.
struct SplitURL {
  /// The scheme in lower case; `ws` and `wss` become `http` and `https`.
  var scheme = ""
  var host = ""
  /// The port; empty if it is the scheme's default.
  var port = ""
  /// The path, which may be empty.
  var path: ArraySlice<UInt8>
  /// The query without the question mark; `nil` if the URL has none.
  var query: ArraySlice<UInt8>?

  init(_ text: String) {
    let bytes = Array(text.utf8)
    var rest = bytes.prefix { $0 != UInt8(ascii: "#") }
    if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
      query = rest[(mark + 1)...]
      rest = rest[..<mark]
    }
    path = rest
    guard let colon = rest.firstIndex(of: UInt8(ascii: ":")), rest[colon...].starts(with: "://".utf8) else {
      return
    }
    scheme = String(decoding: rest[..<colon], as: UTF8.self).lowercased()
    if scheme == "ws" { scheme = "http" } else if scheme == "wss" { scheme = "https" }
    var authority = rest[(colon + 3)...].prefix { $0 != UInt8(ascii: "/") }
    path = rest[authority.endIndex...]
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
    // The colons of an IPv6 address are in brackets.
    if let last = authority.lastIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "]") }),
      authority[last] == UInt8(ascii: ":")
    {
      let digits = String(decoding: authority[(last + 1)...], as: UTF8.self)
      port = digits == (scheme == "https" ? "443" : "80") ? "" : digits
      authority = authority[..<last]
    }
    host = String(decoding: authority, as: UTF8.self).lowercased()
  }
}
