// Statements by their first words (PostgreSQL documentation, VI.I).
extension Parser {
  /// A statement to its end.
  mutating func parseStatement() throws(PostgreSQLError) -> Statement {
    guard current.kind == .word || atPunctuation("(") else { throw syntaxError() }
    if isAtDataStatement || at("values") { return try parseDataOrSelectInto() }
    switch current.text {
    case "create": return try parseCreate()
    case "alter": return try parseAlter()
    case "drop": return try parseDrop()
    case "truncate": return try parseTruncate()
    case "grant", "revoke": return .grant(try parseGrant())
    case "do": return try parseDo()
    case "call":
      advance()
      var call = Call(try parseFunctionName())
      try parseArguments(into: &call)
      return .call(call)
    case "set": return try parseSet()
    case "reset": return try parseReset()
    case "show":
      advance()
      if take("time", "zone") { return .show("timezone") }
      if take("transaction", "isolation", "level") { return .show("transaction_isolation") }
      if take("session", "authorization") { return .show("session_authorization") }
      return .show(try parseNameParts().joined(separator: "."))
    case "begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release":
      return try parseTransaction()
    case "copy": return try parseCopy()
    case "refresh":
      try expect("refresh", "materialized", "view")
      _ = take("concurrently")
      let name = try parseQualifiedName()
      try skipData()
      return .refreshView(name)
    case "comment": return try parseComment()
    case "security":
      try expect("security", "label")
      return ignoreRest("SECURITY LABEL")
    case "analyze", "analyse", "vacuum", "reindex", "cluster", "checkpoint", "discard", "listen",
      "unlisten",
      "notify", "load", "deallocate":
      return ignoreRest(current.text.uppercased())
    case "lock":
      try expect("lock")
      _ = take("table")
      repeat { _ = try parseRelation() } while takePunctuation(",")
      if take("in") {
        while take(anyOf: ["access", "row", "share", "update", "exclusive"]) != nil {}
        try expect("mode")
      }
      _ = take("nowait")
      return .ignored("LOCK")
    case "reassign":
      try expect("reassign", "owned", "by")
      return ignoreRest("REASSIGN OWNED")
    case "explain", "prepare", "execute", "declare", "fetch", "move", "close", "merge",
      "import":
      throw notSupported(current.text.uppercased())
    default: throw syntaxError()
    }
  }

  /// Goes to the end of a statement without an effect.
  mutating func ignoreRest(_ words: String) -> Statement {
    while current.kind != .end, current.kind != .invalid { advance() }
    return .ignored(words)
  }

  private mutating func parseDataOrSelectInto() throws(PostgreSQLError) -> Statement {
    into = .allowed
    let statement = try parseDataStatement()
    guard case .found(let name) = into else { return .data(statement) }
    guard case .query(let query) = statement else { throw syntaxError() }
    return .createTableAs(name, columns: [], query, ifNotExists: false)
  }

  private mutating func parseComment() throws(PostgreSQLError) -> Statement {
    try expect("comment", "on")
    let kind = current.text.uppercased()
    guard current.kind == .word else { throw syntaxError() }
    while !(at("is") && (peek().kind == .string || (peek().kind == .word && peek().text == "null"))) {
      guard current.kind != .end, current.kind != .invalid else { throw syntaxError() }
      advance()
    }
    advance()
    advance()
    return .ignored("COMMENT ON \(kind)")
  }

  private mutating func parseTruncate() throws(PostgreSQLError) -> Statement {
    try expect("truncate")
    _ = take("table")
    var names = [try parseRelation().0]
    while takePunctuation(",") { names.append(try parseRelation().0) }
    let restarts = take("restart")
    if restarts || take("continue") { try expect("identity") }
    return .truncate(names, restartsIdentity: restarts, cascades: takeCascade())
  }

  /// `CASCADE`, `RESTRICT` or nothing.
  mutating func takeCascade() -> Bool {
    take(anyOf: ["cascade", "restrict"]) == "cascade"
  }

  /// `WITH DATA`, `WITH NO DATA` or nothing.
  mutating func skipData() throws(PostgreSQLError) {
    guard take("with") else { return }
    _ = take("no")
    try expect("data")
  }

  private mutating func parseDo() throws(PostgreSQLError) -> Statement {
    try expect("do")
    var source: String?
    var language = "plpgsql"
    repeat {
      if take("language") {
        language = try parseLanguage()
      } else {
        source = try parseString()
      }
    } while !isAtEnd
    guard let source else { throw error("no inline code specified") }
    return .doBlock(source, language: language)
  }

  /// The name of a language, which may be a string.
  mutating func parseLanguage() throws(PostgreSQLError) -> String {
    if current.kind == .string { return try parseString().lowercased() }
    return try parseWordOrName()
  }

  /// A name that is not a reserved keyword: `NonReservedWord`.
  mutating func parseWordOrName() throws(PostgreSQLError) -> String {
    guard Self.isLabel(current), current.category != .reserved else { throw syntaxError() }
    defer { advance() }
    return current.text
  }

  private mutating func parseTransaction() throws(PostgreSQLError) -> Statement {
    let word = current.text
    advance()
    switch word {
    case "savepoint": return .savepoint(try parseName())
    case "release":
      _ = take("savepoint")
      return .releaseSavepoint(try parseName())
    case "start": try expect("transaction")
    default: _ = take(anyOf: ["work", "transaction"])
    }
    switch word {
    case "begin", "start":
      try skipTransactionModes()
      return .begin
    case "rollback" where take("to"):
      _ = take("savepoint")
      return .rollbackToSavepoint(try parseName())
    default:
      if take("prepared") { throw notSupported("Two-phase commit") }
      if take("and") {
        guard take("no") else { throw notSupported("AND CHAIN") }
        try expect("chain")
      }
      return word == "commit" || word == "end" ? .commit : .rollback
    }
  }

  private mutating func skipTransactionModes() throws(PostgreSQLError) {
    while !isAtEnd {
      _ = takePunctuation(",")
      if take("isolation") {
        try expect("level")
        if take("read") {
          guard take(anyOf: ["committed", "uncommitted"]) != nil else { throw syntaxError() }
        } else if take("repeatable") {
          try expect("read")
        } else {
          try expect("serializable")
        }
      } else if take("read") {
        guard take(anyOf: ["only", "write"]) != nil else { throw syntaxError() }
      } else {
        _ = take("not")
        try expect("deferrable")
      }
    }
  }

  private mutating func parseCopy() throws(PostgreSQLError) -> Statement {
    try expect("copy")
    if atPunctuation("(") { throw notSupported("COPY … TO") }
    var copy = Copy(into: try parseQualifiedName(), rows: [])
    if atPunctuation("(") { copy.columns = try parseNamesInParentheses() }
    if at("to") { throw notSupported("COPY … TO") }
    try expect("from")
    guard take("stdin") else {
      throw notSupported("COPY from a file", instead: "Use COPY … FROM stdin, or INSERT.")
    }
    _ = take("with")
    if takePunctuation("(") {
      repeat {
        guard take("format"), current.text == "text" else {
          throw notSupported("An option of COPY", instead: "Use the text format without options.")
        }
        advance()
      } while takePunctuation(",")
      try expectPunctuation(")")
    } else if !isAtEnd {
      throw notSupported("An option of COPY", instead: "Use the text format without options.")
    }
    return .copy(copy)
  }
}

// MARK: - Settings

extension Parser {
  private mutating func parseSet() throws(PostgreSQLError) -> Statement {
    try expect("set")
    if at("constraints") { return ignoreRest("SET CONSTRAINTS") }
    if at("session", "characteristics") { return ignoreRest("SET SESSION CHARACTERISTICS") }
    if at("transaction") { return ignoreRest("SET TRANSACTION") }
    let isSessionAuthorization = at("session", "authorization")
    let isName = peek().text == "to" || peek().text == "=" || peek().text == "."
    let isLocal = !isName && take("local")
    if !isLocal, !isName, !isSessionAuthorization { _ = take("session") }
    if at("transaction") { return ignoreRest("SET TRANSACTION") }
    if take("session", "authorization") {
      return .setRole(take("default") ? nil : try parseRoleOrString(), isLocal: isLocal)
    }
    if at("role"), peek().text != "to", peek().text != "=" {
      advance()
      return .setRole(take("none") ? nil : try parseRoleOrString(), isLocal: isLocal)
    }
    let setting = try parseSetting()
    return .set(setting.name, to: setting.values, isLocal: isLocal)
  }

  private mutating func parseRoleOrString() throws(PostgreSQLError) -> String {
    current.kind == .string ? try parseString() : try parseWordOrName()
  }

  /// The name and the values of `SET`, behind that word.
  ///
  /// Nil instead of values is `DEFAULT`.
  mutating func parseSetting() throws(PostgreSQLError) -> (name: String, values: [String]?) {
    if take("time", "zone") {
      if take("local") || take("default") { return ("timezone", nil) }
      if at("interval") {
        let literal = try parseLiteralType()
        let value = try parseString()
        let start = current
        var type = TypeName(QualifiedName("interval"))
        try parseIntervalFields(into: &type)
        if let fields = type.intervalFields, ![.hour, .minute, .hourToMinute].contains(fields) {
          throw error("time zone interval must be HOUR or HOUR TO MINUTE", at: start)
        }
        let fraction = literal?.modifiers.first
        let interval: Interval
        if let fields = type.intervalFields {
          interval = try DateTimeInput.interval(value, fields, fraction: fraction)
        } else {
          interval = try DateTimeInput.interval(value, fraction: fraction)
        }
        return ("timezone", ["INTERVAL '\(DateTimeText.interval(interval))'"])
      }
      if current.kind == .word, current.category != nil { throw syntaxError() }
      return ("timezone", [try parseSettingValue()])
    }
    if at("schema"), peek().kind == .string {
      advance()
      return ("search_path", [try parseString()])
    }
    if at("names"), peek().kind == .string {
      advance()
      return ("client_encoding", [try parseString()])
    }
    let name = try parseSettingName()
    if take("from") {
      try expect("current")
      throw notSupported("SET … FROM CURRENT")
    }
    guard takeOperator("=") || take("to") else { throw syntaxError() }
    if take("default") { return (name, nil) }
    var values = [try parseSettingValue()]
    while takePunctuation(",") { values.append(try parseSettingValue()) }
    return (name, values)
  }

  /// The name of a setting, of whose parts none may be a reserved word (gram.y, var_name).
  mutating func parseSettingName() throws(PostgreSQLError) -> String {
    var name = try parseName()
    while takePunctuation(".") { name += "." + (try parseName()) }
    return name
  }

  mutating func parseSettingValue() throws(PostgreSQLError) -> String {
    switch current.kind {
    case .string: return try parseString()
    case .quotedIdentifier: return try parseLabel()
    case .word:
      guard current.category != .reserved || at(anyOf: ["true", "false", "on"]) else { throw syntaxError() }
      return try parseLabel()
    default:
      let isNegative = takeOperator("-")
      if !isNegative { _ = takeOperator("+") }
      guard current.kind == .integer || current.kind == .decimal else { throw syntaxError() }
      defer { advance() }
      return (isNegative ? "-" : "") + current.text
    }
  }

  private mutating func parseReset() throws(PostgreSQLError) -> Statement {
    try expect("reset")
    if take("role") || take("session", "authorization") { return .setRole(nil, isLocal: false) }
    if take("time", "zone") { return .set("timezone", to: nil, isLocal: false) }
    if take("transaction", "isolation", "level") { return .ignored("RESET TRANSACTION ISOLATION LEVEL") }
    if take("all") { return .set("all", to: nil, isLocal: false) }
    return .set(try parseSettingName(), to: nil, isLocal: false)
  }
}
