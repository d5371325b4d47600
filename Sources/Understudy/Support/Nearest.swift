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

/// Texts of an expected and of a found value, which may print alike although they differ.
package struct Alike: Sendable {
  /// The expected value.
  package let expected: String
  /// The found value.
  package let found: String
  /// What to do where the values print alike, as a sentence after a space; otherwise empty.
  package let advice: String

  /// A part of a sentence about one of the texts, with the advice as the next sentence.
  package func followed(_ text: String) -> String { advice.isEmpty ? text : text + "." + advice }

  /// Describes two values that are not equal.
  package init<Expected, Found>(_ expected: Expected, _ found: Found) {
    let (one, other) = ("\(expected)", "\(found)")
    guard one == other else {
      (self.expected, self.found, advice) = (one, other, "")
      return
    }
    // The dynamic types: an error is often an existential.
    let types = (String(reflecting: type(of: expected as Any)), String(reflecting: type(of: found as Any)))
    self.expected = "\(one) (\(types.0))"
    self.found = "\(other) (\(types.1))"
    let (reflected, otherReflected) = (String(reflecting: expected), String(reflecting: found))
    advice =
      if types.0 != types.1 {
        " They print alike but have different types: expect a \(types.1), or convert it to a \(types.0) first."
      } else if reflected != otherReflected {
        " They print alike but differ: \(reflected) is not \(otherReflected)."
      } else {
        """
         They print alike, but \(types.0).== returns false: correct it, or describe in `description` what differs.
        """
      }
  }
}
