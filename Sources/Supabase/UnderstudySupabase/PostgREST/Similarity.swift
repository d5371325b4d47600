/// The similarity of names, for suggestions (the package fuzzyset, which PostgREST uses).
enum Similarity {
  /// The most similar name.
  ///
  /// - Parameter least: The least similarity, from 0 to 1.
  static func best(of name: String, among names: [String], least: Double = 0.33) -> String? {
    let scored = names.map { (name: $0, score: similarity(name.lowercased(), $0.lowercased())) }
    // Names without two letters in common are not compared (`FuzzySet`, `gramMap`).
    let best = scored.max { ($0.score, $1.name) < ($1.score, $0.name) }
    return best.flatMap { $0.score >= least ? $0.name : nil }
  }

  /// 1 for equal names, less for each letter that must be changed.
  private static func similarity(_ one: String, _ other: String) -> Double {
    let (left, right) = (Array(one), Array(other))
    let longest = max(left.count, right.count)
    guard longest > 0 else { return 1 }
    return 1 - Double(distance(left, right)) / Double(longest)
  }

  /// The Levenshtein distance.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var previous = Array(0...right.count)
    for (row, character) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        current.append(
          min(previous[column + 1] + 1, current[column] + 1, previous[column] + (character == other ? 0 : 1)))
      }
      previous = current
    }
    return previous[right.count]
  }
}
