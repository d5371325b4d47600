// ALTER of other objects than tables, DROP, GRANT and REVOKE (PostgreSQL documentation, VI.I).
extension Parser {
  mutating func parseAlter() throws(PostgreSQLError) -> Statement {
    try expect("alter")
    guard current.kind == .word else { throw syntaxError() }
    let word = current.text
    advance()
    switch word {
    case "table": return try parseAlterTable(.table)
    case "view": return try parseAlterTable(.view)
    case "index": return try parseAlterTable(.index)
    case "materialized":
      try expect("view")
      return try parseAlterTable(.materializedView)
    case "sequence": return try parseAlterSequence()
    case "type": return try parseAlterType()
    case "domain": return try parseAlterNamed(.domain, "DOMAIN")
    case "schema": return try parseAlterNamed(.schema, "SCHEMA")
    case "function", "procedure", "routine": return try parseAlterFunction()
    case "policy": return try parseAlterPolicy()
    case "publication": return try parseAlterPublication()
    case "default":
      try expect("privileges")
      return try parseAlterDefaultPrivileges()
    case "role", "user", "database": return try parseAlterSettings(of: word)
    case "extension", "group", "system", "event", "statistics", "tablespace", "large":
      return ignoreRest("ALTER \(word.uppercased())")
    case "trigger", "rule", "aggregate", "operator", "collation", "conversion", "language", "procedural",
      "server",
      "foreign", "subscription", "text":
      // Only the owner of these can change without an effect.
      guard tokens.indices.contains(where: { tokens[$0].text == "owner" && $0 >= index }) else {
        throw notSupported("ALTER \(word.uppercased())")
      }
      return ignoreRest("ALTER \(word.uppercased()) OWNER TO")
    default:
      index -= 1
      throw syntaxError()
    }
  }

  /// `ALTER ROLE … SET`, `ALTER ROLE … RESET` and the same of a database.
  ///
  /// Other changes of these, such as `LOGIN`, are ignored.
  private mutating func parseAlterSettings(of word: String) throws(PostgreSQLError) -> Statement {
    let words = "ALTER \(word.uppercased())"
    let role: String?
    // Whether only settings can follow.
    var isBound = false
    if word == "database" {
      _ = try parseName()
      role = nil
    } else {
      isBound = take("all")
      role = isBound ? nil : try parseRole()
      if take("in") {
        // There is one database.
        try expect("database")
        _ = try parseName()
        isBound = true
      }
    }
    if take("reset") {
      let name = take("all") ? nil : try parseSettingName()
      return .alterSettings(AlterSettings(of: role, name, to: nil))
    }
    if word == "database", take("set", "tablespace") {
      _ = try parseName()
      return .ignored(words)
    }
    guard at("set") else {
      if isBound { throw syntaxError() }
      if word == "database" { return try ignoreDatabaseOptions(words) }
      guard isAtEnd || at(anyOf: Self.roleOptions) else {
        if current.kind == .word, current.category == nil {
          throw PostgreSQLError(
            "42601", "unrecognized role option \"\(current.text)\"", position: current.range.lowerBound)
        }
        throw syntaxError()
      }
      return ignoreRest(words)
    }
    try expect("set")
    let setting = try parseSetting()
    return .alterSettings(
      AlterSettings(of: role, setting.name, to: setting.values?.joined(separator: ", ")))
  }

  /// The words with which an option of a role begins (gram.y, AlterOptRoleElem).
  private static let roleOptions = [
    "with", "rename", "password", "encrypted", "inherit", "connection", "valid", "user", "superuser",
    "nosuperuser", "createdb", "nocreatedb", "createrole", "nocreaterole", "login", "nologin", "noinherit",
    "replication", "noreplication", "bypassrls", "nobypassrls",
  ]

  private static let databaseOptions = [
    "allow_connections", "is_template", "encoding", "location", "owner", "tablespace", "template",
  ]

  /// The options of a database, and its other changes (gram.y, createdb_opt_item).
  private mutating func ignoreDatabaseOptions(_ words: String) throws(PostgreSQLError) -> Statement {
    if at(anyOf: ["rename", "owner", "refresh"]) { return ignoreRest(words) }
    _ = take("with")
    var unknown: String?
    while !isAtEnd {
      if !take("connection", "limit") {
        let isKnown = at(anyOf: Self.databaseOptions)
        guard isKnown || current.kind == .word && current.category == nil else { throw syntaxError() }
        if !isKnown { unknown = unknown ?? current.text }
        advance()
      }
      _ = takeOperator("=")
      if !take("default") { _ = try parseSettingValue() }
    }
    if let unknown { throw PostgreSQLError("42601", "option \"\(unknown)\" not recognized") }
    return .ignored(words)
  }

  /// `RENAME TO`, `SET SCHEMA` or `OWNER TO`.
  private mutating func parseAlterNamed(_ kind: ObjectKind, _ words: String) throws(PostgreSQLError)
    -> Statement
  {
    let name = try parseQualifiedName()
    if take("rename", "to") { return .rename(kind, name, to: try parseName()) }
    if take("set", "schema") { return .setSchema(kind, name, to: try parseName()) }
    if take("owner", "to") {
      _ = try parseRole()
      return .ignored("ALTER \(words) OWNER TO")
    }
    if isAtEnd { throw syntaxError() }
    throw notSupported("ALTER \(words) … \(current.text.uppercased())")
  }

  private mutating func parseAlterType() throws(PostgreSQLError) -> Statement {
    let start = self
    let name = try parseQualifiedName()
    if take("add", "value") {
      let ifNotExists = take("if")
      if ifNotExists { try expect("not", "exists") }
      let label = try parseString()
      var place: AlterEnumeration.Place?
      if take("before") {
        place = .before(try parseString())
      } else if take("after") {
        place = .after(try parseString())
      }
      return .alterEnumeration(name, .addValue(label, place, ifNotExists: ifNotExists))
    }
    if take("rename", "value") {
      let label = try parseString()
      try expect("to")
      return .alterEnumeration(name, .renameValue(label, to: try parseString()))
    }
    self = start
    return try parseAlterNamed(.type, "TYPE")
  }

  private mutating func parseAlterPublication() throws(PostgreSQLError) -> Statement {
    let name = try parseName()
    if take("add") { return .alterPublication(name, .add(try parsePublicationTables())) }
    if take("drop") { return .alterPublication(name, .drop(try parsePublicationTables())) }
    if at("set"), peek().text == "table" {
      advance()
      return .alterPublication(name, .set(try parsePublicationTables()))
    }
    if take("rename", "to") { return .rename(.publication, QualifiedName(name), to: try parseName()) }
    guard at("set") || at("owner") else { throw syntaxError() }
    return ignoreRest("ALTER PUBLICATION \(current.text.uppercased())")
  }
}

// MARK: - DROP

extension Parser {
  mutating func parseDrop() throws(PostgreSQLError) -> Statement {
    try expect("drop")
    guard current.kind == .word else { throw syntaxError() }
    let word = current.text
    advance()
    switch word {
    case "table": return try parseDropNamed(.table)
    case "view": return try parseDropNamed(.view)
    case "materialized":
      try expect("view")
      return try parseDropNamed(.materializedView)
    case "index":
      _ = take("concurrently")
      return try parseDropNamed(.index)
    case "sequence": return try parseDropNamed(.sequence)
    case "type": return try parseDropNamed(.type)
    case "domain": return try parseDropNamed(.domain)
    case "schema": return try parseDropNamed(.schema)
    case "extension": return try parseDropNamed(.extension)
    case "publication": return try parseDropNamed(.publication)
    case "role", "user", "group":
      if at("mapping") { return try parseDropOther() }
      return try parseDropNamed(.role)
    case "function", "routine": return try parseDropFunction(.function)
    case "procedure": return try parseDropFunction(.procedure)
    case "trigger", "policy", "rule":
      var drop = Drop(word == "trigger" ? .trigger : word == "policy" ? .policy : .other, [])
      drop.ifExists = take("if", "exists")
      drop.names = [QualifiedName(try parseName())]
      try expect("on")
      drop.table = try parseQualifiedName()
      drop.cascades = takeCascade()
      return .drop(drop)
    case "owned":
      try expect("by")
      return ignoreRest("DROP OWNED")
    case "event", "statistics", "database", "tablespace": return ignoreRest("DROP \(word.uppercased())")
    case "access", "aggregate", "cast", "collation", "conversion", "foreign", "language", "operator",
      "procedural",
      "server", "subscription", "text", "transform":
      return try parseDropOther()
    default:
      index -= 1
      throw syntaxError()
    }
  }

  private mutating func parseDropNamed(_ kind: ObjectKind) throws(PostgreSQLError) -> Statement {
    var drop = Drop(kind, [])
    drop.ifExists = take("if", "exists")
    if kind == .role {
      drop.names = try parseRoles().map { QualifiedName($0) }
    } else {
      drop.names = try parseQualifiedNames()
    }
    drop.cascades = takeCascade()
    return .drop(drop)
  }

  private mutating func parseDropFunction(_ kind: ObjectKind) throws(PostgreSQLError) -> Statement {
    var drop = Drop(kind, [])
    drop.ifExists = take("if", "exists")
    repeat {
      drop.names.append(try parseFunctionName())
      if atPunctuation("(") {
        let start = current
        let types = try parseParameterTypes()
        if drop.names.count > 1 || drop.parameters != nil {
          throw .notSupported(
            "DROP of several functions with parameters", instead: "Use a statement for each function.",
            position: start.range.lowerBound)
        }
        drop.parameters = types
      } else if drop.parameters != nil {
        throw notSupported(
          "DROP of several functions with parameters", instead: "Use a statement for each function.")
      }
    } while takePunctuation(",")
    drop.cascades = takeCascade()
    return .drop(drop)
  }

  /// An object that the tree knows nothing of.
  ///
  /// Its name is left out.
  private mutating func parseDropOther() throws(PostgreSQLError) -> Statement {
    var drop = Drop(.other, [])
    while !isAtEnd {
      if take("if", "exists") { drop.ifExists = true }
      if current.kind == .invalid { throw syntaxError() }
      if at("cascade") { drop.cascades = true }
      advance()
    }
    return .drop(drop)
  }
}

// MARK: - GRANT

extension Parser {
  private mutating func parseAlterDefaultPrivileges() throws(PostgreSQLError) -> Statement {
    var (owners, schemas): ([String], [String]) = ([], [])
    while true {
      if take("for") {
        guard take(anyOf: ["role", "user"]) != nil else { throw syntaxError() }
        owners += try parseRoles()
      } else if take("in") {
        try expect("schema")
        schemas += try parseNames()
      } else {
        break
      }
    }
    guard at(anyOf: ["grant", "revoke"]) else { throw syntaxError() }
    return .alterDefaultPrivileges(try parseGrant(onNewObjectsIn: schemas), ofOwners: owners)
  }

  /// `GRANT` and `REVOKE`.
  ///
  /// - Parameter schemas: For `ALTER DEFAULT PRIVILEGES`: its schemas.
  mutating func parseGrant(onNewObjectsIn schemas: [String]? = nil) throws(PostgreSQLError) -> Grant {
    let isRevoke = at("revoke")
    advance()
    if isRevoke, at("grant") || at("admin") {
      advance()
      try expect("option", "for")
    }
    var privileges: [Grant.Privilege] = []
    if take("all") {
      _ = take("privileges")
      privileges = [.init("all", columns: atPunctuation("(") ? try parseNamesInParentheses() : [])]
    } else {
      repeat {
        guard Self.isName(current) || at(anyOf: ["select", "references", "create"]) else {
          throw syntaxError()
        }
        var name = try parseLabel()
        if name == "alter", take("system") { name = "alter system" }
        privileges.append(.init(name, columns: atPunctuation("(") ? try parseNamesInParentheses() : []))
      } while takePunctuation(",")
    }
    let objects: Grant.Objects
    if let schemas {
      try expect("on")
      switch take(anyOf: ["tables", "functions", "routines", "sequences", "types", "schemas"]) {
      case "tables"?: objects = .allTables(inSchemas: schemas)
      case "functions"?, "routines"?: objects = .allFunctions(inSchemas: schemas)
      case "sequences"?: objects = .allSequences(inSchemas: schemas)
      case let kind?: objects = .other("new \(kind)")
      case nil: throw syntaxError()
      }
    } else {
      // Without `ON`, these are roles.
      objects = take("on") ? try parseGrantedObjects() : .other("roles")
    }
    try expect(isRevoke ? "from" : "to")
    let roles = try parseRoles()
    if isRevoke {
      try skipGrantor()
      _ = takeCascade()
    } else {
      if take("with") {
        // PostgreSQL 16 writes `INHERIT TRUE` and `SET FALSE` here too.
        repeat {
          guard take(anyOf: ["grant", "admin", "inherit", "set"]) != nil,
            take(anyOf: ["option", "true", "false"]) != nil
          else { throw syntaxError() }
        } while takePunctuation(",")
      }
      try skipGrantor()
    }
    return Grant(isRevoke: isRevoke, privileges, on: objects, to: roles)
  }

  private mutating func skipGrantor() throws(PostgreSQLError) {
    guard take("granted") else { return }
    try expect("by")
    _ = try parseRole()
  }

  private mutating func parseGrantedObjects() throws(PostgreSQLError) -> Grant.Objects {
    if take("all") {
      guard let kind = take(anyOf: ["tables", "sequences", "functions", "procedures", "routines"]) else {
        throw syntaxError()
      }
      try expect("in", "schema")
      let schemas = try parseNames()
      switch kind {
      case "tables": return .allTables(inSchemas: schemas)
      case "sequences": return .allSequences(inSchemas: schemas)
      default: return .allFunctions(inSchemas: schemas)
      }
    }
    if at("schema"), Self.isName(peek()) {
      advance()
      return .schemas(try parseNames())
    }
    if take(anyOf: ["function", "procedure", "routine"]) != nil {
      var routines: [RoutineReference] = []
      repeat {
        let name = try parseFunctionName()
        routines.append(
          RoutineReference(name, parameters: atPunctuation("(") ? try parseParameterTypes() : nil))
      } while takePunctuation(",")
      return .functions(routines)
    }
    if take("foreign") {
      if !take("server") { try expect("data", "wrapper") }
      _ = try parseNames()
      return .other("foreign objects")
    }
    if take("large") {
      try expect("object")
      repeat { _ = try parseInteger() } while takePunctuation(",")
      return .other("large objects")
    }
    if at("sequence"), Self.isName(peek()) {
      advance()
      return .sequences(try parseQualifiedNames())
    }
    if Self.isName(peek()),
      let kind = take(anyOf: [
        "database", "type", "domain", "language", "tablespace", "parameter",
      ])
    {
      _ = try parseQualifiedNames()
      return .other(kind)
    }
    _ = take("table")
    return .tables(try parseQualifiedNames())
  }
}
