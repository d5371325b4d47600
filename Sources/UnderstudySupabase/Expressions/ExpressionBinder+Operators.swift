import UnderstudyHTTP

extension ExpressionBinder {
  private static let comparisons: [String: DatabaseFilter.Comparison] = [
    "=": .equal, "<>": .notEqual, "!=": .notEqual, "<": .less, "<=": .lessOrEqual, ">": .greater,
    ">=": .greaterOrEqual,
  ]

  func binary(
    _ symbol: String, _ one: BoundExpression, _ other: BoundExpression, at location: SQLLocation?
  ) throws(ExpressionError) -> BoundExpression {
    if let comparison = Self.comparisons[symbol] {
      return try self.comparison(comparison, one, other, at: location)
    }
    switch symbol {
    case "IS DISTINCT FROM": return try self.comparison(.distinct, one, other, at: location)
    case "+", "-", "*", "/", "%": return try arithmetic(symbol, one, other, at: location)
    case "||": return try concatenation(one, other, at: location)
    case "~~", "!~~", "~~*", "!~~*":
      let ignoresCase = symbol.hasSuffix("*")
      let operands = try texts(symbol, one, other, at: location)
      let like = folded(
        BoundExpression(
          .function(operands) { (values) throws(PostgRESTError) in
            let pattern = LikePattern(values[1].checkedText, ignoresCase: ignoresCase)
            return .boolean(try pattern.matches(values[0].checkedText))
          }, .boolean))
      return symbol.hasPrefix("!") ? BoundExpression(.not(like), .boolean) : like
    case "~", "!~", "~*", "!~*": return try match(symbol, one, other, at: location)
    case "@>", "<@", "&&": return try containment(symbol, one, other, at: location)
    case "->", "->>": return try member(symbol, one, other, at: location)
    default: throw missing(symbol, one, other, at: location)
    }
  }

  /// Returns PostgreSQL's error for operands that no operator accepts.
  private func missing(
    _ symbol: String, _ one: BoundExpression, _ other: BoundExpression, at location: SQLLocation?
  ) -> ExpressionError {
    ExpressionError(
      "42883", "operator does not exist: \(one.type.name) \(symbol) \(other.type.name)", at: location,
      advice:
        "Supported: = <> < <= > >= + - * / % || LIKE ~ ~* IN BETWEEN, @> <@ && of text[], and -> ->> of"
        + " jsonb. A cast (x::text) may help.")
  }

  func comparison(
    _ comparison: DatabaseFilter.Comparison, _ one: BoundExpression, _ other: BoundExpression,
    at location: SQLLocation?
  ) throws(ExpressionError) -> BoundExpression {
    guard let (one, other) = try unified(one, other, at: location) else {
      let symbol = Self.comparisons.first { $0.value == comparison && $0.key != "!=" }?.key ?? "="
      throw missing(symbol, one, other, at: location)
    }
    return BoundExpression(.comparison(comparison, one, other), .boolean)
  }

  /// Returns both operands converted to one type; `nil` without a common type.
  func unified(
    _ one: BoundExpression, _ other: BoundExpression, at location: SQLLocation?
  ) throws(ExpressionError) -> (BoundExpression, BoundExpression)? {
    if one.type == .unknown {
      let other = other.type == .unknown ? try literal(other, as: .text, at: location) : other
      return (try literal(one, as: other.type, at: location), other)
    }
    if other.type == .unknown { return (one, try literal(other, as: one.type, at: location)) }
    if let changed = implicit(other, to: one.type) { return (one, changed) }
    if let changed = implicit(one, to: other.type) { return (changed, other) }
    return nil
  }

  func among(
    _ operand: BoundExpression, _ values: [BoundExpression], at location: SQLLocation?
  ) throws(ExpressionError) -> BoundExpression {
    var operand = operand
    // A literal operand gets the type of the first value with a type.
    if operand.type == .unknown, let type = values.first(where: { $0.type != .unknown })?.type {
      operand = try literal(operand, as: type, at: location)
    }
    var comparisons: [BoundExpression] = []
    for value in values { comparisons.append(try comparison(.equal, operand, value, at: location)) }
    var read: [BoundExpression] = []
    for case .comparison(_, let one, let value) in comparisons.map(\.node) {
      // If an element is of a wider type than the operand, each comparison has its own type.
      guard one.type == operand.type else { return BoundExpression(.or(comparisons), .boolean) }
      read.append(value)
    }
    if operand.type == .unknown { operand = try literal(operand, as: .text, at: location) }
    return BoundExpression(.among(operand, read), .boolean)
  }

  func quantified(
    _ operand: SQLExpression, _ symbol: String, _ array: SQLExpression, isAny: Bool, at location: SQLLocation?
  ) throws(ExpressionError) -> BoundExpression {
    // As PostgreSQL prints an IN: x = ANY (ARRAY[…]), of any type.
    if case .array(let elements) = array.node, !elements.isEmpty {
      let comparisons = elements.map { SQLExpression(.binary(symbol, operand, $0), at: location) }
      return try bind(SQLExpression(isAny ? .or(comparisons) : .and(comparisons), at: location))
    }
    let (one, other) = (try bind(operand), try bind(array))
    guard let comparison = Self.comparisons[symbol], one.type == .text || one.type == .unknown,
      other.type == .textArray || other.type == .unknown
    else {
      throw ExpressionError(
        "42883",
        "operator does not exist: \(one.type.name) \(symbol) \(isAny ? "ANY" : "ALL") (\(other.type.name))",
        at: location, advice: "Compare a text with the elements of a text[], or write ARRAY[…] or IN (…).")
    }
    return BoundExpression(
      .quantified(
        try literalOr(one, .text, at: location), comparison,
        array: try literalOr(other, .textArray, at: location), isAny: isAny), .boolean)
  }

  func amongRows(
    _ operand: SQLExpression, _ query: SQLQuery, at location: SQLLocation?
  ) throws(ExpressionError) -> BoundExpression {
    let rows = try bind(query)
    guard let value = rows.value else {
      throw ExpressionError(
        "42601", "subquery has too few columns", at: location, advice: "Select the column to compare with.")
    }
    let one = try bind(operand)
    guard let (changed, other) = try unified(one, value, at: location), other.type == value.type else {
      throw missing("=", one, value, at: location)
    }
    return BoundExpression(
      .amongRows(changed, BoundQuery(value: other, sources: rows.sources, condition: rows.condition)),
      .boolean)
  }

  func choice(
    _ branches: [(condition: SQLExpression, value: SQLExpression)], otherwise: SQLExpression?,
    at location: SQLLocation?
  ) throws(ExpressionError) -> BoundExpression {
    var conditions: [BoundExpression] = []
    for branch in branches { conditions.append(try condition(branch.condition, in: "CASE/WHEN")) }
    let values = try alike(
      try all(branches.map(\.value) + (otherwise.map { [$0] } ?? [])), "CASE", at: location)
    let last = otherwise == nil ? nil : values.last
    return BoundExpression(
      .choice(
        zip(conditions, values).map { ($0, $1) }, otherwise: last ?? .null), values[0].type)
  }

  /// Returns the expressions converted to one type.
  func alike(
    _ expressions: [BoundExpression], _ name: String, at location: SQLLocation?
  ) throws(ExpressionError) -> [BoundExpression] {
    var type = expressions.first { $0.type != .unknown }?.type ?? .text
    if expressions.contains(where: { $0.type == .double }), type.isNumber { type = .double }
    if expressions.contains(where: { $0.type == .numeric }), type == .integer { type = .numeric }
    var changed: [BoundExpression] = []
    for expression in expressions {
      changed.append(
        try coerced(expression, to: type, at: location) {
          "\(name) types \(type.name) and \($0.name) cannot be matched"
        })
    }
    return changed
  }

  private func literalOr(
    _ expression: BoundExpression, _ type: SQLType, at location: SQLLocation?
  ) throws(ExpressionError) -> BoundExpression {
    expression.type == .unknown ? try literal(expression, as: type, at: location) : expression
  }

  // MARK: Texts

  private func texts(
    _ symbol: String, _ one: BoundExpression, _ other: BoundExpression, at location: SQLLocation?
  ) throws(ExpressionError) -> [BoundExpression] {
    let operands = [
      try literalOr(one, .text, at: location), try literalOr(other, .text, at: location),
    ]
    guard operands.allSatisfy({ $0.type == .text }) else { throw missing(symbol, one, other, at: location) }
    return operands
  }

  private func concatenation(
    _ one: BoundExpression, _ other: BoundExpression, at location: SQLLocation?
  ) throws(ExpressionError) -> BoundExpression {
    let types = [one.type, other.type]
    guard types.contains(.text) || types.contains(.unknown), !types.contains(.textArray) else {
      throw missing("||", one, other, at: location)
    }
    let operands = [
      try cast(literalOr(one, .text, at: location), to: .text, at: location),
      try cast(literalOr(other, .text, at: location), to: .text, at: location),
    ]
    return folded(
      BoundExpression(
        .function(operands) { .text($0[0].checkedText + $0[1].checkedText) }, .text))
  }

  private func match(
    _ symbol: String, _ one: BoundExpression, _ other: BoundExpression, at location: SQLLocation?
  ) throws(ExpressionError) -> BoundExpression {
    let operands = try texts(symbol, one, other, at: location)
    guard let pattern = operands[1].constant?.textValue else {
      throw ExpressionError(
        "0A000", "a regular expression that is not a literal is not supported", at: location,
        advice: "Write the pattern as a literal, as in name ~ '^[a-z]+$'.")
    }
    let expression: RegularExpression
    do throws(RegularExpression.Malformed) {
      expression = try RegularExpression(pattern, ignoresCase: symbol.hasSuffix("*"))
    } catch {
      throw ExpressionError(
        error.code, error.message, at: location,
        advice:
          "Supported: characters, ., […] with classes and ranges, ( ), |, * + ? {m,n}, ^ $ and \\d \\s \\w.")
    }
    let match = folded(
      BoundExpression(
        .function([operands[0]]) { (values) throws(PostgRESTError) in
          .boolean(try expression.matches(values[0].checkedText))
        }, .boolean))
    return symbol.hasPrefix("!") ? BoundExpression(.not(match), .boolean) : match
  }

  // MARK: Arrays and documents

  private func containment(
    _ symbol: String, _ one: BoundExpression, _ other: BoundExpression, at location: SQLLocation?
  ) throws(ExpressionError) -> BoundExpression {
    let operands = [
      try literalOr(one, .textArray, at: location), try literalOr(other, .textArray, at: location),
    ]
    guard operands.allSatisfy({ $0.type == .textArray }) else {
      throw missing(symbol, one, other, at: location)
    }
    let containment: DatabaseFilter.Containment =
      symbol == "@>" ? .contains : symbol == "<@" ? .containedBy : .overlaps
    return BoundExpression(.containment(containment, operands[0], operands[1]), .boolean)
  }

  /// Binds access to a member of an object, or to an element of an array.
  private func member(
    _ symbol: String, _ one: BoundExpression, _ other: BoundExpression, at location: SQLLocation?
  ) throws(ExpressionError) -> BoundExpression {
    let key = try literalOr(other, .text, at: location)
    guard one.type == .json, key.type == .text || key.type == .integer else {
      throw missing(symbol, one, other, at: location)
    }
    let isText = symbol == "->>"
    return folded(
      BoundExpression(
        .function([one, key]) { values in
          guard let found = values[0].checkedJSON.member(values[1]) else { return .null }
          guard isText else { return .json(found) }
          return found.unquoted.map { .text($0) } ?? .null
        }, isText ? .text : .json))
  }
}

extension JSONValue {
  fileprivate func member(_ key: ColumnValue) -> JSONValue? {
    switch (self, key) {
    case (.object, .text(let name)): return self[name]
    case (.array(let elements), .integer(let index)):
      let place = index < 0 ? elements.count + index : index
      return elements.indices.contains(place) ? elements[place] : nil
    default: return nil
    }
  }

  /// The result of `->>`: a string without its quotes; `nil` for `null`.
  fileprivate var unquoted: String? {
    switch self {
    case .null: nil
    case .string(let text): text
    default: text
    }
  }
}
