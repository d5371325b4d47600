import UnderstudyPostgreSQL

extension SQLExpression {
  /// A column of a relation in the query.
  static func column(_ relation: String, _ name: String) -> SQLExpression {
    name == "*" ? .wildcard([relation]) : .name([relation, name])
  }

  static func call(_ name: String, _ arguments: SQLExpression...) -> SQLExpression {
    .call(Call(QualifiedName(name), arguments.map { Call.Argument($0) }))
  }

  static func call(_ name: String, _ arguments: [SQLExpression], orderedBy order: [SortKey]) -> SQLExpression
  {
    .call(Call(QualifiedName(name), arguments.map { Call.Argument($0) }, order: order))
  }

  func cast(to type: String) -> SQLExpression { .cast(self, TypeName(QualifiedName(type))) }

  /// All conditions; nil without any.
  static func all(_ conditions: [SQLExpression]) -> SQLExpression? {
    conditions.count > 1 ? .and(conditions) : conditions.first
  }
}

extension TypeName {
  /// The name of a type of the catalogue.
  init(_ type: DataType) {
    switch type {
    case .array(let element):
      self.init(element)
      arrayDimensions = 1
    case .enumeration(let name), .domain(let name), .composite(let name): self.init(name)
    default: self.init(QualifiedName(type.systemName))
    }
  }
}

extension RequestField {
  /// The name of the value in the result, if it is not the column's: the last key of the path.
  var pathName: String? {
    guard let last = path.last else { return nil }
    if case .key(let key) = last.operand { return key }
    for step in path.reversed() {
      if case .key(let key) = step.operand { return key }
    }
    return name
  }
}

/// Writes the fields and conditions of a request as expressions (`SqlFragment.hs`).
struct ExpressionWriter: Sendable {
  /// The name that qualifies columns.
  var qualifier: String
  /// The columns, if they are known.
  var table: Table?
  let catalogue: Catalogue

  /// Whether a name is a column of the relation, or a function of its rows.
  func has(_ name: String) -> Bool {
    guard let table else { return false }
    let functions = catalogue.functions.filter { $0.key.name == name }.values.joined()
    return table.column(name) != nil
      || functions.contains { $0.inputs.count == 1 && $0.inputs[0].type == .composite(table.name) }
  }

  private func type(_ column: String) -> DataType? {
    table?.columns.first { $0.name == column }.map { catalogue.base(of: $0.type) }
  }

  func expression(_ field: RequestField) -> SQLExpression {
    var expression = SQLExpression.column(qualifier, field.name)
    guard !field.path.isEmpty else { return expression }
    switch type(field.name) {
    case .json, .jsonb: break
    // Everything else is converted first: arrays, rows, and what is unknown.
    default: expression = .call("to_jsonb", expression)
    }
    return Self.following(field.path, from: expression)
  }

  /// A value within a document.
  static func following(_ path: [RequestField.Step], from start: SQLExpression) -> SQLExpression {
    path.reduce(start) { expression, step in
      let operand: SQLExpression =
        switch step.operand {
        case .key(let key): .string(key)
        case .index(let index): .cast(.string(index), TypeName(QualifiedName("int4")))
        }
      return .infix(step.isText ? "->>" : "->", expression, operand)
    }
  }

  func sortKey(_ term: OrderTerm) -> SortKey {
    let expression: SQLExpression
    if let relation = term.relation {
      let writer = ExpressionWriter(qualifier: relation, table: nil, catalogue: catalogue)
      expression = writer.expression(term.field)
    } else {
      expression = self.expression(term.field)
    }
    return SortKey(expression, isDescending: term.isDescending, nullsFirst: term.nullsFirst)
  }

  // MARK: Conditions

  func expression(_ condition: Condition) -> SQLExpression {
    switch condition {
    case .combination(let isNegated, let isAnd, let conditions):
      let parts = conditions.map(expression)
      let combined: SQLExpression = isAnd ? .and(parts) : .or(parts)
      return isNegated ? .not(combined) : combined
    case .embedding(let rows, let isNull): return .isDistinct(.name([rows]), .null, negated: isNull)
    case .filter(let field, let isNegated, let operation):
      let test = expression(field, operation)
      return isNegated ? .not(test) : test
    }
  }

  private func expression(_ field: RequestField, _ operation: Condition.Operation) -> SQLExpression {
    let value = expression(field)
    switch operation {
    case .simple(let symbol, let operand): return .infix(symbol, value, .string(operand))
    case .quantified(let symbol, let quantifier, var operand):
      // An asterisk is an alias of the percent sign, which clients would have to encode.
      if symbol.hasPrefix("~~") { operand = operand.replacing("*", with: "%") }
      switch quantifier {
      case .any: return .quantified(value, operator: symbol, .any, .array(.string(operand)))
      case .all: return .quantified(value, operator: symbol, .all, .array(.string(operand)))
      case nil: return .infix(symbol, value, .string(operand))
      }
    case .among(let values):
      let literal = values == [""] ? "{}" : Self.arrayLiteral(values)
      return .quantified(value, operator: "=", .any, .array(.string(literal)))
    case .isState(let state):
      switch state {
      case .null: return .isTest(value, .null, negated: false)
      case .notNull: return .isTest(value, .null, negated: true)
      case .true: return .isTest(value, .true, negated: false)
      case .false: return .isTest(value, .false, negated: false)
      case .unknown: return .isTest(value, .unknown, negated: false)
      }
    case .isDistinct(let operand): return .isDistinct(value, .string(operand), negated: false)
    case .textSearch(let function, let language, let operand):
      let languages = language.map { [SQLExpression.string($0)] } ?? []
      let isVector = field.path.isEmpty && type(field.name) == .tsvector
      let vector: SQLExpression =
        isVector ? value : .call("to_tsvector", languages + [value], orderedBy: [])
      return .infix("@@", vector, .call(function, languages + [.string(operand)], orderedBy: []))
    }
  }

  /// An array as PostgreSQL reads it (`SqlFragment.hs`, `pgBuildArrayLiteral`).
  static func arrayLiteral(_ values: [String]) -> String {
    let elements = values.map { value in
      "\"" + value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
    return "{" + elements.joined(separator: ",") + "}"
  }
}
