import Foundation

/// The comparison of a request with a recorded one whose placeholders also replace texts where no rule finds a secret.
///
/// A recorder replaces every copy of a secret: in a path, in an identifier, in a note. A client that still has the
/// secret sends it there, and nothing in its request says so.
struct PlaceholderPattern {
  /// The texts of the client in place of the recorded secrets, in the order of ``KeyedRequest/secrets``.
  private(set) var secrets: [String] = []

  /// Returns the client's texts in place of the secrets of a recorded request; `nil` if they differ elsewhere.
  ///
  /// - Parameters:
  ///   - asked: The key of the client's request, with its secrets.
  static func secrets(of asked: RequestKey, inPlaceOf recorded: RequestKey) -> [String]? {
    var pattern = Self()
    guard pattern.matches(recorded.head, asked.head), pattern.matches(recorded.body, asked.body),
      pattern.matches(recorded.rules, asked.rules)
    else { return nil }
    return pattern.secrets
  }

  /// Returns whether a head may be that of a recorded request.
  static func mayMatch(_ recorded: RequestHead, _ asked: RequestHead) -> Bool {
    var pattern = Self()
    return pattern.matches(recorded, asked)
  }

  private mutating func matches(_ recorded: RequestHead, _ asked: RequestHead) -> Bool {
    guard recorded.method == asked.method, recorded.scheme == asked.scheme, recorded.host == asked.host,
      recorded.port == asked.port, recorded.query.count == asked.query.count,
      matches(recorded.path, asked.path, without: "/")
    else { return false }
    for (recorded, asked) in zip(recorded.query, asked.query) {
      guard matches(recorded, asked, without: "&") else { return false }
    }
    return matches(recorded.fields, asked.fields)
  }

  private mutating func matches(_ recorded: [NamedText], _ asked: [NamedText]) -> Bool {
    guard recorded.map(\.name) == asked.map(\.name) else { return false }
    for (recorded, asked) in zip(recorded, asked) {
      guard matches(recorded.value, asked.value, without: nil) else { return false }
    }
    return true
  }

  private mutating func matches(_ recorded: BodyKey, _ asked: BodyKey) -> Bool {
    switch (recorded, asked) {
    case (.none, .none): true
    case (.json(let recorded), .json(let asked)): matches(recorded, asked, without: "\"")
    case (.form(let recorded), .form(let asked)): matches(recorded, asked)
    case (.bytes(let recorded), .bytes(let asked)):
      matches(
        String(decoding: recorded, as: UTF8.self), String(decoding: asked, as: UTF8.self), without: nil)
    default: recorded == asked
    }
  }

  /// Returns whether two texts are equal except for the recorded secrets, which have no `delimiter`.
  private mutating func matches(_ recorded: String, _ asked: String, without delimiter: Character?) -> Bool {
    if recorded == asked, !recorded.contains(KeyedRequest.mask) { return true }
    let parts = recorded.components(separatedBy: KeyedRequest.mask)
    guard let first = parts.first, let last = parts.last, parts.count > 1, asked.hasPrefix(first) else {
      return false
    }
    var rest = asked.dropFirst(first.count)
    for (index, part) in parts.enumerated().dropFirst() {
      let isLast = index == parts.count - 1
      guard isLast ? rest.hasSuffix(last) : true,
        let next = isLast
          ? rest.index(rest.endIndex, offsetBy: -last.count) : rest.firstRange(of: part)?.lowerBound
      else { return false }
      let secret = rest[..<next]
      if secret.isEmpty || delimiter.map(secret.contains) == true { return false }
      secrets.append(secret.removingPercentEncoding ?? String(secret))
      rest = rest[next...].dropFirst(part.count)
    }
    return true
  }
}
