import UnderstudyHTTP

/// The error of an invalid expression.
struct ExpressionError: Error {
  /// PostgreSQL's error.
  let error: PostgRESTError
  let location: SQLLocation?
  let advice: String

  init(_ code: String, _ message: String, at location: SQLLocation?, advice: String) {
    error = PostgRESTError(code: code, message: message)
    self.location = location
    self.advice = advice
  }
}

/// A binder that resolves the names of an expression and the types of its literals.
struct ExpressionBinder {
  /// A table whose columns can be named, and the index of its row.
  struct Source {
    let name: String
    let layout: RowLayout
    let row: Int
  }

  /// The index and the columns of a table.
  typealias Catalog = [String: (place: Int, layout: RowLayout)]

  static func catalog(of tables: [DatabaseTable]) -> Catalog {
    Dictionary(
      tables.enumerated().map { ($1.name, ($0, $1.layout)) }, uniquingKeysWith: { first, _ in first })
  }

  let catalog: Catalog
  /// The tables of each query around the expression, the innermost last.
  let scopes: [[Source]]

  /// Creates a binder for a condition on the rows of a table.
  init(_ table: DatabaseTable, in catalog: Catalog) {
    self.init(
      catalog: catalog, scopes: [[Source(name: table.relation, layout: table.layout, row: 0)]])
  }

  init(catalog: Catalog = [:], scopes: [[Source]] = []) {
    self.catalog = catalog
    self.scopes = scopes
  }

  /// - Throws: 42804 if it is not boolean, or as `bind(_:)`.
  func condition(_ expression: SQLExpression, in clause: String) throws(ExpressionError) -> BoundExpression {
    let bound = try bind(expression)
    return try coerced(bound, to: .boolean, at: expression.location) {
      "argument of \(clause) must be type boolean, not type \($0.name)"
    }
  }

  func bind(_ expression: SQLExpression) throws(ExpressionError) -> BoundExpression {
    let location = expression.location
    // Each case is a separate function, so that the recursion over deep expressions requires little stack.
    switch expression.node {
    case .null: return .null
    case .boolean(let value): return BoundExpression(.constant(.boolean(value)), .boolean)
    case .number(let digits): return try number(digits, at: location)
    case .string(let text): return BoundExpression(.constant(.text(text)), .unknown)
    case .column(let name, let owner): return try column(name, of: owner, at: location)
    case .call(let name, let arguments): return try call(name, try all(arguments), at: location)
    case .not(let operand): return try negation(of: operand)
    case .and(let operands): return BoundExpression(.and(try conditions(operands, in: "AND")), .boolean)
    case .or(let operands): return BoundExpression(.or(try conditions(operands, in: "OR")), .boolean)
    case .negative(let operand): return try negative(operand, at: location)
    case .binary(let symbol, let one, let other): return try binary(symbol, one, other, at: location)
    case .state(let operand, let state): return try self.state(operand, state)
    case .distinct(let one, let other): return try binary("IS DISTINCT FROM", one, other, at: location)
    case .among(let operand, let values): return try among(try bind(operand), try all(values), at: location)
    case .quantified(let operand, let symbol, let array, let isAny):
      return try quantified(operand, symbol, array, isAny: isAny, at: location)
    case .cast(let operand, let type): return try cast(try bind(operand), to: type, at: location)
    case .array(let elements): return try array(elements)
    case .choice(let branches, let otherwise): return try choice(branches, otherwise: otherwise, at: location)
    case .exists(let query): return BoundExpression(.exists(try bind(query)), .boolean)
    case .scalar(let query): return try scalar(query, at: location)
    case .amongRows(let operand, let query): return try amongRows(operand, query, at: location)
    case .custom(let condition): return try custom(condition)
    }
  }

  private func negation(of operand: SQLExpression) throws(ExpressionError) -> BoundExpression {
    BoundExpression(.not(try condition(operand, in: "NOT")), .boolean)
  }

  private func negative(
    _ operand: SQLExpression, at location: SQLLocation?
  ) throws(ExpressionError) -> BoundExpression {
    if case .number(let digits) = operand.node { return try number("-" + digits, at: operand.location) }
    return try binary(
      "-", BoundExpression(.constant(.integer(0)), .integer), try bind(operand), at: location)
  }

  private func binary(
    _ symbol: String, _ one: SQLExpression, _ other: SQLExpression, at location: SQLLocation?
  ) throws(ExpressionError) -> BoundExpression {
    let operands = try all([one, other])
    return try binary(symbol, operands[0], operands[1], at: location)
  }

  private func state(
    _ operand: SQLExpression, _ state: DatabaseFilter.State
  ) throws(ExpressionError) -> BoundExpression {
    let bound = try bind(operand)
    if state == .null || state == .notNull { return BoundExpression(.state(bound, state), .boolean) }
    let word = state.rawValue.uppercased()
    let truth = try coerced(bound, to: .boolean, at: operand.location) {
      "argument of IS \(word) must be type boolean, not type \($0.name)"
    }
    return BoundExpression(.state(truth, state), .boolean)
  }

  private func array(_ elements: [SQLExpression]) throws(ExpressionError) -> BoundExpression {
    var bound: [BoundExpression] = []
    for element in elements {
      bound.append(
        try coerced(try bind(element), to: .text, at: element.location) {
          "ARRAY of \($0.name) elements is not supported"
        })
    }
    return folded(BoundExpression(.array(bound), .textArray))
  }

  private func scalar(
    _ query: SQLQuery, at location: SQLLocation?
  ) throws(ExpressionError) -> BoundExpression {
    let bound = try bind(query)
    guard let value = bound.value else {
      throw ExpressionError(
        "42601", "subquery must return only one column", at: location, advice: "Select one expression.")
    }
    // As PostgreSQL recommends for policies: (SELECT auth.uid()).
    if bound.sources.isEmpty, bound.condition == nil { return value }
    return BoundExpression(.scalar(bound), value.type)
  }

  private func custom(
    _ condition: @escaping @Sendable (DatabaseRow, StatementContext) -> Bool
  ) throws(ExpressionError) -> BoundExpression {
    guard let source = scopes.last?.first else {
      throw ExpressionError(
        "42601", "a condition requires a row", at: nil, advice: "Use it in a check or a policy.")
    }
    return BoundExpression(.custom(row: source.row, source.layout, condition), .boolean)
  }

  func all(_ expressions: [SQLExpression]) throws(ExpressionError) -> [BoundExpression] {
    var bound: [BoundExpression] = []
    for expression in expressions { bound.append(try bind(expression)) }
    return bound
  }

  private func conditions(
    _ operands: [SQLExpression], in clause: String
  ) throws(ExpressionError) -> [BoundExpression] {
    var bound: [BoundExpression] = []
    for operand in operands { bound.append(try condition(operand, in: clause)) }
    return bound
  }

  // MARK: Names and numbers

  private func column(
    _ name: String, of owner: SQLExpression.Owner, at location: SQLLocation?
  ) throws(ExpressionError) -> BoundExpression {
    var shown = name
    if case .table(let table) = owner { shown = "\(table).\(name)" }
    for scope in (owner == .outside ? scopes.dropLast() : scopes[...]).reversed() {
      let sources = scope.filter { source in
        if case .table(let table) = owner {
          source.name == table
        } else {
          source.layout.positions[name] != nil
        }
      }
      if sources.count > 1 {
        throw ExpressionError(
          "42702", "column reference \"\(name)\" is ambiguous", at: location,
          advice: "Write the table, or its alias, before it.")
      }
      guard let source = sources.first else { continue }
      guard let place = source.layout.positions[name] else { break }
      return BoundExpression(
        .column(row: source.row, place: place), .column(source.layout.columns[place].type))
    }
    if case .table(let table) = owner, !scopes.joined().contains(where: { $0.name == table }) {
      throw ExpressionError(
        "42P01", "missing FROM-clause entry for table \"\(table)\"", at: location,
        advice: "Name the table in FROM, or use the alias that it has there.")
    }
    throw ExpressionError(
      "42703",
      owner == .any || owner == .outside
        ? "column \"\(name)\" does not exist" : "column \(shown) does not exist",
      at: location, advice: columnAdvice)
  }

  private var columnAdvice: String {
    let sources = scopes.reversed().joined()
    guard !sources.isEmpty else { return "Columns are not available here." }
    return "Available columns: "
      + sources.map { "\($0.layout.columns.map(\.name).joined(separator: ", ")) (of \($0.name))" }
      .joined(separator: "; ") + "."
  }

  private func number(_ digits: String, at location: SQLLocation?) throws(ExpressionError)
    -> BoundExpression
  {
    if let number = Int32(digits) { return BoundExpression(.constant(.integer(Int(number))), .integer) }
    guard let number = Double(digits), number.isFinite else {
      throw ExpressionError(
        "22003", "the number \(digits) is too large", at: location, advice: "Numbers have 64 bits.")
    }
    return BoundExpression(.constant(.double(number)), .numeric)
  }

  // MARK: Types

  /// Returns the expression converted to another type, if PostgreSQL converts it implicitly.
  func implicit(_ expression: BoundExpression, to type: SQLType) -> BoundExpression? {
    if expression.type == type { return expression }
    switch (expression.type, type) {
    case (.integer, .double), (.integer, .numeric):
      return folded(
        BoundExpression(
          .function([expression]) { .double(Double($0[0].checkedInteger)) }, type))
    case (.numeric, .double), (.localTimestamp, .timestamp), (.timestamp, .localTimestamp):
      return BoundExpression(expression.node, type)
    case (.date, .timestamp), (.date, .localTimestamp):
      return folded(
        BoundExpression(
          .function([expression]) { .timestamp(Timestamp(startOf: $0[0].checkedDate).date) }, type))
    default: return nil
    }
  }

  /// Returns the expression converted to the required type.
  func coerced(
    _ expression: BoundExpression, to type: SQLType, at location: SQLLocation?, refusal: (SQLType) -> String
  ) throws(ExpressionError) -> BoundExpression {
    if expression.type == .unknown { return try literal(expression, as: type, at: location) }
    if let changed = implicit(expression, to: type) { return changed }
    throw ExpressionError(
      "42804", refusal(expression.type), at: location, advice: "Write a cast, as in x::text.")
  }

  /// Returns a quoted literal, parsed as a type.
  func literal(
    _ expression: BoundExpression, as type: SQLType, at location: SQLLocation?
  ) throws(ExpressionError) -> BoundExpression {
    guard let value = expression.constant, case .text(let text) = value else {
      return BoundExpression(expression.node, type == .unknown ? .text : type)
    }
    do throws(PostgRESTError) {
      return BoundExpression(.constant(try type.value(fromText: text)), type == .unknown ? .text : type)
    } catch {
      throw ExpressionError(
        error.code, error.message, at: location, advice: "Write a literal of type \(type.name).")
    }
  }

  /// Returns the constant value of an expression that is the same for every row.
  func folded(_ expression: BoundExpression) -> BoundExpression {
    let operands: [BoundExpression]
    switch expression.node {
    case .function(let arguments, _), .array(let arguments): operands = arguments
    default: return expression
    }
    guard operands.allSatisfy({ $0.constant != nil }) else { return expression }
    let context = StatementContext(role: .anonymous, now: .epoch, returnsRows: false)
    // An error is reported when the expression is evaluated.
    guard let value = try? DatabaseState.empty.value(of: expression, [], context) else { return expression }
    return BoundExpression(.constant(value), expression.type)
  }
}

extension SQLType {
  /// Returns the value of a text, as parsed by the input function of the type.
  func value(fromText text: String) throws(PostgRESTError) -> ColumnValue {
    switch self {
    case .column(let type): return try type.value(fromText: text)
    case .localTimestamp: return try ColumnType.timestamp.value(fromText: text)
    case .numeric: return try ColumnType.double.value(fromText: text)
    case .unknown: return .text(text)
    }
  }
}
