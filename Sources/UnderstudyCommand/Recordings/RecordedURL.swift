import Foundation

/// A URL as it is written, cut where its path begins.
struct RecordedURL {
  /// Scheme, host and port; empty where there are none.
  let origin: String
  /// Path and query; `/` where nothing is behind the origin.
  let target: String

  init(_ url: String) {
    let sent = url.prefix { $0 != "#" }
    guard let start = sent.range(of: "://") else {
      (origin, target) = ("", String(sent))
      return
    }
    let end = sent[start.upperBound...].firstIndex { $0 == "/" || $0 == "?" } ?? sent.endIndex
    origin = String(sent[..<end])
    let rest = sent[end...]
    target = rest.isEmpty ? "/" : rest.hasPrefix("/") ? String(rest) : "/" + rest
  }

  /// The host and a port, without who signs in there.
  var host: String {
    let authority = origin.split(separator: "://", maxSplits: 1).last ?? ""
    return String(authority.split(separator: "@").last ?? "")
  }
}
