import UnderstudyHTTP

extension ExpressionBinder {
  /// A function for arguments of some types.
  ///
  /// It is not a tuple, because before macOS 15 a type with typed throws cannot be part of the type of an array.
  private struct Overload: Sendable {
    let arguments: [SQLType]
    let result: SQLType
    let function: BoundExpression.Function

    init(_ arguments: [SQLType], _ result: SQLType, _ function: @escaping BoundExpression.Function) {
      self.arguments = arguments
      self.result = result
      self.function = function
    }
  }

  /// The functions whose value depends only on their arguments.
  private static let functions: [String: [Overload]] = {
    let length: BoundExpression.Function = { .integer($0[0].checkedText.unicodeScalars.count) }
    let trim: (Bool, Bool) -> BoundExpression.Function = { start, end in
      { values in
        let characters = Set((values.count > 1 ? values[1].checkedText : " ").unicodeScalars)
        var scalars = values[0].checkedText.unicodeScalars[...]
        if start { scalars = scalars.drop { characters.contains($0) } }
        while end, let last = scalars.last, characters.contains(last) { scalars.removeLast() }
        return .text(String(Substring(scalars)))
      }
    }
    return [
      "length": [Overload([.text], .integer, length)],
      "char_length": [Overload([.text], .integer, length)],
      "character_length": [Overload([.text], .integer, length)],
      "octet_length": [Overload([.text], .integer, { .integer($0[0].checkedText.utf8.count) })],
      "lower": [Overload([.text], .text, { .text($0[0].checkedText.simplyLowercased) })],
      "upper": [Overload([.text], .text, { .text($0[0].checkedText.simplyUppercased) })],
      "btrim": [
        Overload([.text], .text, trim(true, true)), Overload([.text, .text], .text, trim(true, true)),
      ],
      "ltrim": [
        Overload([.text], .text, trim(true, false)), Overload([.text, .text], .text, trim(true, false)),
      ],
      "rtrim": [
        Overload([.text], .text, trim(false, true)), Overload([.text, .text], .text, trim(false, true)),
      ],
      "abs": [
        Overload(
          [.integer], .integer,
          { (values) throws(PostgRESTError) in
            try ColumnType.integer.value(from: .integer(abs(values[0].checkedInteger)), column: "abs")
          }
        ), Overload([.double], .double, { .double(abs($0[0].checkedDouble)) }),
      ],
      "cardinality": [Overload([.textArray], .integer, { .integer(Self.elements($0[0]).count) })],
      "array_length": [
        Overload(
          [.textArray, .integer], .integer,
          { values in
            let count = Self.elements(values[0]).count
            return values[1] == .integer(1) && count > 0 ? .integer(count) : .null
          }
        )
      ],
      SQLExpression.subscriptName: [
        Overload(
          [.textArray, .integer], .text,
          { values in
            let elements = Self.elements(values[0])
            let index = values[1].checkedInteger
            guard elements.indices.contains(index - 1) else { return .null }
            return elements[index - 1].map(ColumnValue.text) ?? .null
          }
        )
      ],
      // The functions of Storage for policies of its objects (`storage`, its first migration).
      "storage.foldername": [
        Overload([.text], .textArray, { .textArray(Self.path($0[0]).dropLast().map { $0 }) })
      ],
      "storage.filename": [Overload([.text], .text, { .text(Self.path($0[0]).last ?? "") })],
      "storage.extension": [
        Overload(
          [.text], .text,
          { values in
            let name = Self.path(values[0]).last ?? ""
            return .text(
              name.split(separator: ".", omittingEmptySubsequences: false).last.map(String.init) ?? "")
          }
        )
      ],
      "jsonb_typeof": [Overload([.json], .text, { .text($0[0].checkedJSON.typeName) })],
      "jsonb_array_length": [
        Overload(
          [.json], .integer,
          { (values) throws(PostgRESTError) in
            switch values[0].checkedJSON {
            case .array(let elements): return .integer(elements.count)
            case .object:
              throw PostgRESTError(code: "22023", message: "cannot get array length of a non-array")
            default: throw PostgRESTError(code: "22023", message: "cannot get array length of a scalar")
            }
          }
        )
      ],
    ]
  }()

  /// The segments of the name of an object.
  private static func path(_ value: ColumnValue) -> [String] {
    value.checkedText.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  }

  private static func elements(_ value: ColumnValue) -> [String?] {
    guard case .textArray(let elements) = value else { value.hasUnexpectedType("text[]") }
    return elements
  }

  func call(
    _ name: String, _ arguments: [BoundExpression], at location: SQLLocation?
  ) throws(ExpressionError) -> BoundExpression {
    switch (name, arguments.count) {
    case ("auth.uid", 0): return BoundExpression(.user, .uuid)
    case ("auth.role", 0): return BoundExpression(.role, .text)
    case ("now", 0), ("current_timestamp", 0), ("transaction_timestamp", 0), ("statement_timestamp", 0):
      return BoundExpression(.now, .timestamp)
    case ("localtimestamp", 0): return BoundExpression(.now, .localTimestamp)
    case ("current_date", 0): return try cast(BoundExpression(.now, .timestamp), to: .date, at: location)
    case ("gen_random_uuid", 0), ("uuid_generate_v4", 0), ("extensions.uuid_generate_v4", 0),
      ("extensions.gen_random_uuid", 0):
      // A condition with random values would make runs differ.
      guard scopes.isEmpty else {
        throw ExpressionError(
          "0A000", "\(name)() is not supported in a condition", at: location,
          advice: "Write it as a default.")
      }
      return BoundExpression(.generatedUUID, .uuid)
    case (SQLExpression.subscriptName, 2) where arguments[0].type != .textArray:
      throw ExpressionError(
        "42804",
        "cannot subscript type \(arguments[0].type.name) because it does not support subscripting",
        at: location, advice: "Write a subscript after an expression of type text[].")
    case ("timezone", 2): return try zoned(arguments[1], arguments[0], at: location)
    case ("coalesce", 1...):
      let alike = try alike(arguments, "COALESCE", at: location)
      return BoundExpression(.coalesce(alike), alike[0].type)
    case ("nullif", 2):
      let equal = try comparison(.equal, arguments[0], arguments[1], at: location)
      guard case .comparison(_, let one, _) = equal.node else { return arguments[0] }
      return BoundExpression(.choice([(equal, .null)], otherwise: one), one.type)
    default: break
    }
    for candidate in Self.functions[name] ?? [] where candidate.arguments.count == arguments.count {
      var read: [BoundExpression] = []
      for (argument, type) in zip(arguments, candidate.arguments) {
        if argument.type == .unknown {
          read.append(try literal(argument, as: type, at: location))
        } else if let changed = implicit(argument, to: type) {
          read.append(changed)
        }
      }
      if read.count == arguments.count {
        return folded(BoundExpression(.function(read, candidate.function), candidate.result))
      }
    }
    let types = arguments.map(\.type.name).joined(separator: ", ")
    throw ExpressionError(
      "42883", "function \(name)(\(types)) does not exist", at: location,
      advice: "Supported: auth.uid, auth.role, now, coalesce, nullif, timezone, "
        + Self.functions.keys.sorted().joined(separator: ", ")
        + ", and gen_random_uuid as a default. For anything else write a check or a policy in Swift.")
  }

  /// Converts between `timestamptz` and the local `timestamp` of a time zone; only UTC is supported.
  private func zoned(
    _ moment: BoundExpression, _ zone: BoundExpression, at location: SQLLocation?
  ) throws(ExpressionError) -> BoundExpression {
    guard let name = zone.constant?.textValue, ["utc", "gmt", "etc/utc", "z"].contains(name.lowercased())
    else {
      throw ExpressionError(
        "0A000", "a time zone other than UTC is not supported", at: location,
        advice: "Write AT TIME ZONE 'utc'.")
    }
    let moment =
      moment.type == .date || moment.type == .unknown
      ? try coerced(moment, to: .timestamp, at: location) { "timezone of \($0.name)" } : moment
    switch moment.type {
    case .timestamp: return BoundExpression(moment.node, .localTimestamp)
    case .localTimestamp: return BoundExpression(moment.node, .timestamp)
    default:
      throw ExpressionError(
        "42883", "function pg_catalog.timezone(unknown, \(moment.type.name)) does not exist", at: location,
        advice: "Only timestamps have a time zone.")
    }
  }
}

/// The arguments of a function, whose types the binder has checked and which are not `NULL`.
extension ColumnValue {
  var checkedText: String { if case .text(let value) = self { value } else { hasUnexpectedType("text") } }
  var checkedInteger: Int {
    if case .integer(let value) = self { value } else { hasUnexpectedType("integer") }
  }
  var checkedDouble: Double {
    if case .double(let value) = self { value } else { hasUnexpectedType("double precision") }
  }
  var checkedDate: CivilDate { if case .date(let value) = self { value } else { hasUnexpectedType("date") } }
  var checkedTimestamp: Timestamp {
    if case .timestamp(let value) = self {
      Timestamp(stored: value)
    } else {
      hasUnexpectedType("timestamptz")
    }
  }
  var checkedJSON: JSONValue { if case .json(let value) = self { value } else { hasUnexpectedType("jsonb") } }

  func hasUnexpectedType(_ expected: String) -> Never {
    preconditionFailure("A function expects \(expected), found \(typeName).")
  }
}

extension JSONValue {
  /// The result of `jsonb_typeof`.
  fileprivate var typeName: String {
    switch self {
    case .null: "null"
    case .boolean: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}

extension ExpressionBinder {
  func arithmetic(
    _ symbol: String, _ one: BoundExpression, _ other: BoundExpression, at location: SQLLocation?
  ) throws(ExpressionError) -> BoundExpression {
    if symbol == "+" || symbol == "-", one.type == .date || other.type == .date {
      return try days(symbol, one, other, at: location)
    }
    guard let (one, other) = try unified(one, other, at: location), one.type == other.type,
      one.type == .integer || one.type == .double && symbol != "%"
    else {
      throw ExpressionError(
        "42883", "operator does not exist: \(one.type.name) \(symbol) \(other.type.name)", at: location,
        advice:
          "Arithmetic is supported on integer, on double precision, and on a date and a number of days.")
    }
    let type = one.type
    return folded(
      BoundExpression(
        .function([one, other]) { (values) throws(PostgRESTError) in
          type == .integer
            ? try Self.integer(symbol, values[0].checkedInteger, values[1].checkedInteger)
            : try Self.double(symbol, values[0].checkedDouble, values[1].checkedDouble)
        }, type))
  }

  private static let divisionByZero = PostgRESTError(code: "22012", message: "division by zero")

  private static func integer(
    _ symbol: String, _ one: Int, _ other: Int
  ) throws(PostgRESTError) -> ColumnValue {
    let (one, other) = (Int64(one), Int64(other))
    if symbol == "/" || symbol == "%", other == 0 { throw divisionByZero }
    // Both have 32 bits, so that no result has more than 64.
    let result =
      switch symbol {
      case "+": one + other
      case "-": one - other
      case "*": one * other
      case "/": one / other
      default: one % other
      }
    guard let number = Int32(exactly: result) else {
      throw PostgRESTError(code: "22003", message: "integer out of range")
    }
    return .integer(Int(number))
  }

  private static func double(
    _ symbol: String, _ one: Double, _ other: Double
  ) throws(PostgRESTError) -> ColumnValue {
    if symbol == "/", other == 0, !one.isNaN { throw divisionByZero }
    let result =
      switch symbol {
      case "+": one + other
      case "-": one - other
      case "*": one * other
      default: one / other
      }
    if result.isInfinite, one.isFinite, other.isFinite {
      throw PostgRESTError(code: "22003", message: "value out of range: overflow")
    }
    if result == 0, symbol == "*" ? one != 0 && other != 0 : symbol == "/" && one != 0 && other.isFinite {
      throw PostgRESTError(code: "22003", message: "value out of range: underflow")
    }
    return .double(result)
  }

  /// Binds the sum of a date and a number of days, or the days between two dates.
  private func days(
    _ symbol: String, _ one: BoundExpression, _ other: BoundExpression, at location: SQLLocation?
  ) throws(ExpressionError) -> BoundExpression {
    let isDifference = symbol == "-" && one.type == .date && other.type != .integer
    let (left, right): (BoundExpression, BoundExpression)
    if isDifference {
      (left, right) = (one, other.type == .unknown ? try literal(other, as: .date, at: location) : other)
    } else {
      (left, right) = one.type == .date ? (one, other) : (other, one)
    }
    guard left.type == .date, right.type == (isDifference ? .date : .integer),
      symbol == "+" || one.type == .date
    else {
      throw ExpressionError(
        "42883", "operator does not exist: \(one.type.name) \(symbol) \(other.type.name)", at: location,
        advice: "Add a number of days to a date, or subtract it; intervals are not supported.")
    }
    return folded(
      BoundExpression(
        .function([left, right]) { (values) throws(PostgRESTError) in
          let day = values[0].checkedDate.daysSince1970
          if let other = values[1].dateValue { return .integer(day - other.daysSince1970) }
          // Both have 32 bits.
          let number = Int64(values[1].checkedInteger)
          guard let days = Int(exactly: Int64(day) + (symbol == "-" ? -number : number)),
            let date = CivilDate(daysSince1970: days)
          else { throw PostgRESTError(code: "22008", message: "date out of range") }
          return .date(date)
        }, isDifference ? .integer : .date))
  }

  // MARK: Casts

  func cast(
    _ expression: BoundExpression, to type: SQLType, at location: SQLLocation?
  ) throws(ExpressionError) -> BoundExpression {
    if expression.type == type { return expression }
    if expression.type == .unknown { return try literal(expression, as: type, at: location) }
    if let changed = implicit(expression, to: type) { return changed }
    guard let function = Self.conversion(from: expression.type, to: type) else {
      throw ExpressionError(
        "42846", "cannot cast type \(expression.type.name) to \(type.name)", at: location,
        advice:
          "Supported: casts from and to text, between numbers, between integer and boolean, and between"
          + " dates and timestamps.")
    }
    return folded(BoundExpression(.function([expression], function), type))
  }

  private static func conversion(from: SQLType, to: SQLType) -> BoundExpression.Function? {
    switch (from, to) {
    case (.text, _): { (values) throws(PostgRESTError) in try to.value(fromText: values[0].checkedText) }
    case (.boolean, .text): { .text($0[0] == true ? "true" : "false") }
    case (.localTimestamp, .text):
      { .text($0[0].checkedTimestamp.text(separator: " ", offset: "")) }
    // The digits of a fractional number are not stored.
    case (.numeric, .text): nil
    case (_, .text): { .text($0[0].text) }
    case (.integer, .boolean): { .boolean($0[0] != 0) }
    case (.boolean, .integer): { .integer($0[0] == true ? 1 : 0) }
    case (.double, .numeric): { $0[0] }
    case (.double, .integer), (.numeric, .integer):
      { (values) throws(PostgRESTError) in
        let number = values[0].checkedDouble.rounded(
          from == .double ? .toNearestOrEven : .toNearestOrAwayFromZero)
        guard let integer = Int32(exactly: number) else {
          throw PostgRESTError(code: "22003", message: "integer out of range")
        }
        return .integer(Int(integer))
      }
    case (.timestamp, .date), (.localTimestamp, .date):
      { .date($0[0].checkedTimestamp.day) }
    default: nil
    }
  }
}
