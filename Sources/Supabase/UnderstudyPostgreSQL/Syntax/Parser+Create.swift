// CREATE (PostgreSQL documentation, VI.I).
extension Parser {
  mutating func parseCreate() throws(PostgreSQLError) -> Statement {
    try expect("create")
    let replaces = take("or")
    if replaces { try expect("replace") }
    let isTemporary = skipPersistence()
    guard current.kind == .word else { throw syntaxError() }
    switch current.text {
    case "recursive": return try parseCreateRecursiveView(replaces: replaces)
    case "view", "materialized": return try parseCreateView(replaces: replaces)
    case "function", "procedure": return .createFunction(try parseCreateFunction(replaces: replaces))
    case "trigger", "constraint": return .createTrigger(try parseCreateTrigger(replaces: replaces))
    case "aggregate", "rule", "transform", "language", "trusted", "procedural":
      throw notSupported("CREATE \(current.text.uppercased())")
    case _ where replaces: throw syntaxError()
    case "table": return try parseCreateTable()
    case "sequence": return try parseCreateSequence()
    case _ where isTemporary: throw syntaxError()
    case "unique", "index": return .createIndex(try parseCreateIndex())
    case "schema": return try parseCreateSchema()
    case "type": return try parseCreateType()
    case "domain": return .createDomain(try parseCreateDomain())
    case "policy": return .createPolicy(try parseCreatePolicy())
    case "role", "user", "group":
      if at("user", "mapping") { throw notSupported("CREATE USER MAPPING") }
      advance()
      let name = try parseWordOrName()
      _ = ignoreRest("")
      return .createRole(name)
    case "publication": return try parseCreatePublication()
    case "extension":
      advance()
      _ = try takeIfNotExists()
      let name = try parseName()
      return ignoreRest("CREATE EXTENSION \(name)")
    case "event":
      try expect("event", "trigger")
      return ignoreRest("CREATE EVENT TRIGGER")
    case "statistics", "database", "tablespace": return ignoreRest("CREATE \(current.text.uppercased())")
    case "operator", "cast", "collation", "text", "server", "foreign", "subscription", "conversion", "access",
      "default":
      throw notSupported("CREATE \(current.text.uppercased())")
    default: throw syntaxError()
    }
  }

  /// `TEMPORARY` or `UNLOGGED`; tables are temporary here for as long as the database.
  private mutating func skipPersistence() -> Bool {
    if at("global") || at("local"), peek().text == "temp" || peek().text == "temporary" { advance() }
    return take(anyOf: ["temp", "temporary", "unlogged"]) != nil
  }

  private mutating func parseCreateSchema() throws(PostgreSQLError) -> Statement {
    try expect("schema")
    let ifNotExists = try takeIfNotExists()
    var name: String?
    if !at("authorization") { name = try parseName() }
    if take("authorization") {
      let role = try parseWordOrName()
      name = name ?? role
    }
    guard let name else { throw syntaxError() }
    if at("create") || at("grant") { throw notSupported("CREATE SCHEMA with the objects in it") }
    return .createSchema(name, ifNotExists: ifNotExists)
  }

  private mutating func parseCreateType() throws(PostgreSQLError) -> Statement {
    try expect("type")
    let name = try parseQualifiedName()
    if isAtEnd { throw notSupported("CREATE TYPE without a definition") }
    if atPunctuation("(") { throw notSupported("CREATE TYPE of a base type") }
    try expect("as")
    if at("range") { throw notSupported("CREATE TYPE … AS RANGE") }
    if take("enum") {
      try expectPunctuation("(")
      var labels: [String] = []
      if !atPunctuation(")") {
        repeat { labels.append(try parseString()) } while takePunctuation(",")
      }
      try expectPunctuation(")")
      return .createEnumeration(name, labels: labels)
    }
    try expectPunctuation("(")
    var fields: [TableFunction.ColumnDefinition] = []
    if !atPunctuation(")") {
      repeat {
        let field = try parseName()
        fields.append(.init(field, try parseTypeName()))
        if take("collate") { _ = try parseQualifiedName() }
      } while takePunctuation(",")
    }
    try expectPunctuation(")")
    return .createComposite(name, fields)
  }

  private mutating func parseCreateDomain() throws(PostgreSQLError) -> CreateDomain {
    try expect("domain")
    let name = try parseQualifiedName()
    _ = take("as")
    let type = try parseTypeName()
    var collation: QualifiedName?
    return CreateDomain(name, type, constraints: try parseColumnConstraints(collation: &collation))
  }

  private mutating func parseCreateView(replaces: Bool) throws(PostgreSQLError) -> Statement {
    let isMaterialized = take("materialized")
    if isMaterialized, replaces { throw syntaxError() }
    try expect("view")
    let ifNotExists = isMaterialized ? try takeIfNotExists() : false
    let name = try parseQualifiedName()
    var columns: [String] = []
    var isInvoker = false
    if atPunctuation("(") { columns = try parseNamesInParentheses() }
    if isMaterialized {
      try skipStorage()
    } else if take("with") {
      isInvoker = try parseSecurityInvoker() ?? false
    }
    try expect("as")
    let query = try parseQuery()
    var checkOption: CreateView.CheckOption?
    if isMaterialized {
      try skipData()
    } else if take("with") {
      checkOption = take("local") ? .local : .cascaded
      if checkOption == .cascaded { _ = take("cascaded") }
      try expect("check", "option")
    }
    return .createView(
      CreateView(
        name, columns: columns, query, replaces: replaces, isMaterialized: isMaterialized,
        ifNotExists: ifNotExists,
        securityInvoker: isInvoker, checkOption: checkOption))
  }

  /// A view of a recursive common table expression of its own name (PostgreSQL documentation, CREATE VIEW).
  private mutating func parseCreateRecursiveView(replaces: Bool) throws(PostgreSQLError) -> Statement {
    try expect("recursive", "view")
    let name = try parseQualifiedName()
    let columns = try parseNamesInParentheses()
    let isInvoker = take("with") ? try parseSecurityInvoker() ?? false : false
    try expect("as")
    let query = try parseQuery()
    if at("with") {
      throw error("WITH CHECK OPTION not supported on recursive views", code: "0A000")
    }
    let whole = Query(
      with: WithClause(isRecursive: true, [CommonTable(name.name, columns: columns, .query(query))]),
      .select(Select(columns.map { .init(.name([$0])) }, from: [.table(QualifiedName(name.name), nil)])))
    return .createView(
      CreateView(name, columns: columns, whole, replaces: replaces, securityInvoker: isInvoker))
  }

  private mutating func parseCreateIndex() throws(PostgreSQLError) -> CreateIndex {
    let isUnique = take("unique")
    try expect("index")
    _ = take("concurrently")
    let ifNotExists = try takeIfNotExists()
    let name = at("on") && !ifNotExists ? nil : try parseName()
    try expect("on")
    let (table, _) = try parseRelation()
    var index = CreateIndex(name, on: table, [], isUnique: isUnique, ifNotExists: ifNotExists)
    if take("using") { index.method = try parseName() }
    index.keys = try parseIndexKeys()
    if take("include") { _ = try parseIndexKeys() }
    index.nullsNotDistinct = try parseNullsDistinct()
    try skipStorage()
    if take("where") { index.filter = try parseExpression() }
    return index
  }

  private mutating func parseCreatePublication() throws(PostgreSQLError) -> Statement {
    try expect("publication")
    let name = try parseName()
    var tables = PublicationTables.tables([])
    if take("for") {
      if take("all") {
        try expect("tables")
        tables = .all
      } else {
        tables = .tables(try parsePublicationTables())
      }
    }
    if take("with") { _ = try parseOptions() }
    return .createPublication(name, tables)
  }

  /// `TABLE a, TABLE b` or `TABLE a, b`.
  mutating func parsePublicationTables() throws(PostgreSQLError) -> [QualifiedName] {
    if at("tables", "in", "schema") { throw notSupported("A publication of a schema") }
    if Self.isName(current) {
      var failure = error("invalid publication object list")
      failure.detail =
        "One of TABLE or TABLES IN SCHEMA must be specified before a standalone table or schema name."
      throw failure
    }
    try expect("table")
    var tables: [QualifiedName] = []
    repeat {
      if !tables.isEmpty { _ = take("table") }
      tables.append(try parseRelation().0)
      if atPunctuation("(") { throw notSupported("A publication of some columns") }
      if at("where") { throw notSupported("A publication of some rows") }
    } while takePunctuation(",")
    return tables
  }
}

// MARK: - Policies

extension Parser {
  private mutating func parseCreatePolicy() throws(PostgreSQLError) -> CreatePolicy {
    try expect("policy")
    let name = try parseName()
    try expect("on")
    var policy = CreatePolicy(name, on: try parseQualifiedName())
    if take("as") {
      let kind = current
      guard Self.isLabel(current), current.category == nil else { throw syntaxError() }
      advance()
      guard kind.text == "permissive" || kind.text == "restrictive" else {
        var failure = error("unrecognized row security option \"\(kind.text)\"", at: kind)
        failure.hint = "Only PERMISSIVE or RESTRICTIVE policies are supported currently."
        throw failure
      }
      policy.isPermissive = kind.text == "permissive"
    }
    if take("for") {
      guard let word = take(anyOf: ["all", "select", "insert", "update", "delete"]),
        let command = CreatePolicy.Command(rawValue: word)
      else { throw syntaxError() }
      policy.command = command
    }
    if take("to") { policy.roles = try parseRoles() }
    if take("using") { policy.using = try parseConditionInParentheses() }
    if take("with") {
      try expect("check")
      policy.check = try parseConditionInParentheses()
    }
    return policy
  }

  /// `ALTER POLICY` behind these words.
  mutating func parseAlterPolicy() throws(PostgreSQLError) -> Statement {
    _ = take("if", "exists")
    let name = try parseName()
    try expect("on")
    var policy = AlterPolicy(name, on: try parseQualifiedName())
    if take("rename") {
      try expect("to")
      policy.newName = try parseName()
      return .alterPolicy(policy)
    }
    if take("to") { policy.roles = try parseRoles() }
    if take("using") { policy.using = try parseConditionInParentheses() }
    if take("with") {
      try expect("check")
      policy.check = try parseConditionInParentheses()
    }
    return .alterPolicy(policy)
  }

  mutating func parseRoles() throws(PostgreSQLError) -> [String] {
    var roles: [String] = []
    repeat {
      _ = at("group") && Self.isName(peek()) && take("group")
      roles.append(try parseRole())
    } while takePunctuation(",")
    return roles
  }

  /// A role, or `CURRENT_USER` and the like.
  mutating func parseRole() throws(PostgreSQLError) -> String {
    if let word = take(anyOf: ["current_user", "current_role", "session_user"]) { return word }
    return try parseWordOrName()
  }
}
