// CREATE TABLE and its parts (PostgreSQL documentation, 5 and VI.I).
extension Parser {
  /// `CREATE TABLE` from the word `TABLE`.
  mutating func parseCreateTable() throws(PostgreSQLError) -> Statement {
    try expect("table")
    let ifNotExists = try takeIfNotExists()
    var table = CreateTable(try parseQualifiedName(), [], ifNotExists: ifNotExists)
    if at("of") { throw notSupported("CREATE TABLE … OF") }
    if take("partition") {
      try expect("of")
      table.partitionOf = try parseQualifiedName()
      if atPunctuation("(") { table.elements = try parseElements() }
      table.bounds = try parsePartitionBounds()
    } else if isAtTableAs {
      let columns = atPunctuation("(") ? try parseNamesInParentheses() : []
      try skipStorage()
      try expect("as")
      if at("execute") { throw notSupported("CREATE TABLE … AS EXECUTE") }
      let query = try parseQuery()
      try skipData()
      return .createTableAs(table.name, columns: columns, query, ifNotExists: ifNotExists)
    } else {
      table.elements = try parseElements()
    }
    if take("inherits") {
      try expectPunctuation("(")
      table.inherits = try parseQualifiedNames()
      try expectPunctuation(")")
    }
    if take("partition") {
      try expect("by")
      _ = try parseName()
      table.partitionKey = try parseIndexKeys().map(\.expression)
    }
    try skipStorage()
    return .createTable(table)
  }

  /// Whether names of columns, or `AS`, follow the name of a table.
  private var isAtTableAs: Bool {
    guard atPunctuation("(") else {
      return at("as") || at("using") || at("with") || at("without") || at("on") || at("tablespace")
    }
    guard Self.isName(peek()) else { return false }
    let following = peek(2)
    return following.kind == .punctuation && (following.text == "," || following.text == ")")
  }

  mutating func parsePartitionBounds() throws(PostgreSQLError) -> PartitionBounds? {
    if take("default") { return nil }
    try expect("for", "values")
    if take("in") {
      return .list(try parseBounds())
    } else if take("from") {
      let from = try parseBounds()
      try expect("to")
      return .range(from, try parseBounds())
    } else {
      try expect("with")
      try expectPunctuation("(")
      repeat {
        _ = try parseWordOrName()
        _ = try parseInteger()
      } while takePunctuation(",")
      try expectPunctuation(")")
      return .hash
    }
  }

  private mutating func parseBounds() throws(PostgreSQLError) -> [SQLExpression] {
    try expectPunctuation("(")
    let bounds = try parseExpressions()
    try expectPunctuation(")")
    return bounds
  }

  /// `USING method`, `WITH (…)`, `ON COMMIT …` and `TABLESPACE …`.
  mutating func skipStorage() throws(PostgreSQLError) {
    while true {
      if take("using") || take("tablespace") {
        _ = try parseName()
      } else if take("with") {
        _ = try parseOptions()
      } else if take("without") {
        try expect("oids")
      } else if take("on") {
        try expect("commit")
        guard take("drop") || take("preserve", "rows") || take("delete", "rows") else { throw syntaxError() }
      } else {
        return
      }
    }
  }

  private mutating func parseElements() throws(PostgreSQLError) -> [CreateTable.Element] {
    var elements: [CreateTable.Element] = []
    try expectPunctuation("(")
    if takePunctuation(")") { return [] }
    repeat {
      if take("like") {
        let name = try parseQualifiedName()
        var includesAll = false
        while let word = take(anyOf: ["including", "excluding"]) {
          if at("all") { includesAll = word == "including" }
          guard
            take(anyOf: [
              "all", "comments", "compression", "constraints", "defaults", "generated", "identity", "indexes",
              "statistics", "storage",
            ]) != nil
          else { throw syntaxError() }
        }
        elements.append(.like(name, includesAll: includesAll))
      } else if isAtTableConstraint {
        elements.append(.constraint(try parseTableConstraint()))
      } else {
        elements.append(.column(try parseColumn()))
      }
    } while takePunctuation(",")
    try expectPunctuation(")")
    return elements
  }

  /// A column with its constraints.
  mutating func parseColumn() throws(PostgreSQLError) -> ColumnDefinition {
    let name = try parseName()
    var column = ColumnDefinition(name, try parseTypeName())
    if take("storage") { _ = try parseWordOrName() }
    if take("compression") { _ = try parseName() }
    column.constraints = try parseColumnConstraints(collation: &column.collation)
    return column
  }

  /// The constraints of a column or a domain.
  mutating func parseColumnConstraints(collation: inout QualifiedName?) throws(PostgreSQLError)
    -> [ColumnConstraint]
  {
    var constraints: [ColumnConstraint] = []
    while true {
      let start = current
      if take("collate") {
        collation = try parseQualifiedName()
        continue
      }
      if isAtAttribute {
        let attributes = try parseAttributes()
        guard let last = constraints.indices.last else {
          throw error("misplaced DEFERRABLE clause", at: start)
        }
        if attributes.isNotValid || attributes.isNotInherited { throw syntaxError() }
        if case .references(var references) = constraints[last].kind {
          references.isDeferrable = attributes.isDeferrable
          references.isInitiallyDeferred = attributes.isInitiallyDeferred
          constraints[last].kind = .references(references)
        }
        continue
      }
      let name = take("constraint") ? try parseName() : nil
      guard let kind = try parseColumnConstraint() else {
        if name != nil { throw syntaxError() }
        return constraints
      }
      constraints.append(ColumnConstraint(kind, name: name))
    }
  }

  private mutating func parseColumnConstraint() throws(PostgreSQLError) -> ColumnConstraint.Kind? {
    if take("not") {
      try expect("null")
      return .notNull
    }
    if take("null") { return .null }
    if take("unique") {
      let nullsNotDistinct = try parseNullsDistinct()
      try skipIndexParameters()
      return .unique(nullsNotDistinct: nullsNotDistinct)
    }
    if take("primary") {
      try expect("key")
      try skipIndexParameters()
      return .primaryKey
    }
    if take("check") {
      let condition = try parseConditionInParentheses()
      if take("no") { try expect("inherit") }
      return .check(condition)
    }
    if take("default") { return .defaultValue(try parseExpression(isRestricted: true)) }
    if take("references") { return .references(try parseReferences()) }
    guard take("generated") else { return nil }
    let start = current
    let isAlways = take("always")
    if !isAlways { try expect("by", "default") }
    try expect("as")
    if take("identity") {
      let options = atPunctuation("(") ? try parseSequenceOptionsInParentheses() : SequenceOptions()
      return .identity(isAlways ? .always : .byDefault, options)
    }
    let expression = try parseConditionInParentheses()
    if !isAlways { throw error("for a generated column, GENERATED ALWAYS must be specified", at: start) }
    try expect("stored")
    return .generated(expression)
  }

  /// An expression in parentheses.
  mutating func parseConditionInParentheses() throws(PostgreSQLError) -> SQLExpression {
    try expectPunctuation("(")
    let condition = try parseExpression()
    try expectPunctuation(")")
    return condition
  }

  /// `NULLS NOT DISTINCT`, `NULLS DISTINCT` or nothing.
  mutating func parseNullsDistinct() throws(PostgreSQLError) -> Bool {
    guard take("nulls") else { return false }
    let isNot = take("not")
    try expect("distinct")
    return isNot
  }

  private mutating func skipIndexParameters() throws(PostgreSQLError) {
    if take("include") { _ = try parseIndexKeys() }
    if take("with") { _ = try parseOptions() }
    if take("using") {
      try expect("index", "tablespace")
      _ = try parseName()
    }
  }

  /// The rest of a foreign key behind `REFERENCES`.
  mutating func parseReferences() throws(PostgreSQLError) -> References {
    var references = References(try parseQualifiedName())
    if atPunctuation("(") { references.columns = try parseNamesInParentheses() }
    if take("match") {
      switch take(anyOf: ["full", "simple", "partial"]) {
      case "full": references.matchesFull = true
      case "simple": break
      case "partial": throw error("MATCH PARTIAL not yet implemented", code: "0A000")
      default: throw syntaxError()
      }
    }
    while take("on") {
      if take("delete") {
        references.onDelete = try parseReferentialAction()
      } else {
        try expect("update")
        references.onUpdate = try parseReferentialAction()
      }
    }
    return references
  }

  private mutating func parseReferentialAction() throws(PostgreSQLError) -> References.Action {
    if take("no", "action") { return .noAction }
    if take("restrict") { return .restrict }
    if take("cascade") { return .cascade }
    try expect("set")
    let action: References.Action
    if take("null") {
      action = .setNull
    } else {
      try expect("default")
      action = .setDefault
    }
    if atPunctuation("(") { throw notSupported("ON DELETE SET NULL of some columns") }
    return action
  }
}

// MARK: - Constraints of tables

extension Parser {
  /// What may follow a constraint.
  struct Attributes {
    var isDeferrable = false
    var isInitiallyDeferred = false
    var isNotValid = false
    var isNotInherited = false
  }

  private var isAtAttribute: Bool {
    at("deferrable") || at("initially") || at("not", "deferrable")
  }

  mutating func parseAttributes() throws(PostgreSQLError) -> Attributes {
    var attributes = Attributes()
    while true {
      let start = current
      if take("deferrable") {
        attributes.isDeferrable = true
      } else if take("not") {
        if take("valid") {
          attributes.isNotValid = true
          continue
        }
        try expect("deferrable")
        attributes.isDeferrable = false
        if attributes.isInitiallyDeferred {
          throw error("constraint declared INITIALLY DEFERRED must be DEFERRABLE", at: start)
        }
      } else if take("no") {
        try expect("inherit")
        attributes.isNotInherited = true
      } else if take("initially") {
        if take("deferred") {
          attributes.isInitiallyDeferred = true
          attributes.isDeferrable = true
        } else {
          try expect("immediate")
        }
      } else {
        return attributes
      }
    }
  }

  var isAtTableConstraint: Bool {
    if at("constraint") || at("check") || at("unique") || at("foreign") || at("primary") { return true }
    return at("exclude") && (peek().text == "using" || peek().text == "(")
  }

  mutating func parseTableConstraint() throws(PostgreSQLError) -> TableConstraint {
    let name = take("constraint") ? try parseName() : nil
    var constraint: TableConstraint
    if take("check") {
      constraint = TableConstraint(.check(try parseConditionInParentheses()), name: name)
    } else if take("unique") {
      if take("using") {
        try expect("index")
        constraint = TableConstraint(.usingIndex(try parseName(), isPrimaryKey: false), name: name)
      } else {
        let nullsNotDistinct = try parseNullsDistinct()
        let columns = try parseNamesInParentheses()
        constraint = TableConstraint(.unique(columns, nullsNotDistinct: nullsNotDistinct), name: name)
        try skipIndexParameters()
      }
    } else if take("primary") {
      try expect("key")
      if take("using") {
        try expect("index")
        constraint = TableConstraint(.usingIndex(try parseName(), isPrimaryKey: true), name: name)
      } else {
        constraint = TableConstraint(.primaryKey(try parseNamesInParentheses()), name: name)
        try skipIndexParameters()
      }
    } else if take("foreign") {
      try expect("key")
      let columns = try parseNamesInParentheses()
      try expect("references")
      constraint = TableConstraint(.foreignKey(columns, try parseReferences()), name: name)
    } else if at("exclude") {
      let start = current.range.lowerBound
      advance()
      if take("using") { _ = try parseName() }
      try expectPunctuation("(")
      repeat {
        _ = try parseIndexKey()
        try expect("with")
        if at("operator") {
          _ = try parseQualifiedOperator()
        } else {
          guard current.kind == .operator else { throw syntaxError() }
          advance()
        }
      } while takePunctuation(",")
      try expectPunctuation(")")
      try skipIndexParameters()
      if take("where") { _ = try parseConditionInParentheses() }
      let end = tokens[max(index - 1, 0)].range.upperBound
      constraint = TableConstraint(.exclude(text(start..<end)), name: name)
    } else {
      throw syntaxError()
    }
    let start = current
    let attributes = try parseAttributes()
    constraint.isNotValid = attributes.isNotValid
    switch constraint.kind {
    case .foreignKey(let columns, var references):
      references.isDeferrable = attributes.isDeferrable
      references.isInitiallyDeferred = attributes.isInitiallyDeferred
      constraint.kind = .foreignKey(columns, references)
    case .check where attributes.isDeferrable:
      throw error("CHECK constraints cannot be marked DEFERRABLE", code: "0A000", at: start)
    case .unique where attributes.isNotValid:
      throw error("UNIQUE constraints cannot be marked NOT VALID", code: "0A000", at: start)
    case .primaryKey where attributes.isNotValid:
      throw error("PRIMARY KEY constraints cannot be marked NOT VALID", code: "0A000", at: start)
    default: break
    }
    return constraint
  }
}
