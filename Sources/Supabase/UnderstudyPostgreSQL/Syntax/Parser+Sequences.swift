// The options of sequences and identities (PostgreSQL documentation, CREATE SEQUENCE).
extension Parser {
  mutating func parseSequenceOptionsInParentheses() throws(PostgreSQLError) -> SequenceOptions {
    try expectPunctuation("(")
    let options = try parseSequenceOptions()
    try expectPunctuation(")")
    return options
  }

  mutating func parseSequenceOptions() throws(PostgreSQLError) -> SequenceOptions {
    var options = SequenceOptions()
    while let word = take(anyOf: [
      "as", "increment", "minvalue", "maxvalue", "no", "start", "restart", "cache", "cycle", "owned",
      "sequence",
    ]) {
      switch word {
      case "as": options.type = try parseTypeName()
      case "increment":
        _ = take("by")
        options.increment = try parseInteger()
      case "minvalue": options.minimum = try parseInteger()
      case "maxvalue": options.maximum = try parseInteger()
      case "no":
        guard let limit = take(anyOf: ["minvalue", "maxvalue", "cycle"]) else { throw syntaxError() }
        if limit == "cycle" { options.cycles = false }
      case "start":
        _ = take("with")
        options.start = try parseInteger()
      case "restart":
        options.restarts = true
        let hasWord = take("with")
        if hasWord || current.kind == .integer || current.kind == .operator {
          options.restart = try parseInteger()
        }
      case "cache": _ = try parseInteger()
      case "cycle": options.cycles = true
      case "owned":
        try expect("by")
        let parts = try parseNameParts()
        options.ownedBy = parts == ["none"] ? nil : parts
      default:
        try expect("name")
        _ = try parseQualifiedName()
      }
    }
    return options
  }

  /// `CREATE SEQUENCE` from the word `SEQUENCE`.
  mutating func parseCreateSequence() throws(PostgreSQLError) -> Statement {
    try expect("sequence")
    let ifNotExists = try takeIfNotExists()
    let name = try parseQualifiedName()
    return .createSequence(name, try parseSequenceOptions(), ifNotExists: ifNotExists)
  }

  /// `ALTER SEQUENCE` behind these words.
  mutating func parseAlterSequence() throws(PostgreSQLError) -> Statement {
    _ = take("if", "exists")
    let name = try parseQualifiedName()
    if take("owner", "to") {
      _ = try parseWordOrName()
      return .ignored("ALTER SEQUENCE OWNER TO")
    }
    if take("rename") {
      try expect("to")
      return .rename(.sequence, name, to: try parseName())
    }
    if take("set") {
      if take(anyOf: ["logged", "unlogged"]) != nil { return .ignored("ALTER SEQUENCE SET LOGGED") }
      try expect("schema")
      return .setSchema(.sequence, name, to: try parseName())
    }
    if isAtEnd { throw syntaxError() }
    return .alterSequence(name, try parseSequenceOptions())
  }
}
