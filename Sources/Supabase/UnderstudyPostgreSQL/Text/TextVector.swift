/// A value of `tsvector`: words with their positions (PostgreSQL documentation, 8.11).
package struct TextVector: Hashable, Sendable {
  package struct Word: Hashable, Sendable {
    package var text: String
    /// In order.
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

extension TextVector {
  private static let maximumPosition = 16_383
  private static let maximumPositions = 256

  /// A vector of words in any order, in which words may be repeated.
  init(unordered words: [Word]) {
    let sorted = words.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
    var unique: [Word] = []
    for word in sorted {
      if let last = unique.last, last.text.utf8.elementsEqual(word.text.utf8) {
        unique[unique.count - 1].positions += word.positions
      } else {
        unique.append(word)
      }
    }
    self.words = unique.map { Word(text: $0.text, positions: Self.normalized($0.positions)) }
  }

  /// Positions in order, of which equal ones keep the greatest weight.
  private static func normalized(_ positions: [Position]) -> [Position] {
    var result: [Position] = []
    let limited = positions.map {
      Position(position: min($0.position, maximumPosition), weight: $0.weight)
    }
    for position in limited.sorted(by: { ($0.position, $0.weight) < ($1.position, $1.weight) })
    where result.last?.position != position.position && result.count < maximumPositions {
      result.append(position)
    }
    return result
  }

  /// Words as the parser found them, with their positions from 1.
  init(found: [(text: String, position: Int)]) {
    self.init(
      unordered: found.map {
        Word(text: $0.text, positions: [Position(position: $0.position, weight: "D")])
      })
  }

  package init(parsing text: String) throws(PostgreSQLError) {
    var reader = TextSearchReader(text)
    var words: [Word] = []
    let failure = PostgreSQLError("42601", "syntax error in tsvector: \"\(text)\"")
    while true {
      reader.skipSpace()
      guard let word = try reader.word(stopsAt: ":", failure) else { break }
      var positions: [Position] = []
      if reader.skip(":") {
        repeat {
          guard let number = reader.number() else { throw failure }
          guard number > 0 else {
            throw PostgreSQLError("42601", "wrong position info in tsvector: \"\(text)\"")
          }
          positions.append(Position(position: number, weight: reader.weight() ?? "D"))
        } while reader.skip(",")
      }
      words.append(Word(text: word, positions: positions))
    }
    self.init(unordered: words)
  }

  package var text: String {
    words.map { word in
      let positions = word.positions.map {
        "\($0.position)" + ($0.weight == "D" ? "" : String($0.weight))
      }
      return Self.quoted(word.text) + (positions.isEmpty ? "" : ":" + positions.joined(separator: ","))
    }.joined(separator: " ")
  }

  static func quoted(_ word: String) -> String {
    var text = "'"
    for scalar in word.unicodeScalars {
      if scalar == "'" || scalar == "\\" { text.unicodeScalars.append(scalar) }
      text.unicodeScalars.append(scalar)
    }
    return text + "'"
  }

  /// The operator `||`: the positions of the second follow those of the first.
  func concatenated(with other: TextVector) -> TextVector {
    let last = words.flatMap(\.positions).map(\.position).max() ?? 0
    return TextVector(
      unordered: words
        + other.words.map { word in
          Word(
            text: word.text,
            positions: word.positions.map { Position(position: $0.position + last, weight: $0.weight) })
        })
  }
}

/// A reader of the texts of `tsvector` and `tsquery`.
struct TextSearchReader {
  private let text: String
  private let scalars: [Unicode.Scalar]
  private(set) var position = 0

  init(_ text: String) {
    self.text = text
    scalars = Array(text.unicodeScalars)
  }

  private var withoutEscaped: PostgreSQLError {
    PostgreSQLError("42601", "there is no escaped character: \"\(text)\"")
  }

  var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  mutating func skipSpace() {
    while let scalar = peek, scalar.properties.isWhitespace { position += 1 }
  }

  mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    position += 1
    return true
  }

  mutating func number() -> Int? {
    var number: Int?
    while let scalar = peek, ("0"..."9").contains(scalar) {
      number = min((number ?? 0) * 10 + Int(scalar.value - 0x30), 1_000_000)
      position += 1
    }
    return number
  }

  mutating func weight() -> Character? {
    switch peek {
    case "A", "a", "*": position += 1; return "A"
    case "B", "b": position += 1; return "B"
    case "C", "c": position += 1; return "C"
    case "D", "d": position += 1; return "D"
    default: return nil
    }
  }

  /// A word in quotes or without; nil at the end of the text.
  mutating func word(
    stopsAt stops: String, _ failure: PostgreSQLError
  ) throws(PostgreSQLError) -> String? {
    guard let first = peek else { return nil }
    var word = String.UnicodeScalarView()
    if first == "'" {
      position += 1
      while true {
        guard let scalar = peek else { throw failure }
        position += 1
        if scalar == "'", !skip("'") { break }
        if scalar == "\\" {
          guard let escaped = peek else { throw withoutEscaped }
          word.append(escaped)
          position += 1
        } else {
          word.append(scalar)
        }
      }
      if word.isEmpty { throw failure }
      return String(word)
    }
    // A stop that comes first is a letter like others.
    while let scalar = peek, !scalar.properties.isWhitespace,
      word.isEmpty || !stops.unicodeScalars.contains(scalar)
    {
      position += 1
      if scalar == "\\" {
        guard let escaped = peek else { throw withoutEscaped }
        word.append(escaped)
        position += 1
      } else {
        word.append(scalar)
      }
    }
    if word.isEmpty { throw failure }
    return String(word)
  }
}
