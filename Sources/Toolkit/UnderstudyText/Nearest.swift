extension Collection<String> {
  /// The element with the fewest differences from a word, for a message about a word that is unknown.
  package func nearest(to word: String) -> String? {
    self.min { ($0.distance(to: word), $0) < ($1.distance(to: word), $1) }
  }
}

extension String {
  /// The number of characters to insert, remove or replace to get from one text to another (Levenshtein 1966).
  package func distance(to other: String) -> Int {
    // Paths of requests may be long, and only the beginning distinguishes operations.
    let (one, other) = (Array(prefix(200)), Array(other.prefix(200)))
    var row = Array(0...other.count)
    for (place, character) in one.enumerated() {
      var diagonal = row[0]
      row[0] = place + 1
      for (column, otherCharacter) in other.enumerated() {
        let above = row[column + 1]
        row[column + 1] = Swift.min(
          above + 1, row[column] + 1, diagonal + (character == otherCharacter ? 0 : 1))
        diagonal = above
      }
    }
    return row[other.count]
  }
}
