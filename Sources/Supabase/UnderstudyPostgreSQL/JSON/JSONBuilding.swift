/// Functions that make JSON of values, and the aggregates of JSON (PostgreSQL documentation, 9.16 and 9.21).
extension Function {
  static let jsonBuilding: [Function] = conversions + builders + jsonAggregates

  private static let conversions: [Function] = [
    Function(
      "to_json", [.anyelement], returns: .json, .stable,
      .typed { types in
        { a, context throws(PostgreSQLError) in try json(a[0], types[0], context) }
      }),
    Function(
      "to_jsonb", [.anyelement], returns: .jsonb, .stable,
      .typed { types in
        { a, context throws(PostgreSQLError) in .jsonb(try JSONB(a[0], as: types[0], context)) }
      }),
    Function(
      "row_to_json", [.record, .boolean], optional: 1, returns: .json, .stable,
      .typed { types in
        { a, context throws(PostgreSQLError) in
          try json(a[0], types[0], context, isPretty: a.count > 1 && a.boolean(1))
        }
      }),
    Function(
      "array_to_json", [.anyarray, .boolean], optional: 1, returns: .json, .stable,
      .typed { types in
        { a, context throws(PostgreSQLError) in
          try json(a[0], types[0], context, isPretty: a.count > 1 && a.boolean(1))
        }
      }),
  ]

  private static func json(
    _ value: Value, _ type: BoundType, _ context: any FunctionContext, isPretty: Bool = false
  ) throws(PostgreSQLError) -> Value {
    var writer = JSONWriter()
    try writer.write(value, as: type, context, isPretty: isPretty)
    return .json(writer.text)
  }

  private static let builders: [Function] = [
    Function(
      "json_build_object", [], variadic: .any, returns: .json, isStrict: false, .stable,
      .typed { types throws(PostgreSQLError) in
        try checkPairs(types.count, "json_build_object")
        return { a, context throws(PostgreSQLError) in
          var writer = JSONWriter()
          writer.append("{")
          for index in stride(from: 0, to: a.count, by: 2) {
            if index > 0 { writer.append(", ") }
            if a[index].isNull {
              throw PostgreSQLError(
                "22023", "argument \(index + 1) cannot be null", hint: "Object keys should be text.")
            }
            writer.write(string: try key(a[index], types[index], context))
            writer.append(" : ")
            try writer.write(a[index + 1], as: types[index + 1], context)
          }
          writer.append("}")
          return .json(writer.text)
        }
      }),
    Function(
      "jsonb_build_object", [], variadic: .any, returns: .jsonb, isStrict: false, .stable,
      .typed { types throws(PostgreSQLError) in
        try checkPairs(types.count, "jsonb_build_object")
        return { a, context throws(PostgreSQLError) in
          var members: [JSONB.Member] = []
          for index in stride(from: 0, to: a.count, by: 2) {
            if a[index].isNull {
              throw PostgreSQLError("22023", "argument \(index + 1): key must not be null")
            }
            let value = try JSONB(a[index + 1], as: types[index + 1], context)
            members.append(JSONB.Member(try key(a[index], types[index], context), value))
          }
          return .jsonb(JSONB(unordered: members))
        }
      }),
    Function(
      "json_build_array", [], variadic: .any, returns: .json, isStrict: false, .stable,
      .typed { types in
        { a, context throws(PostgreSQLError) in
          var writer = JSONWriter()
          writer.append("[")
          for (index, value) in a.enumerated() {
            if index > 0 { writer.append(", ") }
            try writer.write(value, as: types[index], context)
          }
          writer.append("]")
          return .json(writer.text)
        }
      }),
    Function(
      "jsonb_build_array", [], variadic: .any, returns: .jsonb, isStrict: false, .stable,
      .typed { types in
        { a, context throws(PostgreSQLError) in
          var elements: [JSONB] = []
          for (index, value) in a.enumerated() {
            elements.append(try JSONB(value, as: types[index], context))
          }
          return .jsonb(.array(elements))
        }
      }),
    Function("json_object", [.array(.text)], returns: .json, .scalar(jsonObject)),
    Function("json_object", [.array(.text), .array(.text)], returns: .json, .scalar(jsonObject)),
    Function("jsonb_object", [.array(.text)], returns: .jsonb, .scalar(jsonbObject)),
    Function("jsonb_object", [.array(.text), .array(.text)], returns: .jsonb, .scalar(jsonbObject)),
  ]

  private static func checkPairs(_ count: Int, _ name: String) throws(PostgreSQLError) {
    guard count % 2 == 0 else {
      throw PostgreSQLError(
        "22023", "argument list must have even number of elements",
        hint: "The arguments of \(name)() must consist of alternating keys and values.")
    }
  }

  /// The text of a key, which may have any type of a scalar.
  private static func key(
    _ value: Value, _ type: BoundType, _ context: any FunctionContext
  ) throws(PostgreSQLError) -> String {
    switch value {
    case .array, .record, .json, .jsonb:
      throw PostgreSQLError("22023", "key value must be scalar, not array, composite, or json")
    case .text(let text): return text
    case .boolean(let isTrue): return isTrue ? "true" : "false"
    default:
      guard case .string(let text) = try JSONB(value, as: type, context) else {
        return try value.text(as: type, context)
      }
      return text
    }
  }

  private static func jsonObject(
    _ a: [Value], _ context: any FunctionContext
  ) throws(PostgreSQLError) -> Value {
    var writer = JSONWriter()
    writer.append("{")
    for (index, pair) in try textPairs(a).enumerated() {
      if index > 0 { writer.append(", ") }
      writer.write(string: pair.key)
      writer.append(" : ")
      if let text = pair.value { writer.write(string: text) } else { writer.append("null") }
    }
    writer.append("}")
    return .json(writer.text)
  }

  private static func jsonbObject(
    _ a: [Value], _ context: any FunctionContext
  ) throws(PostgreSQLError) -> Value {
    .jsonb(
      JSONB(
        unordered: try textPairs(a).map { JSONB.Member($0.key, $0.value.map { .string($0) } ?? .null) }))
  }

  /// The pairs of an array with keys and values in turn, of one with two columns, or of two arrays.
  private static func textPairs(
    _ a: [Value]
  ) throws(PostgreSQLError) -> [(key: String, value: String?)] {
    func mismatch(_ message: String) -> PostgreSQLError { PostgreSQLError("2202E", message) }
    var keys: [String?]
    var values: [String?]
    let dimensions = a.array(0).dimensions
    if a.count == 2 {
      let others = a.array(1).dimensions
      if dimensions.count > 1 || dimensions.count != others.count {
        throw mismatch("wrong number of array subscripts")
      }
      (keys, values) = (a.texts(0), a.texts(1))
      if keys.count != values.count { throw mismatch("mismatched array dimensions") }
    } else {
      switch dimensions.count {
      case 0: break
      case 1:
        if dimensions[0].count % 2 == 1 { throw mismatch("array must have even number of elements") }
      case 2: if dimensions[1].count != 2 { throw mismatch("array must have two columns") }
      default: throw mismatch("wrong number of array subscripts")
      }
      let texts = a.texts(0)
      keys = stride(from: 0, to: texts.count, by: 2).map { texts[$0] }
      values = stride(from: 1, to: texts.count, by: 2).map { texts[$0] }
    }
    var pairs: [(key: String, value: String?)] = []
    for (key, value) in zip(keys, values) {
      guard let key else { throw PostgreSQLError("22004", "null value not allowed for object key") }
      pairs.append((key, value))
    }
    return pairs
  }
}

// MARK: Aggregates

extension Function {
  private static let jsonAggregates: [Function] = [
    Function(
      "json_agg", [.anyelement], returns: .json, isStrict: false, .stable,
      .aggregate { types in JSONArrayAggregate(type: types[0]) }),
    Function(
      "jsonb_agg", [.anyelement], returns: .jsonb, isStrict: false, .stable,
      .aggregate { types in JSONBArrayAggregate(type: types[0]) }),
    Function(
      "json_object_agg", [.any, .any], returns: .json, isStrict: false, .stable,
      .aggregate { types in JSONObjectAggregate(key: types[0], value: types[1]) }),
    Function(
      "jsonb_object_agg", [.any, .any], returns: .jsonb, isStrict: false, .stable,
      .aggregate { types in JSONBObjectAggregate(key: types[0], value: types[1]) }),
  ]

  private struct JSONArrayAggregate: Aggregate {
    let type: BoundType
    var writer = JSONWriter()

    mutating func add(_ a: [Value], _ context: any FunctionContext) throws(PostgreSQLError) {
      if writer.bytes.isEmpty {
        writer.append("[")
      } else {
        writer.append(", ")
        // A row or an array begins a line.
        switch a[0] {
        case .record, .array: writer.append("\n ")
        default: break
        }
      }
      try writer.write(a[0], as: type, context)
    }

    func result(_ context: any FunctionContext) -> Value {
      writer.bytes.isEmpty ? .null : .json(writer.text + "]")
    }
  }

  private struct JSONBArrayAggregate: Aggregate {
    let type: BoundType
    var elements: [JSONB] = []

    mutating func add(_ a: [Value], _ context: any FunctionContext) throws(PostgreSQLError) {
      elements.append(try JSONB(a[0], as: type, context))
    }

    func result(_ context: any FunctionContext) -> Value {
      elements.isEmpty ? .null : .jsonb(.array(elements))
    }
  }

  private struct JSONObjectAggregate: Aggregate {
    let key: BoundType
    let value: BoundType
    var writer = JSONWriter()

    mutating func add(_ a: [Value], _ context: any FunctionContext) throws(PostgreSQLError) {
      writer.bytes.isEmpty ? writer.append("{ ") : writer.append(", ")
      if a[0].isNull { throw PostgreSQLError("22023", "field name must not be null") }
      writer.write(string: try Function.key(a[0], key, context))
      writer.append(" : ")
      try writer.write(a[1], as: value, context)
    }

    func result(_ context: any FunctionContext) -> Value {
      writer.bytes.isEmpty ? .null : .json(writer.text + " }")
    }
  }

  private struct JSONBObjectAggregate: Aggregate {
    let key: BoundType
    let value: BoundType
    var members: [JSONB.Member] = []

    mutating func add(_ a: [Value], _ context: any FunctionContext) throws(PostgreSQLError) {
      if a[0].isNull { throw PostgreSQLError("22023", "field name must not be null") }
      members.append(
        JSONB.Member(try Function.key(a[0], key, context), try JSONB(a[1], as: value, context)))
    }

    func result(_ context: any FunctionContext) -> Value {
      members.isEmpty ? .null : .jsonb(JSONB(unordered: members))
    }
  }
}
