extension Collection<String> {
  /// The element with the fewest differences from a word, for a message about a word that is unknown.
  package func nearest(to word: String) -> String? {
    self.min { ($0.distance(to: word), $0) < ($1.distance(to: word), $1) }
  }

  /// The element that a word, which is unknown, is probably a misspelling of.
  package func misspelt(as word: String) -> String? {
    nearest(to: word).flatMap {
      $0.distance(to: word) <= Swift.max(1, Swift.min(3, word.count / 3)) ? $0 : nil
    }
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

  /// Whether a name is a slip of the pen for another one, which may both be right.
  ///
  /// They differ only in the case of letters, or inside of one longer word: by a letter that is missing or by two that
  /// are swapped. Names of one interface differ otherwise: at the end of a word, as `item` and `items`, at its beginning,
  /// as `lock` and `unlock`, by a letter, as `listItems` and `lastItems`, or by whole words.
  package func isSlip(of other: String) -> Bool {
    if self == other { return false }
    if lowercased() == other.lowercased() { return true }
    let (short, long) = count < other.count ? (Array(self), Array(other)) : (Array(other), Array(self))
    let start = zip(short, long).prefix { $0 == $1 }.count
    let end = zip(short.reversed(), long.reversed()).prefix { $0 == $1 }.count
    // The letters that may be the missing one, of which there are several if it is doubled, or the swapped ones.
    let places: ClosedRange<Int>
    if short.count + 1 == long.count, start + end >= short.count {
      places = long.count - 1 - end...start
    } else if short.count == long.count, start + end + 2 == long.count, short[start] == long[start + 1],
      short[start + 1] == long[start]
    {
      places = start...start + 1
    } else {
      return false
    }
    let word = Self.word(in: long, at: start)
    // Short words resemble each other by chance, such as `chat` and `chart`.
    return word.count > (short.count == long.count ? 4 : 5) && word.lowerBound < places.lowerBound
      && places.upperBound < word.upperBound - 1
  }

  /// The places of the letters of a word in camel case.
  private static func word(in name: [Character], at place: Int) -> Range<Int> {
    let start = name[...place].lastIndex { !$0.isLowercase } ?? 0
    let end = name[(place + 1)...].firstIndex { !$0.isLowercase } ?? name.count
    return (name[start].isLetter ? start : start + 1)..<end
  }
}
