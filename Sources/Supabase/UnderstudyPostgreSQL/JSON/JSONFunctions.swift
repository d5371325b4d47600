/// Functions and operators of `json` and `jsonb` that take values apart (PostgreSQL documentation, 9.16).
extension JSONNode {
  private static func invalid(_ message: String) -> PostgreSQLError { PostgreSQLError("22023", message) }

  private var isScalar: Bool { kind != "array" && kind != "object" }

  private static func optional(_ node: Self?) -> Value { node?.value ?? .null }

  /// The functions, whose names begin with `json` or `jsonb`.
  static var functions: [Function] {
    [
      Function("\(prefix)_typeof", [dataType], returns: .text, .scalar { a, _ in .text(Self(a[0]).kind) }),
      Function("\(prefix)_array_length", [dataType], returns: .integer, .scalar(arrayLength)),
      Function(
        "\(prefix)_extract_path", [dataType, .text], variadic: .text, returns: dataType,
        .scalar { a, _ throws(PostgreSQLError) in
          optional(try Self(a[0]).element(at: Array(a.dropFirst())))
        }),
      Function(
        "\(prefix)_extract_path_text", [dataType, .text], variadic: .text, returns: .text,
        .scalar { a, _ throws(PostgreSQLError) in
          try Self(a[0]).element(at: Array(a.dropFirst()))?.textValue ?? .null
        }),
      Function(
        "\(prefix)_object_keys", [dataType], returns: .text,
        columns: [Function.Column("\(prefix)_object_keys", .text)], .rows(objectKeys)),
      Function(
        "\(prefix)_each", [dataType], returns: .record,
        columns: [Function.Column("key", .text), Function.Column("value", dataType)],
        .rows { a, _ throws(PostgreSQLError) in
          try pairs(Self(a[0]), function: "\(prefix)_each").map { [.text($0.key), $0.value.value] }
        }
      ).naming("from_json"),
      Function(
        "\(prefix)_each_text", [dataType], returns: .record,
        columns: [Function.Column("key", .text), Function.Column("value", .text)],
        .rows { a, _ throws(PostgreSQLError) in
          try pairs(Self(a[0]), function: "\(prefix)_each_text").map { pair throws(PostgreSQLError) in
            [.text(pair.key), try pair.value.textValue]
          }
        }
      ).naming("from_json"),
      Function(
        "\(prefix)_array_elements", [dataType], returns: dataType,
        columns: [Function.Column("value", dataType)],
        .rows { a, _ throws(PostgreSQLError) in
          try items(Self(a[0]), function: "\(prefix)_array_elements").map { [$0.value] }
        }
      ).naming("from_json"),
      Function(
        "\(prefix)_array_elements_text", [dataType], returns: .text,
        columns: [Function.Column("value", .text)],
        .rows { a, _ throws(PostgreSQLError) in
          try items(Self(a[0]), function: "\(prefix)_array_elements_text").map {
            item throws(PostgreSQLError) in [try item.textValue]
          }
        }
      ).naming("from_json"),
    ]
  }

  /// The operators `->`, `->>`, `#>` and `#>>`.
  static var operators: [Operator] {
    [
      Operator(
        dataType, "->", .text, returns: dataType,
        .scalar { a, _ throws(PostgreSQLError) in optional(try Self(a[0]).member(a.text(1))) }),
      Operator(
        dataType, "->", .integer, returns: dataType,
        .scalar { a, _ in optional(Self(a[0]).element(a.integer(1))) }),
      Operator(
        dataType, "->>", .text, returns: .text,
        .scalar { a, _ throws(PostgreSQLError) in
          try Self(a[0]).member(a.text(1))?.textValue ?? .null
        }),
      Operator(
        dataType, "->>", .integer, returns: .text,
        .scalar { a, _ throws(PostgreSQLError) in
          try Self(a[0]).element(a.integer(1))?.textValue ?? .null
        }),
      Operator(
        dataType, "#>", .array(.text), returns: dataType,
        .scalar { a, _ throws(PostgreSQLError) in
          optional(try Self(a[0]).element(at: a.array(1).elements))
        }),
      Operator(
        dataType, "#>>", .array(.text), returns: .text,
        .scalar { a, _ throws(PostgreSQLError) in
          try Self(a[0]).element(at: a.array(1).elements)?.textValue ?? .null
        }),
    ]
  }

  private static func arrayLength(
    _ a: [Value], _ context: any FunctionContext
  ) throws(PostgreSQLError) -> Value {
    let node = Self(a[0])
    guard node.kind == "array" else {
      throw invalid("cannot get array length of a \(node.isScalar ? "scalar" : "non-array")")
    }
    return Value(node.elements.count)
  }

  private static func objectKeys(
    _ a: [Value], _ context: any FunctionContext
  ) throws(PostgreSQLError) -> [[Value]] {
    let node = Self(a[0])
    guard node.kind == "object" else {
      throw invalid("cannot call \(prefix)_object_keys on \(node.kind == "array" ? "an array" : "a scalar")")
    }
    return try node.members.map { [.text($0.key)] }
  }

  private static func pairs(
    _ node: Self, function: String
  ) throws(PostgreSQLError) -> [(key: String, value: Self)] {
    guard node.kind == "object" else {
      throw invalid(
        dataType == .jsonb
          ? "cannot call \(function) on a non-object"
          : node.isScalar ? "cannot deconstruct a scalar" : "cannot deconstruct an array as an object")
    }
    return try node.members
  }

  private static func items(_ node: Self, function: String) throws(PostgreSQLError) -> [Self] {
    guard node.kind == "array" else {
      throw invalid(
        dataType == .jsonb
          ? "cannot extract elements from \(node.isScalar ? "a scalar" : "an object")"
          : "cannot call \(function) on a \(node.isScalar ? "scalar" : "non-array")")
    }
    return node.elements
  }
}

extension Function {
  /// Functions of JSON, without those that build it.
  static let json: [Function] =
    JSONText.functions + JSONB.functions + jsonbChanges
    + [
      Function(
        "json_strip_nulls", [.json], returns: .json,
        .scalar { a, _ throws(PostgreSQLError) in
          var writer = JSONWriter()
          try writer.writeWithoutNulls(JSONText(a[0]))
          return .json(writer.text)
        }),
      Function(
        "jsonb_strip_nulls", [.jsonb], returns: .jsonb, .scalar { a, _ in .jsonb(a.jsonb(0).withoutNulls) }),
      Function(
        "jsonb_pretty", [.jsonb], returns: .text,
        .scalar { a, _ in
          var writer = JSONWriter()
          writer.writePretty(a.jsonb(0))
          return .text(writer.text)
        }),
      Function(
        "jsonb_concat", [.jsonb, .jsonb], returns: .jsonb,
        .scalar { a, _ in .jsonb(a.jsonb(0).concatenated(with: a.jsonb(1))) }),
    ]

  private static let jsonbChanges: [Function] = [
    Function(
      "jsonb_set", [.jsonb, .array(.text), .jsonb, .boolean], optional: 1, returns: .jsonb, .scalar(set)
    ).naming("jsonb_in", "path", "replacement", "create_if_missing", defaults: [.boolean(true)]),
    Function(
      "jsonb_set_lax", [.jsonb, .array(.text), .jsonb, .boolean, .text], optional: 2, returns: .jsonb,
      isStrict: false, .scalar(setLax)
    ).naming(
      "jsonb_in", "path", "replacement", "create_if_missing", "null_value_treatment",
      defaults: [.boolean(true), .text("use_json_null")]),
    Function(
      "jsonb_insert", [.jsonb, .array(.text), .jsonb, .boolean], optional: 1, returns: .jsonb,
      .scalar { a, _ throws(PostgreSQLError) in
        let isAfter = a.count > 3 && a.boolean(3)
        return .jsonb(try a.jsonb(0).changed(at: 1, of: a, .insert(a.jsonb(2), isAfter: isAfter)))
      }
    ).naming("jsonb_in", "path", "replacement", "insert_after", defaults: [.boolean(false)]),
    Function("jsonb_delete_path", [.jsonb, .array(.text)], returns: .jsonb, .scalar(deletePath)),
  ]

  private static func set(
    _ a: [Value], _ context: any FunctionContext
  ) throws(PostgreSQLError) -> Value {
    let creates = a.count <= 3 || a.boolean(3)
    return .jsonb(try a.jsonb(0).changed(at: 1, of: a, .set(a.jsonb(2), creates: creates)))
  }

  private static func setLax(
    _ a: [Value], _ context: any FunctionContext
  ) throws(PostgreSQLError) -> Value {
    if a[0].isNull || a[1].isNull || a.optional(3) == .null { return .null }
    let choices = ["raise_exception", "use_json_null", "delete_key", "return_target"]
    let treatment = a.optional(4) ?? .text("use_json_null")
    guard case .text(let treatment) = treatment, choices.contains(treatment) else {
      throw PostgreSQLError(
        "22023",
        "null_value_treatment must be \"delete_key\", \"return_target\", \"use_json_null\", or \"raise_exception\""
      )
    }
    var arguments = Array(a.prefix(4))
    guard a[2].isNull else { return try set(arguments, context) }
    switch treatment {
    case "raise_exception":
      throw PostgreSQLError(
        "22004", "JSON value must not be null",
        detail: "Exception was raised because null_value_treatment is \"raise_exception\".",
        hint:
          "To avoid, either change the null_value_treatment argument or ensure that an SQL NULL is not passed."
      )
    case "use_json_null":
      arguments[2] = .jsonb(.null)
      return try set(arguments, context)
    case "delete_key": return try deletePath(Array(a.prefix(2)), context)
    default: return a[0]
    }
  }

  fileprivate static func deletePath(
    _ a: [Value], _ context: any FunctionContext
  ) throws(PostgreSQLError) -> Value {
    let target = a.jsonb(0)
    if target.isScalar { throw PostgreSQLError("22023", "cannot delete path in scalar") }
    return .jsonb(try target.changed(at: a.array(1), .delete))
  }
}

extension JSONB {
  fileprivate func changed(
    at index: Int, of arguments: [Value], _ change: Change
  ) throws(PostgreSQLError) -> JSONB {
    if isScalar { throw PostgreSQLError("22023", "cannot set path in scalar") }
    return try changed(at: arguments.array(index), change)
  }

  fileprivate func changed(at path: ArrayValue, _ change: Change) throws(PostgreSQLError) -> JSONB {
    if path.dimensions.count > 1 { throw PostgreSQLError("2202E", "wrong number of array subscripts") }
    return try changed(
      at: path.elements.map { if case .text(let text) = $0 { text } else { nil } }, change)
  }
}

extension JSONWriter {
  /// Appends a `json` without members that are null, and without space.
  fileprivate mutating func writeWithoutNulls(_ node: JSONText) throws(PostgreSQLError) {
    switch node.kind {
    case "object":
      append("{")
      var isFirst = true
      for member in try node.members where member.value.kind != "null" {
        if !isFirst { append(",") }
        isFirst = false
        write(string: member.key)
        append(":")
        try writeWithoutNulls(member.value)
      }
      append("}")
    case "array":
      append("[")
      for (index, element) in node.elements.enumerated() {
        if index > 0 { append(",") }
        try writeWithoutNulls(element)
      }
      append("]")
    case "string": write(try node.jsonb)
    default: append(json: node.text.filter { !$0.isWhitespace })
    }
  }
}

extension Operator {
  static let json: [Operator] = JSONText.operators + JSONB.operators + jsonbTests + jsonbChanges

  private static let jsonbTests: [Operator] = [
    Operator(
      .jsonb, "@>", .jsonb, returns: .boolean,
      .scalar { a, _ in .boolean(a.jsonb(0).contains(a.jsonb(1))) }),
    Operator(
      .jsonb, "<@", .jsonb, returns: .boolean,
      .scalar { a, _ in .boolean(a.jsonb(1).contains(a.jsonb(0))) }),
    Operator(
      .jsonb, "?", .text, returns: .boolean, .scalar { a, _ in .boolean(a.jsonb(0).hasKey(a.text(1))) }),
    Operator(
      .jsonb, "?|", .array(.text), returns: .boolean,
      .scalar { a, _ in
        let json = a.jsonb(0)
        return .boolean(a.texts(1).contains { $0.map(json.hasKey) ?? false })
      }),
    Operator(
      .jsonb, "?&", .array(.text), returns: .boolean,
      .scalar { a, _ in
        let json = a.jsonb(0)
        return .boolean(a.texts(1).allSatisfy { $0.map(json.hasKey) ?? true })
      }),
  ]

  private static let jsonbChanges: [Operator] = [
    Operator(
      .jsonb, "||", .jsonb, returns: .jsonb,
      .scalar { a, _ in .jsonb(a.jsonb(0).concatenated(with: a.jsonb(1))) }),
    Operator(
      .jsonb, "-", .text, returns: .jsonb,
      .scalar { a, _ throws(PostgreSQLError) in .jsonb(try a.jsonb(0).removing([a.text(1)])) }),
    Operator(
      .jsonb, "-", .array(.text), returns: .jsonb,
      .scalar { a, _ throws(PostgreSQLError) in .jsonb(try a.jsonb(0).removing(a.texts(1).compactMap { $0 }))
      }),
    Operator(
      .jsonb, "-", .integer, returns: .jsonb,
      .scalar { a, _ throws(PostgreSQLError) in .jsonb(try a.jsonb(0).removing(at: a.integer(1))) }),
    Operator(.jsonb, "#-", .array(.text), returns: .jsonb, .scalar(Function.deletePath)),
  ]
}
