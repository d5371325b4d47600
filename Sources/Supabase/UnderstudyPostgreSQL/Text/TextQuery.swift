/// A value of `tsquery`.
package indirect enum TextQuery: Hashable, Sendable {
  case empty
  /// `weights` has letters of `A` to `D` in order; all match if it is empty.
  case word(String, isPrefix: Bool, weights: String)
  case not(TextQuery)
  case and(TextQuery, TextQuery)
  case or(TextQuery, TextQuery)
  /// The second follows the first at the distance.
  case phrase(TextQuery, TextQuery, distance: Int)
}

extension TextQuery {
  /// How words that belong together are joined.
  enum Joint {
    case and, phrase

    func join(_ left: TextQuery, _ right: TextQuery) -> TextQuery {
      self == .and ? .and(left, right) : .phrase(left, right, distance: 1)
    }
  }

  /// Reads a query, whose words are kept as they are, or normalised by a configuration.
  package init(parsing text: String, _ configuration: TextSearchConfiguration? = nil) throws(PostgreSQLError)
  {
    var parser = QueryParser(text, configuration)
    self = try parser.parse()
  }

  /// A query of words that are joined alike: `plainto_tsquery` and `phraseto_tsquery`.
  init(words text: String, _ configuration: TextSearchConfiguration, _ joint: Joint) {
    self = configuration.query(text, joint).withoutStopWords.query
  }

  package var text: String { text(parent: 0, isRightOfPhrase: false) }

  /// Stronger operators have greater numbers.
  private var priority: Int {
    switch self {
    case .or: 1
    case .and: 2
    case .phrase: 3
    case .not: 4
    case .word, .empty: 5
    }
  }

  private func text(parent: Int, isRightOfPhrase: Bool) -> String {
    let text: String
    var isEnclosed = priority < parent
    switch self {
    case .empty: return ""
    case .word(let word, let isPrefix, let weights):
      let suffix = (isPrefix ? "*" : "") + weights
      return TextVector.quoted(word) + (suffix.isEmpty ? "" : ":" + suffix)
    case .not(let inner): text = "!" + inner.text(parent: priority, isRightOfPhrase: false)
    case .and(let left, let right): text = infix(left, "&", right)
    case .or(let left, let right): text = infix(left, "|", right)
    case .phrase(let left, let right, let distance):
      isEnclosed = isEnclosed || isRightOfPhrase
      text = infix(left, distance == 1 ? "<->" : "<\(distance)>", right)
    }
    return isEnclosed ? "( \(text) )" : text
  }

  private func infix(_ left: TextQuery, _ name: String, _ right: TextQuery) -> String {
    let isPhrase = if case .phrase = self { true } else { false }
    let first = left.text(parent: priority, isRightOfPhrase: false)
    return "\(first) \(name) \(right.text(parent: priority, isRightOfPhrase: isPhrase))"
  }

  /// The query without stop words, which are `empty`, and the distance that those at its ends leave
  /// (`clean_stopword_intree`).
  var withoutStopWords: (query: TextQuery, before: Int, after: Int) {
    switch self {
    case .empty, .word: return (self, 0, 0)
    case .not(let inner):
      let (query, before, after) = inner.withoutStopWords
      return (query == .empty ? .empty : .not(query), before, after)
    case .and(let left, let right), .or(let left, let right):
      let (first, second) = (left.withoutStopWords, right.withoutStopWords)
      switch (first.query, second.query) {
      case (.empty, .empty):
        let distance = max(first.before, second.before)
        return (.empty, distance, distance)
      case (.empty, _): return second
      case (_, .empty): return first
      default:
        if case .and = self { return (.and(first.query, second.query), 0, 0) }
        return (.or(first.query, second.query), 0, 0)
      }
    case .phrase(let left, let right, let distance):
      let (first, second) = (left.withoutStopWords, right.withoutStopWords)
      switch (first.query, second.query) {
      case (.empty, .empty):
        let whole = first.before + distance + second.before
        return (.empty, whole, whole)
      case (.empty, _): return (second.query, first.before + distance + second.before, second.after)
      case (_, .empty): return (first.query, first.before, first.after + distance + second.after)
      default:
        return (
          .phrase(first.query, second.query, distance: distance + first.after + second.before), first.before,
          second.after
        )
      }
    }
  }
}

/// A parser of the syntax of `tsquery` (PostgreSQL documentation, 8.11.2).
private struct QueryParser {
  private var reader: TextSearchReader
  private let text: String
  private let configuration: TextSearchConfiguration?
  private static let maximumDepth = 200

  init(_ text: String, _ configuration: TextSearchConfiguration?) {
    reader = TextSearchReader(text)
    self.text = text
    self.configuration = configuration
  }

  private var failure: PostgreSQLError { PostgreSQLError("42601", "syntax error in tsquery: \"\(text)\"") }

  mutating func parse() throws(PostgreSQLError) -> TextQuery {
    reader.skipSpace()
    guard reader.peek != nil else { return .empty }
    let query = try alternatives(depth: 0)
    reader.skipSpace()
    guard reader.peek == nil else { throw failure }
    return configuration == nil ? query : query.withoutStopWords.query
  }

  private mutating func alternatives(depth: Int) throws(PostgreSQLError) -> TextQuery {
    guard depth < Self.maximumDepth else { throw PostgreSQLError("54001", "stack depth limit exceeded") }
    var query = try conjunction(depth: depth)
    while skip("|") { query = .or(query, try conjunction(depth: depth)) }
    return query
  }

  private mutating func conjunction(depth: Int) throws(PostgreSQLError) -> TextQuery {
    var query = try phrase(depth: depth)
    while skip("&") { query = .and(query, try phrase(depth: depth)) }
    return query
  }

  private mutating func phrase(depth: Int) throws(PostgreSQLError) -> TextQuery {
    var query = try operand(depth: depth)
    while skip("<") {
      var distance = 1
      if !reader.skip("-") {
        guard let number = reader.number() else { throw failure }
        guard number <= 16_384 else {
          throw PostgreSQLError(
            "22023",
            "distance in phrase operator must be an integer value between zero and 16384 inclusive")
        }
        distance = number
      }
      guard reader.skip(">") else { throw failure }
      if reader.peek == nil { throw failure }
      query = .phrase(query, try operand(depth: depth), distance: distance)
    }
    return query
  }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    reader.skipSpace()
    return reader.skip(scalar)
  }

  private mutating func operand(depth: Int) throws(PostgreSQLError) -> TextQuery {
    var negations = 0
    while skip("!") { negations += 1 }
    guard negations + depth < Self.maximumDepth else {
      throw PostgreSQLError("54001", "stack depth limit exceeded")
    }
    var query: TextQuery
    if reader.skip("(") {
      query = try alternatives(depth: depth + 1)
      guard skip(")") else { throw failure }
    } else {
      switch reader.peek {
      case "&", "|", ")", "<", ":": throw failure
      default: break
      }
      guard let word = try reader.word(stopsAt: "&|!()<:", failure) else {
        throw PostgreSQLError("42601", "no operand in tsquery: \"\(text)\"")
      }
      var isPrefix = false
      var weights: Set<Character> = []
      if reader.skip(":") {
        while true {
          if reader.skip("*") {
            isPrefix = true
          } else if let weight = reader.weight() {
            weights.insert(weight)
          } else {
            break
          }
        }
      }
      let letters = String(weights.sorted())
      query =
        configuration?.query(word, .phrase, isPrefix: isPrefix, weights: letters)
        ?? .word(word, isPrefix: isPrefix, weights: letters)
    }
    for _ in 0..<negations { query = .not(query) }
    return query
  }
}

extension TextQuery {
  /// A query as people write it for search engines: words, phrases in quotes, `or` and `-`.
  ///
  /// Nothing is an error (`gettoken_query_websearch`).
  init(websearch text: String, _ configuration: TextSearchConfiguration) {
    let scalars = Array(text.unicodeScalars)
    var place = 0
    var alternatives: [TextQuery] = []
    var current: TextQuery?
    var negations = 0
    func isSpace(_ index: Int) -> Bool { scalars[index].properties.isWhitespace }
    func isOperator(_ index: Int) -> Bool { "!&|()<".unicodeScalars.contains(scalars[index]) }

    while place < scalars.count {
      if isSpace(place) {
        place += 1
        continue
      }
      if let whole = current, negations == 0, Self.isAlternative(scalars[place...]) {
        alternatives.append(whole)
        current = nil
        place += 2
        continue
      }
      if scalars[place] == "-", negations < 100 {
        negations += 1
        place += 1
        continue
      }
      var end = place + 1
      var query: TextQuery
      if scalars[place] == "\"" {
        end = scalars[end...].firstIndex(of: "\"") ?? scalars.count
        query = configuration.query(Function.string(scalars[place + 1..<end]), .phrase)
        end += 1
      } else if isOperator(place) {
        place += 1
        continue
      } else {
        while end < scalars.count, !isSpace(end), !isOperator(end), scalars[end] != ":", scalars[end] != "\""
        {
          end += 1
        }
        query = configuration.query(Function.string(scalars[place..<end]), .phrase)
      }
      place = end
      for _ in 0..<negations { query = .not(query) }
      negations = 0
      current = current.map { .and($0, query) } ?? query
    }
    if let current { alternatives.append(current) }
    guard let first = alternatives.first else {
      self = .empty
      return
    }
    self = alternatives.dropFirst().reduce(first) { .or($0, $1) }.withoutStopWords.query
  }

  /// Whether a text begins with the word `or`, and something comes after it.
  private static func isAlternative(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    guard Function.string(text.prefix(2)).lowercased() == "or", let next = text.dropFirst(2).first,
      next != "-", next != "_", !CharacterClass.Name.alnum.contains(next)
    else { return false }
    return text.dropFirst(3).contains { !$0.properties.isWhitespace }
  }
}
