extension Binder {
  func bindInfix(
    _ symbol: String, _ left: SQLExpression, _ right: SQLExpression, _ scope: Scope
  ) throws(PostgreSQLError) -> Bound {
    // Rows are compared field by field, before their types are.
    if case .row(let first) = left, Self.comparisons.contains(symbol) {
      if case .row(let second) = right {
        guard first.count == second.count else {
          throw PostgreSQLError("42601", "unequal number of entries in row expressions")
        }
        return try compareRows(
          symbol, first.map { (field) throws(PostgreSQLError) in try bind(field, scope) },
          second.map { (field) throws(PostgreSQLError) in try bind(field, scope) })
      }
    }
    return try bindOperator(symbol, [bind(left, scope), bind(right, scope)])
  }

  private static let comparisons: Set<String> = ["=", "<>", "!=", "<", ">", "<=", ">="]

  /// Compares rows: `=` if all are equal, `<` by the first fields that differ (9.24).
  func compareRows(_ symbol: String, _ left: [Bound], _ right: [Bound]) throws(PostgreSQLError) -> Bound {
    if left.count == 1 { return try bindOperator(symbol, [left[0], right[0]]) }
    let pairs = Array(zip(left, right))
    switch symbol {
    case "=":
      return conjunction(
        try pairs.map { (pair) throws(PostgreSQLError) in try bindOperator("=", [pair.0, pair.1]) })
    case "<>", "!=":
      return disjunction(
        try pairs.map { (pair) throws(PostgreSQLError) in try bindOperator("<>", [pair.0, pair.1]) })
    default:
      // a < b, or a = b and the rest of the rows is.
      let strict = symbol.hasPrefix("<") ? "<" : ">"
      var result = try bindOperator(symbol, [left[left.count - 1], right[right.count - 1]])
      for (a, b) in pairs.dropLast().reversed() {
        result = disjunction([
          try bindOperator(strict, [a, b]), conjunction([try bindOperator("=", [a, b]), result]),
        ])
      }
      return result
    }
  }

  /// An operator with its operands: one of a prefix operator.
  func bindOperator(_ symbol: String, _ operands: [Bound]) throws(PostgreSQLError) -> Bound {
    let symbol = symbol == "!=" ? "<>" : symbol
    if operands.count == 2, let comparison = try bindComparison(symbol, operands[0], operands[1]) {
      return comparison
    }
    let types = operands.map { catalogue.base(of: $0.type.type) }
    let candidates = (Operators.all[symbol] ?? []).filter { ($0.left == nil) == (operands.count == 1) }
    let described = candidates.map {
      Resolution.Candidate(parameters: [$0.left, $0.right].compactMap { $0 })
    }
    switch Resolution.choose(described, for: types, isOperator: true) {
    case .one(let index):
      let found = candidates[index]
      let result = resultType(found.result, described[index], types)
      let applied = try apply(
        found.body, result, operands, described[index], isStrict: found.isStrict,
        Bound.Uses(), name: symbol)
      return try deriving(applied, from: operands)
    case .none:
      if ServerSignatures.hasOperator(symbol, types) {
        throw .notSupported("The operator \(written(symbol, operands))")
      }
      throw PostgreSQLError(
        "42883", "operator does not exist: \(written(symbol, operands))",
        hint: "No operator matches the given name and argument type\(operands.count == 1 ? "" : "s")."
          + " You might need to add\(operands.count == 1 ? " an" : "") explicit type cast\(operands.count == 1 ? "" : "s")."
      )
    case .ambiguous:
      throw PostgreSQLError(
        "42725", "operator is not unique: \(written(symbol, operands))",
        hint: "Could not choose a best candidate operator. You might need to add explicit type casts.")
    }
  }

  private func written(_ symbol: String, _ operands: [Bound]) -> String {
    let names = operands.map { name(of: $0.type.type) }
    return names.count == 1 ? "\(symbol) \(names[0])" : "\(names[0]) \(symbol) \(names[1])"
  }

  /// The comparisons of two values of one type, or of types of which one becomes the other without being asked.
  private func bindComparison(_ symbol: String, _ left: Bound, _ right: Bound) throws(PostgreSQLError)
    -> Bound?
  {
    guard Self.comparisons.contains(symbol) else { return nil }
    let types = [left, right].map { catalogue.base(of: $0.type.type) }
    let type: DataType
    if types[0] == types[1] {
      type = types[0] == .unknown ? .text : types[0]
    } else if types[0] == .unknown {
      type = types[1]
    } else if types[1] == .unknown {
      type = types[0]
    } else if let wider = Self.wider(types[0], types[1]) {
      type = wider
    } else {
      return nil
    }
    guard type.isComparable else { return nil }
    let operands = [try coerce(left, to: type), try coerce(right, to: type)]
    let (first, second) = (operands[0].evaluate, operands[1].evaluate)
    let uses = left.uses.union(right.uses)
    guard let collation = try collation(of: [left, right], type) else {
      return Bound(BoundType(.boolean), uses: uses) { frame throws(PostgreSQLError) in
        let (a, b) = (try first(frame), try second(frame))
        if a.isNull || b.isNull { return .null }
        throw Bound.openCollation
      }
    }
    let comparator = Comparator(type, collation: collation)
    let fits: @Sendable (Int) -> Bool
    switch symbol {
    case "=", "<>":
      let wanted = symbol == "="
      var equal = Bound(BoundType(.boolean), uses: uses) { frame throws(PostgreSQLError) in
        let (a, b) = (try first(frame), try second(frame))
        if a.isNull || b.isNull { return .null }
        return .boolean(comparator.areEqual(a, b) == wanted)
      }
      if wanted { equal.equality = Bound.Equality(operands[0], operands[1], type: type) }
      return equal
    case "<": fits = { $0 < 0 }
    case ">": fits = { $0 > 0 }
    case "<=": fits = { $0 <= 0 }
    default: fits = { $0 >= 0 }
    }
    return Bound(BoundType(.boolean), uses: uses) { frame throws(PostgreSQLError) in
      let (a, b) = (try first(frame), try second(frame))
      if a.isNull || b.isNull { return .null }
      return .boolean(fits(comparator.compare(a, b)))
    }
  }

  /// The type of two in which they are compared, if one converts to the other implicitly within its category.
  private static func wider(_ left: DataType, _ right: DataType) -> DataType? {
    guard left.category == right.category else { return nil }
    switch (left, right) {
    case (.record, .composite), (.composite, .record), (.composite, .composite): return .record
    default: break
    }
    let forward = Cast.find(from: left, to: right)?.context == .implicit
    let backward = Cast.find(from: right, to: left)?.context == .implicit
    return forward ? right : backward ? left : nil
  }

  // MARK: - Bodies

  /// The result type of a call with polymorphic parameters.
  func resultType(_ declared: DataType, _ candidate: Resolution.Candidate, _ arguments: [DataType])
    -> DataType
  {
    switch declared {
    case .anyelement, .anyenum:
      return Resolution.elementType(candidate, arguments).type ?? .text
    case .anyrange:
      return Resolution.elementType(candidate, arguments).type.flatMap(Resolution.range) ?? .text
    case .anyarray:
      return .array(Resolution.elementType(candidate, arguments).type ?? .text)
    default: return declared
    }
  }

  /// The arguments as the parameters want them.
  func convert(_ arguments: [Bound], _ candidate: Resolution.Candidate) throws(PostgreSQLError) -> [Bound] {
    let types = arguments.map { catalogue.base(of: $0.type.type) }
    let element = Resolution.elementType(candidate, types).type
    var converted: [Bound] = []
    for (index, argument) in arguments.enumerated() {
      switch candidate.parameter(index) {
      case .anyelement:
        if let element {
          converted.append(try coerce(argument, to: element))
        } else {
          converted.append(try settle(argument))
        }
      case .anyarray:
        // `NULL`, a literal, or an array of elements that convert.
        if let element {
          converted.append(try coerce(argument, to: .array(element)))
        } else {
          converted.append(try settle(argument))
        }
      case .any: converted.append(try settle(argument))
      case .anyrange:
        if let range = element.flatMap(Resolution.range) {
          converted.append(try coerce(argument, to: range))
        } else {
          converted.append(argument)
        }
      case .anyenum:
        if let element {
          converted.append(try coerce(argument, to: element))
        } else {
          converted.append(argument)
        }
      case let parameter: converted.append(try coerce(argument, to: parameter))
      }
    }
    return converted
  }

  /// A call of an operator's or a function's implementation.
  func apply(
    _ body: Function.Body, _ result: DataType, _ arguments: [Bound], _ candidate: Resolution.Candidate,
    isStrict: Bool, _ uses: Bound.Uses, name: String
  ) throws(PostgreSQLError) -> Bound {
    let converted = try convert(arguments, candidate)
    let scalar: Function.Scalar
    switch body {
    case .scalar(let function): scalar = function
    case .typed(let make): scalar = try make(converted.map(\.type))
    case .rows, .typedRows, .definedRows:
      throw PostgreSQLError("0A000", "set-returning functions are not allowed here: \(name)")
    case .aggregate, .orderedSet, .window:
      throw PostgreSQLError("42809", "window function \(name) requires an OVER clause")
    }
    let uses = converted.reduce(uses) { $0.union($1.uses) }
    let parts = converted.map(\.evaluate)
    let type = boundType(result)
    // One and two arguments are by far the most frequent.
    switch (parts.count, isStrict) {
    case (1, true):
      let first = parts[0]
      return Bound(type, uses: uses) { frame throws(PostgreSQLError) in
        let value = try first(frame)
        return value.isNull ? .null : try scalar([value], frame.execution.session)
      }
    case (2, true):
      let (first, second) = (parts[0], parts[1])
      return Bound(type, uses: uses) { frame throws(PostgreSQLError) in
        let left = try first(frame)
        if left.isNull { return .null }
        let right = try second(frame)
        return right.isNull ? .null : try scalar([left, right], frame.execution.session)
      }
    default:
      return Bound(type, uses: uses) { frame throws(PostgreSQLError) in
        var values: [Value] = []
        values.reserveCapacity(parts.count)
        for part in parts {
          let value = try part(frame)
          if isStrict, value.isNull { return .null }
          values.append(value)
        }
        return try scalar(values, frame.execution.session)
      }
    }
  }
}
