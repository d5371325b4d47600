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
