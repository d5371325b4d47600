// ALTER TABLE and ALTER VIEW (PostgreSQL documentation, 5.6 and VI.I).
extension Parser {
  /// `ALTER` from the word for the kind of the object.
  ///
  /// - Parameter kind: A table, or what can be altered by some of its actions, such as a view.
  mutating func parseAlterTable(_ kind: ObjectKind) throws(PostgreSQLError) -> Statement {
    if take("all") { return ignoreRest("ALTER TABLE ALL IN TABLESPACE") }
    let ifExists = take("if", "exists")
    let (name, _) = try parseRelation()
    if take("set", "schema") { return .setSchema(kind, name, to: try parseName()) }
    if take("rename") {
      if take("to") { return .rename(kind, name, to: try parseName()) }
      let isConstraint = take("constraint")
      if !isConstraint { _ = take("column") }
      let old = try parseName()
      try expect("to")
      let new = try parseName()
      return .alterTable(
        name, ifExists: ifExists,
        [isConstraint ? .renameConstraint(old, to: new) : .renameColumn(old, to: new)])
    }
    if kind == .index, at("attach") || at("alter") || at("no") || at("depends") {
      return ignoreRest("ALTER INDEX")
    }
    if take("attach", "partition") {
      let partition = try parseQualifiedName()
      return .alterTable(name, ifExists: ifExists, [.attachPartition(partition, try parsePartitionBounds())])
    }
    if at("detach") { throw notSupported("DETACH PARTITION") }
    var actions: [AlterTableAction] = []
    repeat { actions.append(try parseAction()) } while takePunctuation(",")
    return .alterTable(name, ifExists: ifExists, actions)
  }

  private mutating func parseAction() throws(PostgreSQLError) -> AlterTableAction {
    guard current.kind == .word else { throw syntaxError() }
    let word = current.text
    advance()
    switch word {
    case "add":
      if isAtTableConstraint { return .addConstraint(try parseTableConstraint()) }
      _ = take("column")
      let ifNotExists = try takeIfNotExists()
      return .addColumn(try parseColumn(), ifNotExists: ifNotExists)
    case "drop":
      let isConstraint = take("constraint")
      if !isConstraint { _ = take("column") }
      let ifExists = take("if", "exists")
      let name = try parseName()
      let cascades = takeCascade()
      return isConstraint
        ? .dropConstraint(name, ifExists: ifExists, cascades: cascades)
        : .dropColumn(name, ifExists: ifExists, cascades: cascades)
    case "alter":
      if take("constraint") { throw notSupported("ALTER CONSTRAINT") }
      _ = take("column")
      return try parseColumnAction(try parseName())
    case "validate":
      try expect("constraint")
      return .validateConstraint(try parseName())
    case "enable", "disable": return try parseEnabling(isEnabled: word == "enable")
    case "force":
      try expect("row", "level", "security")
      return .rowLevelSecurity(.force)
    case "no":
      if take("force") {
        try expect("row", "level", "security")
        return .rowLevelSecurity(.noForce)
      }
      throw notSupported("NO INHERIT")
    case "inherit", "of", "not": throw notSupported("ALTER TABLE … \(word.uppercased())")
    case "replica":
      try expect("identity")
      if take("using") {
        try expect("index")
        return .replicaIdentity("index \(try parseName())")
      }
      guard let kind = take(anyOf: ["nothing", "full", "default"]) else { throw syntaxError() }
      return .replicaIdentity(kind)
    case "owner":
      try expect("to")
      _ = try parseWordOrName()
      return .ignored("OWNER TO")
    case "cluster":
      try expect("on")
      _ = try parseName()
      return .ignored("CLUSTER ON")
    case "set": return try parseSetAction()
    case "reset":
      _ = try parseOptions()
      return .ignored("RESET")
    default:
      index -= 1
      throw syntaxError()
    }
  }

  private mutating func parseSetAction() throws(PostgreSQLError) -> AlterTableAction {
    if atPunctuation("(") {
      let isInvoker = try parseSecurityInvoker()
      return isInvoker.map { .securityInvoker($0) } ?? .ignored("SET")
    }
    if take("without") {
      guard take(anyOf: ["oids", "cluster"]) != nil else { throw syntaxError() }
      return .ignored("SET WITHOUT")
    }
    if take(anyOf: ["logged", "unlogged"]) != nil { return .ignored("SET LOGGED") }
    if take("tablespace") {
      _ = try parseName()
      return .ignored("SET TABLESPACE")
    }
    try expect("access", "method")
    _ = try parseName()
    return .ignored("SET ACCESS METHOD")
  }

  /// Options in parentheses, of which only `security_invoker` of a view has an effect.
  mutating func parseSecurityInvoker() throws(PostgreSQLError) -> Bool? {
    let value = try parseOptions().last { $0.name == "security_invoker" }?.value.lowercased()
    return value.map { ["true", "on", "1", "yes"].contains($0) }
  }

  private mutating func parseColumnAction(_ column: String) throws(PostgreSQLError) -> AlterTableAction {
    if take("drop") {
      if take("default") { return .setDefault(column, nil) }
      if take("not") {
        try expect("null")
        return .setNotNull(column, false)
      }
      let isIdentity = take("identity")
      if !isIdentity { try expect("expression") }
      let ifExists = take("if", "exists")
      return isIdentity
        ? .dropIdentity(column, ifExists: ifExists) : .dropExpression(column, ifExists: ifExists)
    }
    if take("add") {
      try expect("generated")
      let isAlways = take("always")
      if !isAlways { try expect("by", "default") }
      try expect("as", "identity")
      let options = atPunctuation("(") ? try parseSequenceOptionsInParentheses() : SequenceOptions()
      return .addIdentity(column, isAlways ? .always : .byDefault, options)
    }
    if at("restart") { throw notSupported("ALTER COLUMN … RESTART") }
    if at("reset") {
      advance()
      _ = try parseOptions()
      return .ignored("ALTER COLUMN RESET")
    }
    let hasSet = take("set")
    if hasSet {
      if take("default") { return .setDefault(column, try parseExpression()) }
      if take("not", "null") { return .setNotNull(column, true) }
      if at("generated") { throw notSupported("ALTER COLUMN … SET GENERATED") }
      if let word = take(anyOf: ["storage", "compression"]) {
        _ = try parseWordOrDefault()
        return .ignored("SET \(word.uppercased())")
      }
      if take("statistics") {
        _ = try parseInteger()
        return .ignored("SET STATISTICS")
      }
      if atPunctuation("(") {
        _ = try parseOptions()
        return .ignored("ALTER COLUMN SET")
      }
      try expect("data")
    }
    try expect("type")
    let type = try parseTypeName()
    let collation = take("collate") ? try parseQualifiedName() : nil
    return .setType(
      column, type, collation: collation, using: take("using") ? try parseExpression() : nil)
  }

  private mutating func parseWordOrDefault() throws(PostgreSQLError) -> String {
    take("default") ? "default" : try parseWordOrName()
  }

  private mutating func parseEnabling(isEnabled: Bool) throws(PostgreSQLError) -> AlterTableAction {
    if take("row") {
      try expect("level", "security")
      return .rowLevelSecurity(isEnabled ? .enable : .disable)
    }
    if take("rule") {
      _ = try parseName()
      return .ignored("ENABLE RULE")
    }
    // `ALWAYS` and `REPLICA` matter to replication only.
    if isEnabled, take("replica") {
      guard take(anyOf: ["trigger", "rule"]) != nil else { throw syntaxError() }
      _ = try parseName()
      return .ignored("ENABLE REPLICA")
    }
    if isEnabled { _ = take("always") }
    try expect("trigger")
    if take("all") || take("user") { return .setTrigger(nil, isEnabled: isEnabled) }
    return .setTrigger(try parseName(), isEnabled: isEnabled)
  }
}
