import Foundation
import UnderstudyTransport

/// Why a recording has no answer to a request, in words.
///
/// No secret is in it: keys have none, and of secrets it says only whether the recording knows them.
struct Mismatch {
  let message: String

  init(
    _ keyed: KeyedRequest, index: ReplayIndex, isUsed: (Int) -> Bool, secrets: ReplaySecrets
  ) {
    let asked = "\(keyed.key.method) \(keyed.key.target)"
    var lines = ["The recording has no answer to \(asked)."]
    if let nearest = Self.nearest(to: keyed, in: index, isUsed) {
      let entry = index.entries[nearest.number]
      let use = isUsed(nearest.number) ? "used already" : "not used yet"
      lines.append(
        "The nearest is entry \(nearest.number), \(entry.request.method) \(nearest.key.target) (\(use)).")
      let differences = Self.differences(between: nearest.key, and: keyed.key)
      lines += differences.map { "  " + $0 }
      if differences.isEmpty {
        lines.append(
          isUsed(nearest.number)
            ? "  It is the same request, and every recorded answer to it was given: it is asked once more than recorded."
            : "  It is the same request with another secret, which no answer of the recording has handed out."
        )
      }
    } else {
      lines.append("The recording is empty.")
    }
    lines.append(
      """
      If the client is right to ask this, record the session again; if it asks too often, look for the retry, or \
      let the last answer repeat with repetition: .repeatsLast; if the difference is of no meaning, say so in the \
      RequestMatching.
      """)
    message = lines.joined(separator: "\n")
  }

  /// The entry with the fewest and least differences, the unused ones first.
  private static func nearest(
    to keyed: KeyedRequest, in index: ReplayIndex, _ isUsed: (Int) -> Bool
  ) -> (number: Int, key: RequestKey)? {
    let asked = keyed.key
    var best: (score: Int, number: Int, key: RequestKey)?
    for (number, key) in index.keys.enumerated() {
      guard let key else { continue }
      var score = key.path == asked.path ? 0 : 40 - min(20, commonPrefix(key.path, asked.path))
      score += key.method == asked.method ? 0 : 15
      score += key.origin == asked.origin ? 0 : 15
      score += min(10, Set(key.query).symmetricDifference(asked.query).count)
      score += key.fields == asked.fields ? 0 : 3
      score += key.body == asked.body ? 0 : 5
      guard score <= best?.score ?? .max else { continue }
      if score == best?.score, let best, !isUsed(best.number) || isUsed(number) { continue }
      best = (score, number, key)
    }
    return best.map { ($0.number, $0.key) }
  }

  private static func commonPrefix(_ one: String, _ other: String) -> Int {
    zip(one.utf8, other.utf8).prefix { $0 == $1 }.count
  }

  private static func differences(between recorded: RequestKey, and asked: RequestKey) -> [String] {
    var lines: [String] = []
    func compare(_ part: String, _ recorded: String, _ asked: String) {
      if recorded != asked { lines.append("\(part): recorded \(recorded), asked \(asked)") }
    }
    compare("method", recorded.method.rawValue, asked.method.rawValue)
    compare("origin", recorded.origin, asked.origin)
    compare("path", recorded.path, asked.path)
    let missing = recorded.query.filter { !asked.query.contains($0) }
    let added = asked.query.filter { !recorded.query.contains($0) }
    compare("query", list(missing), list(added))
    for name in Set((recorded.fields + asked.fields).map(\.name)).sorted() {
      compare("header \(name)", values(of: name, in: recorded), values(of: name, in: asked))
    }
    if recorded.body != asked.body {
      lines += JSONDifference.lines(between: recorded.body, and: asked.body)
    }
    return lines
  }

  private static func list(_ items: [String]) -> String {
    items.isEmpty ? "nothing more" : items.joined(separator: "&")
  }

  private static func values(of name: String, in key: RequestKey) -> String {
    let values = key.fields.filter { $0.name == name }.map(\.value)
    return values.isEmpty ? "nothing" : values.joined(separator: ", ")
  }
}

extension RequestKey {
  /// The URL without secrets.
  var target: String {
    origin + path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }
}
