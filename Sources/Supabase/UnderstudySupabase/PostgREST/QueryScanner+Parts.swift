/// The parts of a query string: `select`, `order`, filters and combinations of filters.
extension QueryScanner {
  // MARK: select

  mutating func selections(depth: Int) throws(PostgRESTError) -> [Selection] {
    guard depth < 64 else { throw unexpected("fewer embeddings within each other") }
    var selections: [Selection] = []
    skipSpaces()
    if isAtEnd || next == ")" { return [] }
    repeat {
      skipSpaces()
      selections.append(try selection(depth: depth))
      skipSpaces()
    } while skip(",")
    guard depth > 0 || isAtEnd else { throw unexpected("\",\" or end of input") }
    return selections
  }

  private mutating func selection(depth: Int) throws(PostgRESTError) -> Selection {
    if skip("...") {
      let relation = try fieldName()
      let (hint, isInner) = try embeddingParameters()
      return .embedding(
        Selection.Embedding(
          relation: relation, hint: hint, isInner: isInner, isSpread: true, selections: try nested(depth)))
    }
    let head = attempt { (scanner) throws(PostgRESTError) -> (String?, String, String?, Bool)? in
      let alias = scanner.alias()
      let name = try scanner.fieldName()
      let (hint, isInner) = try scanner.embeddingParameters()
      guard name != "count", scanner.next == "(" else { return nil }
      return (alias, name, hint, isInner)
    }
    if let (alias, relation, hint, isInner) = head {
      return .embedding(
        Selection.Embedding(
          relation: relation, alias: alias, hint: hint, isInner: isInner, isSpread: false,
          selections: try nested(depth)))
    }
    return try column()
  }

  private mutating func nested(_ depth: Int) throws(PostgRESTError) -> [Selection] {
    try require("(")
    let selections = try selections(depth: depth + 1)
    guard skip(")") else { throw unexpected("\",\" or \")\"") }
    return selections
  }

  /// `alias:`, which is not the cast `::`.
  private mutating func alias() -> String? {
    attempt { (scanner) throws(PostgRESTError) -> String? in
      let name = try scanner.fieldName()
      return scanner.skip(":") && scanner.next != ":" ? name : nil
    }
  }

  /// `!hint` and `!inner` or `!left`, in any order.
  private mutating func embeddingParameters() throws(PostgRESTError) -> (hint: String?, isInner: Bool) {
    var hint: String?
    var isInner: Bool?
    for _ in 0..<2 where skip("!") {
      if skip("left") {
        isInner = isInner ?? false
      } else if skip("inner") {
        isInner = isInner ?? true
      } else {
        let name = try fieldName()
        hint = hint ?? name
      }
    }
    return (hint, isInner ?? false)
  }

  private mutating func column() throws(PostgRESTError) -> Selection {
    var isEnd: Bool { isAtEnd || next == "," || next == ")" }
    if skip("*") {
      guard isEnd else { throw unexpected("\",\" or end of input") }
      return .column(Selection.Column(field: RequestField(name: "*")))
    }
    let alias = alias()
    if skip("count()") {
      let aggregate = Selection.Aggregate(function: "count", cast: try cast())
      guard isEnd else { throw unexpected("\"::\", \",\" or end of input") }
      return .column(Selection.Column(field: RequestField(name: "*"), alias: alias, aggregate: aggregate))
    }
    let field = try field()
    let cast = try cast()
    for name in ["sum", "avg", "count", "max", "min"] where skip(".\(name)()") {
      let aggregate = Selection.Aggregate(function: name, cast: try self.cast())
      guard isEnd else { throw unexpected("\"::\", \",\" or end of input") }
      return .column(Selection.Column(field: field, alias: alias, cast: cast, aggregate: aggregate))
    }
    guard isEnd else { throw unexpected("\"->>\", \"->\", \"::\", \".\", \",\" or end of input") }
    return .column(Selection.Column(field: field, alias: alias, cast: cast))
  }

  /// `::type`, if it comes next.
  private mutating func cast() throws(PostgRESTError) -> String? {
    guard skip("::") else { return nil }
    guard let name = identifier() else { throw unexpected("letter or digit") }
    return name
  }

  // MARK: order

  mutating func orderTerms() throws(PostgRESTError) -> [OrderTerm] {
    var terms: [OrderTerm] = []
    repeat {
      skipSpaces()
      terms.append(try orderTerm())
      skipSpaces()
    } while skip(",")
    guard isAtEnd else { throw unexpected("\",\" or end of input") }
    return terms
  }

  private mutating func orderTerm() throws(PostgRESTError) -> OrderTerm {
    let related = attempt { (scanner) throws(PostgRESTError) -> OrderTerm? in
      let relation = try scanner.fieldName()
      guard scanner.skip("(") else { return nil }
      let field = try scanner.field()
      return scanner.skip(")") ? OrderTerm(relation: relation, field: field) : nil
    }
    var term: OrderTerm
    if let related { term = related } else { term = OrderTerm(field: try field()) }
    if skip(".asc") {
      term.isDescending = false
    } else if skip(".desc") {
      term.isDescending = true
    }
    if skip(".nullsfirst") {
      term.nullsFirst = true
    } else if skip(".nullslast") {
      term.nullsFirst = false
    }
    guard isAtEnd || next == "," || next == " " else {
      throw unexpected(
        next == "."
          ? "\"asc\", \"desc\", \"nullsfirst\" or \"nullslast\"" : "delimiter (.), \",\" or end of input",
        from: next == "." ? position + 1 : position)
    }
    return term
  }

  // MARK: Filters

  private static let operators: [(name: String, symbol: String, takesQuantifier: Bool)] = [
    ("neq", "<>", false), ("cs", "@>", false), ("cd", "<@", false), ("ov", "&&", false), ("sl", "<<", false),
    ("sr", ">>", false), ("nxr", "&<", false), ("nxl", "&>", false), ("adj", "-|-", false), ("eq", "=", true),
    ("gte", ">=", true), ("gt", ">", true), ("lte", "<=", true), ("lt", "<", true), ("like", "~~", true),
    ("ilike", "~~*", true), ("match", "~", true), ("imatch", "~*", true),
  ]

  private static let searches = [
    ("fts", "to_tsquery"), ("plfts", "plainto_tsquery"), ("phfts", "phraseto_tsquery"),
    ("wfts", "websearch_to_tsquery"),
  ]

  /// Whether the text is an operator with an operand, and not the argument of a function.
  var beginsWithOperation: Bool {
    var scanner = self
    return scanner.attempt { (scanner) throws(PostgRESTError) -> Condition? in
      try scanner.filter(on: RequestField(name: "")) { $0.rest() }
    } != nil
  }

  /// An operator and its operand: `not.eq.5`.
  ///
  /// - Parameter value: Reads an operand.
  mutating func filter(
    on field: RequestField, _ value: (inout QueryScanner) -> String
  ) throws(PostgRESTError) -> Condition {
    let isNegated = skip("not.")
    return .filter(field, negated: isNegated, try operation(isNegated: isNegated, value))
  }

  private mutating func operation(
    isNegated: Bool, _ value: (inout QueryScanner) -> String
  ) throws(PostgRESTError) -> Condition.Operation {
    if skip("in.") { return .among(try list()) }
    if skip("is.") { return .isState(try state()) }
    if skip("isdistinct.") { return .isDistinct(value(&self)) }
    for (name, function) in Self.searches {
      let language = attempt { (scanner) throws(PostgRESTError) -> String?? in
        guard scanner.skip(name) else { return nil }
        var language: String?
        if scanner.skip("(") {
          language = scanner.identifier()
          guard language != nil, scanner.skip(")") else { return nil }
        }
        return scanner.skip(".") ? .some(language) : nil
      }
      if let language { return .textSearch(function, language: language, value(&self)) }
    }
    for (name, symbol, takesQuantifier) in Self.operators {
      let quantifier = attempt { (scanner) throws(PostgRESTError) -> RequestQuantifier?? in
        guard scanner.skip(name) else { return nil }
        var quantifier: RequestQuantifier?
        if takesQuantifier {
          for word in [RequestQuantifier.any, .all] where scanner.skip("(\(word.rawValue))") {
            quantifier = word
          }
        }
        return scanner.skip(".") ? .some(quantifier) : nil
      }
      guard let quantifier else { continue }
      let operand = value(&self)
      return takesQuantifier ? .quantified(symbol, quantifier, operand) : .simple(symbol, operand)
    }
    throw unexpected((isNegated ? "" : "\"not\" or ") + "operator (eq, gt, ...)")
  }

  private mutating func state() throws(PostgRESTError) -> Condition.State {
    for state in Condition.State.allCases {
      let start = position
      let word = String(text.unicodeScalars.dropFirst(start).prefix(state.rawValue.count)).lowercased()
      if word == state.rawValue, skip(String(text.unicodeScalars.dropFirst(start).prefix(word.count))) {
        return state
      }
    }
    throw unexpected("isVal: (null, not_null, true, false, unknown)")
  }

  /// The values of `in`: `(a,"b,c")`.
  private mutating func list() throws(PostgRESTError) -> [String] {
    skipSpaces()
    try require("(")
    skipSpaces()
    var values: [String] = []
    repeat { values.append(element()) } while skip(",")
    skipSpaces()
    guard skip(")") else { throw unexpected("\",\" or \")\"") }
    skipSpaces()
    return values
  }

  /// A value up to a comma or a parenthesis, or a value in quotes.
  private mutating func element() -> String {
    let quoted = attempt { (scanner) throws(PostgRESTError) -> String? in
      guard scanner.next == "\"" else { return nil }
      let value = try scanner.quoted()
      return scanner.isAtEnd || scanner.next == "," || scanner.next == ")" ? value : nil
    }
    return quoted ?? take { $0 != "," && $0 != ")" }
  }

  /// A value within a combination: also an array in braces, whose commas do not end it.
  private mutating func combinedValue() -> String {
    if next == "{" {
      let array = attempt { (scanner) throws(PostgRESTError) -> String? in
        guard scanner.skip("{") else { return nil }
        let elements = scanner.take { $0 != "{" && $0 != "}" }
        return scanner.skip("}") ? "{\(elements)}" : nil
      }
      if let array { return array }
    }
    return element()
  }

  // MARK: Combinations

  /// `and(…)`, `not.or(…)`, or a filter such as `age.gte.6`.
  mutating func condition(depth: Int) throws(PostgRESTError) -> Condition {
    guard depth < 64 else { throw unexpected("fewer conditions within each other") }
    let start = position
    if let filter = attempt({ (scanner) throws(PostgRESTError) -> Condition? in
      let field = try scanner.field()
      guard scanner.skip(".") else { return nil }
      return try scanner.filter(on: field) { $0.combinedValue() }
    }) {
      return filter
    }
    let isNegated = skip("not.")
    let isAnd = skip("and")
    guard isAnd || skip("or") else {
      // The message is that of the filter.
      var scanner = self
      scanner.position = start
      let field = try scanner.field()
      guard scanner.skip(".") else { throw scanner.unexpected("\"->>\", \"->\" or delimiter (.)") }
      _ = try scanner.filter(on: field) { $0.combinedValue() }
      throw unexpected("logic operator (and, or)")
    }
    skipSpaces()
    try require("(")
    var conditions: [Condition] = []
    repeat {
      skipSpaces()
      conditions.append(try condition(depth: depth + 1))
      skipSpaces()
    } while skip(",")
    guard skip(")") else { throw unexpected("\",\" or \")\"") }
    skipSpaces()
    return .combination(negated: isNegated, isAnd: isAnd, conditions)
  }
}
