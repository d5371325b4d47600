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
        ? .parameter(String(segment.dropFirst().dropLast())) : .literal(PathSegments.decoded(segment))
    }
  }

  func matches(_ path: PathSegments) -> Bool {
    let encoded = path.encoded
    guard isPrefix ? encoded.count >= segments.count : encoded.count == segments.count else { return false }
    for (segment, written) in zip(segments, encoded) {
      switch segment {
      case .literal(let literal):
        if literal != written, literal != PathSegments.decoded(written) { return false }
      case .parameter: if written.isEmpty { return false }
      }
    }
    return true
  }

  func parameters(in path: PathSegments) -> [String: String] {
    var parameters: [String: String] = [:]
    for (segment, written) in zip(segments, path.encoded) {
      if case .parameter(let name) = segment { parameters[name] = PathSegments.decoded(written) }
    }
    return parameters
  }
}
