// Functions, procedures and triggers (PostgreSQL documentation, 38, 39 and VI.I).
extension Parser {
  mutating func parseCreateFunction(replaces: Bool) throws(PostgreSQLError) -> CreateFunction {
    let isProcedure = at("procedure")
    advance()
    let name = try parseFunctionName()
    var function = CreateFunction(
      name, try parseParameters(), returns: nil, isProcedure: isProcedure, replaces: replaces, language: "",
      .source(""))
    if !isProcedure, take("returns") {
      if take("table") {
        try expectPunctuation("(")
        repeat {
          let column = try parseParameterName()
          function.parameters.append(.init(column, try parseTypeName(allowsReference: true), mode: .table))
        } while takePunctuation(",")
        try expectPunctuation(")")
        if function.parameters.contains(where: { $0.mode == .output || $0.mode == .both }) {
          throw error("OUT and INOUT arguments aren't allowed in TABLE functions")
        }
      } else {
        function.result = try parseTypeName(allowsReference: true)
      }
    }
    var hasBody = false
    while !isAtEnd { try parseFunctionOption(of: &function, hasBody: &hasBody) }
    guard hasBody else { throw error("no function body specified", code: "42P13") }
    if function.language.isEmpty {
      guard case .statements = function.body else { throw error("no language specified", code: "42P13") }
      function.language = "sql"
    }
    return function
  }

  private mutating func parseFunctionOption(of function: inout CreateFunction, hasBody: inout Bool)
    throws(PostgreSQLError)
  {
    let start = current
    if take("as") {
      let source = try parseString()
      if takePunctuation(",") {
        _ = try parseString()
        throw .notSupported("A function in C", position: start.range.lowerBound)
      }
      if hasBody { throw error("conflicting or redundant options", at: start) }
      function.body = .source(source)
      hasBody = true
    } else if take("language") {
      if !function.language.isEmpty { throw error("conflicting or redundant options", at: start) }
      function.language = try parseLanguage()
    } else if at("return") || at("begin") {
      function.body = .statements(try parseSQLBody())
      hasBody = true
    } else if take("transform") || at("window") {
      throw notSupported("A function with \(start.text.uppercased())")
    } else {
      var change = AlterFunction(function.name)
      guard try parseCommonOption(of: &change) else { throw syntaxError() }
      function.volatility = change.volatility ?? function.volatility
      function.isStrict = change.isStrict ?? function.isStrict
      function.isSecurityDefiner = change.isSecurityDefiner ?? function.isSecurityDefiner
      function.returnsOneRow = change.returnsOneRow ?? function.returnsOneRow
      function.settings += change.settings
    }
  }

  /// An option of `CREATE FUNCTION` that `ALTER FUNCTION` can change.
  ///
  /// False if none is next.
  private mutating func parseCommonOption(of function: inout AlterFunction) throws(PostgreSQLError) -> Bool {
    if let word = take(anyOf: ["immutable", "stable", "volatile"]) {
      function.volatility = CreateFunction.Volatility(rawValue: word)
    } else if take("strict") || take("returns", "null", "on", "null", "input") {
      function.isStrict = true
    } else if take("called") {
      try expect("on", "null", "input")
      function.isStrict = false
    } else if take("leakproof") || take("not", "leakproof") {
      // Only the planner of PostgreSQL uses it.
    } else if at("external") || at("security") {
      _ = take("external")
      try expect("security")
      guard let word = take(anyOf: ["definer", "invoker"]) else { throw syntaxError() }
      function.isSecurityDefiner = word == "definer"
    } else if take("parallel") {
      _ = try parseName()
    } else if at("cost") || at("rows") {
      let isRows = take("rows")
      if !isRows { advance() }
      guard current.kind == .integer || current.kind == .decimal else { throw syntaxError() }
      if isRows { function.returnsOneRow = Double(current.text) == 1 }
      advance()
    } else if take("support") {
      _ = try parseQualifiedName()
    } else if take("set") {
      let setting = try parseSetting()
      function.settings.append(.init(setting.name, setting.values ?? []))
    } else {
      return false
    }
    return true
  }

  /// `RETURN expression`, or `BEGIN ATOMIC … END`.
  private mutating func parseSQLBody() throws(PostgreSQLError) -> [ScriptStatement] {
    let start = current.range.lowerBound
    if take("return") {
      let value = try parseExpression()
      let query = Query(.select(Select([.init(value)])))
      return [ScriptStatement(.data(.query(query)), range: start..<current.range.lowerBound)]
    }
    try expect("begin", "atomic")
    var statements: [ScriptStatement] = []
    while !take("end") {
      let statementStart = current.range.lowerBound
      if takePunctuation(";") { continue }
      if at("return") {
        statements += try parseSQLBody()
      } else {
        let statement = Statement.data(try parseDataStatement())
        statements.append(ScriptStatement(statement, range: statementStart..<current.range.lowerBound))
      }
      try expectPunctuation(";")
    }
    return statements
  }

  /// `ALTER FUNCTION`, `ALTER PROCEDURE` or `ALTER ROUTINE` behind these words.
  mutating func parseAlterFunction() throws(PostgreSQLError) -> Statement {
    var function = AlterFunction(try parseFunctionName())
    if atPunctuation("(") { function.parameters = try parseParameterTypes() }
    if take("rename") {
      try expect("to")
      function.newName = try parseName()
    } else if take("owner") {
      try expect("to")
      _ = try parseRole()
      return .ignored("ALTER FUNCTION OWNER TO")
    } else if take("set", "schema") {
      function.newSchema = try parseName()
    } else if at("depends") || at("no", "depends") {
      return ignoreRest("ALTER FUNCTION DEPENDS ON EXTENSION")
    } else {
      repeat {
        if take("reset") {
          function.resets.append(take("all") ? "all" : try parseNameParts().joined(separator: "."))
        } else if try !parseCommonOption(of: &function) {
          throw syntaxError()
        }
      } while !isAtEnd && !at("restrict")
      _ = take("restrict")
    }
    return .alterFunction(function)
  }
}

// MARK: - Parameters

extension Parser {
  private mutating func parseParameters() throws(PostgreSQLError) -> [CreateFunction.Parameter] {
    try expectPunctuation("(")
    var parameters: [CreateFunction.Parameter] = []
    if takePunctuation(")") { return [] }
    repeat {
      var parameter = try parseParameter()
      if take("default") || takeOperator("=") { parameter.defaultValue = try parseExpression() }
      parameters.append(parameter)
    } while takePunctuation(",")
    try expectPunctuation(")")
    return parameters
  }

  /// The types of the input parameters, which may have names and modes.
  mutating func parseParameterTypes() throws(PostgreSQLError) -> [TypeName] {
    try expectPunctuation("(")
    var types: [TypeName] = []
    if takePunctuation(")") { return [] }
    repeat {
      let parameter = try parseParameter()
      if parameter.mode != .output { types.append(parameter.type) }
    } while takePunctuation(",")
    try expectPunctuation(")")
    return types
  }

  private mutating func parseParameter() throws(PostgreSQLError) -> CreateFunction.Parameter {
    var mode = takeMode()
    var name: String?
    if isAtParameterName {
      name = try parseParameterName()
      if mode == nil { mode = takeMode() }
    }
    return .init(name, try parseTypeName(allowsReference: true), mode: mode ?? .input)
  }

  private mutating func takeMode() -> CreateFunction.Parameter.Mode? {
    switch take(anyOf: ["in", "out", "inout", "variadic"]) {
    case "in": take("out") ? .both : .input
    case "out": .output
    case "inout": .both
    case "variadic": .variadic
    default: nil
    }
  }

  /// Whether the next token is a name, behind which a type follows.
  private var isAtParameterName: Bool {
    guard Self.isFunctionName(current), !at("double", "precision") else { return false }
    let following = peek()
    return following.kind == .quotedIdentifier
      || (following.kind == .word
        && (following.category != .reserved || ["in", "variadic"].contains(following.text)))
  }

  private mutating func parseParameterName() throws(PostgreSQLError) -> String {
    guard Self.isFunctionName(current) else { throw syntaxError() }
    return try parseLabel()
  }
}

// MARK: - Triggers

extension Parser {
  mutating func parseCreateTrigger(replaces: Bool) throws(PostgreSQLError) -> CreateTrigger {
    let isConstraint = take("constraint")
    try expect("trigger")
    let name = try parseName()
    let timing: CreateTrigger.Timing
    if take("before") {
      timing = .before
    } else if take("after") {
      timing = .after
    } else {
      try expect("instead", "of")
      timing = .insteadOf
    }
    if isConstraint, timing != .after { throw syntaxError() }
    var events: [CreateTrigger.Event] = []
    repeat { events.append(try parseEvent()) } while take("or")
    try expect("on")
    var trigger = CreateTrigger(
      name, on: try parseQualifiedName(), timing, events, isForEachRow: isConstraint,
      execute: QualifiedName(""),
      replaces: replaces)
    if isConstraint {
      if take("from") { _ = try parseQualifiedName() }
      trigger.isInitiallyDeferred = try parseAttributes().isInitiallyDeferred
    }
    if take("referencing") {
      repeat {
        guard let word = take(anyOf: ["old", "new"]) else { throw syntaxError() }
        if take("row") {
          noteForLater(error("ROW variable naming in the REFERENCING clause is not supported", code: "0A000"))
        } else {
          try expect("table")
        }
        _ = take("as")
        let alias = try parseName()
        if word == "old" { trigger.oldTable = alias } else { trigger.newTable = alias }
      } while at("old") || at("new")
    }
    if isConstraint {
      try expect("for", "each", "row")
    } else if take("for") {
      _ = take("each")
      guard let word = take(anyOf: ["row", "statement"]) else { throw syntaxError() }
      trigger.isForEachRow = word == "row"
    }
    if take("when") { trigger.condition = try parseConditionInParentheses() }
    try expect("execute")
    guard take(anyOf: ["function", "procedure"]) != nil else { throw syntaxError() }
    trigger.function = try parseFunctionName()
    trigger.arguments = try parseTriggerArguments()
    return trigger
  }

  private mutating func parseEvent() throws(PostgreSQLError) -> CreateTrigger.Event {
    if take("insert") { return .insert }
    if take("delete") { return .delete }
    if take("truncate") { return .truncate }
    try expect("update")
    return .update(of: take("of") ? try parseNames() : [])
  }

  private mutating func parseTriggerArguments() throws(PostgreSQLError) -> [String] {
    try expectPunctuation("(")
    var arguments: [String] = []
    if !atPunctuation(")") {
      // PostgreSQL's grammar lets a comma stand first.
      _ = takePunctuation(",")
      repeat {
        switch current.kind {
        case .integer, .decimal, .string, .word, .quotedIdentifier:
          arguments.append(current.text)
          advance()
        default: throw syntaxError()
        }
      } while takePunctuation(",")
    }
    try expectPunctuation(")")
    return arguments
  }
}
