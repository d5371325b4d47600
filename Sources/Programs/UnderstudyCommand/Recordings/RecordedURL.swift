import Foundation

/// A URL, split where its path starts.
struct RecordedURL {
  /// The scheme, the host and the port; empty if they are missing.
  let origin: String
  /// The path and the query; `/` if they are missing.
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

  /// The host and a port, without user and password.
  var host: String {
    let authority = origin.split(separator: "://", maxSplits: 1).last ?? ""
    return String(authority.split(separator: "@").last ?? "")
  }
}
