@testable import UnderstudyPostgreSQL

/// A literal of a type.
struct Literal {
  var type: DataType
  /// Nil is null.
  var text: String?

  var sql: String {
    text.map { "'" + $0.replacing("'", with: "''") + "'::" + type.sql } ?? "NULL::" + type.sql
  }

  func value(_ session: TestSession) throws(PostgreSQLError) -> Value {
    guard let text else { return .null }
    return try type.value(from: text, context: session)
  }
}

extension Agreement {
  mutating func add(_ function: Function, _ literals: [Literal], _ session: TestSession, sql: String? = nil) {
    let query = sql ?? "\(function.name)(\(literals.map(\.sql).joined(separator: ", ")))"
    add("SELECT " + query, Self.resolved(function.result, literals), session) { () throws(PostgreSQLError) in
      try Self.call(function.body, function.isStrict, literals, session)
    }
  }

  mutating func add(_ operation: Operator, _ literals: [Literal], _ session: TestSession) {
    let query =
      literals.count == 1
      ? "\(operation.name) \(literals[0].sql)" : "\(literals[0].sql) \(operation.name) \(literals[1].sql)"
    add("SELECT " + query, Self.resolved(operation.result, literals), session) { () throws(PostgreSQLError) in
      try Self.call(operation.body, operation.isStrict, literals, session)
    }
  }

  private static func call(
    _ body: Function.Body, _ isStrict: Bool, _ literals: [Literal], _ session: TestSession
  ) throws(PostgreSQLError) -> Value {
    var values: [Value] = []
    for literal in literals { values.append(try literal.value(session)) }
    if isStrict, values.contains(where: \.isNull) { return .null }
    switch body {
    case .scalar(let scalar): return try scalar(values, session)
    case .typed(let make): return try make(literals.map { BoundType($0.type) })(values, session)
    default: preconditionFailure("Only functions of one value are called here.")
    }
  }

  private static func resolved(_ result: DataType, _ literals: [Literal]) -> DataType {
    switch result {
    case .anyelement, .anyenum: literals[0].type
    case .anyarray: if case .array = literals[0].type { literals[0].type } else { .array(literals[0].type) }
    default: result
    }
  }
}
