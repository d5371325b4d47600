import Foundation
import UnderstudyHTTP

/// The recorded request that is nearest to a request without a response.
struct NearestEntry {
  let number: Int
  let key: RequestKey
  let secrets: [String]

  /// The maximum number of requests to compare with their bodies.
  private static let most = 64
  /// The maximum difference between two requests with the same head.
  private static let body = 5
  private static let rules = 3

  private struct Candidate {
    let distance: Int
    let isUsed: Bool
    let number: Int

    var rank: (Int, Int, Int) { (distance, isUsed ? 1 : 0, number) }
  }

  /// Creates the nearest entry: the first unused one of those with the fewest and smallest differences.
  init?(to asked: RequestKey, in index: inout ReplayIndex, isUsed: [Bool]) {
    index.makeGroups()
    var best: (candidate: Candidate, line: ReplayIndex.Line)?
    for near in Self.candidates(asked.head, index.groups ?? [], isUsed) {
      guard let line = index.line(ofEntry: near.number).map({ index.lines[$0] }) else { continue }
      let distance =
        near.distance + (line.key.body == asked.body ? 0 : Self.body)
        + (line.key.rules == asked.rules ? 0 : Self.rules)
      let candidate = Candidate(distance: distance, isUsed: near.isUsed, number: near.number)
      if let best, best.candidate.rank < candidate.rank { continue }
      best = (candidate, line)
    }
    guard let best else { return nil }
    number = best.candidate.number
    key = best.line.key
    secrets = best.line.secrets
  }

  /// Returns the candidates for the nearest entry, by their heads.
  private static func candidates(
    _ asked: RequestHead, _ groups: [ReplayIndex.Group], _ isUsed: [Bool]
  ) -> [Candidate] {
    var least = Int.max
    var near: [(distance: Int, group: Int)] = []
    for (number, group) in groups.enumerated() {
      let limit = least == .max ? least : least + body + rules
      guard let distance = distance(group.head, asked, within: limit) else { continue }
      least = min(least, distance)
      near.append((distance, number))
    }
    var candidates: [Candidate] = []
    for (distance, group) in near where distance <= least + body + rules {
      for number in groups[group].entries {
        candidates.append(Candidate(distance: distance, isUsed: isUsed[number], number: number))
      }
    }
    return Array(candidates.sorted { $0.rank < $1.rank }.prefix(most))
  }

  /// - Returns: `nil` if the distance exceeds the limit.
  private static func distance(_ one: RequestHead, _ other: RequestHead, within limit: Int) -> Int? {
    var distance = one.path == other.path ? 0 : 40 - min(20, commonPrefix(one.path, other.path))
    guard distance <= limit else { return nil }
    distance += one.method == other.method ? 0 : 15
    distance += one.scheme == other.scheme && one.host == other.host && one.port == other.port ? 0 : 15
    guard distance <= limit else { return nil }
    distance += min(10, countOfDifferences(one.query, other.query))
    distance += one.fields == other.fields ? 0 : 3
    return distance <= limit ? distance : nil
  }

  private static func commonPrefix(_ one: String, _ other: String) -> Int {
    zip(one.utf8, other.utf8).prefix { $0 == $1 }.count
  }

  /// Returns the number of items that occur in only one of two sorted lists.
  private static func countOfDifferences(_ one: [String], _ other: [String]) -> Int {
    if one == other { return 0 }
    var (count, left, right) = (0, 0, 0)
    while left < one.count, right < other.count {
      if one[left] == other[right] {
        left += 1
        right += 1
      } else {
        count += 1
        if one[left] < other[right] { left += 1 } else { right += 1 }
      }
    }
    return count + (one.count - left) + (other.count - right)
  }
}

/// A filter that removes secrets from descriptions of a request.
struct HiddenSecrets {
  private let keying: RequestKeying
  private let secrets: [String]

  /// - Parameter secrets: The secrets of the request.
  init(_ keying: RequestKeying, _ secrets: [String], _ state: ReplayState) {
    self.keying = keying
    self.secrets = state.secrets.known(with: secrets)
  }

  /// Returns the text without the known secrets, which may occur where no rule detects them.
  func text(_ text: String) -> String {
    secrets.reduce(text) { $0.replacing($1, with: KeyedRequest.mask) }
  }

  /// Returns the method and URL of a request, without the fragment, and without an origin that is ignored.
  func target(_ method: String, _ url: String) -> String {
    var masking = keying.masking()
    let bytes = Array(url.prefix { $0 != "#" }.utf8)
    let shown = keying.comparesOrigin ? bytes : Array(bytes[SplitURL(url).path.startIndex...])
    return text("\(method) \(masking.text(shown))")
  }

  /// Returns the index and the request of an entry.
  func entry(_ number: Int, _ state: ReplayState) -> String {
    let request = state.index.archive.request(at: number)
    return "entry \(number), \(target(request.method.rawValue, request.url))"
  }
}
