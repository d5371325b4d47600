import Foundation
import UnderstudyTransport

/// The segments of a path, still percent-encoded: an encoded slash is part of its segment (RFC 3986 §2.2).
struct PathSegments {
  let encoded: [Substring]

  init(of url: URL) {
    self.init(url.path(percentEncoded: true))
  }

  init(_ path: String) {
    let path = path.hasPrefix("/") ? path.dropFirst() : path[...]
    encoded = path.split(separator: "/", omittingEmptySubsequences: false)
  }
}

/// A path with names in place of some segments.
struct PathPattern: Sendable, CustomStringConvertible {
  private enum Segment: Sendable {
    case literal(String)
    case parameter(String)
  }

  let description: String
  private let segments: [Segment]
  /// Whether anything may follow.
  private let isPrefix: Bool

  init(_ path: String) {
    description = path.hasPrefix("/") ? path : "/" + path
    var written = PathSegments(path).encoded
    isPrefix = written.last == "*"
    if isPrefix { written.removeLast() }
    segments = written.map { segment in
      segment.hasPrefix("{") && segment.hasSuffix("}") && segment.count > 2
        ? .parameter(String(segment.dropFirst().dropLast())) : .literal(Self.decoded(segment))
    }
  }

  func matches(_ path: PathSegments) -> Bool {
    let encoded = path.encoded
    guard isPrefix ? encoded.count >= segments.count : encoded.count == segments.count else { return false }
    for (segment, written) in zip(segments, encoded) {
      switch segment {
      case .literal(let literal): if literal != written, literal != Self.decoded(written) { return false }
      case .parameter: if written.isEmpty { return false }
      }
    }
    return true
  }

  func parameters(in path: PathSegments) -> [String: String] {
    var parameters: [String: String] = [:]
    for (segment, written) in zip(segments, path.encoded) {
      if case .parameter(let name) = segment { parameters[name] = Self.decoded(written) }
    }
    return parameters
  }

  private static func decoded(_ segment: Substring) -> String {
    segment.utf8.contains(UInt8(ascii: "%"))
      ? segment.removingPercentEncoding ?? String(segment) : String(segment)
  }
}
