/// Functions and operators of the full-text search (PostgreSQL documentation, 9.13).
extension Function {
  static let textSearch: [Function] = vectorFunctions + queryFunctions + rankFunctions

  /// A function of a text with a configuration before it, or with the session's.
  private static func configured(
    _ name: String, _ type: DataType, returns result: DataType,
    _ body: @escaping @Sendable (TextSearchConfiguration, Value) throws(PostgreSQLError) -> Value
  ) -> [Function] {
    [
      Function(
        name, [.text, type], returns: result,
        .scalar { a, _ throws(PostgreSQLError) in try body(TextSearchConfiguration(named: a.text(0)), a[1]) }),
      Function(
        name, [type], returns: result, .stable,
        .scalar { a, context throws(PostgreSQLError) in try body(context.textSearchConfiguration, a[0]) }),
    ]
  }

  private static let vectorFunctions: [Function] =
    configured("to_tsvector", .text, returns: .tsvector) { configuration, value in
      .tsvector(TextVector(found: configuration.lexemes(of: [value].text(0))))
    }
    + [DataType.json, .jsonb].flatMap { type in
      configured("to_tsvector", type, returns: .tsvector) { configuration, value throws(PostgreSQLError) in
        let json = type == .json ? try JSONText(value).jsonb : JSONB(value)
        return .tsvector(TextVector(of: json, configuration))
      }
    } + [
      Function(
        "setweight", [.tsvector, .text], returns: .tsvector,
        .scalar { a, _ throws(PostgreSQLError) in
          guard let weight = a.text(1).uppercased().first, "ABCD".contains(weight) else {
            let code = a.text(1).utf8.first ?? 0
            throw PostgreSQLError("XX000", "unrecognized weight: \(code)")
          }
          var vector = a.vector(0)
          for word in vector.words.indices {
            for position in vector.words[word].positions.indices {
              vector.words[word].positions[position].weight = weight
            }
          }
          return .tsvector(vector)
        }),
      Function(
        "strip", [.tsvector], returns: .tsvector,
        .scalar { a, _ in
          var vector = a.vector(0)
          for word in vector.words.indices { vector.words[word].positions = [] }
          return .tsvector(vector)
        }),
      Function("length", [.tsvector], returns: .integer, .scalar { a, _ in Value(a.vector(0).words.count) }),
      Function(
        "tsvector_to_array", [.tsvector], returns: .array(.text),
        .scalar { a, _ in Value(a.vector(0).words.map(\.text)) }),
    ]

  private static let queryFunctions: [Function] =
    configured("to_tsquery", .text, returns: .tsquery) { configuration, value throws(PostgreSQLError) in
      .tsquery(try TextQuery(parsing: [value].text(0), configuration))
    }
    + configured("plainto_tsquery", .text, returns: .tsquery) { configuration, value in
      .tsquery(TextQuery(words: [value].text(0), configuration, .and))
    }
    + configured("phraseto_tsquery", .text, returns: .tsquery) { configuration, value in
      .tsquery(TextQuery(words: [value].text(0), configuration, .phrase))
    }
    + configured("websearch_to_tsquery", .text, returns: .tsquery) { configuration, value in
      .tsquery(TextQuery(websearch: [value].text(0), configuration))
    } + [
      Function("numnode", [.tsquery], returns: .integer, .scalar { a, _ in Value(a.query(0).nodeCount) }),
      Function(
        "tsquery_phrase", [.tsquery, .tsquery, .integer], optional: 1, returns: .tsquery,
        .scalar { a, _ in
          .tsquery(
            a.query(0).joined(a.query(1)) { .phrase($0, $1, distance: a.count > 2 ? a.integer(2) : 1) })
        }),
    ]

  private static let rankFunctions: [Function] = [
    Function(
      "ts_rank", [.tsvector, .tsquery, .integer], optional: 1, returns: .real,
      .scalar { a, _ in
        let normalization = a.count > 2 ? a.integer(2) : 0
        return .double(Double(a.vector(0).rank(a.query(1), normalization: normalization)))
      }),
    Function(
      "ts_rank", [.array(.real), .tsvector, .tsquery, .integer], optional: 1, returns: .real,
      .scalar { a, _ throws(PostgreSQLError) in
        var weights: [Float] = []
        for (value, standard) in zip(a.array(0).elements, TextVector.defaultWeights) {
          guard case .double(let weight) = value else {
            throw PostgreSQLError("22004", "array of weight must not contain nulls")
          }
          if weight > 1 { throw PostgreSQLError("22023", "weight out of range") }
          weights.append(weight < 0 ? standard : Float(weight))
        }
        if weights.count < 4 { throw PostgreSQLError("2202E", "array of weight is too short") }
        let normalization = a.count > 3 ? a.integer(3) : 0
        return .double(
          Double(a.vector(1).rank(a.query(2), weights: weights, normalization: normalization)))
      }),
  ]
}

extension FunctionContext {
  /// `default_text_search_config`, which is `english` in Supabase.
  var textSearchConfiguration: TextSearchConfiguration {
    get throws(PostgreSQLError) {
      try TextSearchConfiguration(named: setting("default_text_search_config") ?? "english")
    }
  }
}

extension TextVector {
  /// The words of all strings in a document, each string after a gap.
  fileprivate init(of json: JSONB, _ configuration: TextSearchConfiguration) {
    var found: [(text: String, position: Int)] = []
    var last = 0
    func collect(_ json: JSONB) {
      switch json {
      case .string(let text):
        let lexemes = configuration.lexemes(of: text)
        found += lexemes.map { ($0.text, $0.position + last) }
        let count = TextTokenizer.tokens(of: text).count
        if count > 0 { last += count + 1 }
      case .array(let elements): elements.forEach(collect)
      case .object(let members): members.forEach { collect($0.value) }
      default: break
      }
    }
    collect(json)
    self.init(found: found)
  }
}

extension TextQuery {
  /// A query of two, or the one that is not empty.
  fileprivate func joined(_ other: TextQuery, _ join: (TextQuery, TextQuery) -> TextQuery) -> TextQuery {
    if self == .empty { return other }
    return other == .empty ? self : join(self, other)
  }
}

extension [Value] {
  fileprivate func vector(_ index: Int) -> TextVector {
    guard case .tsvector(let vector) = self[index] else { Value.mismatch("tsvector", self[index]) }
    return vector
  }

  fileprivate func query(_ index: Int) -> TextQuery {
    guard case .tsquery(let query) = self[index] else { Value.mismatch("tsquery", self[index]) }
    return query
  }
}

extension Operator {
  static let textSearch: [Operator] = ["@@", "@@@"].flatMap { matches($0) } + combinations

  private static func matches(_ name: String) -> [Operator] {
    [
      Operator(
        .tsvector, name, .tsquery, returns: .boolean,
        .scalar { a, _ in .boolean(a.vector(0).matches(a.query(1))) }),
      Operator(
        .tsquery, name, .tsvector, returns: .boolean,
        .scalar { a, _ in .boolean(a.vector(1).matches(a.query(0))) }),
      Operator(
        .text, name, .tsquery, returns: .boolean,
        .scalar { a, context throws(PostgreSQLError) in
          let vector = TextVector(found: try context.textSearchConfiguration.lexemes(of: a.text(0)))
          return .boolean(vector.matches(a.query(1)))
        }),
      Operator(
        .text, name, .text, returns: .boolean,
        .scalar { a, context throws(PostgreSQLError) in
          let configuration = try context.textSearchConfiguration
          let vector = TextVector(found: configuration.lexemes(of: a.text(0)))
          return .boolean(vector.matches(TextQuery(words: a.text(1), configuration, .and)))
        }),
    ]
  }

  private static let combinations: [Operator] = [
    Operator(
      .tsvector, "||", .tsvector, returns: .tsvector,
      .scalar { a, _ in .tsvector(a.vector(0).concatenated(with: a.vector(1))) }),
    Operator(
      .tsquery, "&&", .tsquery, returns: .tsquery,
      .scalar { a, _ in .tsquery(a.query(0).joined(a.query(1)) { .and($0, $1) }) }),
    Operator(
      .tsquery, "||", .tsquery, returns: .tsquery,
      .scalar { a, _ in .tsquery(a.query(0).joined(a.query(1)) { .or($0, $1) }) }),
    Operator(
      .tsquery, "<->", .tsquery, returns: .tsquery,
      .scalar { a, _ in .tsquery(a.query(0).joined(a.query(1)) { .phrase($0, $1, distance: 1) }) }),
    Operator(
      nil, "!!", .tsquery, returns: .tsquery,
      .scalar { a, _ in .tsquery(a.query(0) == .empty ? .empty : .not(a.query(0))) }),
  ]
}
