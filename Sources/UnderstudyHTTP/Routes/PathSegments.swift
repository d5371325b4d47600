import Foundation
import UnderstudyTransport

/// The segments of a path, still percent-encoded: an encoded slash is part of its segment (RFC 3986 §2.2).
///
/// An empty path is the same as `/` (RFC 9110 §4.2.3).
struct PathSegments: Sendable {
  let encoded: [Substring]

  init(of url: URL) {
    self.init(url.path(percentEncoded: true))
  }

  init(_ path: String) {
    let slash = UInt8(ascii: "/")
    // By bytes, which takes a fraction of the time of characters.
    let path = path.utf8.first == slash ? path.utf8.dropFirst() : path.utf8[...]
    encoded = path.split(separator: slash, omittingEmptySubsequences: false).map(Substring.init)
  }

  static func decoded(_ segment: Substring) -> String {
    segment.utf8.contains(UInt8(ascii: "%"))
      ? segment.removingPercentEncoding ?? String(segment) : String(segment)
  }
}
