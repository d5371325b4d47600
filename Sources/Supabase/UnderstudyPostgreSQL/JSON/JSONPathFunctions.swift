/// One evaluation of a path (jsonpath_exec.c).
struct JSONPathRun {
  typealias Emit = (JSONB) throws(PostgreSQLError) -> Bool

  let path: JSONPath
  let root: JSONB
  let variables: JSONB
  let context: any FunctionContext

  private var isLax: Bool { !path.isStrict }

  /// What `@` and `last` mean.
  private struct Place {
    var current: JSONB
    var size: Int?
  }

  /// All values.
  func values() throws(PostgreSQLError) -> [JSONB] {
    var found: [JSONB] = []
    _ = try run { value throws(PostgreSQLError) in
      found.append(value)
      return true
    }
    return found
  }

  /// Emits the values one after the other; after the last that is wanted nothing is computed.
  @discardableResult func run(_ emit: Emit) throws(PostgreSQLError) -> Bool {
    try run(path.root, Place(current: root), emit)
  }

  private func values(
    _ item: JSONPath.Item, _ place: Place, unwraps: Bool
  ) throws(PostgreSQLError) -> [JSONB] {
    var found: [JSONB] = []
    _ = try run(item, place) { value throws(PostgreSQLError) in
      if unwraps, isLax, case .array(let elements) = value { found += elements } else { found.append(value) }
      return true
    }
    return found
  }

  private func run(
    _ item: JSONPath.Item, _ place: Place, _ emit: Emit
  ) throws(PostgreSQLError) -> Bool {
    switch item {
    case .root: return try emit(root)
    case .current: return try emit(place.current)
    case .last: return try emit(.number(Numeric((place.size ?? 0) - 1)))
    case .literal(let value): return try emit(value)
    case .variable(let name):
      guard case .object = variables else {
        throw PostgreSQLError(
          "22023", "\"vars\" argument is not an object",
          detail: "Jsonpath parameters should be encoded as key-value pairs of \"vars\" object.")
      }
      guard let value = variables[name] else {
        throw PostgreSQLError("42704", "could not find jsonpath variable \"\(name)\"")
      }
      return try emit(value)
    case .predicate(let predicate):
      return try emit(test(predicate, place).map(JSONB.boolean) ?? .null)
    case .sign(let isNegative, let operand):
      for value in try values(operand, place, unwraps: true) {
        guard case .number(let number) = value else {
          throw PostgreSQLError(
            "2203B", "operand of unary jsonpath operator \(isNegative ? "-" : "+") is not a numeric value")
        }
        guard try emit(.number(isNegative ? -number : number)) else { return false }
      }
      return true
    case .arithmetic(let symbol, let left, let right):
      return try emit(arithmetic(symbol, left, right, place))
    case .step(let base, let step):
      return try run(base, place) { value throws(PostgreSQLError) in
        try apply(step, to: value, place, unwraps: isLax, emit)
      }
    }
  }

  private func arithmetic(
    _ symbol: String, _ left: JSONPath.Item, _ right: JSONPath.Item, _ place: Place
  ) throws(PostgreSQLError) -> JSONB {
    func operand(_ item: JSONPath.Item, _ side: String) throws(PostgreSQLError) -> Numeric {
      let found = try values(item, place, unwraps: true)
      guard found.count == 1, case .number(let number) = found[0] else {
        throw PostgreSQLError(
          "22038", "\(side) operand of jsonpath operator \(symbol) is not a single numeric value")
      }
      return number
    }
    let (first, second) = (try operand(left, "left"), try operand(right, "right"))
    switch symbol {
    case "+": return .number(try first + second)
    case "-": return .number(try first - second)
    case "*": return .number(try first * second)
    case "/": return .number(try first / second)
    default: return .number(try first % second)
    }
  }

  // MARK: - Accessors

  /// - Parameter unwraps: Whether the elements of an array are taken in its place, as in the lax mode.
  private func apply(
    _ step: JSONPath.Step, to value: JSONB, _ place: Place, unwraps: Bool, _ emit: Emit
  ) throws(PostgreSQLError) -> Bool {
    if unwraps, case .array(let elements) = value, step.unwrapsArrays {
      for element in elements {
        guard try apply(step, to: element, place, unwraps: false, emit) else { return false }
      }
      return true
    }
    switch step {
    case .member(let key):
      guard case .object = value else {
        if isLax { return true }
        throw PostgreSQLError("2203A", "jsonpath member accessor can only be applied to an object")
      }
      if let member = value[key] { return try emit(member) }
      if isLax { return true }
      throw PostgreSQLError("2203A", "JSON object does not contain key \"\(key)\"")
    case .anyMember:
      guard case .object(let members) = value else {
        if isLax { return true }
        throw PostgreSQLError("2203C", "jsonpath wildcard member accessor can only be applied to an object")
      }
      for member in members { guard try emit(member.value) else { return false } }
      return true
    case .anyElement:
      guard case .array(let elements) = value else {
        if isLax { return try emit(value) }
        throw PostgreSQLError("22039", "jsonpath wildcard array accessor can only be applied to an array")
      }
      for element in elements { guard try emit(element) else { return false } }
      return true
    case .elements(let subscripts): return try elements(subscripts, of: value, place, emit)
    case .filter(let condition):
      guard try test(condition, Place(current: value)) == true else { return true }
      return try emit(value)
    case .method(let name): return try emit(method(name, of: value))
    }
  }

  private func elements(
    _ subscripts: [(from: JSONPath.Item, to: JSONPath.Item?)], of value: JSONB, _ place: Place, _ emit: Emit
  ) throws(PostgreSQLError) -> Bool {
    let elements: [JSONB]
    if case .array(let own) = value {
      elements = own
    } else {
      guard isLax else {
        throw PostgreSQLError("22039", "jsonpath array accessor can only be applied to an array")
      }
      elements = [value]
    }
    let inner = Place(current: place.current, size: elements.count)
    func index(_ item: JSONPath.Item) throws(PostgreSQLError) -> Int {
      let found = try values(item, inner, unwraps: false)
      guard found.count == 1, case .number(let number) = found[0] else {
        throw PostgreSQLError("22033", "jsonpath array subscript is not a single numeric value")
      }
      guard let index = Int32(try number.truncated().text) else {
        throw PostgreSQLError("22033", "jsonpath array subscript is out of integer range")
      }
      return Int(index)
    }
    for (from, to) in subscripts {
      let first = try index(from)
      let last = try to.map { (to) throws(PostgreSQLError) in try index(to) } ?? first
      guard isLax || first >= 0 && first <= last && last < elements.count else {
        throw PostgreSQLError("22033", "jsonpath array subscript is out of bounds")
      }
      let (lower, upper) = (max(first, 0), min(last, elements.count - 1))
      guard lower <= upper else { continue }
      for element in elements[lower...upper] { guard try emit(element) else { return false } }
    }
    return true
  }

  private func method(_ name: String, of value: JSONB) throws(PostgreSQLError) -> JSONB {
    switch (name, value) {
    case ("type", _): return .string(value.kind)
    case ("size", .array(let elements)): return .number(Numeric(elements.count))
    case ("size", _):
      if isLax { return .number(.one) }
      throw PostgreSQLError("22039", "jsonpath item method .size() can only be applied to an array")
    case ("abs", .number(let number)): return .number(number < .zero ? -number : number)
    case ("floor", .number(let number)):
      let whole = try number.truncated()
      return .number(whole > number ? try whole - .one : whole)
    case ("ceiling", .number(let number)):
      let whole = try number.truncated()
      return .number(whole < number ? try whole + .one : whole)
    case ("double", .number): return value
    case ("double", .string(let text)):
      guard let double = try? TextInput.double(text), double.isFinite,
        case .numeric(let number)? = try Cast.find(from: .double, to: .numeric)?.convert(
          .double(double), context)
      else {
        throw PostgreSQLError(
          "22036",
          "string argument of jsonpath item method .double() is not a valid representation of a double precision"
            + " number")
      }
      return .number(number)
    default:
      throw PostgreSQLError(
        "22036",
        "jsonpath item method .\(name)() can only be applied to a \(name == "double" ? "string or " : "")numeric value"
      )
    }
  }

  // MARK: - Predicates

  /// Nil is unknown.
  private func test(_ predicate: JSONPath.Predicate, _ place: Place) throws(PostgreSQLError) -> Bool? {
    switch predicate {
    case .both(let left, let right):
      let first = try test(left, place)
      if first == false { return false }
      let second = try test(right, place)
      return second == false ? false : first == nil || second == nil ? nil : true
    case .either(let left, let right):
      let first = try test(left, place)
      if first == true { return true }
      let second = try test(right, place)
      return second == true ? true : first == nil || second == nil ? nil : false
    case .not(let operand): return try test(operand, place).map { !$0 }
    case .isUnknown(let operand): return try test(operand, place) == nil
    case .exists(let item):
      return try suppressed { () throws(PostgreSQLError) in
        if path.isStrict { return try !values(item, place, unwraps: false).isEmpty }
        return try !run(item, place) { _ throws(PostgreSQLError) in false }
      }
    case .comparison(let symbol, let left, let right):
      return try holds(left, right, place, unwrapsRight: true) { Self.compare($0, symbol, $1) }
    case .starts(let left, let right):
      return try holds(left, right, place, unwrapsRight: false) { whole, start in
        guard case .string(let whole) = whole, case .string(let start) = start else { return nil }
        return whole.utf8.starts(with: start.utf8)
      }
    case .matches(let item, let pattern, let options):
      let expression = try context.patterns.pattern(pattern, options)
      return try holds(item, .literal(.null), place, unwrapsRight: false) {
        value, _ throws(PostgreSQLError) in
        guard case .string(let text) = value else { return nil }
        return try expression.matches(text)
      }
    }
  }

  /// Whether a relation holds between any two values of both sides (`executePredicate`).
  private func holds(
    _ left: JSONPath.Item, _ right: JSONPath.Item, _ place: Place, unwrapsRight: Bool,
    _ relation: (JSONB, JSONB) throws(PostgreSQLError) -> Bool?
  ) throws(PostgreSQLError) -> Bool? {
    let sides = try suppressed { () throws(PostgreSQLError) in
      (try values(left, place, unwraps: true), try values(right, place, unwraps: unwrapsRight))
    }
    guard let (first, second) = sides else { return nil }
    var (isFound, isUnknown) = (false, false)
    for one in first {
      for other in second {
        switch try relation(one, other) {
        case nil:
          if path.isStrict { return nil }
          isUnknown = true
        case true?:
          if isLax { return true }
          isFound = true
        case false?: break
        }
      }
    }
    return isFound ? true : isUnknown ? nil : false
  }

  private static func compare(_ left: JSONB, _ symbol: String, _ right: JSONB) -> Bool? {
    let order: Int
    switch (left, right) {
    case (.null, .null): order = 0
    case (.null, _), (_, .null): return symbol == "!="
    case (.boolean(let first), .boolean(let second)): order = first == second ? 0 : first ? 1 : -1
    case (.number(let first), .number(let second)): order = first == second ? 0 : first < second ? -1 : 1
    case (.string(let first), .string(let second)): order = Collation.codePoints.compare(first, second)
    default: return nil
    }
    switch symbol {
    case "==": return order == 0
    case "!=": return order != 0
    case "<": return order < 0
    case "<=": return order <= 0
    case ">": return order > 0
    default: return order >= 0
    }
  }

  /// The result, or nil after an error of the path, which makes a predicate unknown.
  private func suppressed<Result>(
    _ body: () throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result? {
    do throws(PostgreSQLError) { return try body() } catch {
      guard error.isOfPath else { throw error }
      return nil
    }
  }
}

extension JSONPath.Step {
  fileprivate var unwrapsArrays: Bool {
    switch self {
    case .member, .anyMember, .filter: true
    case .method(let name): name != "type" && name != "size"
    case .elements, .anyElement: false
    }
  }
}

extension PostgreSQLError {
  /// Whether the value did not have the form that a path expects, which `silent` ignores.
  fileprivate var isOfPath: Bool { code.hasPrefix("2203") || code == "22012" || code == "22003" }
}

// MARK: - Functions

extension Function {
  /// Functions of paths (PostgreSQL documentation, 9.16.1).
  static let jsonPaths: [Function] = [
    path("exists", returns: .boolean, exists), path("match", returns: .boolean, match),
    path("query_first", returns: .jsonb) { run throws(PostgreSQLError) in
      try run.values().first.map(Value.jsonb) ?? .null
    },
    path("query_array", returns: .jsonb) { run throws(PostgreSQLError) in .jsonb(.array(try run.values())) },
    Function(
      "jsonb_path_query", [.jsonb, .text, .jsonb, .boolean], optional: 2, returns: .jsonb,
      columns: [Column("jsonb_path_query", .jsonb)],
      .rows { a, context throws(PostgreSQLError) in
        let run = try run(a, context)
        var found: [[Value]] = []
        // What comes before an error is returned.
        _ = try silently(a) { () throws(PostgreSQLError) in
          found = try run.values().map { [.jsonb($0)] }
          return .null
        }
        return found
      }
    ).naming("target", "path", "vars", "silent", defaults: [.jsonb(.object([])), .boolean(false)]),
  ]

  private static func path(
    _ name: String, returns result: DataType,
    _ evaluate: @escaping @Sendable (JSONPathRun) throws(PostgreSQLError) -> Value
  ) -> Function {
    Function(
      "jsonb_path_\(name)", [.jsonb, .text, .jsonb, .boolean], optional: 2, returns: result,
      .scalar { a, context throws(PostgreSQLError) in
        let run = try run(a, context)
        return try silently(a) { () throws(PostgreSQLError) in try evaluate(run) }
      }
    ).naming("target", "path", "vars", "silent", defaults: [.jsonb(.object([])), .boolean(false)])
  }

  fileprivate static func run(
    _ a: [Value], _ context: any FunctionContext
  ) throws(PostgreSQLError) -> JSONPathRun {
    JSONPathRun(
      path: try JSONPath(a.text(1)), root: a.jsonb(0), variables: a.count > 2 ? a.jsonb(2) : .object([]),
      context: context)
  }

  private static func silently(
    _ a: [Value], _ body: () throws(PostgreSQLError) -> Value
  ) throws(PostgreSQLError) -> Value {
    do throws(PostgreSQLError) { return try body() } catch {
      guard a.count > 3, a.boolean(3), error.isOfPath else { throw error }
      return .null
    }
  }

  fileprivate static func exists(_ run: JSONPathRun) throws(PostgreSQLError) -> Value {
    if run.path.isStrict { return .boolean(try !run.values().isEmpty) }
    return .boolean(try !run.run { _ throws(PostgreSQLError) in false })
  }

  fileprivate static func match(_ run: JSONPathRun) throws(PostgreSQLError) -> Value {
    let found = try run.values()
    switch found.first {
    case .boolean(let isTrue)? where found.count == 1: return .boolean(isTrue)
    case .null? where found.count == 1: return .null
    default: throw PostgreSQLError("22038", "single boolean result is expected")
    }
  }
}

extension Operator {
  static let jsonPaths: [Operator] = [jsonPath("@?", Function.exists), jsonPath("@@", Function.match)]

  /// An operator that is null where the path fails.
  private static func jsonPath(
    _ name: String, _ evaluate: @escaping @Sendable (JSONPathRun) throws(PostgreSQLError) -> Value
  ) -> Operator {
    Operator(
      .jsonb, name, .text, returns: .boolean,
      .scalar { a, context throws(PostgreSQLError) in
        let run = try Function.run(a, context)
        do throws(PostgreSQLError) { return try evaluate(run) } catch {
          guard error.isOfPath else { throw error }
          return .null
        }
      })
  }
}
