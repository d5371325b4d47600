import Foundation

/// A pattern of paths, in which `{name}` matches one segment, and a final `*` matches all remaining segments.
///
/// Operations, rules, stubs and rules in text use the same syntax. A pattern that can never match is rejected when it
/// is created: one in text by an error, and one in source code by an issue of the test.
@usableFromInline package struct PathPattern: Hashable, Sendable, CustomStringConvertible {
  private enum Segment: Hashable, Sendable {
    case literal(String)
    case parameter(String)
  }

  @usableFromInline package let description: String
  private let segments: [Segment]
  /// Whether further segments may follow.
  private let isPrefix: Bool
  /// Why the pattern is invalid, if no test has this issue yet; for the place where it is used.
  private(set) var mistake: String?
  /// Whether it matches no path.
  private let isInvalid: Bool

  /// Creates a pattern from a literal in source code.
  ///
  /// An invalid pattern is an issue of the current test; without one, it is written to standard error. It matches no
  /// path, unless only its first slash is missing.
  ///
  /// - Parameter place: The line of the issue; `nil` for that of the test.
  package init(_ text: String, at place: CodePlace?) {
    do throws(UnderstudyError) {
      try self.init(parsing: text)
    } catch {
      if !text.hasPrefix("/"), let corrected = try? PathPattern(parsing: "/" + text) {
        self = corrected
      } else {
        self.init(matchingNothing: text)
      }
      let isReported = Self.report(error.description, at: place)
      if isInvalid, !isReported { mistake = error.description }
    }
  }

  private init(matchingNothing text: String) {
    description = text
    segments = []
    isPrefix = false
    isInvalid = true
  }

  private static let reportedInTrials = Locked<Set<String>>([])

  /// Reports a pattern that can never match, and returns whether a test has the issue.
  ///
  /// The trials, programs and runs of one check make the same mistake again and again, which is one issue.
  @discardableResult package static func report(_ mistake: String, at place: CodePlace?) -> Bool {
    if TestIssue.isSuspended,
      !reportedInTrials.withLock({ $0.insert("\(place?.description ?? "") \(mistake)").inserted })
    {
      return true
    }
    guard let reporter = TestIssue.currentReporter else {
      FileHandle.standardError.write(Data("\(place.map { "\($0): " } ?? "")\(mistake)\n".utf8))
      return false
    }
    reporter.record(mistake, at: place)
    return true
  }

  /// Creates a pattern from user input.
  ///
  /// - Throws: `UnderstudyError` if the pattern is invalid: one sentence with the pattern to write instead.
  package init(parsing text: String) throws(UnderstudyError) {
    func invalid(_ reason: String) -> UnderstudyError {
      UnderstudyError(.invalidText, "Invalid path pattern \"\(text)\": \(reason).")
    }
    if let scheme = text.firstRange(of: "://") {
      let path = text[scheme.upperBound...].drop { $0 != "/" }
      throw invalid("write the path alone, without scheme and host: \"\(path.isEmpty ? "/" : path)\"")
    }
    if let end = text.firstIndex(where: { $0 == "?" || $0 == "#" }) {
      throw invalid("a path has no query and no fragment; write \"\(text[..<end])\"")
    }
    if !text.hasPrefix("/") { throw invalid("a path begins with a slash; write \"/\(text)\"") }
    description = text
    var written = Self.encodedSegments(of: text)
    isPrefix = written.last == "*"
    if isPrefix { written.removeLast() }
    var names: Set<String> = []
    var segments: [Segment] = []
    for segment in written {
      if segment.contains("*") {
        throw invalid("\"*\" is only valid as the last segment; write {name} for one segment")
      }
      if segment.hasPrefix(":") { throw invalid("write {\(segment.dropFirst())} for a parameter") }
      if segment.hasPrefix("{"), segment.hasSuffix("}"), segment.count > 2 {
        let name = String(segment.dropFirst().dropLast())
        guard !name.contains("{"), !name.contains("}") else { throw invalid("a parameter is written {name}") }
        guard names.insert(name).inserted else { throw invalid("the parameter {\(name)} appears twice") }
        segments.append(.parameter(name))
      } else if segment.contains("{") || segment.contains("}") {
        throw invalid("a parameter is a whole segment, written {name}")
      } else {
        segments.append(.literal(Self.decoded(segment)))
      }
    }
    self.segments = segments
    isInvalid = false
  }

  /// Whether the pattern matches a path.
  ///
  /// - Parameter path: Its decoded segments.
  package func matches(_ path: [String]) -> Bool {
    if isInvalid { return false }
    guard isPrefix ? path.count >= segments.count : path.count == segments.count else { return false }
    for (segment, written) in zip(segments, path) {
      switch segment {
      case .literal(let literal): if literal != written { return false }
      case .parameter: if written.isEmpty { return false }
      }
    }
    return true
  }

  /// Whether the pattern matches every path that another one matches.
  package func covers(_ other: PathPattern) -> Bool {
    if isInvalid || other.isInvalid || segments.count > other.segments.count { return false }
    if !isPrefix, other.isPrefix || segments.count < other.segments.count { return false }
    return zip(segments, other.segments).allSatisfy { own, other in
      if case .parameter = own { other != .literal("") } else { own == other }
    }
  }

  /// The parameters of a matching path.
  package func parameters(in path: [String]) -> [String: String] {
    var parameters: [String: String] = [:]
    for case (.parameter(let name), let written) in zip(segments, path) { parameters[name] = written }
    return parameters
  }

  /// The names of the parameters, in order.
  package var parameterNames: [String] {
    segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
  }

  // MARK: - Segments

  /// The decoded segments of a percent-encoded path.
  ///
  /// They are decoded after the path is split, so that an encoded slash is part of its segment (RFC 3986 §2.2). An
  /// empty path is the same as `/` (RFC 9110 §4.2.3).
  package static func segments(of path: String) -> [String] { encodedSegments(of: path).map(decoded) }

  private static func encodedSegments(of path: String) -> [Substring] {
    let slash = UInt8(ascii: "/")
    // Bytes are compared much faster than characters.
    let path = path.utf8.first == slash ? path.utf8.dropFirst() : path.utf8[...]
    return path.split(separator: slash, omittingEmptySubsequences: false).map(Substring.init)
  }

  private static func decoded(_ segment: Substring) -> String {
    segment.utf8.contains(UInt8(ascii: "%"))
      ? segment.removingPercentEncoding ?? String(segment) : String(segment)
  }
}
