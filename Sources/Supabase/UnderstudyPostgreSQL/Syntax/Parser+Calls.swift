// Calls of functions, of aggregates and of window functions (PostgreSQL documentation, 4.2.6 to 4.2.8).
extension Parser {
  /// What follows the arguments of a call.
  mutating func parseCallClauses(of call: inout Call) throws(PostgreSQLError) {
    if at("within") { try parseWithinGroup(of: &call) }
    if at("filter") { try parseCallFilter(of: &call) }
    if take("over") { call.over = try parseOver() }
  }

  private mutating func parseWithinGroup(of call: inout Call) throws(PostgreSQLError) {
    let start = current
    try expect("within", "group")
    try expectPunctuation("(")
    if !call.order.isEmpty {
      throw error("cannot use multiple ORDER BY clauses with WITHIN GROUP", at: start)
    }
    if call.isDistinct { throw error("cannot use DISTINCT with WITHIN GROUP", at: start) }
    if call.arguments.contains(where: \.isVariadic) {
      throw error("cannot use VARIADIC with WITHIN GROUP", at: start)
    }
    try expect("order", "by")
    call.withinGroup = try parseSortKeys()
    try expectPunctuation(")")
  }

  private mutating func parseCallFilter(of call: inout Call) throws(PostgreSQLError) {
    try expect("filter")
    try expectPunctuation("(")
    try expect("where")
    call.filter = try parseExpression()
    try expectPunctuation(")")
  }

  private mutating func parseOver() throws(PostgreSQLError) -> WindowReference {
    atPunctuation("(") ? .window(try parseWindow()) : .named(try parseName())
  }

  /// The arguments from the opening to the closing parenthesis.
  mutating func parseArguments(into call: inout Call) throws(PostgreSQLError) {
    try expectPunctuation("(")
    if takePunctuation(")") { return }
    if takeOperator("*") {
      call.isStar = true
    } else {
      call.isDistinct = take("distinct")
      let isPlain = call.isDistinct || take("all")
      repeat { try parseArgument(into: &call, isPlain: isPlain) } while takePunctuation(",")
      if at("order") { try parseOrder(of: &call) }
    }
    try expectPunctuation(")")
  }

  private mutating func parseOrder(of call: inout Call) throws(PostgreSQLError) {
    try expect("order", "by")
    call.order = try parseSortKeys()
  }

  /// - Parameter isPlain: Whether `VARIADIC` is not allowed, because `DISTINCT` or `ALL` is given.
  private mutating func parseArgument(into call: inout Call, isPlain: Bool) throws(PostgreSQLError) {
    // `VARIADIC` is of the last argument.
    if call.arguments.last?.isVariadic == true {
      index -= 1
      throw syntaxError()
    }
    let start = index
    let isVariadic = !isPlain && take("variadic")
    let name = takeArgumentName()
    call.arguments.append(Call.Argument(try parseExpression(), name: name, isVariadic: isVariadic))
    checkName(of: call, at: start)
  }

  private mutating func takeArgumentName() -> String? {
    guard peek().kind == .punctuation, peek().text == "=>" || peek().text == ":=",
      Self.isFunctionName(current)
    else {
      return nil
    }
    defer {
      advance()
      advance()
    }
    return current.text
  }

  private mutating func checkName(of call: Call, at start: Int) {
    let earlier = call.arguments.dropLast()
    if let name = call.arguments.last?.name {
      guard earlier.contains(where: { $0.name == name }) else { return }
      noteForLater(error("argument name \"\(name)\" used more than once", at: tokens[start]))
    } else if earlier.contains(where: { $0.name != nil }) {
      noteForLater(error("positional argument cannot follow named argument", at: tokens[start]))
    }
  }

  mutating func parseSortKeys() throws(PostgreSQLError) -> [SortKey] {
    var keys: [SortKey] = []
    repeat {
      var key = SortKey(try parseExpression())
      if take("using") {
        let name = at("operator") ? try parseQualifiedOperator() : current.text
        guard name == "<" || name == ">" else { throw notSupported("ORDER BY … USING \(name)") }
        if current.kind == .operator { advance() }
        key.isDescending = name == ">"
      } else {
        parseDirection(into: &key)
      }
      if isAtNullsPlace {
        advance()
        key.nullsFirst = at("first")
        advance()
      }
      keys.append(key)
    } while takePunctuation(",")
    return keys
  }

  /// Whether `NULLS FIRST` or `NULLS LAST` follows.
  var isAtNullsPlace: Bool { at("nulls", "first") || at("nulls", "last") }

  private mutating func parseDirection(into key: inout SortKey) {
    if take("desc") { key.isDescending = true } else { _ = take("asc") }
  }

  /// A window in parentheses.
  mutating func parseWindow() throws(PostgreSQLError) -> Window {
    var window = Window()
    try expectPunctuation("(")
    if Self.isName(current), !at(anyOf: ["partition", "range", "rows", "groups"]) {
      window.base = try parseName()
    }
    if take("partition") {
      try expect("by")
      window.partition = try parseExpressions()
    }
    if take("order") {
      try expect("by")
      window.order = try parseSortKeys()
    }
    if let word = take(anyOf: ["range", "rows", "groups"]), let unit = Window.Frame.Unit(rawValue: word) {
      window.frame = try parseFrame(unit)
    }
    try expectPunctuation(")")
    return window
  }

  private mutating func parseFrame(_ unit: Window.Frame.Unit) throws(PostgreSQLError) -> Window.Frame {
    let start = current
    let hasEnd = take("between")
    var frame = Window.Frame(unit, start: try parseBound(), end: .currentRow)
    if hasEnd {
      try expect("and")
      frame.end = try parseBound()
    }
    func frameError(_ message: String) -> PostgreSQLError { error(message, code: "42P20", at: start) }
    switch (frame.start, frame.end) {
    case (.unboundedFollowing, _): throw frameError("frame start cannot be UNBOUNDED FOLLOWING")
    case (_, .unboundedPreceding): throw frameError("frame end cannot be UNBOUNDED PRECEDING")
    case (.currentRow, .preceding):
      throw frameError("frame starting from current row cannot have preceding rows")
    case (.following, .preceding), (.following, .currentRow):
      throw frameError(
        hasEnd
          ? "frame starting from following row cannot have preceding rows"
          : "frame starting from following row cannot end with current row")
    default: break
    }
    if take("exclude") {
      guard take("no", "others") else { throw notSupported("EXCLUDE of a window's frame") }
    }
    return frame
  }

  private mutating func parseBound() throws(PostgreSQLError) -> Window.Frame.Bound {
    if take("current", "row") { return .currentRow }
    if take("unbounded", "preceding") { return .unboundedPreceding }
    if take("unbounded", "following") { return .unboundedFollowing }
    let offset = try parseExpression()
    if take("preceding") { return .preceding(offset) }
    try expect("following")
    return .following(offset)
  }
}
