/// Functions that turn JSON into rows of given columns (PostgreSQL documentation, 9.16).
extension JSONNode {
  static var recordFunctions: [Function] {
    [
      Function(
        "\(prefix)_populate_record", [.anyelement, dataType], returns: .anyelement, isStrict: false, .stable,
        .typed { types throws(PostgreSQLError) in
          let row = try rowType(types[0], function: "\(prefix)_populate_record")
          return { a, context throws(PostgreSQLError) in
            a[1].isNull ? a[0] : try record(of: Self(a[1]), row, base: a[0], context)
          }
        }),
      Function(
        "\(prefix)_populate_recordset", [.anyelement, dataType], returns: .anyelement, isStrict: false,
        .stable,
        .typedRows { types throws(PostgreSQLError) in
          let row = try rowType(types[0], function: "\(prefix)_populate_recordset")
          return { a, context throws(PostgreSQLError) in
            if a[1].isNull { return [] }
            return try records(
              of: Self(a[1]), row, base: a[0], context, function: "\(prefix)_populate_recordset")
          }
        }),
      Function(
        "\(prefix)_to_record", [dataType], returns: .record, .stable,
        .definedRows { _, columns in
          let row = BoundType(.record, fields: columns.map { BoundType.Field($0.name, BoundType($0.type)) })
          return { a, context throws(PostgreSQLError) in
            guard case .record(let values) = try record(of: Self(a[0]), row, base: .null, context) else {
              return []
            }
            return [values]
          }
        }),
      Function(
        "\(prefix)_to_recordset", [dataType], returns: .record, .stable,
        .definedRows { _, columns in
          let row = BoundType(.record, fields: columns.map { BoundType.Field($0.name, BoundType($0.type)) })
          return { a, context throws(PostgreSQLError) in
            try records(of: Self(a[0]), row, base: .null, context, function: "\(prefix)_to_recordset")
          }
        }),
    ]
  }

  private static func rowType(_ type: BoundType, function: String) throws(PostgreSQLError) -> BoundType {
    switch type.type {
    case .composite, .record, .domain: return type
    default:
      throw PostgreSQLError("42804", "first argument of \(function) must be a row type")
    }
  }

  private static func records(
    of node: Self, _ row: BoundType, base: Value, _ context: any FunctionContext, function: String
  ) throws(PostgreSQLError) -> [[Value]] {
    guard node.kind == "array" else {
      throw PostgreSQLError(
        "22023",
        dataType == .jsonb
          ? "cannot call \(function) on a non-array"
          : "cannot call \(function) on \(node.kind == "object" ? "an object" : "a scalar")")
    }
    var rows: [[Value]] = []
    for element in node.elements {
      guard element.kind == "object" else {
        throw PostgreSQLError("22023", "argument of \(function) must be an array of objects")
      }
      if case .record(let values) = try record(of: element, row, base: base, context) { rows.append(values) }
    }
    return rows
  }

  /// A row with a value for each column: the member of that name, or else the value of the base.
  private static func record(
    of node: Self, _ row: BoundType, base: Value, _ context: any FunctionContext
  ) throws(PostgreSQLError) -> Value {
    guard node.kind == "object" else {
      throw PostgreSQLError(
        "22023", "cannot call populate_composite on \(node.kind == "array" ? "an array" : "a scalar")")
    }
    var members: [String: Self] = [:]
    for (key, value) in try node.members { members[key] = value }
    var values: [Value] = []
    if case .record(let own) = base { values = own }
    var fields = row.fields
    if fields.isEmpty, case .composite(let name) = try row.withoutDomain(context).type {
      fields = try context.columns(of: name).map { BoundType.Field($0.name, BoundType($0.type)) }
    }
    if values.isEmpty { values = Array(repeating: .null, count: fields.count) }
    for (index, field) in fields.enumerated() where index < values.count {
      guard let member = members[field.name] else { continue }
      values[index] = try member.converted(to: field.type, key: field.name, context)
    }
    return .record(values)
  }

  /// A value of a type, as PostgreSQL's `populate_record_field` converts it.
  private func converted(
    to type: BoundType, key: String, _ context: any FunctionContext
  ) throws(PostgreSQLError) -> Value {
    switch type.type {
    case .json: return kind == "null" ? .null : .json(text)
    case .jsonb: return kind == "null" ? .null : .jsonb(try jsonb)
    case _ where kind == "null": return .null
    case .array(let element):
      if kind == "array" { return try array(of: BoundType(element, fields: type.fields), key: key, context) }
      guard kind == "string" else {
        throw PostgreSQLError(
          "22P02", "expected JSON array", hint: "See the value of key \"\(key)\".")
      }
    case .composite, .record:
      if kind != "string" { return try Self.record(of: self, type, base: .null, context) }
    case .domain(let name):
      return try converted(to: BoundType(try context.base(of: name)), key: key, context)
    default: break
    }
    guard case .text(let content) = try textValue else {
      // Of json, `textValue` keeps what is not a string.
      return try type.type.value(from: text, context: context)
    }
    return try type.type.value(from: content, context: context)
  }

  private func array(
    of element: BoundType, key: String, _ context: any FunctionContext
  ) throws(PostgreSQLError) -> Value {
    var counts: [Int] = []
    var values: [Value] = []
    try collect(level: 0, &counts, &values, element, key: key, context)
    if values.isEmpty { return .array(ArrayValue([])) }
    return .array(
      ArrayValue(dimensions: counts.map { ArrayValue.Dimension(count: $0) }, elements: values))
  }

  private func collect(
    level: Int, _ counts: inout [Int], _ values: inout [Value], _ element: BoundType, key: String,
    _ context: any FunctionContext
  ) throws(PostgreSQLError) {
    let items = elements
    if level == counts.count {
      counts.append(items.count)
    } else if counts[level] != items.count {
      throw PostgreSQLError(
        "22P02", "malformed JSON array",
        detail: "Multidimensional arrays must have sub-arrays with matching dimensions.")
    }
    for item in items {
      // After a scalar has decided the dimensions, an array is a scalar too: its text (`populate_array_element`).
      if item.kind == "array", element.type != .json, element.type != .jsonb,
        level + 1 < counts.count || values.isEmpty
      {
        try item.collect(level: level + 1, &counts, &values, element, key: key, context)
      } else {
        guard level + 1 == counts.count else {
          throw PostgreSQLError("22P02", "expected JSON array", hint: "See the value of key \"\(key)\".")
        }
        values.append(try item.converted(to: element, key: key, context))
      }
    }
  }
}

extension Function {
  static let jsonRecords: [Function] = JSONText.recordFunctions + JSONB.recordFunctions
}
