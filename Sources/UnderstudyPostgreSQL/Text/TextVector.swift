/// A value of `tsvector`: words with their positions (PostgreSQL documentation, 8.11).
package struct TextVector: Hashable, Sendable {
  package struct Word: Hashable, Sendable {
    package var text: String
    package var positions: [Position]
  }

  package struct Position: Hashable, Sendable {
    package var position: Int
    /// `A` to `D`.
    package var weight: Character
  }

  /// Unique, in order.
  package var words: [Word]
}

/// A value of `tsquery`.
package indirect enum TextQuery: Hashable, Sendable {
  case empty
  case word(String, isPrefix: Bool, weights: String)
  case not(TextQuery)
  case and(TextQuery, TextQuery)
  case or(TextQuery, TextQuery)
  /// The second follows the first at the distance.
  case phrase(TextQuery, TextQuery, distance: Int)
}
