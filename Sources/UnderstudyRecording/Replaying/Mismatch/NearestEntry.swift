/// The recorded request that is likest to one that has no answer.
struct NearestEntry {
  let number: Int
  let key: RequestKey
  let secrets: [String]

  /// Of those with the fewest and least differences, the first that is not used.
  init?(to asked: RequestKey, in index: ReplayIndex, isUsed: [Bool]) {
    var best: (score: Int, line: ReplayIndex.Line, number: Int)?
    for line in index.lines {
      let limit = best?.score ?? .max
      guard let score = Self.distance(line.key, asked, within: limit) else { continue }
      let number = line.entries.first { !isUsed[$0] } ?? line.entries[0]
      if let best, score == best.score {
        let known = (isUsed[best.number] ? 1 : 0, best.number)
        guard (isUsed[number] ? 1 : 0, number) < known else { continue }
      }
      best = (score, line, number)
    }
    guard let best else { return nil }
    number = best.number
    key = best.line.key
    secrets = best.line.secrets
  }

  /// - Returns: `nil` if it is more than the limit.
  private static func distance(_ one: RequestKey, _ other: RequestKey, within limit: Int) -> Int? {
    var score = one.path == other.path ? 0 : 40 - min(20, commonPrefix(one.path, other.path))
    guard score <= limit else { return nil }
    score += one.method == other.method ? 0 : 15
    score += one.scheme == other.scheme && one.host == other.host && one.port == other.port ? 0 : 15
    guard score <= limit else { return nil }
    score += min(10, countOfDifferences(one.query, other.query))
    score += one.fields == other.fields ? 0 : 3
    score += one.rules == other.rules ? 0 : 3
    score += one.body == other.body ? 0 : 5
    return score <= limit ? score : nil
  }

  private static func commonPrefix(_ one: String, _ other: String) -> Int {
    zip(one.utf8, other.utf8).prefix { $0 == $1 }.count
  }

  /// How many items are in one list alone; both are in order.
  private static func countOfDifferences(_ one: [String], _ other: [String]) -> Int {
    if one == other { return 0 }
    var (count, left, right) = (0, one[...], other[...])
    while let first = left.first, let second = right.first {
      if first == second {
        left.removeFirst()
        right.removeFirst()
        continue
      }
      count += 1
      if first < second { left.removeFirst() } else { right.removeFirst() }
    }
    return count + left.count + right.count
  }
}
