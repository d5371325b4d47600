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
      case nil, "&", "|", ")", "<", ":": throw noOperand
      default: break
      }
      guard let word = try reader.word(stopsAt: "&|!()<:", failure) else { throw noOperand }
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

  private var noOperand: PostgreSQLError {
    PostgreSQLError("42601", "no operand in tsquery: \"\(text)\"")
  }
}

extension TextQuery {
  /// A query as people write it for search engines: words, phrases in quotes, `or` and `-`. Nothing is an error.
  init(websearch text: String, _ configuration: TextSearchConfiguration) {
    var alternatives: [TextQuery] = []
    var current: TextQuery?
    var isAlternative = false
    func add(_ query: TextQuery) {
      if isAlternative, let whole = current {
        alternatives.append(whole)
        current = query
      } else {
        current = current.map { .and($0, query) } ?? query
      }
      isAlternative = false
    }
    let scalars = Array(text.unicodeScalars)
    var place = 0
    while place < scalars.count {
      let isNegated = scalars[place] == "-"
      if scalars[place].properties.isWhitespace {
        place += 1
        continue
      }
      if isNegated {
        place += 1
        guard place < scalars.count, !scalars[place].properties.isWhitespace else { continue }
      }
      var query: TextQuery
      if scalars[place] == "\"" {
        let end = scalars[(place + 1)...].firstIndex(of: "\"") ?? scalars.count
        query = configuration.query(Function.string(scalars[place + 1..<end]), .phrase)
        place = end + 1
      } else {
        var end = place
        while end < scalars.count, !scalars[end].properties.isWhitespace, scalars[end] != "\"" { end += 1 }
        let word = Function.string(scalars[place..<end])
        place = end
        if word.lowercased() == "or", !isNegated, current != nil, !isAlternative,
          scalars[end...].contains(where: { !$0.properties.isWhitespace })
        {
          isAlternative = true
          continue
        }
        query = configuration.query(word, .phrase)
      }
      if isNegated { query = .not(query) }
      add(query)
    }
    if let current { alternatives.append(current) }
    guard let first = alternatives.first else {
      self = .empty
      return
    }
    self = alternatives.dropFirst().reduce(first) { .or($0, $1) }.withoutStopWords.query
  }
}
