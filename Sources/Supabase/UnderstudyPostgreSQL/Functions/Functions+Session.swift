extension Functions {
  static let session: [Function] = [
    Function(
      "nextval", [.regclass], returns: .bigint, .volatile,
      .scalar { arguments, context throws(PostgreSQLError) in
        .integer(try context.nextValue(of: arguments.text(0)))
      }),
    Function(
      "currval", [.regclass], returns: .bigint, .volatile,
      .scalar { arguments, context throws(PostgreSQLError) in
        .integer(try context.currentValue(of: arguments.text(0)))
      }),
    Function(
      "lastval", [], returns: .bigint, .volatile,
      .scalar { _, context throws(PostgreSQLError) in .integer(try context.lastValue()) }),
    Function(
      "setval", [.regclass, .bigint, .boolean], optional: 1, returns: .bigint, .volatile,
      .scalar { arguments, context throws(PostgreSQLError) in
        let isCalled = arguments.count < 3 || arguments.boolean(2)
        try context.setValue(of: arguments.text(0), to: arguments.int64(1), isCalled: isCalled)
        return arguments[1]
      }),
    Function(
      "pg_typeof", [.any], returns: .regtype, isStrict: false, .stable,
      .typed { types throws(PostgreSQLError) in
        let name = types[0].type.displayName
        return { _, _ throws(PostgreSQLError) in .text(name) }
      }),
    Function(
      "current_setting", [.text, .boolean], optional: 1, returns: .text, .stable,
      .scalar { arguments, context throws(PostgreSQLError) in
        let name = arguments.text(0)
        if let value = context.setting(name) { return .text(value) }
        if arguments.count > 1, arguments.boolean(1) { return .null }
        throw PostgreSQLError("42704", "unrecognized configuration parameter \"\(name)\"")
      }),
    Function(
      "set_config", [.text, .text, .boolean], returns: .text, isStrict: false, .volatile,
      .scalar { arguments, context throws(PostgreSQLError) in
        guard case .text(let name) = arguments[0] else {
          throw PostgreSQLError("22004", "SET requires parameter name")
        }
        let value = if case .text(let text) = arguments[1] { text } else { "" }
        let checked = try TimeZoneRule.checked(value, ofSetting: name)
        context.set(name, to: checked, isLocal: arguments[2] == .boolean(true))
        return .text(checked)
      }),
  ]

  // MARK: Enumerations

  static let enumerations: [Function] = [
    enumeration("enum_first", [.anyenum], returns: .anyenum) { labels, _ throws(PostgreSQLError) in
      labels.first ?? .null
    },
    enumeration("enum_last", [.anyenum], returns: .anyenum) { labels, _ throws(PostgreSQLError) in
      labels.last ?? .null
    },
    enumeration("enum_range", [.anyenum], returns: .anyarray) { labels, _ throws(PostgreSQLError) in
      .array(ArrayValue(labels))
    },
    enumeration("enum_range", [.anyenum, .anyenum], returns: .anyarray) {
      labels, bounds throws(PostgreSQLError) in
      func order(_ value: Value) -> Float? { if case .label(_, let order) = value { order } else { nil } }
      let (lower, upper) = (order(bounds[0]) ?? -.infinity, order(bounds[1]) ?? .infinity)
      return .array(
        ArrayValue(labels.filter { (lower...max(lower, upper)).contains(order($0) ?? 0) && lower <= upper }))
    },
  ]

  /// A function of an enumeration's labels.
  ///
  /// Its arguments may be null, since their type says enough.
  private static func enumeration(
    _ name: String, _ parameters: [DataType], returns result: DataType,
    _ body: @escaping @Sendable (_ labels: [Value], _ arguments: [Value]) throws(PostgreSQLError) -> Value
  ) -> Function {
    Function(
      name, parameters, returns: result, isStrict: false, .stable,
      .typed { types throws(PostgreSQLError) in
        let name = types.lazy.compactMap { if case .enumeration(let name) = $0.type { name } else { nil } }
          .first
        guard let name else { throw PostgreSQLError("42804", "could not determine actual enum type") }
        return { arguments, context throws(PostgreSQLError) in
          let labels = try context.labels(of: name).sorted { $0.order < $1.order }
          return try body(labels.map { Value.label($0.name, order: $0.order) }, arguments)
        }
      })
  }
}
