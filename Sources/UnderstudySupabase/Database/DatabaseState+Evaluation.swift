import Foundation
import UnderstudyHTTP

extension DatabaseState {
  /// A state without tables.
  static let empty = DatabaseState(tables: [], seed: 0)

  /// Returns whether a condition is true; `nil` if the result is unknown in SQL.
  ///
  /// - Parameter rows: The row for which the condition is evaluated, followed by the rows of its queries.
  /// - Throws: The error of PostgreSQL, such as a division by zero.
  func truth(
    of condition: BoundExpression, _ rows: [[ColumnValue]], _ context: StatementContext
  ) throws(PostgRESTError) -> Bool? {
    try value(of: condition, rows, context).booleanValue
  }

  /// Returns the value of an expression.
  ///
  /// - Throws: The errors of `truth(of:_:_:)`.
  func value(
    of expression: BoundExpression, _ rows: [[ColumnValue]], _ context: StatementContext
  ) throws(PostgRESTError) -> ColumnValue {
    switch expression.node {
    case .constant(let value): return value
    case .column(let row, let place): return rows[row][place]
    case .user: if case .user(let id) = context.role { return .uuid(id) } else { return .null }
    case .role: return .text(context.role.name)
    case .now: return .timestamp(context.now.date)
    case .generatedUUID:
      preconditionFailure("gen_random_uuid() is only a whole default, which is generated with its row.")
    case .not(let operand): return ColumnValue(try truth(of: operand, rows, context).map { !$0 })
    case .and(let operands):
      return ColumnValue(try anyTruth(operands, is: false, rows, context).map { !$0 })
    case .or(let operands): return ColumnValue(try anyTruth(operands, is: true, rows, context))
    case .comparison(let comparison, let one, let other):
      return ColumnValue(try compared(comparison, one, other, rows, context))
    case .state(let operand, let state):
      return .boolean(try value(of: operand, rows, context).isIn(state))
    case .among(let operand, let values): return ColumnValue(try among(operand, values, rows, context))
    case .function(let arguments, let function):
      return try self.value(of: function, of: arguments, rows, context)
    case .quantified, .containment, .coalesce, .array, .choice:
      return try compositeValue(of: expression, rows, context)
    case .exists, .scalar, .amongRows: return try queriedValue(of: expression, rows, context)
    case .custom(let row, let layout, let condition):
      return .boolean(condition(DatabaseRow(layout: layout, values: rows[row]), context))
    }
  }

  // Each case is a separate function, so that the recursion over deep expressions requires little stack.

  private func value(
    of function: BoundExpression.Function, of arguments: [BoundExpression], _ rows: [[ColumnValue]],
    _ context: StatementContext
  ) throws(PostgRESTError) -> ColumnValue {
    var values: [ColumnValue] = []
    for argument in arguments { values.append(try value(of: argument, rows, context)) }
    return values.contains(.null) ? .null : try function(values)
  }

  private func among(
    _ operand: BoundExpression, _ values: [BoundExpression], _ rows: [[ColumnValue]],
    _ context: StatementContext
  ) throws(PostgRESTError) -> Bool? {
    let own = try value(of: operand, rows, context)
    var results: [Bool?] = []
    for other in values { results.append(own.compared(.equal, with: try value(of: other, rows, context))) }
    return anyTrue(results)
  }

  private func compared(
    _ comparison: DatabaseFilter.Comparison, _ one: BoundExpression, _ other: BoundExpression,
    _ rows: [[ColumnValue]],
    _ context: StatementContext
  ) throws(PostgRESTError) -> Bool? {
    let left = try value(of: one, rows, context)
    return left.compared(comparison, with: try value(of: other, rows, context))
  }

  private func compositeValue(
    of expression: BoundExpression, _ rows: [[ColumnValue]], _ context: StatementContext
  ) throws(PostgRESTError) -> ColumnValue {
    switch expression.node {
    case .quantified(let operand, let comparison, let array, let isAny):
      let own = try value(of: operand, rows, context)
      guard case .textArray(let elements) = try value(of: array, rows, context) else { return .null }
      let results = elements.map { own.compared(comparison, with: $0.map { .text($0) } ?? .null) }
      return ColumnValue(isAny ? anyTrue(results) : anyTrue(results.map { $0.map { !$0 } }).map { !$0 })
    case .containment(let containment, let one, let other):
      guard case .textArray(let own) = try value(of: one, rows, context),
        case .textArray(let others) = try value(of: other, rows, context)
      else { return .null }
      return .boolean(containment.holds(own, others))
    case .coalesce(let operands):
      for operand in operands {
        let value = try value(of: operand, rows, context)
        if !value.isNull { return value }
      }
      return .null
    case .array(let elements):
      var texts: [String?] = []
      for element in elements { texts.append(try value(of: element, rows, context).textValue) }
      return .textArray(texts)
    case .choice(let branches, let otherwise):
      for branch in branches where try truth(of: branch.condition, rows, context) == true {
        return try value(of: branch.value, rows, context)
      }
      return try value(of: otherwise, rows, context)
    default: preconditionFailure("This expression has no parts to combine.")
    }
  }

  private func queriedValue(
    of expression: BoundExpression, _ rows: [[ColumnValue]], _ context: StatementContext
  ) throws(PostgRESTError) -> ColumnValue {
    switch expression.node {
    case .exists(let query): return .boolean(try !found(by: query, rows, context, limit: 1).isEmpty)
    case .scalar(let query):
      let values = try found(by: query, rows, context, limit: 2)
      guard values.count < 2 else {
        throw PostgRESTError(
          code: "21000", message: "more than one row returned by a subquery used as an expression")
      }
      return values.first ?? .null
    case .amongRows(let operand, let query):
      let own = try value(of: operand, rows, context)
      let others = try found(by: query, rows, context, limit: .max)
      return ColumnValue(anyTrue(others.map { own.compared(.equal, with: $0) }))
    default: preconditionFailure("This expression has no query.")
    }
  }

  /// Returns whether any condition has the truth value; unknown if no condition has it and one is unknown.
  private func anyTruth(
    _ conditions: [BoundExpression], is sought: Bool, _ rows: [[ColumnValue]], _ context: StatementContext
  ) throws(PostgRESTError) -> Bool? {
    var result: Bool? = false
    for condition in conditions {
      let truth = try truth(of: condition, rows, context)
      if truth == sought { return true }
      if truth == nil { result = nil }
    }
    return result
  }

  /// Returns the values that a query within an expression finds, in the rows that the role may see.
  private func found(
    by query: BoundQuery, _ rows: [[ColumnValue]], _ context: StatementContext, limit: Int
  ) throws(PostgRESTError) -> [ColumnValue] {
    var values: [ColumnValue] = []
    try look(in: query, rows, context, limit: limit, into: &values)
    return values
  }

  private func look(
    in query: BoundQuery, _ rows: [[ColumnValue]], _ context: StatementContext, limit: Int,
    from source: Int = 0, into values: inout [ColumnValue]
  ) throws(PostgRESTError) {
    guard source < query.sources.count else {
      if let condition = query.condition, try truth(of: condition, rows, context) != true { return }
      values.append(
        try query.value.map { expression throws(PostgRESTError) in
          try value(of: expression, rows, context)
        } ?? .null)
      return
    }
    let next = query.sources[source]
    var required: [Int: ColumnValue] = [:]
    for key in next.keys { required[key.place] = try value(of: key.value, rows, context) }
    for slot in tables[next.table].candidates(requiring: required) {
      guard values.count < limit else { return }
      guard let row = row(slot, of: next.table), try isVisible(row, of: next.table, to: [.select], context)
      else { continue }
      try look(in: query, rows + [row.values], context, limit: limit, from: source + 1, into: &values)
    }
  }
}

extension ColumnValue {
  init(_ truth: Bool?) { self = truth.map { .boolean($0) } ?? .null }
}

extension DatabaseRole {
  /// The name in the database.
  var name: String {
    switch self {
    case .service: "service_role"
    case .anonymous: "anon"
    case .user: "authenticated"
    }
  }
}
